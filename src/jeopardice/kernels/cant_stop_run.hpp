// Rows of a board's table: what is done with one, and which of them can be done now.
//
// Rows are numbered by their remaining steps. A row reads rows below it and itself, so any order in which a row comes
// after those one step below gives the same bits: threads, processes and machines take rows as they become ready.
#pragma once
#include <functional>
#include <memory>
#include <queue>

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

struct RowWorker {  // one per thread
    virtual void work(int64_t block) = 0;
    virtual ~RowWorker() = default;
    int64_t boards = 0, evaluations = 0, groups = 0;
    double seconds = 0;           // timers: spent on the boards
    double above = 0, below = 0;  // certificates: the most by which an equation is missed
};

// One turn on one board, to be asked about any of its moments.
struct TurnReplay {
    virtual void begin(const std::vector<int> &remaining) = 0;
    // The worth of the whole turn, and its slope, if a bust is worth x.
    virtual std::pair<double, double> turn_worth(const std::vector<int> &remaining, double x) = 0;
    virtual std::pair<double, double> worth_at(const std::vector<int> &column, const std::vector<int> &p) const = 0;
    virtual ~TurnReplay() = default;
};

// What a board's passes share.
struct Board {
    const Game &game;
    Layout layout;
    Packs packs;

    explicit Board(const Game &g) : game(g), layout(g.rules), packs(layout) {}

    // How many boards each row has to solve.
    std::vector<int64_t> boards_of_rows() const {
        std::vector<std::array<int64_t, 2>> in_row;
        for (const auto &kinds : packs.of) {
            in_row.push_back({0, 0});
            for (size_t kind = 0; kind < 2; ++kind)
                for (const Pack &pack : kinds[kind]) in_row.back()[kind] += pack.used;
        }
        std::vector<int64_t> boards;
        for (int64_t block : layout.order) {
            const auto [allowed, own_mirror] = kind_of(layout, block);
            boards.push_back(in_row[size_t(allowed)][own_mirror]);
        }
        return boards;
    }
};

// What a worker does with a row.
enum class Purpose { solve, certify, time, count };

struct Job {
    const Board &board;
    const Layout &layout;
    const ClassTable &classes;
    void *table;
    bool single;       // float32 table
    double slack = 0;  // solves: how far from its fixed point a board may stay; certificates: see RowCertifier
    double start = 1;  // counts: see NewtonCounter
    double tolerance = 0;
    bool secant = false;
    uint8_t *counts = nullptr;
};

std::unique_ptr<RowWorker> make_worker_plain(const Job &, Purpose);
std::unique_ptr<RowWorker> make_certifier_plain(const Job &);
std::unique_ptr<TurnReplay> make_replay(const Job &);
#if defined(__x86_64__) && defined(__GNUC__)
#ifndef JEOPARDICE_HAS_AVX2
#define JEOPARDICE_HAS_AVX2 1
#endif
std::unique_ptr<RowWorker> make_worker_avx2(const Job &, Purpose);
std::unique_ptr<RowWorker> make_certifier_avx2(const Job &);
#endif

// Which rows can be solved now: those whose rows one step below are settled, that is, done with everything below them.
class ReadyRows {
  public:
    // `in_order`: rows wait for each other; without, all are ready at once.
    ReadyRows(const Layout &layout, bool in_order) : layout_(layout), in_order_(in_order), state_(layout.order.size()) {
        for (size_t row = 0; row < state_.size(); ++row) look(int64_t(row));
    }

    // Up to `most` ready rows, in the order of solving; they are not given out again.
    std::vector<int64_t> take(int64_t most) {
        std::vector<int64_t> rows;
        for (; int64_t(rows.size()) < most && !ready_.empty(); ready_.pop())
            if (state_[size_t(ready_.top())] == ready) rows.push_back(ready_.top());
        return rows;
    }

    // Take rows for done, in any order; whatever waited only for them becomes ready.
    void finish(const std::vector<int64_t> &rows) {
        for (int64_t row : rows) {
            state_[size_t(row)] = done;
            look(row);
        }
    }

    // Give rows out again that somebody took and did not finish.
    void put_back(const std::vector<int64_t> &rows) {
        for (int64_t row : rows) ready_.push(row);
    }

  private:
    enum State : char { waiting, ready, done, settled };

    void look(int64_t first) {
        std::vector<int64_t> rows{first};
        while (!rows.empty()) {
            const int64_t row = rows.back();
            rows.pop_back();
            State &state = state_[size_t(row)];
            if ((state != waiting && state != done) || (in_order_ && !is_free(row))) continue;
            if (state == waiting) {
                state = ready;
                ready_.push(row);
                continue;
            }
            state = settled;
            const int64_t block = layout_.order[size_t(row)];
            for (int i = 0; i < layout_.slow_count; ++i)
                if (layout_.remaining(block, layout_.slow[i]) < layout_.rules.length[layout_.slow[i]])
                    rows.push_back(layout_.row(block + layout_.block_step[layout_.slow[i]]));
        }
    }
    bool is_free(int64_t row) const {
        const int64_t block = layout_.order[size_t(row)];
        for (int i = 0; i < layout_.slow_count; ++i) {
            if (layout_.remaining(block, layout_.slow[i]) == 0) continue;
            const size_t below = size_t(layout_.row(block - layout_.block_step[layout_.slow[i]]));
            if (below < state_.size() && state_[below] != settled) return false;
        }
        return true;
    }

    const Layout &layout_;
    bool in_order_;
    std::vector<State> state_;
    std::priority_queue<int64_t, std::vector<int64_t>, std::greater<>> ready_;
};

}  // namespace cant_stop
