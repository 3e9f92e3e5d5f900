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
    // With a last round: everybody's chances once this seat has banked at or past the target,
    // [units from the last follower up to the bank, less 1; for every follower but the last, units ahead of the last one,
    // counted from 1 - scores; player]. Else null.
    const double *finish;
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
    double tie;      // a player is indifferent between values that differ by no more, times the chance to leave
    Ties usual;      // how ties are broken where play is not mixed
    int beyond;      // a turn is followed so many units past the target
    int start;       // where the search for an equilibrium begins: 0 at a guess, 1 and 2 at the ends
    ManySeat seat[most_players];
    std::vector<Mixed> mixed;  // sorted by seat and position; of a guide too
};

// What a pass found: mixed positions, cycles without an answer, and cycles with several, how far apart (as the share).
struct ManyResult {
    std::vector<Mixed> mixed, unsettled, other;
};

// The turn of a follower in a last round; t counts the units from `depth` behind the best score so far.
struct LastTurn {
    House house;
    int players;           // the player to move, those still to come, and the holders of the best score together
    int depth, first;      // units behind; a bank counts from depth + first on (1: a tie is lost)
    int ahead;             // leaves reach so far past the best score
    const double *leaves;  // [units past the best score, player]
    double tie;
    Ties ties;
};

// What a sweep found: the largest change of a value, how far the own chances after busts are from kinks (as the share),
// and where play is mixed in cycles that are settled at once.
struct ManySwept {
    double moved = 0;
    std::vector<Mixed> kinks, mixed;
};

// By how much a bound was too low, and the least chance to leave of a turn.
struct ManyRaised {
    double over = 0, leave = 1;
};

// Bounds over all positions: what a player can gain by another strategy, and how far values are from those of the play.
struct ManyBound {
    double gain = 0, error = 0;
};

namespace plain {
ManyResult solve_many(const Many &many, int threads, Watch watch);
ManyResult other_many(const Many &many, int threads, Watch watch);
ManyBound certify_many(const Many &many, int threads, Watch watch);
void replay_many(const Many &many, int seat, const int32_t *standings, Ties ties, double *rows);
ManyBound last_turn(const LastTurn &last, double *rows);
ManySwept sweep_many(const Many &many, double width, bool looks, int threads, Watch watch);
ManyRaised bound_many(const Many &guided, bool goes_on, bool moves, int threads, Watch watch);
}  // namespace plain
namespace avx2 {
ManyResult solve_many(const Many &many, int threads, Watch watch);
ManyResult other_many(const Many &many, int threads, Watch watch);
ManyBound certify_many(const Many &many, int threads, Watch watch);
void replay_many(const Many &many, int seat, const int32_t *standings, Ties ties, double *rows);
ManyBound last_turn(const LastTurn &last, double *rows);
ManySwept sweep_many(const Many &many, double width, bool looks, int threads, Watch watch);
ManyRaised bound_many(const Many &guided, bool goes_on, bool moves, int threads, Watch watch);
}  // namespace avx2

}  // namespace jeopardice
