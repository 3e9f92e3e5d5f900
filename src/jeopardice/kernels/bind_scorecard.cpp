// Binds the pass over scorecards.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "scorecard.hpp"

namespace nb = nanobind;
using namespace jeopardice;

namespace {

template <class Number>
using Array = nb::ndarray<const Number, nb::c_contig, nb::device::cpu>;

}  // namespace

void bind_scorecard(nb::module_ &m) {
    m.def(
        "solve_scorecards",
        [](int boxes, int turn_rolls, int goal, int flag_box, double special_bonus, Array<int32_t> add,
           Array<double> first_roll, Array<int32_t> points, Array<uint8_t> counted, Array<int32_t> special_set,
           Array<int32_t> special_boxes, Array<uint8_t> special_full, Array<int32_t> least_total, Array<int32_t> most_total,
           nb::ndarray<double, nb::ndim<3>, nb::c_contig> values, int threads,
           nb::ndarray<int64_t, nb::ndim<1>, nb::c_contig> done,
           nb::ndarray<int32_t, nb::ndim<1>, nb::c_contig> cancelled) {
            const int open_sets = int(add.shape(0)), full = int(points.shape(2));
            const ScorecardTable table{boxes,
                                       open_sets + full,
                                       open_sets,
                                       int(add.shape(1)),
                                       turn_rolls,
                                       goal,
                                       int(values.shape(2)),
                                       flag_box,
                                       int(special_set.shape(0)),
                                       special_bonus,
                                       add.data(),
                                       first_roll.data(),
                                       points.data(),
                                       counted.data(),
                                       special_set.data(),
                                       special_boxes.data(),
                                       special_full.data(),
                                       least_total.data(),
                                       most_total.data()};
            nb::gil_scoped_release release;
            solve_scorecards(table, values.data(), threads, std::atomic_ref<int64_t>(*done.data()),
                             std::atomic_ref<int32_t>(*cancelled.data()));
        },
        nb::kw_only(), nb::arg("boxes"), nb::arg("turn_rolls"), nb::arg("goal"), nb::arg("flag_box"),
        nb::arg("special_bonus"), nb::arg("add"), nb::arg("first_roll"), nb::arg("points"), nb::arg("counted"),
        nb::arg("special_set"), nb::arg("special_boxes"), nb::arg("special_full"), nb::arg("least_total"),
        nb::arg("most_total"), nb::arg("values"), nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"));
}
