// Board games for two: a position and its mirror are one pair of anchors.
//
//   x = A(1 - y),  y = B(1 - x)    x, y: chances of whoever has the dice, standings (i, j) and (j, i)
//   A(bust) = worth of the best turn of i against j:
//       worth(moment) = max(stop(moment), sum over groups of weight/total * max over plays of worth(play) + bust share)
//
// The chance of a bust is the slope of A, so x = A(1 - B(1 - x)) has slope (bust of i) * (bust of j): Newton inside a
// bracket. Stopping leads to a pair with more climbed, so pairs are solved by level from the end of the game; those of one
// level are independent and shared among threads. Cost: two to four walks through both turns for each pair.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "anchor.hpp"

namespace board_duel {

inline constexpr int WON = -1, OPENING = -2;

// Turns written out; the moments of turn t are first_moment[t] .. first_moment[t + 1], later moments first.
struct Turns {
    std::span<const int64_t> first_moment;
    std::span<const int32_t> bank;         // the board after a stop, or WON, or OPENING
    std::span<const int64_t> first_group;  // of a moment
    std::span<const double> weight;        // of a group, as a chance
    std::span<const int64_t> first_play;   // of a group
    std::span<const int32_t> play_to;      // moments counted from the turn's first
    std::span<const double> bust;          // chance of a bust at a moment
};

// Boards: what the opponent's completed columns (a mask) make of them.
struct Boards {
    int64_t count;
    std::span<const int32_t> mask_of;  // the mask of a board's own completed columns
    std::span<const int32_t> turn_of;  // [mask of theirs, mine]
    std::span<const int32_t> lowered;  // [mask of mine, theirs]: their board once mine has closed columns
};

struct Pairs {
    std::span<const int32_t> first, second;
    std::span<const int64_t> first_of_level;
};

struct Watch {
    int64_t *done;
    const volatile int32_t *cancelled;
};

// Two turns against each other, ready to be walked with any bust.
struct Workspace {
    std::vector<double> stop[2], worth, slope;
};

struct Walk {
    double worth, slope;
};

// Fills stop[] of a turn; returns the largest of `bound` met, if there is one.
inline double fill_stops(const Turns &turns, const Boards &boards, int64_t mine, int64_t theirs, const double *value,
                         const double *bound, std::vector<double> &stop) {
    const int64_t turn = boards.turn_of[boards.mask_of[theirs] * boards.count + mine];
    const int64_t first = turns.first_moment[turn], last = turns.first_moment[turn + 1];
    stop.resize(last - first);
    double largest = 0.0;
    for (int64_t m = first; m < last; ++m) {
        const int32_t bank = turns.bank[m];
        if (bank < 0) {
            stop[m - first] = bank == WON ? 1.0 : -1.0;
            continue;
        }
        const int64_t after = int64_t(boards.lowered[boards.mask_of[bank] * boards.count + theirs]) * boards.count + bank;
        stop[m - first] = 1.0 - value[after];
        if (bound) largest = std::max(largest, bound[after]);
    }
    return largest;
}

inline Walk walk(const Turns &turns, const Boards &boards, int64_t mine, int64_t theirs, const std::vector<double> &stop,
                 double shift, double bust, Workspace &space) {
    const int64_t turn = boards.turn_of[boards.mask_of[theirs] * boards.count + mine];
    const int64_t first = turns.first_moment[turn], moments = turns.first_moment[turn + 1] - first;
    space.worth.resize(std::max<size_t>(space.worth.size(), moments));
    space.slope.resize(space.worth.size());
    double *worth = space.worth.data(), *slope = space.slope.data();
    for (int64_t m = 0; m < moments; ++m) {
        const int32_t bank = turns.bank[first + m];
        if (bank == WON) {
            worth[m] = 1.0;
            slope[m] = 0.0;
            continue;
        }
        double roll = turns.bust[first + m] * bust, busts = turns.bust[first + m];
        for (int64_t g = turns.first_group[first + m]; g < turns.first_group[first + m + 1]; ++g) {
            int32_t best = turns.play_to[turns.first_play[g]];
            for (int64_t p = turns.first_play[g] + 1; p < turns.first_play[g + 1]; ++p)
                if (worth[turns.play_to[p]] > worth[best]) best = turns.play_to[p];
            roll += turns.weight[g] * worth[best];
            busts += turns.weight[g] * slope[best];
        }
        const double now = stop[m] + shift;
        const bool stops = bank >= 0 && now >= roll;
        worth[m] = stops ? now : roll;
        slope[m] = stops ? 0.0 : busts;
    }
    return {worth[moments - 1], slope[moments - 1]};
}

// Returns false where neither player wants to end the game: then the pair has no single value.
inline bool solve_pair(const Turns &turns, const Boards &boards, int64_t i, int64_t j, double *value, Workspace &space) {
    fill_stops(turns, boards, i, j, value, nullptr, space.stop[0]);
    fill_stops(turns, boards, j, i, value, nullptr, space.stop[1]);
    jeopardice::Bracket bracket{0.0, 1.0};
    double x = 0.5, y = 0.0;
    for (int step = 0; step < 200; ++step) {
        const Walk reply = walk(turns, boards, j, i, space.stop[1], 0.0, 1.0 - x, space);
        const Walk turn = walk(turns, boards, i, j, space.stop[0], 0.0, 1.0 - reply.worth, space);
        y = reply.worth;
        const double missed = turn.worth - x, slope = turn.slope * reply.slope;
        double next = bracket.next(x, missed, 1.0 - slope);
        if (std::fabs(missed) <= 4e-16 * (1.0 - slope) || bracket.high - bracket.low <= 2e-16) {
            value[i * boards.count + j] = x;
            value[j * boards.count + i] = i == j ? x : y;
            return slope < 1.0 - 1e-9;
        }
        if (step > 20 && step % 2) next = bracket.middle();
        if (next == x) bracket = {x, x};
        x = next;
    }
    return false;
}

// Finds bounds of the errors of a pair, given those of all later pairs. `rounding` bounds that of one walk. A guess x - e
// is a lower bound if the turn answers it with no less, every other value taken at its worst: the slope lies below 1.
inline void bound_pair(const Turns &turns, const Boards &boards, int64_t i, int64_t j, const double *value, double *bound,
                       double rounding, Workspace &space) {
    const double later = std::max(fill_stops(turns, boards, i, j, value, bound, space.stop[0]),
                                  fill_stops(turns, boards, j, i, value, bound, space.stop[1]));
    const double x = value[i * boards.count + j], y = value[j * boards.count + i];
    const auto answer = [&](double at, double sign) {  // sign -1: the worst for i
        const double reply =
            walk(turns, boards, j, i, space.stop[1], -sign * later, 1.0 - at, space).worth - sign * rounding;
        const double turn =
            walk(turns, boards, i, j, space.stop[0], sign * later, 1.0 - reply, space).worth + sign * rounding;
        return std::pair(turn, reply);
    };
    for (double extra = 8 * rounding; extra < 4.0; extra *= 2) {
        const double e = later + extra;
        const auto [low, reply_high] = answer(x - e, -1.0);
        const auto [high, reply_low] = answer(x + e, 1.0);
        if (low >= x - e && high <= x + e) {
            const double other = std::max(reply_high - y, y - reply_low);
            bound[i * boards.count + j] = i == j ? std::max(e, other) : e;
            if (i != j) bound[j * boards.count + i] = other;
            return;
        }
    }
    bound[i * boards.count + j] = bound[j * boards.count + i] = 1.0;
}

// Calls work(pair, workspace) for all pairs, level by level.
template <class Work>
void by_level(const Pairs &pairs, int threads, const Watch &watch, Work work) {
    std::vector<Workspace> spaces(threads);
    for (size_t level = 0; level + 1 < pairs.first_of_level.size(); ++level) {
        std::atomic<int64_t> next = pairs.first_of_level[level];
        const int64_t end = pairs.first_of_level[level + 1];
        const auto run = [&](Workspace &space) {
            constexpr int64_t share = 16;
            for (int64_t from; (from = next.fetch_add(share)) < end && !*watch.cancelled;) {
                for (int64_t p = from; p < std::min(end, from + share); ++p) work(p, space);
                std::atomic_ref<int64_t>(*watch.done).fetch_add(share);
            }
        };
        std::vector<std::thread> others;
        if (end - next > 64)
            for (int t = 1; t < threads; ++t) others.emplace_back(run, std::ref(spaces[t]));
        run(spaces[0]);
        for (auto &other : others) other.join();
    }
}

}  // namespace board_duel
