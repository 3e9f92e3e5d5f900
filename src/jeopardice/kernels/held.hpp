// What the bindings share: NumPy arrays held as long as the kernels' structs look at them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "race.hpp"

namespace jeopardice {

namespace nb = nanobind;

using Ints = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Filled = nb::ndarray<double, nb::c_contig, nb::device::cpu>;
using Counter = nb::ndarray<int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Flag = nb::ndarray<int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A table that keeps its arrays alive.
struct HeldTable {
    int modes, opening, max_points;
    Ints first_group, first_play, offset, points;
    Doubles weight, bust, total;
    Table view() const {
        return {modes,         opening,       max_points,    first_group.data(), first_play.data(),
                offset.data(), points.data(), weight.data(), bust.data(),        total.data()};
    }
};

struct HeldSeat {
    HeldTable table;
    int target, bank_from;
    bool exact;
    Doubles prize;
    Bytes alive;
    Filled worth, bound;
    Seat view() { return {table.view(), target, bank_from, exact, prize.data(), alive.data(), worth.data(), bound.data()}; }
};

inline Watch watch_of(Counter &done, Flag &cancelled) {
    return {std::atomic_ref<int64_t>(*done.data()), std::atomic_ref<int32_t>(*cancelled.data())};
}

}  // namespace jeopardice
