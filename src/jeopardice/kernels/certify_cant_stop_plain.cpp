// The Can't Stop certificate for any processor.
#define JEOPARDICE_TARGET plain_certify
#include "cant_stop_block.hpp"

std::unique_ptr<cant_stop::RowWorker> cant_stop::make_certifier_plain(const Job &job) {
    if (job.single) return std::make_unique<plain_certify::RowCertifier<float>>(job);
    return std::make_unique<plain_certify::RowCertifier<double>>(job);
}
