// Bounds that hold for a race for two: its equations, evaluated again with every rounding in a chosen direction.
//
// Adding e to all leaves of a turn adds e to its worth. So if the later anchors are known within e and, at one pair with
// slacks a and b,
//     A + a >= T_A(sum - B + b),   B - b <= T_B(sum - A - a),   and the same with the signs exchanged,
// then the values of the pair are known within e + a and e + b; T(x) = x + D(x) is the worth of a turn. A play that never
// ends is a draw, so a player is only granted more than a draw where the turn that proves it gains something.
// The slacks of the worst pair of each anti-diagonal add up to the bound.
//
// Nothing here is shared with the solver but the layout of the tables: leaves, walk and stop bounds are written again.
#include <cmath>

#include "anti_diagonals.hpp"
#include "duel.hpp"
#include "room.hpp"
#include "rounding.hpp"

namespace jeopardice::JEOPARDICE_TARGET::proof {

typedef double Four __attribute__((vector_size(32)));
typedef int64_t FourMask __attribute__((vector_size(32)));

inline Four four(double v) { return Four{v, v, v, v}; }
inline Four most(Four a, Four b) { return a < b ? b : a; }

// Four pairs of positions: own score, own record, the other's score and record.
struct Place {
    int score[4], record[4], other_score[4], other_record[4];
};

struct Prover {
    const Duel &duel;
    // [for upper worths?][seat]: the values behind the leaves of the other seat's turns, and stop bounds made from them
    const double *values[2][2];
    double *bounds[2][2];
    Room<Four> bank, stop, rows, chances;
    std::vector<double> ahead_bound[2];

    explicit Prover(const Duel &of) : duel(of) {
        for (int s = 0; s < 2; ++s) {
            values[0][s] = values[1][s] = duel.seat[s].worth;
            bounds[0][s] = bounds[1][s] = duel.seat[s].bound;
            set_ahead_bounds(s);
        }
    }
    // `below` and `above` are the values behind the leaves of lower and of upper worths; stop bounds for both follow each
    // other.
    Prover(const Duel &of, double *const *below, double *const *above, double *const *stop_bounds) : duel(of) {
        for (int s = 0; s < 2; ++s) {
            values[0][s] = below[s];
            values[1][s] = above[s];
            for (bool up : {false, true})
                bounds[up][s] = stop_bounds[s] ? stop_bounds[s] + up * 2 * duel.bounds_size(s) : nullptr;
            set_ahead_bounds(s);
        }
    }

    // What a bank that brings the score to `total` is worth to seat s, rounded as the caller has set.
    double banked(int s, const Place &at, int lane, int total, bool up) const {
        const Seat &me = duel.seat[s];
        const House &mine = me.house, &other = duel.seat[1 - s].house;
        if (total >= mine.scores) {
            if (me.caught == nullptr) return me.prize[at.other_score[lane]];
            const int ahead = total - at.other_score[lane];
            return duel.sum - me.caught[ahead < me.horizon ? ahead : me.horizon];
        }
        const int64_t their_standing = int64_t(at.other_score[lane]) * other.records + at.other_record[lane];
        const int64_t my_standing = int64_t(total) * mine.records + mine.bank_to[at.record[lane]];
        return duel.sum - values[up][1 - s][their_standing * mine.standings() + my_standing];
    }

    // A bound that the bust value of `stop_bound` is not below, rounded down throughout.
    Four lower_stop_bound(const Table &table, const Four *stops) const {
        Four least = four(INFINITY);
        for (int mode = 0; mode < table.modes; ++mode) {
            Four lost = stops[0] * table.total[mode];
            for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group) {
                Four best = four(-INFINITY);
                for (int play = table.first_play[group]; play < table.first_play[group + 1]; ++play)
                    best = most(best, stops[table.points[play]]);
                lost -=
                    table.weight[group] * (best + (best < four(0) ? -best : best) * 5e-16);  // a stop is rounded once, down
            }
            const Four here =
                table.bust[mode] > 0 ? lost / table.bust[mode] : (lost < four(0) ? four(-INFINITY) : four(INFINITY));
            least = here < least ? here : least;
        }
        return least;
    }

    void set_ahead_bounds(int s) {
        const Seat &me = duel.seat[s];
        if (me.caught == nullptr || bounds[0][s] == nullptr) return;
        const Rounding down(FE_DOWNWARD);
        const int reach = me.house.table.max_points;
        Four *stops = bank.need(reach + 1);
        ahead_bound[s].assign(me.horizon + 1, INFINITY);
        for (int ahead = me.horizon - 1; ahead >= 0; --ahead) {
            for (int t = 0; t <= reach; ++t) stops[t] = four(duel.sum - me.caught[std::min(ahead + t, me.horizon)]);
            ahead_bound[s][ahead] = std::min(ahead_bound[s][ahead + 1], lower_stop_bound(me.house.table, stops)[0]);
        }
    }

    void set_stop_bounds(int s, const Place &at, int used, bool up) {
        const Seat &me = duel.seat[s];
        if (bounds[up][s] == nullptr) return;
        const Rounding down(FE_DOWNWARD);
        const int reach = me.house.table.max_points;
        Four *stops = bank.need(reach + 1);
        for (int lane = 0; lane < 4; ++lane)
            for (int t = 0; t <= reach; ++t) stops[t][lane] = banked(s, at, lane, at.score[lane] + t, up);
        const Four here = lower_stop_bound(me.house.table, stops);
        for (int lane = 0; lane < used; ++lane) {
            double *bound = row_of_bounds(s, at, lane, up);
            const int score = at.score[lane];
            double later = INFINITY;
            if (score + 1 < me.house.scores)
                later = bound[score + 1];
            else if (me.caught)
                later = ahead_bound[s][me.house.scores - at.other_score[lane]];
            bound[score] = std::min(here[lane], later);
        }
    }

    double *row_of_bounds(int s, const Place &at, int lane, bool up) const {
        const House &mine = duel.seat[s].house, &other = duel.seat[1 - s].house;
        return bounds[up][s] + (int64_t(at.other_score[lane]) * other.records + at.other_record[lane]) * mine.scores;
    }

    // How far a turn is walked in a lane: to where stopping is proved to be best, or to its end.
    int end_of_walk(int s, const Place &at, int lane, double x, bool up) const {
        return std::min(stop_from(s, at, lane, x, up), duel.seat[s].house.table.height + 1);
    }
    int stop_from(int s, const Place &at, int lane, double x, bool up) const {
        const Seat &me = duel.seat[s];
        const int to_go = me.house.scores - at.score[lane], ahead = me.house.scores - at.other_score[lane];
        if (me.house.must_hit) return me.caught ? to_go + 1 : to_go;
        if (bounds[up][s] == nullptr) return me.caught ? to_go + me.horizon : to_go;
        const double *bound = row_of_bounds(s, at, lane, up) + at.score[lane];
        int t = std::min(me.house.least_bank[at.record[lane]], to_go);
        t = int(std::partition_point(bound + t, bound + to_go, [x](double b) { return b < x; }) - bound);
        if (t == to_go && me.caught) {
            const double *past = ahead_bound[s].data();
            t += int(std::partition_point(past + ahead, past + me.horizon, [x](double b) { return b < x; }) -
                     (past + ahead));
        }
        return t;
    }

    // D(x), every operation rounded as the caller has set; on request also, roughly, the chance to end without a bust.
    Four gain(int s, const Place &at, Four x, bool up, Four *leave = nullptr) {
        const Seat &me = duel.seat[s];
        const Table &table = me.house.table;
        const int width = table.modes + 1;
        int end = 0;
        for (int lane = 0; lane < 4; ++lane) end = std::max(end, end_of_walk(s, at, lane, x[lane], up));
        const int rows_needed = end + table.max_points + 1;
        Four *gain_of_bank = bank.need(rows_needed), *gain_of_stop = stop.need(rows_needed);
        Four *moments = rows.need(size_t(rows_needed) * width), *chance = chances.need(size_t(rows_needed) * width);
        const double slant = up ? table.weight_error : -table.weight_error;
        for (int lane = 0; lane < 4; ++lane)
            for (int t = 0; t < rows_needed; ++t) {
                const int total = at.score[lane] + t;
                const double value = banked(s, at, lane, total, up);
                gain_of_bank[t][lane] = value - x[lane];
                const bool allowed = t >= me.house.least_bank[at.record[lane]] || total >= me.house.scores;
                gain_of_stop[t][lane] = allowed ? gain_of_bank[t][lane] : -INFINITY;
            }
        for (int t = rows_needed - 1; t >= 0; --t) {
            Four *here = moments + size_t(t) * width;
            Four *leaves = chance + size_t(t) * width;
            here[table.modes] = t == 0 ? four(0) : gain_of_bank[t];
            leaves[table.modes] = t == 0 ? four(0) : four(1);
            for (int mode = table.modes - 1; mode >= 0; --mode) {
                if (t >= end) {
                    double keep = table.keep[mode];
                    if (keep > 0 && keep < 1) keep = up == (gain_of_bank[t][0] > 0) ? keep + 4e-16 : keep - 4e-16;
                    here[mode] = keep == 1 ? gain_of_bank[t] : keep * gain_of_bank[t];
                    leaves[mode] = four(keep);
                    continue;
                }
                Four sum = four(0);
                for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group) {
                    Four best = here[table.offset[table.first_play[group]]];
                    for (int play = table.first_play[group] + 1; play < table.first_play[group + 1]; ++play)
                        best = most(best, here[table.offset[play]]);
                    sum += table.weight[group] * (slant == 0 ? best : best + slant * (best < four(0) ? -best : best));
                }
                sum /= table.total[mode];
                const bool may_stop = t > 0 && table.may_stop[mode];
                here[mode] = may_stop ? most(sum, gain_of_stop[t]) : sum;
                if (leave)
                    leaves[mode] = leaving(table, mode, here, leaves, may_stop ? gain_of_stop[t] : four(-INFINITY), sum);
            }
            if (me.house.must_hit) {
                FourMask lost{};
                for (int lane = 0; lane < 4; ++lane) lost[lane] = at.score[lane] + t > me.house.scores ? -1 : 0;
                for (int mode = 0; mode < width; ++mode) {
                    here[mode] = lost ? four(0) : here[mode];
                    leaves[mode] = lost ? four(0) : leaves[mode];
                }
            }
        }
        if (leave) *leave = chance[table.opening];
        return moments[table.opening];
    }
    static Four leaving(const Table &table, int mode, const Four *here, const Four *leaves, Four stop, Four roll) {
        Four sum = four(0);
        for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group) {
            int to = table.offset[table.first_play[group]];
            Four best = here[to], chance = leaves[to];
            for (int play = table.first_play[group] + 1; play < table.first_play[group + 1]; ++play) {
                to = table.offset[play];
                chance = here[to] > best ? leaves[to] : chance;
                best = most(best, here[to]);
            }
            sum += table.weight[group] * chance;
        }
        return stop >= roll ? four(1) : sum / table.total[mode];
    }

    // Does one seat's inequality hold in a lane?  up: V + own >= T(x + other's slack); down: V - own <= T(x - other's
    // slack).
    void test(int s, const Place &at, const Four *slack, bool up, bool *holds) {
        const House &mine = duel.seat[s].house, &other = duel.seat[1 - s].house;
        Four x{}, value{};
        Rounding direction(up ? FE_UPWARD : FE_DOWNWARD);
        for (int lane = 0; lane < 4; ++lane) {
            const int64_t me = int64_t(at.score[lane]) * mine.records + at.record[lane];
            const int64_t them = int64_t(at.other_score[lane]) * other.records + at.other_record[lane];
            value[lane] = duel.seat[s].worth[me * other.standings() + them];
            const double bust = pinned(duel.sum - pinned(duel.seat[1 - s].worth[them * mine.standings() + me]));
            // nobody does better than to win at once, or worse than the other doing so
            const double best = duel.seat[s].prize[at.other_score[lane]];
            const double worst = duel.sum - duel.seat[1 - s].prize[at.score[lane]];
            x[lane] =
                up ? std::min(pinned(bust + slack[1 - s][lane]), best) : std::max(pinned(bust - slack[1 - s][lane]), worst);
        }
        const Four gained = gain(s, at, x, up);
        direction.turn(up ? FE_DOWNWARD : FE_UPWARD);
        for (int lane = 0; lane < 4; ++lane) {
            const double own = slack[s][lane], gain_here = pinned(gained[lane]), lead = pinned(value[lane]) - x[lane];
            holds[lane] &=
                up ? gain_here <= pinned(lead + own)
                   : gain_here >= pinned(lead - own) && (gain_here > 0 || pinned(value[lane]) - own <= duel.sum / 2);
        }
    }

    // The chance that a turn ends without a bust, roughly: only to choose slacks that are then proved.
    Four leave(int s, const Place &at) {
        Four chance{};
        gain(s, at, bust_values(s, at), true, &chance);
        return chance;
    }
    Four bust_values(int s, const Place &at) const {
        const House &mine = duel.seat[s].house, &other = duel.seat[1 - s].house;
        Four x{};
        for (int lane = 0; lane < 4; ++lane) {
            const int64_t me = int64_t(at.score[lane]) * mine.records + at.record[lane];
            const int64_t them = int64_t(at.other_score[lane]) * other.records + at.other_record[lane];
            x[lane] = duel.sum - duel.seat[1 - s].worth[them * mine.standings() + me];
        }
        return x;
    }

    // The larger slack of each pair that was proved, infinite where none was.
    Four slacks(const Place *at) {
        Four scale{}, proved = four(INFINITY);
        // powers of two, so that slacks add to values on a grid (draws, players who stall) without rounding
        for (int lane = 0; lane < 4; ++lane)
            scale[lane] = std::exp2(std::ceil(std::log2(std::max(std::abs(duel.seat[0].prize[at[0].other_score[lane]]),
                                                                 std::abs(duel.seat[1].prize[at[1].other_score[lane]])))));
        Four share[2] = {four(1), four(1)};
        for (double size = 0x1p-50; size < 1e-3; size *= size < 3e-15 ? 2 : 8) {
            const Four slack[2] = {share[0] * size * scale, share[1] * size * scale};
            bool holds[4] = {true, true, true, true};
            for (int s = 0; s < 2; ++s)
                for (bool up : {true, false}) test(s, at[s], slack, up, holds);
            bool all = true;
            for (int lane = 0; lane < 4; ++lane) {
                if (holds[lane]) proved[lane] = std::min(proved[lane], std::max(slack[0][lane], slack[1][lane]));
                all &= proved[lane] < INFINITY;
            }
            if (all) break;
            if (size < 3e-15 && size * 2 >= 3e-15) {  // seats that almost always bust need slacks of their own
                const Four a = leave(0, at[0]), b = leave(1, at[1]);
                const Four rest = a + b - a * b;
                share[0] = rest > four(1e-12) ? (2 - a) / rest : four(1);
                share[1] = rest > four(1e-12) ? (2 - b) / rest : four(1);
            }
        }
        return proved;
    }
};

inline int fewest_points(const Table &table) {
    int fewest = table.max_points;
    for (int play = 0; play < table.first_play[table.first_group[table.modes]]; ++play)
        if (table.points[play] > 0) fewest = std::min(fewest, table.points[play]);
    return std::max(fewest, 1);
}

inline double certify(const Duel &duel, int threads, Watch watch) {
    const House &first = duel.seat[0].house, &second = duel.seat[1].house;
    const int a = first.scores, b = second.scores;
    std::vector<std::vector<double>> worst(threads, std::vector<double>(a + b - 1, 0.0));
    std::vector<Prover> provers;
    for (int thread = 0; thread < threads; ++thread) provers.emplace_back(duel);
    over_anti_diagonals(duel, threads, watch, 4, [&](int i, int count, int sum, int thread) {
        Prover &prover = provers[thread];
        for (int r = 0; r < first.records; ++r)
            for (int q = 0; q < second.records; ++q) {
                Place at[2];
                int used = 0;
                for (int k = i; k < i + count; ++k)
                    if (first.is_reached(k, r) && second.is_reached(sum - k, q)) at[0].score[used++] = k;
                if (!used) continue;
                for (int lane = 0; lane < 4; ++lane) {
                    at[0].score[lane] = at[0].score[std::min(lane, used - 1)];
                    at[0].other_score[lane] = at[1].score[lane] = sum - at[0].score[lane];
                    at[1].other_score[lane] = at[0].score[lane];
                    at[0].record[lane] = at[1].other_record[lane] = r;
                    at[0].other_record[lane] = at[1].record[lane] = q;
                }
                const Four slack = prover.slacks(at);
                for (int lane = 0; lane < used; ++lane) worst[thread][sum] = std::max(worst[thread][sum], slack[lane]);
                for (int s = 0; s < 2; ++s) prover.set_stop_bounds(s, at[s], used, false);
            }
    });
    // A turn that does not bust banks at least the fewest points of a play, so errors pass on in steps of that many.
    const int stride = std::min(fewest_points(first.table), fewest_points(second.table));
    const Rounding up(FE_UPWARD);
    std::vector<double> bound(a + b - 1 + stride, 0.0);
    for (int at = a + b - 2; at >= 0; --at) {
        double slack = 0;
        for (const auto &w : worst) slack = std::max(slack, w[at]);
        bound[at] = std::max(pinned(pinned(slack) + bound[at + stride]), bound[at + 1]);
    }
    return bound[0];
}

}  // namespace jeopardice::JEOPARDICE_TARGET::proof

namespace jeopardice::JEOPARDICE_TARGET {
inline double certify_duel_here(const Duel &duel, int threads, Watch watch) { return proof::certify(duel, threads, watch); }
}  // namespace jeopardice::JEOPARDICE_TARGET
