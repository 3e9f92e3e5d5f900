// Arithmetic that rounds in a chosen direction.
//
// Compilers may move arithmetic across the call that sets the direction, even with -frounding-math (Clang 14 does, and then
// a certificate is not one). A pinned value is computed before whatever follows, and its uses come after: pin the
// numbers that go in once the direction is set, and the result before the direction is set again.
#pragma once
#include <cfenv>

namespace jeopardice {

template <class Value>
inline void pin(Value &value) {
    __asm__ volatile("" : "+m"(value) : : "memory");
}
inline double pinned(double value) {
    pin(value);
    return value;
}

// Rounds one way until it is turned or goes out of scope.
struct Rounding {
    explicit Rounding(int direction) : before(std::fegetround()) { std::fesetround(direction); }
    ~Rounding() { std::fesetround(before); }
    Rounding(const Rounding &) = delete;
    Rounding &operator=(const Rounding &) = delete;
    void turn(int direction) { std::fesetround(direction); }
    int before;
};

}  // namespace jeopardice
