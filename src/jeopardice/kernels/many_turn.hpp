// One turn in a race of several players: the player to move maximises the own chance, and the turn carries what that means
// to everybody else.
//
//   W(t, m) = the best, for the player to move, of  stop(t)  and  sum over groups of weight(g) best over plays W / total(m)
//
// As in turn.hpp a bust gains nothing. A moment is a vector of W lanes:
//   lanes 0 ..      the chances of the players who follow, in the turns that bank
//   lane W - 2      the gain D of the player to move over a bust
//   lane W - 1      the chance to leave, 1 minus the chance of a bust
// Where the gains of two choices differ by no more than `tie` times the chance to leave the player is indifferent: the
// cautious plan takes the one with the larger chance to leave, the bold plan the one with the smaller; then the first. At a
// bust value x where best play changes, the two plans are the ones to its left and to its right. Cost: one step per play
// and moment.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "many.hpp"
#include "room.hpp"

namespace jeopardice::JEOPARDICE_TARGET {

template <int W>
struct Wide {
    typedef double type __attribute__((vector_size(W * 8)));
};
template <int W>
using Vec = typename Wide<W>::type;

// What a turn from an anchor comes to: the bust chance is 1 - leave, `bank` the chances of all players in turns that bank.
struct Outcome {
    double leave = 0, gain = 0;
    std::array<double, most_players> bank{};
};

constexpr double same_leave = 1e-12;

template <int W>
inline bool takes_over(const Vec<W> &now, const Vec<W> &other, double tie, Ties ties) {
    const double lead = other[W - 2] - now[W - 2];
    tie *= std::max(other[W - 1], now[W - 1]);
    if (lead > tie) return true;
    if (lead < -tie) return false;
    if (ties == Ties::bold || (ties == Ties::rolling && std::abs(now[W - 2]) > tie))
        return other[W - 1] < now[W - 1] - same_leave;
    return other[W - 1] > now[W - 1] + same_leave;
}

// The leaves of a turn from a standing, and the walk over them.
template <int W>
struct ManyTurn {
    int players = 0;
    double tie = 0;
    const House *house = nullptr;
    int goal = 0, least = 0, cut = 0;
    const double *law = nullptr;
    int64_t bust_to = 0;  // the own standing after a bust
    bool is_guided = false;
    double guided_x = 0;  // what a bust is worth by the values that guide
    Room<Vec<W>> leaf_room;

    // The player to move stands at `own`; `next` are the values of the positions after this turn [own standing, player],
    // and `guide` those that decide instead, or null. `finish` are the chances after a bank at the target, and `stride`
    // numbers further those after one of a unit more; or null.
    void begin(const Many &of, int seat, int own, const double *next, const double *guide, const double *finish,
               int64_t stride) {
        players = of.players;
        tie = of.tie;
        house = &of.seat[seat].house;
        const int score = own / house->records, record = own % house->records, n = of.players;
        goal = house->scores - score;
        least = house->least_bank[record];
        // with a last round a bust may be worth more than to land on the target
        cut = std::min(goal + of.beyond + (finish && house->must_hit), house->table.height + 1);
        law = of.seat[seat].law ? of.seat[seat].law + int64_t(own) * (house->scores + 1) : nullptr;
        const int end = (law ? goal : cut) + house->table.max_points + 1;
        Vec<W> *leaf = leaf_room.need(end);
        const int others = std::min(n - 1, W - 2);
        bust_to = house->after_bust(score, record);
        is_guided = guide;
        if (guide) guided_x = guide[bust_to * n + n - 1];
        const double *decides = guide ? guide : next;
        for (int t = 0; t < end; ++t) {
            Vec<W> here{};
            here[W - 1] = 1;
            here[W - 2] = 1;
            if (t < goal) {
                const int64_t after = (int64_t(score + t) * house->records + house->bank_to[record]) * n;
                for (int j = 0; j < others; ++j) here[j] = next[after + j];
                here[W - 2] = decides[after + n - 1];
            } else if (finish) {
                const double *after = finish + std::min(t - goal, of.beyond) * stride;
                for (int j = 0; j < others; ++j) here[j] = after[j + 1];
                here[W - 2] = after[0];
            }
            leaf[t] = here;
        }
    }
    // The turn of a follower in a last round: a bust, and a bank that falls short, are worth nothing.
    void begin(const LastTurn &last) {
        players = last.players;
        tie = last.tie;
        house = &last.house;
        goal = last.depth;
        least = last.depth + last.first;
        cut = goal + last.ahead;
        const int others = std::min(players - 1, W - 2), end = cut + house->table.max_points + 1;
        Vec<W> *leaf = leaf_room.need(end);
        for (int t = 0; t < end; ++t) {
            leaf[t] = Vec<W>{};
            if (t < least) continue;
            const double *after = last.leaves + int64_t(std::min(t - goal, last.ahead)) * players;
            for (int j = 0; j < others; ++j) leaf[t][j] = after[j + 1];
            leaf[t][W - 2] = after[0];
            leaf[t][W - 1] = 1;
        }
    }
    bool may_stop(int t) const { return t > 0 && (t >= least || t >= goal); }
    Outcome outcome_of(const Vec<W> &opening, double x) const {
        const int n = players, others = std::min(n - 1, W - 2);
        Outcome outcome;
        outcome.leave = opening[W - 1];
        outcome.gain = opening[W - 2];
        double rest = outcome.leave;
        rest -= outcome.bank[0] = outcome.gain + outcome.leave * x;
        for (int j = 0; j < others; ++j) rest -= outcome.bank[j + 1] = opening[j];
        if (is_guided)
            outcome.bank[0] += rest;  // the gain was the guide's: what the others do not get is the own chance
        else if (others < n - 1)
            outcome.bank[n - 1] = rest;
        return outcome;
    }
    // A given strategy: the mean of the leaves under its chances.
    Outcome by_law(double x) const {
        Vec<W> sum{};
        for (int t = 1; t <= goal; ++t) sum += law[t] * leaf_room.data()[t];
        sum[W - 2] -= x * sum[W - 1];
        return outcome_of(sum, x);
    }
    // Fill all rows [t, mode] for a bust worth x; returns the opening.
    Vec<W> walk(double x, Ties ties, Vec<W> *rows) const {
        const Table &table = house->table;
        const Vec<W> *leaf = leaf_room.data();
        const int row = table.row();
        for (int t = cut; t <= cut + table.max_points; ++t) {
            Vec<W> *here = rows + int64_t(t) * row;
            Vec<W> stop = leaf[t];
            stop[W - 2] -= x;
            if (house->must_hit && t > goal) stop = Vec<W>{};
            for (int mode = 0; mode < table.modes; ++mode) here[mode] = table.keep[mode] * stop;
            here[table.modes] = stop;
        }
        for (int t = cut - 1; t >= 0; --t) {
            Vec<W> *here = rows + int64_t(t) * row;
            Vec<W> stop = leaf[t];
            stop[W - 2] -= x;
            here[table.modes] = t == 0 ? Vec<W>{} : stop;
            const bool stops = may_stop(t);
            for (int mode = table.modes - 1; mode >= 0; --mode) {
                Vec<W> sum{};
                for (int group = table.first_group[mode]; group < table.first_group[mode + 1]; ++group) {
                    int play = table.first_play[group];
                    const int last = table.first_play[group + 1];
                    const Vec<W> *best = here + table.offset[play];
                    for (++play; play < last; ++play) {
                        const Vec<W> *other = here + table.offset[play];
                        if (takes_over<W>(*best, *other, tie, ties)) best = other;
                    }
                    sum += table.weight[group] * *best;
                }
                sum /= table.total[mode];
                here[mode] = stops && table.may_stop[mode] && !takes_over<W>(stop, sum, tie, ties) ? stop : sum;
            }
        }
        return rows[table.opening];
    }
    int rows_needed() const { return (cut + house->table.max_points + 1) * house->table.row(); }
};

}  // namespace jeopardice::JEOPARDICE_TARGET
