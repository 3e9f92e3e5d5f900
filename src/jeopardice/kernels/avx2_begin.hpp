// What stands between this file and `avx2_end.hpp` is compiled for processors with AVX2: the same operations, four lanes in
// one register, the same bits. The standard headers come first, so that no shared inline function is compiled for these
// processors alone.
#pragma once
#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <ctime>

#include "cant_stop_run.hpp"
#include "rounding.hpp"

#define JEOPARDICE_AVX2
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
