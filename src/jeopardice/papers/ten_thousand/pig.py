"""Section 5.2 of the Ten Thousand paper: Pig, and why its value is the *smallest* solution of its equation.

The equation is V(τ) = max{τ, (V(τ+2) + … + V(τ+6)) / 6}, an operator L applied to V. It has many solutions:
c·λ^τ solves it wherever λ² + … + λ⁶ = 6 and c·λ^τ ≥ τ for all τ. The value of the game is the one that matters, and
it is below all others: iterating Wₖ₊₁ = L Wₖ from W₀ = 0 reaches it, and L keeps order, so U = L U ≥ 0 = W₀ gives
U ≥ Wₖ for every k, hence U ≥ V.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx, fmpz_poly

from jeopardice.types import Real

PIPS = (2, 3, 4, 5, 6)


def pig_threshold() -> int:
    """Return τ*, the first τ at which stopping is as good as one more roll, then stopping.

    >>> pig_threshold()
    20
    """
    return next(tau for tau in range(1, 1000) if tau >= Fraction(sum(tau + pip for pip in PIPS), 6))


def applied(tau: int, value_of: Callable[[int], Fraction]) -> Fraction:
    """Return (L V)(τ)."""
    return max(Fraction(tau), sum((value_of(tau + pip) for pip in PIPS), Fraction(0)) / 6)


def pig_values() -> tuple[Fraction, ...]:
    """Return V(0), …, V(τ* - 1), computed backwards from V(τ) = τ beyond.

    >>> pig_values()[0]
    Fraction(492303203, 60466176)
    """
    known: dict[int, Fraction] = {}
    for tau in range(pig_threshold() - 1, -1, -1):
        known[tau] = applied(tau, lambda later: known.get(later, Fraction(later)))
    return tuple(known[tau] for tau in range(pig_threshold()))


def pig_iteration() -> tuple[tuple[Fraction, ...], ...]:
    """Return W₁, W₂, … up to the first that L leaves alone, each at τ = 0, …, τ* - 1; beyond, Wₖ(τ) = τ for k ≥ 1.

    At τ ≥ 20, L gives max{τ, (5τ + 20)/6} = τ, so the values beyond never change and nothing is cut off.
    """
    steps = [tuple(Fraction(tau) for tau in range(pig_threshold()))]
    while True:
        last = steps[-1]

        def value_of(tau: int, known: tuple[Fraction, ...] = last) -> Fraction:
            return known[tau] if tau < len(known) else Fraction(tau)

        after = tuple(applied(tau, value_of) for tau in range(len(last)))
        if after == last:
            return tuple(steps)
        steps.append(after)


@dataclass(frozen=True)
class OtherSolution:
    """c·λ^τ with the smallest c for which it is at least τ everywhere; it touches τ at `touches`."""

    rate: Real
    scale: Real
    touches: int

    def __call__(self, tau: int) -> Real:
        """Return an enclosure (python-flint `arb`) of c·λ^τ."""
        return self.scale * self.rate**tau


def growth_rate(digits: int = 30) -> Real:
    """Return an enclosure (python-flint `arb`) of λ > 0 with λ² + λ³ + λ⁴ + λ⁵ + λ⁶ = 6.

    There is exactly one, as the left side rises from 0.

    >>> print(growth_rate(10).str(5, radius=False))
    1.0461
    """
    with ctx.workdps(digits + 5):
        roots: Real = fmpz_poly([-6, 0, 1, 1, 1, 1, 1]).complex_roots()
        (rate,) = (root.real for root, _ in roots if root.imag == 0 and root.real > 0)
        return rate


def other_solution(digits: int = 30) -> OtherSolution:
    """Return a solution of Pig's equation that is not its value.

    c = max τ/λ^τ. The ratio (τ+1)/λ^(τ+1) over τ/λ^τ is below 1 just when τ > 1/(λ - 1), so the maximum is at the
    first such τ.
    """
    rate = growth_rate(digits)
    with ctx.workdps(digits + 5):
        touches = next(tau for tau in range(1, 1000) if tau * (rate - 1) > 1)
        return OtherSolution(rate, arb(touches) / rate**touches, touches)
