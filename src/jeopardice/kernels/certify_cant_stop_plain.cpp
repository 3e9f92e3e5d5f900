// The Can't Stop certificate for any processor.
#define JEOPARDICE_TARGET plain_certify
#include "cant_stop_block.hpp"

std::unique_ptr<cant_stop::BlockWorker> cant_stop::make_certifier_plain(const Job &job) {
    if (job.single) return std::make_unique<plain_certify::BlockCertifier<float>>(job);
    return std::make_unique<plain_certify::BlockCertifier<double>>(job);
}
