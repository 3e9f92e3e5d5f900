"""The value of an anchor: the fixed point of a turn's worth, by Newton's method within a bracket.

A turn with the guess x for its bust leaf is worth F(x), and the chance of a bust is the slope of F, so the next guess is
x + (F(x) - x) / (1 - slope). Through an opponent's reply F is neither convex nor concave and Newton may jump too far:
the sign of F(x) - x says on which side of x the fixed point lies, and a guess outside the bracket that these signs leave is
replaced by its middle. `anchor.hpp` is the same for the kernels.
"""

from collections.abc import Callable
from dataclasses import dataclass

from jeopardice.types import Real


@dataclass
class Bracket:
    """Where the fixed point lies: between `low` and `high`, numbers of any kind.

    >>> bracket = Bracket(0.0, 1.0)
    >>> bracket.next(0.5, gap=0.1, rest=0.4), bracket.next(0.75, gap=0.2, rest=0.1)
    (0.75, 0.875)
    """

    low: Real
    high: Real

    def narrow(self, x: Real, gap: Real) -> None:
        """Note on which side of x the fixed point lies, by the sign of F(x) - x."""
        if gap > 0:
            self.low = x
        else:
            self.high = x

    def within(self, guess: Real) -> Real:
        """Return a guess, or the middle of the bracket if it lies outside."""
        return guess if self.low <= guess <= self.high else (self.low + self.high) / 2

    def next(self, x: Real, gap: Real, rest: Real) -> Real:
        """Return the guess after x; `rest` is one minus the slope, 0 where Newton has no answer."""
        self.narrow(x, gap)
        return self.within(x + gap / rest) if rest else (self.low + self.high) / 2


def solve_anchor(gap: Callable[[Real], tuple[Real, Real]], guess: Real, bracket: Bracket) -> Real:
    """Return the x with F(x) = x, exactly; `gap(x)` is F(x) - x and one minus the slope. For rational numbers.

    >>> from fractions import Fraction
    >>> solve_anchor(lambda x: (1 + x / 2 - x, Fraction(1, 2)), Fraction(0), Bracket(Fraction(0), Fraction(9)))
    Fraction(2, 1)
    """
    x = guess
    while True:
        missing, rest = gap(x)
        if missing == 0:
            return x
        x = bracket.next(x, missing, rest)
