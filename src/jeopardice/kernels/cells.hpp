// Can't Stop alone, bounds: one number for each cell of boards (see cells_layout.hpp), below or above all their values.
//
// The number h of a cell is the fixed point x of
//     x = 1 + R(x),    R = the worth of a turn in which a bust is worth x, a stop is worth h of the cell it leads to, and a
//     new marker in a column that has between `low` and `high` steps left may enter from any of them:
//     lower table:  W(entry) = min over low <= r <= high of W(r - 1)       (two steps at once: W(max(0, r - 2)))
//     upper table:  W(entry) = max over the same.
// Markers are written by the steps that remain below them, so past its entry a marker's worth is the same for every board
// of the cell. A stop in the cell itself is never better than rolling on, since a bust is worth x as well: the table has
// infinity there while the cell is solved. docs/brackets.md proves that h is below (above) the value of every board.
//
// Four cells with equal closed columns, eight in floats, sit in the lanes of a vector; they differ only in where markers
// enter and in the place of their stops in the table. Cost: about 15 classes of rolls for each of the product of `high`
// over all triples of open columns. Memory: three vectors for each of those moments (values, chances to bust, stops), 3.6
// MB on the official board.
//
// This file is compiled once per instruction set (JEOPARDICE_TARGET names the namespace); all give the same bits.
#pragma once
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>

#include "cells_run.hpp"

namespace cant_stop::JEOPARDICE_TARGET {

// A vector of four doubles or of eight floats. Floats are twice as fast and half as large, for very many cells.
template <class Real>
struct VectorOf;
template <>
struct VectorOf<double> {
    typedef double Lanes __attribute__((vector_size(32)));
    typedef int64_t Mask __attribute__((vector_size(32)));
    static Lanes spread(double v) { return Lanes{v, v, v, v}; }
};
template <>
struct VectorOf<float> {
    typedef float Lanes __attribute__((vector_size(32)));
    typedef int32_t Mask __attribute__((vector_size(32)));
    static Lanes spread(float v) { return Lanes{v, v, v, v, v, v, v, v}; }
};
template <class Real>
constexpr int lanes = 32 / sizeof(Real);

inline VectorOf<double>::Lanes smaller(VectorOf<double>::Lanes a, VectorOf<double>::Lanes b) {
#ifdef JEOPARDICE_AVX2
    return __builtin_ia32_minpd256(a, b);
#else
    return a < b ? a : b;
#endif
}
inline VectorOf<float>::Lanes smaller(VectorOf<float>::Lanes a, VectorOf<float>::Lanes b) {
#ifdef JEOPARDICE_AVX2
    return __builtin_ia32_minps256(a, b);
#else
    return a < b ? a : b;
#endif
}

// Cells that are evaluated side by side: those of one block, or of several with the same closed columns.
template <class Real>
struct CellGroup {
    std::array<const CellBlock *, lanes<Real>> block;
    std::array<Span, lanes<Real>> span;
    std::array<int64_t, lanes<Real>> cell;  // their places in the table
    int used;                               // lanes that count; the others repeat the last
};

// `Upper`: markers enter at the worst place of the cell, not at the best.
// `Whole`: the weights are whole numbers and a roll's sum is divided by their total, as directed rounding needs it.
// `Replay`: keep the worth of rolling on at every moment, to answer questions about it.
template <class Real, bool Upper, bool Whole = false, bool Replay = false>
class CellPass {
  public:
    using Lanes = typename VectorOf<Real>::Lanes;
    using LaneMask = typename VectorOf<Real>::Mask;
    static constexpr int lane_count = lanes<Real>;
    static Lanes spread(Real v) { return VectorOf<Real>::spread(v); }

    struct Worth {
        Lanes value, slope;
    };

    CellPass(const CellLayout &layout, const ClassTable &classes, const Real *table)
        : layout_(layout),
          classes_(classes),
          table_(table),
          weight_(classes.weight.begin(), classes.weight.end()),
          play_(classes.play.begin(), classes.play.end()),
          C(layout.rules.columns),
          total_(spread(Real(layout.rules.total))) {
        for (uint16_t &play : play_) play = uint16_t(play / 4 * lane_count);
        const auto &L = layout.rules.length;
        size_t moments = 0, plane = 1;
        for (int c = 0; c < C; ++c) {
            moments += size_t(L[c]);
            for (int b = 0; b < c; ++b) {
                moments += size_t(L[b]) * L[c];
                plane = std::max(plane, size_t(L[b]) * L[c]);
                for (int a = 0; a < b; ++a) moments += size_t(L[a]) * L[b] * L[c];
            }
        }
        const size_t size = (Replay ? 4 : 3) * moments + 4 * plane * max_columns;
        memory_.reset(static_cast<Lanes *>(std::aligned_alloc(64, (size * sizeof(Lanes) + 63) / 64 * 64)));
        value_ = memory_.get();
        std::fill(value_, value_ + size, spread(0));  // lanes read past their own steps; let them find plain numbers
        slope_ = value_ + moments;
        stop_ = slope_ + moments;
        planes_ = stop_ + moments;
        rolled_ = planes_ + 4 * plane * max_columns;
        plane_size_ = plane;
        nowhere_.inside[0] = ~LaneMask{};
    }

    // Set the cells to evaluate, and read what their stops are worth.
    void begin(const CellGroup<Real> &group) {
        g_ = &group;
        open_count_ = 0;
        for (int c = 0; c < C; ++c) {
            room_[c] = 0;
            for (const Span &span : group.span) room_[c] = std::max(room_[c], span.high[size_t(c)]);
            if (room_[c] == 0) continue;
            open_[open_count_++] = c;
            for (int steps = 1; steps <= 2; ++steps) set_entrance(c, steps);
        }
        closed_count_ = std::popcount(group.block[0]->closed);
        rank_ = classes_.rank_of_closed[group.block[0]->closed];
        is_mixed_ = std::any_of(group.block.begin(), group.block.end(),
                                [&](const CellBlock *block) { return block != group.block[0]; });
        size_t next = 0;
        for (int i = 0; i < open_count_; ++i) next = read_stops(one_at_[open_[i]] = next, {open_[i]}, 1);
        for (int j = 1; j < open_count_; ++j)
            for (int i = 0; i < j; ++i)
                next = read_stops(two_at_[pair_index(open_[i], open_[j])] = next, {open_[i], open_[j]}, 2);
        for (int k = 2; k < open_count_; ++k)
            for (int j = 1; j < k; ++j)
                for (int i = 0; i < j; ++i)
                    next = read_stops(three_at_[triple_index(open_[i], open_[j], open_[k])] = next,
                                      {open_[i], open_[j], open_[k]}, 3);
    }

    // R(x) of every lane, and its slope if `Slope`.
    template <bool Slope>
    Worth evaluate(Lanes x) {
        x_ = x;
        for (int k = 2; k < open_count_; ++k)
            for (int j = 1; j < k; ++j)
                for (int i = 0; i < j; ++i) three_markers<Slope>(open_[i], open_[j], open_[k]);
        for (int j = 1; j < open_count_; ++j)
            for (int i = 0; i < j; ++i) two_markers<Slope>(open_[i], open_[j]);
        for (int i = 0; i < open_count_; ++i) one_marker<Slope>(open_[i]);
        return no_marker<Slope>();
    }

    // What stopping and rolling on are worth with markers in these columns (ascending), p steps below the top.
    std::pair<double, double> worth_at(const std::vector<int> &column, const std::vector<int> &p) const {
        const size_t i = column.size() == 1 ? one_at_[column[0]] + size_t(p[0])
                         : column.size() == 2
                             ? two_at_[pair_index(column[0], column[1])] + size_t(p[0]) * room_[column[1]] + p[1]
                             : three_at_[triple_index(column[0], column[1], column[2])] +
                                   (size_t(p[0]) * room_[column[1]] + p[1]) * room_[column[2]] + p[2];
        return {double(stop_[i][0]), double(rolled_[i][0])};
    }

  protected:
    // The steps that may remain below a new marker: `first` to `last`, those of each lane where its mask is set.
    struct Entrance {
        int first, last;
        LaneMask inside[max_length];
    };

    struct Free {
        void operator()(Lanes *p) const { std::free(p); }
    };

    void set_entrance(int c, int steps) {
        Entrance &e = steps == 1 ? one_step_[c] : two_steps_[c];
        e.first = max_length;
        e.last = 0;
        for (const Span &span : g_->span) {
            e.first = std::min(e.first, std::max(0, span.low[size_t(c)] - steps));
            e.last = std::max(e.last, std::max(0, span.high[size_t(c)] - steps));
        }
        for (int p = e.first; p <= e.last; ++p)
            for (int l = 0; l < lane_count; ++l)
                e.inside[p][l] = p >= std::max(0, g_->span[size_t(l)].low[size_t(c)] - steps) &&
                                         p <= std::max(0, g_->span[size_t(l)].high[size_t(c)] - steps)
                                     ? -1
                                     : 0;
    }

    // The worth of stopping for all places of `count` markers; returns the first moment after them.
    size_t read_stops(size_t i, std::array<int, 3> column, int count) {
        int room[3] = {1, 1, 1};
        uint32_t marked = 0;
        for (int m = 0; m < count; ++m) {
            room[m] = room_[column[size_t(m)]];
            marked |= 1u << column[size_t(m)];
        }
        for (int tops = 0; tops < 1 << count; ++tops) set_landing(tops, column, count, marked, room);
        for (int p0 = 0; p0 < room[0]; ++p0)
            for (int p1 = 0; p1 < room[1]; ++p1) {
                const int row = (p0 == 0) + (count > 1 ? 2 * (p1 == 0) : 0);
                for (int p2 = 0; p2 < room[2]; ++p2, ++i) {
                    const Landing &to = landing_[row + (count > 2 ? 4 * (p2 == 0) : 0)];
                    const int64_t at = to.offset[0][0][p0] + to.offset[0][1][p1] + to.offset[0][2][p2];
                    if (to.is_won)
                        stop_[i] = spread(0);
                    else if (is_mixed_)
                        for (int l = 0; l < lane_count; ++l)
                            stop_[i][l] =
                                table_[to.from[l] + to.offset[l][0][p0] + to.offset[l][1][p1] + to.offset[l][2][p2]];
                    else
                        for (int l = 0; l < lane_count; ++l) stop_[i][l] = table_[to.from[l] + at];
                }
            }
        return i;
    }

    // Where stops stand in the table, for one choice of the markers that are at the top.
    struct Landing {
        bool is_won;
        int64_t from[lane_count];
        int64_t offset[lane_count][3][max_length];  // only that of lane 0 counts if all lanes are of one block
    };
    void set_landing(int tops, const std::array<int, 3> &column, int count, uint32_t marked, const int *room) {
        Landing &to = landing_[tops];
        uint32_t closed = g_->block[0]->closed;
        for (int m = 0; m < count; ++m)
            if (tops >> m & 1) closed |= 1u << column[size_t(m)];
        to.is_won = std::popcount(closed) >= layout_.rules.columns_to_win;
        for (auto &offset : to.offset)
            for (auto &of_column : offset) of_column[0] = 0;
        if (to.is_won) {
            for (int m = 0; m < count; ++m) std::fill(to.offset[0][m], to.offset[0][m] + room[m], 0);
            return;
        }
        for (int l = 0; l < lane_count; ++l) {
            const CellBlock &block = layout_.block(closed, g_->block[size_t(l)]->started | marked);
            for (int m = 0; m < count && (l == 0 || is_mixed_); ++m)
                if (!(tops >> m & 1))
                    for (int p = 1; p < room[m]; ++p)
                        to.offset[l][m][p] = block.step[size_t(column[size_t(m)])] * block.level(column[size_t(m)], p);
            to.from[l] = block.first;
            for (int i = 0; i < open_count_; ++i) {
                const int c = open_[i];
                if (!(marked >> c & 1) && layout_.is_free(block, c))
                    to.from[l] += block.step[size_t(c)] * block.level(c, g_->span[size_t(l)].low[size_t(c)]);
            }
        }
    }

    template <bool Slope>
    inline __attribute__((always_inline)) Worth roll(const Classes &classes) const {
        const Real *w = weight_.data() + classes.first_weight;
        const uint16_t *play = play_.data() + classes.first_play;
        const Real *value = reinterpret_cast<const Real *>(moment_value_);
        const Real *slope = reinterpret_cast<const Real *>(moment_slope_);
        auto V = [&](int i) { return *reinterpret_cast<const Lanes *>(value + play[i]); };
        auto S = [&](int i) { return *reinterpret_cast<const Lanes *>(slope + play[i]); };
        const Lanes bust_weight = spread(Real(classes.bust));
        Lanes sum = bust_weight * x_, odd = spread(0), bust = bust_weight, odd_bust = spread(0);
        auto add = [&](Lanes v, Lanes s) {
            sum += spread(*w) * v;
            if constexpr (Slope) bust += spread(*w) * s;
            std::swap(sum, odd);  // two sums in turn, so that one addition need not wait for the last
            std::swap(bust, odd_bust);
            ++w;
        };
        for (int n = classes.count[1]; n > 0; --n, ++play) add(V(0), Slope ? S(0) : spread(0));
        for (int n = classes.count[2]; n > 0; --n, play += 2) {
            const Lanes a = V(0), b = V(1);
            if constexpr (Slope) {
                const LaneMask first = a <= b;
                add(first ? a : b, first ? S(0) : S(1));
            } else
                add(smaller(a, b), a);
        }
        for (int n = classes.count[3]; n > 0; --n, play += 3) {
            const Lanes a = V(0), b = V(1), c = V(2);
            if constexpr (Slope) {
                const LaneMask first = a <= b;
                const Lanes ab = first ? a : b, ab_slope = first ? S(0) : S(1);
                const LaneMask early = ab <= c;
                add(early ? ab : c, early ? ab_slope : S(2));
            } else
                add(smaller(smaller(a, b), c), a);
        }
        for (int many = 4; many <= 6; ++many)
            for (int n = classes.count[many]; n > 0; --n, play += many) {
                Lanes best = V(0), best_slope = spread(0);
                if constexpr (Slope) best_slope = S(0);
                for (int i = 1; i < many; ++i) {
                    const Lanes other = V(i);
                    if constexpr (Slope) {
                        const LaneMask early = best <= other;
                        best_slope = early ? best_slope : S(i);
                    }
                    best = smaller(best, other);
                }
                add(best, best_slope);
            }
        Worth worth{sum + odd, bust + odd_bust};
        if constexpr (Whole) worth.value /= total_;
        return worth;
    }

    // W = min(stop, roll) at moment i.
    template <bool Slope>
    inline void settle(size_t i, Worth rolled) {
        const Lanes stop = stop_[i];
        value_[i] = smaller(stop, rolled.value);
        if constexpr (Replay) rolled_[i] = rolled.value;
        if constexpr (Slope) slope_[i] = stop <= rolled.value ? spread(0) : rolled.slope;
    }
    template <bool Slope>
    inline void won(size_t i) {
        value_[i] = spread(0);
        if constexpr (Slope) slope_[i] = spread(0);
    }
    template <bool Slope>
    inline void put(int play, size_t i) {
        moment_value_[play] = value_[i];
        if constexpr (Slope) moment_slope_[play] = slope_[i];
    }
    template <bool Slope>
    inline void put(int play, Worth worth) {
        moment_value_[play] = worth.value;
        if constexpr (Slope) moment_slope_[play] = worth.slope;
    }

    // The worth of a new marker: the best or worst of the moments at + p * stride that each lane may enter.
    template <bool Slope>
    inline Worth entered(size_t at, size_t stride, const Entrance &e) const {
        return entered<Slope>(at, stride, e, 0, nowhere_);
    }
    template <bool Slope>
    inline Worth entered(size_t at, size_t stride, const Entrance &e, size_t other_stride, const Entrance &other) const {
        constexpr Real infinity = std::numeric_limits<Real>::infinity(), nothing = Upper ? -infinity : infinity;
        Worth best{spread(nothing), spread(0)};
        for (int p = e.first; p <= e.last; ++p)
            for (int q = other.first; q <= other.last; ++q) {
                const size_t i = at + size_t(p) * stride + size_t(q) * other_stride;
                const LaneMask takes =
                    e.inside[p] & other.inside[q] & (Upper ? value_[i] > best.value : value_[i] < best.value);
                best.value = takes ? value_[i] : best.value;
                if constexpr (Slope) best.slope = takes ? slope_[i] : best.slope;
            }
        return best;
    }

    template <bool Slope>
    void three_markers(int a, int b, int c) {
        const Classes *classes = &classes_.three[size_t(triple_index(a, b, c)) * 8];
        const int na = room_[a], nb = room_[b], nc = room_[c];
        const size_t sa = size_t(nb) * nc, sb = size_t(nc);
        size_t i = three_at_[triple_index(a, b, c)];
        for (int pa = 0; pa < na; ++pa)
            for (int pb = 0; pb < nb; ++pb) {
                const size_t two_a = pa > 1 ? 2 * sa : sa, two_b = pb > 1 ? 2 * sb : sb;
                const int row_tops = (pa == 0) + 2 * (pb == 0), row_closed = closed_count_ + (pa == 0) + (pb == 0);
                for (int pc = 0; pc < nc; ++pc, ++i) {
                    if (row_closed + (pc == 0) >= layout_.rules.columns_to_win) {
                        won<Slope>(i);
                        continue;
                    }
                    if (row_tops == 0 && pc > 0) {
                        put<Slope>(0, i - sa);
                        put<Slope>(1, i - sb);
                        put<Slope>(2, i - 1);
                        put<Slope>(3, i - sa - sb);
                        put<Slope>(4, i - sa - 1);
                        put<Slope>(5, i - sb - 1);
                        put<Slope>(6, i - two_a);
                        put<Slope>(7, i - two_b);
                        put<Slope>(8, i - (pc > 1 ? 2 : 1));
                        settle<Slope>(i, roll<Slope>(classes[0]));
                        continue;
                    }
                    if (pa) put<Slope>(0, i - sa), put<Slope>(6, i - two_a);
                    if (pb) put<Slope>(1, i - sb), put<Slope>(7, i - two_b);
                    if (pc) put<Slope>(2, i - 1), put<Slope>(8, i - (pc > 1 ? 2 : 1));
                    if (pa && pb) put<Slope>(3, i - sa - sb);
                    if (pa && pc) put<Slope>(4, i - sa - 1);
                    if (pb && pc) put<Slope>(5, i - sb - 1);
                    settle<Slope>(i, roll<Slope>(classes[row_tops + 4 * (pc == 0)]));
                }
            }
    }

    // How far apart moments stand whose markers in a, b or c differ by one step; and where the first is.
    struct Box {
        size_t at, sa, sb, sc;
    };
    Box three_box(int a, int b, int c) const {
        int m[3] = {a, b, c};
        sort_few(m, 3);
        const size_t stride[3] = {size_t(room_[m[1]]) * room_[m[2]], size_t(room_[m[2]]), 1};
        Box box{three_at_[triple_index(m[0], m[1], m[2])], 0, 0, 0};
        for (int i = 0; i < 3; ++i) (m[i] == a ? box.sa : m[i] == b ? box.sb : box.sc) = stride[i];
        return box;
    }
    Box two_box(int a, int b) const {
        return a < b ? Box{two_at_[pair_index(a, b)], size_t(room_[b]), 1, 0}
                     : Box{two_at_[pair_index(b, a)], 1, size_t(room_[a]), 0};
    }

    // Where the values stand that a new marker in column c leads to, for the pair a, b: moment p_a * sa + p_b * sb.
    struct Entry {
        int c;
        const Lanes *one, *one_slope, *two, *two_slope;  // after one step, after two
        size_t sa, sb;
    };

    template <bool Slope>
    Entry entry(int a, int b, int c, int copies) {
        const Box box = three_box(a, b, c);
        const Entrance &e = one_step_[c], &ee = two_steps_[c];
        if (e.first == e.last && ee.first == ee.last) {
            const size_t one = box.at + size_t(e.first) * box.sc, two = box.at + size_t(ee.first) * box.sc;
            return {c, value_ + one, slope_ + one, value_ + two, slope_ + two, box.sa, box.sb};
        }
        Lanes *one = planes_ + size_t(copies) * 4 * plane_size_, *one_slope = one + plane_size_;
        Lanes *two = one_slope + plane_size_, *two_slope = two + plane_size_;
        size_t to = 0;
        for (int pa = 0; pa < room_[a]; ++pa)
            for (int pb = 0; pb < room_[b]; ++pb, ++to) {
                const size_t at = box.at + size_t(pa) * box.sa + size_t(pb) * box.sb;
                const Worth after_one = entered<Slope>(at, box.sc, e), after_two = entered<Slope>(at, box.sc, ee);
                one[to] = after_one.value;
                two[to] = after_two.value;
                if constexpr (Slope) {
                    one_slope[to] = after_one.slope;
                    two_slope[to] = after_two.slope;
                }
            }
        return {c, one, one_slope, two, two_slope, size_t(room_[b]), 1};
    }

    template <bool Slope>
    void two_markers(int a, int b) {
        const int na = room_[a], nb = room_[b];
        Entry entries[max_columns];
        int entry_count = 0;
        for (int k = 0; k < open_count_; ++k)
            if (open_[k] != a && open_[k] != b) {
                entries[entry_count] = entry<Slope>(a, b, open_[k], entry_count);
                ++entry_count;
            }
        const Classes *classes = &classes_.two[(size_t(rank_) * size_t(C * (C - 1) / 2) + size_t(pair_index(a, b))) * 4];
        size_t i = two_at_[pair_index(a, b)];
        for (int pa = 0; pa < na; ++pa)
            for (int pb = 0; pb < nb; ++pb, ++i) {
                if (closed_count_ + (pa == 0) + (pb == 0) >= layout_.rules.columns_to_win) {
                    won<Slope>(i);
                    continue;
                }
                if (pa) put<Slope>(0, i - nb), put<Slope>(3, i - (pa > 1 ? 2 : 1) * nb);
                if (pb) put<Slope>(1, i - 1), put<Slope>(4, i - (pb > 1 ? 2 : 1));
                if (pa && pb) put<Slope>(2, i - nb - 1);
                for (int e = 0; e < entry_count; ++e) {
                    const Entry &n = entries[e];
                    const size_t at = pa * n.sa + pb * n.sb;
                    Lanes *value = moment_value_ + 5 + 4 * n.c, *slope = moment_slope_ + 5 + 4 * n.c;
                    value[0] = n.one[at];
                    value[1] = n.two[at];
                    if (pa) value[2] = n.one[at - n.sa];
                    if (pb) value[3] = n.one[at - n.sb];
                    if constexpr (Slope) {
                        slope[0] = n.one_slope[at];
                        slope[1] = n.two_slope[at];
                        if (pa) slope[2] = n.one_slope[at - n.sa];
                        if (pb) slope[3] = n.one_slope[at - n.sb];
                    }
                }
                settle<Slope>(i, roll<Slope>(classes[(pa == 0) + 2 * (pb == 0)]));
            }
    }

    template <bool Slope>
    void one_marker(int a) {
        const Classes *classes = &classes_.one[(size_t(rank_) * C + a) * 2];
        size_t i = one_at_[a];
        for (int pa = 0; pa < room_[a]; ++pa, ++i) {
            if (closed_count_ + (pa == 0) >= layout_.rules.columns_to_win) {
                won<Slope>(i);
                continue;
            }
            if (pa) put<Slope>(0, i - 1), put<Slope>(1, i - (pa > 1 ? 2 : 1));
            for (int k = 0; k < open_count_; ++k) {
                const int d = open_[k];
                if (d == a) continue;
                const Box box = two_box(a, d);
                const size_t at = box.at + size_t(pa) * box.sa;
                put<Slope>(2 + 3 * d, entered<Slope>(at, box.sb, one_step_[d]));
                put<Slope>(3 + 3 * d, entered<Slope>(at, box.sb, two_steps_[d]));
                if (pa) put<Slope>(4 + 3 * d, entered<Slope>(at - box.sa, box.sb, one_step_[d]));
                for (int m = 0; m < k; ++m) {
                    const int c = open_[m];
                    if (c == a) continue;
                    const Box both = three_box(a, c, d);
                    put<Slope>(2 + 3 * C + pair_index(c, d), entered<Slope>(both.at + size_t(pa) * both.sa, both.sb,
                                                                            one_step_[c], both.sc, one_step_[d]));
                }
            }
            settle<Slope>(i, roll<Slope>(classes[pa == 0]));
        }
    }

    template <bool Slope>
    Worth no_marker() {
        for (int k = 0; k < open_count_; ++k) {
            const int d = open_[k];
            put<Slope>(2 * d, entered<Slope>(one_at_[d], 1, one_step_[d]));
            put<Slope>(2 * d + 1, entered<Slope>(one_at_[d], 1, two_steps_[d]));
            for (int m = 0; m < k; ++m) {
                const int c = open_[m];
                const Box box = two_box(c, d);
                put<Slope>(2 * C + pair_index(c, d), entered<Slope>(box.at, box.sa, one_step_[c], box.sb, one_step_[d]));
            }
        }
        return roll<Slope>(classes_.none[rank_]);
    }

    const CellLayout &layout_;
    const ClassTable &classes_;
    const Real *table_;
    std::vector<Real> weight_;
    std::vector<uint16_t> play_;  // where a play's value stands among those of a moment
    const int C;
    const Lanes total_;
    std::unique_ptr<Lanes, Free> memory_;
    Lanes *value_, *slope_, *stop_, *planes_, *rolled_;
    size_t plane_size_;
    const CellGroup<Real> *g_ = nullptr;
    Lanes x_{};
    int open_[max_columns], open_count_ = 0, room_[max_columns], closed_count_ = 0, rank_ = 0;
    size_t one_at_[max_columns], two_at_[max_columns * max_columns / 2],
        three_at_[max_columns * max_columns * max_columns / 6];
    Entrance one_step_[max_columns], two_steps_[max_columns];
    Entrance nowhere_{0, 0, {}};
    Landing landing_[8];
    bool is_mixed_ = false;  // the lanes are of several blocks
    alignas(64) Lanes moment_value_[max_plays];
    alignas(64) Lanes moment_slope_[max_plays];
};

}  // namespace cant_stop::JEOPARDICE_TARGET
