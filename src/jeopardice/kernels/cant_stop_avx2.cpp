// The Can't Stop solver for processors with AVX2: the same operations, four lanes in one register, the same bits.
#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <ctime>

#include "cant_stop_run.hpp"

#ifdef JEOPARDICE_HAS_AVX2
// After the standard headers, so that no shared inline function is compiled for this processor alone.
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#define JEOPARDICE_TARGET avx2
#include "cant_stop_block.hpp"

std::unique_ptr<cant_stop::BlockWorker> cant_stop::make_timer_avx2(const Job &job) {
    return std::make_unique<avx2::BlockTimer>(job);
}
std::unique_ptr<cant_stop::BlockWorker> cant_stop::make_solver_avx2(const Job &job) {
    if (job.single) return std::make_unique<avx2::BlockSolver<float>>(job);
    return std::make_unique<avx2::BlockSolver<double>>(job);
}
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
