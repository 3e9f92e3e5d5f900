"""A turn of Can't Stop replayed from the anchors: what stopping and rolling on are worth at any of its moments.

The kernel walks the whole turn of a board once and then answers for its moments; rules that it does not cover are answered
by the same recursion in plain Python, which is also the kernel's twin in the tests:

    roll(markers) = sum over rolls of chance * min over plays of min(stop(play), roll(play)),   a bust: f(board).
"""

import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np

from jeopardice.games.cant_stop import CantStop, Markers, Standing


class TurnValues(Protocol):
    """Values of boards that turns are replayed from: by remaining steps, and a kernel that walks a turn, if there is one."""

    @property
    def game(self) -> CantStop:
        """The rules."""
        ...

    def __getitem__(self, remaining: tuple[int, ...]) -> float: ...

    def replay(self) -> Any:
        """Return a kernel's replay of these values, or None."""
        ...


class MomentWorth(NamedTuple):
    """Expected turns after stopping now and after rolling; without markers there is nothing to stop with (inf)."""

    stop: float
    roll: float


class TurnReplay:
    """Answers questions about any turn of a solved game; it has the turn of the last question at hand."""

    def __init__(self, values: TurnValues) -> None:
        self._game, self._values = values.game, values
        self._kernel = values.replay()
        self._standing: Standing | None = None
        self._known: dict[Markers, float] = {}

    def moment(self, standing: Standing, markers: Markers) -> MomentWorth:
        """Return what stopping and rolling are worth with the markers there, the turn in progress not counted."""
        if self._game.is_won(standing, markers):
            return MomentWorth(0.0, 0.0)
        if not markers:
            return MomentWorth(float("inf"), _value(self._values, standing) - 1.0)
        if standing != self._standing:
            self._standing, self._known = standing, {}
            if self._kernel is not None:
                self._kernel.begin(np.subtract(self._game.lengths, standing).tolist())
        if self._kernel is None:
            return MomentWorth(
                _value(self._values, self._game.bank(standing, markers)), self._rolled(standing, markers)
            )
        columns = [column - 2 for column, _ in markers]
        return MomentWorth(
            *self._kernel.worth_at(columns, [self._game.length(column) - space for column, space in markers])
        )

    def _rolled(self, standing: Standing, markers: Markers) -> float:
        if markers not in self._known:
            self._known[markers] = roll_worth(self._values, standing, markers, self._known)
        return self._known[markers]


def moments(values: TurnValues) -> Callable[[Standing, Markers], tuple[float, float]]:
    """Return a function that gives the expected turns after stopping and after rolling, the turn in progress included."""
    replay, lock = TurnReplay(values), threading.Lock()

    @lru_cache(maxsize=100_000)
    def moment(standing: Standing, markers: Markers) -> tuple[float, float]:
        with lock:  # a replay has one turn at hand
            stop, roll = replay.moment(standing, markers)
        return 1 + stop, 1 + roll

    return moment


def _value(values: TurnValues, standing: Standing) -> float:
    return values[tuple(length - space for length, space in zip(values.game.lengths, standing, strict=True))]


def roll_worth(values: TurnValues, standing: Standing, markers: Markers, known: dict[Markers, float]) -> float:
    """Return what rolling on is worth, straight from the rules; `known` holds the moments of this turn met so far."""
    game, bust = values.game, _value(values, standing)

    def best(after: Markers) -> float:
        if game.is_won(standing, after):
            return 0.0
        if after not in known:
            known[after] = rolled(after)
        return min(_value(values, game.bank(standing, after)), known[after])

    def rolled(at: Markers) -> float:
        worth = 0.0
        for roll, weight in game.rolls().items():
            worth += weight * min((best(after) for after in game.plays(standing, at, roll)), default=bust)
        return worth / float(game.sides**game.dice)

    return rolled(markers)
