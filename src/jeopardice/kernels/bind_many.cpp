// Binds the passes over races of several players.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
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

struct ManySeatArrays {
    HouseArrays house;
    Filled worth;
    Doubles law;
    Filled guide, finish;
};

struct ManyArrays {
    std::vector<ManySeatArrays> seats;
    bool symmetric;
    double tie;
    int usual, beyond, start;
    Ints mixed_seat;
    Counter mixed_position;
    Doubles mixed_share;
    Many view() {
        Many many{};
        many.players = int(seats.size());
        many.symmetric = symmetric;
        many.tie = tie;
        many.usual = Ties(usual);
        many.beyond = beyond;
        many.start = start;
        for (size_t s = 0; s < seats.size(); ++s)
            many.seat[s] = {seats[s].house.view(), seats[s].worth.data(),
                            seats[s].law.size() > 0 ? seats[s].law.data() : nullptr,
                            seats[s].guide.size() > 0 ? seats[s].guide.data() : nullptr,
                            seats[s].finish.size() > 0 ? seats[s].finish.data() : nullptr};
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
    nb::class_<ManySeatArrays>(m, "ManySeat")
        .def(
            "__init__",
            [](ManySeatArrays *self, const HouseArrays &house, Filled worth, Doubles law, Filled guide, Filled finish) {
                new (self) ManySeatArrays{house, worth, law, guide, finish};
            },
            nb::arg("house"), nb::kw_only(), nb::arg("worth"), nb::arg("law"), nb::arg("guide"), nb::arg("finish"));
    nb::class_<ManyArrays>(m, "Many").def(
        "__init__",
        [](ManyArrays *self, std::vector<ManySeatArrays> seats, bool symmetric, double tie, int usual, int beyond,
           int start, Ints mixed_seat, Counter mixed_position, Doubles mixed_share) {
            new (self) ManyArrays{seats, symmetric, tie, usual, beyond, start, mixed_seat, mixed_position, mixed_share};
        },
        nb::arg("seats"), nb::kw_only(), nb::arg("symmetric"), nb::arg("tie"), nb::arg("usual"), nb::arg("beyond"),
        nb::arg("start"), nb::arg("mixed_seat"), nb::arg("mixed_position"), nb::arg("mixed_share"));
    // Fill the values; returns the mixed positions and the cycles without an answer.
    m.def(
        "solve_many",
        [](ManyArrays &arrays, int threads, Counter done, Flag cancelled) {
            const Many many = arrays.view();
            const Watch watch = watch_of(done, cancelled);
            ManyResult result;
            {
                nb::gil_scoped_release release;
                result = BEST_OF(solve_many)(many, threads, watch);
            }
            return std::pair(rows_of(result.mixed), rows_of(result.unsettled));
        },
        nb::arg("many"), nb::kw_only(), nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"));
    m.def(
        "other_many",
        [](ManyArrays &arrays, int threads, Counter done, Flag cancelled) {
            const Many many = arrays.view();
            const Watch watch = watch_of(done, cancelled);
            ManyResult result;
            {
                nb::gil_scoped_release release;
                result = BEST_OF(other_many)(many, threads, watch);
            }
            return rows_of(result.other);
        },
        nb::arg("many"), nb::kw_only(), nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"));
    m.def(
        "certify_many",
        [](ManyArrays &arrays, int threads, Counter done, Flag cancelled) {
            const Many many = arrays.view();
            const Watch watch = watch_of(done, cancelled);
            ManyBound bound;
            {
                nb::gil_scoped_release release;
                bound = BEST_OF(certify_many)(many, threads, watch);
            }
            return std::pair(bound.gain, bound.error);
        },
        nb::arg("many"), nb::kw_only(), nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"));
    // Sweep once; returns the largest change, how far mixed positions are from their kinks, and those mixed in a cycle.
    m.def(
        "sweep_many",
        [](ManyArrays &arrays, double width, bool looks, int threads, Counter done, Flag cancelled) {
            const Many many = arrays.view();
            const Watch watch = watch_of(done, cancelled);
            ManySwept swept;
            {
                nb::gil_scoped_release release;
                swept = BEST_OF(sweep_many)(many, width, looks, threads, watch);
            }
            return std::tuple(swept.moved, rows_of(swept.kinks), rows_of(swept.mixed));
        },
        nb::arg("many"), nb::kw_only(), nb::arg("width"), nb::arg("looks"), nb::arg("threads"), nb::arg("done"),
        nb::arg("cancelled"));
    // Move bounds of chances, or of the chance that the race goes on, once; returns by how much they were off, and the
    // least chance that a turn banks.
    m.def(
        "bound_many",
        [](ManyArrays &guided, bool goes_on, bool moves, int threads, Counter done, Flag cancelled) {
            const Many many = guided.view();
            const Watch watch = watch_of(done, cancelled);
            ManyRaised raised;
            {
                nb::gil_scoped_release release;
                raised = BEST_OF(bound_many)(many, goes_on, moves, threads, watch);
            }
            return std::pair(raised.over, raised.leave);
        },
        nb::arg("many"), nb::kw_only(), nb::arg("goes_on"), nb::arg("moves"), nb::arg("threads"), nb::arg("done"),
        nb::arg("cancelled"));
    m.def(
        "replay_many",
        [](ManyArrays &arrays, int seat, Ints standings, int ties, Filled rows) {
            BEST_OF(replay_many)(arrays.view(), seat, standings.data(), Ties(ties), rows.data());
        },
        nb::arg("many"), nb::kw_only(), nb::arg("seat"), nb::arg("standings"), nb::arg("ties"), nb::arg("rows"));
    // Fill the rows of a follower's turn in a last round; returns what another turn gains at most, and the error.
    m.def(
        "last_turn",
        [](const HouseArrays &house, int depth, int first, Filled leaves, double tie, int ties, Filled rows) {
            const LastTurn last{
                house.view(), int(leaves.shape(1)), depth, first, int(leaves.shape(0)) - 1, leaves.data(), tie, Ties(ties)};
            const ManyBound bound = BEST_OF(last_turn)(last, rows.data());
            return std::pair(bound.gain, bound.error);
        },
        nb::arg("house"), nb::kw_only(), nb::arg("depth"), nb::arg("first"), nb::arg("leaves"), nb::arg("tie"),
        nb::arg("ties"), nb::arg("rows"));
}
