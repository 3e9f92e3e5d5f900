"""A whole race alone under any strategy, in any points game: turns and rolls, their means, variances and laws.

Written out as a plan, the strategy is a law of (points, rolls) at each standing (`plan_laws`); standings that are played
alike share theirs. The laws go through the same recurrences as every threshold race (`race_laws`). All points that reach
the target count alike; if the target must be hit exactly, points beyond it are a bust.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from jeopardice.analysis.plan_laws import plan_tables
from jeopardice.analysis.race_laws import (
    RollTables,
    Steps,
    mean_and_variance_rolls,
    mean_turns,
    turn_steps,
    turns_law,
    variance_turns,
)
from jeopardice.errors import RulesError
from jeopardice.points.plan import plan_of
from jeopardice.points.strategy import Strategy
from jeopardice.rules.game import PointsGame
from jeopardice.rules.goal import Race
from jeopardice.types import Floats, Ints


@dataclass(frozen=True, eq=False)
class StrategyRace:
    """A race alone under a strategy; arrays are indexed by the units (Pig: points; Ten Thousand: 50s) still to go.

    `choice[n]` is the row of `tables` that is played with n units to go.
    """

    tables: RollTables
    choice: Ints
    unit: int

    @cached_property
    def steps(self) -> Steps:
        """The turns as a graph from units to go to units to go."""
        return turn_steps(self.tables.chance, self.choice)

    @cached_property
    def mean(self) -> Floats:
        """The mean number of turns."""
        return mean_turns(self.steps)

    @cached_property
    def variance(self) -> Floats:
        """The variance of the number of turns."""
        return variance_turns(self.steps, self.mean)

    @cached_property
    def law(self) -> Floats:
        """The chance `law[j, n]` to need exactly j turns with n units to go."""
        return turns_law(self.steps)

    @cached_property
    def rolls(self) -> tuple[Floats, Floats]:
        """Mean and variance of the number of rolls."""
        return mean_and_variance_rolls(self.tables, self.choice)


def strategy_race(game: PointsGame, strategy: Strategy, target: int) -> StrategyRace:
    """Return the race to `target` points under `strategy`, overshooting allowed.

    >>> from jeopardice import Pig
    >>> from jeopardice import StopAt
    >>> race = strategy_race(Pig(), StopAt(20), 20)
    >>> print(round(race.mean[20], 6), round(race.rolls[0][20], 6))
    2.663405 9.980433
    """
    return goal_race(Race(game, target), strategy)


def goal_race(goal: Race, strategy: Strategy) -> StrategyRace:
    """Return a race alone, with all its rules about finishing and banking, under `strategy`."""
    if goal.players != 1 or goal.target is None:
        raise ValueError(f"a race alone to a target is needed, got {goal!r}")
    if not goal.is_plain:
        raise RulesError(
            "distributions of races alone are known without a minimum to open and without penalties; leave out open_from, busts "
            "and penalty, or play games: jeopardice simulate"
        )
    plan = plan_of(strategy, replace(goal, within=None))
    tables, unit = plan_tables(plan), plan.table.unit
    choice = np.concatenate(([0], plan.plan_of[::-1, 0])).astype(np.int64)
    if goal.finish == "exact":
        tables, choice = _cut_off(tables, choice)
    race = StrategyRace(tables, choice, unit)
    if stuck := _come_to(race.steps) & set(np.flatnonzero(race.steps.chance.sum(axis=1)[1:] <= 0) + 1):
        raise RulesError(
            f"{strategy.name} never banks anything with {min(stuck) * unit} points to go, so its race does not end"
        )
    return race


def _cut_off(tables: RollTables, choice: Ints) -> tuple[RollTables, Ints]:
    """Return the tables with one row per standing, where points beyond the target count as a bust.

    A row that can only bust is emptied: no strategy that finishes ever comes there, and it has no law.
    """
    rows = np.stack(tables)[:, choice]
    points = np.arange(rows.shape[2])
    beyond = points[None, :] > np.arange(len(choice))[:, None]
    rows[:, :, 0] += np.where(beyond, rows, 0.0).sum(axis=2)
    rows = np.where(beyond & (points > 0), 0.0, rows)
    rows *= (rows[0, :, 1:].sum(axis=1) > 0)[None, :, None]
    return RollTables(*rows), np.arange(len(choice))


def _come_to(steps: Steps) -> set[int]:
    """Return the units to go that a race from the start can come to."""
    reached = np.zeros(len(steps.bust), dtype=bool)
    reached[-1] = True
    for n in range(len(reached) - 1, 0, -1):
        if reached[n]:
            reached[steps.to[n][steps.chance[n] > 0]] = True
    return set(np.flatnonzero(reached).tolist())
