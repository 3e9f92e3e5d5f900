// Games played between cells by a table's own best play, to see where its bound is loose.
//
// A table is off by nothing but the freedom of new markers to enter anywhere in their cell. So wherever a marker enters,
// the difference between the place taken (the best of the cell, or the worst in an upper table) and the mean over its
// places is what a finer cell could gain; added up along a game, about the distance of the table from the value at the
// start. Each cell that the games pass is evaluated once, for all games that are there.
//
// Cost: one evaluation for each different cell that is visited; games end after some turns each.
#pragma once
#include <map>

#include "cells.hpp"

namespace cant_stop::JEOPARDICE_TARGET {

template <class Real, bool Upper>
class CellWalker final : public CellPass<Real, Upper, false, true>, public CellWalk {
    using Base = CellPass<Real, Upper, false, true>;
    using Base::C, Base::classes_, Base::closed_count_, Base::layout_, Base::one_at_, Base::rank_, Base::rolled_,
        Base::room_, Base::stop_, Base::table_, Base::three_at_, Base::two_at_, Base::value_;

  public:
    explicit CellWalker(const CellJob &job)
        : Base(job.layout, job.classes, static_cast<const Real *>(job.table)), job_(job) {}

    void play(int64_t games, uint64_t seed, Loosenesses &loose) override {
        random_ = seed;
        loose_ = &loose;
        std::map<int64_t, int64_t, std::greater<>> at;  // games by cell; later cells of the table lead to earlier ones
        at[job_.layout.cell_of(job_.layout.rules.length.data())] = games;
        while (!at.empty()) {
            const auto [cell, count] = *at.begin();
            at.erase(at.begin());
            enter(cell);
            for (int64_t game = 0; game < count; ++game) {
                const int64_t next = finished_turn();
                if (next >= 0) ++at[next];
            }
        }
    }

  private:
    struct Markers {
        int count = 0;
        std::array<int, 3> column{}, p{};
    };
    struct Landed {
        Markers markers;
        double value;
    };

    void enter(int64_t cell) {
        const auto &order = job_.layout.order;
        const auto after = std::upper_bound(order.begin(), order.end(), cell, [&](int64_t place, uint32_t block) {
            return place < job_.layout.blocks[block].first;
        });
        number_ = *(after - 1);
        group_.block.fill(&job_.layout.blocks[number_]);
        group_.span.fill(span_of(job_.layout, *group_.block[0], cell));
        group_.cell.fill(cell);
        group_.used = 1;
        this->begin(group_);
        this->template evaluate<false>(Base::spread(table_[cell]));
    }

    // Play turns until one ends with a stop; returns the cell it leads to, or -1 after a win.
    int64_t finished_turn() {
        Markers at;
        while (true) {
            const std::array<int, 6> *plays = nullptr;
            const int choices = rolled(at, plays);
            if (choices == 0) {
                at = {};
                continue;
            }
            Landed best = landed(at, (*plays)[0]);
            for (int i = 1; i < choices; ++i) {
                const Landed other = landed(at, (*plays)[size_t(i)]);
                if (other.value < best.value) best = other;
            }
            note_looseness(at, best);
            at = best.markers;
            if (is_won(at)) return -1;
            const size_t i = moment(at);
            if (stop_[i][0] <= rolled_[i][0]) return stopped(at);
        }
    }

    bool is_won(const Markers &m) const {
        int closed = closed_count_;
        for (int i = 0; i < m.count; ++i) closed += m.p[size_t(i)] == 0;
        return closed >= layout_.rules.columns_to_win;
    }
    int64_t stopped(const Markers &m) const {
        std::array<int, max_columns> board = group_.span[0].low;
        for (int i = 0; i < m.count; ++i) board[size_t(m.column[size_t(i)])] = m.p[size_t(i)];
        return job_.layout.cell_of(board.data());
    }
    size_t moment(const Markers &m) const {
        const auto &c = m.column;
        const auto &p = m.p;
        if (m.count == 1) return one_at_[c[0]] + size_t(p[0]);
        if (m.count == 2) return two_at_[pair_index(c[0], c[1])] + size_t(p[0]) * room_[c[1]] + p[1];
        return three_at_[triple_index(c[0], c[1], c[2])] + (size_t(p[0]) * room_[c[1]] + p[1]) * room_[c[2]] + p[2];
    }

    // Roll: the plays to choose from, none after a bust.
    int rolled(const Markers &at, const std::array<int, 6> *&plays) {
        int tops = 0;
        for (int i = 0; i < at.count; ++i) tops |= (at.p[size_t(i)] == 0) << i;
        const auto &c = at.column;
        const Classes &classes =
            at.count == 3 ? classes_.three[size_t(triple_index(c[0], c[1], c[2])) * 8 + tops]
            : at.count == 2
                ? classes_.two[(size_t(rank_) * size_t(C * (C - 1) / 2) + size_t(pair_index(c[0], c[1]))) * 4 + tops]
            : at.count == 1 ? classes_.one[(size_t(rank_) * C + c[0]) * 2 + tops]
                            : classes_.none[size_t(rank_)];
        double left = uniform() - classes.bust;
        if (left < 0) return 0;
        size_t weight = classes.first_weight, play = classes.first_play;
        int last = 0;
        for (int many = 1; many <= 6; ++many)
            for (int n = classes.count[size_t(many)]; n > 0; --n, play += size_t(many)) {
                left -= classes_.weight[weight++];
                last = many;
                for (int i = 0; i < many; ++i) plays_[size_t(i)] = classes_.play[play + size_t(i)] / 4;
                plays = &plays_;
                if (left < 0) return many;
            }
        return last;
    }

    // The climbs of a play, up to two columns, as cant_stop_tables.hpp numbers plays.
    struct Climb {
        int column, steps;
    };
    int climbs(const Markers &at, int play, Climb (&climb)[2]) const {
        const auto &c = at.column;
        auto set = [&](int i, int column, int steps) { climb[i] = {column, steps}; };
        const int pairs_from = at.count == 1 ? 2 + 3 * C : 2 * C;
        if (at.count == 3) {
            if (play < 3) return set(0, c[size_t(play)], 1), 1;
            if (play >= 6) return set(0, c[size_t(play - 6)], 2), 1;
            return set(0, c[play == 5], 1), set(1, c[play == 3 ? 1 : 2], 1), 2;
        }
        if (at.count == 2) {
            if (play < 2) return set(0, c[size_t(play)], 1), 1;
            if (play == 2) return set(0, c[0], 1), set(1, c[1], 1), 2;
            if (play < 5) return set(0, c[size_t(play - 3)], 2), 1;
            const int fresh = (play - 5) / 4, kind = (play - 5) % 4;
            if (kind < 2) return set(0, fresh, kind + 1), 1;
            return set(0, c[size_t(kind - 2)], 1), set(1, fresh, 1), 2;
        }
        if (play >= pairs_from) {
            int d = 1;
            while (pair_index(0, d + 1) <= play - pairs_from) ++d;
            return set(0, play - pairs_from - pair_index(0, d), 1), set(1, d, 1), 2;
        }
        if (at.count == 0) return set(0, play / 2, play % 2 + 1), 1;
        if (play < 2) return set(0, c[0], play + 1), 1;
        const int fresh = (play - 2) / 3, kind = (play - 2) % 3;
        if (kind < 2) return set(0, fresh, kind + 1), 1;
        return set(0, c[0], 1), set(1, fresh, 1), 2;
    }

    // Where a play leads, new markers entering where the table lets them.
    Landed landed(const Markers &at, int play) const {
        Climb climb[2]{};
        const int count = climbs(at, play, climb);
        Landed best{at, Upper ? -1.0 : std::numeric_limits<double>::infinity()};
        auto each_place = [&](const Markers &from, const Climb &c, auto &&then) {
            for (int i = 0; i < from.count; ++i)
                if (from.column[size_t(i)] == c.column) {
                    Markers next = from;
                    next.p[size_t(i)] = std::max(0, next.p[size_t(i)] - c.steps);
                    return then(next);
                }
            for (int r = group_.span[0].low[size_t(c.column)]; r <= group_.span[0].high[size_t(c.column)]; ++r)
                then(with(from, c.column, std::max(0, r - c.steps)));
        };
        auto take = [&](const Markers &m) {
            const double value = is_won(m) ? 0.0 : double(value_[moment(m)][0]);
            if (Upper ? value > best.value : value < best.value) best = {m, value};
        };
        each_place(at, climb[0], [&](const Markers &m) {
            if (count == 1) return take(m);
            each_place(m, climb[1], take);
        });
        return best;
    }
    static Markers with(Markers m, int column, int p) {
        int i = m.count++;
        for (; i > 0 && m.column[size_t(i - 1)] > column; --i) {
            m.column[size_t(i)] = m.column[size_t(i - 1)];
            m.p[size_t(i)] = m.p[size_t(i - 1)];
        }
        m.column[size_t(i)] = column;
        m.p[size_t(i)] = p;
        return m;
    }

    void note_looseness(const Markers &before, const Landed &chosen) {
        for (int i = 0; i < chosen.markers.count; ++i) {
            const int c = chosen.markers.column[size_t(i)];
            const int low = group_.span[0].low[size_t(c)], high = group_.span[0].high[size_t(c)];
            bool is_new = low < high;
            for (int k = 0; k < before.count; ++k) is_new &= before.column[size_t(k)] != c;
            if (!is_new) continue;
            double mean = 0;  // over the places one step on; a double step differs little
            for (int r = low; r <= high; ++r) {
                Markers other = chosen.markers;
                other.p[size_t(i)] = r - 1;
                mean += is_won(other) ? 0.0 : double(value_[moment(other)][0]);
            }
            mean /= high - low + 1;
            (*loose_)[{number_, c, low}] += std::max(0.0, Upper ? chosen.value - mean : mean - chosen.value);
        }
    }

    double uniform() {  // SplitMix64
        uint64_t z = random_ += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return double((z ^ z >> 31) >> 11) * 0x1p-53;
    }

    const CellJob &job_;
    CellGroup<Real> group_;
    uint32_t number_ = 0;  // of the block
    uint64_t random_ = 0;
    Loosenesses *loose_ = nullptr;
    std::array<int, 6> plays_{};
};

}  // namespace cant_stop::JEOPARDICE_TARGET
