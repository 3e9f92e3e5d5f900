"""A points game judged turn by turn: each turn is worth the points it brings on average, whatever the others have.

This needs one solved turn, which takes a moment, so a race can be played at once: while it is being solved, or where
nobody has solved it. A seat's value is what it has scored above as many average turns, the turn in progress included. It
knows nothing about winning but that a bank at the target wins, and says so: its measure is an estimate in points.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from jeopardice.points.match import PointsMatch, PointsSpot, match_of
from jeopardice.points.solution.turn import TurnSolution
from jeopardice.points.words import WORDS
from jeopardice.rules.game import Mode
from jeopardice.rules.goal import Race
from jeopardice.solution import Measure, Option
from jeopardice.types import Number

MARKS = (0.01, 0.04, 0.1)
"""From these losses on, as shares of an average turn, a play is marked."""


@dataclass(frozen=True, eq=False)
class TurnJudge:
    """Judges the plays of a race by the points of the turn; `turns` are the solved turns, one for each seat."""

    goal: Race
    turns: tuple[TurnSolution, ...]
    match: PointsMatch = field(init=False)
    _options: Callable[[PointsSpot], tuple[Option, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "match", match_of(self.goal))
        object.__setattr__(self, "_options", lru_cache(maxsize=2048)(self._valued))

    @property
    def measure(self) -> Measure:
        """Points of a turn, an estimate of how good a play is for the race."""
        inaccuracy, mistake, blunder = (share * float(self.turns[0].value) for share in MARKS)
        return Measure("points of the turn", inaccuracy, mistake, blunder, is_estimate=True)

    @property
    def tie(self) -> float:
        """Rounding."""
        return 1e-9 * float(self.turns[0].value)

    def options_at(self, spot: PointsSpot) -> tuple[Option, ...]:
        """Every play, best first; a tie goes to a stop, then to more points."""
        return () if spot.rolling or self.match.is_over(spot) else self._options(spot)

    def values_at(self, spot: PointsSpot) -> tuple[Number, ...]:
        """Everybody's points above what as many average turns bring; for the player who has the dice with this turn."""
        players = self.match.players
        taken = [spot.turn // players + (seat < spot.turn % players) for seat in range(players)]
        means = [float(turn.value) for turn in self.turns]
        values = [score - n * mean for score, n, mean in zip(spot.standings, taken, means, strict=True)]
        if not self.match.is_over(spot):
            values[spot.seat] += self._worth(spot) - means[spot.seat]
        return tuple(values)

    def _worth(self, spot: PointsSpot) -> float:
        """Return the mean points of the turn in progress."""
        if not spot.rolling:
            return float(self.options_at(spot)[0].value)
        return self._rolled(spot, spot.at_risk, spot.mode)

    def _rolled(self, spot: PointsSpot, points: int, mode: Mode) -> float:
        view = self.turns[spot.seat].view()
        return float(view.shown(view.roll_worth(view.units(points), view.mode_index(mode))))

    def _valued(self, spot: PointsSpot) -> tuple[Option, ...]:
        plays, target = self.match.plays(spot), self.match.target
        options = [
            Option(
                word, float(play.points) if play.stops else self._rolled(spot, play.points, play.mode), play.stops,
                play.points, play.mode, play.aside, match_play=play,
            )
            for play, word in zip(plays, WORDS.plays(self.match.game(spot), plays), strict=True)
        ]  # fmt: skip

        def wins(option: Option) -> bool:
            return option.stops and target is not None and spot.standings[spot.seat] + option.points >= target

        return tuple(sorted(options, key=lambda o: (not wins(o), -o.value, not o.stops, -o.points)))
