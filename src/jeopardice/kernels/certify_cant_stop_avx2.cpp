// The Can't Stop certificate for processors with AVX2.
#include "cant_stop_run.hpp"

#ifdef JEOPARDICE_HAS_AVX2
#include "avx2_begin.hpp"
#define JEOPARDICE_TARGET avx2_certify
#include "cant_stop_block.hpp"

std::unique_ptr<cant_stop::RowWorker> cant_stop::make_certifier_avx2(const Job &job) {
    if (job.single) return std::make_unique<avx2_certify::RowCertifier<float>>(job);
    return std::make_unique<avx2_certify::RowCertifier<double>>(job);
}
#include "avx2_end.hpp"
#endif
