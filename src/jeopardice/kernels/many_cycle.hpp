// The equilibrium of one cycle: the positions with the same scores that differ in who has the dice.
//
// A bust passes the dice on, so the turns of all n players at these scores lead to each other and, when somebody banks, to
// positions that are solved. With a plan for everybody's turn the values are a linear system,
//     V_k = bank_k + (1 - leave_k) V_{k+1},
// and the player k looks at the rest through one number alone, x_k = V_{k+1}[k], the own chance after a bust. The own value
// is a convex, piecewise linear function of x_k; the others' values jump where it has a kink, so that this is no
// contraction. In order:
//   1. one player at a time: walk the turn at x_k, solve the system, go on, until nothing moves;
//   2. write out the lines and kinks of every player's turn over the range where step 1 went round (then over all of
//      [0, 1]), and try every choice of a line (a pure plan) or a kink (a mixture of its two plans) per player: Newton
//      finds the shares that put every mixing player on the kink. Where there are too many choices, fictitious play on the
//      lines says which are near.
// An answer counts only if the turns walked at its values give these values back. Every step is limited: nothing loops for
// ever, and a cycle without an answer is counted as unsettled.
#include "many_turn.hpp"

namespace jeopardice::JEOPARDICE_TARGET {

constexpr int most_rounds = 24, most_pieces = 400;
constexpr double settled_step = 1e-15, accepted_step = 1e-14, rounding_step = 2e-13;
constexpr double same_plan = 2e-15, same_place = 1e-12;

struct Cycle {
    int32_t standing[most_players];
    int32_t size;  // positions in it: fewer than players where the scores repeat
};

inline bool is_earlier(const Mixed &a, const Mixed &b) {
    return a.seat != b.seat ? a.seat < b.seat : a.position < b.position;
}

// A line or a kink of a turn's own value as a function of the bust value.
struct Piece {
    double from, to;
    Outcome cautious, bold;  // at a kink the plans to its left and right; else twice the same
    bool is_kink;
};

// Whether two outcomes are of one plan: what it means to the others does not depend on the bust value.
inline bool is_same(const Outcome &a, const Outcome &b) {
    double apart = std::abs(a.leave - b.leave);
    for (int j = 1; j < most_players; ++j) apart = std::max(apart, std::abs(a.bank[j] - b.bank[j]));
    return apart <= same_plan;
}
inline double line_at(const Outcome &line, double x) { return line.bank[0] + (1 - line.leave) * x; }
inline Outcome mixture(const Outcome &a, const Outcome &b, double share, int n) {
    Outcome sum;
    sum.leave = share * a.leave + (1 - share) * b.leave;
    sum.gain = share * a.gain + (1 - share) * b.gain;
    for (int j = 0; j < n; ++j) sum.bank[j] = share * a.bank[j] + (1 - share) * b.bank[j];
    return sum;
}

template <int W>
struct CycleSolver {
    const Many *many = nullptr;
    Cycle at{};
    int n = 0, size = 0;
    ManyTurn<W> turn[most_players];
    Room<Vec<W>> rows;
    Outcome plan[most_players];
    double share[most_players], walked[most_players];
    double value[most_players][most_players];  // [player to move, player]
    std::vector<Piece> pieces[most_players];

    bool is_given(int k) const { return many->seat[seat_of(k)].is_given(); }
    int seat_of(int k) const { return many->symmetric ? 0 : k % n; }
    // The number of the position in which player k has the dice, all scores moved up by `up` units.
    int64_t position(int k, int up = 0) const {
        int64_t index = 0;
        for (int j = 0; j < n; ++j) {
            const int s = (k + j) % n;
            const House &house = many->seat[seat_of(s)].house;
            int standing = at.standing[s];
            if (up) standing = (standing / house.records + up) * house.records + house.bank_to[standing % house.records];
            index = index * house.standings() + standing;
        }
        return index;
    }
    double *worth(int k, int up = 0) const { return many->seat[seat_of(k)].worth + position(k, up) * n; }
    // The values after a bust of player k.
    const double *bust(int k) const { return worth((k + 1) % n) + (turn[k].bust_to - at.standing[k % n]) * n; }

    // How many numbers of `finish` a unit takes, and where player k's begin, for a bank that just reaches the target.
    int64_t finish_stride() const {
        int64_t stride = n;
        for (int j = 2; j < n; ++j) stride *= 2 * many->seat[0].house.scores - 1;
        return stride;
    }
    int score(int k) const { return at.standing[k % n] / many->seat[seat_of(k)].house.records; }
    const double *finish(int k) const {
        const double *table = many->seat[seat_of(k)].finish;
        if (!table) return nullptr;
        const int scores = many->seat[0].house.scores, last = score(k + n - 1);
        int64_t cell = scores - last - 1;
        for (int j = 1; j < n - 1; ++j) cell = cell * (2 * scores - 1) + score(k + j) - last + scores - 1;
        return table + cell * n;
    }

    void begin(const Many &of, const Cycle &cycle) {
        many = &of;
        at = cycle;
        n = of.players;
        size = cycle.size;
        for (int k = 0; k < size; ++k) {
            const int next = (k + 1) % n;
            const int own = at.standing[k];
            const double *guide = of.seat[seat_of(k)].guide;
            if (guide) guide += (position(next) - own) * n;
            turn[k].begin(of, seat_of(k), own, worth(next) - int64_t(own) * n, guide, finish(k), finish_stride());
            share[k] = not_mixed;
        }
    }
    Outcome walk(int k, double x, Ties ties) {
        if (turn[k].law) return turn[k].by_law(x);
        if (turn[k].is_guided) return guided(k);
        return turn[k].outcome_of(turn[k].walk(x, ties, rows.need(turn[k].rows_needed())), x);
    }
    // Best play by the values that guide, mixed where those of the guide are.
    Outcome guided(int k) {
        Vec<W> *room = rows.need(turn[k].rows_needed());
        const double x = turn[k].guided_x, share = share_at(k);
        const Outcome plan =
            turn[k].outcome_of(turn[k].walk(x, share == not_mixed ? many->usual : Ties::cautious, room), x);
        if (share == not_mixed) return plan;
        return mixture(plan, turn[k].outcome_of(turn[k].walk(x, Ties::bold, room), x), share, n);
    }
    // The share of the cautious plan where play is known to be mixed.
    double share_at(int k) const {
        const Mixed here{seat_of(k), position(k), 0};
        const auto mixed = std::lower_bound(many->mixed.begin(), many->mixed.end(), here, is_earlier);
        return mixed != many->mixed.end() && mixed->seat == here.seat && mixed->position == here.position ? mixed->share
                                                                                                          : not_mixed;
    }
    // The values under everybody's plans; a cycle that nobody leaves is a draw.
    void solve_values() {
        double sum[most_players] = {}, rest = 0, stay = 1;
        for (int k = 0; k < n; ++k) {
            const Outcome &here = plan[k % size];
            for (int j = 0; j < n; ++j) sum[(k + j) % n] += stay * here.bank[j];
            rest += stay * here.leave;
            stay *= 1 - here.leave;
        }
        for (int j = 0; j < n; ++j) value[0][j] = rest > 0 ? sum[j] / rest : 1.0 / n;
        for (int k = n - 1; k > 0; --k) {
            const double *after = value[(k + 1) % n];
            for (int j = 0; j < n; ++j)
                value[k][j] = plan[k % size].bank[j] + (1 - plan[k % size].leave) * after[(j + n - 1) % n];
        }
    }
    double bust_value(int k) const { return value[(k + 1) % n][n - 1]; }

    double guess(int k) const {
        if (many->start) return many->start == 1 ? 0.0 : 1.0;
        int room = 2;
        for (int j = 0; j < n; ++j) {
            const House &house = many->seat[seat_of(j)].house;
            if (house.must_hit) return 1.0 / n;
            room = std::min(room, house.scores - 1 - at.standing[j] / house.records);
        }
        if (room < 1) return 1.0 / n;
        const double one = worth(k + 1, 1)[n - 1];
        return room < 2 ? one : std::clamp(2 * one - worth(k + 1, 2)[n - 1], 0.0, 1.0);
    }
    // One player at a time; `low` and `high` are how far the bust values went in the later rounds.
    bool settle(double *low, double *high) {
        for (int k = 0; k < size; ++k) plan[k] = walk(k, walked[k] = guess(k), many->usual);
        solve_values();
        for (int round = 0; round < most_rounds; ++round) {
            bool moved = false;
            for (int k = 0; k < size; ++k) {
                const double x = bust_value(k);
                if (round == most_rounds / 3) low[k] = high[k] = x;
                if (round > most_rounds / 3) low[k] = std::min(low[k], x), high[k] = std::max(high[k], x);
                if (std::abs(x - walked[k]) <= settled_step) continue;
                moved = true;
                plan[k] = walk(k, walked[k] = x, many->usual);
                solve_values();
            }
            if (!moved) return true;
        }
        double apart = 0;
        for (int k = 0; k < size; ++k) apart = std::max(apart, high[k] - low[k]);
        return apart <= rounding_step;
    }

    // Add the kinks of player k's turn between two plans, from left to right, each with the line after it. A kink lies
    // where the lines cross; where rounding hides it there, halving finds the bust value at which the plan changes.
    void split(int k, double from, const Outcome &left, double to, const Outcome &right, int depth) {
        if (is_same(left, right) || depth > 60 || pieces[k].size() > most_pieces) return;
        const double slopes = left.leave - right.leave;
        double low = from, high = to, x = (from + to) / 2;
        if (slopes > 0) x = std::clamp((left.bank[0] - right.bank[0]) / slopes, from, to);
        for (int halving = 0; halving < 80; ++halving) {
            const Outcome cautious = walk(k, x, Ties::cautious), bold = walk(k, x, Ties::bold);
            const bool is_kink = !is_same(cautious, bold);
            if (is_kink || !(is_same(cautious, left) || is_same(cautious, right))) {
                split(k, from, left, x, cautious, depth + 1);
                if (is_kink) {
                    pieces[k].back().to = x;
                    pieces[k].push_back({x, x, cautious, bold, true});
                    pieces[k].push_back({x, to, bold, bold, false});
                }
                split(k, x, bold, to, right, depth + 1);
                return;
            }
            (is_same(cautious, left) ? low : high) = x;
            x = (low + high) / 2;
        }
    }
    void write_out(int k, double from, double to) {
        pieces[k].clear();
        const Outcome left = walk(k, from, Ties::bold), right = walk(k, to, Ties::cautious);
        pieces[k].push_back({from, to, left, left, false});
        if (!is_given(k)) split(k, from, left, to, right, 0);
        pieces[k].front().from = -1;
        pieces[k].back().to = 2;
    }
    // Set everybody's plan to the chosen pieces, with these shares at kinks.
    void choose(const int *piece, const double *shares) {
        for (int k = 0; k < size; ++k) {
            const Piece &here = pieces[k][piece[k]];
            plan[k] = here.is_kink ? mixture(here.cautious, here.bold, shares[k], n) : here.bold;
        }
        solve_values();
    }
    // Is there an equilibrium with these pieces? Newton on the shares of the players on kinks, from the middle; then from
    // near the corners, for shares may be small and the way to them bent.
    bool try_pieces(const int *piece) {
        int kinks = 0, mixer[most_players] = {};
        for (int k = 0; k < size; ++k)
            if (pieces[k][piece[k]].is_kink) mixer[kinks++] = k;
        for (int start = 0; start < (kinks ? 1 + (1 << kinks) : 1); ++start) {
            double shares[most_players] = {};
            for (int i = 0; i < kinks; ++i) shares[mixer[i]] = !start ? 0.5 : (start - 1) >> i & 1 ? 0.9 : 0.1;
            if (balance(piece, mixer, kinks, shares) && confirm(piece, shares)) return true;
        }
        return false;
    }
    // Move the shares until every player on a kink has its bust value there; are all bust values on their pieces?
    bool balance(const int *piece, const int *mixer, int kinks, double *shares) {
        constexpr double nudge = 1e-4;
        for (int step = 0; step < 16 && kinks; ++step) {
            choose(piece, shares);
            double off[most_players], slope[most_players][most_players], worst = 0;
            for (int i = 0; i < kinks; ++i) {
                off[i] = bust_value(mixer[i]) - pieces[mixer[i]][piece[mixer[i]]].from;
                worst = std::max(worst, std::abs(off[i]));
            }
            if (worst < 1e-16) break;
            for (int j = 0; j < kinks; ++j) {
                const double before = shares[mixer[j]];
                double up[most_players];
                shares[mixer[j]] = before + nudge;
                choose(piece, shares);
                for (int i = 0; i < kinks; ++i) up[i] = bust_value(mixer[i]);
                shares[mixer[j]] = before - nudge;
                choose(piece, shares);
                for (int i = 0; i < kinks; ++i) slope[i][j] = (up[i] - bust_value(mixer[i])) / (2 * nudge);
                shares[mixer[j]] = before;
            }
            if (!eliminate(slope, off, kinks)) return false;
            for (int i = 0; i < kinks; ++i) shares[mixer[i]] = std::clamp(shares[mixer[i]] - off[i], 0.0, 1.0);
        }
        choose(piece, shares);
        for (int k = 0; k < size; ++k) {
            const Piece &here = pieces[k][piece[k]];
            const double x = bust_value(k);
            if (!is_given(k) && (x < here.from - same_place || x > here.to + same_place)) return false;
        }
        return true;
    }
    // Do the turns walked at these values give the values back?
    bool confirm(const int *piece, const double *shares) {
        for (int again = 0; again < 2; ++again) {
            for (int k = 0; k < size; ++k) walked[k] = bust_value(k);
            for (int k = 0; k < size; ++k) {
                const Piece &here = pieces[k][piece[k]];
                plan[k] = walk(k, walked[k], many->usual);
                share[k] = not_mixed;
                if (is_given(k)) continue;
                const Outcome usual = plan[k], cautious = walk(k, walked[k], Ties::cautious),
                              bold = walk(k, walked[k], Ties::bold);
                // on a line that ends here the player is indifferent, and takes the plan of the line
                const double taken = here.is_kink ? shares[k] : walked[k] <= here.from + same_place ? 0 : 1;
                plan[k] = mixture(cautious, bold, taken, n);
                if (here.is_kink || !is_same(usual, plan[k])) share[k] = taken;
            }
            solve_values();
        }
        double moved = 0;
        for (int k = 0; k < size; ++k) moved = std::max(moved, std::abs(bust_value(k) - walked[k]));
        return moved <= accepted_step;
    }
    static bool eliminate(double (*a)[most_players], double *b, int size) {
        for (int c = 0; c < size; ++c) {
            int pivot = c;
            for (int r = c + 1; r < size; ++r)
                if (std::abs(a[r][c]) > std::abs(a[pivot][c])) pivot = r;
            if (!(std::abs(a[pivot][c]) > 1e-13)) return false;
            for (int j = 0; j < size; ++j) std::swap(a[c][j], a[pivot][j]);
            std::swap(b[c], b[pivot]);
            for (int r = 0; r < size; ++r) {
                if (r == c) continue;
                const double factor = a[r][c] / a[c][c];
                for (int j = c; j < size; ++j) a[r][j] -= factor * a[c][j];
                b[r] -= factor * b[c];
            }
        }
        for (int c = 0; c < size; ++c) b[c] /= a[c][c];
        return true;
    }
    // Try all choices of pieces from first[k] to last[k], those with fewer kinks first.
    bool enumerate(const int *first, const int *last, int64_t &budget) {
        for (int kinks = 0; kinks <= size; ++kinks) {
            int piece[most_players];
            for (int k = 0; k < size; ++k) piece[k] = first[k];
            while (true) {
                int mixers = 0;
                for (int k = 0; k < size; ++k) mixers += pieces[k][piece[k]].is_kink;
                if (mixers == kinks) {
                    if (--budget < 0) return false;
                    if (try_pieces(piece)) return true;
                }
                int k = 0;
                while (k < size && ++piece[k] > last[k]) piece[k] = first[k], ++k;
                if (k == size) break;
            }
        }
        return false;
    }
    // Fictitious play on the lines; returns for each player the piece where the bust value comes to rest.
    void play_fictitiously(int *near) {
        Outcome mean[most_players];
        for (int k = 0; k < size; ++k) mean[k] = pieces[k][pieces[k].size() / 2].bold;
        for (int round = 1; round <= 4000; ++round) {
            for (int k = 0; k < size; ++k) plan[k] = mean[k];
            solve_values();
            for (int k = 0; k < size; ++k) {
                const double x = bust_value(k);
                near[k] = 0;
                while (near[k] + 1 < int(pieces[k].size()) && pieces[k][near[k]].to < x) ++near[k];
                mean[k] = mixture(pieces[k][near[k]].bold, mean[k], 1.0 / (round + 1), n);
            }
        }
    }
    bool search(const double *low, const double *high) {
        for (const bool everywhere : {false, true}) {
            int first[most_players], last[most_players];
            double choices = 1;
            for (int k = 0; k < size; ++k) {
                const double more = 1e-9 + (high[k] - low[k]) / 4;
                write_out(k, everywhere ? 0 : std::max(0.0, low[k] - more), everywhere ? 1 : std::min(1.0, high[k] + more));
                first[k] = 0;
                last[k] = int(pieces[k].size()) - 1;
                choices *= double(pieces[k].size());
            }
            int64_t budget = 20'000;
            if (choices > double(budget)) {
                int near[most_players];
                play_fictitiously(near);
                for (int k = 0; k < size; ++k) {
                    first[k] = std::max(0, near[k] - 2);
                    last[k] = std::min(last[k], near[k] + 2);
                }
            }
            if (enumerate(first, last, budget)) return true;
            if (choices > double(budget)) {
                for (int k = 0; k < size; ++k) first[k] = 0, last[k] = int(pieces[k].size()) - 1;
                budget = 200'000;
                if (enumerate(first, last, budget)) return true;
            }
        }
        return false;
    }
    // Whether an equilibrium was found; if not, the values are those of the last round.
    bool solve() {
        double low[most_players], high[most_players];
        if (settle(low, high) || search(low, high)) return true;
        for (int k = 0; k < size; ++k) share[k] = not_mixed;
        settle(low, high);
        return false;
    }
};

}  // namespace jeopardice::JEOPARDICE_TARGET
