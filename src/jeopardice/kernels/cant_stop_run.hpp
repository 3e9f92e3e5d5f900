// Rows of a board's table: what is done with one, and which of them can be done now.
//
// Rows are numbered by their remaining steps. A row reads rows below it and itself, so any order in which a row comes
// after those one step below gives the same bits: threads, processes and machines take rows as they become ready.
#pragma once
#include <cmath>
#include <functional>
#include <memory>
#include <queue>
#include <set>

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
        Steps length;
        for (int i = 0; i < 3; ++i) length[i] = layout.rules.length[layout.fast[i]];
        of.resize(layout.rules.columns_to_win);
        for (int allowed = 0; allowed < layout.rules.columns_to_win; ++allowed)
            for (int own_mirror = 0; own_mirror < 2; ++own_mirror)
                for (int zeros = std::min(allowed, 3); zeros >= 0; --zeros)
                    for (int pattern = 0; pattern < 8; ++pattern)
                        if (std::popcount(unsigned(pattern)) == zeros)
                            add_alike(of[allowed][own_mirror], length, pattern, own_mirror);
    }

  private:
    using Steps = std::array<int, 3>;
    static constexpr int most_compared = 32;

    // All boards with these columns closed. A board is ready when every board below it is in an earlier pack, so no two
    // ready boards are below each other. The lanes of a pack share the room of the longest: it takes the lowest ready
    // board, then those that widen its room least.
    static void add_alike(std::vector<Pack> &packs, const Steps &length, int pattern, bool own_mirror) {
        std::vector<char> waits(size_t(length[0] + 1) * size_t(length[1] + 1) * size_t(length[2] + 1), 0);
        auto waiting = [&](Steps s) -> char & {  // of a board and its mirror image, one counts
            if (own_mirror && s[0] < s[1]) std::swap(s[0], s[1]);
            return waits[(size_t(s[0]) * size_t(length[1] + 1) + size_t(s[1])) * size_t(length[2] + 1) + size_t(s[2])];
        };
        std::set<Steps> ready;  // {sum, i, j}
        auto look = [&](Steps s) {
            if (own_mirror && s[0] < s[1]) std::swap(s[0], s[1]);
            bool is_ready = waiting(s);
            for (int c = 0; c < 3; ++c) {
                Steps below = s;
                if (below[c]-- > 0) is_ready &= !waiting(below);
            }
            if (is_ready) ready.insert({s[0] + s[1] + s[2], s[0], s[1]});
        };
        Steps s;
        for (s[0] = 0; s[0] <= length[0]; ++s[0])
            for (s[1] = 0; s[1] <= length[1]; ++s[1])
                for (s[2] = 0; s[2] <= length[2]; ++s[2]) {
                    const int closed = (s[0] == 0) + 2 * (s[1] == 0) + 4 * (s[2] == 0);
                    if (closed == pattern && !(own_mirror && s[0] < s[1])) waiting(s) = 1;
                }
        look({!(pattern & 1), !(pattern & 2), !(pattern & 4)});
        while (!ready.empty()) {
            Pack pack;
            Steps room{0, 0, 0};
            for (pack.used = 0; pack.used < 4 && !ready.empty(); ++pack.used) {
                const auto next = pack.used == 0 ? ready.begin() : least_wide(ready, room);
                pack.steps[size_t(pack.used)] = steps_of(*next);
                room = widened(room, steps_of(*next));
                ready.erase(next);
            }
            for (int l = pack.used; l < 4; ++l) pack.steps[size_t(l)] = pack.steps[size_t(pack.used - 1)];
            packs.push_back(pack);
            for (int l = 0; l < pack.used; ++l) waiting(pack.steps[size_t(l)]) = 0;
            for (int l = 0; l < pack.used; ++l)
                for (int c = 0; c < 3; ++c) {
                    Steps above = pack.steps[size_t(l)];
                    if (above[c]++ < length[c]) look(above);
                }
        }
    }
    static Steps steps_of(const Steps &sorted) { return {sorted[1], sorted[2], sorted[0] - sorted[1] - sorted[2]}; }
    static Steps widened(Steps room, const Steps &by) {
        for (int c = 0; c < 3; ++c) room[c] = std::max(room[c], by[c]);
        return room;
    }
    static std::set<Steps>::iterator least_wide(const std::set<Steps> &ready, const Steps &room) {
        auto best = ready.begin(), other = best;
        double least = HUGE_VAL;
        for (int n = 0; n < most_compared && other != ready.end(); ++n, ++other) {
            const Steps wide = widened(room, steps_of(*other));
            const double cells = (wide[0] + 2.0) * (wide[1] + 2.0) * (wide[2] + 2.0);  // as if each had one more neighbour
            if (cells < least) least = cells, best = other;
        }
        return best;
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
