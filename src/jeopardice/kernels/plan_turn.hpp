// Turns and races as plans see them: what the leaves of a turn are worth, and the walk under free choice.
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cmath>
#include <thread>
#include <vector>

#include "table.hpp"

namespace jeopardice::planning {

struct Worth {
    double value, slope;
};

// Whether to prefer `other`: it is worth more, or as much (within `tie`) and busts less. Where a bust is worth as much as
// all else (an opponent who never gets there), that is what ends the race.
inline bool is_better(const Worth &other, const Worth &best, double tie) {
    return other.value > best.value + tie || (other.value >= best.value - tie && other.slope < best.slope);
}

// What the leaves of a turn are worth. Banking t units is worth base + sign * bank[t * step] for t below `goal`;
// t == goal is worth `top`, and beyond it `top` as well, or a bust where the target must be hit exactly.
struct Leaves {
    const double *bank;
    double base, sign;
    int64_t step;
    int goal;
    double top;
    bool exact;
    int least_bank;
    double roll_cost;
    double tie = 0;  // differences up to this are rounding

    double stop(int t) const { return base + sign * bank[t * step]; }
    Worth leaf(int t, double x) const {
        if (t < goal) return {stop(t), 0.0};
        if (t > goal && exact) return {x, 1.0};
        return {top, 0.0};
    }
};

// The worth of rolling in `mode` with t points at risk: one step per play.
inline Worth roll_worth(const Table &table, int mode, const Worth *row_of_t, double x, const Leaves &leaves) {
    double value = table.bust[mode] * x, slope = table.bust[mode];
    for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group) {
        int play = table.first_play[group];
        const int last = table.first_play[group + 1];
        const Worth *best = row_of_t + table.offset[play];
        for (++play; play < last; ++play) {
            const Worth *other = row_of_t + table.offset[play];
            if (is_better(*other, *best, leaves.tie)) best = other;
        }
        value += table.weight[group] * best->value;
        slope += table.weight[group] * best->slope;
    }
    return {value / table.total[mode] - leaves.roll_cost, slope / table.total[mode]};
}

// walk_down for one mode and one play per roll (Pig): nothing to choose but stop or roll. The same sums in the same order.
inline Worth walk_down_plain(const Table &table, const Leaves &leaves, double x, int cut, Worth *rows) {
    const int groups = table.first_group[1];
    const double bust = table.bust[0], total = table.total[0], lost = bust * x;
    for (int t = cut - 1; t >= 0; --t) {
        Worth *here = rows + int64_t(t) * 2;
        const double stop = leaves.stop(t);
        here[1] = t == 0 ? Worth{x, 1.0} : Worth{stop, 0.0};
        double value = lost, slope = bust;
        for (int group = 0; group < groups; ++group) {
            const Worth &to = here[table.offset[group]];
            value += table.weight[group] * to.value;
            slope += table.weight[group] * to.slope;
        }
        const Worth roll{value / total - leaves.roll_cost, slope / total};
        here[0] = t >= leaves.least_bank && stop >= roll.value - leaves.tie ? Worth{stop, 0.0} : roll;
    }
    return rows[0];
}

// Fill the rows below `cut`, given those from cut to cut + max_points. Returns the worth of the opening.
inline Worth walk_down(const Table &table, const Leaves &leaves, double x, int cut, Worth *rows) {
    if (table.modes == 1 && table.first_play[table.first_group[1]] == table.first_group[1])
        return walk_down_plain(table, leaves, x, cut, rows);
    const int row = table.row();
    for (int t = cut - 1; t >= 0; --t) {
        Worth *here = rows + int64_t(t) * row;
        const double stop = leaves.stop(t);
        here[table.modes] = t == 0 ? Worth{x, 1.0} : Worth{stop, 0.0};  // to bank nothing is a bust
        for (int mode = table.modes - 1; mode >= 0; --mode) {
            Worth roll = roll_worth(table, mode, here, x, leaves);
            here[mode] = t >= leaves.least_bank && stop >= roll.value - leaves.tie ? Worth{stop, 0.0} : roll;
        }
    }
    return rows[table.opening];
}

// The same where from t = cut on stopping is known to be best (or the goal is reached) in every mode.
inline Worth walk(const Table &table, const Leaves &leaves, double x, int cut, Worth *rows) {
    const int row = table.row();
    for (int t = cut; t <= cut + table.max_points; ++t) std::fill_n(rows + int64_t(t) * row, row, leaves.leaf(t, x));
    return walk_down(table, leaves, x, cut, rows);
}

// The bust worth up to which stopping beats one more roll (and stopping then) at t, in every mode:
//   h(t) = min over m of [ (stop(t) + roll_cost) total(m) - sum weight(g) max stop(t + points) ] / bust(m).
// If x <= h(t') for all t' >= t then stopping is best from t on: the one-roll look-ahead never leaves that set. In a mode
// that cannot bust h is infinite, of the sign of its bracket. Not for exact finishes.
inline double stop_bound(const Table &table, const Leaves &leaves, int t) {
    double least = 1e300;
    const double stop = leaves.stop(t);
    for (int mode = 0; mode < table.modes; ++mode) {
        double gain = 0;
        for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group) {
            double best = -1e300;
            for (int play = table.first_play[group]; play < table.first_play[group + 1]; ++play) {
                const int to = t + table.points[play];
                best = std::max(best, to < leaves.goal ? leaves.stop(to) : leaves.top);
            }
            gain += table.weight[group] * best;
        }
        const double margin = (stop + leaves.roll_cost) * table.total[mode] - gain;
        if (table.bust[mode] > 0)
            least = std::min(least, margin / table.bust[mode]);
        else if (margin < 0)
            return -1e300;
    }
    return least;
}

// ---------------------------------------------------------------- alone

struct Alone {
    Table table;
    int target, least_bank;
    bool exact;
    double turn_cost, roll_cost;
    double *worth;  // [target + 1], by units to go; -infinity where the target cannot be reached
    double *bound;  // [target + 1], running least stop_bound; unused where exact

    Leaves leaves(int to_go) const {
        return {worth + to_go, 0.0, 1.0, -1, to_go, 0.0, exact, std::max(least_bank, 1), roll_cost};
    }
    // The least t from which stopping is best, given x: bounds fall with the units to go.
    int cut(int to_go, double x) const {
        if (exact) return to_go;
        int low = 0, high = to_go;  // the largest units to go with bound >= x
        while (low < high) {
            const int middle = (low + high + 1) / 2;
            if (bound[middle] >= x)
                low = middle;
            else
                high = middle - 1;
        }
        return std::min(to_go, std::max(to_go - low, std::max(least_bank, 1)));
    }
};

struct Seat {
    Table table;
    int target, least_bank;
    bool exact;
    const double *prize;   // [target of the other seat], what reaching the target is worth when the other stands there
    const uint8_t *alive;  // [target], whether the target can still be reached from a standing
    double *worth;         // [target, other's target]: this seat to move, by its standing and the other's
    double *bound;         // [other's target, target]: running least stop_bound, by the other's standing and this seat's
};

struct Duel {
    Seat seat[2];
    double sum;      // what both seats' values add up to: 1 for a chance to win, 0 for a margin
    bool symmetric;  // both seats are one and share their arrays

    double &worth(int s, int mine, int theirs) const { return seat[s].worth[int64_t(mine) * seat[1 - s].target + theirs]; }
    Leaves leaves(int s, int mine, int theirs) const {
        const Seat &me = seat[s], &other = seat[1 - s];
        return {other.worth + int64_t(theirs) * me.target + mine,
                sum,
                -1.0,
                1,
                me.target - mine,
                me.prize[theirs],
                me.exact,
                std::max(me.least_bank, 1),
                0.0};
    }
    int cut(int s, int mine, int theirs, double x) const {
        const Seat &me = seat[s];
        const int goal = me.target - mine, from = std::max(me.least_bank, 1);
        if (me.exact || from >= goal) return goal;
        const double *bound = me.bound + int64_t(theirs) * me.target + mine;
        return int(std::lower_bound(bound + from, bound + goal, x) - bound);
    }
    void set_bound(int s, int mine, int theirs) const {
        const Seat &me = seat[s];
        if (me.exact) return;
        double *bound = me.bound + int64_t(theirs) * me.target + mine;
        const double here = stop_bound(me.table, leaves(s, mine, theirs), 0);
        bound[0] = mine + 1 < me.target ? std::min(bound[1], here) : here;
    }
};

// Run `solve(i, j, thread)` for every pair of an anti-diagonal, the farthest diagonals (both nearly home) first.
template <class Solve>
void over_anti_diagonals(int target_a, int target_b, bool symmetric, int threads, Watch watch, Solve solve) {
    std::atomic<int> next{0};
    int sum = target_a + target_b - 2;
    auto first = [&] { return std::max(0, sum - (target_b - 1)); };
    auto last = [&] { return symmetric ? sum / 2 : std::min(sum, target_a - 1); };
    next = first();
    auto advance = [&]() noexcept {
        watch.done.fetch_add(last() - first() + 1, std::memory_order_relaxed);
        --sum;
        if (watch.cancelled.load(std::memory_order_relaxed)) sum = -1;
        if (sum >= 0) next = first();
    };
    std::barrier diagonal(threads, advance);
    auto work = [&](int thread) {
        constexpr int chunk = 4;
        while (sum >= 0) {
            const int end = last();
            for (int i = next.fetch_add(chunk); i <= end; i = next.fetch_add(chunk))
                for (int k = i; k < std::min(i + chunk, end + 1); ++k) solve(k, sum - k, thread);
            diagonal.arrive_and_wait();
        }
    };
    std::vector<std::thread> others;
    for (int thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
    work(0);
    for (auto &thread : others) thread.join();
}

}  // namespace jeopardice::planning
