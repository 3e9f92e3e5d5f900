// Binds Can't Stop with random dice.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include "board_simulate.hpp"
#include "plan_arrays.hpp"

using namespace jeopardice;

namespace {

using Counts = nb::ndarray<int64_t, nb::c_contig, nb::device::cpu>;
using Seen = nb::ndarray<int8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;  // [game or nothing][see play_board_game]
using Turns = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

struct HabitValues {
    std::vector<double> progress, choice;
    double odds, evens, highs, lows, marker, threshold;
    int rolls;
    double stop_chance;
    WinEstimate estimate{};
    Turns turns{};
    Habit view() const {
        return {progress.data(),
                choice.data(),
                odds,
                evens,
                highs,
                lows,
                marker,
                threshold,
                rolls,
                stop_chance,
                estimate.ratio > 0 ? &estimate : nullptr};
    }
};

struct LookAheadValues : HabitValues {};

void add(const std::vector<int64_t> &from, Counts &to) {
    for (size_t k = 0; k < from.size(); ++k) to.data()[k] += from[k];
}

}  // namespace

void bind_board_simulate(nb::module_ &m) {
    nb::class_<HabitValues>(m, "BoardHabit")
        .def(
            "__init__",
            [](HabitValues *self, std::vector<double> progress, std::vector<double> choice, double odds, double evens,
               double highs, double lows, double marker, double threshold, int rolls, double stop_chance) {
                new (self) HabitValues{progress, choice, odds, evens, highs, lows, marker, threshold, rolls, stop_chance};
            },
            nb::kw_only(), nb::arg("progress"), nb::arg("choice"), nb::arg("odds"), nb::arg("evens"), nb::arg("highs"),
            nb::arg("lows"), nb::arg("marker"), nb::arg("threshold"), nb::arg("rolls"), nb::arg("stop_chance"));
    nb::class_<LookAheadValues, HabitValues>(m, "BoardLookAhead")
        .def(
            "__init__",
            [](LookAheadValues *self, double ratio, double tempo, double least) {
                new (self) LookAheadValues{};
                self->estimate = {ratio, tempo, least, nullptr, nullptr};
            },
            nb::kw_only(), nb::arg("ratio"), nb::arg("tempo"), nb::arg("least"))
        .def(
            "count_turns",
            [](LookAheadValues &self, const cant_stop::CellLayout &cells, Turns turns) {
                self.turns = turns;
                self.estimate.cells = &cells;
                self.estimate.turns = turns.data();
            },
            nb::arg("cells"), nb::arg("turns"), nb::keep_alive<1, 2>());

    m.def(
        "simulate_boards",
        [](int sides, std::vector<int> lengths, int columns_to_win, int markers, bool closed_to_both,
           const HabitValues &first, const HabitValues &second, int seats, int64_t games, uint64_t seed, int most_turns,
           std::vector<int> start, Counts turns, Counts busts, Counts won, Counts chosen, Counts sums, Seen seen,
           int threads, Counter done, Flag cancelled) {
            Board board{sides, int(lengths.size()), columns_to_win, markers, closed_to_both, {}};
            std::copy(lengths.begin(), lengths.end(), board.length);
            const Habit habits[2] = {first.view(), second.view()};
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            std::vector<BoardTally> tallies(threads);
            for (BoardTally &tally : tallies) {
                tally.turns.resize(turns.size());
                tally.busts.resize(busts.size());
                tally.won.resize(board.columns);
                tally.chosen.resize(board.columns);
            }
            const RollList rolls(sides);
            BoardSide from[2];
            for (int k = 0; k < 2 * board.columns; ++k) {
                BoardSide &side = from[k / board.columns];
                side.climbed[k % board.columns] = start[size_t(k)];
                side.completed += start[size_t(k)] == board.length[k % board.columns];
            }
            play_blocks(
                games, threads, watch,
                [&](int64_t game, int thread) {
                    play_board_game(board, habits, seats, most_turns, from, rolls, Stream(seed, uint64_t(game)),
                                    tallies[thread], seen.shape(0) ? &seen(size_t(game), 0) : nullptr);
                },
                [&] {
                    for (BoardTally &tally : tallies) {
                        add(tally.turns, turns);
                        add(tally.busts, busts);
                        add(tally.won, won);
                        add(tally.chosen, chosen);
                        sums.data()[0] += tally.drawn;
                        sums.data()[1] += tally.rolls;
                    }
                });
        },
        nb::kw_only(), nb::arg("sides"), nb::arg("lengths"), nb::arg("columns_to_win"), nb::arg("markers"),
        nb::arg("closed_to_both"), nb::arg("first"), nb::arg("second"), nb::arg("seats"), nb::arg("games"), nb::arg("seed"),
        nb::arg("most_turns"), nb::arg("start"), nb::arg("turns"), nb::arg("busts"), nb::arg("won"), nb::arg("chosen"),
        nb::arg("sums"), nb::arg("seen"), nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"));
}
