"""What the spots and plays of Can't Stop are worth: by a solution, or by an estimate where nothing is solved.

Both answer one question, `moment`: what stopping and what rolling are worth with the markers where they stand. Everything
else a player is told follows from it.
"""

from dataclasses import dataclass
from typing import Protocol

from jeopardice.columns.match import CantStopMatch, ColumnsSpot
from jeopardice.columns.words import WORDS
from jeopardice.games.cant_stop import Markers, Standing
from jeopardice.rules.goal import Goal
from jeopardice.solution import Measure, Option
from jeopardice.types import Number


class Values(Protocol):
    """The values of all moments, of a solution or of an estimate."""

    @property
    def goal(self) -> Goal:
        """What is played for."""
        ...

    @property
    def match(self) -> CantStopMatch:
        """The game as a tree of spots."""
        ...

    @property
    def measure(self) -> Measure:
        """What values count."""
        ...

    @property
    def tie(self) -> float:
        """Losses up to this size are rounding."""
        ...

    def moment(self, standings: tuple[Standing, ...], seat: int, markers: Markers) -> tuple[float, float]:
        """Return what stopping and rolling are worth to `seat`; without markers there is nothing to stop with.

        Alone both count the turn in progress.
        """
        ...


@dataclass(frozen=True, eq=False)
class ColumnsJudge:
    """Knows Can't Stop by its values."""

    values: Values

    @property
    def goal(self) -> Goal:
        """The goal that is played for."""
        return self.values.goal

    @property
    def match(self) -> CantStopMatch:
        """The match whose spots are judged."""
        return self.values.match

    @property
    def measure(self) -> Measure:
        """What values count."""
        return self.values.measure

    @property
    def tie(self) -> float:
        """Losses up to this size are rounding."""
        return self.values.tie

    def options_at(self, spot: ColumnsSpot) -> tuple[Option, ...]:
        """Every play, best first; a tie goes to a stop, then to more spaces."""
        plays = self.match.plays(spot)
        options = []
        for play, words in zip(plays, WORDS.plays(self.match.rules, plays), strict=True):
            stop, roll = self.values.moment(spot.standings, spot.seat, play.markers)
            value = stop if play.stops else roll
            options.append(Option(words, value, play.stops, play.spaces, play.markers, match_play=play))
        sign = 1 if self.measure.prefers_less else -1
        return tuple(sorted(options, key=lambda o: (sign * o.value, not o.stops, -o.points)))

    def values_at(self, spot: ColumnsSpot) -> tuple[Number, ...]:
        """From the values; at the end what the match returns."""
        if self.match.is_over(spot):
            return self.match.returns(spot)
        rolled = self.values.moment(spot.standings, spot.seat, spot.markers)[1] if spot.rolling else None
        value = self.options_at(spot)[0].value if rolled is None else rolled
        if self.match.players == 1:
            return (spot.turn + value,)
        return tuple(value if seat == spot.seat else 1 - value for seat in range(self.match.players))
