// Bounds that hold: the equations of a turn or a race alone, evaluated again with every rounding in a chosen direction.
#pragma once
#include "table.hpp"

namespace jeopardice {

// A race alone as the certificate reads it.
struct AloneValues {
    House house;
    double turn_cost, roll_cost;
    const double *worth;  // [standing]
};

double certify_alone(const AloneValues &race, double *bound, Watch watch);
double certify_within(const AloneValues &race, int turns, const double *chance, Watch watch);

// Fill lower and upper worths of a turn below `cut`, both given from there on; stop(t) is worth t from `least` on.
void enclose_turn(const Table &table, int least, int cut, double bust, double *lower, double *upper, Watch watch);

}  // namespace jeopardice
