"""The referee of Can't Stop alone: the fewest turns on a board that has been solved.

A turn opens with the choice to roll; after each roll that is no bust one chooses a play and whether to stop or to roll on.
All values come from the solved boards, through a replayed turn.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, Literal

from jeopardice.dice import Roll
from jeopardice.errors import PositionError
from jeopardice.games.cant_stop import CantStop, Markers, Standing
from jeopardice.solvers.cant_stop_turn import MomentWorth, TurnReplay
from jeopardice.tutor.board_moves import board_choices, board_words, columns_done, roll_words, spaces_at_risk
from jeopardice.tutor.board_picture import board_lines, columns_words
from jeopardice.tutor.referee import Choice, Measure, plain


@dataclass(frozen=True)
class BoardSpot:
    """The spaces climbed, the markers of the turn so far, and a roll to be played; `rolling`: the dice fall next."""

    standing: Standing
    markers: Markers = ()
    roll: Roll | None = None
    rolling: bool = False
    rolls: int = 0
    turn: int = 0
    rolls_made: int = 0


@dataclass(frozen=True, eq=False)
class CantStopReferee:
    """Knows Can't Stop alone by a solution with `goal`, `values` (the solved boards) and `error_bound`.

    `worth(standing, markers)` is what stopping and rolling are worth, the turn in progress not counted.
    """

    solution: Any
    worth: Callable[[Standing, Markers], MomentWorth] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        replay, lock = TurnReplay(self.solution.values), threading.Lock()

        def worth(standing: Standing, markers: Markers) -> MomentWorth:
            with lock:  # a replay keeps one turn at hand
                return replay.moment(dict(zip(self.game.columns, standing, strict=True)), dict(markers))

        object.__setattr__(self, "worth", lru_cache(maxsize=4096)(worth))

    @property
    def goal(self) -> Any:
        """The race that is played."""
        return self.solution.goal

    @property
    def game(self) -> CantStop:
        """The board."""
        game: CantStop = self.solution.goal.game
        return game

    @property
    def players(self) -> int:
        """One."""
        return 1

    @property
    def measure(self) -> Measure:
        """Turns; fewer are better."""
        return Measure("turns", 0.02, 0.08, 0.25, prefers_less=True)

    @property
    def counts(self) -> Literal["points", "spaces"]:
        """Spaces."""
        return "spaces"

    @property
    def tie(self) -> float:
        """Twice the certified bound: two values each that far off."""
        return 2 * float(self.solution.error_bound)

    def start(self) -> BoardSpot:
        """An empty board."""
        return BoardSpot(self.game.opening)

    def seat(self, spot: BoardSpot) -> int:
        """The only player."""
        return 0

    def is_over(self, spot: BoardSpot) -> bool:
        """Whether enough columns are completed."""
        return self.game.is_won(spot.standing)

    def winner(self, spot: BoardSpot) -> int | None:
        """The only player, at the end."""
        return 0 if self.is_over(spot) else None

    def rolls(self, spot: BoardSpot) -> Mapping[Roll, int]:
        """All dice, if they fall next."""
        return self.game.rolls() if spot.rolling else {}

    def choices(self, spot: BoardSpot) -> Sequence[Choice]:
        """Every play, then stop or roll; before the first roll of a turn only the roll."""
        if spot.rolling or self.is_over(spot):
            return ()
        if spot.roll is None:
            return (Choice("roll", 1 + self.worth(spot.standing, spot.markers).roll, 0, stops=False),)
        worths = (
            self._worths(spot.standing, markers) for markers in self.game.plays(spot.standing, spot.markers, spot.roll)
        )
        return board_choices(spot.standing, spot.markers, worths, prefers_less=True)

    def after_roll(self, spot: BoardSpot, roll: Roll) -> tuple[BoardSpot, bool]:
        """A roll to be played, or a bust: the markers come off."""
        made = spot.rolls_made + 1
        if not self.game.plays(spot.standing, spot.markers, roll):
            return BoardSpot(spot.standing, turn=spot.turn + 1, rolls_made=made), True
        return replace(spot, roll=roll, rolling=False, rolls=spot.rolls + 1, rolls_made=made), False

    def after_choice(self, spot: BoardSpot, choice: Choice) -> BoardSpot:
        """A stop banks the markers; else the dice fall."""
        markers = spot.markers if spot.roll is None else choice.mode
        if not choice.stops:
            return replace(spot, markers=markers, roll=None, rolling=True)
        return BoardSpot(self.game.bank(spot.standing, markers), turn=spot.turn + 1, rolls_made=spot.rolls_made)

    def value(self, spot: BoardSpot) -> float:
        """The turns in all: those made and those to come under best play."""
        if self.is_over(spot):
            return spot.turn
        if spot.roll is not None:
            return self.running(spot, min(choice.value for choice in self.choices(spot)))
        return self.running(spot, 1 + self.worth(spot.standing, spot.markers).roll)

    def running(self, spot: BoardSpot, value: float) -> float:
        """With the turns made so far."""
        return value + spot.turn

    def scores(self, spot: BoardSpot, names: Sequence[str]) -> str:
        """The columns completed."""
        return columns_words(self.game, spot.standing)

    def picture(self, spot: BoardSpot, names: Sequence[str]) -> list[str]:
        """The board, one column a row."""
        return board_lines(self.game, names, (spot.standing,), spot.markers)

    def brief(self, spot: BoardSpot) -> str:
        """The columns that are begun, the markers, and the roll."""
        return board_words(self.game, spot.standing, spot.markers, spot.roll)

    def describe(self, spot: BoardSpot) -> str:
        """Say what was rolled and where the markers stand; nothing at the beginning of a turn."""
        return roll_words(spot.roll, spot.markers)

    def position(self, spot: BoardSpot) -> dict[str, Any]:
        """Every part of the spot, and for people how many columns are done and how many spaces are at risk."""
        done = columns_done(self.game, spot.standing)
        shown = {part.name: plain(getattr(spot, part.name)) for part in fields(spot)}
        return shown | {"seat": 0, "standings": [done], "at_risk": spaces_at_risk(spot.standing, spot.markers)}

    def spot_at(self, position: Mapping[str, Any]) -> BoardSpot:
        """Read a position back; parts left out are those of a turn that begins."""
        known = {part.name for part in fields(BoardSpot)} | {"seat", "standings", "at_risk"}
        if unknown := set(position) - known:
            raise PositionError(f"a position has {', '.join(sorted(known))}; {sorted(unknown)[0]!r} is none of them")
        counts = {name: position.get(name, 0) for name in ("rolls", "turn", "rolls_made")}
        if not all(isinstance(count, int) and count >= 0 for count in counts.values()):
            raise PositionError(f"rolls, turn and rolls_made are whole numbers from 0, got {counts!r}")
        game = self.game
        try:
            standing = game.standing(dict(zip(game.columns, position.get("standing", game.opening), strict=True)))
            markers = game.placed(standing, {int(column): int(space) for column, space in position.get("markers", ())})
            roll = None if position.get("roll") is None else tuple(sorted(map(int, position["roll"])))
        except (TypeError, ValueError) as mistake:
            raise PositionError(
                f"standing lists spaces, markers [column, space] pairs, roll faces: {mistake}"
            ) from mistake
        if game.is_won(standing, markers):
            raise PositionError("the game is over here: enough columns are completed")
        if roll is not None and (roll not in game.rolls() or not game.plays(standing, markers, roll)):
            raise PositionError(f"roll is {game.dice} dice that move something, got roll={roll!r}")
        rolling = bool(position.get("rolling", False))
        if rolling and roll is not None:
            raise PositionError(f"either the dice fall next or a roll is to be played, got both (roll={roll!r})")
        return BoardSpot(standing, markers, roll, rolling or (roll is None and bool(markers)), **counts)

    def _worths(self, standing: Standing, markers: Markers) -> tuple[Markers, float, float | None]:
        worth = self.worth(standing, markers)
        return markers, 1 + worth.stop, None if self.game.is_won(standing, markers) else 1 + worth.roll
