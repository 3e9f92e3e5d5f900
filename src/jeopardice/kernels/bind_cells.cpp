// The Python face of the cells: their places in a table, the passes over them, and turns replayed from a table.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "cells_run.hpp"
#include "processor.hpp"

namespace nb = nanobind;
using namespace cant_stop;

namespace {

using Cuts = nb::ndarray<const uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<nb::ndim<1>, nb::c_contig, nb::device::cpu>;  // float64 or float32
using Boards = nb::ndarray<const int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Places = nb::ndarray<int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

CellWorkerMaker maker(bool check, bool plain) {
#ifdef JEOPARDICE_CELLS_AVX2
    if (!plain && has_avx2()) return check ? make_cell_checker_avx2 : make_cell_solver_avx2;
#endif
    (void)plain;
    return check ? make_cell_checker_plain : make_cell_solver_plain;
}

auto walk_maker() {
#ifdef JEOPARDICE_CELLS_AVX2
    if (has_avx2()) return make_cell_walk_avx2;
#endif
    return make_cell_walk_plain;
}

CellTally worked(const CellLayout &layout, Values table, bool upper, double tolerance, int64_t first, int64_t last,
                 bool check, int threads, bool plain, jeopardice::Counter done, jeopardice::Flag cancelled) {
    const CellJob job{layout,   check ? layout.game.whole : layout.game.chances, table.data(), table.itemsize() == 4, upper,
                      tolerance};
    return work_cells(job, first, last, threads, maker(check, plain), jeopardice::watch_of(done, cancelled));
}

void find_cells(const CellLayout &layout, Boards boards, Places places) {
    std::vector<int> remaining(boards.shape(1));
    for (size_t i = 0; i < boards.shape(0); ++i) {
        std::copy(&boards(i, 0), &boards(i, 0) + boards.shape(1), remaining.begin());
        places(i) = layout.cell_of(remaining.data());
    }
}

// Play `walks` times `games` games; returns rows of block, column, first step, and what finer cells could gain per game.
std::pair<std::vector<std::array<int64_t, 3>>, std::vector<double>> walked(const CellLayout &layout, Values table,
                                                                           bool upper, int walks, int64_t games,
                                                                           int threads, jeopardice::Counter done,
                                                                           jeopardice::Flag cancelled) {
    const CellJob job{layout, layout.game.chances, table.data(), table.itemsize() == 4, upper, 0};
    const jeopardice::Watch watch = jeopardice::watch_of(done, cancelled);
    std::vector<Loosenesses> part(static_cast<size_t>(walks));
    std::atomic<int> next{0};
    auto loop = [&] {
        std::unique_ptr<CellWalk> walk = walk_maker()(job);
        for (int i = next++; i < walks && !watch.cancelled.load(); i = next++) {
            walk->play(games, uint64_t(i) + 1, part[size_t(i)]);
            watch.done.fetch_add(games);
        }
    };
    std::vector<std::thread> others;
    for (int t = 1; t < threads; ++t) others.emplace_back(loop);
    loop();
    for (std::thread &thread : others) thread.join();
    Loosenesses all;
    for (const Loosenesses &each : part)
        for (const auto &[where, gain] : each) all[where] += gain / double(walks * games);
    std::pair<std::vector<std::array<int64_t, 3>>, std::vector<double>> rows;
    for (const auto &[where, gain] : all) {
        rows.first.push_back(where);
        rows.second.push_back(gain);
    }
    return rows;
}

class Replay {
  public:
    Replay(const CellLayout &layout, Values table)
        : table_(table),
          job_{layout, layout.game.chances, table.data(), table.itemsize() == 4, true, 0},
          replay_(make_cell_replay(job_)) {}
    CellReplay &replay() { return *replay_; }

  private:
    Values table_;  // keeps the array alive
    CellJob job_;
    std::unique_ptr<CellReplay> replay_;
};

}  // namespace

void bind_cells(nb::module_ &m) {
    nb::class_<CellTally>(m, "CellTally")
        .def_ro("cells", &CellTally::cells)
        .def_ro("groups", &CellTally::groups)
        .def_ro("evaluations", &CellTally::evaluations)
        .def_ro("broken", &CellTally::broken);
    nb::class_<CellLayout>(m, "CellLayout")
        .def(
            "__init__", [](CellLayout *self, const Game &game, Cuts cuts) { new (self) CellLayout(game, cuts.data()); },
            nb::arg("game"), nb::arg("cuts"), nb::keep_alive<1, 2>())
        .def_ro("cells", &CellLayout::cells)
        .def_ro("generations", &CellLayout::generations)
        .def_ro("order", &CellLayout::order)
        .def("first_cells",
             [](const CellLayout &self) {
                 std::vector<int64_t> first;
                 for (uint32_t at : self.order) first.push_back(self.blocks[at].first);
                 first.push_back(self.cells);
                 return first;
             })
        .def(
            "cell",
            [](const CellLayout &self, const std::vector<int> &remaining) { return self.cell_of(remaining.data()); },
            nb::arg("remaining"))
        .def("find_cells", &find_cells, nb::arg("boards"), nb::arg("places"));
    m.def("work_cells", &worked, nb::arg("layout"), nb::arg("table"), nb::arg("upper"), nb::arg("tolerance"),
          nb::arg("first"), nb::arg("last"), nb::arg("check"), nb::arg("threads"), nb::kw_only(), nb::arg("plain") = false,
          nb::arg("done"), nb::arg("cancelled"), nb::call_guard<nb::gil_scoped_release>());
    m.def("walk_cells", &walked, nb::arg("layout"), nb::arg("table"), nb::arg("upper"), nb::arg("walks"), nb::arg("games"),
          nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"), nb::call_guard<nb::gil_scoped_release>());
    nb::class_<Replay>(m, "CellReplay")
        .def(nb::init<const CellLayout &, Values>(), nb::arg("layout"), nb::arg("table"), nb::keep_alive<1, 2>())
        .def(
            "begin", [](Replay &self, const std::vector<int> &remaining) { self.replay().begin(remaining); },
            nb::arg("remaining"))
        .def(
            "worth_at",
            [](Replay &self, const std::vector<int> &column, const std::vector<int> &p) {
                return self.replay().worth_at(column, p);
            },
            nb::arg("column"), nb::arg("p"));
}
