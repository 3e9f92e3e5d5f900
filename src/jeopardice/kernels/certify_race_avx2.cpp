// Certificates of races for two, for processors with AVX2: rounded in chosen directions.
#include "duel.hpp"
#include "processor.hpp"

#ifdef JEOPARDICE_HAS_AVX2
#include <algorithm>
#include <barrier>
#include <limits>
#include <thread>
#include <vector>

#include "avx2_begin.hpp"
#define JEOPARDICE_TARGET avx2_certify
#include "prove_sweep.hpp"

double jeopardice::avx2::certify_duel(const Duel &duel, int threads, Watch watch) {
    return avx2_certify::certify_duel_here(duel, threads, watch);
}
double jeopardice::avx2::prove_sweep(const Duel &duel, const Swept &swept, bool improve, int threads, Watch watch) {
    return avx2_certify::proof::prove_sweep(duel, swept, improve, threads, watch);
}
#include "avx2_end.hpp"
#endif
