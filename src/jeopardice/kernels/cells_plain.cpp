// The solver of cells for any processor.
#define JEOPARDICE_TARGET cells_plain
#include "cells_walk.hpp"
#include "cells_work.hpp"

std::unique_ptr<cant_stop::CellWorker> cant_stop::make_cell_solver_plain(const CellJob &job) {
    if (job.single) {
        if (job.upper) return std::make_unique<cells_plain::CellSolver<float, true>>(job);
        return std::make_unique<cells_plain::CellSolver<float, false>>(job);
    }
    if (job.upper) return std::make_unique<cells_plain::CellSolver<double, true>>(job);
    return std::make_unique<cells_plain::CellSolver<double, false>>(job);
}
std::unique_ptr<cant_stop::CellReplay> cant_stop::make_cell_replay(const CellJob &job) {
    if (job.single) return std::make_unique<cells_plain::BoardTurnReplay<float>>(job);
    return std::make_unique<cells_plain::BoardTurnReplay<double>>(job);
}
std::unique_ptr<cant_stop::CellWalk> cant_stop::make_cell_walk_plain(const CellJob &job) {
    if (job.single) {
        if (job.upper) return std::make_unique<cells_plain::CellWalker<float, true>>(job);
        return std::make_unique<cells_plain::CellWalker<float, false>>(job);
    }
    if (job.upper) return std::make_unique<cells_plain::CellWalker<double, true>>(job);
    return std::make_unique<cells_plain::CellWalker<double, false>>(job);
}
