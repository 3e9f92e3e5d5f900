// The Python face of the Can't Stop kernel.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <string>

#include "cant_stop_run.hpp"

namespace nb = nanobind;
using namespace cant_stop;

namespace {

WorkerMaker solver(bool plain) {
#ifdef JEOPARDICE_HAS_AVX2
    if (!plain && __builtin_cpu_supports("avx2")) return make_solver_avx2;
#endif
    (void)plain;
    return make_solver_plain;
}
WorkerMaker timer() {
#ifdef JEOPARDICE_HAS_AVX2
    if (__builtin_cpu_supports("avx2")) return make_timer_avx2;
#endif
    return make_timer_plain;
}
WorkerMaker certifier() {
#ifdef JEOPARDICE_HAS_AVX2
    if (__builtin_cpu_supports("avx2")) return make_certifier_avx2;
#endif
    return make_certifier_plain;
}

Rules rules_of(int sides, const std::vector<int> &lengths, int columns_to_win) {
    Rules rules{sides, int(lengths.size()), columns_to_win, {}};
    std::copy(lengths.begin(), lengths.end(), rules.length.begin());
    return rules;
}

// Seconds per board on one thread, from `blocks` blocks spread over the run, fewer if `most_seconds` are over before; and
// the boards to solve.
std::pair<double, int64_t> sampled_seconds(int sides, const std::vector<int> &lengths, int columns_to_win, int64_t blocks,
                                           double most_seconds) {
    const Rules rules = rules_of(sides, lengths, columns_to_win);
    Layout layout(rules);
    const Job job{layout, ClassBuilder(rules, false).build(), Packs(layout), nullptr, false};
    const int64_t boards = Run(job).boards_in(int64_t(job.layout.order.size()));
    const std::unique_ptr<BlockWorker> worker = timer()(job);
    const int64_t all = int64_t(job.layout.order.size());
    double place = 0.5;
    for (int64_t i = 0; i < blocks && (i == 0 || worker->seconds < most_seconds); ++i) {
        worker->work(job.layout.order[size_t(place * double(all))]);
        place += 0.6180339887498949;  // the golden ratio: evenly spread whenever it ends
        place -= std::floor(place);
    }
    return {worker->boards ? worker->seconds / double(worker->boards) : 0.0, boards};
}

Job make_job(const Rules &rules, nb::ndarray<> &table, bool certify, double slack = 0) {
    Layout layout(rules);
    return {layout, ClassBuilder(rules, certify).build(), Packs(layout), table.data(), table.itemsize() == 4, slack};
}

class BoardRun {
  public:
    BoardRun(int sides, const std::vector<int> &lengths, int columns_to_win, nb::ndarray<> table, bool certify,
             double slack)
        : table_(table),
          certify_(certify),
          job_(make_job(rules_of(sides, lengths, columns_to_win), table, certify, slack)),
          run_(job_) {}

    void work(int threads, bool plain) { run_.work(threads, certify_ ? certifier() : solver(plain), !certify_); }
    Run &run() { return run_; }
    const Job &job() const { return job_; }

  private:
    nb::ndarray<> table_;  // keeps the array alive
    bool certify_;
    Job job_;
    Run run_;
};

// Where boards stand in a table of rows.
struct BoardLayout {
    Layout layout;

    BoardLayout(int sides, const std::vector<int> &lengths, int columns_to_win)
        : layout(rules_of(sides, lengths, columns_to_win)) {}

    std::pair<int64_t, int64_t> cell(const std::vector<int> &remaining) const {
        int64_t block = 0, straight = 0, swapped = 0;
        for (size_t c = 0; c < remaining.size(); ++c) {
            block += remaining[c] * layout.block_step[c];
            straight += remaining[c] * layout.cell_step[c];
            swapped += remaining[c] * layout.swapped_step[c];
        }
        return {layout.row(block), layout.place[size_t(block)] < 0 ? swapped : straight};
    }
};

class BoardReplay {
  public:
    BoardReplay(int sides, const std::vector<int> &lengths, int columns_to_win, nb::ndarray<> table)
        : table_(table),
          job_(make_job(rules_of(sides, lengths, columns_to_win), table, false)),
          replay_(make_replay(job_)) {}

    TurnReplay &replay() { return *replay_; }

  private:
    nb::ndarray<> table_;
    Job job_;
    std::unique_ptr<TurnReplay> replay_;
};

}  // namespace

void bind_cant_stop(nb::module_ &m) {
    nb::class_<BoardLayout>(m, "CantStopLayout")
        .def(nb::init<int, const std::vector<int> &, int>(), nb::arg("sides"), nb::arg("lengths"),
             nb::arg("columns_to_win"))
        .def_prop_ro("rows", [](const BoardLayout &self) { return self.layout.order.size() + 1; })
        .def_prop_ro("row_size", [](const BoardLayout &self) { return self.layout.block_size; })
        .def_prop_ro("places", [](const BoardLayout &self) { return self.layout.place; })
        .def("cell", &BoardLayout::cell, nb::arg("remaining"));
    nb::class_<BoardRun>(m, "CantStopRun")
        .def(nb::init<int, const std::vector<int> &, int, nb::ndarray<>, bool, double>(), nb::arg("sides"),
             nb::arg("lengths"), nb::arg("columns_to_win"), nb::arg("table"), nb::arg("certify") = false,
             nb::arg("slack") = 0.0)
        .def("work", &BoardRun::work, nb::arg("threads"), nb::arg("plain") = false,
             nb::call_guard<nb::gil_scoped_release>())
        .def("stop", [](BoardRun &self) { self.run().stop(); })
        .def(
            "skip", [](BoardRun &self, int64_t count) { self.run().skip(count); }, nb::arg("count"))
        .def_prop_ro("blocks", [](BoardRun &self) { return self.run().blocks(); })
        .def_prop_ro("finished", [](BoardRun &self) { return self.run().finished(); })
        .def_prop_ro("boards", [](BoardRun &self) { return self.run().boards(); })
        .def_prop_ro("total_boards", [](BoardRun &self) { return self.run().boards_in(self.run().blocks()); })
        .def_prop_ro("groups", [](BoardRun &self) { return self.run().groups; })
        .def_prop_ro("evaluations", [](BoardRun &self) { return self.run().evaluations; })
        .def_prop_ro("missed", [](BoardRun &self) { return std::pair(self.run().above, self.run().below); });

    m.def("sampled_cant_stop_seconds", &sampled_seconds, nb::arg("sides"), nb::arg("lengths"), nb::arg("columns_to_win"),
          nb::arg("blocks"), nb::arg("most_seconds"), nb::call_guard<nb::gil_scoped_release>());
    nb::class_<BoardReplay>(m, "CantStopReplay")
        .def(nb::init<int, const std::vector<int> &, int, nb::ndarray<>>(), nb::arg("sides"), nb::arg("lengths"),
             nb::arg("columns_to_win"), nb::arg("table"))
        .def(
            "begin", [](BoardReplay &self, const std::vector<int> &remaining) { self.replay().begin(remaining); },
            nb::arg("remaining"))
        .def(
            "worth_at",
            [](BoardReplay &self, const std::vector<int> &column, const std::vector<int> &p) {
                return self.replay().worth_at(column, p);
            },
            nb::arg("column"), nb::arg("p"));
}
