// A plan that keeps its arrays alive, for the bindings.
#pragma once

#include "arrays.hpp"
#include "plan.hpp"

namespace jeopardice::planning {

using Longs = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

struct PlanSeatArrays {
    TableArrays table;
    int target, least_bank;
    bool exact;
    Doubles prize;
    Bytes alive;
    Filled worth, bound;
    Seat view() {
        return {table.view(), target, least_bank, exact, prize.data(), alive.data(), worth.data(), bound.data()};
    }
};

struct PlanArrays {
    TableArrays table;
    int choices, tallest;
    Ints choice;
    IntGrid plan_of;
    Longs first_row;
    Rows stop, chosen;
    Plan view() const {
        return {table.view(),   choices,          int(plan_of.shape(1)), tallest,      choice.data(),
                plan_of.data(), first_row.data(), stop.data(),           chosen.data()};
    }
};

}  // namespace jeopardice::planning
