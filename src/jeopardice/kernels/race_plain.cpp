// Races for two, for any processor.
#define JEOPARDICE_TARGET plain
#include "sweep.hpp"

void jeopardice::plain::solve_duel(const Duel &duel, int threads, Watch watch) { solve_duel_here(duel, threads, watch); }
double jeopardice::plain::sweep_duel(const Duel &duel, const Swept &swept, int threads, Watch watch) {
    return sweep_duel_here(duel, swept, threads, watch);
}
