// What the bindings share: NumPy arrays that stay alive as long as the kernels' structs look at them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "duel.hpp"

namespace jeopardice {

namespace nb = nanobind;

using Ints = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using IntGrid = nb::ndarray<const int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Filled = nb::ndarray<double, nb::c_contig, nb::device::cpu>;
using Counter = nb::ndarray<int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Flag = nb::ndarray<int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A turn's table that keeps its arrays alive.
struct TableArrays {
    int modes, opening, max_points;
    Ints first_group, first_play, offset, points, first_node, base, more, group_node;
    Doubles weight, bust, total;
    Bytes may_stop;
    Doubles keep;
    int height;
    double weight_error;
    Table view() const {
        bool must_roll = false;
        int free_mode = -1, free_modes = 0;
        for (int mode = 0; mode < modes; ++mode) {
            must_roll |= !may_stop.data()[mode];
            if (bust.data()[mode] == 0 && ++free_modes == 1) free_mode = mode;
        }
        if (free_modes > 1) free_mode = -1;
        return {modes,         opening,           max_points,      first_group.data(), first_play.data(), offset.data(),
                points.data(), first_node.data(), base.data(),     more.data(),        group_node.data(), weight.data(),
                bust.data(),   total.data(),      may_stop.data(), keep.data(),        must_roll,         height,
                weight_error,  free_mode};
    }
};

// The rules between turns that keep their arrays alive.
struct HouseArrays {
    TableArrays table;
    int scores, records;
    bool must_hit;
    Ints least_bank, bank_to, bust_to;
    IntGrid bust_score;
    Bytes reached;
    House view() const {
        return {table.view(),   scores,         records,           must_hit,      least_bank.data(),
                bank_to.data(), bust_to.data(), bust_score.data(), reached.data()};
    }
};

// One seat of a race for two; empty arrays stand for what there is not.
struct SeatArrays {
    HouseArrays house;
    Doubles prize, caught, caught_bound;
    Filled worth, bound;
    Seat view() {
        const bool last_round = caught.size() > 0;
        return {house.view(),
                prize.data(),
                last_round ? caught.data() : nullptr,
                last_round ? caught_bound.data() : nullptr,
                last_round ? int(caught.size()) - 1 : 0,
                worth.data(),
                bound.size() > 0 ? bound.data() : nullptr};
    }
};

// What is swept, kept alive.
struct SweptArrays {
    Filled lower[2], upper[2], turns[2], bound[2];
    double most;
    bool count_turns;
    Swept view() {
        Swept swept{{}, {}, {}, {}, most, count_turns};
        for (int s = 0; s < 2; ++s) {
            swept.lower[s] = lower[s].data();
            swept.upper[s] = upper[s].data();
            swept.turns[s] = turns[s].data();
            swept.stop_bound[s] = bound[s].size() > 0 ? bound[s].data() : nullptr;
        }
        return swept;
    }
};

inline Watch watch_of(Counter &done, Flag &cancelled) {
    return {std::atomic_ref<int64_t>(*done.data()), std::atomic_ref<int32_t>(*cancelled.data())};
}

}  // namespace jeopardice
