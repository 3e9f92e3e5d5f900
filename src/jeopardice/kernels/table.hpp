// What the kernels see of a points game: the rules of a turn and the rules between turns, as arrays.
#pragma once

#include <atomic>
#include <cstdint>

namespace jeopardice {

// The rolls and plays of every mode (points/tables.py).
struct Table {
    int modes, opening, max_points;
    const int32_t *first_group, *first_play, *offset, *points;
    // Sets of plays: node n holds the plays of `base` (node 0: none) and the play at `more`, or below 0 those of the node
    // ~more; a group is one of them. Those of a mode begin at `first_node`; they are made of nodes before them or of later
    // modes.
    const int32_t *first_node, *base, *more, *group_node;
    const double *weight, *bust, *total;
    const uint8_t *may_stop;  // [mode]
    const double *keep;   // [mode] the chance to come through the rolls that must be made before one may stop; 1 if one may
    bool must_roll;       // is there a mode in which one may not stop?
    int height;           // with more points at risk than this no turn can still be rolled
    double weight_error;  // relative error of weights that are too large for a double; 0 if all are exact
    int free_mode;        // the one mode whose roll cannot bust, -1 if there is none or several
    int to(int play) const { return offset[play] - points[play] * row(); }
    int row() const { return modes + 1; }
    int nodes() const { return first_node[modes]; }
    bool one_play_each() const { return first_play[first_group[modes]] == first_group[modes]; }
};

// The rules between turns of one seat (points/race_table.py). A standing is score * records + record.
struct House {
    Table table;
    int scores, records;  // scores below the target, counted from the lowest
    bool must_hit;
    const int32_t *least_bank, *bank_to, *bust_to;  // [record]
    const int32_t *bust_score;                      // [record, score] the score after a bust
    const uint8_t *reached;                         // [standing] whether a race can come there
    int standings() const { return scores * records; }
    bool is_reached(int score, int record) const { return reached[score * records + record]; }
    // The standing after a bust, -1 where it is cut off.
    int64_t after_bust(int score, int record) const {
        const int fallen = bust_score[int64_t(record) * scores + score];
        return fallen < 0 ? -1 : int64_t(fallen) * records + bust_to[record];
    }
    // Whether every bust leads back to the standing where the turn began.
    bool busts_stay() const {
        for (int standing = 0; standing < standings(); ++standing) {
            const int score = standing / records, record = standing % records;
            if (reached[standing] && (bust_to[record] != record || bust_score[int64_t(record) * scores + score] != score))
                return false;
        }
        return true;
    }
};

// Polled by every pass: how far it is, and whether it is to end.
struct Watch {
    std::atomic_ref<int64_t> done;
    std::atomic_ref<int32_t> cancelled;
    bool stopped() const { return cancelled.load(std::memory_order_relaxed); }
};

constexpr int most_steps = 200;
constexpr double negligible = 2e-15;  // a Newton step this small, relative, is rounding; it is still taken

}  // namespace jeopardice
