"""The exact law of one turn under any strategy: its score, its rolls, and both together.

The chances of all moments are carried forward roll by roll: a moment where the strategy stops adds to the law, any other
spreads over the plays it would make of each roll. Nothing is cut off, so the law sums to 1 exactly (in rationals) or up
to rounding (in floats). Cost: rolls x moments x plays, counting only moments that are reached.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from typing import TypeVar, cast

from flint import fmpq

from jeopardice.errors import RulesError
from jeopardice.kernels.stopping import check_wanted
from jeopardice.points.rational import fraction
from jeopardice.points.strategy import Moment, Strategy
from jeopardice.points.tables import Choices, TurnTable, lay_out
from jeopardice.rules.game import Play, PointsGame
from jeopardice.rules.house import House
from jeopardice.types import Real

NEGLIGIBLE = 1e-18
"""In floats the turn is followed until less than this chance is left."""

MOST_MOMENTS = 300_000
"""A turn that has passed this many moments is not going to end: a strategy that never stops is refused there."""


PLAIN = House()
"""No rules between turns."""

T = TypeVar("T")


@dataclass(frozen=True)
class TurnLaw:
    """The joint law of the score and the number of rolls of a turn: chance[points, rolls]; a bust scores 0.

    Chances are Fractions, or floats if asked for.
    """

    joint: Mapping[tuple[int, int], Real]
    bust_chance: Real

    @cached_property
    def score(self) -> dict[int, Real]:
        """The law of the score, least first."""
        return _marginal(self.joint, 0)

    @cached_property
    def rolls(self) -> dict[int, Real]:
        """The law of the number of rolls."""
        return _marginal(self.joint, 1)

    @property
    def mean(self) -> Real:
        """The mean score."""
        return sum(points * chance for points, chance in self.score.items())

    @property
    def variance(self) -> Real:
        """The variance of the score."""
        return sum(points**2 * chance for points, chance in self.score.items()) - self.mean**2

    @property
    def mean_rolls(self) -> Real:
        """The mean number of rolls."""
        return sum(rolls * chance for rolls, chance in self.rolls.items())

    @property
    def variance_rolls(self) -> Real:
        """The variance of the number of rolls."""
        return sum(rolls**2 * chance for rolls, chance in self.rolls.items()) - self.mean_rolls**2

    @property
    def covariance(self) -> Real:
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
    house: House = PLAIN,
    exact: bool = True,
) -> TurnLaw:
    """Return the distribution of one turn of `game` under `strategy`, from a standing in a race or (no target) on its own.

    Where the rules forbid to stop, below the minimum of `house` or in a mode that must be rolled, the strategy is not asked.

    >>> from jeopardice import Pig
    >>> from jeopardice import StopAt
    >>> turn_law(Pig(), StopAt(20)).mean
    Fraction(492303203, 60466176)
    """
    table = lay_out(game, drop_dominated=False)
    followed = _Followed(table, strategy, (mine, theirs, target), house.least_units(table.unit))
    unit = followed.table.unit
    number: Callable[[int], Real] = fmpq if exact else float
    moments: dict[tuple[int, int], Real] = {(0, followed.table.opening): number(1)}
    joint: dict[tuple[int, int], Real] = defaultdict(lambda: number(0))
    bust, rolls, passed = number(0), 0, 0
    while moments and (exact or sum(moments.values()) > NEGLIGIBLE):
        passed += len(moments)
        if passed > MOST_MOMENTS:
            raise RulesError(
                f"{strategy.name} is still rolling after {rolls} rolls; a strategy must stop at some point"
                + (" (where free rolls go on with a vanishing chance, exact=False cuts them off)" if exact else "")
            )
        later: dict[tuple[int, int], Real] = defaultdict(lambda: number(0))
        lost = number(0)
        for (t, mode), chance in moments.items():
            check_wanted()
            if followed.is_over(t, mode, rolls):
                joint[t * unit, rolls] += chance
                bust += chance if t == 0 else 0
                continue
            share = chance / followed.table.total_weight[mode]
            lost += share * followed.table.bust_weight[mode]
            for moment, weight in followed.spread(t, mode, rolls).items():
                later[moment] += share * weight
        rolls += 1
        joint[0, rolls] += lost
        bust += lost
        moments = later
    as_number = fraction if exact else float
    law = {key: as_number(chance) for key, chance in sorted(joint.items()) if chance}
    return TurnLaw(law, as_number(bust))


@dataclass
class _Followed:
    """A strategy followed over a table; what it says is remembered unless it watches the number of rolls."""

    table: TurnTable
    strategy: Strategy
    place: tuple[int, int, int | None]
    least: int
    remembered: dict[Hashable, object] = field(default_factory=dict)

    def is_over(self, t: int, mode: int, rolls: int) -> bool:
        """Whether the turn ends at a moment."""
        if mode == len(self.table.modes):
            return True
        mine, _, target = self.place
        enough = t >= self.least or (target is not None and mine + t * self.table.unit >= target)
        if not (t and enough and self.table.may_stop[mode]):
            return False
        return self._once(("stops", t, mode), lambda: self.strategy.stops(self._moment(t, mode, rolls)))

    def spread(self, t: int, mode: int, rolls: int) -> dict[tuple[int, int], int]:
        """Return the moments one more roll leads to, each with its weight."""
        return self._once(("spread", t, mode), lambda: self._spread(t, mode, rolls))

    def _spread(self, t: int, mode: int, rolls: int) -> dict[tuple[int, int], int]:
        weights: dict[tuple[int, int], int] = defaultdict(int)
        for choices, weight in self.table.groups[mode].items():
            points, to = choices[0] if len(choices) == 1 else self._chosen(choices, t, mode, rolls)
            weights[t + points, to] += weight
        return weights

    def _chosen(self, choices: Choices, t: int, mode: int, rolls: int) -> tuple[int, int]:
        modes = (*self.table.modes, None)
        plays = [Play(points * self.table.unit, modes[to]) for points, to in choices]
        chosen = self.strategy.choose(self._moment(t, mode, rolls), plays)
        if chosen not in plays:
            raise ValueError(f"{self.strategy.name} chose {chosen!r}, which is not offered; the plays are {plays!r}")
        return choices[plays.index(chosen)]

    def _moment(self, t: int, mode: int, rolls: int) -> Moment:
        return Moment(t * self.table.unit, self.table.modes[mode], rolls, *self.place)

    def _once(self, key: Hashable, answer: Callable[[], T]) -> T:
        if getattr(self.strategy, "watches_rolls", True):
            return answer()
        if key not in self.remembered:
            self.remembered[key] = answer()
        return cast(T, self.remembered[key])


def _marginal(joint: Mapping[tuple[int, int], Real], axis: int) -> dict[int, Real]:
    law: dict[int, Real] = {}
    for key, chance in joint.items():
        law[key[axis]] = law.get(key[axis], 0) + chance
    return dict(sorted(law.items()))
