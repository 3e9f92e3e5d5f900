// Solves races with piggyback: pairs of positions from the end of the race back to its start, each by Newton in a bracket
// through both turns. Pairs of equal a + b are independent. Cost: about five walks of two turns per pair, each of
// (target - a) x plays steps; a turn is never cut, since values are not monotone in the points at risk.
#define JEOPARDICE_TARGET plain
#include "piggyback.hpp"

#include <cmath>

#include "anchor.hpp"
#include "anti_diagonals.hpp"

namespace jeopardice {
namespace {

struct Moment {
    double value, bust;  // and the chance that the turn still ends in a bust: the slope of the value in x
};

struct Turn {
    const Piggyback &race;
    std::vector<Moment> rows;

    Moment roll(int mode, const Moment *here, double x) const {
        const Table &table = race.house.table;
        double value = table.bust[mode] * x, bust = table.bust[mode];
        for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group) {
            const Moment *best = here + table.offset[table.first_play[group]];
            for (int play = table.first_play[group] + 1; play < table.first_play[group + 1]; ++play)
                if (here[table.offset[play]].value > best->value) best = here + table.offset[play];
            value += table.weight[group] * best->value;
            bust += table.weight[group] * best->bust;
        }
        return {value / table.total[mode], bust / table.total[mode]};
    }
    // The turn of the player with a, a bust worth x; `rolled`, if given, is filled for t = 1 to b.
    Moment walk(int a, int b, double x, double *rolled) {
        const House &house = race.house;
        const Table &table = house.table;
        const int goal = house.scores - a, least = race.least(a), width = table.row();
        rows.resize(size_t(goal + table.max_points + 1) * width);
        for (int t = goal; t <= goal + table.max_points; ++t)
            for (int mode = 0; mode <= table.modes; ++mode) {
                const double keep = mode < table.modes ? table.keep[mode] : 1.0;
                rows[size_t(t) * width + mode] = {keep == 1 ? race.prize[b] : x + keep * (race.prize[b] - x), 1 - keep};
            }
        if (rolled)
            for (int mode = 0; mode < table.modes; ++mode) {
                const double past = roll(mode, &rows[size_t(goal) * width], x).value;
                for (int t = goal; t <= b; ++t) rolled[int64_t(t - 1) * table.modes + mode] = past;
            }
        for (int t = goal - 1; t > 0; --t) {
            Moment *here = &rows[size_t(t) * width];
            here[table.modes] = {race.sum - race.after_bank(b, a + t, t, table.modes), 0};
            for (int mode = table.modes - 1; mode >= 0; --mode) {
                here[mode] = roll(mode, here, x);
                if (rolled && t <= b) rolled[int64_t(t - 1) * table.modes + mode] = here[mode].value;
                if (t < least || !table.may_stop[mode]) continue;
                const double stop = race.sum - race.after_bank(b, a + t, t, mode);
                if (stop >= here[mode].value) here[mode] = {stop, 0};
            }
        }
        rows[table.modes] = {x, 1};
        for (int mode = table.modes - 1; mode >= 0; --mode) rows[mode] = roll(mode, &rows[0], x);
        return rows[table.opening];
    }
};

void solve_pair(const Piggyback &race, Turn &turn, int a, int b) {
    const double high = race.prize[b], low = race.sum - race.prize[a];
    const double scale = std::max(std::abs(low), std::abs(high));
    Bracket bracket{low, high};
    double y = bracket.middle(), reply = race.sum - y;
    for (int step = 0; step < most_steps; ++step) {
        const Moment theirs = turn.walk(b, a, race.sum - y, nullptr);
        const Moment mine = turn.walk(a, b, race.sum - theirs.value, nullptr);
        reply = theirs.value;
        const double gap = mine.value - y;
        if (gap == 0) break;
        const double next = bracket.next(y, gap, 1 - mine.bust * theirs.bust), moved = next - y;
        reply -= theirs.bust * moved;
        y = next;
        if (std::abs(moved) <= negligible * scale) break;
    }
    *race.at(a, b) = y;
    if (a != b) *race.at(b, a) = reply;
    turn.walk(a, b, race.sum - *race.at(b, a), race.rolled_at(a, b));
    if (a != b) turn.walk(b, a, race.sum - y, race.rolled_at(b, a));
}

}  // namespace

void solve_piggyback(const Piggyback &race, int threads, Watch watch) {
    Duel duel{};
    duel.seat[0].house = duel.seat[1].house = race.house;
    duel.symmetric = true;
    std::vector<Turn> turns(threads, Turn{race, {}});
    plain::over_anti_diagonals(duel, threads, watch, 1,
                               [&](int a, int, int sum, int thread) { solve_pair(race, turns[thread], a, sum - a); });
}

void walk_piggyback(const Piggyback &race, int a, int b, double *rows) {
    Turn turn{race, {}};
    turn.walk(a, b, race.sum - *race.at(b, a), nullptr);
    for (const Moment &moment : turn.rows) {
        *rows++ = moment.value;
        *rows++ = moment.bust;
    }
}

}  // namespace jeopardice
