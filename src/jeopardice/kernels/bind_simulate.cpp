// Binds the play with random dice.
#include <nanobind/stl/tuple.h>

#include <limits>

#include "plan_arrays.hpp"
#include "simulate.hpp"

using namespace jeopardice;
using namespace jeopardice::planning;

namespace {

using Unsigned = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<int64_t, nb::c_contig, nb::device::cpu>;

struct FallsArrays {
    Ints first_roll;
    Unsigned keep;
    Ints alias, group;
    Falls view() const { return {first_roll.data(), keep.data(), alias.data(), group.data()}; }
};

void add(const std::vector<int64_t> &from, Counts &to) {
    for (size_t k = 0; k < from.size(); ++k) to.data()[k] += from[k];
}

}  // namespace

void bind_simulate(nb::module_ &m) {
    nb::class_<FallsArrays>(m, "Falls")
        .def(
            "__init__",
            [](FallsArrays *self, Ints first_roll, Unsigned keep, Ints alias, Ints group) {
                new (self) FallsArrays{first_roll, keep, alias, group};
            },
            nb::kw_only(), nb::arg("first_roll"), nb::arg("keep"), nb::arg("alias"), nb::arg("group"));

    m.def(
        "simulate_race",
        [](const PlanArrays &first, const PlanArrays &second, const FallsArrays &first_falls,
           const FallsArrays &second_falls, int seats, int first_target, int second_target, int first_least,
           int second_least, bool exact, int64_t games, uint64_t seed, int most_turns, Counts turns, Counts first_loser,
           Counts second_loser, Counts busts, Counts sums, int threads, Counter done, Flag cancelled) {
            const Plan plans[2] = {first.view(), second.view()};
            const planning::Dice dice[2] = {planning::Dice(first_falls.view(), plans[0]),
                                            planning::Dice(second_falls.view(), plans[1])};
            const int most_count = int(busts.size());
            const planning::Match match{
                plans,      dice,       seats, {first_target, second_target}, {first_least, second_least},
                most_turns, most_count, exact};
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            struct Counted {
                std::vector<int64_t> turns, first_loser, second_loser, busts, sums;
            };
            std::vector<Counted> parts(threads);
            std::vector<Tally> tallies;
            for (Counted &part : parts) {
                part = {std::vector<int64_t>(2 * most_count), std::vector<int64_t>(first_loser.size()),
                        std::vector<int64_t>(second_loser.size()), std::vector<int64_t>(most_count),
                        std::vector<int64_t>(4)};
                tallies.push_back({{part.turns.data(), part.turns.data() + most_count},
                                   {part.first_loser.data(), part.second_loser.data()},
                                   part.busts.data(),
                                   {0, 0, 0, 0}});
            }
            play_blocks(
                games, threads, watch,
                [&](int64_t game, int thread) { play_game(match, Stream(seed, uint64_t(game)), tallies[thread]); },
                [&] {
                    for (int thread = 0; thread < threads; ++thread) {
                        add(parts[thread].turns, turns);
                        add(parts[thread].first_loser, first_loser);
                        add(parts[thread].second_loser, second_loser);
                        add(parts[thread].busts, busts);
                        add({tallies[thread].sums, tallies[thread].sums + 4}, sums);
                    }
                });
        },
        nb::arg("first"), nb::arg("second"), nb::arg("first_falls"), nb::arg("second_falls"), nb::kw_only(),
        nb::arg("seats"), nb::arg("first_target"), nb::arg("second_target"), nb::arg("first_least"),
        nb::arg("second_least"), nb::arg("exact"), nb::arg("games"), nb::arg("seed"), nb::arg("most_turns"),
        nb::arg("turns"), nb::arg("first_loser"), nb::arg("second_loser"), nb::arg("busts"), nb::arg("sums"),
        nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"));

    m.def(
        "simulate_turns",
        [](const PlanArrays &arrays, const FallsArrays &falls, int64_t turns, uint64_t seed, Counts scores, Counts rolls,
           int threads, Counter done, Flag cancelled) {
            const Plan plan = arrays.view();
            const planning::Dice dice(falls.view(), plan);
            const Planned here = planned(plan, 0, 0);
            const Watch watch = watch_of(done, cancelled);
            const int most_rolls = int(rolls.size());
            nb::gil_scoped_release release;
            std::vector<std::vector<int64_t>> scored(threads, std::vector<int64_t>(scores.size())),
                rolled(threads, std::vector<int64_t>(most_rolls));
            play_blocks(
                turns, threads, watch,
                [&](int64_t number, int thread) {
                    Stream stream(seed, uint64_t(number));
                    const Outcome turn = play_turn(plan, dice, here, {std::numeric_limits<int>::max(), 1, false}, stream);
                    ++scored[thread][turn.points];
                    ++rolled[thread][std::min(turn.rolls, most_rolls - 1)];
                },
                [&] {
                    for (int thread = 0; thread < threads; ++thread) {
                        add(scored[thread], scores);
                        add(rolled[thread], rolls);
                    }
                });
        },
        nb::arg("plan"), nb::arg("falls"), nb::kw_only(), nb::arg("turns"), nb::arg("seed"), nb::arg("scores"),
        nb::arg("rolls"), nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"));
}
