"""Races to far targets: points per turn, the constant that remains, patterns of choices, and the variance.

Far from the target a best rule earns the most points per turn, m, and E(n) is close to n/m. What is left,
g(n) = E(n) - n/m, obeys

    g(n) = min over laws P of ((1 - mean(P)/m) / (1 - P(0)) + average of g(n - j) over the bank j of P),

a minimum of averages with costs of at least 0 and of exactly 0 for the laws that earn m. Two facts follow:

- g >= 0 everywhere (Wald), so a law with 1 - mean(P)/m > max g can never be chosen;
- once the window of values that the other laws can see lies in [low, high], every later g(n) lies there too.

So the last window of a decided race *encloses* all later values: `excess_range` is a proof, not an extrapolation,
and its width shrinks geometrically. If all banks are multiples of a span d, the residues of n mod d never meet and
each has its own range.

For choices that repeat with period p in n, n mod p is a Markov chain over turns (section 4.2 of the dice-race
paper). With stationary chances pi, long-run points per turn M = sum pi_r mean_r, and h the solution of
mean_r - M = h(r) - (average of h after a turn from r), the number of turns has variance rate

    s^2 = sum_r pi_r E[(X - M + h(r - X) - h(r))^2] / M^3 ;

if all laws of the pattern have mean m, then h = 0 and s^2 is an average of their variances over m^3.
"""

import math
from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np
from flint import arb, ctx

from jeopardice.analysis.decided import Ball, DecidedRules
from jeopardice.analysis.die_laws import BankLaw, as_float
from jeopardice.types import Floats, Ints, Rational


def best_mean(laws: Sequence[BankLaw]) -> Rational:
    """Return m, the most points per turn among the laws."""
    return max(law.mean for law in laws)


def best_laws(laws: Sequence[BankLaw]) -> list[int]:
    """Return the laws that earn the most points per turn: several if they tie."""
    most = best_mean(laws)
    return [i for i, law in enumerate(laws) if law.mean == most]


class Excess(NamedTuple):
    """A ball that holds E(n) - n/m for all n >= `since` with n mod span = `residue`, and so the constant K."""

    residue: int
    since: int
    ball: Ball


def excess_range(rules: DecidedRules, *, truncated: bool = True) -> list[Excess]:
    """Return the range that E(n) - n/m never leaves again after the decided race, one for each residue mod the span.

    `truncated` says that the class goes on after its last law with ever lower means, as thresholds do; then the last
    law has to be among those excluded for good.
    """
    before, ctx.prec = ctx.prec, rules.bits
    try:
        rate, target = best_mean(rules.laws), len(rules.mean) - 1
        kept, window = list(range(len(rules.laws))), 0
        while (seen := max(rules.laws[i].most for i in kept)) != window and seen <= target:
            window = seen
            excess = {n: rules.mean[n] - n / arb(rate) for n in range(target - window + 1, target + 1)}
            high = max(map(float, excess.values())) + 1e-9
            kept = [i for i in kept if 1 - as_float(rules.laws[i].mean / rate) <= high]
        if seen > target or (truncated and kept[-1] == len(rules.laws) - 1):
            raise ValueError(f"the range needs a longer race, got target={target!r}; decide {4 * seen} points or more")
        span = math.gcd(*(j for law in rules.laws for j in law.bank))
        by_residue = [[value for n, value in excess.items() if n % span == residue] for residue in range(span)]
        return [
            Excess(residue, target - window + 1, reduce(lambda one, other: one.union(other), values))
            for residue, values in enumerate(by_residue)
        ]
    finally:
        ctx.prec = before


class Run(NamedTuple):
    """`length` successive n, from `start` on, with the same choice."""

    start: int
    choice: int
    length: int


def runs(choice: Ints, start: int) -> list[Run]:
    """Return the complete runs of equal choices from the first change after `start` on.

    >>> runs(np.array([0, 1, 1, 2, 2, 2, 1, 1, 2]), 1)
    [Run(start=3, choice=2, length=3), Run(start=6, choice=1, length=2)]
    """
    change = np.flatnonzero(np.diff(choice[start:])) + start + 1
    lengths = np.diff(change)
    return [Run(int(n), int(choice[n]), int(length)) for n, length in zip(change, lengths, strict=False)]


class ResidueChain(NamedTuple):
    """Long-run facts about a repeated pattern of choices.

    `stationary[r]` is the share of turns that start at a residue r of n; `variance_rate` is s^2 = lim V(n)/n;
    `wave` is the periodic part U(n) of V(n) = n s^2 + U(n), with mean 0, indexed by n mod the period.
    """

    stationary: Floats
    points_per_turn: float
    variance_rate: float
    wave: Floats


def residue_chain(table: Floats, pattern: Ints) -> ResidueChain:
    """Return the long-run facts about playing law `pattern[n mod p]` of `table` with n points to go, for ever."""
    period = len(pattern)
    points = np.arange(table.shape[1])
    residue = np.arange(period)
    to = (residue[:, None] - points[None, :]) % period
    chance = table[pattern]
    onward = np.zeros((period, period))
    np.add.at(onward, (np.repeat(residue, len(points)), to.ravel()), chance.ravel())
    stationary = _solved(onward.T, np.zeros(period), np.ones(period), 1.0)
    mean = chance @ points
    rate = float(stationary @ mean)
    height = _solved(onward, mean - rate, np.ones(period), 0.0)
    # E(n) = n/rate + const - height/rate makes turn by turn differences of mean 0
    jump = points[None, :] - rate + height[to] - height[:, None]
    spread = (chance * jump**2).sum(axis=1)
    variance_rate = float(stationary @ spread) / rate**3
    wave = _solved(onward, spread / rate**2 - variance_rate * mean, np.ones(period), 0.0)
    return ResidueChain(stationary, rate, variance_rate, wave)


def _solved(onward: Floats, right: Floats, weights: Floats, total: float) -> Floats:
    """Return x with x = onward x + right and weights · x = total (one equation too many, but consistent)."""
    matrix = np.vstack([np.eye(len(right)) - onward, weights])
    solution: Floats = np.linalg.lstsq(matrix, np.append(right, total), rcond=None)[0]
    return solution


def variance_slope(variance: Floats, start: int, period: int) -> float:
    """Return the mean growth of V(n) per point over whole multiples of `period`, from `start` to the end."""
    steps = (len(variance) - 1 - start) // period
    if steps < 1:
        raise ValueError(
            f"the slope needs a whole period, got {len(variance) - 1 - start} points for period={period!r}"
        )
    return float(variance[start + steps * period] - variance[start]) / (steps * period)
