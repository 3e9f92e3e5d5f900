// Which instructions this processor has. Asked of the processor itself: `__builtin_cpu_supports` needs a table from the
// compiler's runtime library, which not every compiler links.
#pragma once
#if defined(__x86_64__) && defined(__GNUC__)
#ifndef JEOPARDICE_HAS_AVX2
#define JEOPARDICE_HAS_AVX2 1
#endif
#include <cpuid.h>

#include <cstdlib>
#include <cstring>

namespace cant_stop {

// Does the processor have AVX2, and does the system save its registers? JEOPARDICE_VECTORS=plain says that it does not.
inline bool has_avx2() {
    const char *wanted = std::getenv("JEOPARDICE_VECTORS");
    if (wanted && !std::strcmp(wanted, "plain")) return false;
    unsigned eax, ebx, ecx, edx;
    constexpr unsigned saved_by_system = 1u << 27, avx = 1u << 28, avx2 = 1u << 5, both_halves = 6;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & saved_by_system) || !(ecx & avx)) return false;
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & both_halves) != both_halves) return false;
    return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ebx & avx2);
}

}  // namespace cant_stop
#endif
