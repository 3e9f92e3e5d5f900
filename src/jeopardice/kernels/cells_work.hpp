// The cells of one block: Newton's method on each fixed point, and the check that each cell is a bound.
#pragma once
#include "cells.hpp"
#include "rounding.hpp"

namespace cant_stop::JEOPARDICE_TARGET {

inline bool is_own_image(const CellLayout &layout, const CellBlock &block) { return &layout.blocks[block.image] == &block; }

inline int64_t mirrored(const CellLayout &layout, const CellBlock &block, const Span &span) {
    int64_t at = block.first;
    for (int c = 0; c < layout.rules.columns; ++c)
        if (layout.is_free(block, c))
            at += block.step[size_t(layout.rules.columns - 1 - c)] * block.level(c, span.low[size_t(c)]);
    return at;
}

// A cell in the order of solving: by the sum of its levels, then by the steps that its long columns have left.
struct CellPlace {
    int64_t sum;
    uint64_t rooms;
    int64_t cell;
    const CellBlock *block;
    auto operator<=>(const CellPlace &) const = default;
};

// Call `work` with groups of cells that do not need each other: equal sums of levels, lowest first. The blocks have the
// same closed columns, equally many started. Cells with similar long columns come together, so that lanes waste little
// room. Of a cell and its mirror image only one is taken.
template <class Real, class Work>
void each_group(const CellLayout &layout, const CellBundle &bundle, std::vector<CellPlace> &cells, Work work) {
    const int C = layout.rules.columns;
    std::array<int, max_columns> by_length{};
    for (int c = 0; c < C; ++c) by_length[size_t(c)] = c;
    std::stable_sort(by_length.begin(), by_length.begin() + C,
                     [&](int c, int d) { return layout.rules.length[size_t(c)] > layout.rules.length[size_t(d)]; });
    cells.clear();
    for (const uint32_t number : bundle) {
        const CellBlock &block = layout.blocks[number];
        const bool own_image = is_own_image(layout, block);
        for (int64_t cell = block.first; cell < block.first + block.size; ++cell) {
            const Span span = span_of(layout, block, cell);
            int64_t sum = 0, mirrored = block.first;
            uint64_t rooms = 0;
            for (int i = 0; i < C; ++i) {
                const size_t c = size_t(by_length[size_t(i)]);
                if (i < 10) rooms = rooms << 6 | uint64_t(span.high[c]);
                if (!layout.is_free(block, int(c))) continue;
                const int64_t level = block.level(int(c), span.low[c]);
                sum += level;
                mirrored += level * block.step[size_t(C - 1) - c];
            }
            if (!own_image || cell <= mirrored) cells.push_back({sum, rooms, cell, &block});
        }
    }
    std::sort(cells.begin(), cells.end());
    CellGroup<Real> group;
    for (size_t at = 0; at < cells.size();) {
        group.used = 0;
        while (group.used < lanes<Real> && at + size_t(group.used) < cells.size() &&
               cells[at + size_t(group.used)].sum == cells[at].sum)
            ++group.used;
        for (size_t l = 0; l < size_t(lanes<Real>); ++l) {
            const CellPlace &place = cells[at + std::min(l, size_t(group.used - 1))];
            group.cell[l] = place.cell;
            group.block[l] = place.block;
            group.span[l] = span_of(layout, *place.block, place.cell);
        }
        at += size_t(group.used);
        work(group);
    }
}

// From any y, its miss m = 1 + R(y) - y gives a point on the safe side of the fixed point x:
//     m <= 0:  y + m y <= x <= y + m,        m > 0:  y + m <= x <= y + m y / (1 - m).
// R rises with a slope of at most 1, the chance to come back, which gives the two short ones. A lower table's R is concave,
// a minimum of lines 1 + R = c + s z with c >= 1; so 1 - s >= 1 / x at x and 1 - s >= (1 - m) / y at y. With the entrances
// that are worst at x, an upper table's R is concave too, not above R, and has the same x.
// `margin` is for rounding; the check decides.
template <class Real, bool Upper>
class CellSolver final : public CellWorker {
    using Pass = CellPass<Real, Upper>;
    using Lanes = typename Pass::Lanes;
    using LaneMask = typename Pass::LaneMask;
    using Worth = typename Pass::Worth;

  public:
    explicit CellSolver(const CellJob &job)
        : job_(job), table_(static_cast<Real *>(job.table)), pass_(job.layout, job.classes, table_) {}

    void work(const CellBundle &bundle) override {
        each_group<Real>(job_.layout, bundle, cells_, [&](const CellGroup<Real> &group) {
            const Lanes x = solved(group);
            for (int l = 0; l < group.used; ++l) {
                table_[group.cell[size_t(l)]] = x[l];
                const CellBlock &block = *group.block[size_t(l)];
                if (is_own_image(job_.layout, block)) table_[mirrored(job_.layout, block, group.span[size_t(l)])] = x[l];
            }
            cells += group.used;
            ++groups;
        });
    }

  private:
    static constexpr bool is_single = sizeof(Real) == 4;
    static constexpr Real margin = is_single ? 0x1p-18 : 0x1p-43, almost_one = is_single ? 1 - 0x1p-16 : 1 - 0x1p-30;
    static constexpr Real apart_from = is_single ? 0x1p-12 : 0x1p-30, one = 1;

    Lanes solved(const CellGroup<Real> &group) {
        Lanes x;
        for (int l = 0; l < lanes<Real>; ++l) x[l] = Real(guess(group.span[size_t(l)]));
        pass_.begin(group);
        Worth worth = pass_.template evaluate<true>(x);
        ++evaluations;
        for (LaneMask trapped = worth.slope > almost_one; any(trapped); trapped = worth.slope > almost_one) {
            x = trapped ? x + x : x;  // so cheap that nothing leaves on purpose: guess higher
            worth = pass_.template evaluate<true>(x);
            ++evaluations;
        }
        Lanes slope = worth.slope, last = x, last_worth = worth.value;
        x += (one + worth.value - x) / (one - slope);
        Lanes miss{};
        const Real tolerance = Real(job_.tolerance);
        for (int round = 0; round < 60; ++round) {
            worth = pass_.template evaluate<false>(x);
            ++evaluations;
            miss = one + worth.value - x;
            const LaneMask open = (miss * x > tolerance) | (miss * x < -tolerance);
            if (!any(open)) break;
            const Lanes moved = x - last;  // after the first round the slope between the last two points is nearer
            const LaneMask apart = (moved > apart_from) | (moved < -apart_from);
            if (round) slope = apart ? (worth.value - last_worth) / moved : slope;
            last = x, last_worth = worth.value;
            x = open ? x + miss / (one - slope) : x;
        }
        const LaneMask below = miss > 0;
        if (Upper) return x + (below ? miss * x / (one - miss) : miss) + x * x * margin;
        return x + (below ? miss : miss * x) - x * x * margin;
    }
    static bool any(LaneMask mask) {
        for (int l = 0; l < lanes<Real>; ++l)
            if (mask[l]) return true;
        return false;
    }

    // The median, over triples of columns a, b, c, of f(-a) + f(-b) + f(-c) - f(-ab) - f(-ac) - f(-bc) + f(-abc), where
    // -a has gone to the next interval in column a.
    double guess(const Span &span) {
        const CellLayout &layout = job_.layout;
        std::array<int, max_columns> board = span.low, by_use{};
        int count = 0;
        for (int kind = 0; kind < 2; ++kind)  // started columns first
            for (int c = 0; c < layout.rules.columns; ++c)
                if (board[size_t(c)] > 1 && (board[size_t(c)] == layout.rules.length[size_t(c)]) == kind)
                    by_use[size_t(count++)] = c;
        count = std::min(count, 6);
        std::array<double, 20> guesses;
        int triples = 0;
        double most = 1;
        for (int c = 0; c < layout.rules.columns; ++c)
            if (board[size_t(c)] > 0) most = std::max(most, after(board, 1u << c));
        for (int k = 2; k < count; ++k)
            for (int j = 1; j < k; ++j)
                for (int i = 0; i < j; ++i) {
                    const uint32_t a = 1u << by_use[size_t(i)], b = 1u << by_use[size_t(j)], c = 1u << by_use[size_t(k)];
                    guesses[size_t(triples++)] = after(board, a) + after(board, b) + after(board, c) - after(board, a | b) -
                                                 after(board, a | c) - after(board, b | c) + after(board, a | b | c);
                }
        if (triples == 0) return most + 0.1;
        std::sort(guesses.begin(), guesses.begin() + triples);
        return std::min(std::max(guesses[size_t(triples / 2)], std::max(1.0, most - 0.5)), most + 1.0);
    }
    double after(const std::array<int, max_columns> &board, uint32_t stepped) const {
        std::array<int, max_columns> there = board;
        for (uint32_t rest = stepped; rest; rest &= rest - 1) --there[size_t(std::countr_zero(rest))];
        const int64_t cell = job_.layout.cell_of(there.data());
        return cell < 0 ? 0.0 : double(table_[cell]);
    }

    const CellJob &job_;
    Real *table_;
    Pass pass_;
    std::vector<CellPlace> cells_;
};

// Counts the cells that are no bound by one evaluation each, rounded against them: a lower table needs x <= 1 + R(x)
// rounded down, an upper table x >= 1 + R(x) rounded up. Weights are whole numbers, and sums of nonnegative terms round
// one way throughout.
template <class Real, bool Upper>
class CellChecker final : public CellWorker {
    using Pass = CellPass<Real, Upper, true>;
    using Lanes = typename Pass::Lanes;

  public:
    explicit CellChecker(const CellJob &job)
        : job_(job), table_(static_cast<Real *>(job.table)), pass_(job.layout, job.classes, table_) {}

    void work(const CellBundle &bundle) override {
        each_group<Real>(job_.layout, bundle, cells_, [&](const CellGroup<Real> &group) {
            Lanes x;
            for (int l = 0; l < lanes<Real>; ++l) x[l] = table_[group.cell[size_t(l)]];
            pass_.begin(group);
            const Lanes worth = rounded_worth(x);
            for (int l = 0; l < group.used; ++l) {
                const bool is_bound = Upper ? x[l] >= worth[l] : x[l] <= worth[l] && x[l] >= 0;
                const CellBlock &block = *group.block[size_t(l)];
                const bool is_alike = !is_own_image(job_.layout, block) ||
                                      table_[mirrored(job_.layout, block, group.span[size_t(l)])] == x[l];
                broken += !(is_bound && is_alike && std::isfinite(x[l]));
            }
            cells += group.used;
            ++groups, ++evaluations;
        });
    }

  private:
    Lanes rounded_worth(Lanes x) {
        jeopardice::Rounding direction(Upper ? FE_UPWARD : FE_DOWNWARD);
        jeopardice::pin(x);
        Lanes worth = Real(1) + pass_.template evaluate<false>(x).value;
        jeopardice::pin(worth);
        return worth;
    }

    const CellJob &job_;
    const Real *table_;
    Pass pass_;
    std::vector<CellPlace> cells_;
};

// Turns of single boards: markers enter where they stand on the board itself.
template <class Real>
class BoardTurnReplay final : public CellReplay {
  public:
    explicit BoardTurnReplay(const CellJob &job)
        : job_(job), table_(static_cast<const Real *>(job.table)), pass_(job.layout, job.classes, table_) {}

    void begin(const std::vector<int> &remaining) override {
        uint32_t started = 0, closed = 0;
        for (int c = 0; c < job_.layout.rules.columns; ++c) {
            started |= uint32_t(remaining[size_t(c)] < job_.layout.rules.length[size_t(c)]) << c;
            closed |= uint32_t(remaining[size_t(c)] == 0) << c;
            for (Span &span : group_.span) span.low[size_t(c)] = span.high[size_t(c)] = remaining[size_t(c)];
        }
        group_.block.fill(&job_.layout.block(closed, started));
        group_.used = 1;
        pass_.begin(group_);
        pass_.template evaluate<false>(VectorOf<Real>::spread(table_[job_.layout.cell_of(remaining.data())]));
    }
    std::pair<double, double> worth_at(const std::vector<int> &column, const std::vector<int> &p) const override {
        return pass_.worth_at(column, p);
    }

  private:
    const CellJob &job_;
    const Real *table_;
    CellPass<Real, false, false, true> pass_;  // markers enter at one place: best and worst are the same
    CellGroup<Real> group_;
};

}  // namespace cant_stop::JEOPARDICE_TARGET
