// Bounds that hold: the equations of a race, evaluated again with every rounding in a chosen direction.
//
// Alone. If every anchor satisfies |E(d) - T(E)(d)| <= eta, T one turn played at its best with cost 1, then E lies between
// the values of the races whose turns cost 1 - eta and 1 + eta, so |E - E*| <= eta E* <= eta E / (1 - eta).
//
// Two. Adding e to all leaves of a turn adds e to its worth. So if the later anchors are known within e and, at one pair
// with slack s,  F(x + s) <= V + s  and  F'(x' - s) >= V' - s  (and the same with the seats exchanged), then both values
// of the pair are known within e + s. The slacks of the worst pair of each anti-diagonal add up to the bound.
//
// The walk here keeps no slope and rounds every operation up (or down), with whole-number weights; nothing of it is
// shared with the solver but the layout of the tables.
#include "certify.hpp"

#include <cfenv>

namespace jeopardice {
namespace {

struct Rounding {
    explicit Rounding(int mode) : before(std::fegetround()) { std::fesetround(mode); }
    ~Rounding() { std::fesetround(before); }
    int before;
};

double roll_value(const Table &table, int mode, const double *row_of_t, double x, double roll_cost) {
    double value = table.bust[mode] * x;
    for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group) {
        double best = row_of_t[table.offset[table.first_play[group]]];
        for (int play = table.first_play[group] + 1; play < table.first_play[group + 1]; ++play)
            best = std::max(best, row_of_t[table.offset[play]]);
        value += table.weight[group] * best;
    }
    return value / table.total[mode] - roll_cost;
}

// Fill the rows below `cut`, every operation rounded as the caller has set.
double descend(const Table &table, const Leaves &leaves, double x, int cut, double *rows) {
    const int row = table.row();
    for (int t = cut - 1; t >= 0; --t) {
        double *here = rows + int64_t(t) * row;
        here[table.modes] = t == 0 ? x : leaves.stop(t);
        for (int mode = table.modes - 1; mode >= 0; --mode) {
            const double roll = roll_value(table, mode, here, x, leaves.roll_cost);
            here[mode] = t >= leaves.bank_from ? std::max(leaves.stop(t), roll) : roll;
        }
    }
    return rows[table.opening];
}

double bounded(const Table &table, const Leaves &leaves, double x, int cut, double *rows) {
    const int row = table.row();
    for (int t = cut; t <= cut + table.max_points; ++t) std::fill_n(rows + int64_t(t) * row, row, leaves.leaf(t, x).value);
    return descend(table, leaves, x, cut, rows);
}

// A value that the true stop_bound is not below: all of it rounded down.
double lower_stop_bound(const Table &table, const Leaves &leaves, int t) {
    double least = 1e300;
    Rounding down(FE_DOWNWARD);
    for (int mode = 0; mode < table.modes; ++mode) {
        double loss = 0;  // minus the gain, so that rounding down is safe
        for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group) {
            double best = -1e300;
            for (int play = table.first_play[group]; play < table.first_play[group + 1]; ++play) {
                const int to = t + table.points[play];
                best = std::max(best, to < leaves.goal ? leaves.stop(to) : leaves.top);
            }
            best += std::abs(best) * 5e-16;  // `stop` itself was rounded once, downwards
            loss -= table.weight[group] * best;
        }
        const double margin = (leaves.stop(t) + leaves.roll_cost) * table.total[mode] + loss;
        if (table.bust[mode] > 0)
            least = std::min(least, margin / table.bust[mode]);
        else if (margin < 0)
            return -1e300;
    }
    return least;
}

int fewest_points(const Table &table) {
    int fewest = table.max_points;
    for (int play = 0; play < table.first_play[table.first_group[table.modes]]; ++play)
        if (table.points[play] > 0) fewest = std::min(fewest, table.points[play]);
    return fewest;
}

size_t room(const Table &table, int target) { return size_t(target + table.max_points + 1) * table.row(); }

}  // namespace

double certify_alone(const Alone &race, Watch watch) {
    std::vector<double> rows(room(race.table, race.target));
    double residual = 0;
    race.bound[0] = 1e300;
    for (int to_go = 1; to_go <= race.target && !watch.cancelled.load(std::memory_order_relaxed); ++to_go) {
        const double x = race.worth[to_go];
        const Leaves leaves = race.leaves(to_go);
        if (std::isfinite(x)) {
            const int cut = race.cut(to_go, x);
            {
                Rounding up(FE_UPWARD);
                residual = std::max(residual, bounded(race.table, leaves, x, cut, rows.data()) - race.turn_cost - x);
            }
            Rounding down(FE_DOWNWARD);
            const double below = bounded(race.table, leaves, x, cut, rows.data()) - race.turn_cost;
            std::fesetround(FE_UPWARD);
            residual = std::max(residual, x - below);
        }
        if (!race.exact) race.bound[to_go] = std::min(race.bound[to_go - 1], lower_stop_bound(race.table, leaves, 0));
        watch.done.store(to_go, std::memory_order_relaxed);
    }
    return residual;
}

double certify_within(const Alone &race, int turns, const double *chance) {
    std::vector<double> rows(room(race.table, race.target));
    const int64_t width = race.target + 1;
    double residual = 0;
    for (int turn = 1; turn <= turns; ++turn)
        for (int to_go = 1; to_go <= race.target; ++to_go) {
            const double *later = chance + (turn - 1) * width + to_go;
            const double now = chance[turn * width + to_go];
            Leaves leaves = race.leaves(to_go);
            leaves.bank = later;
            leaves.top = 1.0;
            double below;
            {
                Rounding down(FE_DOWNWARD);
                below = bounded(race.table, leaves, *later, to_go, rows.data());
            }
            Rounding up(FE_UPWARD);
            residual = std::max({residual, bounded(race.table, leaves, *later, to_go, rows.data()) - now, now - below});
        }
    return residual;
}

namespace {

// Whether both values of a pair lie within slack[0] and slack[1] of the truth, if the later anchors are exact.
struct PairCheck {
    const Duel &duel;
    int standing[2];
    double *rows;

    // F(x + other's slack) <= V + own slack (up), or F(x - other's slack) >= V - own slack (down)?
    bool holds(int s, const double *slack, bool up) const {
        const int mine = standing[s], theirs = standing[1 - s];
        const double value = duel.worth(s, mine, theirs), reply = duel.worth(1 - s, theirs, mine);
        Rounding direction(up ? FE_UPWARD : FE_DOWNWARD);
        // nobody does better than to win at once, or worse than the other doing so
        const double most = duel.seat[s].prize[theirs], least = duel.sum - duel.seat[1 - s].prize[mine];
        const double x =
            up ? std::min(duel.sum - reply + slack[1 - s], most) : std::max(duel.sum - reply - slack[1 - s], least);
        const double turn =
            bounded(duel.seat[s].table, duel.leaves(s, mine, theirs), x, duel.cut(s, mine, theirs, x), rows);
        std::fesetround(up ? FE_DOWNWARD : FE_UPWARD);
        return up ? turn <= value + slack[s] : turn >= value - slack[s];
    }
    bool holds(const double *slack) const {
        return holds(0, slack, true) && holds(1, slack, false) && holds(1, slack, true) && holds(0, slack, false);
    }
    // A seat that almost always busts passes the other's slack on whole, so it is tried with a little more of its own.
    double slack() const {
        const double scale = std::max(std::abs(duel.seat[0].prize[standing[1]]), std::abs(duel.seat[1].prize[standing[0]]));
        if (!duel.seat[0].alive[standing[0]] && !duel.seat[1].alive[standing[1]]) return 0;  // a draw, by definition
        const double shares[5][2] = {{1, 1}, {1.125, 1}, {1, 1.125}, {1.005, 1}, {1, 1.005}};
        double least = 1e-15;
        for (double most : {8e-15, 1e-12, 1e-8, 1.0}) {
            for (const double *share : shares)
                for (double size = least; size <= most; size *= 2) {
                    const double slack[2] = {size * scale * share[0], size * scale * share[1]};
                    if (holds(slack)) return std::max(slack[0], slack[1]);
                }
            least = most;
        }
        return INFINITY;
    }
};

void set_lower_bound(const Duel &duel, int s, int mine, int theirs) {
    const Seat &me = duel.seat[s];
    if (me.exact) return;
    double *bound = me.bound + int64_t(theirs) * me.target + mine;
    const double here = lower_stop_bound(me.table, duel.leaves(s, mine, theirs), 0);
    bound[0] = mine + 1 < me.target ? std::min(bound[1], here) : here;
}

}  // namespace

double certify_duel(const Duel &duel, int threads, Watch watch) {
    std::vector<std::vector<double>> rows(threads);
    const int a = duel.seat[0].target, b = duel.seat[1].target;
    for (auto &r : rows) r.resize(std::max(room(duel.seat[0].table, a), room(duel.seat[1].table, b)));
    std::vector<std::atomic<double>> worst(a + b - 1);
    over_anti_diagonals(a, b, duel.symmetric, threads, watch, [&](int i, int j, int thread) {
        const double slack = PairCheck{duel, {i, j}, rows[thread].data()}.slack();
        double seen = worst[i + j].load();
        while (slack > seen && !worst[i + j].compare_exchange_weak(seen, slack)) {
        }
        set_lower_bound(duel, 0, i, j);
        if (!(duel.symmetric && i == j)) set_lower_bound(duel, 1, j, i);
    });
    // A turn that does not bust banks at least the fewest points of a play, so errors pass on in steps of that many.
    const int stride = std::max(1, std::min(fewest_points(duel.seat[0].table), fewest_points(duel.seat[1].table)));
    Rounding up(FE_UPWARD);
    std::vector<double> bound(a + b - 1 + stride, 0.0);
    for (int sum = a + b - 2; sum >= 0; --sum)
        bound[sum] = std::max(worst[sum].load() + bound[sum + stride], bound[sum + 1]);
    return bound[0];
}

void enclose_turn(const Table &table, const Leaves &leaves, int cut, double *lower, double *upper) {
    Rounding direction(FE_DOWNWARD);
    descend(table, leaves, 0.0, cut, lower);
    std::fesetround(FE_UPWARD);
    descend(table, leaves, 0.0, cut, upper);
}

}  // namespace jeopardice
