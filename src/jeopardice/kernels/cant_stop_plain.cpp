// The Can't Stop solver for any processor.
#define JEOPARDICE_TARGET plain
#include "cant_stop_block.hpp"

std::unique_ptr<cant_stop::RowWorker> cant_stop::make_worker_plain(const Job &job, Purpose purpose) {
    if (purpose == Purpose::time) return std::make_unique<plain::RowTimer>(job);
    if (purpose == Purpose::count) return std::make_unique<plain::NewtonCounter>(job);
    if (job.single) return std::make_unique<plain::RowSolver<float>>(job);
    return std::make_unique<plain::RowSolver<double>>(job);
}

std::unique_ptr<cant_stop::TurnReplay> cant_stop::make_replay(const Job &job) {
    if (job.single) return std::make_unique<plain::BoardReplay<float>>(job);
    return std::make_unique<plain::BoardReplay<double>>(job);
}
