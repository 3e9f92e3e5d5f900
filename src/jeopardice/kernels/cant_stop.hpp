// Can't Stop, one player: the fewest expected turns from every board.
//
// A board r says how many steps remain in each column; its value f(r) is the fixed point x of
//     x = 1 + R(r; x),    R(moment; x) = sum over classes of rolls  weight * min over plays W(next moment; x),
//     W(p; x) = min(f(p), R(p; x)),    a bust is worth x,    a won board is worth 0,
// where p are the steps that remain once the markers are banked. One evaluation walks the turn backwards: boxes of
// three markers, of two, of one, then the anchor. The slope of R in x is the chance to bust, carried along on request.
//
// Written in the steps that *remain*, the classes of rolls and the clamped double steps are the same for all boards
// with the same closed columns. So four such boards are solved side by side in the lanes of a vector; no lane ever
// looks at another, and a board's bits do not depend on its neighbours. A lane with fewer steps than the box has room
// for computes values there that nothing reads. Lanes index apart only where a new marker enters one of the three
// fast columns. Cost: about 15 classes for each of the product of steps over all triples of columns.
//
// This file is compiled once per instruction set (JEOPARDICE_TARGET names the namespace); all give the same bits.
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <memory>

#include "cant_stop_tables.hpp"

namespace cant_stop::JEOPARDICE_TARGET {

typedef double Lanes __attribute__((vector_size(32)));
typedef int64_t LaneMask __attribute__((vector_size(32)));

struct Four {  // a whole number per lane
    int at[4];
};

inline Lanes spread(double v) { return Lanes{v, v, v, v}; }
inline Lanes smaller(Lanes a, Lanes b) {
#ifdef JEOPARDICE_AVX2
    return __builtin_ia32_minpd256(a, b);
#else
    return a < b ? a : b;
#endif
}

// Four boards of one block with the same closed columns and none below another.
struct Group {
    std::array<Four, max_columns> r;      // steps that remain
    std::array<int, max_columns> room;    // the most over the lanes
    std::array<bool, max_columns> alike;  // do all lanes have the same?
    int64_t block;
    std::array<int64_t, 4> cell, swapped;  // places in the block's row, or in that of its mirror image
    uint32_t closed;
    int used;  // lanes that count; the others repeat the last
};

struct Moment {  // values that plays lead to, and their chances to bust
    alignas(64) Lanes value[max_plays];
    alignas(64) Lanes slope[max_plays];
};

struct Worth {
    Lanes value, slope;
};

// `Whole`: the weights are whole numbers and a roll's sum is divided by their total, as directed rounding needs it.
// `Replay`: keep the worth of rolling on at every moment, also where no turn can lead, to answer questions about it.
template <class Stored, bool Whole = false, bool Replay = false>
class TurnPass {
  public:
    TurnPass(const Layout &layout, const ClassTable &classes, const Stored *table)
        : layout_(layout), classes_(classes), table_(table), C(layout.rules.columns), total_(spread(layout.rules.total)) {
        const auto &L = layout.rules.length;
        size_t three = 0, two = 0, one = 0, plane = 1;
        for (int c = 0; c < C; ++c) {
            one += L[c];
            for (int b = 0; b < c; ++b) {
                two += L[b] * L[c];
                plane = std::max(plane, size_t(L[b]) * L[c]);
                for (int a = 0; a < b; ++a) three += L[a] * L[b] * L[c];
            }
        }
        const size_t cells = three + two + one;
        const size_t lanes = (Replay ? 4 : 3) * cells + 12 * plane;
        memory_.reset(static_cast<Lanes *>(std::aligned_alloc(64, (lanes * sizeof(Lanes) + 63) / 64 * 64)));
        value_ = memory_.get();
        std::fill(value_, value_ + lanes, spread(0));  // lanes read past their own steps; let them find plain numbers
        slope_ = value_ + cells;
        stop_ = slope_ + cells;
        planes_ = stop_ + cells;
        rolled_ = planes_ + 12 * plane;
        plane_size_ = plane;
    }

    // Set the boards to evaluate; the worth of stopping is read from the table by the next evaluation.
    void begin(const Group &group) {
        g_ = &group;
        size_t next = 0;
        open_count_ = 0;
        for (int c = 0; c < C; ++c)
            if (!(group.closed >> c & 1)) open_[open_count_++] = c;
        for (int i = 0; i < open_count_; ++i) {
            const int c = open_[i];
            one_at_[c] = next;
            next += group.room[c];
        }
        for (int j = 1; j < open_count_; ++j)
            for (int i = 0; i < j; ++i) {
                two_at_[pair_index(open_[i], open_[j])] = next;
                next += size_t(group.room[open_[i]]) * group.room[open_[j]];
            }
        for (int k = 2; k < open_count_; ++k)
            for (int j = 1; j < k; ++j)
                for (int i = 0; i < j; ++i) {
                    three_at_[triple_index(open_[i], open_[j], open_[k])] = next;
                    next += size_t(group.room[open_[i]]) * group.room[open_[j]] * group.room[open_[k]];
                }
        closed_count_ = std::popcount(group.closed);
        rank_ = classes_.rank_of_closed[group.closed];
    }

    // R(anchor; x), and its slope if `Slope`. `Fresh`: the first evaluation since begin().
    template <bool Slope, bool Fresh>
    Worth evaluate(Lanes x) {
        x_ = x;
        for (int k = 2; k < open_count_; ++k)
            for (int j = 1; j < k; ++j)
                for (int i = 0; i < j; ++i) three_markers<Slope, Fresh>(open_[i], open_[j], open_[k]);
        for (int j = 1; j < open_count_; ++j)
            for (int i = 0; i < j; ++i) two_markers<Slope, Fresh>(open_[i], open_[j]);
        for (int i = 0; i < open_count_; ++i) one_marker<Slope, Fresh>(open_[i]);
        return no_marker<Slope>();
    }

    // What stopping and rolling on are worth with markers in these columns (ascending), p steps below the top.
    std::pair<double, double> worth_at(const std::vector<int> &column, const std::vector<int> &p) const {
        const size_t i = column.size() == 1   ? one_at_[column[0]] + size_t(p[0])
                         : column.size() == 2 ? two_cell(column[0], p[0], column[1], p[1])
                                              : three_cell(column[0], p[0], column[1], p[1], column[2], p[2]);
        return {double(stop_[i][0]), double(rolled_[i][0])};
    }

  private:
    struct Free {
        void operator()(Lanes *p) const { std::free(p); }
    };

    template <bool Slope>
    inline __attribute__((always_inline)) Worth roll(const Classes &classes) const {
        const double *w = classes_.weight.data() + classes.first_weight;
        const uint16_t *play = classes_.play.data() + classes.first_play;
        const double *value = reinterpret_cast<const double *>(moment_.value);
        const double *slope = reinterpret_cast<const double *>(moment_.slope);
        auto V = [&](int i) { return *reinterpret_cast<const Lanes *>(value + play[i]); };
        auto S = [&](int i) { return *reinterpret_cast<const Lanes *>(slope + play[i]); };
        Lanes sum = spread(classes.bust) * x_, odd = spread(0), bust = spread(classes.bust), odd_bust = spread(0);
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

    // W = min(stop, roll) of the moment in cell i.
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
    // Where the boards stand in the table that differ from these four in some columns only: there all steps are taken.
    struct Origin {
        int64_t block;
        std::array<int64_t, 4> cell, swapped;
    };
    Origin without(std::initializer_list<int> columns) const {
        Origin o{g_->block, g_->cell, g_->swapped};
        for (int c : columns) {
            o.block -= g_->r[c].at[0] * layout_.block_step[c];  // slow columns are alike in all lanes
            for (int l = 0; l < 4; ++l) {
                o.cell[l] -= g_->r[c].at[l] * layout_.cell_step[c];
                o.swapped[l] -= g_->r[c].at[l] * layout_.swapped_step[c];
            }
        }
        return o;
    }
    inline Lanes stored(const Origin &o, int64_t blocks, int64_t cells, int64_t swapped) const {
        const int64_t place = layout_.place[size_t(o.block + blocks)];
        const Stored *row = table_ + (place < 0 ? ~place : place) * layout_.block_size + (place < 0 ? swapped : cells);
        const std::array<int64_t, 4> &at = place < 0 ? o.swapped : o.cell;
        return Lanes{double(row[at[0]]), double(row[at[1]]), double(row[at[2]]), double(row[at[3]])};
    }
    template <bool Slope>
    inline void put(int play, size_t cell) {
        moment_.value[play] = value_[cell];
        if constexpr (Slope) moment_.slope[play] = slope_[cell];
    }
    static inline Lanes gathered(const Lanes *from, const std::array<size_t, 4> &cell) {
        const double *d = reinterpret_cast<const double *>(from);
        return Lanes{d[cell[0] * 4], d[cell[1] * 4 + 1], d[cell[2] * 4 + 2], d[cell[3] * 4 + 3]};
    }
    template <bool Slope>
    inline void put_apart(int play, const std::array<size_t, 4> &cell) {
        moment_.value[play] = gathered(value_, cell);
        if constexpr (Slope) moment_.slope[play] = gathered(slope_, cell);
    }
    // Steps that remain after a new marker has gone one or two steps up.
    inline int after_one(int c, int lane) const { return g_->r[c].at[lane] - 1; }
    inline int after_two(int c, int lane) const { return std::max(0, g_->r[c].at[lane] - 2); }

    template <bool Slope, bool Fresh>
    void three_markers(int a, int b, int c) {
        const Classes *classes = &classes_.three[triple_index(a, b, c) * 8];
        const int na = g_->room[a], nb = g_->room[b], nc = g_->room[c];
        const size_t sa = size_t(nb) * nc, sb = nc;
        const Origin origin = without({a, b, c});
        const auto &block = layout_.block_step, &cell = layout_.cell_step, &swapped = layout_.swapped_step;
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
                    if constexpr (Fresh)
                        stop_[i] = stored(origin, pa * block[a] + pb * block[b] + pc * block[c],
                                          pa * cell[a] + pb * cell[b] + pc * cell[c],
                                          pa * swapped[a] + pb * swapped[b] + pc * swapped[c]);
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

    // Where the values stand that a new marker in column c leads to, for the pair a, b: cell p_a * sa + p_b * sb.
    struct Entry {
        int c;
        const Lanes *one, *one_slope, *two, *two_slope;  // after one step, after two
        size_t sa, sb;
    };

    template <bool Slope>
    Entry entry(int a, int b, int c, int copies) {
        int m[3] = {a, b, c};
        std::sort(m, m + 3);
        const size_t at = three_at_[triple_index(m[0], m[1], m[2])];
        size_t stride[3] = {size_t(g_->room[m[1]]) * g_->room[m[2]], size_t(g_->room[m[2]]), 1};
        size_t sa = 0, sb = 0, sc = 0;
        for (int i = 0; i < 3; ++i) (m[i] == a ? sa : m[i] == b ? sb : sc) = stride[i];
        if (g_->alike[c]) {
            const size_t one = at + after_one(c, 0) * sc, two = at + after_two(c, 0) * sc;
            return {c, value_ + one, slope_ + one, value_ + two, slope_ + two, sa, sb};
        }
        Lanes *plane = planes_ + size_t(copies) * 4 * plane_size_;
        Lanes *one = plane, *one_slope = one + plane_size_, *two = one_slope + plane_size_, *two_slope = two + plane_size_;
        std::array<size_t, 4> from_one, from_two;
        size_t to = 0;
        for (int pa = 0; pa < g_->room[a]; ++pa)
            for (int pb = 0; pb < g_->room[b]; ++pb, ++to) {
                const size_t cell = at + pa * sa + pb * sb;
                for (int l = 0; l < 4; ++l) {
                    from_one[l] = cell + after_one(c, l) * sc;
                    from_two[l] = cell + after_two(c, l) * sc;
                }
                one[to] = gathered(value_, from_one);
                two[to] = gathered(value_, from_two);
                if constexpr (Slope) {
                    one_slope[to] = gathered(slope_, from_one);
                    two_slope[to] = gathered(slope_, from_two);
                }
            }
        return {c, one, one_slope, two, two_slope, size_t(g_->room[b]), 1};
    }

    template <bool Slope, bool Fresh>
    void two_markers(int a, int b) {
        const int na = g_->room[a], nb = g_->room[b];
        Entry entries[max_columns];
        int entry_count = 0, copies = 0;
        for (int k = 0; k < open_count_; ++k) {
            const int c = open_[k];
            if (c == a || c == b) continue;
            entries[entry_count++] = entry<Slope>(a, b, c, copies);
            copies += !g_->alike[c];
        }
        const Origin origin = without({a, b});
        const auto &block = layout_.block_step, &cell = layout_.cell_step, &swapped = layout_.swapped_step;
        // With every column open, each roll takes two steps until a marker is at the top.
        const bool even_only = !Replay && g_->closed == 0 && same_parity(a, b);
        const int parity = (g_->r[a].at[0] + g_->r[b].at[0]) & 1;
        const Classes *classes = &classes_.two[(size_t(rank_) * (C * (C - 1) / 2) + pair_index(a, b)) * 4];
        size_t i = two_at_[pair_index(a, b)];
        for (int pa = 0; pa < na; ++pa)
            for (int pb = 0; pb < nb; ++pb, ++i) {
                if (closed_count_ + (pa == 0) + (pb == 0) >= layout_.rules.columns_to_win) {
                    won<Slope>(i);
                    continue;
                }
                if (even_only && pa && pb && ((pa + pb) & 1) != parity) continue;
                if constexpr (Fresh)
                    stop_[i] = stored(origin, pa * block[a] + pb * block[b], pa * cell[a] + pb * cell[b],
                                      pa * swapped[a] + pb * swapped[b]);
                if (pa) put<Slope>(0, i - nb), put<Slope>(3, i - (pa > 1 ? 2 : 1) * nb);
                if (pb) put<Slope>(1, i - 1), put<Slope>(4, i - (pb > 1 ? 2 : 1));
                if (pa && pb) put<Slope>(2, i - nb - 1);
                for (int e = 0; e < entry_count; ++e) {
                    const Entry &n = entries[e];
                    const size_t at = pa * n.sa + pb * n.sb;
                    Lanes *value = moment_.value + 5 + 4 * n.c, *slope = moment_.slope + 5 + 4 * n.c;
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

    bool same_parity(int a, int b) const {
        int odd = 0;
        for (int l = 0; l < 4; ++l) odd += (g_->r[a].at[l] + g_->r[b].at[l]) & 1;
        return odd == 0 || odd == 4;
    }

    size_t two_cell(int a, int pa, int c, int pc) const {
        return a < c ? two_at_[pair_index(a, c)] + size_t(pa) * g_->room[c] + pc
                     : two_at_[pair_index(c, a)] + size_t(pc) * g_->room[a] + pa;
    }
    size_t three_cell(int a, int pa, int c, int pc, int d, int pd) const {  // c < d
        if (a < c) return three_at_[triple_index(a, c, d)] + (size_t(pa) * g_->room[c] + pc) * g_->room[d] + pd;
        if (a < d) return three_at_[triple_index(c, a, d)] + (size_t(pc) * g_->room[a] + pa) * g_->room[d] + pd;
        return three_at_[triple_index(c, d, a)] + (size_t(pc) * g_->room[d] + pd) * g_->room[a] + pa;
    }

    template <bool Slope, bool Fresh>
    void one_marker(int a) {
        const Origin origin = without({a});
        int odd = 0;
        for (int l = 0; l < 4; ++l) odd += g_->r[a].at[l] & 1;
        const bool even_only = !Replay && g_->closed == 0 && (odd == 0 || odd == 4);
        const Classes *classes = &classes_.one[(size_t(rank_) * C + a) * 2];
        size_t i = one_at_[a];
        for (int pa = 0; pa < g_->room[a]; ++pa, ++i) {
            if (closed_count_ + (pa == 0) >= layout_.rules.columns_to_win) {
                won<Slope>(i);
                continue;
            }
            if (even_only && pa && (pa & 1) != (odd != 0)) continue;
            if constexpr (Fresh)
                stop_[i] =
                    stored(origin, pa * layout_.block_step[a], pa * layout_.cell_step[a], pa * layout_.swapped_step[a]);
            if (pa) put<Slope>(0, i - 1), put<Slope>(1, i - (pa > 1 ? 2 : 1));
            for (int k = 0; k < open_count_; ++k) {
                const int d = open_[k];
                if (d == a) continue;
                std::array<size_t, 4> one, two, both;
                for (int l = 0; l < 4; ++l) {
                    one[l] = two_cell(a, pa, d, after_one(d, l));
                    two[l] = two_cell(a, pa, d, after_two(d, l));
                    both[l] = pa ? two_cell(a, pa - 1, d, after_one(d, l)) : 0;
                }
                put_apart<Slope>(2 + 3 * d, one);
                put_apart<Slope>(3 + 3 * d, two);
                if (pa) put_apart<Slope>(4 + 3 * d, both);
                for (int m = 0; m < k; ++m) {
                    const int c = open_[m];
                    if (c == a) continue;
                    const int play = 2 + 3 * C + pair_index(c, d);
                    if (g_->alike[c] && g_->alike[d])
                        put<Slope>(play, three_cell(a, pa, c, after_one(c, 0), d, after_one(d, 0)));
                    else {
                        for (int l = 0; l < 4; ++l) both[l] = three_cell(a, pa, c, after_one(c, l), d, after_one(d, l));
                        put_apart<Slope>(play, both);
                    }
                }
            }
            settle<Slope>(i, roll<Slope>(classes[pa == 0]));
        }
    }

    template <bool Slope>
    Worth no_marker() {
        std::array<size_t, 4> one, two;
        for (int k = 0; k < open_count_; ++k) {
            const int d = open_[k];
            for (int l = 0; l < 4; ++l) {
                one[l] = one_at_[d] + after_one(d, l);
                two[l] = one_at_[d] + after_two(d, l);
            }
            put_apart<Slope>(2 * d, one);
            put_apart<Slope>(2 * d + 1, two);
            for (int m = 0; m < k; ++m) {
                const int c = open_[m];
                for (int l = 0; l < 4; ++l) one[l] = two_cell(c, after_one(c, l), d, after_one(d, l));
                put_apart<Slope>(2 * C + pair_index(c, d), one);
            }
        }
        return roll<Slope>(classes_.none[rank_]);
    }

    const Layout &layout_;
    const ClassTable &classes_;
    const Stored *table_;
    const int C;
    const Lanes total_;
    std::unique_ptr<Lanes, Free> memory_;
    Lanes *value_, *slope_, *stop_, *planes_, *rolled_;
    size_t plane_size_;
    const Group *g_ = nullptr;
    Lanes x_{};
    int open_[max_columns], open_count_ = 0, closed_count_ = 0, rank_ = 0;
    size_t one_at_[max_columns], two_at_[max_columns * max_columns / 2],
        three_at_[max_columns * max_columns * max_columns / 6];
    Moment moment_;
};

}  // namespace cant_stop::JEOPARDICE_TARGET
