"""A race for two, solved, and asked about any position and any moment of its turns."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from jeopardice import exact
from jeopardice.errors import PositionError
from jeopardice.game import PointsGame
from jeopardice.goal import Race
from jeopardice.kernels import Progress
from jeopardice.moments import Advice, TurnView
from jeopardice.solution.anchors import check_size, replayed, standing_in_units, target_in_units
from jeopardice.solution.saved import save_points
from jeopardice.solvers import duel as duels
from jeopardice.turn_table import TurnTable


@dataclass(frozen=True, eq=False)
class DuelSolution:
    """A race for two; values are the chance to win of the player to move, or the margin that player can expect."""

    goal: Race
    tables: tuple[TurnTable, TurnTable] = field(repr=False)
    worths: tuple[Any, Any] = field(repr=False)
    is_exact: bool = False

    @property
    def value(self) -> Any:
        """What the first player can expect from the start."""
        return self.at(0, 0)

    @property
    def first_player(self) -> Any:
        """The value for the player who begins; the same as `value`."""
        return self.value

    @property
    def coin_toss(self) -> Any:
        """The first seat's value if a coin decides who begins."""
        return (self.at(0, 0) + self.total - self.at(0, 0, seat=1)) / 2

    @property
    def total(self) -> int:
        """What both players' values add up to in every position."""
        return 1 if self.goal.payoff == "win" else 0

    def at(self, mine: int, theirs: int, *, seat: int = 0) -> Any:
        """Return the value for the player in `seat`, about to begin a turn, with these standings."""
        i, j = self._standings(mine, theirs, seat)
        return self._number(self.worths[seat][i, j])

    @cached_property
    def error_bound(self) -> float:
        """A certified bound of the error of all values."""
        if self.is_exact:
            return 0.0
        return self.certify()

    def certify(self, progress: Progress | None = None, threads: int | None = None) -> float:
        """Compute the bound, reporting progress: about as long as solving took. `error_bound` keeps it."""
        seats, worth = duel_seats(self.goal, self.tables), duels.DuelWorth(*self.worths)
        bound = duels.certify_duel(*seats, worth, total=self.total, threads=threads, progress=progress)
        self.__dict__["error_bound"] = bound
        return bound

    def advise(
        self, *, mine: int = 0, theirs: int = 0, at_risk: int = 0, roll: Any = None, seat: int = 0, **mode: Any
    ) -> Advice:
        """Return every option of the player in `seat` who has the dice."""
        return self.view(mine, theirs, seat=seat).advise_at(at_risk, roll, mode)

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        first, second = self.worths
        blocks = {"first": first} if first is second else {"first": first, "second": second}
        return save_points(self, self.tables, blocks, path)

    def view(self, mine: int = 0, theirs: int = 0, *, seat: int = 0) -> TurnView:
        """Return the turn that begins at a position, ready for questions about its moments."""
        i, j = self._standings(mine, theirs, seat)
        table, goal = self.tables[seat], self.targets[seat] - i
        prize = self.prizes[seat][j]
        bank_from, finish_exact = -(-self.goal.bank_from // table.unit), self.goal.finish == "exact"
        bust = self.total - self.worths[1 - seat][j, i]
        if self.is_exact:
            bank: Any = [self.total - self.worths[1 - seat][j, k] for k in range(i, i + goal)]
            leaves = exact.ExactLeaves(bank, fmpq(int(prize)), finish_exact, bank_from)
            rows: Any = exact.walk(table, leaves, bust)
        else:
            bank = self.total - self.worths[1 - seat][j, i:]
            rows = replayed(table, bank, prize, finish_exact, bank_from, 0, bust)
        return TurnView(
            self._game(seat), table, lambda t, mode: rows[t][mode][0], lambda t: bank[t], bust, goal, bank_from, 0,
            self._number, False, lambda: self.error_bound,
        )  # fmt: skip

    @property
    def targets(self) -> tuple[int, int]:
        """Both seats' targets, in their units."""
        return duel_targets(self.goal, self.tables)

    @property
    def prizes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What reaching the target is worth to each seat, by the other's standing."""
        return duel_prizes(self.goal, self.tables)

    def _game(self, seat: int) -> PointsGame:
        game: PointsGame = self.goal.opponent if seat and self.goal.opponent is not None else self.goal.game
        return game

    def _standings(self, mine: int, theirs: int, seat: int) -> tuple[int, int]:
        if seat not in (0, 1):
            raise PositionError(f"seat is 0 (plays first) or 1, got seat={seat!r}")
        return (
            standing_in_units(mine, self.tables[seat].unit, self.targets[seat], "mine"),
            standing_in_units(theirs, self.tables[1 - seat].unit, self.targets[1 - seat], "theirs"),
        )

    def _number(self, worth: Any) -> Any:
        return exact.fraction(worth) if self.is_exact else float(worth)


def solve_for_two(
    goal: Race, tables: tuple[TurnTable, TurnTable], exactly: bool, threads: int | None, progress: Progress | None
) -> DuelSolution:
    """Solve a race for two, in fractions if `exactly`."""
    for table in tables:
        target_in_units(goal, table)
    total, targets = int(goal.payoff == "win"), duel_targets(goal, tables)
    check_size(2 * targets[0] * targets[1])
    if exactly:
        prizes = tuple([int(prize) for prize in prizes] for prizes in duel_prizes(goal, tables))
        banks = tuple(-(-goal.bank_from // table.unit) for table in tables)
        worths = exact.solve_duel(
            tables, targets, prizes, total=total, bank_from=banks, exact=goal.finish == "exact"  # type: ignore[arg-type]
        )  # fmt: skip
        return DuelSolution(goal, tables, worths, True)
    worth = duels.solve_duel(*duel_seats(goal, tables), total=total, threads=threads, progress=progress)
    return DuelSolution(goal, tables, (worth.first, worth.second))


def duel_targets(goal: Race, tables: tuple[TurnTable, TurnTable]) -> tuple[int, int]:
    """Return both seats' targets in their units."""
    return (-(-int(goal.target or 0) // tables[0].unit), -(-int(goal.target or 0) // tables[1].unit))


def duel_prizes(goal: Race, tables: tuple[TurnTable, TurnTable]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what reaching the target is worth to each seat, by the other's standing in units."""
    prizes: list[NDArray[np.float64]] = []
    for size, table in zip(duel_targets(goal, tables), tables, strict=True):
        loses = np.arange(size, dtype=np.float64) * table.unit
        prizes.append(np.ones(size) if goal.payoff == "win" else float(goal.target or 0) - loses)
    return prizes[1], prizes[0]


def duel_seats(goal: Race, tables: tuple[TurnTable, TurnTable]) -> tuple[duels.DuelSeat, duels.DuelSeat]:
    """Return the seats as the solver takes them; one seat, twice, where both play the same game."""
    first, second = (
        duels.DuelSeat(table, target, prize, -(-goal.bank_from // table.unit), goal.finish == "exact")
        for table, target, prize in zip(tables, duel_targets(goal, tables), duel_prizes(goal, tables), strict=True)
    )
    return (first, first) if tables[0] is tables[1] else (first, second)
