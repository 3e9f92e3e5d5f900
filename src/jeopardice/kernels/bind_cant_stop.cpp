// The Python face of the Can't Stop kernel.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <string>

#include "cant_stop_run.hpp"
#include "processor.hpp"

namespace nb = nanobind;
using namespace cant_stop;

namespace {

template <class T>
using In = nb::ndarray<const T, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<uint8_t, nb::c_contig, nb::device::cpu>;

std::unique_ptr<RowWorker> make_worker(const Job &job, Purpose purpose, bool plain) {
#ifdef JEOPARDICE_HAS_AVX2
    if (!plain && has_avx2())
        return purpose == Purpose::certify ? make_certifier_avx2(job) : make_worker_avx2(job, purpose);
#endif
    (void)plain;
    return purpose == Purpose::certify ? make_certifier_plain(job) : make_worker_plain(job, purpose);
}

Job job_of(const Board &board, nb::ndarray<> &table, Purpose purpose) {
    return {board, board.layout, purpose == Purpose::certify ? board.game.whole : board.game.chances, table.data(),
            table.itemsize() == 4};
}

// Does rows one after the other; keeps the board and the array alive.
class BoardWorker {
  public:
    BoardWorker(const Board &board, nb::ndarray<> table, Purpose purpose, double slack, bool plain)
        : table_(table), job_(job_of(board, table, purpose)) {
        job_.slack = slack;
        worker_ = make_worker(job_, purpose, plain);
    }
    BoardWorker(const Board &board, nb::ndarray<> table, Counts counts, double start, double tolerance, bool secant)
        : table_(table), counts_(counts), job_(job_of(board, table, Purpose::count)) {
        job_.counts = counts.data();
        job_.start = start;
        job_.tolerance = tolerance;
        job_.secant = secant;
        worker_ = make_worker(job_, Purpose::count, false);
    }
    // Returns how many of the rows were done before stop() was called.
    int64_t work(const std::vector<int64_t> &rows) {
        int64_t done = 0;
        for (; done < int64_t(rows.size()) && !stopped_; ++done)
            worker_->work(job_.layout.order[size_t(rows[size_t(done)])]);
        return done;
    }
    void stop() { stopped_ = true; }
    const RowWorker &worker() const { return *worker_; }

  private:
    nb::ndarray<> table_;
    Counts counts_;
    Job job_;
    std::unique_ptr<RowWorker> worker_;
    std::atomic<bool> stopped_{false};
};

class BoardReplay {
  public:
    BoardReplay(const Board &board, nb::ndarray<> table)
        : table_(table), job_(job_of(board, table, Purpose::solve)), replay_(make_replay(job_)) {}
    TurnReplay &replay() { return *replay_; }

  private:
    nb::ndarray<> table_;
    Job job_;
    std::unique_ptr<TurnReplay> replay_;
};

// The row and the place in it where a board stands.
std::pair<int64_t, int64_t> cell(const Board &board, const std::vector<int> &remaining) {
    const Layout &layout = board.layout;
    int64_t block = 0, straight = 0, swapped = 0;
    for (size_t c = 0; c < remaining.size(); ++c) {
        block += remaining[c] * layout.block_step[c];
        straight += remaining[c] * layout.cell_step[c];
        swapped += remaining[c] * layout.swapped_step[c];
    }
    return {layout.row(block), layout.place[size_t(block)] < 0 ? swapped : straight};
}

}  // namespace

void bind_cant_stop(nb::module_ &m) {
    nb::class_<Game>(m, "CantStopGame")
        .def(
            "__init__",
            [](Game *self, const std::vector<int> &lengths, int columns_to_win, double total,
               const std::vector<int> &closed_sets, In<double> bust, In<int32_t> count, In<double> weight,
               In<uint16_t> play) {
                Rules rules{int(lengths.size()), columns_to_win, total, {}};
                std::copy(lengths.begin(), lengths.end(), rules.length.begin());
                new (self) Game(rules, {{bust.data(), bust.size()},
                                        {weight.data(), weight.size()},
                                        {count.data(), count.size()},
                                        {play.data(), play.size()},
                                        closed_sets});
            },
            nb::kw_only(), nb::arg("lengths"), nb::arg("columns_to_win"), nb::arg("total"), nb::arg("closed_sets"),
            nb::arg("bust"), nb::arg("count"), nb::arg("weight"), nb::arg("play"));
    nb::class_<Board>(m, "CantStopBoard")
        .def(nb::init<const Game &>(), nb::arg("game"), nb::keep_alive<1, 2>())
        .def_prop_ro("rows", [](const Board &self) { return self.layout.order.size(); })
        .def_prop_ro("row_size", [](const Board &self) { return self.layout.block_size; })
        .def_prop_ro("places", [](const Board &self) { return self.layout.place; })
        .def_prop_ro("boards_of_rows", &Board::boards_of_rows)
        .def("cell", &cell, nb::arg("remaining"));

    nb::enum_<Purpose>(m, "CantStopPurpose")
        .value("solve", Purpose::solve)
        .value("certify", Purpose::certify)
        .value("time", Purpose::time);
    nb::class_<BoardWorker>(m, "CantStopWorker")
        .def(nb::init<const Board &, nb::ndarray<>, Purpose, double, bool>(), nb::arg("board"), nb::arg("table"),
             nb::arg("purpose") = Purpose::solve, nb::arg("slack") = 0.0, nb::arg("plain") = false, nb::keep_alive<1, 2>())
        .def(nb::init<const Board &, nb::ndarray<>, Counts, double, double, bool>(), nb::arg("board"), nb::arg("table"),
             nb::arg("counts"), nb::arg("start"), nb::arg("tolerance"), nb::arg("secant"), nb::keep_alive<1, 2>())
        .def("work", &BoardWorker::work, nb::arg("rows"), nb::call_guard<nb::gil_scoped_release>())
        .def("stop", &BoardWorker::stop)
        .def_prop_ro("boards", [](const BoardWorker &self) { return self.worker().boards; })
        .def_prop_ro("groups", [](const BoardWorker &self) { return self.worker().groups; })
        .def_prop_ro("evaluations", [](const BoardWorker &self) { return self.worker().evaluations; })
        .def_prop_ro("seconds", [](const BoardWorker &self) { return self.worker().seconds; })
        .def_prop_ro("missed", [](const BoardWorker &self) { return std::max(self.worker().above, self.worker().below); });
    nb::class_<ReadyRows>(m, "CantStopReadyRows")
        .def(
            "__init__",
            [](ReadyRows *self, const Board &board, bool in_order) { new (self) ReadyRows(board.layout, in_order); },
            nb::arg("board"), nb::arg("in_order") = true, nb::keep_alive<1, 2>())
        .def("take", &ReadyRows::take, nb::arg("most"))
        .def("finish", &ReadyRows::finish, nb::arg("rows"))
        .def("put_back", &ReadyRows::put_back, nb::arg("rows"));
    nb::class_<BoardReplay>(m, "CantStopReplay")
        .def(nb::init<const Board &, nb::ndarray<>>(), nb::arg("board"), nb::arg("table"), nb::keep_alive<1, 2>())
        .def(
            "begin", [](BoardReplay &self, const std::vector<int> &remaining) { self.replay().begin(remaining); },
            nb::arg("remaining"))
        .def(
            "turn_worth",
            [](BoardReplay &self, const std::vector<int> &remaining, double x) {
                return self.replay().turn_worth(remaining, x);
            },
            nb::arg("remaining"), nb::arg("x"))
        .def(
            "worth_at",
            [](BoardReplay &self, const std::vector<int> &column, const std::vector<int> &p) {
                return self.replay().worth_at(column, p);
            },
            nb::arg("column"), nb::arg("p"));
}
