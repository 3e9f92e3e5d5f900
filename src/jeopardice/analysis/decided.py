"""Which of two nearly equal rules is better, decided beyond doubt.

Far from the target the best rules of a class earn the same mean, so their E(n, ·) agree to more and more
digits as n grows, and 64 bits soon say nothing. Here every E(n) is an `arb` ball (a number with a proven error),
and a rule is taken only when its ball lies wholly below all others. If two balls overlap, the precision is
doubled, the balls are computed again under the choices already made, and the comparison is tried again.

Floats still do the sieving, soundly: E(n, P) is a sum of positive terms, so a float evaluation of it has a small
relative error whatever the order of summation, at most about (terms + 8) 2^-53. Rules that lie above the least
by more than twice that are out; only the few others are compared in `arb`. Every ball is kept narrow enough
that rounding it to a float is the larger error.

`digits[n]` says how many significant digits it took to tell the best rule from the second best. Rules with one and
the same law (Pig's thresholds 1 and 2: a total of 1 never occurs) count as one, named by the first.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from flint import arb, ctx

from jeopardice.analysis.die_laws import BankLaw, PointsDie, as_float, threshold_laws
from jeopardice.analysis.thresholds import enough_thresholds
from jeopardice.types import Floats, Ints

Ball = Any  # flint.arb; the library ships no types

_LEAST_BITS = 128  # fewer would let a ball grow wider than the rounding of a float, and the sieve unsound


@dataclass(frozen=True)
class DecidedRules:
    """The proven best law at each n, and what it took to prove it.

    `choice[n]` is an index into `laws`; `mean[n]` encloses E(n); `digits[n]` is the number of significant digits
    that told best from second best; `ties` lists the n where `bits` bits did not suffice (the first law is taken).
    """

    laws: Sequence[BankLaw]
    choice: Ints
    mean: Sequence[Ball]
    digits: Ints
    ties: Sequence[int]
    bits: int


class _Balls:
    """E(0..n) as balls of a given precision, under choices already made."""

    def __init__(self, laws: Sequence[BankLaw], bits: int) -> None:
        self.laws, self.bits = laws, bits
        self.mean: list[Ball] = [arb(0)]
        self._onward: dict[int, tuple[Ball, list[tuple[int, Ball]]]] = {}

    def turns(self, law: int) -> Ball:
        """Return E(n, law) for the next n."""
        if law not in self._onward:
            leave = 1 - self.laws[law].bust
            bank = [(j, arb(p / leave)) for j, p in self.laws[law].bank.items()]
            self._onward[law] = (arb(1 / leave), bank)
        total, bank = self._onward[law]
        n, mean = len(self.mean), self.mean
        for points, chance in bank:
            if points >= n:
                break
            total = total + chance * mean[n - points]
        return total

    def replay(self, choice: Ints, until: int) -> None:
        """Fill E up to `until` - 1 from choices already made."""
        for n in range(len(self.mean), until):
            self.mean.append(self.turns(int(choice[n])))


def decide(laws: Sequence[BankLaw], target: int, *, bits: int = _LEAST_BITS, most_bits: int = 1 << 14) -> DecidedRules:
    """Return the best law of the class at each n = 0..target, proven with balls of `bits` to `most_bits` bits.

    `laws` must list its banked points in rising order, as all laws of `die_laws` do.
    """
    if target < 1 or bits < _LEAST_BITS or most_bits < bits:
        raise ValueError(
            f"a proof needs target >= 1 and {_LEAST_BITS} <= bits <= most_bits, got {target, bits, most_bits!r}"
        )
    kept = _distinct(laws)
    cost, onward = _sieve([laws[i] for i in kept])
    width = onward.shape[1]
    slack = 4 * (width + 8) * 2.0**-53
    backwards = np.zeros(target + 1 + width)
    choice, digits, ties = np.zeros(target + 1, dtype=np.int64), np.zeros(target + 1, dtype=np.int64), []
    before = ctx.prec
    try:
        ctx.prec = bits
        balls = _Balls(laws, bits)
        for n in range(1, target + 1):
            at = target - n
            turns = cost + onward @ backwards[at + 1 : at + 1 + width]
            near = [kept[i] for i in np.flatnonzero(turns <= turns.min() * (1 + slack))]
            while True:
                decided = _least([(balls.turns(law), law) for law in near])
                if decided is not None or balls.bits >= most_bits:
                    break
                ctx.prec = min(2 * balls.bits, most_bits)
                balls = _Balls(laws, ctx.prec)
                balls.replay(choice, n)
            if decided is None:
                ties.append(n)
                decided = (reduce(lambda one, other: one.union(other), map(balls.turns, near)), near[0], None)
            mean, choice[n], gap = decided
            balls.mean.append(mean)
            backwards[at] = float(mean)
            digits[n] = _digits(float(mean), gap, turns, balls.bits)
        return DecidedRules(laws, choice, balls.mean, digits, tuple(ties), balls.bits)
    finally:
        ctx.prec = before


def decide_thresholds(
    die: PointsDie, target: int, *, bits: int = _LEAST_BITS, most_bits: int = 1 << 14
) -> DecidedRules:
    """Return the proven best thresholds: `choice[n]` + 1 is k̄(n), among all thresholds."""
    laws = threshold_laws(die, enough_thresholds(die, target))
    return decide(laws, target, bits=bits, most_bits=most_bits)


def _sieve(laws: Sequence[BankLaw]) -> tuple[Floats, Floats]:
    """Return 1/(1 - P(0)) and P(j)/(1 - P(0)) of each law, every entry rounded once."""
    cost = np.array([as_float(1 / (1 - law.bust)) for law in laws])
    onward = np.zeros((len(laws), max(law.most for law in laws)))
    for row, law in zip(onward, laws, strict=True):
        for points, chance in law.bank.items():
            row[points - 1] = as_float(chance / (1 - law.bust))
    return cost, onward


def _distinct(laws: Sequence[BankLaw]) -> list[int]:
    """Return the first index of each different law."""
    first: dict[tuple[tuple[int, Any], ...], int] = {}
    for index, law in enumerate(laws):
        first.setdefault(tuple((j, str(p)) for j, p in law.bank.items()), index)
    return sorted(first.values())


def _least(turns: list[tuple[Ball, int]]) -> tuple[Ball, int, Ball | None] | None:
    """Return the ball that lies below all others, its law and the gap to the second; None if two overlap."""
    low = min(range(len(turns)), key=lambda i: turns[i][0].mid())
    best, law = turns[low]
    others = [ball - best for i, (ball, _) in enumerate(turns) if i != low]
    if any(not gap > 0 for gap in others):
        return None
    return best, law, min(others, key=lambda gap: gap.mid()) if others else None


def _digits(mean: float, gap: Ball | None, turns: Floats, bits: int) -> int:
    """Return how many significant digits tell the best from the second best."""
    if gap is None:
        if len(turns) < 2:
            return 1
        second = float(np.partition(turns, 1)[1])
        known = bits * math.log10(2)  # all that was computed, where the two are the same
        return max(1, math.ceil(min(known, -math.log10(second / mean - 1)) if second > mean else known) + 1)
    return max(1, math.ceil(-float(gap.mid().log() / arb(10).log()) + math.log10(mean)) + 1)
