// Races of several players where a bust changes a record or lowers a score: all positions swept again and again.
//
//     V(P) = bank(P) + (1 - leave(P)) V(position after a bust),    the turn walked at the own chance after a bust
//
// A sweep goes from high sums of scores to low ones, and at one sum from the records that come later to those before them,
// so a value is only old where a penalty leads back. Mixed positions take the plans to both sides of the kink and say how
// far the own chance after a bust is from it.
//
// The certificate is a second kind of sweep. With the play of the values given, U_j(P) is raised until it is at least what
// the player j gets from the best turn if j has the dice, else from the turn that is played, with all roundings: then U_j
// is at least what any strategy gets against this play. The chance that the race has not ended yet is lowered in the same
// way. Cost per sweep: one walk per position, to prove two.
#include "many_run.hpp"

namespace jeopardice::JEOPARDICE_TARGET {

inline int levels_of(const Many &many) {
    int levels = 1;
    for (int s = 0; s < many.players; ++s) levels += many.seat[s].house.records - 1;
    return levels;
}

template <int W>
struct Sweeper {
    CycleSolver<W> solver;
    ManySwept result;

    void sweep(const Many &many, const Cycle &cycle, double width, bool looks) {
        solver.begin(many, cycle);
        const int n = many.players;
        bool stays = !looks;
        for (int k = 0; k < cycle.size; ++k) stays &= solver.turn[k].bust_to == cycle.standing[k];
        if (stays) return settle(cycle);
        for (int k = cycle.size - 1; k >= 0; --k) {
            const double *bust = solver.bust(k), x = bust[n - 1];
            const bool is_free = !solver.is_given(k);
            const double share = is_free ? solver.share_at(k) : not_mixed;
            Outcome plan;
            if (is_free && (looks || share != not_mixed)) {
                const Outcome cautious = solver.walk(k, x - width, Ties::cautious),
                              bold = solver.walk(k, x + width, Ties::bold);
                const double slopes = cautious.leave - bold.leave;
                if (slopes > 0) {
                    const double off = (line_at(bold, x) - line_at(cautious, x)) / slopes;
                    result.kinks.push_back({solver.seat_of(k), solver.position(k), off});
                }
                plan = mixture(cautious, bold, share, n);
            }
            if (looks) continue;
            if (share == not_mixed) plan = solver.walk(k, x, many.usual);
            double after[most_players];
            for (int j = 0; j < n; ++j) after[j] = plan.bank[j] + (1 - plan.leave) * bust[(j + n - 1) % n];
            set(k, after);
        }
    }
    // A cycle of busts that change nothing, at the lowest scores.
    void settle(const Cycle &cycle) {
        solver.solve();
        for (int k = 0; k < cycle.size; ++k) {
            set(k, solver.value[k]);
            if (solver.share[k] != not_mixed)
                result.mixed.push_back({solver.seat_of(k), solver.position(k), solver.share[k]});
        }
    }
    void set(int k, const double *values) {
        double *here = solver.worth(k);
        for (int j = 0; j < solver.n; ++j) {
            result.moved = std::max(result.moved, std::abs(values[j] - here[j]));
            here[j] = values[j];
        }
    }
};

template <int W>
ManySwept sweep_width(const Many &many, double width, bool looks, int threads, Watch watch) {
    std::vector<Sweeper<W>> sweepers(threads);
    over_cycles(
        many, levels_of(many), threads, watch,
        [&](const Cycle &cycle, int thread) { sweepers[thread].sweep(many, cycle, width, looks); }, [] {});
    ManySwept all;
    for (Sweeper<W> &part : sweepers) {
        all.moved = std::max(all.moved, part.result.moved);
        for (auto list : {&ManySwept::kinks, &ManySwept::mixed})
            (all.*list).insert((all.*list).end(), (part.result.*list).begin(), (part.result.*list).end());
    }
    for (auto list : {&ManySwept::kinks, &ManySwept::mixed}) std::sort((all.*list).begin(), (all.*list).end(), is_earlier);
    return all;
}

// What the play of the values that guide is worth at most: bounds that are too low are raised.
template <int W>
struct Bounder {
    CycleSolver<W> played, free;
    std::vector<BestGain> rows;
    ManyRaised result;

    void raise(const Many &guided, const Many &best, const Cycle &cycle, bool moves) {
        const int n = guided.players;
        played.begin(guided, cycle);
        free.begin(best, cycle);
        for (int k = cycle.size - 1; k >= 0; --k) {
            const ManyTurn<W> &turn = free.turn[k];
            const Outcome plan = played.walk(k, 0, guided.usual);
            double after[most_players], *here = free.worth(k);
            result.leave = std::min(result.leave, plan.leave);
            for (int j = 0; j < n; ++j) after[j] = free.bust(k)[(j + n - 1) % n];
            const BestGain own = best_gain(turn, after[0], rows);
            const double rounding = (own.rounds + 4 * n) * (rounding_unit + turn.house->table.weight_error);
            for (int j = 0; j < n; ++j) {
                const double value = j ? plan.bank[j] + (1 - plan.leave) * after[j] : after[0] + own.gain;
                if (here[j] >= 1 || value + rounding <= here[j]) continue;
                result.over = std::max(result.over, value + rounding - here[j]);
                if (moves) here[j] = std::min(1.0, value + 2 * rounding);
            }
        }
    }
    // The chance that the race goes on, the same number for all players: those who do not win at once.
    void go_on(const Many &guided, const Cycle &cycle) {
        const int n = guided.players;
        played.begin(guided, cycle);
        for (int k = cycle.size - 1; k >= 0; --k) {
            const ManyTurn<W> &turn = played.turn[k];
            const Outcome plan = played.walk(k, 0, guided.usual);
            const double after = played.bust(k)[0], longest = double(turn.rows_needed());
            const double value = (plan.bank[1] + (1 - plan.leave) * after) * (1 + 8 * longest * rounding_unit);
            double *here = played.worth(k);
            if (value >= here[0]) continue;
            result.over = std::max(result.over, here[0] - value);
            std::fill_n(here, n, value);
        }
    }
};

// Raise bounds of everybody's chances, or lower the chance that the race goes on.
template <int W>
ManyRaised bound_width(const Many &guided, bool goes_on, bool moves, int threads, Watch watch) {
    Many best = guided;
    for (int s = 0; s < best.players; ++s) best.seat[s].guide = nullptr;
    std::vector<Bounder<W>> bounders(threads);
    over_cycles(
        guided, levels_of(guided), threads, watch,
        [&](const Cycle &cycle, int thread) {
            if (goes_on)
                bounders[thread].go_on(guided, cycle);
            else
                bounders[thread].raise(guided, best, cycle, moves);
        },
        [] {});
    ManyRaised worst;
    for (const Bounder<W> &part : bounders) {
        worst.over = std::max(worst.over, part.result.over);
        worst.leave = std::min(worst.leave, part.result.leave);
    }
    return worst;
}

inline ManySwept sweep_many_here(const Many &many, double width, bool looks, int threads, Watch watch) {
    return is_narrow(many) ? sweep_width<4>(many, width, looks, threads, watch)
                           : sweep_width<8>(many, width, looks, threads, watch);
}
inline ManyRaised bound_many_here(const Many &guided, bool goes_on, bool moves, int threads, Watch watch) {
    return is_narrow(guided) ? bound_width<4>(guided, goes_on, moves, threads, watch)
                             : bound_width<8>(guided, goes_on, moves, threads, watch);
}

}  // namespace jeopardice::JEOPARDICE_TARGET
