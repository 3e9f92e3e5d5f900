// Certificates of races for two, for any processor: rounded in chosen directions.
#define JEOPARDICE_TARGET plain_certify
#include "prove_sweep.hpp"

double jeopardice::plain::certify_duel(const Duel &duel, int threads, Watch watch) {
    return plain_certify::certify_duel_here(duel, threads, watch);
}
double jeopardice::plain::prove_sweep(const Duel &duel, const Swept &swept, bool improve, int threads, Watch watch) {
    return plain_certify::proof::prove_sweep(duel, swept, improve, threads, watch);
}
