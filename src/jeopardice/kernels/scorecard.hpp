// Scorecards: a game of a fixed number of turns, each writing dice into a free box, from full cards back to the empty one.
//
//   V(card) = chance K_1(nothing kept),   K_t(kept) = sum over faces of p(face) K_t(kept + face) while dice are missing,
//   K_t(all dice) = max over what is kept of K_{t+1}(kept), after the last roll = max over boxes of points + V(next card).
//
// Adding dice one at a time turns the chances of a whole roll into a lattice of sets of dice: with five dice 462 sets, of
// which 210 are not full, so a roll is 210 sums of six and the choice of what to keep 210 x 6 comparisons. The first roll
// of a turn is needed for the empty set only: one sum over the 252 full sets. Faces are equally likely. Cards that differ
// only in the counted total share everything but where they look, and are done eight at a time; totals that are too low to
// matter any more have one value together. Cards with equally many boxes filled are independent: threads share them.
// Yahtzee: some 7,000 steps a card. Memory: the values, and one lattice per thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <bit>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace jeopardice {

struct ScorecardTable {
    int boxes, sets, open_sets, faces, turn_rolls;  // sets of dice: those still to be filled up first, then the full ones
    int goal, stride;  // totals 0..goal, higher ones count as goal; a row of values holds stride >= goal + 1 + most points
    int flag_box;      // points in this box raise the card's flag; -1: none
    int specials;      // rolls that a card may treat in a way of its own (jokers)
    double special_bonus;        // what a special roll brings when the flag is up
    const int32_t *add;          // [open_sets][faces], the set with one more die; sets are ordered by their number of dice
    const double *first_roll;    // [full sets], the chance of each when all dice are rolled
    const int32_t *points;       // [2][boxes][full sets]: as usual, and for a special roll that counts in full
    const uint8_t *counted;      // [boxes], whether the points count towards the total
    const int32_t *special_set;  // [specials], which full set
    const int32_t *special_boxes;  // [specials][2^boxes], the boxes it may go into, by the boxes filled
    const uint8_t *special_full;   // [specials][2^boxes], whether it counts in full
    const int32_t *least_total;    // [2^boxes], totals up to this one are worth the same
    const int32_t *most_total;     // [2^boxes], the highest total that can be on the card
};

constexpr int lanes = 8;

// The rows of values V[filled][flag][total]; entries past the goal repeat it, so that a total may run over.
inline const double *row(const ScorecardTable &t, const double *values, int filled, int flag) {
    return values + (int64_t(filled) * 2 + flag) * t.stride;
}

// Eight totals at a time, as two of the compiler's own vectors; memory need not be aligned.
typedef double Four __attribute__((vector_size(4 * sizeof(double)), aligned(8)));

struct Lanes {
    Four low, high;
};

inline Lanes load(const double *place) {
    return {*reinterpret_cast<const Four *>(place), *reinterpret_cast<const Four *>(place + 4)};
}

inline void store(double *place, const Lanes &numbers) {
    *reinterpret_cast<Four *>(place) = numbers.low;
    *reinterpret_cast<Four *>(place + 4) = numbers.high;
}

inline Lanes sum_of(const Lanes &a, const Lanes &b) { return {a.low + b.low, a.high + b.high}; }
inline Lanes best_of(const Lanes &a, const Lanes &b) {
    return {a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}
inline Lanes times(const Lanes &a, double factor) { return {a.low * factor, a.high * factor}; }

inline void take_best(double *place, const Lanes &after, double points) {
    store(place, best_of({after.low + points, after.high + points}, load(place)));
}

// The worth of writing each full set into its best box, for totals first .. first + lanes - 1.
inline void write_down(const ScorecardTable &t, const double *values, int filled, int flag, int first, double *worth) {
    const int full = t.sets - t.open_sets;
    double *rolls = worth + int64_t(t.open_sets) * lanes;
    std::fill(rolls, rolls + int64_t(full) * lanes, -1e300);
    const auto after = [&](int box, int points) {
        const int raised = flag | int(box == t.flag_box && points > 0);
        return row(t, values, filled | 1 << box, raised) + first + (t.counted[box] ? points : 0);
    };
    for (int box = 0; box < t.boxes; ++box) {
        if (filled >> box & 1) continue;
        const int32_t *points = t.points + int64_t(box) * full;
        if (t.counted[box] || box == t.flag_box) {
            for (int r = 0; r < full; ++r) take_best(rolls + int64_t(r) * lanes, load(after(box, points[r])), points[r]);
            continue;
        }
        const Lanes same = load(after(box, 0));  // the card afterwards does not depend on the dice
        for (int r = 0; r < full; ++r) take_best(rolls + int64_t(r) * lanes, same, points[r]);
    }
    for (int s = 0; s < t.specials; ++s) {
        const int r = t.special_set[s];
        const int64_t card = int64_t(s) << t.boxes | filled;
        const int32_t *points = t.points + (t.special_full[card] ? int64_t(t.boxes) * full : 0);
        double *best = rolls + int64_t(r) * lanes;
        std::fill(best, best + lanes, -1e300);
        for (int box = 0; box < t.boxes; ++box)
            if (t.special_boxes[card] >> box & 1) {
                const int p = points[int64_t(box) * full + r];
                take_best(best, load(after(box, p)), p + (flag ? t.special_bonus : 0.0));
            }
    }
}

// One roll and the choice before it, back through the lattice.
inline void walk_roll(const ScorecardTable &t, double *worth) {
    const double p = 1.0 / t.faces;
    for (int k = t.open_sets - 1; k >= 0; --k) {
        const int32_t *more = t.add + k * t.faces;
        Lanes sum = load(worth + int64_t(more[0]) * lanes);
        for (int f = 1; f < t.faces; ++f) sum = sum_of(sum, load(worth + int64_t(more[f]) * lanes));
        store(worth + int64_t(k) * lanes, times(sum, p));
    }
    for (int k = 0; k < t.open_sets; ++k) {
        const int32_t *more = t.add + k * t.faces;
        const Lanes set_worth = load(worth + int64_t(k) * lanes);
        for (int f = 0; f < t.faces; ++f) {
            double *place = worth + int64_t(more[f]) * lanes;
            store(place, best_of(set_worth, load(place)));
        }
    }
}

// The mean over the first roll, in blocks so that few roundings add up.
inline void mean_of_first_roll(const ScorecardTable &t, const double *worth, double *mean) {
    constexpr int block = 16;
    const int full = t.sets - t.open_sets;
    const double *rolls = worth + int64_t(t.open_sets) * lanes;
    Lanes sum = {};
    for (int begin = 0; begin < full; begin += block) {
        Lanes part = {};
        for (int r = begin; r < std::min(begin + block, full); ++r)
            part = sum_of(part, times(load(rolls + int64_t(r) * lanes), t.first_roll[r]));
        sum = sum_of(sum, part);
    }
    store(mean, sum);
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__linux__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
__attribute__((target_clones("avx2", "default"), flatten))
#endif
inline void solve_row(const ScorecardTable &t, double *values, int filled, int flag, double *worth) {
    double *out = const_cast<double *>(row(t, values, filled, flag));
    const int most = t.most_total[filled], least = std::min(t.least_total[filled], most);
    for (int first = least; first <= most; first += lanes) {
        write_down(t, values, filled, flag, first, worth);
        for (int roll = 1; roll < t.turn_rolls; ++roll) walk_roll(t, worth);
        double mean[lanes];
        mean_of_first_roll(t, worth, mean);
        for (int l = 0; l < lanes && first + l <= t.goal; ++l) out[first + l] = mean[l];
    }
    std::fill(out, out + least, out[least]);
    std::fill(out + t.goal + 1, out + t.stride, out[t.goal]);
}

// Fills values; the rows of full cards are given. Progress counts cards' rows; a cancelled pass leaves the rest unfilled.
inline void solve_scorecards(const ScorecardTable &t, double *values, int threads, std::atomic_ref<int64_t> done,
                             std::atomic_ref<int32_t> cancelled) {
    std::vector<std::vector<int>> level(t.boxes + 1);
    for (int filled = 0; filled < 1 << t.boxes; ++filled) level[std::popcount(unsigned(filled))].push_back(filled);
    std::vector<std::atomic<int>> next(t.boxes + 1);
    std::barrier gate(threads);
    const auto work = [&] {
        std::vector<double> worth(int64_t(t.sets) * lanes);
        for (int count = t.boxes - 1; count >= 0; --count) {
            for (int i; (i = next[count]++) < int(level[count].size());) {
                if (cancelled.load(std::memory_order_relaxed)) break;
                const int filled = level[count][i];
                const bool may_be_up = t.flag_box >= 0 && (filled >> t.flag_box & 1);
                for (int flag = 0; flag <= int(may_be_up); ++flag) solve_row(t, values, filled, flag, worth.data());
                done.fetch_add(1, std::memory_order_relaxed);
            }
            gate.arrive_and_wait();
        }
    };
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back(work);
    work();
    for (std::thread &other : others) other.join();
}

}  // namespace jeopardice
