// Races of several players, for any processor.
#define JEOPARDICE_TARGET plain
#include "many_run.hpp"

namespace jeopardice::plain {
ManyFound solve_many(const Many &many, int threads, Watch watch) { return solve_many_here(many, threads, watch); }
ManyFound other_many(const Many &many, int threads, Watch watch) { return other_many_here(many, threads, watch); }
ManyBound certify_many(const Many &many, int threads, Watch watch) { return certify_many_here(many, threads, watch); }
void replay_many(const Many &many, int seat, const int32_t *standings, Ties ties, double *rows) {
    replay_many_here(many, seat, standings, ties, rows);
}
}  // namespace jeopardice::plain
