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
inline double larger(double a, double b) { return b > a ? b : a; }
#ifdef JEOPARDICE_AVX2
inline Lanes larger(Lanes a, Lanes b) { return __builtin_ia32_maxpd256(b, a); }
#else
inline Lanes larger(Lanes a, Lanes b) { return b > a ? b : a; }
#endif

template <class V>
struct Worth {
    V gain, leave;
    static Worth leaf(V gain, V leave) { return {gain, leave}; }
    Worth or_better(const Worth &other) const {
        const auto better = other.gain > gain;
        return {pick(better, other.gain, gain), pick(better, other.leave, leave)};
    }
    void add(double weight, const Worth &other) {
        gain += weight * other.gain;
        leave += weight * other.leave;
    }
    Worth mean(double total, double cost) const { return {gain / total - cost, leave / total}; }
};

// The gain alone, for walks that do not ask for the chance to leave: the same gains in half the time.
template <class V>
struct Gain {
    V gain;
    static Gain leaf(V gain, V) { return {gain}; }
    Gain or_better(const Gain &other) const { return {larger(gain, other.gain)}; }
    void add(double weight, const Gain &other) { gain += weight * other.gain; }
    Gain mean(double total, double cost) const { return {gain / total - cost}; }
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
    const V *free = nullptr;   // a roll that cannot bust, from `cut` on, with a stop after it; null: one stops before it
    const V *leave = nullptr;  // what stands for the chance to leave at the leaves, less that at a bust; 1 if null
    V left(int t) const { return leave ? leave[t] : all<V>(1.0); }
};

constexpr int never_past = 1 << 30;

// A turn whose target must be hit is lost in the lanes that are past it.
template <class V, class Of>
inline void lose_past(const Leaves<V> &leaves, int t, Of *row_of_t, int row) {
    if (t < leaves.some_bust_from) return;
    const auto lost = all<V>(double(t)) >= leaves.bust_from;
    const V zero = all<V>(0.0);
    for (int mode = 0; mode < row; ++mode) {
        if constexpr (requires { row_of_t->leave; }) row_of_t[mode].leave = pick(lost, zero, row_of_t[mode].leave);
        row_of_t[mode].gain = pick(lost, zero, row_of_t[mode].gain);
    }
}

// The weighted sum of the best plays of the groups from `first` to `last`; `at[group]` says where in `best` each is.
template <class V, class Of>
inline Of weighted_sum(const double *weight, const int32_t *at, const Of *best, int first, int last) {
    Of even = Of::leaf(all<V>(0.0), all<V>(0.0)), odd = even;
    int group = first;
    for (; group + 1 < last; group += 2) {  // two sums: neither waits for the other
        even.add(weight[group], best[at[group]]);
        odd.add(weight[group + 1], best[at[group + 1]]);
    }
    if (group < last) even.add(weight[group], best[at[group]]);
    even.add(1.0, odd);
    return even;
}

// The gain of rolling in `mode`: one step per node, then one per group. `best_of` holds the best play of every node. In a
// game where every roll has just one play, as in Pig, there is nothing to compare, and the nodes are left out.
template <class V, class Of>
inline Of roll_worth(const Table &table, int mode, const Of *row_of_t, double roll_cost, Of *best_of) {
    const int first = table.first_group[mode], last = table.first_group[mode + 1];
    if (table.one_play_each())
        return weighted_sum<V>(table.weight, table.offset, row_of_t, first, last).mean(table.total[mode], roll_cost);
    for (int node = table.first_node[mode]; node < table.first_node[mode + 1]; ++node) {
        const int more = table.more[node];
        best_of[node] = best_of[table.base[node]].or_better(more >= 0 ? row_of_t[more] : best_of[~more]);
    }
    return weighted_sum<V>(table.weight, table.group_node, best_of, first, last).mean(table.total[mode], roll_cost);
}

// Fill the rows from `cut` on, as far as one play can lead from below it. Modes that must be rolled come through with the
// chance `keep`, and are only cut where every stop is worth the same.
template <class V, class Of>
inline void fill_edge(const Table &table, const Leaves<V> &leaves, V x, Of *rows) {
    const int row = table.row();
    for (int t = leaves.cut; t <= leaves.cut + table.max_points; ++t) {
        Of *here = rows + int64_t(t) * row;
        const V gain = leaves.bank[t] - x, left = leaves.left(t), zero = all<V>(0.0);
        for (int mode = 0; mode < row; ++mode) {
            const double keep = mode < table.modes ? table.keep[mode] : 1.0;
            here[mode] = keep == 1.0   ? Of::leaf(gain, left)
                         : keep == 0.0 ? Of::leaf(zero, zero)
                                       : Of::leaf(keep * gain, keep * left);
        }
        if (leaves.free) here[table.free_mode] = Of::leaf(leaves.free[t] - x, left);
        lose_past(leaves, t, here, row);
    }
}

// Fill the rows below the cut, given those from there on; returns the worth of the opening. `best_of` is room for one
// entry per node.
template <class V, class Of>
inline Of walk_down(const Table &table, const Leaves<V> &leaves, V x, Of *rows, Of *best_of = nullptr) {
    std::vector<Of> own(best_of ? 0 : table.nodes());
    if (!best_of) best_of = own.data();
    best_of[0] = Of::leaf(all<V>(-INFINITY), all<V>(0.0));
    const int row = table.row();
    for (int t = leaves.cut - 1; t >= 0; --t) {
        Of *here = rows + int64_t(t) * row;
        const V one = leaves.left(t), zero = all<V>(0.0);
        here[table.modes] = t == 0 ? Of::leaf(zero, zero) : Of::leaf(leaves.bank[t] - x, one);
        const Of stop = Of::leaf(leaves.stop[t] - x, one);
        for (int mode = table.modes - 1; mode >= 0; --mode) {
            const Of roll = roll_worth<V>(table, mode, here, leaves.roll_cost, best_of);
            here[mode] = t == 0 || !table.may_stop[mode] ? roll : stop.or_better(roll);  // a tie stops
        }
        lose_past(leaves, t, here, row);
    }
    return rows[table.opening];
}

template <class V, class Of>
inline Of walk(const Table &table, const Leaves<V> &leaves, V x, Of *rows, Of *best_of = nullptr) {
    fill_edge(table, leaves, x, rows);
    return walk_down(table, leaves, x, rows, best_of);
}

// The best of the plays of a group, if one stops after it, or rolls once more where that roll is free.
template <class V>
inline V best_stop(const Table &table, int group, const V *stop, const V *free) {
    V best = all<V>(-INFINITY);
    for (int play = table.first_play[group]; play < table.first_play[group + 1]; ++play)
        best =
            larger(best, free && table.to(play) == table.free_mode ? free[table.points[play]] : stop[table.points[play]]);
    return best;
}

// What the free roll is worth, if one stops after it: F(t) = max( stop(t), mean over groups of the best stop ).
template <class V>
inline V free_roll(const Table &table, const V *stop, const V *free) {
    V gain = all<V>(0.0);
    for (int group = table.first_group[table.free_mode]; group < table.first_group[table.free_mode + 1]; ++group)
        gain += table.weight[group] * best_stop(table, group, stop, free);
    return larger(stop[0], gain / table.total[table.free_mode]);
}

// The bust value up to which stopping beats one more roll (and stopping then), in every mode:
//   h = min over m of [ (stop(0) + roll_cost) total(m) - sum weight(g) max stop(points) ] / bust(m),
// where stop(points) is the value of banking that many units more. If x <= h at t and at every larger t then stopping is
// best from t on: the one-roll look-ahead never leaves that set. In a mode that cannot bust h is infinite, of the sign of
// its bracket: it is left out where its roll is counted on top of a stop (`free`, which no bust value enters).
// Not for targets that must be hit, nor for tables with modes that must be rolled.
template <class V>
inline V stop_bound(const Table &table, const V *stop, double roll_cost, const V *free = nullptr) {
    V least = all<V>(INFINITY);
    for (int mode = 0; mode < table.modes; ++mode) {
        if (free && mode == table.free_mode) continue;
        V gain = all<V>(0.0);
        for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group)
            gain += table.weight[group] * best_stop(table, group, stop, free);
        const V margin = (stop[0] + roll_cost) * table.total[mode] - gain;
        const V here = table.bust[mode] > 0 ? margin / table.bust[mode]
                                            : pick(margin < all<V>(0.0), all<V>(-INFINITY), all<V>(INFINITY));
        least = pick(here < least, here, least);
    }
    return least;
}

}  // namespace jeopardice::JEOPARDICE_TARGET
