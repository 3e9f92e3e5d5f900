// A race of several players as the kernels see it, and the passes over it, one version per instruction set.
#pragma once

#include <array>
#include <vector>

#include "table.hpp"

namespace jeopardice {

constexpr int most_players = 8;

// One seat. A position is a tuple of standings that begins with the player to move and goes on in the order of play; its
// values are one number per player in the same order.
//
// A seat may follow a given strategy instead of best play: one that looks at the own standing alone (`law`), or best play
// of another race with the same tables, given by its values (`guide`).
struct ManySeat {
    House house;
    double *worth;        // [own standing, the next player's standing, ..., player] this seat to move
    const double *law;    // [own standing, units banked up to the target] the chances of a given strategy; or null
    const double *guide;  // [the next player's standing, ..., own standing, player] values that decide; or null
    bool is_given() const { return law || guide; }
};

// A position where best play is mixed: the share of turns with the cautious plan; the other turns follow the bold one.
struct Mixed {
    int32_t seat;
    int64_t position;
    double share;
};

// What an indifferent player does: the cautious plan takes the larger chance to leave, the bold one the smaller. `rolling`
// is bold too, but not where everything is worth a bust: whoever is sure to win must get there some day.
enum class Ties { cautious, bold, rolling };
constexpr double not_mixed = -1;

struct Many {
    int players;
    bool symmetric;  // all seats are one and share their arrays
    double tie;      // a player is indifferent between values that differ by no more
    Ties usual;      // how ties are broken where play is not mixed
    int start;       // where the search for an equilibrium begins: 0 at a guess, 1 and 2 at the ends
    ManySeat seat[most_players];
    std::vector<Mixed> mixed;  // sorted by seat and position; of a guide too
};

// What a pass found: mixed positions, cycles without an answer, and cycles with several, how far apart (as the share).
struct ManyFound {
    std::vector<Mixed> mixed, unsettled, other;
};

// Bounds over all positions: what a player can gain by another strategy, and how far values are from those of the play.
struct ManyBound {
    double gain = 0, error = 0;
};

namespace plain {
ManyFound solve_many(const Many &many, int threads, Watch watch);
ManyFound other_many(const Many &many, int threads, Watch watch);
ManyBound certify_many(const Many &many, int threads, Watch watch);
void replay_many(const Many &many, int seat, const int32_t *standings, Ties ties, double *rows);
}  // namespace plain
namespace avx2 {
ManyFound solve_many(const Many &many, int threads, Watch watch);
ManyFound other_many(const Many &many, int threads, Watch watch);
ManyBound certify_many(const Many &many, int threads, Watch watch);
void replay_many(const Many &many, int seat, const int32_t *standings, Ties ties, double *rows);
}  // namespace avx2

}  // namespace jeopardice
