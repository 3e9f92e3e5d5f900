// The Python face of the kernels. Each kernel binds itself in its own bind_*.cpp; this file only lists them.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_plan(nb::module_ &m);
void bind_points(nb::module_ &m);
void bind_simulate(nb::module_ &m);
void bind_cant_stop(nb::module_ &m);
void bind_cells(nb::module_ &m);
void bind_scorecard(nb::module_ &m);
void bind_board_duel(nb::module_ &m);
void bind_board_simulate(nb::module_ &m);

NB_MODULE(_kernels, m) {
    nb::set_leak_warnings(false);  // tables remembered by Python's caches live until the very end
    m.doc() = "Numeric passes over tables; they know no game, check nothing and allocate nothing in a loop.";
    bind_points(m);
    bind_plan(m);
    bind_simulate(m);
    bind_cant_stop(m);
    bind_cells(m);
    bind_scorecard(m);
    bind_board_duel(m);
    bind_board_simulate(m);
}
