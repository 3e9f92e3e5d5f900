// The Can't Stop solver for processors with AVX2.
#include "cant_stop_run.hpp"

#ifdef JEOPARDICE_HAS_AVX2
#include "avx2_begin.hpp"
#define JEOPARDICE_TARGET avx2
#include "cant_stop_block.hpp"

std::unique_ptr<cant_stop::RowWorker> cant_stop::make_worker_avx2(const Job &job, Purpose purpose) {
    if (purpose == Purpose::time) return std::make_unique<avx2::RowTimer>(job);
    if (purpose == Purpose::count) return std::make_unique<avx2::NewtonCounter>(job);
    if (job.single) return std::make_unique<avx2::RowSolver<float>>(job);
    return std::make_unique<avx2::RowSolver<double>>(job);
}
#include "avx2_end.hpp"
#endif
