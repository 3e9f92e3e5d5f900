// One turn of a points game, walked backwards over its table.
//
//   W(t, m) = max( stop(t)  where one may stop,
//                  -roll_cost + [ bust(m) x + sum over groups g of weight(g) max over plays of W(t + points, mode) ] /
//                  total(m) )
//
// t is the points at risk (in units), m the mode, x the value of a bust. Walked is the **gain** D = W - x over a bust:
// a bust gains 0, a stop gains stop(t) - x, a roll the mean of what follows. So nothing is lost where almost every turn
// busts, and a turn that can only bust gains exactly 0. With it goes the chance to **leave**, 1 minus the chance of a
// bust, which is 1 minus the slope of W in x. Moments of one t depend only on larger t, or on later modes of the same t.
//
// V is a double, or four of them: four turns of the same table, each with its own x and leaves. No lane looks at another.
// A walk costs one step per play and moment; its memory is one row of modes + 1 entries per t.
// This file is compiled once per instruction set (JEOPARDICE_TARGET names the namespace); all give the same bits.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "table.hpp"

namespace jeopardice::JEOPARDICE_TARGET {

typedef double Lanes __attribute__((vector_size(32)));
typedef int64_t LaneMask __attribute__((vector_size(32)));

inline double spread(double v, double) { return v; }
inline Lanes spread(double v, Lanes) { return Lanes{v, v, v, v}; }
template <class V>
V all(double v) {
    return spread(v, V{});
}
inline double pick(bool mask, double a, double b) { return mask ? a : b; }
inline Lanes pick(LaneMask mask, Lanes a, Lanes b) { return mask ? a : b; }
template <class V>
V larger(V a, V b) {
    return pick(b > a, b, a);
}

template <class V>
struct Worth {
    V gain, leave;
};

// What the leaves of a turn are worth: ended by a play with t units `bank[t]`, by choice `stop[t]` (-infinity where the
// minimum forbids it), for t up to `cut` + max_points. From `cut` on one stops wherever one may. Where the target must be
// hit, the turn is lost from `bust_from` on, the first t past it (in some lane: `some_bust_from`).
template <class V>
struct Leaves {
    const V *bank, *stop;
    int cut, some_bust_from;
    V bust_from;
    double roll_cost;
};

constexpr int never_past = 1 << 30;

// A turn whose target must be hit is lost in the lanes that are past it.
template <class V>
inline void lose_past(const Leaves<V> &leaves, int t, Worth<V> *row_of_t, int row) {
    if (t < leaves.some_bust_from) return;
    const auto lost = all<V>(double(t)) >= leaves.bust_from;
    for (int mode = 0; mode < row; ++mode)
        row_of_t[mode] = {pick(lost, all<V>(0.0), row_of_t[mode].gain), pick(lost, all<V>(0.0), row_of_t[mode].leave)};
}

// The gain of rolling in `mode`: one step per play.
template <class V>
inline Worth<V> roll_worth(const Table &table, int mode, const Worth<V> *row_of_t, double roll_cost) {
    V gain = all<V>(0.0), leave = all<V>(0.0);
    for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group) {
        int play = table.first_play[group];
        const int last = table.first_play[group + 1];
        Worth<V> best = row_of_t[table.offset[play]];
        for (++play; play < last; ++play) {
            const Worth<V> other = row_of_t[table.offset[play]];
            const auto better = other.gain > best.gain;
            best = {pick(better, other.gain, best.gain), pick(better, other.leave, best.leave)};
        }
        gain += table.weight[group] * best.gain;
        leave += table.weight[group] * best.leave;
    }
    return {gain / table.total[mode] - roll_cost, leave / table.total[mode]};
}

// Fill the rows from `cut` on, as far as one play can lead from below it. Modes that must be rolled come through with the
// chance `keep`, and are only cut where every stop is worth the same.
template <class V>
inline void fill_edge(const Table &table, const Leaves<V> &leaves, V x, Worth<V> *rows) {
    const int row = table.row();
    for (int t = leaves.cut; t <= leaves.cut + table.max_points; ++t) {
        Worth<V> *here = rows + int64_t(t) * row;
        const V gain = leaves.bank[t] - x;
        for (int mode = 0; mode < row; ++mode) {
            const double keep = mode < table.modes ? table.keep[mode] : 1.0;
            here[mode] = keep == 1.0   ? Worth<V>{gain, all<V>(1.0)}
                         : keep == 0.0 ? Worth<V>{all<V>(0.0), all<V>(0.0)}
                                       : Worth<V>{keep * gain, all<V>(keep)};
        }
        lose_past(leaves, t, here, row);
    }
}

// Fill the rows below the cut, given those from there on; returns the worth of the opening.
template <class V>
inline Worth<V> walk_down(const Table &table, const Leaves<V> &leaves, V x, Worth<V> *rows) {
    const int row = table.row();
    const V one = all<V>(1.0);
    for (int t = leaves.cut - 1; t >= 0; --t) {
        Worth<V> *here = rows + int64_t(t) * row;
        here[table.modes] = t == 0 ? Worth<V>{all<V>(0.0), all<V>(0.0)} : Worth<V>{leaves.bank[t] - x, one};
        const V stop = leaves.stop[t] - x;
        for (int mode = table.modes - 1; mode >= 0; --mode) {
            const Worth<V> roll = roll_worth(table, mode, here, leaves.roll_cost);
            if (t == 0 || !table.may_stop[mode]) {
                here[mode] = roll;
                continue;
            }
            const auto stops = stop >= roll.gain;
            here[mode] = {pick(stops, stop, roll.gain), pick(stops, one, roll.leave)};
        }
        lose_past(leaves, t, here, row);
    }
    return rows[table.opening];
}

template <class V>
inline Worth<V> walk(const Table &table, const Leaves<V> &leaves, V x, Worth<V> *rows) {
    fill_edge(table, leaves, x, rows);
    return walk_down(table, leaves, x, rows);
}

// The bust value up to which stopping beats one more roll (and stopping then), in every mode:
//   h = min over m of [ (stop(0) + roll_cost) total(m) - sum weight(g) max stop(points) ] / bust(m),
// where stop(points) is the value of banking that many units more. If x <= h at t and at every larger t then stopping is
// best from t on: the one-roll look-ahead never leaves that set. In a mode that cannot bust h is infinite, of the sign of
// its bracket. Not for targets that must be hit, nor for tables with modes that must be rolled.
template <class V>
inline V stop_bound(const Table &table, const V *stop, double roll_cost) {
    V least = all<V>(INFINITY);
    for (int mode = 0; mode < table.modes; ++mode) {
        V gain = all<V>(0.0);
        for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group) {
            V best = stop[table.points[table.first_play[group]]];
            for (int play = table.first_play[group] + 1; play < table.first_play[group + 1]; ++play)
                best = larger(best, stop[table.points[play]]);
            gain += table.weight[group] * best;
        }
        const V margin = (stop[0] + roll_cost) * table.total[mode] - gain;
        const V here = table.bust[mode] > 0 ? margin / table.bust[mode]
                                            : pick(margin < all<V>(0.0), all<V>(-INFINITY), all<V>(INFINITY));
        least = pick(here < least, here, least);
    }
    return least;
}

}  // namespace jeopardice::JEOPARDICE_TARGET
