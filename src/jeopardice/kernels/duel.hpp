// A race for two as the kernels see it, and the passes over it, one version per instruction set.
#pragma once

#include "table.hpp"

namespace jeopardice {

struct Seat {
    House house;
    const double *prize;         // [other's score] what reaching the target is worth at once
    const double *caught;        // last round: [points ahead, 0 to horizon] the other's chance to catch up; null without
    const double *caught_bound;  // last round: [points ahead] the bust value up to which one stops from there on
    int horizon;                 // last round: so far ahead nobody rolls on
    double *worth;               // [own standing, other's standing] this seat to move
    double *bound;  // [other's standing, own score] the bust value up to which one stops from there on; then, the same way,
                    // what a roll that cannot bust is worth, with a stop after it; or null
};

struct Duel {
    Seat seat[2];
    double sum;      // what both seats' values add up to: 1 for a chance to win, 0 for a margin
    bool symmetric;  // both seats are one and share their arrays
    bool from_draw;  // there may be several fixed points: the one nearest to a draw is wanted
    int64_t bounds_size(int s) const { return int64_t(seat[1 - s].house.standings()) * seat[s].house.scores; }
};

// What is swept where a bust changes a record or lowers a score, by seat: [own standing, other's standing].
struct Swept {
    double *lower[2], *upper[2];  // bounds of the values, or twice the values
    double *turns[2];             // about how many turns are still to come
    double *stop_bound[2];        // [lower or upper] as `bound` of a seat; null: turns are walked to their end
    double most;                  // nothing is worth more
    bool count_turns;             // whether a sweep counts turns, too
};

namespace plain {
void solve_duel(const Duel &duel, int threads, Watch watch);
double certify_duel(const Duel &duel, int threads, Watch watch);
double sweep_duel(const Duel &duel, const Swept &swept, int threads, Watch watch);
double prove_sweep(const Duel &duel, const Swept &swept, bool improve, int threads, Watch watch);
}  // namespace plain
namespace avx2 {
void solve_duel(const Duel &duel, int threads, Watch watch);
double certify_duel(const Duel &duel, int threads, Watch watch);
double sweep_duel(const Duel &duel, const Swept &swept, int threads, Watch watch);
double prove_sweep(const Duel &duel, const Swept &swept, bool improve, int threads, Watch watch);
}  // namespace avx2

}  // namespace jeopardice
