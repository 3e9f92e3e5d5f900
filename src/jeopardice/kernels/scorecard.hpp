// Scorecards: a game of a fixed number of turns, each writing dice into a free box, from full cards back to the empty one.
//
//   V(card) = chance K_1(nothing kept),   K_t(kept) = sum over faces of p(face) K_t(kept + face) while dice are missing,
//   K_t(all dice) = max over what is kept of K_{t+1}(kept), after the last roll = max over boxes of points + V(next card).
//
// Adding dice one at a time turns the chances of a whole roll into a lattice of sets of dice: with five dice 462 sets, of
// which 210 are not full, so a roll is 210 x 6 products and the choice of what to keep 210 x 6 comparisons. Cards that
// differ only in the counted total share everything but where they look, and are done eight at a time. Cards with equally
// many boxes filled are independent: threads share them. Yahtzee: 3 rolls and about 6 boxes, some 10,000 steps a card.
// Memory: the values, and one lattice per thread.
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
    const double *chance;        // [faces]
    const int32_t *points;       // [2][boxes][full sets]: as usual, and for a special roll that counts in full
    const uint8_t *counted;      // [boxes], whether the points count towards the total
    const int32_t *special_set;  // [specials], which full set
    const int32_t *special_boxes;  // [specials][2^boxes], the boxes it may go into, by the boxes filled
    const uint8_t *special_full;   // [specials][2^boxes], whether it counts in full
    const int32_t *most_total;     // [2^boxes], the highest total that can be on the card
};

constexpr int lanes = 8;

// The rows of values V[filled][flag][total]; entries past the goal repeat it, so that a total may run over.
inline const double *row(const ScorecardTable &t, const double *values, int filled, int flag) {
    return values + (int64_t(filled) * 2 + flag) * t.stride;
}

inline void take_best(double *best, const double *after, double points) {
    for (int l = 0; l < lanes; ++l) {
        const double worth = after[l] + points;
        best[l] = worth > best[l] ? worth : best[l];
    }
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
        for (int r = 0; r < full; ++r) take_best(rolls + int64_t(r) * lanes, after(box, points[r]), points[r]);
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
                take_best(best, after(box, p), p + (flag ? t.special_bonus : 0.0));
            }
    }
}

// Back through the turn, last roll first; worth[0] ends as the worth of the card before the first roll.
inline void walk_rolls(const ScorecardTable &t, double *worth) {
    for (int roll = 0; roll < t.turn_rolls; ++roll) {
        for (int k = t.open_sets - 1; k >= 0; --k) {
            double sum[lanes] = {};
            for (int f = 0; f < t.faces; ++f) {
                const double *more = worth + int64_t(t.add[k * t.faces + f]) * lanes;
                const double p = t.chance[f];
                for (int l = 0; l < lanes; ++l) sum[l] += p * more[l];
            }
            std::memcpy(worth + int64_t(k) * lanes, sum, sizeof sum);
        }
        if (roll + 1 == t.turn_rolls) break;
        for (int k = 0; k < t.open_sets; ++k)
            for (int f = 0; f < t.faces; ++f) {
                double *more = worth + int64_t(t.add[k * t.faces + f]) * lanes;
                const double *kept = worth + int64_t(k) * lanes;
                for (int l = 0; l < lanes; ++l) more[l] = kept[l] > more[l] ? kept[l] : more[l];
            }
    }
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__linux__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
__attribute__((target_clones("avx2", "default"), flatten))
#endif
inline void solve_row(const ScorecardTable &t, double *values, int filled, int flag, double *worth) {
    double *out = const_cast<double *>(row(t, values, filled, flag));
    const int most = t.most_total[filled];
    for (int first = 0; first <= most; first += lanes) {
        write_down(t, values, filled, flag, first, worth);
        walk_rolls(t, worth);
        for (int l = 0; l < lanes && first + l <= t.goal; ++l) out[first + l] = worth[l];
    }
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
