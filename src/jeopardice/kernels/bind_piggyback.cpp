// Binds the passes over races with piggyback.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "arrays.hpp"
#include "piggyback.hpp"

using namespace jeopardice;

void bind_piggyback(nb::module_ &m) {
    m.def(
        "solve_piggyback",
        [](const HouseArrays &house, Doubles prize, double sum, Filled worth, Filled rolled, int threads, Counter done,
           Flag cancelled) {
            const Piggyback race{house.view(), prize.data(), sum, worth.data(), rolled.data()};
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            solve_piggyback(race, threads, watch);
        },
        nb::arg("house"), nb::kw_only(), nb::arg("prize"), nb::arg("sum"), nb::arg("worth"), nb::arg("rolled"),
        nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"));
    m.def(
        "certify_piggyback",
        [](const HouseArrays &house, Doubles prize, double sum, Filled worth, Filled rolled, int threads, Counter done,
           Flag cancelled) {
            const Piggyback race{house.view(), prize.data(), sum, worth.data(), rolled.data()};
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            return certify_piggyback(race, threads, watch);
        },
        nb::arg("house"), nb::kw_only(), nb::arg("prize"), nb::arg("sum"), nb::arg("worth"), nb::arg("rolled"),
        nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"));
    // One turn of a solved race: rows [t, mode, (value, bust chance)] up to the target and one play past it.
    m.def(
        "walk_piggyback",
        [](const HouseArrays &house, Doubles prize, double sum, Filled worth, Filled rolled, int mine, int theirs,
           Filled rows) {
            const Piggyback race{house.view(), prize.data(), sum, worth.data(), rolled.data()};
            nb::gil_scoped_release release;
            walk_piggyback(race, mine, theirs, rows.data());
        },
        nb::arg("house"), nb::kw_only(), nb::arg("prize"), nb::arg("sum"), nb::arg("worth"), nb::arg("rolled"),
        nb::arg("mine"), nb::arg("theirs"), nb::arg("rows"));
}
