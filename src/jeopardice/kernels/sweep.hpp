// Races for two where a bust changes a record or lowers a score: all positions swept again and again until nothing moves.
//
//     lower(P) = worth of the turn at P with the other's upper values behind its leaves, upper(P) with the lower ones.
//
// Only where scores are cut off are these two different: what lies below may be worth anything. Elsewhere they are one
// array of values. A sweep goes over the anti-diagonals of scores from the end of the race, and at one pair of scores from
// the records that come later to those before them, so a value is only old where a penalty leads back to lower scores.
// With the values go `turns`, the expected number of turns still to come: the shape of the error that a proof allows. Where
// lower and upper values ask for different play, the larger number counts.
//
// Four pairs of an anti-diagonal sit in the lanes of a vector, threads share it. Cost per sweep: one walk per position.
#include "race.hpp"

namespace jeopardice::JEOPARDICE_TARGET {

constexpr double most_turns = 1e6;  // where a race hardly ends, more turns say nothing

struct Sweep {
    const Duel &duel;
    const Swept &swept;
    Desk &desk;
    double moved = 0;  // the largest change of a value

    int64_t at(int s, int64_t mine, int64_t theirs) const { return mine * duel.seat[1 - s].house.standings() + theirs; }
    double *stop_bounds(int s, bool lower) const {
        return swept.stop_bound[s] ? swept.stop_bound[s] + (lower ? 0 : 2 * duel.bounds_size(s)) : nullptr;
    }
    // Put the pairs (i + k, sum - i - k) with the records r of seat s and q of the other into lanes; returns how many
    // count.
    int set_lanes(LaneLeaves &leaves, int s, int i, int count, int sum, int r, int q, bool lower, bool all) const {
        const House &mine = duel.seat[s].house, &other = duel.seat[1 - s].house;
        leaves.begin(duel, s, stop_bounds(s, lower));
        int used = 0;
        for (int k = 0; k < lanes; ++k) {
            const int first = i + std::min(k, count - 1), score = s ? sum - first : first, theirs = sum - score;
            const bool counts = k < count && (all || (mine.is_reached(score, r) && other.is_reached(theirs, q)));
            if (counts)
                leaves.set(used++, score, r, theirs * other.records + q, (lower ? swept.upper : swept.lower)[1 - s]);
        }
        for (int lane = used; lane < lanes && used; ++lane) leaves.repeat(lane, used - 1);
        return used;
    }
    void sweep_lanes(int s, int i, int count, int sum, int r, int q, bool lower) {
        const House &mine = duel.seat[s].house;
        LaneLeaves &leaves = desk.leaves[0];
        const int used = set_lanes(leaves, s, i, count, sum, r, q, lower, false);
        if (!used) return;
        if (swept.count_turns) leaves.turns = swept.turns[1 - s];
        double bust[lanes];
        for (int lane = 0; lane < lanes; ++lane) {
            const int64_t after = mine.after_bust(leaves.mine[lane], r), reply = at(1 - s, leaves.theirs[lane], after);
            // a score that is cut off may be worth anything
            bust[lane] = after >= 0 ? duel.sum - leaves.other[lane][reply] : lower ? duel.sum - swept.most : swept.most;
            leaves.bust_turns[lane] = after >= 0 ? swept.turns[1 - s][reply] : 0.0;
        }
        const Lanes x = {bust[0], bust[1], bust[2], bust[3]};
        Worth<Lanes> turn{};
        if (swept.count_turns)
            turn = desk.walk_turn(leaves, x);
        else
            turn.gain = desk.walk_turn<Gain<Lanes>>(leaves, x).gain;
        for (int lane = 0; lane < used; ++lane) {
            const int64_t here = at(s, int64_t(leaves.mine[lane]) * mine.records + r, leaves.theirs[lane]);
            double &value = (lower ? swept.lower : swept.upper)[s][here];
            const double now = x[lane] + turn.gain[lane];
            moved = std::max(moved, std::abs(now - value));
            value = now;
            if (!swept.count_turns) continue;
            const double turns = std::min(1.0 + leaves.bust_turns[lane] + turn.leave[lane], most_turns);
            swept.turns[s][here] = lower ? turns : std::max(swept.turns[s][here], turns);
        }
    }
    // Up to four pairs of scores: later records first, since a bust leads to a later one or to lower scores.
    void sweep_pairs(int i, int count, int sum) {
        const int records[2] = {duel.seat[0].house.records, duel.seat[1].house.records};
        const bool once = swept.lower[0] == swept.upper[0];
        for (int level = records[0] + records[1] - 2; level >= 0; --level)
            for (int s = 0; s < 2; ++s)
                for (int r = std::max(0, level - records[1 - s] + 1); r <= std::min(level, records[s] - 1); ++r) {
                    sweep_lanes(s, i, count, sum, r, level - r, true);
                    if (!once) sweep_lanes(s, i, count, sum, r, level - r, false);
                }
        for (int s = 0; s < 2; ++s)
            for (int q = 0; q < records[1 - s] && swept.stop_bound[s]; ++q)
                for (bool lower : {true, false}) {
                    if (once && !lower) continue;
                    LaneLeaves &leaves = desk.leaves[0];
                    const int used = set_lanes(leaves, s, i, count, sum, duel.seat[s].house.bank_to[0], q, lower, true);
                    set_bounds(duel, leaves, used, stop_bounds(s, lower));
                }
    }
};

// One sweep; returns the largest change of a value.
inline double sweep_duel_here(const Duel &duel, const Swept &swept, int threads, Watch watch) {
    std::vector<Desk> desks(threads);
    std::vector<double> moved(threads, 0.0);
    over_anti_diagonals(duel, threads, watch, lanes, [&](int i, int count, int sum, int thread) {
        Sweep sweep{duel, swept, desks[thread]};
        sweep.sweep_pairs(i, count, sum);
        moved[thread] = std::max(moved[thread], sweep.moved);
    });
    return *std::max_element(moved.begin(), moved.end());
}

}  // namespace jeopardice::JEOPARDICE_TARGET
