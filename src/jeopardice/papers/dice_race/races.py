"""The races of the dice-race paper, computed once: thresholds to 1000, Strategies 3 and 4, laws, the duel to 100.

The paper's letters, translated: a round is a turn, n the points to go, k̄(n) the best threshold, E(n) and V(n) mean and
variance of the number of turns C(n), Π(n, j) its law, P(k, j) the law of one turn with threshold k, m its best mean.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from jeopardice.analysis.decided import DecidedRules, decide_thresholds
from jeopardice.analysis.die_laws import BankLaw, PointsDie, as_float, law_table, threshold_laws
from jeopardice.analysis.race_laws import Steps, mean_turns, turn_steps, turns_law, variance_turns
from jeopardice.analysis.thresholds import ThresholdRace, best_rules, continued, threshold_class
from jeopardice.games.pig import Pig
from jeopardice.points.solution import AloneSolution, DuelSolution
from jeopardice.rules.goal import Race
from jeopardice.solver import solve
from jeopardice.types import Floats, Ints, JsonObject

DIE = PointsDie.of_game(Pig())
TARGET = 1000
"""Every figure of the paper goes to n = 1000."""
PATTERN = np.array([19] * 12 + [20] * 10)
"""Rows of the law table for threshold 20 twelve times, then 21 ten times: the pattern of open problem 1."""


@cache
def printed() -> JsonObject:
    """Return the numbers as printed, by subject."""
    return tomllib.loads((files("jeopardice.papers") / "data" / "dice_race.toml").read_text(encoding="utf-8"))


class FixedRace(NamedTuple):
    """A race to 1000 by given rows of the law table: E(n), V(n) and Π(1000, j)."""

    choice: Ints
    steps: Steps
    mean: Floats
    variance: Floats
    law: Floats

    @property
    def excess(self) -> Floats:
        """E(n) - n/m."""
        return self.mean - np.arange(len(self.mean)) / best_mean()


def fixed_race(table: Floats, choice: Ints) -> FixedRace:
    """Return the race that is played by these rows of the table."""
    steps = turn_steps(table, choice)
    mean = mean_turns(steps)
    return FixedRace(choice, steps, mean, variance_turns(steps, mean), turns_law(steps)[:, -1])


class Races(NamedTuple):
    """The best thresholds, Strategy 3 (12/10 from n = 55 on) and Strategy 4 (always 20 from n = 251 on)."""

    table: Floats
    best: FixedRace
    strategy_3: FixedRace
    strategy_4: FixedRace


@cache
def races() -> Races:
    """Return the races to 1000."""
    table = law_table(threshold_class(DIE, TARGET))
    rules = best_rules(table, TARGET)
    third, fourth = continued(rules, 54, PATTERN), continued(rules, 250, np.array([19]))
    return Races(table, *(fixed_race(table, choice) for choice in (rules.choice, third, fourth)))


def thresholds() -> ThresholdRace:
    """Return k̄ and E to 1000."""
    best = races().best
    return ThresholdRace(np.concatenate(([0], best.choice[1:] + 1)), best.mean)


@cache
def decided() -> DecidedRules:
    """Return the thresholds to 6000 with proofs."""
    return decide_thresholds(DIE, 6000)


@cache
def laws(most: int = 40) -> list[BankLaw]:
    """Return the laws of the thresholds 1..most; entry k - 1 is threshold k."""
    return threshold_laws(DIE, most)


def best_mean() -> float:
    """Return m."""
    return as_float(laws()[19].mean)


@cache
def variance_per_point(threshold: int) -> float:
    """Return Ṽ(k)/m³, the variance rate of always playing threshold k."""
    return as_float(laws()[threshold - 1].variance) / best_mean() ** 3


def mixed_rates() -> tuple[float, float]:
    """Return s₁² and s₂², the averages of the two rates weighted 12 : 10 and plainly."""
    low, high = variance_per_point(20), variance_per_point(21)
    return (12 * low + 10 * high) / 22, (low + high) / 2


@cache
def optimum(target: int = TARGET) -> AloneSolution:
    """Return the fewest turns over all strategies."""
    solution = solve(Race(Pig(), target))
    assert isinstance(solution, AloneSolution)
    return solution


@cache
def duel() -> DuelSolution:
    """Return Pig to 100 for two."""
    solution = solve(Race(Pig(), 100, players=2))
    assert isinstance(solution, DuelSolution)
    return solution
