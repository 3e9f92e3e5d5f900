"""All that one asks about a race alone under a strategy, in one place: for the command line, figures and the web.

Mean, variance and law of the number of turns, mean and variance of the rolls are exact sums (`strategy_race`); the far
end is read off (`long_run`). Games with one mode and one play per roll have thresholds besides: k̄(n), decided beyond
doubt, and E(n) beside the true optimum over all strategies.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np

from jeopardice.analysis.asymptotics import Excess, Run, excess_range, runs
from jeopardice.analysis.decided import DecidedRules, decide_thresholds
from jeopardice.analysis.die_laws import PointsDie
from jeopardice.analysis.long_run import FarPlay, far_play
from jeopardice.analysis.off_thresholds import OffThreshold, off_thresholds
from jeopardice.analysis.race_laws import TurnMoments, target_law, turn_moments
from jeopardice.analysis.strategy_race import StrategyRace, goal_race
from jeopardice.analysis.thresholds import enough_thresholds
from jeopardice.errors import RulesError, TooLargeError
from jeopardice.points.named_strategies import named_strategy
from jeopardice.points.solution import AloneSolution
from jeopardice.points.strategy import Strategy
from jeopardice.rules.goal import Race
from jeopardice.rules.house import House
from jeopardice.solver import solve
from jeopardice.types import Floats, Ints

_MOST_STEPS = 2_000_000_000
"""About a second or two: races beyond the target, for the constant alone, are not decided if they cost more."""

_MOST_CHANCES = 1_000_000_000
"""A law that takes more than this many chances takes minutes: Pig to about 90,000 points."""


@dataclass(frozen=True, eq=False)
class ThresholdReport:
    """k̄(n) and E(n) by points to go, up to the target, and the true optimum `best[n]` over all strategies.

    `digits` significant digits decided the closest choice; `constant` holds E(n) - n/m for all n from some n on.
    """

    thresholds: Ints
    mean: Floats
    best: Floats
    digits: int
    runs: list[Run]
    constant: Excess | None
    off: list[OffThreshold]


@dataclass(frozen=True, eq=False)
class AloneReport:
    """A race alone under a strategy; arrays inside `race` are by units to go."""

    goal: Race
    strategy: Strategy
    race: StrategyRace

    @property
    def mean(self) -> float:
        """The mean number of turns."""
        return float(self.race.mean[-1])

    @property
    def variance(self) -> float:
        """The variance of the number of turns."""
        return float(self.race.variance[-1])

    @property
    def mean_rolls(self) -> float:
        """The mean number of rolls."""
        return float(self.race.rolls[0][-1])

    @property
    def variance_rolls(self) -> float:
        """The variance of the number of rolls."""
        return float(self.race.rolls[1][-1])

    @cached_property
    def law(self) -> Floats:
        """The chance `law[j]` to need exactly j turns: Π(n, j)."""
        work = len(self.race.mean) * (self.mean + 10 * sqrt(self.variance))
        if work > _MOST_CHANCES:
            raise TooLargeError(
                f"the distribution of the turns to {self.goal.target} points takes {work:.2g} chances, "
                f"more than {_MOST_CHANCES:.2g}; choose a smaller target"
            )
        return target_law(self.race.steps)

    @cached_property
    def moments(self) -> TurnMoments:
        """Mean, variance, skewness and kurtosis of that law."""
        return turn_moments(self.law)

    def chance_within(self, turns: int) -> float:
        """Return the chance to finish within this many turns under this strategy."""
        return float(self.law[: turns + 1].sum())

    @cached_property
    def best_within(self) -> float | None:
        """The best chance of any strategy to finish within the turns of the goal, if it names any."""
        return None if self.goal.within is None else float(solve(self.goal).value)

    @cached_property
    def far(self) -> FarPlay:
        """What the far end of the race tells about longer ones."""
        return far_play(self.race)

    @cached_property
    def thresholds(self) -> ThresholdReport | None:
        """The best thresholds; None for games with several modes or plays, and where house rules touch the turn."""
        usual = (self.goal.finish, self.goal.cost, self.goal.house) == ("reach", "turns", House())
        return threshold_report(self.goal) if usual else None


def alone_report(goal: Race, strategy: str | Strategy = "optimal") -> AloneReport:
    """Return the report on a race alone under a strategy, given by name or as an object.

    >>> from jeopardice import Pig
    >>> report = alone_report(Race(Pig(), 100), "stop-at-20")
    >>> print(round(report.mean, 6), round(report.variance, 6), round(report.chance_within(10), 6))
    12.636769 19.803976 0.359685
    """
    if goal.players != 1 or goal.target is None:
        raise ValueError(
            f"distributions are computed for races alone to a number of points, such as pig alone; got {goal.game!r}"
        )
    plain = replace(goal, within=None)
    played = named_strategy(strategy, plain) if isinstance(strategy, str) else strategy
    return AloneReport(goal, played, goal_race(plain, played))


def threshold_report(goal: Race) -> ThresholdReport | None:
    """Return the best thresholds of a race alone, or None if the game has more than roll or stop to choose."""
    target = int(goal.target or 0)
    try:
        die = PointsDie.of_game(goal.game)
    except RulesError:
        return None
    decided = _decided(die, target)
    solution: Any = solve(Race(goal.game, target))
    assert isinstance(solution, AloneSolution)
    unit = solution.table.unit
    best = -np.asarray(solution.worth)[-(-np.arange(target + 1) // unit)]
    thresholds = np.concatenate(([0], decided.choice[1 : target + 1] + 1))
    mean = np.array([float(ball) for ball in decided.mean[: target + 1]])
    digits = int(decided.digits[: target + 1].max())
    return ThresholdReport(
        thresholds, mean, best, digits, runs(thresholds, 1), _constant(decided), off_thresholds(solution)
    )


def _decided(die: PointsDie, target: int) -> DecidedRules:
    """Return the thresholds decided to the target, and as far beyond as the constant wants if that is soon done."""
    farther = max(target, 150 * die.best_thresholds[0])
    affordable = enough_thresholds(die, farther) ** 2 * farther <= _MOST_STEPS
    return decide_thresholds(die, farther if affordable else target)


def _constant(decided: DecidedRules) -> Excess | None:
    try:
        ranges = excess_range(decided)
    except ValueError:  # the race is too short to say
        return None
    return ranges[0] if len(ranges) == 1 else None
