// A race under plans: what a fixed plan is worth, the best answer to it, and what it decides.
//
// A plan says for every moment (t, mode) stop or roll, and for every roll which play to make. Under it a turn is linear in
// the worth x of a bust:  F(x) = value + slope x,  slope = the chance to bust. A pair of standings is two linear equations
//   a = F_A(sum - b),  b = F_B(sum - a)  =>  a = [value_A + slope_A (sum - value_B - slope_B sum)] / (1 - slope_A slope_B).
// If one side is free to choose, its F is the piecewise linear convex worth of a turn and the pair one Newton fixed point.
// Anti-diagonals are independent, as in race.hpp. Cost: one walk per anchor, one step per group and moment that is rolled.
#pragma once

#include "anchor.hpp"
#include "plan_turn.hpp"

namespace jeopardice::planning {

struct Plan {
    Table table;
    int choices, theirs, tallest;  // groups that offer more than one play; standings of the other seat; most rows
    const int32_t *choice;         // [group] its number among those that offer a choice, -1 with one play
    const int32_t *plan_of;        // [mine, theirs] which plan is followed there
    const int64_t *first_row;      // [plan + 1] its rows, one for each t; from the last on it stops
    const uint8_t *stop, *chosen;  // [row, mode], [row, choice]: which of the group's plays
};

// One plan of many: the rows for one pair of standings.
struct Planned {
    const uint8_t *stop, *chosen;
    int height;
};

inline Planned planned(const Plan &plan, int mine, int theirs) {
    const int number = plan.plan_of[int64_t(mine) * plan.theirs + theirs];
    const int64_t from = plan.first_row[number];
    return {plan.stop + from * plan.table.modes, plan.chosen + from * plan.choices, int(plan.first_row[number + 1] - from)};
}

inline int play_of(const Plan &plan, const Planned &here, int t, int group) {
    const int choice = plan.choice[group];
    return plan.table.first_play[group] + (choice < 0 ? 0 : here.chosen[int64_t(t) * plan.choices + choice]);
}

// F(x) of a turn under a plan, as its value at x = 0 and its slope. A leaf at or past the goal is worth `top` only if the
// plan stops there: strict plans may roll on.
inline Worth walk_plan(const Plan &plan, const Planned &here, const Leaves &leaves, Worth *rows) {
    const Table &table = plan.table;
    const int row = table.row();
    for (int t = here.height; t <= here.height + table.max_points; ++t)
        std::fill_n(rows + int64_t(t) * row, row, leaves.leaf(t, 0.0));
    for (int t = here.height - 1; t >= 0; --t) {
        Worth *at = rows + int64_t(t) * row;
        at[table.modes] = t == 0 ? Worth{0.0, 1.0} : leaves.leaf(t, 0.0);
        for (int mode = table.modes - 1; mode >= 0; --mode) {
            if (here.stop[int64_t(t) * table.modes + mode]) {
                at[mode] = leaves.leaf(t, 0.0);
                continue;
            }
            double value = 0, slope = table.bust[mode];
            for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group) {
                const Worth &to = at[table.offset[play_of(plan, here, t, group)]];
                value += table.weight[group] * to.value;
                slope += table.weight[group] * to.slope;
            }
            at[mode] = {value / table.total[mode], slope / table.total[mode]};
        }
    }
    return rows[table.opening];
}

inline size_t rows_needed(const Plan &plan, int target) {
    return size_t(std::max(plan.tallest, target) + plan.table.max_points + 1) * plan.table.row();
}

constexpr double surely = 1.0 - 1e-14;  // a bust chance from here on: the race never ends

// ---------------------------------------------------------------- both sides follow plans

inline void evaluate_pair(const Duel &duel, const Plan *plans, int i, int j, Worth *rows) {
    const Worth a = walk_plan(plans[0], planned(plans[0], i, j), duel.leaves(0, i, j), rows);
    const Worth b = walk_plan(plans[1], planned(plans[1], j, i), duel.leaves(1, j, i), rows);
    const double slope = a.slope * b.slope;
    // a race that nobody ever ends is worth half to each
    const double y =
        slope >= surely ? duel.sum / 2 : (a.value + a.slope * (duel.sum - b.value - b.slope * duel.sum)) / (1.0 - slope);
    duel.worth(0, i, j) = y;
    duel.worth(1, j, i) = slope >= surely ? duel.sum / 2 : b.value + b.slope * (duel.sum - y);
}

inline void evaluate_plans(const Duel &duel, const Plan *plans, int threads, Watch watch) {
    const size_t most = std::max(rows_needed(plans[0], duel.seat[0].target), rows_needed(plans[1], duel.seat[1].target));
    std::vector<std::vector<Worth>> rows(threads, std::vector<Worth>(most));
    over_anti_diagonals(duel.seat[0].target, duel.seat[1].target, false, threads, watch,
                        [&](int i, int j, int thread) { evaluate_pair(duel, plans, i, j, rows[thread].data()); });
}

// ---------------------------------------------------------------- seat 0 answers the plan of seat 1

inline void respond_to_pair(const Duel &duel, const Plan &plan, int i, int j, Worth *rows) {
    const Leaves mine = duel.leaves(0, i, j), theirs = duel.leaves(1, j, i);
    const Worth b = walk_plan(plan, planned(plan, j, i), theirs, rows);
    Bracket bracket{duel.sum - theirs.top, mine.top};
    double y = bracket.middle();
    const double scale = std::max(std::abs(bracket.low), std::abs(bracket.high));
    const bool dead = !duel.seat[0].alive[i] && b.slope >= surely;  // nobody ever ends this: a draw
    if (dead) y = duel.sum / 2;
    // Where the target must be hit one may bust for ever, and every large y looks solved: climb from below, which in a
    // convex F finds the least.
    else if (mine.exact)
        y = bracket.low;
    else if (i + 1 < duel.seat[0].target && j + 1 < duel.seat[1].target)
        y = std::clamp(duel.worth(0, i + 1, j + 1), bracket.low, bracket.high);
    for (int step = 0; step < most_steps && !dead; ++step) {
        const double x = duel.sum - b.value - b.slope * (duel.sum - y);
        const Worth a = walk(duel.seat[0].table, mine, x, mine.goal, rows);
        const double gap = a.value - y, slope = a.slope * b.slope;
        if (slope >= surely && std::abs(gap) <= negligible * scale) break;
        const double next = bracket.next(y, gap, slope < surely ? 1.0 - slope : 0.0);
        const double change = std::abs(next - y);
        y = next;
        if (change <= negligible * scale) break;
    }
    duel.worth(0, i, j) = y;
    duel.worth(1, j, i) = b.value + b.slope * (duel.sum - y);
}

inline void respond_to_plan(const Duel &duel, const Plan &plan, int threads, Watch watch) {
    const Table &table = duel.seat[0].table;
    const size_t most =
        std::max(rows_needed(plan, duel.seat[1].target), size_t(duel.seat[0].target + table.max_points + 1) * table.row());
    std::vector<std::vector<Worth>> rows(threads, std::vector<Worth>(most));
    over_anti_diagonals(duel.seat[0].target, duel.seat[1].target, false, threads, watch,
                        [&](int i, int j, int thread) { respond_to_pair(duel, plan, i, j, rows[thread].data()); });
}

// ---------------------------------------------------------------- the plan that values make: stop where it is worth as
// much

struct Decisions {
    std::vector<uint8_t> stop, chosen;
    std::vector<int32_t> height;
};

// Append the rows of the best plan for one turn, as far up as it can come to a roll; from `cut` on stopping is best.
inline void decide(const Table &table, int choices, const int32_t *choice, Leaves leaves, double x, int cut, Worth *rows,
                   std::vector<uint8_t> &reached, Decisions &out) {
    const int row = table.row();
    if (std::isfinite(x)) leaves.tie = 1e-14 * std::max({1.0, std::abs(x), std::abs(leaves.top)});
    walk(table, leaves, x, cut, rows);
    reached.assign(size_t(cut + table.max_points + 1) * row, 0);
    reached[table.opening] = 1;
    const size_t stops = out.stop.size(), chosen = out.chosen.size();
    int height = 0;
    for (int t = 0; t < cut; ++t) {
        const Worth *at = rows + int64_t(t) * row;
        out.stop.resize(stops + size_t(t + 1) * table.modes, 1);
        out.chosen.resize(chosen + size_t(t + 1) * choices, 0);
        for (int mode = 0; mode < table.modes; ++mode) {
            if (!reached[size_t(t) * row + mode]) continue;
            if (t >= leaves.least_bank && leaves.stop(t) >= roll_worth(table, mode, at, x, leaves).value - leaves.tie)
                continue;
            out.stop[stops + size_t(t) * table.modes + mode] = 0;
            height = t + 1;
            for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group) {
                int best = table.first_play[group];
                for (int play = best + 1; play < table.first_play[group + 1]; ++play)
                    if (is_better(at[table.offset[play]], at[table.offset[best]], leaves.tie)) best = play;
                if (choice[group] >= 0)
                    out.chosen[chosen + size_t(t) * choices + choice[group]] = uint8_t(best - table.first_play[group]);
                reached[size_t(t) * row + table.offset[best]] = 1;
            }
        }
    }
    out.stop.resize(stops + size_t(height) * table.modes);
    out.chosen.resize(chosen + size_t(height) * choices);
    out.height.push_back(height);
}

// ---------------------------------------------------------------- laws: chances carried forward

// How a turn ends: bank[t] for t below the goal, a win, a bust.
struct Ending {
    std::vector<double> moments, bank;
    double win, bust;
    int most;
};

inline void end_turn(const Plan &plan, const Planned &here, int goal, bool exact, Ending &end) {
    const Table &table = plan.table;
    const int row = table.row();
    end.most = here.height + table.max_points;
    end.moments.assign(size_t(end.most + 1) * row, 0.0);
    end.bank.assign(end.most + 1, 0.0);
    end.win = end.bust = 0;
    end.moments[table.opening] = 1.0;
    for (int t = 0; t <= end.most; ++t) {
        for (int mode = 0; mode < row; ++mode) {
            const double chance = end.moments[size_t(t) * row + mode];
            if (chance == 0) continue;
            const bool over = exact && t >= goal, stops = over || mode == table.modes || t >= here.height ||
                                                          here.stop[int64_t(t) * table.modes + mode];
            if (stops) {
                if (t == 0 || (exact && t > goal))
                    end.bust += chance;
                else if (t >= goal)
                    end.win += chance;
                else
                    end.bank[t] += chance;
                continue;
            }
            const double share = chance / table.total[mode];
            end.bust += share * table.bust[mode];
            for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group)
                end.moments[size_t(t) * row + table.offset[play_of(plan, here, t, group)]] += share * table.weight[group];
        }
    }
}

// The law of a count kept through a race for two, and of the loser's standing: a turn that banks counts `per_bank`, one
// that busts `per_bust` (0 or 1 each). mass[s][mine, theirs, count] is the chance that seat s comes to move there;
// ended[s][theirs, count] that s wins against that standing. Counts from `counts` on are dropped (the tail).
struct CountLaw {
    int counts, per_bank, per_bust;
    double *mass[2], *ended[2];
};

inline void count_law(const Plan *plans, const int *target, bool exact, const CountLaw &law, Watch watch) {
    Ending end[2];
    const int K = law.counts;
    auto at = [&](int s, int mine, int theirs) { return law.mass[s] + (int64_t(mine) * target[1 - s] + theirs) * K; };
    at(0, 0, 0)[0] += 1.0;
    for (int sum = 0; sum <= target[0] + target[1] - 2 && !watch.cancelled.load(std::memory_order_relaxed); ++sum) {
        for (int i = std::max(0, sum - target[1] + 1); i <= std::min(sum, target[0] - 1); ++i) {
            const int stand[2] = {i, sum - i};
            double *mass[2] = {at(0, i, sum - i), at(1, sum - i, i)};
            double total = 0;
            for (int k = 0; k < K; ++k) total += mass[0][k] + mass[1][k];
            if (total == 0) continue;
            for (int s = 0; s < 2; ++s)
                end_turn(plans[s], planned(plans[s], stand[s], stand[1 - s]), target[s] - stand[s], exact, end[s]);
            // a bust hands the dice over and leaves the standings
            if (law.per_bust)
                for (int k = 1; k < K; ++k) {
                    mass[0][k] += end[1].bust * mass[1][k - 1];
                    mass[1][k] += end[0].bust * mass[0][k - 1];
                }
            else if (end[0].bust * end[1].bust < surely)
                for (int k = 0; k < K; ++k) {
                    const double first = mass[0][k], second = mass[1][k], leave = 1.0 - end[0].bust * end[1].bust;
                    mass[0][k] = (first + end[1].bust * second) / leave;
                    mass[1][k] = (second + end[0].bust * first) / leave;
                }
            for (int s = 0; s < 2; ++s) {
                double *won = law.ended[s] + int64_t(stand[1 - s]) * K + law.per_bank;
                for (int k = 0; k < K - law.per_bank; ++k) won[k] += end[s].win * mass[s][k];
                for (int t = 1; t <= end[s].most && stand[s] + t < target[s]; ++t) {
                    if (end[s].bank[t] == 0) continue;
                    double *to = at(1 - s, stand[1 - s], stand[s] + t) + law.per_bank;
                    for (int k = 0; k < K - law.per_bank; ++k) to[k] += end[s].bank[t] * mass[s][k];
                }
            }
            watch.done.fetch_add(1, std::memory_order_relaxed);
        }
    }
}

}  // namespace jeopardice::planning
