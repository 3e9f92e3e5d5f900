// The check of cells for processors with AVX2.
#include "cells_run.hpp"

#ifdef JEOPARDICE_CELLS_AVX2
#include <limits>

#include "avx2_begin.hpp"
#define JEOPARDICE_TARGET check_cells_avx2
#include "cells_work.hpp"

std::unique_ptr<cant_stop::CellWorker> cant_stop::make_cell_checker_avx2(const CellJob &job) {
    if (job.single) {
        if (job.upper) return std::make_unique<check_cells_avx2::CellChecker<float, true>>(job);
        return std::make_unique<check_cells_avx2::CellChecker<float, false>>(job);
    }
    if (job.upper) return std::make_unique<check_cells_avx2::CellChecker<double, true>>(job);
    return std::make_unique<check_cells_avx2::CellChecker<double, false>>(job);
}
#include "avx2_end.hpp"
#endif
