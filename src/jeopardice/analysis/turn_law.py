"""The exact law of one turn under any strategy: its score, its rolls, and both together.

The chances of all moments are carried forward roll by roll: a moment where the strategy stops adds to the law, any other
spreads over the plays it would make of each roll. Nothing is cut off, so the law sums to 1 exactly (in rationals) or up
to rounding (in floats). Cost: rolls x moments x plays, counting only moments that are reached.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any

from flint import fmpq

from jeopardice.errors import RulesError
from jeopardice.exact import fraction
from jeopardice.game import Play, PointsGame
from jeopardice.strategy import Moment, Strategy
from jeopardice.turn_table import TurnTable, lay_out

MOST_MOMENTS = 300_000
"""A turn that has passed so many moments is not going to end: a strategy that never stops is refused there."""


@dataclass(frozen=True)
class TurnLaw:
    """The joint law of the score and the number of rolls of a turn: chance[points, rolls]; a bust scores 0.

    Chances are Fractions, or floats if asked for.
    """

    joint: Mapping[tuple[int, int], Any]
    bust_chance: Any

    @cached_property
    def score(self) -> dict[int, Any]:
        """The law of the score, least first."""
        return _marginal(self.joint, 0)

    @cached_property
    def rolls(self) -> dict[int, Any]:
        """The law of the number of rolls."""
        return _marginal(self.joint, 1)

    @property
    def mean(self) -> Any:
        """The mean score."""
        return sum(points * chance for points, chance in self.score.items())

    @property
    def variance(self) -> Any:
        """The variance of the score."""
        return sum(points**2 * chance for points, chance in self.score.items()) - self.mean**2

    @property
    def mean_rolls(self) -> Any:
        """The mean number of rolls."""
        return sum(rolls * chance for rolls, chance in self.rolls.items())

    @property
    def variance_rolls(self) -> Any:
        """The variance of the number of rolls."""
        return sum(rolls**2 * chance for rolls, chance in self.rolls.items()) - self.mean_rolls**2

    @property
    def covariance(self) -> Any:
        """The covariance of score and rolls."""
        return sum(p * r * chance for (p, r), chance in self.joint.items()) - self.mean * self.mean_rolls

    @property
    def correlation(self) -> float:
        """The correlation of score and rolls; 0 where one of them does not vary."""
        spread = float(self.variance) * float(self.variance_rolls)
        return float(self.covariance) / sqrt(spread) if spread > 0 else 0.0


def turn_law(
    game: PointsGame,
    strategy: Strategy,
    *,
    mine: int = 0,
    theirs: int = 0,
    target: int | None = None,
    exact: bool = True,
) -> TurnLaw:
    """Return the law of one turn of `game` under `strategy`, from a standing in a race or (no target) on its own.

    >>> from jeopardice import Pig
    >>> from jeopardice.strategy import StopAt
    >>> turn_law(Pig(), StopAt(20)).mean
    Fraction(492303203, 60466176)
    """
    table = lay_out(game, drop_dominated=False)
    number: Any = fmpq if exact else float
    moments: dict[tuple[int, int], Any] = {(0, table.opening): number(1)}
    joint: dict[tuple[int, int], Any] = defaultdict(lambda: number(0))
    bust = number(0)
    rolls = passed = 0
    while moments:
        passed += len(moments)
        if passed > MOST_MOMENTS:
            raise RulesError(
                f"{strategy.name} is still rolling after {rolls} rolls; a strategy must stop at some point"
            )
        rolling: dict[tuple[int, int], Any] = defaultdict(lambda: number(0))
        for (t, mode), chance in moments.items():
            ended = mode == len(table.modes)
            if ended or (t and strategy.stops(_moment(table, t, mode, rolls, mine, theirs, target))):
                joint[t * table.unit, rolls] += chance
            else:
                rolling[t, mode] += chance
        moments, lost = _rolled(table, rolling, strategy, rolls, (mine, theirs, target), number)
        rolls += 1
        joint[0, rolls] += lost
        bust += lost
    as_number = fraction if exact else float
    law = {key: as_number(chance) for key, chance in sorted(joint.items()) if chance}
    return TurnLaw(law, as_number(bust))


def _rolled(
    table: TurnTable,
    rolling: Mapping[tuple[int, int], Any],
    strategy: Strategy,
    rolls: int,
    place: tuple[Any, ...],
    number: Any,
) -> tuple[dict[tuple[int, int], Any], Any]:
    """Return the moments after one more roll, and the chance that it was a bust."""
    moments: dict[tuple[int, int], Any] = defaultdict(lambda: number(0))
    lost = number(0)
    for (t, mode), chance in rolling.items():
        share = chance / table.total_weight[mode]
        lost += share * table.bust_weight[mode]
        for choices, weight in table.groups[mode].items():
            points, to = choices[0] if len(choices) == 1 else _chosen(table, choices, strategy, t, mode, rolls, place)
            moments[t + points, to] += share * weight
    return moments, lost


def _chosen(
    table: TurnTable, choices: Any, strategy: Strategy, t: int, mode: int, rolls: int, place: tuple[Any, ...]
) -> tuple[int, int]:
    modes = (*table.modes, None)
    plays = [Play(points * table.unit, modes[to]) for points, to in choices]
    chosen = strategy.choose(_moment(table, t, mode, rolls, *place), plays)
    if chosen not in plays:
        raise ValueError(f"{strategy.name} chose {chosen!r}, which is not offered; the plays are {plays!r}")
    return choices[plays.index(chosen)]  # type: ignore[no-any-return]


def _moment(table: TurnTable, t: int, mode: int, rolls: int, mine: int, theirs: int, target: int | None) -> Moment:
    return Moment(t * table.unit, table.modes[mode], rolls, mine, theirs, target)


def _marginal(joint: Mapping[tuple[int, int], Any], axis: int) -> dict[int, Any]:
    law: dict[int, Any] = {}
    for key, chance in joint.items():
        law[key[axis]] = law.get(key[axis], 0) + chance
    return dict(sorted(law.items()))


def chance_at_least(law: Mapping[int, Any], points: int) -> Any:
    """Return the chance of a score of at least `points`."""
    return sum((chance for score, chance in law.items() if score >= points), Fraction(0) if not law else 0)
