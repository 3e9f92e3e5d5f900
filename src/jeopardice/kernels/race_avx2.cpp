// Races for two, for processors with AVX2.
#include "duel.hpp"
#include "processor.hpp"

#ifdef JEOPARDICE_HAS_AVX2
#include <algorithm>
#include <barrier>
#include <limits>
#include <thread>
#include <vector>

#include "avx2_begin.hpp"
#define JEOPARDICE_TARGET avx2
#include "sweep.hpp"

void jeopardice::avx2::solve_duel(const Duel &duel, int threads, Watch watch) { solve_duel_here(duel, threads, watch); }
double jeopardice::avx2::sweep_duel(const Duel &duel, const Swept &swept, int threads, Watch watch) {
    return sweep_duel_here(duel, swept, threads, watch);
}
#include "avx2_end.hpp"
#endif
