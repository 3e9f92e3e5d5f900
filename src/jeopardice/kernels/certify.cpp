// Alone. If every anchor satisfies |E - T(E)| <= eta, T one turn played at its best with cost 1, then E lies between the
// values of the races whose turns cost 1 - eta and 1 + eta, so |E - E*| <= eta E* <= eta E / (1 - eta).
//
// The walk here keeps no chance to leave and rounds every operation up (or down), with whole-number weights; nothing of
// it is shared with the solver but the layout of the tables.
#include "certify.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "rounding.hpp"

namespace jeopardice {
namespace {

// Rounded as the caller has set; `slant` takes the error of weights too large for a double to the same side.
double rolled(const Table &table, int mode, const double *row_of_t, double lost, double slant) {
    double value = table.bust[mode] * lost;
    for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group) {
        double best = row_of_t[table.offset[table.first_play[group]]];
        for (int play = table.first_play[group] + 1; play < table.first_play[group + 1]; ++play)
            best = std::max(best, row_of_t[table.offset[play]]);
        value += table.weight[group] * (slant == 0 ? best : best + slant * std::abs(best));
    }
    return value / table.total[mode];
}

// A value that the true stop bound is not below: all of it rounded down. `stop(points)` is the worth of banking more.
template <class Stop>
double lower_stop_bound(const Table &table, double roll_cost, Stop stop) {
    double least = INFINITY;
    Rounding down(FE_DOWNWARD);
    for (int mode = 0; mode < table.modes; ++mode) {
        double lost = pinned((pinned(stop(0)) + roll_cost) * table.total[mode]);
        for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group) {
            double best = -INFINITY;
            for (int play = table.first_play[group]; play < table.first_play[group + 1]; ++play)
                best = std::max(best, stop(table.points[play]));
            lost = pinned(lost - table.weight[group] * best);
        }
        if (table.bust[mode] > 0)
            least = std::min(least, pinned(lost / table.bust[mode]));
        else if (lost < 0)
            return -INFINITY;
    }
    return least;
}

// One turn alone, gains over a bust, every operation rounded as the caller has set.
struct Walker {
    const House &house;
    double roll_cost;
    std::vector<double> rows;

    // `value(score, record)` is the worth of a standing below the target, `top` that of the target.
    template <class Value>
    double gain(int score, int record, double bust, double top, int cut, bool up, Value value) {
        bust = pinned(bust);
        const Table &table = house.table;
        const int width = table.modes + 1, goal = house.scores - score;
        rows.resize(size_t(cut + table.max_points + 1) * width);
        for (int t = cut + table.max_points; t >= 0; --t) {
            double *here = rows.data() + size_t(t) * width;
            const double banked = (t >= goal ? top : value(score + t, house.bank_to[record])) - bust;
            const bool allowed = t > 0 && (t >= house.least_bank[record] || t >= goal);
            here[table.modes] = t == 0 ? 0 : banked;
            for (int mode = table.modes - 1; mode >= 0; --mode) {
                if (t >= cut) {
                    double keep = table.keep[mode];
                    if (keep > 0 && keep < 1) keep = up == (banked > 0) ? keep + 4e-16 : keep - 4e-16;
                    here[mode] = keep * banked;
                    continue;
                }
                const double roll =
                    rolled(table, mode, here, 0.0, up ? table.weight_error : -table.weight_error) - roll_cost;
                here[mode] = allowed && table.may_stop[mode] ? std::max(banked, roll) : roll;
            }
            if (house.must_hit && t > goal) std::fill_n(here, width, 0.0);
        }
        return pinned(rows[table.opening]);
    }
};

}  // namespace

double certify_alone(const AloneValues &race, double *bound, Watch watch) {
    const House &house = race.house;
    Walker walker{house, race.roll_cost, {}};
    double residual = 0;
    auto value = [&](int score, int record) { return race.worth[int64_t(score) * house.records + record]; };
    for (int score = house.scores - 1; score >= 0 && !watch.stopped(); --score) {
        const int goal = house.scores - score;
        for (int record = 0; record < house.records; ++record) {
            const double worth = value(score, record);
            if (!house.is_reached(score, record) || std::isinf(worth)) continue;
            const double x = value(house.bust_score[int64_t(record) * house.scores + score], house.bust_to[record]);
            int cut = std::min(goal, house.table.height + 1);
            if (bound) {
                const int least = std::min(house.least_bank[record], goal);
                cut =
                    int(std::partition_point(bound + score + least, bound + house.scores, [x](double b) { return b < x; }) -
                        (bound + score));
                cut = std::min(cut, house.table.height + 1);
            }
            {
                Rounding up(FE_UPWARD);
                const double gain = walker.gain(score, record, x, 0.0, cut, true, value);
                residual = std::max(residual, pinned(gain - race.turn_cost + (pinned(x) - worth)));
            }
            Rounding down(FE_DOWNWARD);
            const double gain = walker.gain(score, record, x, 0.0, cut, false, value);
            const double miss = pinned(gain - race.turn_cost + (pinned(x) - worth));
            residual = std::max(residual, -miss);
        }
        if (bound) {
            const double here = lower_stop_bound(house.table, race.roll_cost, [&](int points) {
                return points >= goal ? 0.0 : value(score + points, house.bank_to[0]);
            });
            bound[score] = score + 1 < house.scores ? std::min(bound[score + 1], here) : here;
        }
        watch.done.fetch_add(1, std::memory_order_relaxed);
    }
    return residual;
}

double certify_within(const AloneValues &race, int turns, const double *chance, Watch watch) {
    const House &house = race.house;
    Walker walker{house, 0.0, {}};
    double residual = 0;
    for (int turn = 1; turn <= turns && !watch.stopped(); ++turn) {
        const double *later = chance + int64_t(turn - 1) * house.standings(), *now = later + house.standings();
        auto value = [&](int score, int record) { return later[int64_t(score) * house.records + record]; };
        for (int score = 0; score < house.scores; ++score)
            for (int record = 0; record < house.records; ++record) {
                if (!house.is_reached(score, record)) continue;
                const double x = value(house.bust_score[int64_t(record) * house.scores + score], house.bust_to[record]);
                const double worth = now[int64_t(score) * house.records + record];
                {
                    Rounding up(FE_UPWARD);
                    residual =
                        std::max(residual, pinned(walker.gain(score, record, x, 1.0, house.scores - score, true, value) +
                                                  (pinned(x) - worth)));
                }
                Rounding down(FE_DOWNWARD);
                const double miss =
                    pinned(walker.gain(score, record, x, 1.0, house.scores - score, false, value) + (pinned(x) - worth));
                residual = std::max(residual, -miss);
            }
        watch.done.fetch_add(1, std::memory_order_relaxed);
    }
    return residual;
}

void enclose_turn(const Table &table, int least, int cut, double bust, double *lower, double *upper, Watch watch) {
    const int width = table.modes + 1;
    for (const bool up : {false, true}) {
        Rounding direction(up ? FE_UPWARD : FE_DOWNWARD);
        double *rows = up ? upper : lower;
        for (int t = cut - 1; t >= 0 && !watch.stopped(); --t) {
            double *here = rows + size_t(t) * width;
            here[table.modes] = t == 0 ? bust : t;
            for (int mode = table.modes - 1; mode >= 0; --mode) {
                const double roll = rolled(table, mode, here, bust, up ? table.weight_error : -table.weight_error);
                here[mode] = t >= least && t > 0 && table.may_stop[mode] ? std::max(double(t), roll) : roll;
            }
        }
    }
}

}  // namespace jeopardice
