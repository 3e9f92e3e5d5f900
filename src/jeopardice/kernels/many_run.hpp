// Races of several players: all cycles, from high scores to low ones.
//
// A bank raises the sum of all scores, so cycles with the same sum are independent: threads share them, and the values are
// the same for any number of threads. Cost: two to three walks of a turn per position. Memory: one number per position and
// player, and the list of the cycles of one sum.
#include <atomic>
#include <barrier>
#include <thread>

#include "many_cycle.hpp"

namespace jeopardice::JEOPARDICE_TARGET {

// The cycles whose scores add up to `sum`, and the numbers of their records to `level` (-1: any); where all seats are one,
// each cycle once, by its least rotation.
inline void list_cycles(const Many &many, int sum, int level, std::vector<Cycle> &cycles) {
    const int n = many.players;
    cycles.clear();
    Cycle cycle{};
    auto add = [&] {
        int records = 0;
        for (int s = 0; s < n && level >= 0; ++s) records += cycle.standing[s] % many.seat[s].house.records;
        if (level >= 0 && records != level) return;
        cycle.size = n;
        for (int turn = 1; many.symmetric && turn < n; ++turn) {
            int j = 0;
            while (j < n && cycle.standing[j] == cycle.standing[(j + turn) % n]) ++j;
            if (j == n) {
                cycle.size = turn;
                break;
            }
            if (cycle.standing[(j + turn) % n] < cycle.standing[j]) return;
        }
        cycles.push_back(cycle);
    };
    auto place = [&](auto &self, int seat, int left, int most_left) -> void {
        if (seat == n) return add();
        const House &house = many.seat[seat].house;
        most_left -= house.scores - 1;
        const int highest = std::min(left, house.scores - 1);
        for (int score = std::max(0, left - most_left); score <= highest; ++score)
            for (int record = 0; record < house.records; ++record)
                if (house.is_reached(score, record)) {
                    cycle.standing[seat] = score * house.records + record;
                    self(self, seat + 1, left - score, most_left);
                }
    };
    int most = 0;
    for (int s = 0; s < n; ++s) most += many.seat[s].house.scores - 1;
    place(place, 0, sum, most);
}

// Run `work(cycle, thread)` over all cycles and `after()` after those of each sum; at one sum first those of the highest of
// so many levels of records.
template <class Work, class After>
void over_cycles(const Many &many, int levels, int threads, Watch watch, Work work, After after) {
    int sum = 0, level = levels - 1;
    for (int s = 0; s < many.players; ++s) sum += many.seat[s].house.scores - 1;
    std::vector<Cycle> cycles;
    std::atomic<int64_t> next{0};
    const auto list = [&] { list_cycles(many, sum, levels > 1 ? level : -1, cycles); };
    list();
    auto advance = [&]() noexcept {
        watch.done.fetch_add(int64_t(cycles.size()), std::memory_order_relaxed);
        if (--level < 0) {
            after();
            --sum;
            level = levels - 1;
        }
        if (watch.stopped()) sum = -1;
        if (sum >= 0) list();
        next = 0;
    };
    std::barrier done_with_level(threads, advance);
    auto run = [&](int thread) {
        while (sum >= 0) {
            for (int64_t i = next.fetch_add(8); i < int64_t(cycles.size()); i = next.fetch_add(8))
                for (int64_t j = i; j < std::min(i + 8, int64_t(cycles.size())) && !watch.stopped(); ++j)
                    work(cycles[j], thread);
            done_with_level.arrive_and_wait();
        }
    };
    std::vector<std::thread> others;
    for (int thread = 1; thread < threads; ++thread) others.emplace_back(run, thread);
    run(0);
    for (auto &thread : others) thread.join();
}

inline ManyResult together(std::vector<ManyResult> &results) {
    ManyResult all;
    for (auto list : {&ManyResult::mixed, &ManyResult::unsettled, &ManyResult::other}) {
        for (ManyResult &part : results) (all.*list).insert((all.*list).end(), (part.*list).begin(), (part.*list).end());
        std::sort((all.*list).begin(), (all.*list).end(), is_earlier);
    }
    return all;
}

template <int W>
ManyResult solve_width(const Many &many, int threads, Watch watch) {
    std::vector<CycleSolver<W>> solvers(threads);
    std::vector<ManyResult> results(threads);
    over_cycles(
        many, 1, threads, watch,
        [&](const Cycle &cycle, int thread) {
            CycleSolver<W> &solver = solvers[thread];
            solver.begin(many, cycle);
            if (!solver.solve()) results[thread].unsettled.push_back({solver.seat_of(0), solver.position(0), 0});
            for (int k = 0; k < cycle.size; ++k) {
                std::copy_n(solver.value[k], many.players, solver.worth(k));
                if (solver.share[k] != not_mixed)
                    results[thread].mixed.push_back({solver.seat_of(k), solver.position(k), solver.share[k]});
            }
        },
        [] {});
    return together(results);
}

// Look for other equilibria of every cycle, given the values after it: from both ends.
template <int W>
ManyResult other_width(const Many &many, int threads, Watch watch) {
    Many from[2] = {many, many};
    from[0].start = 1;
    from[1].start = 2;
    std::vector<CycleSolver<W>> solvers(threads);
    std::vector<ManyResult> results(threads);
    over_cycles(
        many, 1, threads, watch,
        [&](const Cycle &cycle, int thread) {
            CycleSolver<W> &solver = solvers[thread];
            double apart = 0;
            for (const Many &end : from) {
                solver.begin(end, cycle);
                if (!solver.solve()) continue;
                for (int k = 0; k < cycle.size; ++k)
                    for (int j = 0; j < many.players; ++j)
                        apart = std::max(apart, std::abs(solver.value[k][j] - solver.worth(k)[j]));
            }
            if (apart > 1e-9) results[thread].other.push_back({solver.seat_of(0), solver.position(0), apart});
        },
        [] {});
    return together(results);
}

// ---------------------------------------------------------------- the certificate

constexpr double rounding_unit = 0x1p-53;

// An upper bound of the best own gain of a turn, without a tie rule and with all roundings; `rounds` is the worst expected
// sum of roundings of one unit each.
struct BestGain {
    double gain, rounds;
};

inline BestGain larger_of(const BestGain &a, const BestGain &b) {
    return {std::max(a.gain, b.gain), std::max(a.rounds, b.rounds)};
}

template <int W>
BestGain best_gain(const ManyTurn<W> &turn, double x, std::vector<BestGain> &rows) {
    const Table &table = turn.house->table;
    const Vec<W> *leaf = turn.leaf_room.data();
    const int row = table.row();
    rows.resize(turn.rows_needed());
    auto banked = [&](int t) {
        const double gain = leaf[t][W - 2] - x;
        return BestGain{gain + 2 * rounding_unit * std::abs(gain), 2};
    };
    for (int t = turn.cut; t <= turn.cut + table.max_points; ++t) {
        const BestGain stop = turn.house->must_hit && t > turn.goal ? BestGain{0, 0} : banked(t);
        for (int mode = 0; mode < row; ++mode) {
            const double keep = mode < table.modes ? table.keep[mode] : 1;
            rows[int64_t(t) * row + mode] = {keep * stop.gain + 4 * rounding_unit * std::abs(stop.gain), 4};
        }
    }
    for (int t = turn.cut - 1; t >= 0; --t) {
        BestGain *here = rows.data() + int64_t(t) * row;
        const BestGain stop = banked(t);
        here[table.modes] = t == 0 ? BestGain{0, 0} : stop;
        for (int mode = table.modes - 1; mode >= 0; --mode) {
            double gain = 0, rounds = 0, size = 0;
            for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group) {
                BestGain best = here[table.offset[table.first_play[group]]];
                for (int play = table.first_play[group] + 1; play < table.first_play[group + 1]; ++play)
                    best = larger_of(best, here[table.offset[play]]);
                gain += table.weight[group] * best.gain;
                rounds += table.weight[group] * best.rounds;
                size += table.weight[group] * std::abs(best.gain);
            }
            const double groups = table.first_group[mode + 1] - table.first_group[mode] + 4, total = table.total[mode];
            const double rounding = groups * (rounding_unit + table.weight_error) * size;
            const BestGain roll{(gain + rounding) / total, rounds / total + groups};
            const bool may_stop = turn.may_stop(t) && table.may_stop[mode];
            here[mode] = may_stop ? larger_of(stop, roll) : roll;
        }
    }
    return rows[table.opening];
}

template <int W>
struct Certifier {
    CycleSolver<W> solver;
    std::vector<BestGain> rows;
    ManyBound worst;  // of the sum being certified

    // The chance that one of so many players, from k on, does not bust.
    double someone_leaves(int k, int count) const {
        double leave = 0, stay = 1;
        for (int i = 0; i < count; ++i) {
            const double here = solver.plan[(k + i) % solver.size].leave;
            leave += stay * here;
            stay *= 1 - here;
        }
        return leave;
    }
    // How much more than `lead`, the own value less that of a bust, a turn with a bust worth x gains; rounded up.
    double excess(int k, double x, double lead) {
        const BestGain best = best_gain(solver.turn[k], x, rows);
        return best.gain - lead + 2 * rounding_unit * (std::abs(best.gain) + std::abs(lead));
    }
    // What player k gains at most by another strategy if a turn gains `lead` over a bust worth x.
    double most_gain(int k, double x, double lead) {
        const double gained = std::max(0.0, excess(k, x, lead)), leave = someone_leaves(k + 1, solver.n - 1);
        double most = 1 - solver.worth(k)[0];
        if (gained <= most * leave) most = leave > 0 ? gained / leave : 0;
        // whoever stays for ever gains nothing: a gain that would pass a bust worth as much more is too large
        for (double limit = 2 * gained; limit < most; limit *= 16)
            if (excess(k, x + (1 - leave) * limit, lead + leave * limit) <= 0) most = limit;
        return std::max(most, 0.0);
    }
    // All roundings are counted relative to what is banked, too: where almost every turn is a bust, a difference of two
    // values says nothing. So the play's values are computed again from its outcomes, and gains are taken over a bust.
    void certify(const Many &many, const Cycle &cycle) {
        const int n = many.players;
        solver.begin(many, cycle);
        double rounding[most_players], worst_rounding = 0;
        for (int k = 0; k < cycle.size; ++k) {
            const double x = solver.bust(k)[n - 1], share = solver.is_given(k) ? not_mixed : solver.share_at(k);
            Outcome plan = solver.walk(k, x, share == not_mixed ? many.usual : Ties::cautious);
            if (share != not_mixed) plan = mixture(plan, solver.walk(k, x, Ties::bold), share, n);
            solver.plan[k] = plan;
            // either by the rolls that are expected, or relative to what is banked, by the longest turn
            const Table &table = solver.turn[k].house->table;
            const double longest = double(solver.turn[k].rows_needed()) * (table.first_group[table.modes] + 4);
            const double rounds = best_gain(solver.turn[k], x, rows).rounds;
            rounding[k] = std::min(rounds + 4 * n, (longest + 4 * n) * plan.leave) * (rounding_unit + table.weight_error);
            worst_rounding = std::max(worst_rounding, rounding[k]);
        }
        solver.solve_values();
        double error = 0;
        for (int k = 0; k < cycle.size; ++k)
            for (int j = 0; j < n; ++j) error = std::max(error, std::abs(solver.value[k][j] - solver.worth(k)[j]));
        if (const double leave = someone_leaves(0, n); leave > 0)
            error = std::min(1.0, error + n * (worst_rounding / leave + 8 * rounding_unit));
        double gain = 0;
        for (int k = 0; k < cycle.size; ++k) {
            if (solver.is_given(k)) continue;
            const Outcome &plan = solver.plan[k];
            const double x = solver.bust(k)[n - 1], own = solver.worth(k)[0];
            double most = most_gain(k, x, own - x);
            if (most > 1e-14) {  // by the play's own values instead, which lie within `error`
                const double lead = plan.gain - plan.leave * error - rounding[k];
                most = std::min(most, most_gain(k, x - error - rounding_unit, lead));
            }
            // where nobody else ever banks, whoever busts on purpose for ever makes the race a draw
            if (someone_leaves(k + 1, n - 1) == 0 && solver.walk(k, 1, Ties::bold).leave == 0)
                most = std::max(most, 1.0 / n + rounding_unit - own);
            gain = std::max(gain, most);
        }
        worst.gain = std::max(worst.gain, gain);
        worst.error = std::max(worst.error, error);
    }
};

// A player who deviates gains at each sum of scores at most the worst of its cycles, and so do errors add up.
template <int W>
ManyBound certify_width(const Many &many, int threads, Watch watch) {
    std::vector<Certifier<W>> certifiers(threads);
    ManyBound bound;
    over_cycles(
        many, 1, threads, watch, [&](const Cycle &cycle, int thread) { certifiers[thread].certify(many, cycle); },
        [&]() noexcept {
            ManyBound worst;
            for (Certifier<W> &part : certifiers) {
                worst.gain = std::max(worst.gain, part.worst.gain);
                worst.error = std::max(worst.error, part.worst.error);
                part.worst = {};
            }
            bound.gain += worst.gain;
            bound.error += worst.error;
        });
    return bound;
}

// The rows of one turn, [t, mode, players + 2]: the chances of all players in turns that bank, the own one less the bust's
// share; then the chance to leave.
template <int W>
void replay_width(const Many &many, int seat, const int32_t *standings, Ties ties, double *out) {
    CycleSolver<W> solver;
    Cycle cycle{};
    const int n = many.players;
    cycle.size = n;
    for (int j = 0; j < n; ++j) cycle.standing[(seat + j) % n] = standings[j];
    solver.begin(many, cycle);
    const int k = seat;
    const ManyTurn<W> &turn = solver.turn[k];
    const double x = solver.bust(k)[n - 1];
    const int size = turn.rows_needed();
    Vec<W> *rows = solver.rows.need(size);
    turn.walk(x, ties, rows);
    for (int i = 0; i < size; ++i) {
        const Outcome here = turn.outcome_of(rows[i], x);
        for (int j = 0; j < n; ++j) *out++ = here.bank[j];
        *out++ = here.gain;
        *out++ = here.leave;
    }
}

// The same rows of a follower's turn in a last round; returns what another turn gains at most, from any number of units
// behind, and how far the chances are from those of this play.
template <int W>
ManyBound last_turn_width(const LastTurn &last, double *out) {
    ManyTurn<W> turn;
    turn.begin(last);
    const Table &table = last.house.table;
    const int size = turn.rows_needed(), row = table.row();
    Room<Vec<W>> room;
    Vec<W> *rows = room.need(size);
    std::vector<BestGain> best;
    turn.walk(0, last.ties, rows);
    best_gain(turn, 0, best);
    ManyBound bound;
    for (int t = 0; t < last.depth; ++t) {
        const BestGain &here = best[int64_t(t) * row + table.opening];
        bound.gain = std::max(bound.gain, here.gain - rows[int64_t(t) * row + table.opening][W - 2]);
        bound.error = std::max(bound.error, (here.rounds + 4 * last.players) * (rounding_unit + table.weight_error));
    }
    for (int i = 0; i < size; ++i) {
        const Outcome here = turn.outcome_of(rows[i], 0);
        for (int j = 0; j < last.players; ++j) *out++ = here.bank[j];
        *out++ = here.gain;
        *out++ = here.leave;
    }
    return bound;
}

inline bool is_narrow(const Many &many) {
    bool is_guided = false;
    for (int s = 0; s < many.players; ++s) is_guided |= many.seat[s].guide != nullptr;
    return many.players <= (is_guided ? 3 : 4);
}
inline ManyResult solve_many_here(const Many &many, int threads, Watch watch) {
    return is_narrow(many) ? solve_width<4>(many, threads, watch) : solve_width<8>(many, threads, watch);
}
inline ManyResult other_many_here(const Many &many, int threads, Watch watch) {
    return is_narrow(many) ? other_width<4>(many, threads, watch) : other_width<8>(many, threads, watch);
}
inline ManyBound certify_many_here(const Many &many, int threads, Watch watch) {
    return is_narrow(many) ? certify_width<4>(many, threads, watch) : certify_width<8>(many, threads, watch);
}
inline void replay_many_here(const Many &many, int seat, const int32_t *standings, Ties ties, double *rows) {
    return is_narrow(many) ? replay_width<4>(many, seat, standings, ties, rows)
                           : replay_width<8>(many, seat, standings, ties, rows);
}
inline ManyBound last_turn_here(const LastTurn &last, double *rows) {
    return last.players <= 4 ? last_turn_width<4>(last, rows) : last_turn_width<8>(last, rows);
}

}  // namespace jeopardice::JEOPARDICE_TARGET
