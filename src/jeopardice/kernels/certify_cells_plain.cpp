// The check of cells for any processor.
#define JEOPARDICE_TARGET check_cells_plain
#include "cells_work.hpp"

std::unique_ptr<cant_stop::CellWorker> cant_stop::make_cell_checker_plain(const CellJob &job) {
    if (job.single) {
        if (job.upper) return std::make_unique<check_cells_plain::CellChecker<float, true>>(job);
        return std::make_unique<check_cells_plain::CellChecker<float, false>>(job);
    }
    if (job.upper) return std::make_unique<check_cells_plain::CellChecker<double, true>>(job);
    return std::make_unique<check_cells_plain::CellChecker<double, false>>(job);
}
