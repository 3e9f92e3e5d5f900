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
#include "many_run.hpp"

namespace jeopardice::avx2 {
ManyFound solve_many(const Many &many, int threads, Watch watch) { return solve_many_here(many, threads, watch); }
ManyFound other_many(const Many &many, int threads, Watch watch) { return other_many_here(many, threads, watch); }
ManyBound certify_many(const Many &many, int threads, Watch watch) { return certify_many_here(many, threads, watch); }
void replay_many(const Many &many, int seat, const int32_t *standings, Ties ties, double *rows) {
    replay_many_here(many, seat, standings, ties, rows);
}
}  // namespace jeopardice::avx2
#include "avx2_end.hpp"
#endif
