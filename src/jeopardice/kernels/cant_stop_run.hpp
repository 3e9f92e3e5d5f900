// A run over all blocks of a board, in threads, that can be stopped between blocks and taken up again.
//
// Blocks are taken in order of their remaining steps; one waits only for the blocks one step below it. After a stop
// the finished blocks are a prefix of the order, so a single number says how far a run has come.
#pragma once
#include <atomic>
#include <memory>
#include <thread>

#include "cant_stop_tables.hpp"

namespace cant_stop {

// Boards of one block that are solved side by side: their steps in the three fast columns.
struct Pack {
    std::array<std::array<int, 3>, 4> steps;
    int used;
};

// [closed columns still allowed][is the block its own mirror image]: all packs of a block, in the order of solving.
struct Packs {
    std::vector<std::array<std::vector<Pack>, 2>> of;

    explicit Packs(const Layout &layout) {
        std::array<int, 3> length;
        for (int i = 0; i < 3; ++i) length[i] = layout.rules.length[layout.fast[i]];
        of.resize(layout.rules.columns_to_win);
        for (int allowed = 0; allowed < layout.rules.columns_to_win; ++allowed)
            for (int own_mirror = 0; own_mirror < 2; ++own_mirror)
                for (int zeros = std::min(allowed, 3); zeros >= 0; --zeros)
                    for (int pattern = 0; pattern < 8; ++pattern)
                        if (std::popcount(unsigned(pattern)) == zeros)
                            for (int sum = 0; sum <= length[0] + length[1] + length[2]; ++sum)
                                add_plane(of[allowed][own_mirror], length, pattern, sum, own_mirror);
    }

  private:
    static void add_plane(std::vector<Pack> &packs, const std::array<int, 3> &length, int pattern, int sum,
                          bool own_mirror) {
        std::vector<std::array<int, 3>> plane;
        for (int i = 0; i <= length[0]; ++i)
            for (int j = 0; j <= (own_mirror ? i : length[1]); ++j) {
                const int k = sum - i - j;
                if (k >= 0 && k <= length[2] && (i == 0) + 2 * (j == 0) + 4 * (k == 0) == pattern)
                    plane.push_back({i, j, k});
            }
        for (size_t first = 0; first < plane.size(); first += 4) {
            Pack pack;
            pack.used = int(std::min<size_t>(4, plane.size() - first));
            for (int l = 0; l < 4; ++l) pack.steps[l] = plane[first + std::min(l, pack.used - 1)];
            packs.push_back(pack);
        }
    }
};

// Which of the packs a block has: closed columns still allowed, is it its own mirror image.
inline std::pair<int, bool> kind_of(const Layout &layout, int64_t block) {
    int closed = 0;
    for (int i = 0; i < layout.slow_count; ++i) closed += layout.remaining(block, layout.slow[i]) == 0;
    return {layout.rules.columns_to_win - 1 - closed, layout.mirror(block) == block};
}

struct BlockWorker {  // one per thread
    virtual void work(int64_t block) = 0;
    virtual ~BlockWorker() = default;
    int64_t boards = 0, evaluations = 0, groups = 0;
    double seconds = 0;           // timers: spent on the boards
    double above = 0, below = 0;  // certificates: the most by which an equation is missed
};

// One turn on one board, to be asked about any of its moments.
struct TurnReplay {
    virtual void begin(const std::vector<int> &remaining) = 0;
    virtual std::pair<double, double> worth_at(const std::vector<int> &column, const std::vector<int> &p) const = 0;
    virtual ~TurnReplay() = default;
};

struct Job {
    Layout layout;
    ClassTable classes;
    Packs packs;
    void *table;
    bool single;       // float32 table
    double slack = 0;  // certificates: see BlockCertifier
};

using WorkerMaker = std::unique_ptr<BlockWorker> (*)(const Job &);
std::unique_ptr<BlockWorker> make_solver_plain(const Job &);
std::unique_ptr<BlockWorker> make_timer_plain(const Job &);
std::unique_ptr<TurnReplay> make_replay(const Job &);
std::unique_ptr<BlockWorker> make_certifier_plain(const Job &);
#if defined(__x86_64__) && defined(__GNUC__)
#define JEOPARDICE_HAS_AVX2 1
std::unique_ptr<BlockWorker> make_solver_avx2(const Job &);
std::unique_ptr<BlockWorker> make_timer_avx2(const Job &);
std::unique_ptr<BlockWorker> make_certifier_avx2(const Job &);
#endif

class Run {
  public:
    explicit Run(const Job &job) : job_(job), done_(job.layout.order.size()) {}

    // Work on until all blocks are done or stop() is called; `in_order`: a block needs those below it.
    void work(int threads, WorkerMaker make, bool in_order) {
        stop_ = false;
        std::vector<std::thread> others;
        std::vector<std::unique_ptr<BlockWorker>> workers;
        for (int t = 0; t < threads; ++t) workers.push_back(make(job_));
        auto loop = [&](BlockWorker &worker) {
            while (!stop_) {
                const int64_t i = next_.fetch_add(1);
                if (i >= blocks()) break;
                if (in_order) wait_below(job_.layout.order[size_t(i)]);
                const int64_t before = worker.boards;
                worker.work(job_.layout.order[size_t(i)]);
                boards_ += worker.boards - before;
                done_[size_t(i)].store(1, std::memory_order_release);
                ++finished_;
                finished_.notify_all();
            }
        };
        for (int t = 1; t < threads; ++t) others.emplace_back(loop, std::ref(*workers[size_t(t)]));
        loop(*workers[0]);
        for (std::thread &thread : others) thread.join();
        next_ = finished_.load();
        for (auto &worker : workers) {
            evaluations += worker->evaluations;
            groups += worker->groups;
            above = std::max(above, worker->above);
            below = std::max(below, worker->below);
        }
    }
    void stop() { stop_ = true; }
    // Take the first `count` blocks for done, as a resumed run must.
    void skip(int64_t count) {
        for (int64_t i = 0; i < count; ++i) done_[size_t(i)] = 1;
        next_ = count;
        finished_ = count;
        boards_ = boards_in(count);
    }
    // How many boards the first `count` blocks have to solve.
    int64_t boards_in(int64_t count) const {
        std::vector<std::array<int64_t, 2>> in_block;
        for (const auto &kinds : job_.packs.of) {
            in_block.push_back({0, 0});
            for (int kind = 0; kind < 2; ++kind)
                for (const Pack &pack : kinds[size_t(kind)]) in_block.back()[size_t(kind)] += pack.used;
        }
        int64_t boards = 0;
        for (int64_t i = 0; i < count; ++i) {
            const auto [allowed, own_mirror] = kind_of(job_.layout, job_.layout.order[size_t(i)]);
            boards += in_block[size_t(allowed)][own_mirror];
        }
        return boards;
    }
    int64_t blocks() const { return int64_t(job_.layout.order.size()); }
    int64_t finished() const { return finished_; }
    int64_t boards() const { return boards_; }
    int64_t evaluations = 0, groups = 0;
    double above = 0, below = 0;

  private:
    void wait_below(int64_t block) {
        const Layout &layout = job_.layout;
        for (int i = 0; i < layout.slow_count; ++i) {
            const int c = layout.slow[i];
            if (layout.remaining(block, c) == 0) continue;
            const int64_t below = layout.row(block - layout.block_step[c]);
            while (below < blocks() && !done_[size_t(below)].load(std::memory_order_acquire)) {
                const int64_t seen = finished_;
                if (!done_[size_t(below)].load(std::memory_order_acquire)) finished_.wait(seen);
            }
        }
    }

    const Job &job_;
    std::vector<std::atomic<char>> done_;
    std::atomic<int64_t> next_{0}, finished_{0}, boards_{0};
    std::atomic<bool> stop_{false};
};

}  // namespace cant_stop
