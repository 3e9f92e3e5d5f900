// Algorithm 3 of "A retrograde approximation algorithm for one-player Can't Stop", as written: Newton's method from a
// given start x on each board, all others being solved; how many evaluations of F each needs. The solver itself starts
// from a better guess and takes the slope only once. Beside it the secant method, which begins with x and F(x) and takes
// the slope between its last two points.
#define JEOPARDICE_TARGET newton
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "cant_stop_block.hpp"
#include "held.hpp"

namespace nb = nanobind;
using namespace cant_stop;
using namespace cant_stop::newton;

namespace {

using Table = nb::ndarray<double, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<uint8_t, nb::c_contig, nb::device::cpu>;

Job job_of(int sides, const std::vector<int> &lengths, int columns_to_win, const Table &table) {
    Rules rules{sides, int(lengths.size()), columns_to_win, {}};
    std::copy(lengths.begin(), lengths.end(), rules.length.begin());
    Layout layout(rules);
    return {layout, ClassBuilder(rules, false).build(), Packs(layout), table.data(), false};
}

class NewtonCounter final : public BlockWorker {
  public:
    NewtonCounter(const Job &job, uint8_t *counts, double start, double tolerance, bool secant)
        : job_(job),
          counts_(counts),
          start_(start),
          tolerance_(tolerance),
          secant_(secant),
          pass_(job.layout, job.classes, static_cast<const double *>(job.table)) {}

    void work(int64_t block) override {
        uint8_t *row = counts_ + job_.layout.row(block) * job_.layout.block_size;
        for (const Pack &pack : packs_of(job_, block)) {
            fill_group(group_, job_.layout, block, pack);
            count(row);
            boards += group_.used;
        }
    }

  private:
    static constexpr int most = 100;

    void count(uint8_t *row) {
        Lanes x = spread(start_), last = x, last_worth = x;
        std::array<bool, 4> is_open{true, true, true, true};
        pass_.begin(group_);
        for (int round = 1; round <= most; ++round) {
            Worth worth = round == 1 ? pass_.evaluate<true, true>(x) : pass_.evaluate<true, false>(x);
            worth.value += 1.0;
            const Lanes here = x;
            bool any = false;
            for (int l = 0; l < group_.used; ++l) {
                if (!is_open[size_t(l)]) continue;
                row[group_.cell[size_t(l)]] = uint8_t(round);
                const double miss = worth.value[l] - x[l];
                const double chord = round == 1 ? 0.0 : (worth.value[l] - last_worth[l]) / (x[l] - last[l]);
                const double next = x[l] + miss / (1.0 - (secant_ ? chord : worth.slope[l]));
                is_open[size_t(l)] = std::abs(miss) > tolerance_ && next != x[l];
                if (is_open[size_t(l)]) x[l] = next;
                any |= is_open[size_t(l)];
            }
            if (!any) return;
            last = here, last_worth = worth.value;
        }
    }

    const Job &job_;
    uint8_t *counts_;
    double start_, tolerance_;
    bool secant_;
    TurnPass<double> pass_;
    Group group_;
};

void count_newton(int sides, const std::vector<int> &lengths, int columns_to_win, Table table, Counts counts, double start,
                  double tolerance, bool secant, int threads, jeopardice::Counter done, jeopardice::Flag cancelled) {
    const jeopardice::Watch watch = jeopardice::watch_of(done, cancelled);
    const Job job = job_of(sides, lengths, columns_to_win, table);
    std::atomic<size_t> next{0};
    auto loop = [&] {
        NewtonCounter counter(job, counts.data(), start, tolerance, secant);
        for (size_t i = next++; i < job.layout.order.size() && !watch.cancelled.load(); i = next++) {
            const int64_t before = counter.boards;
            counter.work(job.layout.order[i]);
            watch.done.fetch_add(counter.boards - before);
        }
    };
    std::vector<std::thread> others;
    for (int t = 1; t < threads; ++t) others.emplace_back(loop);
    loop();
    for (std::thread &thread : others) thread.join();
}

std::pair<double, double> turn_worth(int sides, const std::vector<int> &lengths, int columns_to_win, Table table,
                                     const std::vector<int> &remaining, double x) {
    const Job job = job_of(sides, lengths, columns_to_win, table);
    TurnPass<double> pass(job.layout, job.classes, table.data());
    Group group;
    for (size_t c = 0; c < remaining.size(); ++c)
        for (int l = 0; l < 4; ++l) group.r[c].at[l] = remaining[c];
    group.used = 1;
    complete(group, job.layout);
    pass.begin(group);
    const Worth worth = pass.evaluate<true, true>(spread(x));
    return {worth.value[0], worth.slope[0]};
}

}  // namespace

void bind_cant_stop_newton(nb::module_ &m) {
    m.def("count_cant_stop_newton", &count_newton, nb::arg("sides"), nb::arg("lengths"), nb::arg("columns_to_win"),
          nb::arg("table"), nb::arg("counts"), nb::arg("start"), nb::arg("tolerance"), nb::arg("secant"),
          nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"), nb::call_guard<nb::gil_scoped_release>());
    m.def("cant_stop_turn_worth", &turn_worth, nb::arg("sides"), nb::arg("lengths"), nb::arg("columns_to_win"),
          nb::arg("table"), nb::arg("remaining"), nb::arg("x"));
}
