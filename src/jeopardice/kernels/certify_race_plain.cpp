// Certificates and sweeps of races for two, for any processor: rounded in chosen directions.
#define JEOPARDICE_TARGET plain_certify
#include "certify_race.hpp"
#include "sweep.hpp"

double jeopardice::plain::certify_duel(const Duel &duel, int threads, Watch watch) {
    return plain_certify::certify_duel_here(duel, threads, watch);
}
int jeopardice::plain::sweep_duel(const Duel &duel, const Bounds &bounds, int threads, Watch watch) {
    return plain_certify::sweep_duel_here(duel, bounds, threads, watch);
}
