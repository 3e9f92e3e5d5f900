// Binds the passes over points tables: NumPy arrays in, filled arrays out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include "certify.hpp"
#include "held.hpp"

using namespace jeopardice;

namespace {

Worth *worths(Filled &rows) { return reinterpret_cast<Worth *>(rows.data()); }

Leaves points_as_worth(Doubles &bank, int bank_from) {
    return {bank.data(), 0.0, 1.0, 1, int(bank.size()), 0.0, false, bank_from < 1 ? 1 : bank_from, 0.0};
}

}  // namespace

void bind_points(nb::module_ &m) {
    nb::class_<HeldTable>(m, "Table")
        .def(
            "__init__",
            [](HeldTable *self, int modes, int opening, int max_points, Ints first_group, Ints first_play, Ints offset,
               Ints points, Doubles weight, Doubles bust, Doubles total) {
                new (self)
                    HeldTable{modes, opening, max_points, first_group, first_play, offset, points, weight, bust, total};
            },
            nb::kw_only(), nb::arg("modes"), nb::arg("opening"), nb::arg("max_points"), nb::arg("first_group"),
            nb::arg("first_play"), nb::arg("offset"), nb::arg("points"), nb::arg("weight"), nb::arg("bust"),
            nb::arg("total"));

    m.def(
        "walk_turn",
        [](const HeldTable &table, Doubles bank, int bank_from, int cut, Filled rows) {
            walk_down(table.view(), points_as_worth(bank, bank_from), 0.0, cut, worths(rows));
        },
        nb::arg("table"), nb::arg("bank"), nb::arg("bank_from"), nb::arg("cut"), nb::arg("rows"));

    m.def(
        "enclose_turn",
        [](const HeldTable &table, Doubles bank, int bank_from, int cut, Filled lower, Filled upper) {
            enclose_turn(table.view(), points_as_worth(bank, bank_from), cut, lower.data(), upper.data());
        },
        nb::arg("table"), nb::arg("bank"), nb::arg("bank_from"), nb::arg("cut"), nb::arg("lower"), nb::arg("upper"));

    m.def(
        "walk_anchor",
        [](const HeldTable &table, Doubles bank, double top, bool exact, int bank_from, double roll_cost, double x,
           Filled rows) {
            const int goal = int(bank.size());
            const Leaves leaves{bank.data(), 0.0, 1.0, 1, goal, top, exact, bank_from < 1 ? 1 : bank_from, roll_cost};
            const Worth opening = walk(table.view(), leaves, x, goal, worths(rows));
            return std::pair(opening.value, opening.slope);
        },
        nb::arg("table"), nb::arg("bank"), nb::arg("top"), nb::arg("exact"), nb::arg("bank_from"), nb::arg("roll_cost"),
        nb::arg("x"), nb::arg("rows"));

    auto alone = [](const HeldTable &table, int target, int bank_from, bool exact, double turn_cost, double roll_cost,
                    Filled &worth, Filled &bound) {
        return Alone{table.view(), target, bank_from, exact, turn_cost, roll_cost, worth.data(), bound.data()};
    };
    m.def(
        "solve_alone",
        [alone](const HeldTable &table, int target, int bank_from, bool exact, double turn_cost, double roll_cost,
                Filled worth, Filled bound, Counter done, Flag cancelled) {
            const Alone race = alone(table, target, bank_from, exact, turn_cost, roll_cost, worth, bound);
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            solve_alone(race, watch);
        },
        nb::arg("table"), nb::kw_only(), nb::arg("target"), nb::arg("bank_from"), nb::arg("exact"), nb::arg("turn_cost"),
        nb::arg("roll_cost"), nb::arg("worth"), nb::arg("bound"), nb::arg("done"), nb::arg("cancelled"));
    m.def(
        "certify_alone",
        [alone](const HeldTable &table, int target, int bank_from, bool exact, double turn_cost, double roll_cost,
                Filled worth, Filled bound, Counter done, Flag cancelled) {
            const Alone race = alone(table, target, bank_from, exact, turn_cost, roll_cost, worth, bound);
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            return certify_alone(race, watch);
        },
        nb::arg("table"), nb::kw_only(), nb::arg("target"), nb::arg("bank_from"), nb::arg("exact"), nb::arg("turn_cost"),
        nb::arg("roll_cost"), nb::arg("worth"), nb::arg("bound"), nb::arg("done"), nb::arg("cancelled"));
    m.def(
        "solve_within",
        [alone](const HeldTable &table, int target, int bank_from, bool exact, int turns, Filled chance, Counter done,
                Flag cancelled) {
            const Alone race = alone(table, target, bank_from, exact, 0.0, 0.0, chance, chance);
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            solve_within(race, turns, race.worth, watch);
        },
        nb::arg("table"), nb::kw_only(), nb::arg("target"), nb::arg("bank_from"), nb::arg("exact"), nb::arg("turns"),
        nb::arg("chance"), nb::arg("done"), nb::arg("cancelled"));
    m.def(
        "certify_within",
        [alone](const HeldTable &table, int target, int bank_from, bool exact, int turns, Filled chance) {
            const Alone race = alone(table, target, bank_from, exact, 0.0, 0.0, chance, chance);
            nb::gil_scoped_release release;
            return certify_within(race, turns, race.worth);
        },
        nb::arg("table"), nb::kw_only(), nb::arg("target"), nb::arg("bank_from"), nb::arg("exact"), nb::arg("turns"),
        nb::arg("chance"));

    nb::class_<HeldSeat>(m, "Seat").def(
        "__init__",
        [](HeldSeat *self, const HeldTable &table, int target, int bank_from, bool exact, Doubles prize, Bytes alive,
           Filled worth,
           Filled bound) { new (self) HeldSeat{table, target, bank_from, exact, prize, alive, worth, bound}; },
        nb::arg("table"), nb::kw_only(), nb::arg("target"), nb::arg("bank_from"), nb::arg("exact"), nb::arg("prize"),
        nb::arg("alive"), nb::arg("worth"), nb::arg("bound"));
    m.def(
        "solve_duel",
        [](HeldSeat &first, HeldSeat &second, double sum, bool symmetric, int threads, Counter done, Flag cancelled) {
            const Duel duel{{first.view(), second.view()}, sum, symmetric};
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            solve_duel(duel, threads, watch);
        },
        nb::arg("first"), nb::arg("second"), nb::kw_only(), nb::arg("sum"), nb::arg("symmetric"), nb::arg("threads"),
        nb::arg("done"), nb::arg("cancelled"));
    m.def(
        "certify_duel",
        [](HeldSeat &first, HeldSeat &second, double sum, bool symmetric, int threads, Counter done, Flag cancelled) {
            const Duel duel{{first.view(), second.view()}, sum, symmetric};
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            return certify_duel(duel, threads, watch);
        },
        nb::arg("first"), nb::arg("second"), nb::kw_only(), nb::arg("sum"), nb::arg("symmetric"), nb::arg("threads"),
        nb::arg("done"), nb::arg("cancelled"));
}
