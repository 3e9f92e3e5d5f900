// The boards of one block: Newton's method on each anchor, and the check of an anchor's equation.
#include <ctime>

#include "cant_stop.hpp"
#include "cant_stop_run.hpp"
#include "rounding.hpp"

namespace cant_stop::JEOPARDICE_TARGET {

// All that follows from the steps that remain.
inline void complete(Group &group, const Layout &layout) {
    const int C = layout.rules.columns;
    group.closed = 0;
    group.block = 0;
    for (int c = 0; c < C; ++c) group.block += group.r[c].at[0] * layout.block_step[c];
    for (int l = 0; l < 4; ++l) {
        group.cell[l] = group.swapped[l] = 0;
        for (int c = 0; c < C; ++c) {
            group.cell[l] += group.r[c].at[l] * layout.cell_step[c];
            group.swapped[l] += group.r[c].at[l] * layout.swapped_step[c];
        }
    }
    for (int c = 0; c < C; ++c) {
        const int *at = group.r[c].at;
        group.room[c] = std::max(std::max(at[0], at[1]), std::max(at[2], at[3]));
        group.alike[c] = at[0] == at[1] && at[0] == at[2] && at[0] == at[3];
        if (at[0] == 0) group.closed |= 1u << c;
    }
}

inline void fill_group(Group &group, const Layout &layout, int64_t block, const Pack &pack) {
    group.used = pack.used;
    for (int i = 0; i < layout.slow_count; ++i)
        for (int l = 0; l < 4; ++l) group.r[layout.slow[i]].at[l] = layout.remaining(block, layout.slow[i]);
    for (int i = 0; i < 3; ++i)
        for (int l = 0; l < 4; ++l) group.r[layout.fast[i]].at[l] = pack.steps[l][i];
    complete(group, layout);
}

inline const std::vector<Pack> &packs_of(const Job &job, int64_t block) {
    const auto [allowed, own_mirror] = kind_of(job.layout, block);
    return job.board.packs.of[size_t(allowed)][own_mirror];
}

template <class Stored>
class RowSolver final : public RowWorker {
  public:
    explicit RowSolver(const Job &job)
        : job_(job), table_(static_cast<Stored *>(job.table)), pass_(job.layout, job.classes, table_) {}

    void work(int64_t block) override {
        const bool own_mirror = job_.layout.mirror(block) == block;
        Stored *row = table_ + job_.layout.row(block) * job_.layout.block_size;
        for (const Pack &pack : packs_of(job_, block)) {
            fill_group(group_, job_.layout, block, pack);
            const Lanes x = solve_group();
            for (int l = 0; l < group_.used; ++l) {
                row[group_.cell[l]] = Stored(x[l]);
                if (own_mirror) row[group_.swapped[l]] = Stored(x[l]);
            }
            boards += group_.used;
        }
    }

  private:
    static constexpr double settled = 0x1p-46;  // an equation is met to rounding: both sides came from one policy
    static constexpr double bends = 8;          // a guard: bends may crowd at the end of a step
    static constexpr double almost_one = 1 - 0x1p-30;

    // F is concave and piecewise linear, and a slope is right but for the bends on the way. So a step of length d that
    // misses by m passed bends of about m / d, and the next step, with the same slope, will be off by some m * m / d. A
    // board is left where that is within the slack of the job.
    Lanes solve_group() {
        Lanes x;
        for (int l = 0; l < 4; ++l) x[l] = guess(l);
        pass_.begin(group_);
        Worth worth = pass_.template evaluate<true, true>(x);
        ++evaluations, ++groups;
        // So cheap an anchor that nothing leaves it on purpose: guess higher. Only with more columns to win than markers.
        while (trapped(worth.slope)) {
            x = worth.slope > almost_one ? x + x : x;
            worth = pass_.template evaluate<true, false>(x);
            ++evaluations;
        }
        Lanes slope = worth.slope, last = x, last_worth = worth.value;
        x += (1.0 + worth.value - x) / (1.0 - slope);
        LaneMask open{-1, -1, -1, -1};
        for (int round = 1; round < 60; ++round) {
            worth = pass_.template evaluate<false, false>(x);
            ++evaluations;
            const Lanes miss = 1.0 + worth.value - x, moved = x - last;
            if (round > 1) {  // the slope between the last two points is nearer than that of the first
                const LaneMask apart = (moved > 0x1p-30) | (moved < -0x1p-30);
                slope = apart ? (worth.value - last_worth) / moved : slope;
            }
            const Lanes next = x + miss / (1.0 - slope);
            last = x, last_worth = worth.value;
            x = open ? next : x;
            const Lanes distance = moved < 0.0 ? -moved : moved;
            open &= ((miss > settled) | (miss < -settled)) & (bends * miss * miss > job_.slack * distance);
            if (!(open[0] | open[1] | open[2] | open[3])) break;
        }
        return x;
    }

    static bool trapped(Lanes slope) {
        const LaneMask too_steep = slope > almost_one;
        return too_steep[0] | too_steep[1] | too_steep[2] | too_steep[3];
    }

    struct Place {
        int64_t block, cell, swapped;
    };
    // As if columns did not matter to each other in fours: for any three columns, with one step taken in each of them,
    //     f = f(-a) + f(-b) + f(-c) - f(-ab) - f(-ac) - f(-bc) + f(-abc),    the median over some such triples.
    // Where fewer than three columns have two steps left: the highest of the boards one step on, plus what that rule falls
    // short by on those boards themselves.
    double guess(int lane) const {
        const Place here{group_.block, group_.cell[lane], group_.swapped[lane]};
        int roomy[max_columns], count = 0;
        for (int c = 0; c < job_.layout.rules.columns; ++c)
            if (group_.r[c].at[lane] > 1) roomy[count++] = c;
        if (count < 3) return guess_from_highest(here, lane);
        double one[max_columns], two[max_columns][max_columns], guesses[most_triples];
        int triples = 0;
        for (int k = 0; k < count && triples < most_triples; ++k) {
            const Place below = step(here, roomy[k]);
            one[k] = stored(below);
            for (int j = 0; j < k; ++j) two[j][k] = stored(step(below, roomy[j]));
            for (int j = 1; j < k; ++j)
                for (int i = 0; i < j && triples < most_triples; ++i)
                    guesses[triples++] = one[i] + one[j] + one[k] - two[i][j] - two[i][k] - two[j][k] +
                                         stored(step(step(below, roomy[j]), roomy[i]));
        }
        std::nth_element(guesses, guesses + triples / 2, guesses + triples);
        return std::max(1.0, guesses[triples / 2]);
    }
    static constexpr int most_triples = 35;
    double guess_from_highest(const Place &here, int lane) const {
        double short_by = 0;
        int counted = 0;
        for (int c = 0; c < job_.layout.rules.columns; ++c)
            if (group_.r[c].at[lane] > 1) {
                const Place below = step(here, c);
                short_by += stored(below) - highest_below(below, lane, c);
                ++counted;
            }
        return std::max(1.0, highest_below(here, lane, -1) + (counted ? short_by / counted : 0.0));
    }
    Place step(Place p, int c) const {
        const Layout &layout = job_.layout;
        return {p.block - layout.block_step[c], p.cell - layout.cell_step[c], p.swapped - layout.swapped_step[c]};
    }
    double stored(Place p) const {
        const int64_t place = job_.layout.place[size_t(p.block)];
        return double(place < 0 ? table_[~place * job_.layout.block_size + p.swapped]
                                : table_[place * job_.layout.block_size + p.cell]);
    }
    double highest_below(Place p, int lane, int stepped) const {
        double most = 0;
        for (int c = 0; c < job_.layout.rules.columns; ++c)
            if (group_.r[c].at[lane] > (c == stepped)) most = std::max(most, stored(step(p, c)));
        return most;
    }

    const Job &job_;
    Stored *table_;
    TurnPass<Stored> pass_;
    Group group_;
};

// Times the evaluations of one pack of a block without a table: every board reads its one number.
class RowTimer final : public RowWorker {
  public:
    explicit RowTimer(const Job &job) : job_(job), flat_(job.layout), pass_(flat_, job.classes, &nothing_) {
        flat_.block_step.fill(0);
        flat_.cell_step.fill(0);
        flat_.swapped_step.fill(0);
        flat_.place.assign(1, 0);
    }

    void work(int64_t block) override {
        const std::vector<Pack> &packs = packs_of(job_, block);
        if (packs.empty()) return;
        random_ = random_ * 6364136223846793005u + 1442695040888963407u;
        fill_group(group_, job_.layout, block, packs[(random_ >> 33) % packs.size()]);
        group_.block = 0;
        group_.cell.fill(0);
        group_.swapped.fill(0);
        pass_.begin(group_);
        const std::clock_t start = std::clock();  // processor time: other programs do not count
        pass_.evaluate<true, true>(spread(1.0));
        const std::clock_t middle = std::clock();
        pass_.evaluate<false, false>(spread(1.0));
        const std::clock_t end = std::clock();
        seconds += (double(middle - start) + plain_rounds * double(end - middle)) / CLOCKS_PER_SEC;
        boards += group_.used;
        evaluations += 2;
    }

  private:
    static constexpr double plain_rounds = 1.4;  // what boards take on average after the first evaluation
    const double nothing_ = 1.0;
    const Job &job_;
    Layout flat_;
    TurnPass<double> pass_;
    Group group_;
    uint64_t random_ = 1;
};

// Algorithm 3 of "A retrograde approximation algorithm for one-player Can't Stop", as written: Newton's method from a
// given start x on each board, all others being solved; how many evaluations of F each needs. Or the secant method, which
// begins with x and F(x) and takes the slope between its last two points.
class NewtonCounter final : public RowWorker {
  public:
    explicit NewtonCounter(const Job &job)
        : job_(job), pass_(job.layout, job.classes, static_cast<const double *>(job.table)) {}

    void work(int64_t block) override {
        uint8_t *row = job_.counts + job_.layout.row(block) * job_.layout.block_size;
        for (const Pack &pack : packs_of(job_, block)) {
            fill_group(group_, job_.layout, block, pack);
            count(row);
            boards += group_.used;
        }
    }

  private:
    static constexpr int most = 100;

    void count(uint8_t *row) {
        Lanes x = spread(job_.start), last = x, last_worth = x;
        std::array<bool, 4> is_open{true, true, true, true};
        pass_.begin(group_);
        for (int round = 1; round <= most; ++round) {
            Worth worth = round == 1 ? pass_.evaluate<true, true>(x) : pass_.evaluate<true, false>(x);
            worth.value += 1.0;
            const Lanes here = x;
            bool any = false;
            for (int l = 0; l < group_.used; ++l) {
                if (!is_open[size_t(l)]) continue;
                row[group_.cell[size_t(l)]] = uint8_t(round);
                const double miss = worth.value[l] - x[l];
                const double chord = round == 1 ? 0.0 : (worth.value[l] - last_worth[l]) / (x[l] - last[l]);
                const double next = x[l] + miss / (1.0 - (job_.secant ? chord : worth.slope[l]));
                is_open[size_t(l)] = std::abs(miss) > job_.tolerance && next != x[l];
                if (is_open[size_t(l)]) x[l] = next;
                any |= is_open[size_t(l)];
            }
            if (!any) return;
            last = here, last_worth = worth.value;
        }
    }

    const Job &job_;
    TurnPass<double> pass_;
    Group group_;
};

template <class Stored>
class BoardReplay final : public TurnReplay {
  public:
    explicit BoardReplay(const Job &job)
        : job_(job), table_(static_cast<const Stored *>(job.table)), pass_(job.layout, job.classes, table_) {}

    void begin(const std::vector<int> &remaining) override {
        set(remaining);
        const int64_t place = job_.layout.place[size_t(group_.block)];
        const Stored *row = table_ + job_.layout.row(group_.block) * job_.layout.block_size;
        pass_.template evaluate<false, true>(spread(double(row[place < 0 ? group_.swapped[0] : group_.cell[0]])));
    }
    std::pair<double, double> worth_at(const std::vector<int> &column, const std::vector<int> &p) const override {
        return pass_.worth_at(column, p);
    }
    std::pair<double, double> turn_worth(const std::vector<int> &remaining, double x) override {
        set(remaining);
        const Worth worth = pass_.template evaluate<true, true>(spread(x));
        return {double(worth.value[0]), double(worth.slope[0])};
    }

  private:
    void set(const std::vector<int> &remaining) {
        for (int c = 0; c < job_.layout.rules.columns; ++c)
            for (int l = 0; l < 4; ++l) group_.r[c].at[l] = remaining[size_t(c)];
        group_.used = 1;
        complete(group_, job_.layout);
        pass_.begin(group_);
    }

    const Job &job_;
    const Stored *table_;
    TurnPass<Stored, false, true> pass_;
    Group group_;
};

// How far a table is from its own equations, with each evaluation rounded outwards: `above` bounds 1 + R - f from
// above, `below` bounds f - (1 + R). Weights are whole numbers and sums of nonnegative terms round one way throughout.
// With a `slack` above 0 there is no second evaluation: rounded up, R comes out at most slack * R too large.
template <class Stored>
class RowCertifier final : public RowWorker {
  public:
    explicit RowCertifier(const Job &job)
        : job_(job), table_(static_cast<const Stored *>(job.table)), pass_(job.layout, job.classes, table_) {}

    void work(int64_t block) override {
        for (const Pack &pack : packs_of(job_, block)) {
            fill_group(group_, job_.layout, block, pack);
            const Stored *row = table_ + job_.layout.row(block) * job_.layout.block_size;
            Lanes x;
            for (int l = 0; l < 4; ++l) x[l] = double(row[group_.cell[l]]);
            pass_.begin(group_);
            jeopardice::Rounding direction(FE_UPWARD);
            jeopardice::pin(x);
            const Lanes rolled = pass_.template evaluate<false, true>(x).value;
            Lanes high = 1.0 + rolled - x, short_by = (x - rolled) + (rolled * job_.slack - 1.0);
            jeopardice::pin(high);
            jeopardice::pin(short_by);
            if (job_.slack == 0) {
                direction.turn(FE_DOWNWARD);
                jeopardice::pin(x);
                short_by = -(1.0 + pass_.template evaluate<false, false>(x).value - x);
                jeopardice::pin(short_by);
            }
            for (int l = 0; l < group_.used; ++l) {
                above = std::max(above, high[l]);
                below = std::max(below, short_by[l]);
            }
            evaluations += job_.slack == 0 ? 2 : 1;
            boards += group_.used;
        }
    }

  private:
    const Job &job_;
    const Stored *table_;
    TurnPass<Stored, true> pass_;
    Group group_;
};

}  // namespace cant_stop::JEOPARDICE_TARGET
