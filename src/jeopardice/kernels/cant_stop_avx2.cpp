// The Can't Stop solver for processors with AVX2.
#include "cant_stop_run.hpp"

#ifdef JEOPARDICE_HAS_AVX2
#include "avx2_begin.hpp"
#define JEOPARDICE_TARGET avx2
#include "cant_stop_block.hpp"

std::unique_ptr<cant_stop::BlockWorker> cant_stop::make_timer_avx2(const Job &job) {
    return std::make_unique<avx2::BlockTimer>(job);
}
std::unique_ptr<cant_stop::BlockWorker> cant_stop::make_solver_avx2(const Job &job) {
    if (job.single) return std::make_unique<avx2::BlockSolver<float>>(job);
    return std::make_unique<avx2::BlockSolver<double>>(job);
}
#include "avx2_end.hpp"
#endif
