// Binds the passes over points tables: NumPy arrays in, filled arrays out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include "alone.hpp"
#include "arrays.hpp"
#include "certify.hpp"
#include "processor.hpp"

using namespace jeopardice;

namespace {

Worth *worths(Filled &rows) { return reinterpret_cast<Worth *>(rows.data()); }
double *or_null(Filled &array) { return array.size() > 0 ? array.data() : nullptr; }

#ifdef JEOPARDICE_HAS_AVX2
const bool is_avx2_there = cant_stop::has_avx2();
#define BEST_OF(pass) (is_avx2_there ? avx2::pass : plain::pass)
#else
#define BEST_OF(pass) (plain::pass)
#endif

}  // namespace

void bind_points(nb::module_ &m) {
    nb::class_<TableArrays>(m, "Table")
        .def(
            "__init__",
            [](TableArrays *self, int modes, int opening, int max_points, Ints first_group, Ints first_play, Ints offset,
               Ints points, Ints first_node, Ints base, Ints more, Ints group_node, Doubles weight, Doubles bust,
               Doubles total, Bytes may_stop, Doubles keep, int height, double weight_error) {
                new (self) TableArrays{modes,  opening,    max_points, first_group, first_play, offset,
                                       points, first_node, base,       more,        group_node, weight,
                                       bust,   total,      may_stop,   keep,        height,     weight_error};
            },
            nb::kw_only(), nb::arg("modes"), nb::arg("opening"), nb::arg("max_points"), nb::arg("first_group"),
            nb::arg("first_play"), nb::arg("offset"), nb::arg("points"), nb::arg("first_node"), nb::arg("base"),
            nb::arg("more"), nb::arg("group_node"), nb::arg("weight"), nb::arg("bust"), nb::arg("total"),
            nb::arg("may_stop"), nb::arg("keep"), nb::arg("height"), nb::arg("weight_error"));
    nb::class_<HouseArrays>(m, "House")
        .def(
            "__init__",
            [](HouseArrays *self, const TableArrays &table, int scores, int records, bool must_hit, Ints least_bank,
               Ints bank_to, Ints bust_to, IntGrid bust_score, Bytes reached) {
                new (self) HouseArrays{table, scores, records, must_hit, least_bank, bank_to, bust_to, bust_score, reached};
            },
            nb::arg("table"), nb::kw_only(), nb::arg("scores"), nb::arg("records"), nb::arg("must_hit"),
            nb::arg("least_bank"), nb::arg("bank_to"), nb::arg("bust_to"), nb::arg("bust_score"), nb::arg("reached"));

    // One turn with the given leaves; the rows from `cut` on are given, the others filled: [t, mode, (gain, leave)].
    m.def(
        "walk_turn",
        [](const TableArrays &arrays, Doubles bank, Doubles stop, int cut, double bust, double roll_cost, Filled rows) {
            const Table table = arrays.view();
            const Leaves<double> leaves{bank.data(), stop.data(), cut, never_past, double(never_past), roll_cost};
            nb::gil_scoped_release release;
            plain::walk_down(table, leaves, bust, worths(rows));
        },
        nb::arg("table"), nb::kw_only(), nb::arg("bank"), nb::arg("stop"), nb::arg("cut"), nb::arg("bust"),
        nb::arg("roll_cost"), nb::arg("rows"));
    // One turn from an anchor, all rows filled; past `bust_from` the turn is lost.
    m.def(
        "walk_anchor",
        [](const TableArrays &arrays, Doubles bank, Doubles stop, int cut, int bust_from, double bust, double roll_cost,
           Filled rows) {
            const Table table = arrays.view();
            const Leaves<double> leaves{bank.data(), stop.data(), cut, bust_from, double(bust_from), roll_cost};
            Worth opening;
            {
                nb::gil_scoped_release release;
                opening = walk(table, leaves, bust, worths(rows));
            }
            return std::pair(opening.gain, opening.leave);
        },
        nb::arg("table"), nb::kw_only(), nb::arg("bank"), nb::arg("stop"), nb::arg("cut"), nb::arg("bust_from"),
        nb::arg("bust"), nb::arg("roll_cost"), nb::arg("rows"));
    m.def(
        "enclose_turn",
        [](const TableArrays &arrays, int least, int cut, double bust, Filled lower, Filled upper, Counter done,
           Flag cancelled) {
            const Table table = arrays.view();
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            enclose_turn(table, least, cut, bust, lower.data(), upper.data(), watch);
        },
        nb::arg("table"), nb::kw_only(), nb::arg("least"), nb::arg("cut"), nb::arg("bust"), nb::arg("lower"),
        nb::arg("upper"), nb::arg("done"), nb::arg("cancelled"));

    m.def(
        "solve_alone",
        [](const HouseArrays &house, double turn_cost, double roll_cost, Filled worth, Filled bound, Counter done,
           Flag cancelled) {
            const Alone race{house.view(), turn_cost, roll_cost, worth.data(), or_null(bound)};
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            solve_alone(race, watch);
        },
        nb::arg("house"), nb::kw_only(), nb::arg("turn_cost"), nb::arg("roll_cost"), nb::arg("worth"), nb::arg("bound"),
        nb::arg("done"), nb::arg("cancelled"));
    m.def(
        "sweep_alone",
        [](const HouseArrays &house, double turn_cost, double roll_cost, Filled worth, int most_sweeps, Counter done,
           Flag cancelled) {
            const Alone race{house.view(), turn_cost, roll_cost, worth.data(), nullptr};
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            return sweep_alone(race, most_sweeps, watch);
        },
        nb::arg("house"), nb::kw_only(), nb::arg("turn_cost"), nb::arg("roll_cost"), nb::arg("worth"),
        nb::arg("most_sweeps"), nb::arg("done"), nb::arg("cancelled"));
    m.def(
        "certify_alone",
        [](const HouseArrays &house, double turn_cost, double roll_cost, Filled worth, Filled bound, Counter done,
           Flag cancelled) {
            const AloneValues race{house.view(), turn_cost, roll_cost, worth.data()};
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            return certify_alone(race, or_null(bound), watch);
        },
        nb::arg("house"), nb::kw_only(), nb::arg("turn_cost"), nb::arg("roll_cost"), nb::arg("worth"), nb::arg("bound"),
        nb::arg("done"), nb::arg("cancelled"));
    m.def(
        "solve_within",
        [](const HouseArrays &house, int turns, Filled chance, Counter done, Flag cancelled) {
            const Alone race{house.view(), 0.0, 0.0, chance.data(), nullptr};
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            solve_within(race, turns, chance.data(), watch);
        },
        nb::arg("house"), nb::kw_only(), nb::arg("turns"), nb::arg("chance"), nb::arg("done"), nb::arg("cancelled"));
    m.def(
        "certify_within",
        [](const HouseArrays &house, int turns, Filled chance, Counter done, Flag cancelled) {
            const AloneValues race{house.view(), 0.0, 0.0, nullptr};
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            return certify_within(race, turns, chance.data(), watch);
        },
        nb::arg("house"), nb::kw_only(), nb::arg("turns"), nb::arg("chance"), nb::arg("done"), nb::arg("cancelled"));

    nb::class_<SeatArrays>(m, "Seat").def(
        "__init__",
        [](SeatArrays *self, const HouseArrays &house, Doubles prize, Doubles caught, Doubles caught_bound, Filled worth,
           Filled bound) { new (self) SeatArrays{house, prize, caught, caught_bound, worth, bound}; },
        nb::arg("house"), nb::kw_only(), nb::arg("prize"), nb::arg("caught"), nb::arg("caught_bound"), nb::arg("worth"),
        nb::arg("bound"));
    m.def(
        "solve_duel",
        [](SeatArrays &first, SeatArrays &second, double sum, bool symmetric, bool from_draw, int threads, Counter done,
           Flag cancelled) {
            const Duel duel{{first.view(), second.view()}, sum, symmetric, from_draw};
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            BEST_OF(solve_duel)(duel, threads, watch);
        },
        nb::arg("first"), nb::arg("second"), nb::kw_only(), nb::arg("sum"), nb::arg("symmetric"), nb::arg("from_draw"),
        nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"));
    m.def(
        "certify_duel",
        [](SeatArrays &first, SeatArrays &second, double sum, bool symmetric, int threads, Counter done, Flag cancelled) {
            const Duel duel{{first.view(), second.view()}, sum, symmetric, false};
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            return BEST_OF(certify_duel)(duel, threads, watch);
        },
        nb::arg("first"), nb::arg("second"), nb::kw_only(), nb::arg("sum"), nb::arg("symmetric"), nb::arg("threads"),
        nb::arg("done"), nb::arg("cancelled"));
    nb::class_<SweptArrays>(m, "Swept")
        .def(
            "__init__",
            [](SweptArrays *self, Filled first_lower, Filled second_lower, Filled first_upper, Filled second_upper,
               Filled first_turns, Filled second_turns, Filled first_bound, Filled second_bound, double most,
               bool count_turns) {
                new (self) SweptArrays{{first_lower, second_lower},
                                       {first_upper, second_upper},
                                       {first_turns, second_turns},
                                       {first_bound, second_bound},
                                       most,
                                       count_turns};
            },
            nb::kw_only(), nb::arg("first_lower"), nb::arg("second_lower"), nb::arg("first_upper"), nb::arg("second_upper"),
            nb::arg("first_turns"), nb::arg("second_turns"), nb::arg("first_bound"), nb::arg("second_bound"),
            nb::arg("most"), nb::arg("count_turns"));
    // One sweep; returns the largest change of a value.
    m.def(
        "sweep_duel",
        [](SeatArrays &first, SeatArrays &second, SweptArrays &swept, double sum, bool symmetric, int threads, Counter done,
           Flag cancelled) {
            const Duel duel{{first.view(), second.view()}, sum, symmetric, false};
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            return BEST_OF(sweep_duel)(duel, swept.view(), threads, watch);
        },
        nb::arg("first"), nb::arg("second"), nb::arg("swept"), nb::kw_only(), nb::arg("sum"), nb::arg("symmetric"),
        nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"));
    // Check lower and upper values, or move them inwards; returns how far they fail, or the farthest move.
    m.def(
        "prove_sweep",
        [](SeatArrays &first, SeatArrays &second, SweptArrays &swept, double sum, bool symmetric, bool improve, int threads,
           Counter done, Flag cancelled) {
            const Duel duel{{first.view(), second.view()}, sum, symmetric, false};
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            return BEST_OF(prove_sweep)(duel, swept.view(), improve, threads, watch);
        },
        nb::arg("first"), nb::arg("second"), nb::arg("swept"), nb::kw_only(), nb::arg("sum"), nb::arg("symmetric"),
        nb::arg("improve"), nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"));
}
