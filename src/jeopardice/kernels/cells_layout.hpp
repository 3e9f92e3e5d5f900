// Cells: boards of Can't Stop taken together, and where the value of each cell stands in a table.
//
// A board says how many steps remain in each column. Its block is the pair (started columns, closed columns); in a block
// every started open column's remaining steps 1 .. length - 1 are cut into intervals, and a cell is one interval for each
// of them. `cuts[block][column]` has bit v set where an interval begins at v; bits 0, 1 and the length are always set, so
// that a cell never mixes a closed column, or one not yet started, with another. A stop leads to a block with the same
// columns started and closed or more. Cuts there are cuts here too, so all boards of a cell that put their markers on the
// same spaces stop in the same cell.
//
// A block and its mirror image share their place in the table: the image has the same steps, columns exchanged. Blocks
// stand in the order of solving, more started and closed columns first; those with equally many do not need each other.
#pragma once
#include "cant_stop_tables.hpp"

namespace cant_stop {

constexpr int max_length = 62;

struct CellBlock {
    uint32_t started = 0, closed = 0;
    int64_t first = 0, size = 0;              // its cells are table[first .. first + size)
    std::array<int64_t, max_columns> step{};  // what a level in an open started column adds to a cell's place
    std::array<uint64_t, max_columns> cuts{};
    uint32_t image = 0;  // the number of its mirror image
    bool is_stored = false;

    // The interval that holds `remaining` steps, counted from 0 just below the top; 1 <= remaining < length.
    int level(int column, int remaining) const {
        return std::popcount(cuts[size_t(column)] & ((uint64_t(2) << remaining) - 1)) - 2;
    }
};

struct CellLayout {
    const Game &game;
    Rules rules;
    std::vector<int> rank_of_closed;   // by bit mask, -1 where the game is over
    std::vector<CellBlock> blocks;     // [closed rank << columns | started]
    std::vector<uint32_t> order;       // the stored blocks, in the order of solving
    std::vector<int64_t> generations;  // where in the order blocks with fewer started and closed columns begin, and the end
    int64_t cells = 0;

    CellLayout(const Game &g, const uint64_t *cuts)
        : game(g), rules(g.rules), rank_of_closed(size_t(1) << g.rules.columns, -1) {
        const Rules &r = rules;
        const int C = r.columns;
        int ranks = 0;
        for (uint32_t closed = 0; closed < 1u << C; ++closed)
            if (std::popcount(closed) < r.columns_to_win) rank_of_closed[closed] = ranks++;
        blocks.resize(size_t(ranks) << C);
        std::vector<std::pair<int, uint32_t>> by_generation;
        for (uint32_t closed = 0; closed < 1u << C; ++closed)
            for (uint32_t started = 0; rank_of_closed[closed] >= 0 && started < 1u << C; ++started) {
                if (closed & ~started) continue;
                const uint32_t at = number(closed, started);
                CellBlock &block = blocks[at];
                block.started = started;
                block.closed = closed;
                block.image = number(mirror(closed), mirror(started));
                std::copy(cuts + size_t(at) * C, cuts + size_t(at + 1) * C, block.cuts.begin());
                block.is_stored = at <= block.image;
                if (!block.is_stored) continue;
                block.size = 1;
                for (int c = 0; c < C; ++c)
                    if (is_free(block, c)) {
                        block.step[size_t(c)] = block.size;
                        block.size *= levels(block, c);
                    }
                if (block.size) by_generation.push_back({-std::popcount(started) - std::popcount(closed), at});
            }
        std::sort(by_generation.begin(), by_generation.end());
        for (size_t i = 0; i < by_generation.size(); ++i) {
            if (i == 0 || by_generation[i].first != by_generation[i - 1].first) generations.push_back(int64_t(i));
            CellBlock &block = blocks[by_generation[i].second];
            order.push_back(by_generation[i].second);
            block.first = cells;
            cells += block.size;
            CellBlock &image = blocks[block.image];
            if (!image.is_stored) {
                image.first = block.first;
                image.size = block.size;
                for (int c = 0; c < C; ++c) image.step[size_t(c)] = block.step[size_t(C - 1 - c)];
            }
        }
        generations.push_back(int64_t(order.size()));
    }

    uint32_t number(uint32_t closed, uint32_t started) const {
        return uint32_t(rank_of_closed[closed]) << rules.columns | started;
    }
    const CellBlock &block(uint32_t closed, uint32_t started) const { return blocks[number(closed, started)]; }
    bool is_free(const CellBlock &block, int c) const { return (block.started & ~block.closed) >> c & 1; }
    int levels(const CellBlock &block, int c) const { return std::popcount(block.cuts[size_t(c)]) - 2; }
    uint32_t mirror(uint32_t mask) const {
        uint32_t image = 0;
        for (int c = 0; c < rules.columns; ++c) image |= (mask >> c & 1) << (rules.columns - 1 - c);
        return image;
    }

    // Where the cell of a board stands, or -1 if the board is won.
    int64_t cell_of(const int *remaining) const {
        uint32_t started = 0, closed = 0;
        for (int c = 0; c < rules.columns; ++c) {
            started |= uint32_t(remaining[c] < rules.length[size_t(c)]) << c;
            closed |= uint32_t(remaining[c] == 0) << c;
        }
        if (rank_of_closed[closed] < 0) return -1;
        const CellBlock &b = block(closed, started);
        int64_t at = b.first;
        for (int c = 0; c < rules.columns; ++c)
            if (is_free(b, c)) at += b.step[size_t(c)] * b.level(c, remaining[c]);
        return at;
    }
};

// The remaining steps of a cell's boards, from `low` to `high` in each column.
struct Span {
    std::array<int, max_columns> low, high;
};

inline Span span_of(const CellLayout &layout, const CellBlock &block, int64_t cell) {
    Span span;
    for (int c = 0; c < layout.rules.columns; ++c) {
        const size_t k = size_t(c);
        span.low[k] = span.high[k] = block.closed >> c & 1 ? 0 : layout.rules.length[k];
        if (!layout.is_free(block, c)) continue;
        uint64_t cuts = block.cuts[k] & (block.cuts[k] - 1);  // without the closed column's own level
        for (int64_t level = (cell - block.first) / block.step[k] % layout.levels(block, c); level > 0; --level)
            cuts &= cuts - 1;
        span.low[k] = std::countr_zero(cuts);
        span.high[k] = std::countr_zero(cuts & (cuts - 1)) - 1;
    }
    return span;
}

}  // namespace cant_stop
