// The solver of cells for processors with AVX2.
#include "cells_run.hpp"

#ifdef JEOPARDICE_CELLS_AVX2
#include <limits>
#include <map>

#include "avx2_begin.hpp"
#define JEOPARDICE_TARGET cells_avx2
#include "cells_walk.hpp"
#include "cells_work.hpp"

std::unique_ptr<cant_stop::CellWorker> cant_stop::make_cell_solver_avx2(const CellJob &job) {
    if (job.single) {
        if (job.upper) return std::make_unique<cells_avx2::CellSolver<float, true>>(job);
        return std::make_unique<cells_avx2::CellSolver<float, false>>(job);
    }
    if (job.upper) return std::make_unique<cells_avx2::CellSolver<double, true>>(job);
    return std::make_unique<cells_avx2::CellSolver<double, false>>(job);
}
std::unique_ptr<cant_stop::CellWalk> cant_stop::make_cell_walk_avx2(const CellJob &job) {
    if (job.single) {
        if (job.upper) return std::make_unique<cells_avx2::CellWalker<float, true>>(job);
        return std::make_unique<cells_avx2::CellWalker<float, false>>(job);
    }
    if (job.upper) return std::make_unique<cells_avx2::CellWalker<double, true>>(job);
    return std::make_unique<cells_avx2::CellWalker<double, false>>(job);
}
#include "avx2_end.hpp"
#endif
