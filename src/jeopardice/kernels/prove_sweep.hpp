// Bounds that hold where a bust changes a record or lowers a score: lower and upper values that prove each other.
//
//     lower(P) <= turn of P with the other's upper values behind its leaves, rounded down, and that turn gains something,
//     upper(P) >= turn of P with the other's lower values behind its leaves, rounded up.
//
// Why that is a proof: let a player begin each turn as the first line says. What the lower values promise then never falls
// on average, whatever the other does, and the race comes to an end: each of these turns banks something with some chance,
// so a row of banks that reaches the target comes sooner or later. So the player gets at least the lower value; the upper
// ones are what the other's lower ones leave. Bounds as far out as a race that is lost or won need no proof.
//
// A pass checks these lines; or it moves the bounds inwards, which holds too if it began with what nobody can miss. Then
// no turn has to gain anything. Cost: two walks per position.
#include "certify_race.hpp"

namespace jeopardice::JEOPARDICE_TARGET::proof {

struct SweepProver {
    const Duel &duel;
    const Swept &swept;
    const bool improve;
    Prover prover;
    double missed = 0;  // how far a line fails, or a bound has moved

    SweepProver(const Duel &of, const Swept &bounds, bool move)
        : duel(of), swept(bounds), improve(move), prover(of, bounds.upper, bounds.lower, bounds.stop_bound) {}

    void prove(int s, bool up, const Place &at, int used) {
        const House &mine = duel.seat[s].house, &other = duel.seat[1 - s].house;
        Rounding direction(up ? FE_UPWARD : FE_DOWNWARD);
        Four x{};
        for (int lane = 0; lane < 4; ++lane) {
            const int64_t after = mine.after_bust(at.score[lane], at.record[lane]);
            const int64_t them = int64_t(at.other_score[lane]) * other.records + at.other_record[lane];
            const double lost = pinned(duel.sum - swept.most), won = swept.most;
            x[lane] = after < 0 ? (up ? won : lost)
                                : pinned(duel.sum - pinned(prover.values[up][1 - s][them * mine.standings() + after]));
        }
        const Four gained = prover.gain(s, at, x, up);
        for (int lane = 0; lane < used; ++lane) {
            const int64_t me = int64_t(at.score[lane]) * mine.records + at.record[lane];
            const int64_t them = int64_t(at.other_score[lane]) * other.records + at.other_record[lane];
            double &bound = (up ? swept.upper : swept.lower)[s][me * other.standings() + them];
            const double worth = pinned(x[lane] + pinned(gained[lane]));
            const bool given = up ? bound >= swept.most : bound <= duel.sum - swept.most;
            if (improve) {
                const double moved = up ? bound - worth : worth - bound;
                missed = std::max(missed, moved);
                if (moved > 0) bound = worth;
            } else if (!given) {
                missed = std::max(missed, up ? worth - bound : bound - worth);
                if (!up && !(gained[lane] > 0)) missed = INFINITY;
            }
        }
    }
    void prove_pairs(int i, int count, int sum) {
        const int records[2] = {duel.seat[0].house.records, duel.seat[1].house.records};
        for (int level = records[0] + records[1] - 2; level >= 0; --level)
            for (int s = 0; s < 2; ++s)
                for (int r = std::max(0, level - records[1 - s] + 1); r <= std::min(level, records[s] - 1); ++r) {
                    Place at;
                    if (const int used = place(at, s, i, count, sum, r, level - r, false))
                        for (bool up : {false, true}) prove(s, up, at, used);
                }
        for (int s = 0; s < 2; ++s)
            for (int q = 0; q < records[1 - s]; ++q) {
                Place at;
                const int used = place(at, s, i, count, sum, duel.seat[s].house.bank_to[0], q, true);
                for (bool up : {false, true}) prover.set_stop_bounds(s, at, used, up);
            }
    }
    int place(Place &at, int s, int i, int count, int sum, int r, int q, bool all) const {
        const House &mine = duel.seat[s].house, &other = duel.seat[1 - s].house;
        int used = 0;
        for (int k = i; k < i + count; ++k) {
            const int score = s ? sum - k : k;
            if (all || (mine.is_reached(score, r) && other.is_reached(sum - score, q))) at.score[used++] = score;
        }
        for (int lane = 0; lane < 4 && used; ++lane) {
            at.score[lane] = at.score[std::min(lane, used - 1)];
            at.other_score[lane] = sum - at.score[lane];
            at.record[lane] = r;
            at.other_record[lane] = q;
        }
        return used;
    }
};

// Check the bounds, or move them inwards; returns how far a line fails, or the farthest move.
inline double prove_sweep(const Duel &duel, const Swept &swept, bool improve, int threads, Watch watch) {
    std::vector<SweepProver> provers;
    for (int thread = 0; thread < threads; ++thread) provers.emplace_back(duel, swept, improve);
    over_anti_diagonals(duel, threads, watch, 4,
                        [&](int i, int count, int sum, int thread) { provers[thread].prove_pairs(i, count, sum); });
    double missed = 0;
    for (const SweepProver &prover : provers) missed = std::max(missed, prover.missed);
    return missed;
}

}  // namespace jeopardice::JEOPARDICE_TARGET::proof
