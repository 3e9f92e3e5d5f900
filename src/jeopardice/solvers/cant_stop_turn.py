"""A turn of Can't Stop replayed from the anchors: what stopping and rolling on are worth at any of its moments.

The kernel walks the whole turn of a board once and is then asked about moments; rules that it does not cover are
answered by the same recursion in plain Python, which is also the kernel's twin in the tests:

    roll(markers) = sum over rolls of chance * min over plays of min(stop(play), roll(play)),   a bust: f(board).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jeopardice.dice import Roll
from jeopardice.errors import PositionError
from jeopardice.games.cant_stop import Markers, Standing
from jeopardice.kernels import kernels
from jeopardice.solvers.cant_stop_values import BoardValues


@dataclass(frozen=True)
class MomentWorth:
    """Expected turns after stopping now, and after rolling on; without markers there is nothing to stop with (inf)."""

    stop: float
    roll: float

    @property
    def best(self) -> float:
        """The worth of the better choice."""
        return min(self.stop, self.roll)

    @property
    def should_stop(self) -> bool:
        """Is stopping best? A tie is a stop."""
        return self.stop <= self.roll


@dataclass(frozen=True)
class PlayWorth:
    """One play of a roll: where the markers stand after it, and what is best then."""

    markers: dict[int, int]
    worth: MomentWorth


class TurnReplay:
    """Answers questions about any turn of a solved game; it keeps the turn asked about last at hand."""

    def __init__(self, values: BoardValues) -> None:
        self._game, self._values = values.game, values
        self._kernel: Any = None
        if values.layout is not None:
            game = values.game
            self._kernel = kernels.CantStopReplay(game.sides, game.lengths, game.columns_to_win, values.table)
        self._standing: Standing | None = None
        self._known: dict[Markers, float] = {}

    def value(self, climbed: Mapping[int, int]) -> float:
        """Return the expected turns from a board given as {column: spaces climbed}."""
        return self._anchor(self._game.standing(climbed))

    def moment(self, climbed: Mapping[int, int], markers: Mapping[int, int]) -> MomentWorth:
        """Return what stopping and rolling are worth with the markers on these spaces, counted from the bottom."""
        standing = self._game.standing(climbed)
        return self._worth(standing, self._game.placed(standing, markers))

    def plays(self, climbed: Mapping[int, int], markers: Mapping[int, int], roll: Roll) -> list[PlayWorth]:
        """Return every play of `roll` with its worth, best first; an empty list is a bust."""
        standing = self._game.standing(climbed)
        placed, roll = self._game.placed(standing, markers), self._game.roll(roll)
        if self._game.is_won(standing, placed):
            raise PositionError("the game is over here: enough columns are completed; ask about an earlier moment")
        plays = [
            PlayWorth(dict(after), self._worth(standing, after)) for after in self._game.plays(standing, placed, roll)
        ]
        return sorted(plays, key=lambda play: play.worth.best)

    def _anchor(self, standing: Standing) -> float:
        return _anchor(self._values, standing)

    def _worth(self, standing: Standing, markers: Markers) -> MomentWorth:
        if self._game.is_won(standing, markers):
            return MomentWorth(0.0, 0.0)
        if not markers:
            return MomentWorth(float("inf"), self._anchor(standing) - 1.0)
        if standing != self._standing:
            self._standing, self._known = standing, {}
            if self._kernel is not None:
                self._kernel.begin(np.subtract(self._game.lengths, standing).tolist())
        if self._kernel is None:
            return MomentWorth(self._anchor(self._game.bank(standing, markers)), self._rolled(standing, markers))
        columns = [column - 2 for column, _ in markers]
        return MomentWorth(
            *self._kernel.worth_at(columns, [self._game.length(column) - space for column, space in markers])
        )

    def _rolled(self, standing: Standing, markers: Markers) -> float:
        if markers not in self._known:
            self._known[markers] = roll_worth(self._values, standing, markers, self._known)
        return self._known[markers]


def _anchor(values: BoardValues, standing: Standing) -> float:
    return values[tuple(length - space for length, space in zip(values.game.lengths, standing, strict=True))]


def roll_worth(values: BoardValues, standing: Standing, markers: Markers, known: dict[Markers, float]) -> float:
    """Return what rolling on is worth, straight from the rules; `known` keeps the moments of this turn met so far."""
    game, bust = values.game, _anchor(values, standing)

    def best(after: Markers) -> float:
        if game.is_won(standing, after):
            return 0.0
        if after not in known:
            known[after] = rolled(after)
        return min(_anchor(values, game.bank(standing, after)), known[after])

    def rolled(at: Markers) -> float:
        worth = 0.0
        for roll, weight in game.rolls().items():
            worth += weight * min((best(after) for after in game.plays(standing, at, roll)), default=bust)
        return worth / float(game.sides**game.dice)

    return rolled(markers)
