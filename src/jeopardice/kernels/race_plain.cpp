// Races for two, for any processor.
#define JEOPARDICE_TARGET plain
#include "race.hpp"

void jeopardice::plain::solve_duel(const Duel &duel, int threads, Watch watch) { solve_duel_here(duel, threads, watch); }
