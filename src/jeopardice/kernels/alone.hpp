// Races alone: the fewest turns (or rolls) from every standing, and the best chance to finish within some turns.
//
//   E(standing) = -turn_cost + x + D(x),  x = E(standing after a bust),
//
// minus the cost that is left, -infinity where the target cannot be reached for sure. Where a bust leads back to its own
// standing that is one Newton step after another, x += (D(x) - turn_cost) / leave, in the convex D from above. Where a
// bust changes the record or lowers the score, standings are swept again and again until nothing changes.
// Cost: about three walks per standing, each cut at the points from which stopping is known to be best, so the whole race
// is linear in the target. Memory: two numbers per standing.
#pragma once
#define JEOPARDICE_TARGET plain
#include <limits>

#include "turn.hpp"

namespace jeopardice {

using plain::Leaves;
using plain::never_past;
using plain::walk;
using Worth = plain::Worth<double>;

struct Alone {
    House house;
    double turn_cost, roll_cost;
    double *worth;  // [standing], -infinity where the target cannot be reached
    double *bound;  // [score] the bust value up to which one stops from there on; or null

    double least() const { return turn_cost + roll_cost; }  // what a turn costs at least
};

// The leaves of one turn alone, and room for its rows.
struct AloneTurn {
    const Alone &race;
    std::vector<double> bank, stop;
    std::vector<Worth> rows;
    int score = 0, record = 0;

    explicit AloneTurn(const Alone &of) : race(of) {
        const Table &table = of.house.table;
        bank.resize(of.house.scores + table.max_points + 1);
        stop.resize(bank.size());
        rows.resize(bank.size() * table.row());
    }
    // Fill the leaves of the turn from a standing; `value(standing)` is what standings below the target are worth, `top`
    // the target itself. Cuts beyond `cut` are not looked at.
    template <class Value>
    Leaves<double> leaves(int cut, double top, Value value) {
        const House &house = race.house;
        for (int t = 0; t <= cut + house.table.max_points; ++t) {
            bank[t] = score + t >= house.scores ? top : value((score + t) * house.records + house.bank_to[record]);
            const bool allowed = t >= house.least_bank[record] || score + t >= house.scores;
            stop[t] = allowed ? bank[t] : -std::numeric_limits<double>::infinity();
        }
        const int past = house.must_hit ? house.scores - score + 1 : never_past;
        return {bank.data(), stop.data(), cut, past, double(past), race.roll_cost};
    }
    int cut(double x) const {
        const House &house = race.house;
        const int goal = house.scores - score, least = std::min(house.least_bank[record], goal);
        if (!race.bound) return std::min(house.table.height + 1, goal);
        return std::min(
            house.table.height + 1,
            int(std::lower_bound(race.bound + score + least, race.bound + house.scores, x) - race.bound) - score);
    }
    int standing() const { return score * race.house.records + record; }
    int after_bust() const {
        const House &house = race.house;
        return house.bust_score[int64_t(record) * house.scores + score] * house.records + house.bust_to[record];
    }
    Worth at(double x) {
        return walk(race.house.table, leaves(cut(x), 0.0, [&](int standing) { return race.worth[standing]; }), x,
                    rows.data());
    }
    void set_bound() {
        if (!race.bound) return;
        record = race.house.bank_to[0];
        leaves(0, 0.0, [&](int standing) { return race.worth[standing]; });
        const double here = plain::stop_bound(race.house.table, bank.data(), race.roll_cost);
        const double later =
            score + 1 < race.house.scores ? race.bound[score + 1] : std::numeric_limits<double>::infinity();
        race.bound[score] = std::min(here, later);
    }
};

constexpr double far_below = -1e200;  // a bust so bad that whoever can leave does

// The fixed point of one standing whose busts lead back to it, from a guess; -infinity if no turn is sure to avoid a bank
// from which the target is out of reach, or none ends without a bust. From a guess far too low a step may round to far too
// high, so a bracket is kept; costs of all sizes occur, so its middle is that of their logarithms.
inline double settle(AloneTurn &turn, double x) {
    double low = -std::numeric_limits<double>::infinity(), high = -turn.race.least();
    for (int step = 0, stuck = 0; step < most_steps; ++step) {
        const Worth here = turn.at(x);
        if (std::isinf(here.gain)) return here.gain;
        const bool busts = here.leave <= 0;  // a bust is all there is at this guess: look lower
        if (busts && !stuck++ && turn.at(far_below).leave <= 0) return -std::numeric_limits<double>::infinity();
        const double gap = here.gain - turn.race.turn_cost;
        (gap > 0 ? low : high) = x;
        double next = busts ? 2 * x - 1 : x + gap / here.leave;
        if (!(low <= next && next <= high)) next = -std::sqrt(low * high);
        const double change = next - x;
        x = next;
        if (!busts && std::abs(change) <= negligible * std::abs(x)) break;
    }
    return x;
}

inline void solve_alone(const Alone &race, Watch watch) {
    const House &house = race.house;
    AloneTurn turn(race);
    double before = 0, rise = -race.least();
    for (turn.score = house.scores - 1; turn.score >= 0 && !watch.stopped(); --turn.score) {
        double last = before;
        for (int record = house.records - 1; record >= 0; --record) {
            turn.record = record;
            double &worth = race.worth[turn.standing()];
            if (!house.is_reached(turn.score, record)) continue;
            worth = settle(turn, std::min(before + rise, -race.least()));
            if (!std::isinf(worth)) last = worth;
        }
        rise = std::min(last - before, 0.0);
        before = last;
        turn.set_bound();
        watch.done.fetch_add(1, std::memory_order_relaxed);
    }
}

// Sweep standings whose busts lead elsewhere until nothing changes by more than rounding; returns whether that came about.
inline bool sweep_alone(const Alone &race, int most_sweeps, Watch watch) {
    const House &house = race.house;
    AloneTurn turn(race);
    for (int sweep = 0; sweep < most_sweeps && !watch.stopped(); ++sweep) {
        double largest = 0;
        for (turn.score = house.scores - 1; turn.score >= 0; --turn.score)
            for (int record = house.records - 1; record >= 0; --record) {
                turn.record = record;
                if (!house.is_reached(turn.score, record)) continue;
                double &worth = race.worth[turn.standing()];
                const double x = race.worth[turn.after_bust()];
                const double value = turn.after_bust() == turn.standing() ? settle(turn, std::min(x, -race.least()))
                                                                          : x + (turn.at(x).gain - race.turn_cost);
                largest = std::max(largest, std::abs(value - worth) / std::max(1.0, std::abs(value)));
                worth = value;
            }
        watch.done.fetch_add(1, std::memory_order_relaxed);
        if (largest <= negligible) return true;
    }
    return false;
}

// The best chance to finish within 1, 2, ... turns: no fixed point, a bust leads one turn further.
// chance[turns left, standing]; the row of 0 turns is 0.
inline void solve_within(const Alone &race, int turns, double *chance, Watch watch) {
    const House &house = race.house;
    AloneTurn turn(race);
    std::fill_n(chance, house.standings(), 0.0);
    for (int left = 1; left <= turns && !watch.stopped(); ++left) {
        const double *later = chance + int64_t(left - 1) * house.standings();
        double *now = chance + int64_t(left) * house.standings();
        for (turn.score = 0; turn.score < house.scores; ++turn.score)
            for (turn.record = 0; turn.record < house.records; ++turn.record) {
                now[turn.standing()] = 0;
                if (!house.is_reached(turn.score, turn.record)) continue;
                const double x = later[turn.after_bust()];
                const auto leaves =
                    turn.leaves(house.scores - turn.score, 1.0, [&](int standing) { return later[standing]; });
                now[turn.standing()] = x + walk(house.table, leaves, x, turn.rows.data()).gain;
            }
        watch.done.fetch_add(1, std::memory_order_relaxed);
    }
}

}  // namespace jeopardice
#undef JEOPARDICE_TARGET
