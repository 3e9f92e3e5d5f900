// A pass over blocks of cells in threads: solve them, or check that they are bounds.
#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <span>
#include <thread>

#include "cells_layout.hpp"
#include "race.hpp"

namespace cant_stop {

struct CellJob {
    const CellLayout &layout;
    const ClassTable &classes;
    void *table;
    bool single;  // float32 table
    bool upper;
    double tolerance;  // how far a cell may stay from its fixed point, on the safe side
};

// Numbers of blocks with the same closed columns that do not need each other: their cells may share a vector.
using CellBundle = std::span<const uint32_t>;
constexpr int64_t bundle_cells = 2048;

struct CellWorker {  // one per thread
    virtual void work(const CellBundle &bundle) = 0;
    virtual ~CellWorker() = default;
    int64_t cells = 0, groups = 0, evaluations = 0;
    int64_t broken = 0;  // checks: cells that are no bound
};

// One turn on one board, to be asked about any of its moments.
struct CellReplay {
    virtual void begin(const std::vector<int> &remaining) = 0;
    virtual std::pair<double, double> worth_at(const std::vector<int> &column, const std::vector<int> &p) const = 0;
    virtual ~CellReplay() = default;
};

// What finer cells could gain in all games played: by the number of the block, column, and the interval's first step.
using Loosenesses = std::map<std::array<int64_t, 3>, double>;

struct CellWalk {
    virtual void play(int64_t games, uint64_t seed, Loosenesses &loose) = 0;
    virtual ~CellWalk() = default;
};

using CellWorkerMaker = std::unique_ptr<CellWorker> (*)(const CellJob &);
std::unique_ptr<CellWorker> make_cell_solver_plain(const CellJob &);
std::unique_ptr<CellWorker> make_cell_checker_plain(const CellJob &);
std::unique_ptr<CellReplay> make_cell_replay(const CellJob &);
std::unique_ptr<CellWalk> make_cell_walk_plain(const CellJob &);
#if defined(__x86_64__) && defined(__GNUC__)
#define JEOPARDICE_CELLS_AVX2 1
std::unique_ptr<CellWorker> make_cell_solver_avx2(const CellJob &);
std::unique_ptr<CellWorker> make_cell_checker_avx2(const CellJob &);
std::unique_ptr<CellWalk> make_cell_walk_avx2(const CellJob &);
#endif

struct CellTally {
    int64_t cells = 0, groups = 0, evaluations = 0, broken = 0;
};

// The blocks order[first .. last), neighbours taken together as long as they are small.
inline std::vector<CellBundle> bundles_of(const CellLayout &layout, int64_t first, int64_t last) {
    std::vector<CellBundle> bundles;
    for (int64_t end = first; first < last; first = end) {
        const CellBlock &block = layout.blocks[layout.order[size_t(first)]];
        int64_t cells = 0;
        for (; end < last; ++end) {
            const CellBlock &next = layout.blocks[layout.order[size_t(end)]];
            if (next.closed != block.closed || (end > first && cells + next.size > bundle_cells)) break;
            cells += next.size;
        }
        bundles.emplace_back(layout.order.data() + first, size_t(end - first));
    }
    return bundles;
}

// Work on the blocks order[first .. last), none of which may need another to be solved.
inline CellTally work_cells(const CellJob &job, int64_t first, int64_t last, int threads, CellWorkerMaker make,
                            const jeopardice::Watch &watch) {
    const std::vector<CellBundle> bundles = bundles_of(job.layout, first, last);
    std::atomic<size_t> next{0};
    std::vector<std::unique_ptr<CellWorker>> workers;
    for (int t = 0; t < threads; ++t) workers.push_back(make(job));
    auto loop = [&](CellWorker &worker) {
        while (!watch.cancelled.load()) {
            const size_t i = next.fetch_add(1);
            if (i >= bundles.size()) break;
            const int64_t before = worker.cells;
            worker.work(bundles[i]);
            watch.done.fetch_add(worker.cells - before);
        }
    };
    std::vector<std::thread> others;
    for (int t = 1; t < threads; ++t) others.emplace_back(loop, std::ref(*workers[size_t(t)]));
    loop(*workers[0]);
    for (std::thread &thread : others) thread.join();
    CellTally tally;
    for (const auto &worker : workers) {
        tally.cells += worker->cells;
        tally.groups += worker->groups;
        tally.evaluations += worker->evaluations;
        tally.broken += worker->broken;
    }
    return tally;
}

}  // namespace cant_stop
