// Bounds that hold: the equations of a race, evaluated again with every rounding in a chosen direction.
#pragma once

#include "race.hpp"

namespace jeopardice {

double certify_alone(const Alone &race, Watch watch);
double certify_within(const Alone &race, int turns, const double *chance);
double certify_duel(const Duel &duel, int threads, Watch watch);
void enclose_turn(const Table &table, const Leaves &leaves, int cut, double *lower, double *upper);

}  // namespace jeopardice
