"""A whole race alone under any strategy, in any points game: turns and rolls, their means, variances and laws.

Turn by turn the strategy is a law of (points, rolls) at each standing (`turn_law`); laid out as a table with one row
per standing it goes through the same recurrences as every threshold race (`race_laws`). All points that reach the
target count alike, so a row is as long as the points still to go.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from jeopardice.analysis.die_laws import Floats
from jeopardice.analysis.race_laws import (
    RollTables,
    Steps,
    mean_and_variance_rolls,
    mean_turns,
    turn_steps,
    turns_law,
    variance_turns,
)
from jeopardice.analysis.turn_law import turn_law
from jeopardice.game import PointsGame
from jeopardice.strategy import Strategy
from jeopardice.turn_table import lay_out


@dataclass(frozen=True, eq=False)
class StrategyRace:
    """A race alone under a strategy; arrays are indexed by the units (Pig: points; Ten Thousand: 50s) still to go."""

    tables: RollTables

    @cached_property
    def steps(self) -> Steps:
        """The turns as a graph from units to go to units to go."""
        return turn_steps(self.tables.chance, np.arange(len(self.tables.chance)))

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
        return mean_and_variance_rolls(self.tables, np.arange(len(self.tables.chance)))


def strategy_race(game: PointsGame, strategy: Strategy, target: int) -> StrategyRace:
    """Return the race to `target` points under `strategy`, overshooting allowed.

    >>> from jeopardice import Pig
    >>> from jeopardice.strategy import StopAt
    >>> race = strategy_race(Pig(), StopAt(20), 20)
    >>> print(round(race.mean[20], 6), round(race.rolls[0][20], 6))
    2.663405 9.980433
    """
    unit = lay_out(game).unit
    standings = -(-target // unit)
    tables = np.zeros((3, standings + 1, standings + 1))
    tables[0, 0, 0] = 1.0
    for n in range(1, standings + 1):
        joint = turn_law(game, strategy, mine=(standings - n) * unit, target=standings * unit, exact=False).joint
        for (points, rolls), chance in joint.items():
            tables[:, n, min(points // unit, n)] += chance * np.array([1.0, rolls, rolls * rolls])
    return StrategyRace(RollTables(*tables))
