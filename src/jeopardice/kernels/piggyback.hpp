// A race for two in which the next player may take over the dice left and the points just banked, as the kernels see it.
//
// W(a, b) is the value of the player to move who has a and begins a turn of their own, the other has b. R(a, b; t, m) is
// the value of rolling in mode m with t units at risk, x = sum - W(b, a) what a bust is worth:
//     R(a, b; t, m) = (bust[m] x + sum over groups of weight * max over plays V(t + points, to)) / total[m]
//     V(t, m)       = max(R(a, b; t, m), stop(t, m)),  stop(t, m) = sum - max(W(b, a + t), R(b, a + t; t, m)) below the
//     target W(a, b)       = R(a, b; 0, opening)
// A play that ends the turn leaves all dice: the opening mode. Offers come from the other's last bank, so t <= b, and they
// may lie beyond the target of the player who takes them: then any roll that does not bust wins.
#pragma once

#include "table.hpp"

namespace jeopardice {

struct Piggyback {
    House house;          // busts lead back to the standing they came from, and the target need not be hit
    const double *prize;  // [other's score] what reaching the target is worth
    double sum;           // what both values add up to
    double *worth;        // [own score, other's score] W
    double *rolled;       // [own score, offer, mode] R; the offers of other's score b are t = 1 to b, one b after the other

    int least(int score) const { return house.least_bank[score > 0 ? house.bank_to[0] : 0]; }
    int64_t offers() const { return int64_t(house.scores) * (house.scores - 1) / 2; }
    double *at(int a, int b) const { return worth + int64_t(a) * house.scores + b; }
    // R of a position by [t - 1, mode]
    double *rolled_at(int a, int b) const {
        return rolled + (int64_t(a) * offers() + int64_t(b) * (b - 1) / 2) * house.table.modes;
    }
    // What the other, with `theirs`, makes of a bank of t that leads to score a + t and leaves a mode.
    double after_bank(int theirs, int score, int t, int mode) const {
        const Table &table = house.table;
        const double taken =
            rolled_at(theirs, score)[int64_t(t - 1) * table.modes + (mode < table.modes ? mode : table.opening)];
        const double begun = *at(theirs, score);
        return taken > begun ? taken : begun;
    }
};

void solve_piggyback(const Piggyback &race, int threads, Watch watch);
double certify_piggyback(const Piggyback &race, int threads, Watch watch);
// One turn of a solved race, all rows filled: [t up to the target and past it, mode, (V, bust chance)].
void walk_piggyback(const Piggyback &race, int a, int b, double *rows);

}  // namespace jeopardice
