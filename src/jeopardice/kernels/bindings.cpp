// The Python face of the kernels. Each kernel binds itself in its own bind_*.cpp; this file only lists them.
#include <nanobind/nanobind.h>

#include "processor.hpp"

namespace nb = nanobind;

void bind_many(nb::module_ &m);
void bind_piggyback(nb::module_ &m);
void bind_plan(nb::module_ &m);
void bind_points(nb::module_ &m);
void bind_simulate(nb::module_ &m);
void bind_cant_stop(nb::module_ &m);
void bind_cells(nb::module_ &m);
void bind_scorecard(nb::module_ &m);
void bind_board_duel(nb::module_ &m);
void bind_board_simulate(nb::module_ &m);

// The compiler, and which of the vector instructions these kernels can use here.
static nb::dict built_with() {
    nb::dict about;
#if defined(__clang__)
    about["compiler"] = "Clang " __clang_version__;
#else
    about["compiler"] = "GCC " __VERSION__;
#endif
#ifdef JEOPARDICE_HAS_AVX2
    about["vectors"] = cant_stop::has_avx2() ? "AVX2" : "plain";
#else
    about["vectors"] = "plain";
#endif
    return about;
}

NB_MODULE(_kernels, m) {
    nb::set_leak_warnings(false);  // tables remembered by Python's caches live until the very end
    m.doc() = "Numeric passes over tables; they know no game, check nothing and allocate nothing in a loop.";
    m.def("built_with", &built_with);
    bind_points(m);
    bind_many(m);
    bind_piggyback(m);
    bind_plan(m);
    bind_simulate(m);
    bind_cant_stop(m);
    bind_cells(m);
    bind_scorecard(m);
    bind_board_duel(m);
    bind_board_simulate(m);
}
