#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "board_duel.hpp"

namespace nb = nanobind;
using namespace board_duel;

namespace {

template <class T>
using In = nb::ndarray<const T, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> view(const In<T> &array) {
    return {array.data(), array.size()};
}

struct DuelArrays {
    In<int64_t> first_moment;
    In<int32_t> bank;
    In<int64_t> first_group;
    In<double> weight;
    In<int64_t> first_play;
    In<int32_t> play_to;
    In<double> bust;
    In<int32_t> mask_of, turn_of, lowered, first, second;
    In<int64_t> first_of_level;

    Turns turns() const {
        return {view(first_moment), view(bank),    view(first_group), view(weight),
                view(first_play),   view(play_to), view(bust)};
    }
    Boards boards() const { return {int64_t(mask_of.size()), view(mask_of), view(turn_of), view(lowered)}; }
    Pairs pairs() const { return {view(first), view(second), view(first_of_level)}; }
};

}  // namespace

void bind_board_duel(nb::module_ &m) {
    nb::class_<DuelArrays>(m, "BoardDuel")
        .def(
            "__init__",
            [](DuelArrays *self, In<int64_t> first_moment, In<int32_t> bank, In<int64_t> first_group, In<double> weight,
               In<int64_t> first_play, In<int32_t> play_to, In<double> bust, In<int32_t> mask_of, In<int32_t> turn_of,
               In<int32_t> lowered, In<int32_t> first, In<int32_t> second, In<int64_t> first_of_level) {
                new (self) DuelArrays{first_moment, bank,    first_group, weight, first_play, play_to,       bust,
                                      mask_of,      turn_of, lowered,     first,  second,     first_of_level};
            },
            nb::kw_only(), nb::arg("first_moment"), nb::arg("bank"), nb::arg("first_group"), nb::arg("weight"),
            nb::arg("first_play"), nb::arg("play_to"), nb::arg("bust"), nb::arg("mask_of"), nb::arg("turn_of"),
            nb::arg("lowered"), nb::arg("first"), nb::arg("second"), nb::arg("first_of_level"))
        .def(
            "solve",
            [](const DuelArrays &arrays, Out<double> value, int threads, Out<int64_t> done, Out<int32_t> cancelled) {
                const Turns turns = arrays.turns();
                const Boards boards = arrays.boards();
                const Pairs pairs = arrays.pairs();
                std::atomic<int64_t> stuck = -1;
                nb::gil_scoped_release release;
                by_level(pairs, threads, {done.data(), cancelled.data()}, [&](int64_t p, Workspace &space) {
                    if (!solve_pair(turns, boards, pairs.first[p], pairs.second[p], value.data(), space)) stuck = p;
                });
                return int64_t(stuck);
            },
            nb::kw_only(), nb::arg("value"), nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"))
        .def(
            "bound",
            [](const DuelArrays &arrays, In<double> value, Out<double> bound, double rounding, int threads,
               Out<int64_t> done, Out<int32_t> cancelled) {
                const Turns turns = arrays.turns();
                const Boards boards = arrays.boards();
                const Pairs pairs = arrays.pairs();
                nb::gil_scoped_release release;
                by_level(pairs, threads, {done.data(), cancelled.data()}, [&](int64_t p, Workspace &space) {
                    bound_pair(turns, boards, pairs.first[p], pairs.second[p], value.data(), bound.data(), rounding, space);
                });
            },
            nb::kw_only(), nb::arg("value"), nb::arg("bound"), nb::arg("rounding"), nb::arg("threads"), nb::arg("done"),
            nb::arg("cancelled"));
}
