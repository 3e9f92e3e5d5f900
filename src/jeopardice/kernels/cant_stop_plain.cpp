// The Can't Stop solver for any processor.
#define JEOPARDICE_TARGET plain
#include "cant_stop_block.hpp"

std::unique_ptr<cant_stop::BlockWorker> cant_stop::make_timer_plain(const Job &job) {
    return std::make_unique<plain::BlockTimer>(job);
}
std::unique_ptr<cant_stop::BlockWorker> cant_stop::make_solver_plain(const Job &job) {
    if (job.single) return std::make_unique<plain::BlockSolver<float>>(job);
    return std::make_unique<plain::BlockSolver<double>>(job);
}

std::unique_ptr<cant_stop::TurnReplay> cant_stop::make_replay(const Job &job) {
    if (job.single) return std::make_unique<plain::BoardReplay<float>>(job);
    return std::make_unique<plain::BoardReplay<double>>(job);
}
