// The end of what `avx2_begin.hpp` begins.
#pragma once
#undef JEOPARDICE_AVX2
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
