// Can't Stop laid out as tables: the board's mixed-radix order, and the rolls merged into classes.
//
// A class of rolls is a set of plays that several rolls offer alike. Which plays a roll offers depends only on the
// closed columns, the marked columns and which markers stand at the top, never on how far the other markers are. So
// the classes are made once per solve, and the pass in cant_stop.hpp only adds up  weight * min over plays.
//
// A play is named by a number that says where its value stands in the moment's array of reachable values:
//   3 markers a<b<c   0..2 a step of one marker, 3 ab, 4 ac, 5 bc, 6..8 a double step
//   2 markers a<b     0 a, 1 b, 2 ab, 3 aa, 4 bb; with d a new column: 5+4d d, 6+4d dd, 7+4d ad, 8+4d bd
//   1 marker a        0 a, 1 aa; 2+3d d, 3+3d dd, 4+3d ad; 2+3C+pair(d,e) de
//   no marker         2d d, 2d+1 dd; 2C+pair(d,e) de
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace cant_stop {

constexpr int max_columns = 11;
constexpr int max_plays = 2 + 3 * max_columns + max_columns * (max_columns - 1) / 2;

struct Rules {
    int sides, columns, columns_to_win;
    std::array<int, max_columns> length;
};

// The rolls of one kind of moment: `bust` has no play; then classes with one play each, with two, ... with six.
struct Classes {
    double bust = 0;
    std::array<int, 7> count{};  // count[n]: classes that offer n plays
    uint32_t first_weight = 0, first_play = 0;
};

struct ClassTable {
    std::vector<double> weight;       // chances, or whole numbers if the pass divides by `total` itself
    std::vector<uint16_t> play;       // 4 * the play's number: an index into doubles of four lanes
    std::vector<Classes> three;       // [triple * 8 + tops]
    std::vector<Classes> two;         // [closed rank][pair * 4 + tops]
    std::vector<Classes> one;         // [closed rank][column * 2 + top]
    std::vector<Classes> none;        // [closed rank]
    std::vector<int> rank_of_closed;  // by bit mask, -1 where too many are closed
};

inline int pair_index(int c, int d) { return d * (d - 1) / 2 + c; }                                       // c < d
inline int triple_index(int a, int b, int c) { return c * (c - 1) * (c - 2) / 6 + b * (b - 1) / 2 + a; }  // a < b < c

class ClassBuilder {
  public:
    ClassBuilder(const Rules &rules, bool whole_weights) : rules_(rules), whole_(whole_weights) {
        int n = rules.sides;
        total_ = double(n) * n * n * n;
        for (int i = 0; i < n; ++i)
            for (int j = i; j < n; ++j)
                for (int k = j; k < n; ++k)
                    for (int l = k; l < n; ++l) {
                        int orders = 24, run = 1;
                        const int die[4] = {i, j, k, l};
                        for (int m = 1; m < 4; ++m) {
                            run = die[m] == die[m - 1] ? run + 1 : 1;
                            orders /= run;
                        }
                        rolls_.push_back({double(orders), {{{i + j, k + l}, {i + k, j + l}, {i + l, j + k}}}});
                    }
    }

    ClassTable build() {
        ClassTable table;
        const int C = rules_.columns;
        table.three.resize(size_t(C) * (C - 1) * (C - 2) / 6 * 8);
        for (int c = 2; c < C; ++c)
            for (int b = 1; b < c; ++b)
                for (int a = 0; a < b; ++a)
                    for (int tops = 0; tops < 8; ++tops)
                        table.three[triple_index(a, b, c) * 8 + tops] = classes(table, {a, b, c}, 3, tops, 0);
        table.rank_of_closed.assign(size_t(1) << C, -1);
        int rank = 0;
        for (uint32_t closed = 0; closed < (1u << C); ++closed) {
            if (std::popcount(closed) >= rules_.columns_to_win) continue;
            table.rank_of_closed[closed] = rank++;
            const size_t two = table.two.size(), one = table.one.size();
            table.two.resize(two + C * (C - 1) / 2 * 4);
            table.one.resize(one + C * 2);
            for (int b = 0; b < C; ++b) {
                if (closed >> b & 1) continue;
                for (int top = 0; top < 2; ++top) table.one[one + b * 2 + top] = classes(table, {b}, 1, top, closed);
                for (int a = 0; a < b; ++a)
                    if (!(closed >> a & 1))
                        for (int tops = 0; tops < 4; ++tops)
                            table.two[two + pair_index(a, b) * 4 + tops] = classes(table, {a, b}, 2, tops, closed);
            }
            table.none.push_back(classes(table, {}, 0, 0, closed));
        }
        return table;
    }

  private:
    struct Roll {
        double weight;
        std::array<std::pair<int, int>, 3> pairings;
    };
    struct Class {
        uint64_t plays;  // up to six play numbers + 1, eight bits each, ascending from the low end
        double weight;
    };

    Classes classes(ClassTable &table, std::array<int, 3> marked, int markers, int tops, uint32_t closed) {
        const uint32_t now_closed = [&] {
            uint32_t mask = closed;
            for (int i = 0; i < markers; ++i)
                if (tops >> i & 1) mask |= 1u << marked[i];
            return mask;
        }();
        Classes result;
        if (std::popcount(now_closed) >= rules_.columns_to_win) return result;  // the game is over there
        found_.clear();
        for (const Roll &roll : rolls_) {
            int plays[6], count = 0;
            for (auto [s, t] : roll.pairings) add_plays(plays, count, s, t, marked, markers, now_closed);
            std::sort(plays, plays + count);
            count = int(std::unique(plays, plays + count) - plays);
            uint64_t key = 0;
            for (int i = count; i-- > 0;) key = key << 8 | uint64_t(plays[i] + 1);
            found_.push_back({key, roll.weight});
        }
        auto plays_in = [](uint64_t key) { return (std::bit_width(key) + 7) / 8; };
        std::sort(found_.begin(), found_.end(), [&](const Class &p, const Class &q) {
            const int m = plays_in(p.plays), n = plays_in(q.plays);
            return m != n ? m < n : p.plays < q.plays;
        });
        result.first_weight = uint32_t(table.weight.size());
        result.first_play = uint32_t(table.play.size());
        const double scale = whole_ ? 1.0 : total_;
        for (size_t i = 0; i < found_.size();) {
            double weight = 0;
            const uint64_t key = found_[i].plays;
            for (; i < found_.size() && found_[i].plays == key; ++i) weight += found_[i].weight;
            if (key == 0) {
                result.bust = weight / scale;
                continue;
            }
            ++result.count[plays_in(key)];
            table.weight.push_back(weight / scale);
            for (uint64_t rest = key; rest; rest >>= 8) table.play.push_back(uint16_t(((rest & 255) - 1) * 4));
        }
        return result;
    }

    // A pairing uses both sums where it can, one where only one can; two new columns compete for a last marker.
    void add_plays(int *plays, int &count, int s, int t, const std::array<int, 3> &marked, int markers,
                   uint32_t closed) const {
        auto place = [&](int column) {
            for (int i = 0; i < markers; ++i)
                if (marked[i] == column) return i;
            return -1;
        };
        const int left = 3 - markers, at_s = place(s), at_t = place(t);
        const bool s_can = !(closed >> s & 1) && (at_s >= 0 || left > 0);
        const bool t_can = !(closed >> t & 1) && (at_t >= 0 || left > 0);
        auto one = [&](int column, int at) { plays[count++] = single(markers, column, at); };
        if (s == t) {
            if (s_can) plays[count++] = twice(markers, s, at_s);
        } else if (s_can && t_can) {
            if (at_s < 0 && at_t < 0 && left == 1) {
                one(s, at_s);
                one(t, at_t);
            } else
                plays[count++] = both(markers, s, at_s, t, at_t);
        } else if (s_can)
            one(s, at_s);
        else if (t_can)
            one(t, at_t);
    }

    int single(int markers, int column, int at) const {
        if (at >= 0) return at;
        return markers == 2 ? 5 + 4 * column : markers == 1 ? 2 + 3 * column : 2 * column;
    }
    int twice(int markers, int column, int at) const {
        if (at >= 0) return markers == 3 ? 6 + at : markers == 2 ? 3 + at : 1;
        return single(markers, column, at) + 1;
    }
    int both(int markers, int s, int at_s, int t, int at_t) const {
        if (at_s >= 0 && at_t >= 0) return markers == 3 ? 2 + at_s + at_t : 2;
        if (at_s < 0 && at_t < 0) {
            const int C = rules_.columns, de = pair_index(std::min(s, t), std::max(s, t));
            return markers == 1 ? 2 + 3 * C + de : 2 * C + de;
        }
        const int fresh = at_s < 0 ? s : t, at = at_s < 0 ? at_t : at_s;
        return markers == 2 ? 7 + 4 * fresh + at : 4 + 3 * fresh;
    }

    Rules rules_;
    bool whole_;
    double total_;
    std::vector<Roll> rolls_;
    std::vector<Class> found_;
};

// Boards in mixed-radix order, the outer columns slowest and the three centre columns fastest. A block is one setting
// of all but those three; blocks in order of their remaining steps depend only on earlier blocks and on themselves.
// Only one of a block and its mirror image is solved and stored, as a row of the table; in the image of a stored block
// the outer two of the fast columns change places ("swapped"). A last row of zeros stands for all blocks already won.
struct Layout {
    Rules rules;
    std::array<int, max_columns> slow{};  // the slow columns, slowest first
    int slow_count = 0;
    std::array<int, 3> fast{};                        // the three centre columns, slowest first
    std::array<int64_t, max_columns> block_step{};    // what a step in a column adds to the number of the block
    std::array<int64_t, max_columns> cell_step{};     // to the place in its row
    std::array<int64_t, max_columns> swapped_step{};  // to the place in the row of its mirror image
    int64_t block_size = 0, block_count = 0;
    std::vector<int64_t> order;  // the block of each row, in the order of solving
    std::vector<int32_t> place;  // of a block: its row, or ~row of its mirror image

    explicit Layout(const Rules &r) : rules(r) {
        const int C = r.columns, mid = C / 2;
        for (int d = mid; d > 1; --d) {
            slow[slow_count++] = mid - d;
            slow[slow_count++] = mid + d;
        }
        fast = {mid - 1, mid + 1, mid};
        block_size = 1;
        for (int i = 2; i >= 0; --i) {
            cell_step[fast[i]] = block_size;
            block_size *= r.length[fast[i]] + 1;
        }
        for (int c : fast) swapped_step[c] = cell_step[C - 1 - c];
        block_count = 1;
        for (int i = slow_count; i-- > 0;) {
            block_step[slow[i]] = block_count;
            block_count *= r.length[slow[i]] + 1;
        }
        std::vector<std::pair<int, int64_t>> by_sum;
        for (int64_t b = 0; b < block_count; ++b) {
            int sum = 0, closed = 0;
            for (int i = 0; i < slow_count; ++i) {
                const int steps = remaining(b, slow[i]);
                sum += steps;
                closed += steps == 0;
            }
            if (closed < r.columns_to_win && b <= mirror(b)) by_sum.push_back({sum, b});
        }
        std::sort(by_sum.begin(), by_sum.end());
        place.assign(size_t(block_count), int32_t(by_sum.size()));
        for (auto [sum, b] : by_sum) {
            place[size_t(mirror(b))] = ~int32_t(order.size());
            place[size_t(b)] = int32_t(order.size());
            order.push_back(b);
        }
    }
    int remaining(int64_t block, int column) const { return int(block / block_step[column] % (rules.length[column] + 1)); }
    int64_t mirror(int64_t block) const {
        int64_t image = 0;
        for (int i = 0; i < slow_count; ++i) image += remaining(block, slow[i]) * block_step[rules.columns - 1 - slow[i]];
        return image;
    }
    int64_t row(int64_t block) const { return place[size_t(block)] < 0 ? ~place[size_t(block)] : place[size_t(block)]; }
};

}  // namespace cant_stop
