"""What one turn earns when it is played by a fixed rule, for any die that busts.

A *die* here is all that a points game with one mode has: how many points a roll adds, with whole-number
weights, and the weight of a bust. A rule for the turn turns the die into a *law*: the chance to bust and the
chance to bank each number of points. Four rules are built, all in rational numbers:

- `threshold_laws`: roll until at least k points are at risk (the paper's Strategy 1, P_J(k, ·));
- `rolls_law`: roll a fixed number of times (Strategy 2);
- `stretched_law`: threshold k, but a turn that lands on the highest possible total, k + top - 1, goes on for C
  more points (Strategies 6 and 7);
- `points_and_rolls`: points and number of rolls of a threshold turn together (section 2.3).

Thresholds are nested, which makes all of them cheap: raising k to k + 1 changes nothing but the turns that
would stop at exactly k; they roll once more. With b the chance of a bust and a the mean points of one roll,
each of them gains a - b k on average, so the mean of a turn rises up to k = a/b and falls from there; if a/b
is whole (Pig: (20/6)/(1/6) = 20), the thresholds a/b and a/b + 1 tie.

Letters are those of G. Louchard, Recent studies on the Dice Race Problem (2016).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from flint import fmpq

from jeopardice.errors import RulesError
from jeopardice.rules.game import PointsGame
from jeopardice.rules.text import brief, dice_words
from jeopardice.types import Floats, Rational


@dataclass(frozen=True)
class PointsDie:
    """A roll adds `points[i]` with weight `weights[i]`, or loses everything with weight `bust`.

    >>> die = PointsDie.of({2: 1, 3: 1, 4: 1, 5: 1, 6: 1}, bust=1)
    >>> die.total, die.top, die.best_thresholds
    (6, 6, (20, 21))
    """

    points: tuple[int, ...]
    weights: tuple[int, ...]
    bust: int

    def __post_init__(self) -> None:
        if not self.points or min(self.points) < 1 or min(self.weights) < 1 or len(self.points) != len(self.weights):
            raise RulesError(f"a die needs points of 1 or more, each with a weight of 1 or more, got {self!r}")
        if self.bust < 1:
            raise RulesError(f"a die needs a bust weight of 1 or more, got bust={self.bust!r}: it would roll for ever")

    @classmethod
    def of(cls, weights: Mapping[int, int], bust: int) -> "PointsDie":
        """Return the die whose roll adds each key of `weights` with its weight."""
        points = tuple(sorted(weights))
        return cls(points, tuple(weights[p] for p in points), bust)

    @classmethod
    def of_game(cls, game: PointsGame) -> "PointsDie":
        """Return the die of a game with one mode and no choice but roll or stop.

        >>> from jeopardice.games.pig import Pig
        >>> PointsDie.of_game(Pig(sides=4))
        PointsDie(points=(2, 3, 4), weights=(1, 1, 1), bust=1)
        """
        weights: dict[int, int] = defaultdict(int)
        bust = 0
        for roll, weight in game.rolls(game.opening).items():
            plays = game.plays(game.opening, roll)
            if not plays:
                bust += weight
            elif len(plays) == 1 and plays[0].mode == game.opening:
                weights[plays[0].points] += weight
            else:
                raise RulesError(
                    f"thresholds need a game with one mode and one play per roll, got {brief(game)} with {dice_words(roll)}"
                )
        return cls.of(weights, bust)

    @property
    def total(self) -> int:
        """Return the weight of all rolls together."""
        return sum(self.weights) + self.bust

    @property
    def top(self) -> int:
        """Return the most points one roll can add."""
        return self.points[-1]

    @property
    def best_thresholds(self) -> tuple[int, ...]:
        """Return the thresholds with the highest mean turn, two if one more roll is a fair bet at a whole total.

        Thresholds that mean the same (totals between them cannot occur) are not listed apart.
        """
        gain = sum(p * w for p, w in zip(self.points, self.weights, strict=True))
        lower = -(-gain // self.bust)
        reached = np.zeros(lower + 1, dtype=bool)
        reached[0] = True
        for total in range(1, lower + 1):
            reached[total] = any(total >= p and reached[total - p] for p in self.points)
        return (lower, lower + 1) if gain % self.bust == 0 and reached[lower] else (lower,)

    def chances(self) -> list[tuple[int, Rational]]:
        """Return (points, chance) for every roll that is no bust."""
        return [(p, fmpq(w, self.total)) for p, w in zip(self.points, self.weights, strict=True)]


@dataclass(frozen=True)
class BankLaw:
    """The chance to bust and the chance to bank each number of points, as rationals."""

    bust: Rational
    bank: Mapping[int, Rational]

    @cached_property
    def mean(self) -> Rational:
        """Return the mean number of points the turn banks."""
        return sum((p * j for j, p in self.bank.items()), fmpq(0))

    @cached_property
    def variance(self) -> Rational:
        """Return the variance of the points the turn banks."""
        return sum((p * j * j for j, p in self.bank.items()), fmpq(0)) - self.mean**2

    @property
    def most(self) -> int:
        """Return the most points the turn can bank."""
        return max(self.bank)


def threshold_laws(die: PointsDie, most: int) -> list[BankLaw]:
    """Return the laws of the thresholds 1..`most`; entry k - 1 belongs to threshold k.

    >>> law = threshold_laws(PointsDie.of({2: 1, 3: 1, 4: 1, 5: 1, 6: 1}, bust=1), 20)[19]
    >>> law.mean
    492303203/60466176
    """
    lost, chances = fmpq(die.bust, die.total), die.chances()
    bust, bank = fmpq(0), {0: fmpq(1)}
    laws = []
    for k in range(1, most + 1):
        rolling = bank.pop(k - 1, None)
        if rolling is not None:
            bust += rolling * lost
            for points, chance in chances:
                bank[k - 1 + points] = bank.get(k - 1 + points, fmpq(0)) + rolling * chance
        laws.append(BankLaw(bust, dict(sorted(bank.items()))))
    return laws


def rolls_law(die: PointsDie, rolls: int) -> BankLaw:
    """Return the law of a turn that rolls `rolls` times unless it busts (Strategy 2)."""
    lost, chances = fmpq(die.bust, die.total), die.chances()
    bust, bank = fmpq(0), {0: fmpq(1)}
    for _ in range(rolls):
        after: dict[int, Rational] = defaultdict(fmpq)
        for total, weight in bank.items():
            bust += weight * lost
            for points, chance in chances:
                after[total + points] += weight * chance
        bank = after
    return BankLaw(bust, dict(sorted(bank.items())))


def stretched_law(die: PointsDie, threshold: int, stretch: int) -> BankLaw:
    """Return the law of threshold k whose highest total, k + top - 1, goes on for `stretch` points (Strategy 6)."""
    laws = threshold_laws(die, max(threshold, stretch))
    law, onward = laws[threshold - 1], laws[stretch - 1]
    highest = threshold + die.top - 1
    bank = dict(law.bank)
    rolling = bank.pop(highest, fmpq(0))
    for points, chance in onward.bank.items():
        bank[highest + points] = bank.get(highest + points, fmpq(0)) + rolling * chance
    return BankLaw(law.bust + rolling * onward.bust, dict(sorted(bank.items())))


def points_and_rolls(die: PointsDie, threshold: int) -> dict[tuple[int, int], Rational]:
    """Return the joint law {(points banked, rolls made): chance} of a threshold turn; a bust banks 0 points."""
    lost, chances = fmpq(die.bust, die.total), die.chances()
    done: dict[tuple[int, int], Rational] = defaultdict(fmpq)
    rolling: dict[int, Rational] = {0: fmpq(1)}
    rolls = 0
    while rolling:
        rolls += 1
        after: dict[int, Rational] = defaultdict(fmpq)
        for total, weight in rolling.items():
            done[0, rolls] += weight * lost
            for points, chance in chances:
                if total + points >= threshold:
                    done[total + points, rolls] += weight * chance
                else:
                    after[total + points] += weight * chance
        rolling = after
    return dict(done)


@dataclass(frozen=True)
class JointMoments:
    """Means, variances and correlation (0 if one is constant) of points banked (J) and rolls made (R) in one turn."""

    mean_points: float
    mean_rolls: float
    variance_points: float
    variance_rolls: float
    correlation: float


def joint_moments(joint: Mapping[tuple[int, int], Rational]) -> JointMoments:
    """Return the moments of a joint law of points and rolls, rounded once from rationals."""

    def mean(values: Iterable[tuple[int, Rational]]) -> Rational:
        return sum((value * chance for value, chance in values), fmpq(0))

    points = mean((j, p) for (j, _), p in joint.items())
    rolls = mean((r, p) for (_, r), p in joint.items())
    spread_points = mean((j * j, p) for (j, _), p in joint.items()) - points**2
    spread_rolls = mean((r * r, p) for (_, r), p in joint.items()) - rolls**2
    covariance = mean((j * r, p) for (j, r), p in joint.items()) - points * rolls
    scale = (as_float(spread_points) * as_float(spread_rolls)) ** 0.5
    correlation = as_float(covariance) / scale if scale else 0.0
    means = as_float(points), as_float(rolls)
    return JointMoments(*means, as_float(spread_points), as_float(spread_rolls), correlation)


def as_float(number: Rational) -> float:
    """Return a rational rounded to the nearest float."""
    return int(number.p) / int(number.q)


def law_table(laws: Iterable[BankLaw]) -> Floats:
    """Lay laws out as floats: `table[law, 0]` is the chance to bust, `table[law, j]` the chance to bank j."""
    laws = list(laws)
    table = np.zeros((len(laws), 1 + max(law.most for law in laws)))
    for row, law in zip(table, laws, strict=True):
        row[0] = as_float(law.bust)
        for points, chance in law.bank.items():
            row[points] = as_float(chance)
    return table
