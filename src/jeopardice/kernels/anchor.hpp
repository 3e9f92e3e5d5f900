// Newton's method within a bracket: the value of an anchor is the fixed point of F, the worth of a turn for a guess of what
// a bust is worth. Its twin in Python is engine/anchor.py.
#pragma once

namespace jeopardice {

struct Bracket {
    double low, high;

    double middle() const { return (low + high) / 2; }
    // The guess after x, given F(x) - x and one minus the slope of F there (0: Newton has no answer). The sign of the gap
    // says on which side the fixed point lies; a guess outside the bracket is replaced by its middle.
    double next(double x, double gap, double rest) {
        (gap > 0 ? low : high) = x;
        const double newton = rest > 0 ? x + gap / rest : middle();
        return newton >= low && newton <= high ? newton : middle();
    }
};

}  // namespace jeopardice
