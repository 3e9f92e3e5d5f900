// One turn of a points game, walked backwards over its table.
//
//   W(t, m) = max( stop(t)   if t >= bank_from,
//                  -roll_cost + [ bust(m) x + sum over groups g of weight(g) max over plays of W(t + points, mode) ] /
//                  total(m) )
//
// t is the points at risk (in units), m the mode, x the worth of a bust. W and its slope dW/dx (the chance that the turn
// ends in a bust) are walked together. Moments of one t depend only on larger t, or on later modes of the same t.
// A walk costs one step per play and moment; its memory is one row of modes + 1 entries per t.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace jeopardice {

struct Table {
    int modes, opening, max_points;
    const int32_t *first_group, *first_play, *offset, *points;
    const double *weight, *bust, *total;
    int row() const { return modes + 1; }
};

struct Worth {
    double value, slope;
};

// What the leaves of a turn are worth. Banking t units is worth base + sign * bank[t * step] for t below `goal`;
// t == goal is worth `top`, and beyond it `top` as well, or a bust where the target must be hit exactly.
struct Leaves {
    const double *bank;
    double base, sign;
    int64_t step;
    int goal;
    double top;
    bool exact;
    int bank_from;
    double roll_cost;

    double stop(int t) const { return base + sign * bank[t * step]; }
    Worth leaf(int t, double x) const {
        if (t < goal) return {stop(t), 0.0};
        if (t > goal && exact) return {x, 1.0};
        return {top, 0.0};
    }
};

// The worth of rolling in `mode` with t points at risk: one step per play.
inline Worth roll_worth(const Table &table, int mode, const Worth *row_of_t, double x, double roll_cost) {
    double value = table.bust[mode] * x, slope = table.bust[mode];
    for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group) {
        int play = table.first_play[group];
        const int last = table.first_play[group + 1];
        const Worth *best = row_of_t + table.offset[play];
        for (++play; play < last; ++play) {
            const Worth *other = row_of_t + table.offset[play];
            if (other->value > best->value) best = other;
        }
        value += table.weight[group] * best->value;
        slope += table.weight[group] * best->slope;
    }
    return {value / table.total[mode] - roll_cost, slope / table.total[mode]};
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
        here[0] = t >= leaves.bank_from && stop >= roll.value ? Worth{stop, 0.0} : roll;
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
            Worth roll = roll_worth(table, mode, here, x, leaves.roll_cost);
            here[mode] = t >= leaves.bank_from && stop >= roll.value ? Worth{stop, 0.0} : roll;
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

}  // namespace jeopardice
