// Bounds the error of a race with piggyback: its equations evaluated again with every rounding in a chosen direction.
//
// Adding e to the leaves and to the bust of a turn adds e to its worth. Let all values of later pairs be within e. Suppose
// that for some d, with the stored values as leaves, F rounded down and G rounded up,
//     F(a, b; sum - W(b, a) - d) >= W(a, b) - d,   G(b, a; sum - W(a, b) + d) <= W(b, a) + d,   and the same with a, b
//     swapped.
// Both turns are monotone, and no turn can be lost for sure on purpose, so the pair has one fixed point; it lies within e +
// d. R, evaluated with the bust so moved, then lies within e + the difference found. The bound grows by the largest of
// these from one anti-diagonal to the next. The walk is written again, without slopes.
#define JEOPARDICE_TARGET plain
#include <cmath>

#include "anti_diagonals.hpp"
#include "piggyback.hpp"
#include "rounding.hpp"

namespace jeopardice {
namespace {

struct DirectedTurn {
    const Piggyback &race;
    std::vector<double> rows;
    double missed = 0;  // by how much stored values of R lie on the wrong side of those found, at most

    double roll(int mode, const double *here, double x) const {
        const Table &table = race.house.table;
        double value = pinned(table.bust[mode] * x);
        for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group) {
            double best = here[table.offset[table.first_play[group]]];
            for (int play = table.first_play[group] + 1; play < table.first_play[group + 1]; ++play)
                best = std::max(best, here[table.offset[play]]);
            value = value + table.weight[group] * best;
        }
        return pinned(value / table.total[mode]);
    }
    void compare(double stored, double computed, bool up) {
        missed = std::max(missed, up ? computed - stored : stored - computed);
    }

    // The worth of the turn of a against b, a bust worth sum - W(b, a) moved by d, all rounded down, or up.
    double worth(int a, int b, double d, bool up) {
        const House &house = race.house;
        const Table &table = house.table;
        const Rounding rounding(up ? FE_UPWARD : FE_DOWNWARD);
        d = pinned(d);
        double x = pinned(race.sum - *race.at(b, a));
        x = pinned(up ? x + d : x - d);
        const int goal = house.scores - a, least = race.least(a), width = table.modes + 1;
        const double *stored = race.rolled_at(a, b);
        rows.assign(size_t(goal + table.max_points + 1) * width, race.prize[b]);
        for (int mode = 0; mode < table.modes; ++mode) {
            if (table.may_stop[mode]) continue;
            const double keep = std::clamp(std::nextafter(table.keep[mode], up ? 2.0 : -1.0), 0.0, 1.0);
            // the two shares are rounded on their own: the prize is at least x, and both may be negative
            const double past = pinned(x + pinned(keep * pinned(race.prize[b] - x)));
            for (int t = goal; t <= goal + table.max_points; ++t) rows[size_t(t) * width + mode] = past;
        }
        for (int mode = 0; mode < table.modes && goal <= b; ++mode) {
            const double past = roll(mode, &rows[size_t(goal) * width], x);
            for (int t = goal; t <= b; ++t) compare(stored[int64_t(t - 1) * table.modes + mode], past, up);
        }
        for (int t = goal - 1; t >= 0; --t) {
            double *here = &rows[size_t(t) * width];
            here[table.modes] = t > 0 ? pinned(race.sum - race.after_bank(b, a + t, t, table.modes)) : x;
            for (int mode = table.modes - 1; mode >= 0; --mode) {
                here[mode] = roll(mode, here, x);
                if (t == 0) continue;
                if (t <= b) compare(stored[int64_t(t - 1) * table.modes + mode], here[mode], up);
                if (t >= least && table.may_stop[mode])
                    here[mode] = std::max(here[mode], pinned(race.sum - race.after_bank(b, a + t, t, mode)));
            }
        }
        return pinned(rows[table.opening]);
    }
    // By how much the equations of a pair fail when its values are moved by d; at most 0 where they hold.
    double failure(int a, int b, double d) {
        missed = 0;
        double most = -INFINITY;
        for (int swapped = 0; swapped < 2; ++swapped) {
            const int i = swapped ? b : a, j = swapped ? a : b;
            const double lower = worth(i, j, d, false), upper = worth(i, j, d, true);
            const Rounding rounding(FE_UPWARD);
            const double value = pinned(*race.at(i, j));
            const double low = pinned(pinned(value - lower) - d), high = pinned(pinned(upper - value) - d);
            most = std::max(most, std::max(low, high));
        }
        return most;
    }
    // What the values of a pair are off at most, beyond those of later pairs.
    double error(int a, int b) {
        double d = failure(a, b, 0.0);
        if (d <= 0) return std::max(0.0, missed);
        for (d *= 1.5; d < 1e3; d *= 2)
            if (failure(a, b, d) <= 0) return std::max(d, missed);
        return INFINITY;
    }
};

}  // namespace

double certify_piggyback(const Piggyback &race, int threads, Watch watch) {
    Duel duel{};
    duel.seat[0].house = duel.seat[1].house = race.house;
    duel.symmetric = true;
    std::vector<DirectedTurn> turns(threads, DirectedTurn{race, {}});
    std::vector<std::vector<double>> errors(threads, std::vector<double>(2 * race.house.scores));
    plain::over_anti_diagonals(duel, threads, watch, 1, [&](int a, int, int sum, int thread) {
        errors[thread][sum] = std::max(errors[thread][sum], turns[thread].error(a, sum - a));
    });
    double bound = 0;
    const Rounding rounding(FE_UPWARD);
    for (int sum = 0; sum < 2 * race.house.scores; ++sum) {
        double most = 0;
        for (const auto &of_thread : errors) most = std::max(most, of_thread[sum]);
        bound = pinned(bound + most);
    }
    return pinned(bound * (1 + 1e-9));  // differences of nearly equal numbers are exact, others off by a rounding
}

}  // namespace jeopardice
