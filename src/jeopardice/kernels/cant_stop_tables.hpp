// Can't Stop laid out as tables: the board's mixed-radix order, and the rolls merged into classes.
//
// A class of rolls is a set of plays that several rolls offer alike. Which plays a roll offers depends only on the
// closed columns, the marked columns and which markers stand at the top, never on how far the other markers are. So
// the classes are worked out from the rules once (`columns/classes.py`, which also says how plays are numbered), and the
// pass in cant_stop.hpp only adds up  weight * min over plays.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace cant_stop {

constexpr int max_columns = 11;
constexpr int max_plays = 2 + 3 * max_columns + max_columns * (max_columns - 1) / 2;

struct Rules {
    int columns, columns_to_win;
    double total;  // weight of all rolls
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

// At most six numbers, in place. Not std::sort: GCC 12 warns of its steps for long arrays.
inline void sort_few(int *numbers, int count) {
    for (int i = 1; i < count; ++i)
        for (int j = i; j > 0 && numbers[j - 1] > numbers[j]; --j) std::swap(numbers[j - 1], numbers[j]);
}

inline int pair_index(int c, int d) { return d * (d - 1) / 2 + c; }                                       // c < d
inline int triple_index(int a, int b, int c) { return c * (c - 1) * (c - 2) / 6 + b * (b - 1) / 2 + a; }  // a < b < c

// The classes of all situations one after the other, as `columns/classes.py` writes them: three markers, two, one, none.
struct ClassArrays {
    std::span<const double> bust, weight;  // whole numbers
    std::span<const int32_t> count;        // [situation][7]
    std::span<const uint16_t> play;
    std::vector<int> closed_sets;  // as bit masks, in the order of their ranks
};

// Weights and busts divided by `scale`: by the weight of all rolls for chances, by 1 for whole numbers.
inline ClassTable class_table(const ClassArrays &from, int columns, double scale) {
    ClassTable table;
    for (double weight : from.weight) table.weight.push_back(weight / scale);
    for (uint16_t play : from.play) table.play.push_back(uint16_t(4 * play));
    table.rank_of_closed.assign(size_t(1) << columns, -1);
    for (size_t rank = 0; rank < from.closed_sets.size(); ++rank)
        table.rank_of_closed[size_t(from.closed_sets[rank])] = int(rank);
    size_t situation = 0;
    uint32_t first_weight = 0, first_play = 0;
    auto take = [&](std::vector<Classes> &to, size_t count) {
        for (size_t i = 0; i < count; ++i, ++situation) {
            Classes classes{from.bust[situation] / scale, {}, first_weight, first_play};
            for (uint32_t plays = 0; plays < 7; ++plays) {
                const int classes_with = from.count[situation * 7 + plays];
                classes.count[plays] = classes_with;
                first_weight += uint32_t(classes_with);
                first_play += plays * uint32_t(classes_with);
            }
            to.push_back(classes);
        }
    };
    const size_t C = size_t(columns), sets = from.closed_sets.size();
    take(table.three, C * (C - 1) * (C - 2) / 6 * 8);
    take(table.two, sets * C * (C - 1) / 2 * 4);
    take(table.one, sets * C * 2);
    take(table.none, sets);
    return table;
}

// A game as the kernels read it.
struct Game {
    Rules rules;
    ClassTable chances, whole;  // weights as chances; as whole numbers, which the pass divides by their total

    Game(const Rules &r, const ClassArrays &classes)
        : rules(r), chances(class_table(classes, r.columns, r.total)), whole(class_table(classes, r.columns, 1.0)) {}
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
