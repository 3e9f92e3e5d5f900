// Races: every anchor is one fixed point of a turn's worth, from the end of the game back to its start.
//
// Alone:  E(d) = worth of d units to go = -turn_cost + F_d(E(d)), Newton in the piecewise linear convex F_d.
// Two:    A(i, j) = F(c - B(j, i)), B(j, i) = F'(c - A(i, j)): the pair seen through the reply is one anchor again, whose
//         slope is the product of both bust chances; neither convex nor concave, so Newton keeps a bracket.
// Positions of equal i + j are independent: threads share an anti-diagonal. Cost per anchor: two to three walks of the
// turn, each cut at the points from which stopping is known to be best (turn.hpp, stop_bound), so about 25 points in Pig
// however far the target. Memory: the anchors, one bound per anchor, one turn per thread.
#pragma once

#include <atomic>
#include <barrier>
#include <cmath>
#include <thread>

#include "turn.hpp"

namespace jeopardice {

struct Watch {
    std::atomic_ref<int64_t> done;
    std::atomic_ref<int32_t> cancelled;
};

constexpr int most_steps = 200;
constexpr double negligible = 2e-15;  // a Newton step this small, relative, is rounding; it is still taken

// ---------------------------------------------------------------- alone

struct Alone {
    Table table;
    int target, bank_from;
    bool exact;
    double turn_cost, roll_cost;
    double *worth;  // [target + 1], by units to go; -infinity where the target cannot be reached
    double *bound;  // [target + 1], running least stop_bound; unused where exact

    Leaves leaves(int to_go) const {
        return {worth + to_go, 0.0, 1.0, -1, to_go, 0.0, exact, std::max(bank_from, 1), roll_cost};
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
        return std::min(to_go, std::max(to_go - low, std::max(bank_from, 1)));
    }
};

// The best chance to leave the anchor without ever banking where the target is out of reach; 0 if there is none.
inline double chance_to_leave(const Alone &race, int to_go, std::vector<double> &safe, Worth *rows) {
    for (int d = 0; d < to_go; ++d) safe[d] = std::isinf(race.worth[d]) ? -1e300 : 1.0;
    safe[to_go] = -1e300;
    Leaves leaves = race.leaves(to_go);
    leaves.bank = safe.data() + to_go;
    leaves.top = 1.0;
    leaves.roll_cost = 0.0;
    return walk(race.table, leaves, 0.0, to_go, rows).value;
}

inline void solve_alone(const Alone &race, Watch watch) {
    std::vector<Worth> rows(size_t(race.target + race.table.max_points + 1) * race.table.row());
    std::vector<double> safe(race.exact ? race.target + 1 : 0);
    race.worth[0] = 0.0;
    race.bound[0] = 1e300;
    double last_rise = -race.turn_cost - race.roll_cost;
    for (int to_go = 1; to_go <= race.target && !watch.cancelled.load(std::memory_order_relaxed); ++to_go) {
        const Leaves leaves = race.leaves(to_go);
        const double before = race.worth[to_go - 1];
        double x = std::min((std::isinf(before) ? 0.0 : before) + last_rise, -race.turn_cost - race.roll_cost);
        if (race.exact && chance_to_leave(race, to_go, safe, rows.data()) <= 0.0) {
            x = -INFINITY;
        } else {
            race.worth[to_go] = x;
            for (int step = 0; step < most_steps; ++step) {
                const Worth turn = walk(race.table, leaves, x, race.cut(to_go, x), rows.data());
                if (turn.slope >= 1.0 - 1e-14) {  // bust is all there is at this guess: look lower
                    x = 2 * x - 1;
                    continue;
                }
                const double change = (turn.value - race.turn_cost - x) / (1.0 - turn.slope);
                x += change;
                if (std::abs(change) <= negligible * std::abs(x)) break;
            }
            if (!std::isinf(before)) last_rise = x - before;
        }
        race.worth[to_go] = x;
        if (!race.exact) race.bound[to_go] = std::min(race.bound[to_go - 1], stop_bound(race.table, race.leaves(to_go), 0));
        watch.done.store(to_go, std::memory_order_relaxed);
    }
}

// The best chance to finish within 1, 2, ... turns: no fixed point, a bust leads one turn further.
inline void solve_within(const Alone &race, int turns, double *chance, Watch watch) {
    std::vector<Worth> rows(size_t(race.target + race.table.max_points + 1) * race.table.row());
    const int64_t width = race.target + 1;
    std::fill_n(chance, width, 0.0);
    chance[0] = 1.0;
    for (int turn = 1; turn <= turns && !watch.cancelled.load(std::memory_order_relaxed); ++turn) {
        const double *later = chance + (turn - 1) * width;
        double *now = chance + turn * width;
        now[0] = 1.0;
        for (int to_go = 1; to_go <= race.target; ++to_go) {
            Leaves leaves = race.leaves(to_go);
            leaves.bank = later + to_go;
            leaves.top = 1.0;
            now[to_go] = walk(race.table, leaves, later[to_go], to_go, rows.data()).value;
        }
        watch.done.store(turn, std::memory_order_relaxed);
    }
}

// ---------------------------------------------------------------- two players

struct Seat {
    Table table;
    int target, bank_from;
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
                std::max(me.bank_from, 1),
                0.0};
    }
    int cut(int s, int mine, int theirs, double x) const {
        const Seat &me = seat[s];
        const int goal = me.target - mine, from = std::max(me.bank_from, 1);
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

inline void solve_pair(const Duel &duel, int i, int j, Worth *rows) {
    const Leaves mine = duel.leaves(0, i, j), theirs = duel.leaves(1, j, i);
    double low = duel.sum - theirs.top, high = mine.top;
    // first guess: the trend along the diagonal
    double y = (low + high) / 2;
    if (i + 1 < duel.seat[0].target && j + 1 < duel.seat[1].target) {
        y = duel.worth(0, i + 1, j + 1);
        if (i + 2 < duel.seat[0].target && j + 2 < duel.seat[1].target) y = 2 * y - duel.worth(0, i + 2, j + 2);
        y = std::clamp(y, low, high);
    }
    const double scale = std::max(std::abs(low), std::abs(high));
    const bool mine_alive = duel.seat[0].alive[i], theirs_alive = duel.seat[1].alive[j];
    const bool dead = !mine_alive && !theirs_alive;  // nobody can ever win from here: a draw
    // Against one who cannot win any more, one may bust for ever on purpose: every guess above the value ties with that.
    // It only draws, so the value is the fixed point nearest to a draw, which Newton reaches from there.
    if (!(mine_alive && theirs_alive)) y = duel.sum / 2;
    double reply = duel.sum - y;
    for (int step = 0; step < most_steps && !dead; ++step) {
        const double x_theirs = duel.sum - y;
        const Worth b = walk(duel.seat[1].table, theirs, x_theirs, duel.cut(1, j, i, x_theirs), rows);
        const double x_mine = duel.sum - b.value;
        const Worth a = walk(duel.seat[0].table, mine, x_mine, duel.cut(0, i, j, x_mine), rows);
        const double gap = a.value - y, slope = a.slope * b.slope;
        reply = b.value;
        if (std::abs(gap) <= negligible * scale && slope >= 1.0 - 1e-14) break;  // a tie with a bust, already at its value
        (gap > 0 ? low : high) = y;
        double next = slope < 1.0 - 1e-14 ? y + gap / (1.0 - slope) : (low + high) / 2;
        if (!(next >= low && next <= high)) next = (low + high) / 2;
        reply = b.value - b.slope * (next - y);
        const double change = std::abs(next - y);
        y = next;
        if (change <= negligible * scale) break;
    }
    duel.worth(0, i, j) = y;
    duel.worth(1, j, i) = reply;
    duel.set_bound(0, i, j);
    if (!(duel.symmetric && i == j)) duel.set_bound(1, j, i);
}

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

inline std::vector<std::vector<Worth>> rows_per_thread(const Duel &duel, int threads) {
    size_t most = 0;
    for (const Seat &seat : duel.seat)
        most = std::max(most, size_t(seat.target + seat.table.max_points + 1) * seat.table.row());
    return std::vector<std::vector<Worth>>(threads, std::vector<Worth>(most));
}

inline void solve_duel(const Duel &duel, int threads, Watch watch) {
    auto rows = rows_per_thread(duel, threads);
    over_anti_diagonals(duel.seat[0].target, duel.seat[1].target, duel.symmetric, threads, watch,
                        [&](int i, int j, int thread) { solve_pair(duel, i, j, rows[thread].data()); });
}

}  // namespace jeopardice
