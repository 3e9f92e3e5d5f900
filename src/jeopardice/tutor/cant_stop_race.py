"""Can't Stop for two on any board. Small boards are solved, and then every value is exact; others have estimates that say so.

Nobody has solved the official board. Without a solution a position is judged by how much of the columns that are still
needed is left,

    left(player) = sum of the smallest remaining shares of columns, as many as are missing,
    chance       = 1 / (1 + exp(-(STEEPNESS * (left(other) - left(player)) + HEAD_START))),

and a turn by looking one roll ahead: roll on where stopping after one more roll is worth more than stopping now. It is
not best play. Where a completed column is closed to both, it can happen that nobody can win any more: a draw.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from math import exp
from typing import Any, Literal

from jeopardice.board_solution import BoardDuelSolution
from jeopardice.board_strategy import BoardMoment, BoardStrategy, rule_of
from jeopardice.dice import Roll
from jeopardice.errors import PositionError
from jeopardice.games.cant_stop import CantStop, Markers, Standing
from jeopardice.goal import Race
from jeopardice.solvers.board_duel import DRAW
from jeopardice.tutor.board_moves import board_choices, board_words, columns_done, roll_words, spaces_at_risk
from jeopardice.tutor.board_picture import board_lines, columns_words
from jeopardice.tutor.points import CHANCE_MARKS, ROUNDING
from jeopardice.tutor.referee import Choice, Measure, plain

STEEPNESS, HEAD_START = 2.2, 0.15


@dataclass(frozen=True)
class RaceSpot:
    """Both players' spaces climbed, who has the dice, the markers of the turn so far, and a roll to be played."""

    boards: tuple[Standing, Standing]
    seat: int = 0
    markers: Markers = ()
    roll: Roll | None = None
    rolling: bool = False
    rolls: int = 0
    turn: int = 0
    rolls_made: int = 0


@dataclass(frozen=True, eq=False)
class BoardRaceReferee:
    """Referees Can't Stop for two: with the win chances of a solution, or without one with estimates."""

    goal: Race
    solution: BoardDuelSolution | None = None
    _ahead: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_ahead", lru_cache(maxsize=4096)(self._one_roll_ahead))

    @property
    def game(self) -> CantStop:
        """The board."""
        game: CantStop = self.goal.game
        return game

    @property
    def players(self) -> int:
        """Two."""
        return 2

    @property
    def measure(self) -> Measure:
        """Win chance; where it is estimated close calls mean little, so marks begin later than where values are exact."""
        if self.solution is not None:
            return Measure("win chance", *CHANCE_MARKS)
        return Measure("estimated win chance", 0.02, 0.05, 0.12)

    @property
    def counts(self) -> Literal["points", "spaces"]:
        """Spaces."""
        return "spaces"

    @property
    def tie(self) -> float:
        """Rounding only: estimates have no certified bound, and solved values lie far below this."""
        return 1e-12 if self.solution is None else ROUNDING

    def start(self) -> RaceSpot:
        """Empty boards."""
        return RaceSpot((self.game.opening, self.game.opening))

    def seat(self, spot: RaceSpot) -> int:
        """Who has the dice."""
        return spot.seat

    def is_over(self, spot: RaceSpot) -> bool:
        """Whether somebody has completed enough columns, or nobody can any more."""
        return self.winner(spot) is not None or self._is_drawn(spot.boards)

    def winner(self, spot: RaceSpot) -> int | None:
        """The seat with enough columns; nobody in a drawn game."""
        return next((seat for seat in (0, 1) if self.game.is_won(spot.boards[seat])), None)

    def rolls(self, spot: RaceSpot) -> Mapping[Roll, int]:
        """All dice, if they fall next."""
        return self.game.rolls() if spot.rolling else {}

    def plays(self, spot: RaceSpot, roll: Roll) -> list[Markers]:
        """Where the markers can stand after a roll."""
        return self.game.plays(spot.boards[spot.seat], spot.markers, roll, self._closed(spot.boards))

    def choices(self, spot: RaceSpot) -> Sequence[Choice]:
        """Every play, then stop or roll; before the first roll of a turn only the roll."""
        if spot.rolling or self.is_over(spot):
            return ()
        if spot.roll is None:
            return (Choice("roll", self._chance(spot.boards, spot.seat), 0, stops=False),)
        worths = (self._worths(spot.boards, spot.seat, markers) for markers in self.plays(spot, spot.roll))
        return board_choices(spot.boards[spot.seat], spot.markers, worths, prefers_less=False)

    def after_roll(self, spot: RaceSpot, roll: Roll) -> tuple[RaceSpot, bool]:
        """A roll to be played, or a bust: the markers come off and the other player has the dice."""
        made = spot.rolls_made + 1
        if not self.plays(spot, roll):
            return RaceSpot(spot.boards, 1 - spot.seat, turn=spot.turn + 1, rolls_made=made), True
        return replace(spot, roll=roll, rolling=False, rolls=spot.rolls + 1, rolls_made=made), False

    def after_choice(self, spot: RaceSpot, choice: Choice) -> RaceSpot:
        """A stop banks the markers and passes the dice; else the dice fall."""
        markers = spot.markers if spot.roll is None else choice.mode
        if not choice.stops:
            return replace(spot, markers=markers, roll=None, rolling=True)
        boards = self._banked(spot.boards, spot.seat, markers)
        over = self.game.is_won(boards[spot.seat])
        return RaceSpot(boards, spot.seat if over else 1 - spot.seat, turn=spot.turn + 1, rolls_made=spot.rolls_made)

    def value(self, spot: RaceSpot) -> float:
        """The estimated chance of seat 0; at the end what came of it."""
        winner = self.winner(spot)
        if winner is not None:
            return float(winner == 0)
        if self._is_drawn(spot.boards):
            return DRAW
        if spot.roll is not None:
            return self.running(spot, max(choice.value for choice in self.choices(spot)))
        if spot.markers:
            return self.running(spot, self._ahead(spot.boards, spot.seat, spot.markers))
        return self.running(spot, self._chance(spot.boards, spot.seat))

    def running(self, spot: RaceSpot, value: float) -> float:
        """For seat 0 what it leaves the other."""
        return value if spot.seat == 0 else 1 - value

    def scores(self, spot: RaceSpot, names: Sequence[str]) -> str:
        """The columns everybody has completed."""
        return ", ".join(f"{name}: {columns_words(self.game, spot.boards[seat])}" for seat, name in enumerate(names))

    def picture(self, spot: RaceSpot, names: Sequence[str]) -> list[str]:
        """Both boards side by side, one column a row."""
        return board_lines(self.game, names, spot.boards, spot.markers, spot.seat)

    def brief(self, spot: RaceSpot) -> str:
        """The columns begun by who has the dice, the markers, and the roll."""
        return board_words(self.game, spot.boards[spot.seat], spot.markers, spot.roll)

    def describe(self, spot: RaceSpot) -> str:
        """Say what was rolled and where the markers stand; nothing at the beginning of a turn."""
        return roll_words(spot.roll, spot.markers)

    def position(self, spot: RaceSpot) -> dict[str, Any]:
        """Every part of the spot, and for people the columns done and the spaces at risk."""
        shown = {part.name: plain(getattr(spot, part.name)) for part in fields(spot)}
        done = [columns_done(self.game, board) for board in spot.boards]
        return shown | {"standings": done, "at_risk": spaces_at_risk(spot.boards[spot.seat], spot.markers)}

    def spot_at(self, position: Mapping[str, Any]) -> RaceSpot:
        """Read back what `position` wrote."""
        try:
            first, second = (
                self.game.standing(dict(zip(self.game.columns, board, strict=True))) for board in position["boards"]
            )
            seat, turn = (0, 1).index(position.get("seat", 0)), int(position.get("turn", 0))
            markers = self.game.placed((first, second)[seat], {int(c): int(s) for c, s in position.get("markers", ())})
            roll = None if position.get("roll") is None else tuple(sorted(map(int, position["roll"])))
        except (KeyError, IndexError, TypeError, ValueError) as mistake:
            raise PositionError(
                f"a position has boards, seat, markers and roll as a report shows them: {mistake}"
            ) from mistake
        spot = RaceSpot((first, second), seat, markers, roll, roll is None and bool(markers), turn=turn)
        if self.is_over(spot) or (roll is not None and (roll not in self.game.rolls() or not self.plays(spot, roll))):
            raise PositionError(f"there is nothing to choose at {dict(position)!r}")
        return spot

    def _worths(
        self, boards: tuple[Standing, Standing], seat: int, markers: Markers
    ) -> tuple[Markers, float, float | None]:
        won = self.game.is_won(boards[seat], markers)
        return markers, self._stopped(boards, seat, markers), None if won else self._ahead(boards, seat, markers)

    def _one_roll_ahead(self, boards: tuple[Standing, Standing], seat: int, markers: Markers) -> float:
        """The chance if one rolls once more and then stops, the play chosen best; if solved, the chance if one rolls."""
        if self.solution is not None:
            mine, theirs = (dict(zip(self.game.columns, boards[s], strict=True)) for s in (seat, 1 - seat))
            (worth,) = self.solution.worths(mine, theirs, dict(markers), None)
            return float(worth.roll or 0.0)
        bust, spot = 1 - self._chance(boards, 1 - seat), RaceSpot(boards, seat, markers)
        total = 0.0
        for roll, weight in self.game.rolls().items():
            total += weight * max(
                (self._stopped(boards, seat, after) for after in self.plays(spot, roll)), default=bust
            )
        return total / float(self.game.sides**self.game.dice)

    def _stopped(self, boards: tuple[Standing, Standing], seat: int, markers: Markers) -> float:
        after = self._banked(boards, seat, markers)
        return 1.0 if self.game.is_won(after[seat]) else 1 - self._chance(after, 1 - seat)

    def _banked(self, boards: tuple[Standing, Standing], seat: int, markers: Markers) -> tuple[Standing, Standing]:
        mine = self.game.bank(boards[seat], markers)
        return (mine, boards[1]) if seat == 0 else (boards[0], mine)

    def _chance(self, boards: tuple[Standing, Standing], seat: int) -> float:
        """The chance of the player in `seat`, about to begin a turn; an estimate if nothing is solved."""
        if self._is_drawn(boards):
            return DRAW
        if self.solution is not None:
            return self.solution.values.at(boards[seat], boards[1 - seat])
        ahead = self._left(boards, 1 - seat) - self._left(boards, seat)
        return 1 / (1 + exp(-(STEEPNESS * ahead + HEAD_START)))

    def _left(self, boards: tuple[Standing, Standing], seat: int) -> float:
        """The smallest shares of columns that complete what is missing; columns the other has closed do not help."""
        lengths, mine, theirs = self.game.lengths, boards[seat], boards[1 - seat]
        missing = self.game.columns_to_win - columns_done(self.game, mine)
        open_columns = [
            1 - own / length
            for own, other, length in zip(mine, theirs, lengths, strict=True)
            if own < length and (other < length or not self.game.closed_to_both)
        ]
        return sum(sorted(open_columns)[:missing])

    def _is_drawn(self, boards: tuple[Standing, Standing]) -> bool:
        """Can nobody win any more?"""
        if not self.game.closed_to_both:
            return False
        columns, needed = len(self.game.columns), self.game.columns_to_win
        done = [columns_done(self.game, board) for board in boards]
        return all(columns - count < needed and count < needed for count in done)

    def _closed(self, boards: tuple[Standing, Standing]) -> frozenset[int]:
        if not self.game.closed_to_both:
            return frozenset()
        return frozenset(
            column
            for column, first, second, length in zip(self.game.columns, *boards, self.game.lengths, strict=True)
            if length in (first, second)
        )


@dataclass(frozen=True)
class BoardRuleBot:
    """Plays a rule of thumb on a board, alone or for two: Keller's, or another of `board_strategy.py`."""

    name: str = "rule-of-28"
    rule: Callable[[CantStop], BoardStrategy] = rule_of

    def choose(self, session: Any) -> Choice:
        """The play by the rule, then stop or roll by the rule."""
        spot, game = session.spot, session.referee.game
        first: Choice = session.choices[0]
        if spot.roll is None or len(session.choices) == 1:
            return first
        boards = getattr(spot, "boards", None)
        mine, theirs = (boards[spot.seat], boards[1 - spot.seat]) if boards else (spot.standing, None)
        strategy, before = self.rule(game), BoardMoment(game, mine, spot.markers, spot.rolls - 1, theirs)
        markers = strategy.chosen(before, [choice.mode for choice in session.choices if choice.stops])[0]
        after = BoardMoment(game, mine, markers, spot.rolls, theirs)
        stops = game.is_won(mine, markers) or strategy.stop_chance(after) > 0
        picked: Choice = next(c for c in session.choices if c.mode == markers and c.stops == stops)
        return picked


def progress_count(game: CantStop, standing: Standing, markers: Markers) -> float:
    """Return what the rule of 28 counts.

    >>> progress_count(CantStop(), CantStop().opening, ((6, 2), (7, 1), (8, 1)))
    12
    """
    return rule_of(game).score(BoardMoment(game, standing, markers))
