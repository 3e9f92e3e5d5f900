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
    double *bound;  // [other's standing, own score] the bust value up to which one stops from there on; or null
};

struct Duel {
    Seat seat[2];
    double sum;      // what both seats' values add up to: 1 for a chance to win, 0 for a margin
    bool symmetric;  // both seats are one and share their arrays
    bool from_draw;  // there may be several fixed points: the one nearest to a draw is wanted
};

// Lower and upper values, swept until they meet; returns the number of sweeps, 0 if they do not meet.
struct Bounds {
    double *lower[2], *upper[2];
    double *stop_bound[2];  // [lower or upper, other's standing, own score], or null: turns are then walked to their end
    double most;            // nothing is worth more
    double tolerance;
    int most_sweeps;
};

namespace plain {
void solve_duel(const Duel &duel, int threads, Watch watch);
double certify_duel(const Duel &duel, int threads, Watch watch);
int sweep_duel(const Duel &duel, const Bounds &bounds, int threads, Watch watch);
}  // namespace plain
namespace avx2 {
void solve_duel(const Duel &duel, int threads, Watch watch);
double certify_duel(const Duel &duel, int threads, Watch watch);
int sweep_duel(const Duel &duel, const Bounds &bounds, int threads, Watch watch);
}  // namespace avx2

}  // namespace jeopardice
