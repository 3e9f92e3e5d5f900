// Races for two where a bust changes a record or lowers a score: values swept from below and from above until they meet.
//
//     lower(P) = turn of P with the other's upper values behind its leaves, upper(P) with the other's lower ones,
//
// from 0 and 1 (or the least and the largest prize), over all anti-diagonals of scores again and again. Lower values are
// rounded down and upper values up, so what lies between them is a certificate at any time; positions where both have met
// are not looked at again. Scores fall only by penalties, so a handful of sweeps is enough. Cost per sweep: two walks per
// open position. Memory: two values per position.
#include "race.hpp"
#include "rounding.hpp"

namespace jeopardice::JEOPARDICE_TARGET {

struct Sweep {
    const Duel &duel;
    const Bounds &bounds;

    double &at(double *const *values, int s, int64_t mine, int64_t theirs) const {
        return values[s][mine * duel.seat[1 - s].house.standings() + theirs];
    }
    bool is_open(int s, int64_t mine, int64_t theirs) const {
        return at(bounds.upper, s, mine, theirs) - at(bounds.lower, s, mine, theirs) > bounds.tolerance;
    }
    int64_t stop_bounds(int s) const { return int64_t(duel.seat[1 - s].house.standings()) * duel.seat[s].house.scores; }
    // The standing after a bust, -1 where it is cut off.
    int64_t after_bust(int s, int score, int record) const {
        const House &house = duel.seat[s].house;
        const int fallen = house.bust_score[int64_t(record) * house.scores + score];
        return fallen < 0 ? -1 : int64_t(fallen) * house.records + house.bust_to[record];
    }
};

// A position to be swept: the own record and the other's.
struct SweepJob {
    int record, their_record;
};

// The same as `stop_bound`, but never above it: every operation is arranged to be rounded up and then negated.
inline Lanes safe_stop_bound(const Table &table, const Lanes *stop) {
    Lanes least = all<Lanes>(INFINITY);
    for (int mode = 0; mode < table.modes; ++mode) {
        Lanes excess = -stop[0] * table.total[mode];
        for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group) {
            Lanes best = stop[table.points[table.first_play[group]]];
            for (int play = table.first_play[group] + 1; play < table.first_play[group + 1]; ++play)
                best = larger(best, stop[table.points[play]]);
            excess += table.weight[group] * best;
        }
        const Lanes here = table.bust[mode] > 0
                               ? -(excess / table.bust[mode])
                               : pick(excess > all<Lanes>(0.0), all<Lanes>(-INFINITY), all<Lanes>(INFINITY));
        least = pick(here < least, here, least);
    }
    return least;
}

// Evaluate up to four jobs of seat s at one pair of scores, all lower or all upper values, and move the bounds inwards.
// Lower values are rounded down and upper ones up, so both hold at any time. Returns whether a bound still moved.
inline bool sweep_jobs(const Sweep &sweep, Desk &desk, const int *score, int s, bool lower, const SweepJob *jobs,
                       int used) {
    const Rounding direction(lower ? FE_DOWNWARD : FE_UPWARD);
    const House &mine = sweep.duel.seat[s].house, &other = sweep.duel.seat[1 - s].house;
    LaneLeaves &leaves = desk.leaves[0];
    leaves.begin(sweep.duel, s,
                 sweep.bounds.stop_bound[s] ? sweep.bounds.stop_bound[s] + (lower ? 0 : sweep.stop_bounds(s)) : nullptr);
    double *const *replies = lower ? sweep.bounds.upper : sweep.bounds.lower;
    Lanes x{};
    for (int lane = 0; lane < lanes; ++lane) {
        const SweepJob &job = jobs[std::min(lane, used - 1)];
        const int64_t theirs = int64_t(score[1 - s]) * other.records + job.their_record;
        leaves.set(lane, score[s], job.record, int(theirs), replies[1 - s]);
        const int64_t after = sweep.after_bust(s, score[s], job.record);
        if (after >= 0)
            x[lane] = sweep.duel.sum - sweep.at(replies, 1 - s, theirs, after);
        else  // a score that is cut off may be worth anything
            x[lane] = lower ? sweep.duel.sum - sweep.bounds.most : sweep.bounds.most;
    }
    const Lanes value = x + desk.walk_turn(leaves, x).gain;
    bool still_moving = false;
    for (int lane = 0; lane < used; ++lane) {
        const int64_t i = int64_t(score[s]) * mine.records + jobs[lane].record;
        const int64_t j = int64_t(score[1 - s]) * other.records + jobs[lane].their_record;
        double &bound = sweep.at(lower ? sweep.bounds.lower : sweep.bounds.upper, s, i, j);
        const double moved = lower ? value[lane] - bound : bound - value[lane];
        still_moving |= moved > sweep.bounds.tolerance / 8;
        if (moved > 0) bound = value[lane];
    }
    return still_moving;
}

// The stop bounds of a pair of scores, for the leaves of lower and of upper values, by the other's record.
inline void set_stop_bounds(const Sweep &sweep, Desk &desk, const int *score, bool one) {
    const Rounding direction(FE_UPWARD);
    for (int s = 0; s < (one ? 1 : 2); ++s) {
        const House &mine = sweep.duel.seat[s].house, &other = sweep.duel.seat[1 - s].house;
        if (!sweep.bounds.stop_bound[s]) continue;
        for (int q = 0; q < other.records; ++q)
            for (bool lower : {true, false}) {
                const int64_t theirs = int64_t(score[1 - s]) * other.records + q;
                LaneLeaves &leaves = desk.leaves[0];
                leaves.begin(sweep.duel, s, nullptr);
                for (int lane = 0; lane < lanes; ++lane)
                    leaves.set(lane, score[s], mine.bank_to[0], int(theirs),
                               (lower ? sweep.bounds.upper : sweep.bounds.lower)[1 - s]);
                leaves.fill(mine.table.max_points + 1);
                double *bound =
                    sweep.bounds.stop_bound[s] + (lower ? 0 : sweep.stop_bounds(s)) + theirs * mine.scores + score[s];
                const double here = safe_stop_bound(mine.table, leaves.bank_room.data())[0];
                bound[0] = score[s] + 1 < mine.scores ? std::min(bound[1], here) : here;
            }
    }
}

// All positions at one pair of scores, those with more busts first: a bust leads to one more, or to lower scores.
// Where a bust leads back to these scores from the last record too (at the floor), they are gone through several times.
inline bool sweep_scores(const Sweep &sweep, Desk &desk, const int *score) {
    const Duel &duel = sweep.duel;
    const bool one = duel.symmetric && score[0] == score[1];
    bool moved = false;
    for (int round = 0; round < 8; ++round) {
        bool returns = false, moving = false;
        const int levels = duel.seat[0].house.records + duel.seat[1].house.records - 2;
        for (int level = levels; level >= 0; --level)
            for (int s = 0; s < (one ? 1 : 2); ++s) {
                const House &mine = duel.seat[s].house, &other = duel.seat[1 - s].house;
                SweepJob jobs[lanes];
                int used = 0;
                auto run = [&] {
                    for (bool lower : {true, false})
                        if (used) moving |= sweep_jobs(sweep, desk, score, s, lower, jobs, used);
                    used = 0;
                };
                for (int r = std::max(0, level - other.records + 1); r <= std::min(level, mine.records - 1); ++r) {
                    const int q = level - r;
                    if (!mine.is_reached(score[s], r) || !other.is_reached(score[1 - s], q)) continue;
                    const int64_t i = int64_t(score[s]) * mine.records + r, j = int64_t(score[1 - s]) * other.records + q;
                    if (!sweep.is_open(s, i, j)) continue;
                    returns |= mine.bust_to[r] <= r && mine.bust_score[int64_t(r) * mine.scores + score[s]] == score[s];
                    jobs[used++] = {r, q};
                    if (used == lanes) run();
                }
                run();
            }
        moved |= moving;
        if (!returns || !moving) break;
    }
    set_stop_bounds(sweep, desk, score, one);
    return moved;
}

inline int sweep_duel_here(const Duel &duel, const Bounds &bounds, int threads, Watch watch) {
    std::vector<Desk> desks(threads);
    const Sweep sweep{duel, bounds};
    for (int sweeps = 1; sweeps <= bounds.most_sweeps && !watch.stopped(); ++sweeps) {
        std::atomic<bool> moved{false};
        over_anti_diagonals(duel, threads, watch, 1, [&](int i, int, int sum, int thread) {
            const int score[2] = {i, sum - i};
            if (sweep_scores(sweep, desks[thread], score)) moved = true;
        });
        if (!moved) return sweeps;
    }
    return 0;
}

}  // namespace jeopardice::JEOPARDICE_TARGET
