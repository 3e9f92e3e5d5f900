// Binds the passes over races of several players.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "held.hpp"
#include "many.hpp"
#include "processor.hpp"

using namespace jeopardice;

namespace {

#ifdef JEOPARDICE_HAS_AVX2
const bool is_avx2_there = cant_stop::has_avx2();
#define BEST_OF(pass) (is_avx2_there ? avx2::pass : plain::pass)
#else
#define BEST_OF(pass) (plain::pass)
#endif

struct HeldManySeat {
    HeldHouse house;
    Filled worth;
    Doubles law;
    Filled guide;
};

struct HeldMany {
    std::vector<HeldManySeat> seats;
    bool symmetric;
    double tie;
    int usual, start;
    Ints mixed_seat;
    Counter mixed_position;
    Doubles mixed_share;
    Many view() {
        Many many{};
        many.players = int(seats.size());
        many.symmetric = symmetric;
        many.tie = tie;
        many.usual = Ties(usual);
        many.start = start;
        for (size_t s = 0; s < seats.size(); ++s)
            many.seat[s] = {seats[s].house.view(), seats[s].worth.data(),
                            seats[s].law.size() > 0 ? seats[s].law.data() : nullptr,
                            seats[s].guide.size() > 0 ? seats[s].guide.data() : nullptr};
        for (size_t i = 0; i < mixed_seat.size(); ++i)
            many.mixed.push_back({mixed_seat.data()[i], mixed_position.data()[i], mixed_share.data()[i]});
        return many;
    }
};

using Rows = std::vector<std::tuple<int, int64_t, double>>;
Rows rows_of(const std::vector<Mixed> &mixed) {
    Rows rows;
    for (const Mixed &at : mixed) rows.emplace_back(at.seat, at.position, at.share);
    return rows;
}

}  // namespace

void bind_many(nb::module_ &m) {
    nb::class_<HeldManySeat>(m, "ManySeat")
        .def(
            "__init__",
            [](HeldManySeat *self, const HeldHouse &house, Filled worth, Doubles law, Filled guide) {
                new (self) HeldManySeat{house, worth, law, guide};
            },
            nb::arg("house"), nb::kw_only(), nb::arg("worth"), nb::arg("law"), nb::arg("guide"));
    nb::class_<HeldMany>(m, "Many").def(
        "__init__",
        [](HeldMany *self, std::vector<HeldManySeat> seats, bool symmetric, double tie, int usual, int start,
           Ints mixed_seat, Counter mixed_position, Doubles mixed_share) {
            new (self) HeldMany{seats, symmetric, tie, usual, start, mixed_seat, mixed_position, mixed_share};
        },
        nb::arg("seats"), nb::kw_only(), nb::arg("symmetric"), nb::arg("tie"), nb::arg("usual"), nb::arg("start"),
        nb::arg("mixed_seat"), nb::arg("mixed_position"), nb::arg("mixed_share"));
    // Fill the values; returns the mixed positions and the cycles without an answer.
    m.def(
        "solve_many",
        [](HeldMany &held, int threads, Counter done, Flag cancelled) {
            const Many many = held.view();
            const Watch watch = watch_of(done, cancelled);
            ManyFound found;
            {
                nb::gil_scoped_release release;
                found = BEST_OF(solve_many)(many, threads, watch);
            }
            return std::pair(rows_of(found.mixed), rows_of(found.unsettled));
        },
        nb::arg("many"), nb::kw_only(), nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"));
    m.def(
        "other_many",
        [](HeldMany &held, int threads, Counter done, Flag cancelled) {
            const Many many = held.view();
            const Watch watch = watch_of(done, cancelled);
            ManyFound found;
            {
                nb::gil_scoped_release release;
                found = BEST_OF(other_many)(many, threads, watch);
            }
            return rows_of(found.other);
        },
        nb::arg("many"), nb::kw_only(), nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"));
    m.def(
        "certify_many",
        [](HeldMany &held, int threads, Counter done, Flag cancelled) {
            const Many many = held.view();
            const Watch watch = watch_of(done, cancelled);
            ManyBound bound;
            {
                nb::gil_scoped_release release;
                bound = BEST_OF(certify_many)(many, threads, watch);
            }
            return std::pair(bound.gain, bound.error);
        },
        nb::arg("many"), nb::kw_only(), nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"));
    m.def(
        "replay_many",
        [](HeldMany &held, int seat, Ints standings, int ties, Filled rows) {
            BEST_OF(replay_many)(held.view(), seat, standings.data(), Ties(ties), rows.data());
        },
        nb::arg("many"), nb::kw_only(), nb::arg("seat"), nb::arg("standings"), nb::arg("ties"), nb::arg("rows"));
}
