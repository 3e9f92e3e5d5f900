// Races for two: every anchor is one fixed point of a turn's worth, from the end of the game back to its start.
//
// A position is (own standing, other's standing); A(i, j) and B(j, i) are its values with either seat to move. Both add up
// to `sum` plus what it is worth to have the dice, so with the gains of turn.hpp
//     A = x + D_A(x), x = sum - B,      B = x' + D_B(x'), x' = sum - A,      hence A + B - sum = D_A = D_B.
// Where a bust leads back to the standing it came from, the pair is one fixed point: y = A moves by
//     (D_A - D_B) / (leave_A + leave_B - leave_A leave_B),
// Newton within a bracket, since through the reply the worth is neither convex nor concave. A race that nobody ends is a
// draw: of several fixed points the one nearest to sum / 2 is the value.
// Where a bust changes a record or lowers a score, values are swept from below and from above until they meet.
//
// Positions of equal i + j are independent: threads share an anti-diagonal, and four positions sit in the lanes of a
// vector. Cost per anchor: two to three walks of the turn, each cut at the points from which stopping is known to be best.
// Memory: the anchors, one stop bound per anchor, one turn of four lanes per thread.
#include <limits>

#include "anchor.hpp"
#include "anti_diagonals.hpp"
#include "duel.hpp"
#include "room.hpp"
#include "turn.hpp"

namespace jeopardice::JEOPARDICE_TARGET {

constexpr int lanes = 4;

// The leaves of one turn in up to four lanes, filled as far as they are needed. Each lane is a seat at a position, which
// reads the other seat's values from its own table (the values, or bounds of them).
struct LaneLeaves {
    const Duel *duel = nullptr;
    int s = 0;                                      // the seat to move, the same in all lanes
    int mine[lanes], record[lanes], theirs[lanes];  // own score and record, the other's standing
    const double *other[lanes];                     // the other seat's values [its standing, own standing]
    const double *bound = nullptr;                  // stop bounds [other's standing, own score], if there are any
    const double *free = nullptr;                   // free rolls [other's standing, own score], if there are any
    int filled = 0;
    bool minimum = false;
    const double *turns = nullptr;  // the turns to come [other's standing, own standing], if they are wanted
    double bust_turns[lanes];       // and those after a bust
    Room<Lanes> bank_room, stop_room, free_room, turns_room;

    const Seat &seat() const { return duel->seat[s]; }

    // What banking with `score` (which may lie at or past the target) is worth.
    double value(int lane, int score) const {
        const Seat &me = seat();
        const House &house = me.house;
        if (score < house.scores)
            return duel->sum - other[lane][int64_t(theirs[lane]) * house.standings() + int64_t(score) * house.records +
                                           house.bank_to[record[lane]]];
        const int their_score = theirs[lane] / duel->seat[1 - s].house.records;
        if (!me.caught) return me.prize[their_score];
        return duel->sum - me.caught[std::min(score - their_score, me.horizon)];
    }
    void begin(const Duel &of, int seat_to_move, const double *stop_bounds) {
        duel = &of;
        s = seat_to_move;
        bound = stop_bounds;
        free = bound && seat().house.table.free_mode >= 0 && !seat().caught ? bound + of.bounds_size(s) : nullptr;
        filled = 0;
        minimum = false;
        turns = nullptr;
    }
    void repeat(int lane, int of) { set(lane, mine[of], record[of], theirs[of], other[of]); }
    void set(int lane, int own_score, int own_record, int their_standing, const double *values) {
        mine[lane] = own_score;
        record[lane] = own_record;
        theirs[lane] = their_standing;
        other[lane] = values;
        minimum |= duel->seat[s].house.least_bank[own_record] > 1;
    }
    double turns_after(int lane, int score) const {
        const House &house = seat().house;
        if (score >= house.scores) return seat().caught ? 1.0 : 0.0;
        return turns[int64_t(theirs[lane]) * house.standings() + int64_t(score) * house.records +
                     house.bank_to[record[lane]]];
    }
    // Fill the leaves of t below `end`.
    void fill(int end) {
        if (end <= filled) return;
        bank_room.need(end);
        if (minimum) stop_room.need(end);
        if (free) free_room.need(end);
        if (turns) turns_room.need(end);
        const House &house = seat().house;
        for (int lane = 0; lane < lanes; ++lane) {
            double *bank = reinterpret_cast<double *>(bank_room.data()) + lane;
            const int below = std::min(end, house.scores - mine[lane]);
            const double *after = other[lane] + int64_t(theirs[lane]) * house.standings() + house.bank_to[record[lane]];
            for (int t = filled; t < below; ++t)
                bank[t * lanes] = duel->sum - after[int64_t(mine[lane] + t) * house.records];
            for (int t = std::max(filled, below); t < end; ++t) bank[t * lanes] = value(lane, mine[lane] + t);
            double *after_free = reinterpret_cast<double *>(free_room.data()) + lane;
            for (int t = filled; t < end && free; ++t) {
                const int score = mine[lane] + t;
                after_free[t * lanes] =
                    score < house.scores ? free[int64_t(theirs[lane]) * house.scores + score] : bank[t * lanes];
            }
            double *left = reinterpret_cast<double *>(turns_room.data()) + lane;
            for (int t = filled; t < end && turns; ++t)
                left[t * lanes] = turns_after(lane, mine[lane] + t) - bust_turns[lane];
            if (!minimum) continue;
            double *stop = reinterpret_cast<double *>(stop_room.data()) + lane;
            for (int t = filled; t < end; ++t)
                stop[t * lanes] = t >= house.least_bank[record[lane]] || mine[lane] + t >= house.scores
                                      ? bank[t * lanes]
                                      : -std::numeric_limits<double>::infinity();
        }
        filled = end;
    }
    Leaves<Lanes> leaves(int cut) {
        fill(cut + seat().house.table.max_points + 1);
        int some_past = never_past;
        Lanes past{};
        for (int lane = 0; lane < lanes && seat().house.must_hit; ++lane) {
            past[lane] = seat().house.scores - mine[lane] + 1;
            some_past = std::min(some_past, seat().house.scores - mine[lane] + 1);
        }
        return {bank_room.data(),
                minimum ? stop_room.data() : bank_room.data(),
                cut,
                some_past,
                past,
                0.0,
                free ? free_room.data() : nullptr,
                turns ? turns_room.data() : nullptr};
    }
    // The t from which stopping is best in a lane, for a bust worth x.
    int cut(int lane, double x) const { return std::min(seat().house.table.height + 1, stop_from(lane, x)); }
    int stop_from(int lane, double x) const {
        const Seat &me = seat();
        const House &house = me.house;
        const int goal = house.scores - mine[lane], least = std::min(house.least_bank[record[lane]], goal);
        // with a last round a bust may be worth more than to land on the target
        if (house.must_hit) return me.caught ? goal + 1 : goal;
        if (!bound) return goal + (me.caught ? me.horizon : 0);
        const double *here = bound + int64_t(theirs[lane]) * house.scores + mine[lane];
        const int below = int(std::lower_bound(here + least, here + goal, x) - here);
        if (below < goal || !me.caught) return below;
        const int behind = house.scores - theirs[lane] / duel->seat[1 - s].house.records;
        const double *past = me.caught_bound + behind;
        return goal + int(std::lower_bound(past, me.caught_bound + me.horizon, x) - past);
    }
    int widest_cut(const Lanes &x) const {
        int widest = 0;
        for (int lane = 0; lane < lanes; ++lane) widest = std::max(widest, cut(lane, x[lane]));
        return widest;
    }
    // The stop bounds of the lanes' own positions, from the leaves of t up to max_points.
    Lanes own_stop_bound() {
        const Table &table = seat().house.table;
        fill(table.max_points + 1);
        // the position's own value was not known when its leaves were filled
        for (int lane = 0; lane < lanes; ++lane) bank_room.data()[0][lane] = value(lane, mine[lane]);
        if (free) free_room.data()[0] = free_roll(table, bank_room.data(), free_room.data());
        return stop_bound(table, bank_room.data(), 0.0, free ? free_room.data() : nullptr);
    }
};

// What a thread works with.
struct Desk {
    Room<Worth<Lanes>> rows, best_of;
    LaneLeaves leaves[2];
    template <class Of = Worth<Lanes>>
    Of walk_turn(LaneLeaves &of, Lanes x) {
        const Leaves<Lanes> filled = of.leaves(of.widest_cut(x));
        const Table &table = of.seat().house.table;
        const size_t size = size_t(filled.cut + table.max_points + 1) * table.row();
        return walk(table, filled, x, reinterpret_cast<Of *>(rows.need(size)),
                    reinterpret_cast<Of *>(best_of.need(table.nodes())));
    }
};

inline void set_bounds(const Duel &duel, LaneLeaves &of, int used, double *stop_bounds) {
    const Seat &me = duel.seat[of.s];
    if (!stop_bounds) return;
    const Lanes here = of.own_stop_bound();
    for (int lane = 0; lane < used; ++lane) {
        const int mine = of.mine[lane], behind = me.house.scores - of.theirs[lane] / duel.seat[1 - of.s].house.records;
        double *bound = stop_bounds + int64_t(of.theirs[lane]) * me.house.scores + mine;
        const double later = mine + 1 < me.house.scores ? bound[1]
                             : me.caught                ? me.caught_bound[behind]
                                                        : std::numeric_limits<double>::infinity();
        bound[0] = std::min(later, here[lane]);
        if (of.free) bound[duel.bounds_size(of.s)] = of.free_room.data()[0][lane];
    }
}

// One bracketed Newton for up to four pairs; `used` lanes count, the others repeat the last.
struct PairSolver {
    const Duel &duel;
    Desk &desk;

    struct Gap {
        Lanes gap, rest, reply, reply_leave;
    };
    Gap gap_at(Lanes y) {
        const Lanes x_theirs = duel.sum - y;
        const Worth<Lanes> b = desk.walk_turn(desk.leaves[1], x_theirs);
        const Worth<Lanes> a = desk.walk_turn(desk.leaves[0], y - b.gain);
        return {a.gain - b.gain, a.leave + b.leave - a.leave * b.leave, x_theirs + b.gain, b.leave};
    }
    // first guess: the trend along the diagonal
    double guess(int lane, double low, double high) const {
        const LaneLeaves &at = desk.leaves[0];
        const House &mine = duel.seat[0].house, &other = duel.seat[1].house;
        const int i = at.mine[lane], j = at.theirs[lane] / other.records;
        if (duel.from_draw) return std::clamp(duel.sum / 2, low, high);
        if (i + 1 >= mine.scores || j + 1 >= other.scores) return (low + high) / 2;
        auto later = [&](int step) {
            return duel.seat[0].worth[(int64_t(i + step) * mine.records + mine.bank_to[0]) * other.standings() +
                                      int64_t(j + step) * other.records + other.bank_to[0]];
        };
        double y = later(1);
        if (i + 2 < mine.scores && j + 2 < other.scores) y = 2 * y - later(2);
        return std::clamp(y, low, high);
    }
    void solve(int used) {
        Lanes y{}, reply{};
        Bracket bracket[lanes];
        double scale[lanes];
        bool settled[lanes];
        for (int lane = 0; lane < lanes; ++lane) {
            const LaneLeaves &at = desk.leaves[0];
            const int j = at.theirs[lane] / duel.seat[1].house.records;
            const auto [low, high] = bracket[lane] = {duel.sum - duel.seat[1].prize[at.mine[lane]], duel.seat[0].prize[j]};
            scale[lane] = std::max(std::abs(low), std::abs(high));
            y[lane] = guess(lane, low, high);
            settled[lane] = lane >= used;
        }
        for (int step = 0; step < most_steps; ++step) {
            const Gap at = gap_at(y);
            bool all_settled = true;
            for (int lane = 0; lane < used; ++lane) {
                if (settled[lane]) continue;
                const double gap = at.gap[lane], rest = at.rest[lane], before = y[lane];
                if (gap == 0) {
                    reply[lane] = at.reply[lane];
                    settled[lane] = true;
                    continue;
                }
                const double next = bracket[lane].next(before, gap, rest);
                reply[lane] = at.reply[lane] - (1.0 - at.reply_leave[lane]) * (next - before);
                y[lane] = next;
                settled[lane] = std::abs(next - before) <= negligible * scale[lane];
                all_settled &= settled[lane];
            }
            if (all_settled) break;
        }
        if (duel.from_draw) nearest_to_draw(y, reply, used);
        for (int lane = 0; lane < used; ++lane) store(lane, y[lane], reply[lane]);
        for (LaneLeaves &leaves : desk.leaves) set_bounds(duel, leaves, used, leaves.seat().bound);
    }
    // Where both may bust on purpose for ever, nobody leaves and every y in an interval is a fixed point; the draw is in
    // it, or one of its ends is nearest to the draw. Newton began at the draw and may have stepped over that end: look
    // between.
    void nearest_to_draw(Lanes &y, Lanes &reply, int used) {
        const double draw = duel.sum / 2;
        Lanes probe = y - (y - draw) * 1e-9;
        const Lanes rest = gap_at(probe).rest;
        for (int lane = 0; lane < used; ++lane) {
            if (y[lane] == draw || rest[lane] != 0) continue;  // a gap alone may round to 0
            double near = draw, far = probe[lane];
            for (int halving = 0; halving < most_steps; ++halving) {
                probe[lane] = (near + far) / 2;
                if (probe[lane] == near || probe[lane] == far) break;
                (gap_at(probe).rest[lane] == 0 ? far : near) = probe[lane];
            }
            // on a grid where sum - y is exact, so that both values add up to `sum` to the last bit
            const double grid = duel.sum == 0 ? 0x1p40 : 0x1p52;
            y[lane] = std::round(far * grid) / grid;
            reply[lane] = duel.sum - y[lane];
        }
    }
    void store(int lane, double y, double reply) {
        const LaneLeaves &mine = desk.leaves[0];
        const House &first = duel.seat[0].house, &second = duel.seat[1].house;
        const int64_t i = int64_t(mine.mine[lane]) * first.records + mine.record[lane], j = mine.theirs[lane];
        duel.seat[0].worth[i * second.standings() + j] = y;
        duel.seat[1].worth[j * first.standings() + i] = reply;
    }
};

// Put the pairs of up to four scores with given records into the lanes; returns how many count, 0 if none is reached.
inline int set_pairs(const Duel &duel, LaneLeaves *leaves, int i, int count, int sum, int r, int q) {
    const House &first = duel.seat[0].house, &second = duel.seat[1].house;
    for (int s = 0; s < 2; ++s) leaves[s].begin(duel, s, duel.seat[s].bound);
    int used = 0;
    for (int k = 0; k < count; ++k)
        if (first.is_reached(i + k, r) && second.is_reached(sum - i - k, q)) {
            leaves[0].set(used, i + k, r, (sum - i - k) * second.records + q, duel.seat[1].worth);
            leaves[1].set(used, sum - i - k, q, (i + k) * first.records + r, duel.seat[0].worth);
            ++used;
        }
    for (int s = 0; s < 2 && used; ++s)
        for (int lane = used; lane < lanes; ++lane) leaves[s].repeat(lane, used - 1);
    return used;
}

inline void solve_duel_here(const Duel &duel, int threads, Watch watch) {
    std::vector<Desk> desks(threads);
    over_anti_diagonals(duel, threads, watch, lanes, [&](int i, int count, int sum, int thread) {
        for (int r = 0; r < duel.seat[0].house.records; ++r)
            for (int q = 0; q < duel.seat[1].house.records; ++q)
                if (const int used = set_pairs(duel, desks[thread].leaves, i, count, sum, r, q))
                    PairSolver{duel, desks[thread]}.solve(used);
    });
}

}  // namespace jeopardice::JEOPARDICE_TARGET
