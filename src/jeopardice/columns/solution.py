"""A solved board of Can't Stop, alone or for two, asked the same questions as any other solution.

Alone values are expected turns, the turn in progress included, so that the value of the start is the value of the game;
for two they are the chance to win of the player who has the dice. Boards are given as {column: spaces climbed}, markers as
{column: space they stand on}, both counted from the bottom.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Self

from jeopardice.columns.alone import certify_cant_stop, error_bound
from jeopardice.columns.duel import DuelValues, duel_bounds, walk_rounding
from jeopardice.columns.graph import board_count
from jeopardice.columns.judge import ColumnsJudge, Values
from jeopardice.columns.match import CantStopMatch, ColumnsSpot
from jeopardice.columns.turn import moments
from jeopardice.columns.values import BoardValues
from jeopardice.dice import Roll
from jeopardice.errors import PositionError, TooLargeError
from jeopardice.games.cant_stop import CantStop, Markers, Standing
from jeopardice.kernels import Progress
from jeopardice.rules.goal import Race, next_seat
from jeopardice.solution import CHANCE_MARKS, Advice, Certificate, Measure
from jeopardice.store import about_goal, write_blocks
from jeopardice.types import Array, JsonObject

if TYPE_CHECKING:
    from jeopardice.columns.strategy import BestBoardPlay

MOST_ROWS = 5_000_000
TURN_MARKS = (0.02, 0.08, 0.25)
"""Losses in turns from which a play is marked."""
ROUNDING = 1e-10

Climbed = Mapping[int, int]


@dataclass(eq=False)
class BoardSolution:
    """Can't Stop alone: the fewest expected turns from every board."""

    goal: Race
    boards: BoardValues = field(repr=False)
    certificate: Certificate | None = field(default=None, repr=False)
    checkpoint: Path | None = field(default=None, repr=False)

    @property
    def value(self) -> float:
        """The fewest expected turns from the empty board."""
        return self.boards.start

    @property
    def values(self) -> tuple[float, ...]:
        """The value for the only seat."""
        return (self.value,)

    @property
    def match(self) -> CantStopMatch:
        """The game as a tree of spots."""
        return CantStopMatch(self.goal.game)

    @property
    def measure(self) -> Measure:
        """Turns; fewer are better."""
        return Measure("turns", *TURN_MARKS, prefers_less=True)

    @property
    def tie(self) -> float:
        """Far above the certified bounds, far below what a player can notice."""
        return ROUNDING if self.boards.table.dtype == "float64" else 1e-5

    @property
    def error_bound(self) -> float | None:
        """The certified bound of every board's value; the first use makes the certificate, about as long as solving."""
        return _bound_of(self)

    def strategy(self, seat: int = 0) -> "BestBoardPlay":
        """Best play, as a strategy like any other."""
        from jeopardice.columns.strategy import BestBoardPlay

        return BestBoardPlay(self)

    def certify(self, progress: Progress | None = None, threads: int | None = None) -> Self:
        """Make the certificate (see `alone.py`), with progress."""
        missed = certify_cant_stop(self.boards, threads=threads, progress=progress, checkpoint=self.checkpoint)
        bound = error_bound(self.boards, missed)
        reason = "" if bound is not None else f"an equation is missed by {missed:.2g} turns, which proves nothing"
        self.certificate = Certificate(bound, reason)
        return self

    def at(self, mine: Climbed | None = None) -> float:
        """Return the expected turns from a board."""
        return self.boards.at(self.goal.game.standing(mine or {}))

    def advise(
        self, *, mine: Climbed | None = None, markers: Climbed | None = None, roll: Roll | None = None
    ) -> Advice:
        """Return every option: stop or roll on with these markers, or each play of `roll` with a stop and with a roll."""
        return advice(self, (mine or {},), markers, roll, lambda: _plus(self.error_bound, self._rounding))

    def moment(self, standings: tuple[Standing, ...], seat: int, markers: Markers) -> tuple[float, float]:
        """Return the expected turns after stopping and after rolling, the turn in progress included."""
        return self._moment(standings[seat], markers)

    @cached_property
    def _moment(self) -> Callable[[Standing, Markers], tuple[float, float]]:
        return moments(self.boards)

    @cached_property
    def _rounding(self) -> float:
        """The error that replaying a turn adds to a moment: each roll adds up its classes, each sum rounded."""
        game = self.goal.game
        return float(sum(game.lengths) * (len(game.rolls()) + 4) * 2.0**-53 * (1.0 + float(self.boards.table.max())))

    def rows(self) -> Iterator[JsonObject]:
        """Yield the boards not yet won, as spaces climbed column by column, with their values."""
        for standing in _standings(self.goal):
            yield {
                **dict(zip(map(str, self.goal.game.columns), standing, strict=True)),
                "value": self.boards.at(standing),
            }

    def blocks(self) -> dict[str, Array]:
        """Return the table of boards."""
        return {"boards": self.boards.table}

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        return _saved(self, path)


@dataclass(eq=False)
class BoardDuelSolution:
    """Can't Stop for two: the chance to win of the player who has the dice; a drawn game counts as half a win."""

    goal: Race
    positions: DuelValues = field(repr=False)
    certificate: Certificate | None = field(default=None, repr=False)

    @property
    def value(self) -> float:
        """The chance to win of the player who begins."""
        return self.at()

    @property
    def values(self) -> tuple[float, ...]:
        """The chances of both players."""
        return (self.value, 1 - self.value)

    @property
    def coin_toss(self) -> float:
        """The chance of either player if a coin decides who begins: the rules are the same for both."""
        return 0.5

    @property
    def total(self) -> int:
        """What both players' values add up to in every position."""
        return 1

    @property
    def match(self) -> CantStopMatch:
        """The game as a tree of spots."""
        return CantStopMatch(self.goal.game, players=2)

    @property
    def measure(self) -> Measure:
        """Win chance."""
        return Measure("win chance", *CHANCE_MARKS)

    @property
    def tie(self) -> float:
        """Far above the certified bounds, far below what a player can notice."""
        return ROUNDING

    @property
    def error_bound(self) -> float | None:
        """The certified bound of every position's value; the first use makes the certificate, about as long as solving."""
        return _bound_of(self)

    def strategy(self, seat: int = 0) -> "BestBoardPlay":
        """Best play, as a strategy like any other."""
        from jeopardice.columns.strategy import BestBoardPlay

        return BestBoardPlay(self)

    def certify(self, progress: Progress | None = None, threads: int | None = None) -> Self:
        """Make the certificate (see `duel.py`), with progress."""
        bound = float(duel_bounds(self.positions, threads=threads, progress=progress).max())
        vars(self.positions.boards).pop("tables", None)  # all turns written out: nothing needs them any more
        self.certificate = Certificate(bound)
        return self

    def at(self, mine: Climbed | None = None, theirs: Climbed | None = None) -> float:
        """Return the chance to win of the player about to begin a turn."""
        spot = _spot(self, (mine or {}, theirs or {}), may_be_drawn=True)
        return self.positions.at(*spot.standings)

    def advise(
        self,
        *,
        mine: Climbed | None = None,
        theirs: Climbed | None = None,
        markers: Climbed | None = None,
        roll: Roll | None = None,
    ) -> Advice:
        """Return every option: stop or roll on with these markers, or each play of `roll` with a stop and with a roll."""
        rounding = walk_rounding(self.goal.game)
        return advice(self, (mine or {}, theirs or {}), markers, roll, lambda: _plus(self.error_bound, rounding))

    def moment(self, standings: tuple[Standing, ...], seat: int, markers: Markers) -> tuple[float, float]:
        """Return the chance to win after stopping and after rolling."""
        turn = self._turn(standings[seat], standings[next_seat(seat, 2)])
        if markers not in turn:
            raise PositionError(f"no turn from here leaves the markers on {dict(markers)!r}; ask about another moment")
        return turn[markers]

    @cached_property
    def _turn(self) -> Callable[[Standing, Standing], dict[Markers, tuple[float, float]]]:
        return lru_cache(maxsize=64)(self.positions.turn)

    def rows(self) -> Iterator[JsonObject]:
        """Yield the positions that can occur, both boards column by column, with their values."""
        game, standings = self.goal.game, list(_standings(self.goal))
        names = [f"{who}_{column}" for who in ("mine", "theirs") for column in game.columns]
        for mine in standings:
            for theirs in standings:
                if not game.completed(mine) & game.closed_to(0, (mine, theirs)):
                    value = self.positions.at(mine, theirs)
                    yield {**dict(zip(names, (*mine, *theirs), strict=True)), "value": value}

    def blocks(self) -> dict[str, Array]:
        """Return the table of positions."""
        return {"positions": self.positions.table}

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        return _saved(self, path)


def advice(
    values: Values,
    boards: tuple[Climbed, ...],
    markers: Climbed | None,
    roll: Roll | None,
    bound: Callable[[], float | None],
    note: str = "",
) -> Advice:
    """Return every option of the player in seat 0, best first."""
    return Advice(ColumnsJudge(values).options_at(_spot(values, boards, markers or {}, roll)), bound, note)


def _spot(
    values: Values, boards: tuple[Climbed, ...], markers: Climbed | None = None, roll: Roll | None = None,
    *, may_be_drawn: bool = False,
) -> ColumnsSpot:  # fmt: skip
    """Return the spot of the player in seat 0 that the keywords of `advise` name."""
    game: CantStop = values.goal.game
    spot = ColumnsSpot(tuple(map(game.standing, boards)), markers=game.placed(game.standing(boards[0]), markers or {}))
    return values.match.checked(spot, roll, may_be_drawn=may_be_drawn)


def _standings(goal: Race) -> Iterator[Standing]:
    game: CantStop = goal.game
    count = board_count(game) ** goal.players
    if count > MOST_ROWS:
        raise TooLargeError(
            f"{game} has {count:,} boards, and a file of rows takes at most {MOST_ROWS:,}; save the whole table with "
            "jeopardice solve cant-stop ... --save DIR instead"
        )
    return (standing for standing in game.standings() if not game.is_won(standing))


def _bound_of(solution: BoardSolution | BoardDuelSolution) -> float | None:
    certificate = solution.certificate or solution.certify().certificate
    return certificate.bound if certificate else None


def _plus(bound: float | None, rounding: float) -> float | None:
    return None if bound is None else bound + rounding


def _saved(solution: BoardSolution | BoardDuelSolution, path: str | Path) -> Path:
    about = about_goal(solution.goal) | {"value": solution.value, "error_bound": solution.error_bound}
    return write_blocks(path, about, solution.blocks())
