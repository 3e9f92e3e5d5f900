// Races of several players, for processors with AVX2.
#include "many.hpp"
#include "processor.hpp"

#ifdef JEOPARDICE_HAS_AVX2
#include <algorithm>
#include <atomic>
#include <barrier>
#include <thread>
#include <vector>

#include "avx2_begin.hpp"
#define JEOPARDICE_TARGET avx2
#include "many_sweep.hpp"

namespace jeopardice::avx2 {
ManyResult solve_many(const Many &many, int threads, Watch watch) { return solve_many_here(many, threads, watch); }
ManyResult other_many(const Many &many, int threads, Watch watch) { return other_many_here(many, threads, watch); }
ManyBound certify_many(const Many &many, int threads, Watch watch) { return certify_many_here(many, threads, watch); }
void replay_many(const Many &many, int seat, const int32_t *standings, Ties ties, double *rows) {
    replay_many_here(many, seat, standings, ties, rows);
}
ManyBound last_turn(const LastTurn &last, double *rows) { return last_turn_here(last, rows); }
ManySwept sweep_many(const Many &many, double width, bool looks, int threads, Watch watch) {
    return sweep_many_here(many, width, looks, threads, watch);
}
ManyRaised bound_many(const Many &guided, bool goes_on, bool moves, int threads, Watch watch) {
    return bound_many_here(guided, goes_on, moves, threads, watch);
}
}  // namespace jeopardice::avx2
#include "avx2_end.hpp"
#endif
