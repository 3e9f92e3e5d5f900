"""The result and the questions one asks of it.

A solution holds the anchors' values, the goal they belong to and, once asked, a certified bound of their error. It answers
what any moment and any option is worth; it never prints or draws. `solve` is the one way to get one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from jeopardice import certify, exact
from jeopardice.errors import PositionError, StaleSolution, TooLargeError
from jeopardice.game import PointsGame
from jeopardice.goal import Race, Turn
from jeopardice.kernels import Progress, kernels
from jeopardice.moments import Advice, TurnView, points_to_units
from jeopardice.solvers import duel as duels
from jeopardice.solvers import race as races
from jeopardice.solvers import turn as turns
from jeopardice.store import goal_as_json, goal_words, write_blocks
from jeopardice.turn_table import TurnTable, lay_out

Goal = Turn | Race
MOST_ANCHORS = 400_000_000


class Solution(Protocol):
    """What every solution answers."""

    @property
    def goal(self) -> Any:
        """What was wanted."""
        ...

    @property
    def value(self) -> Any:
        """What the goal counts, from the start, under best play: a float, or a Fraction if solved exactly."""
        ...

    @property
    def error_bound(self) -> float:
        """A certified bound: the true value lies within it; 0 if solved exactly."""
        ...

    @property
    def advise(self) -> Callable[..., Advice]:
        """Every option at a position given by keywords, best first."""
        ...

    def save(self, path: Any) -> Any:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        ...


@dataclass(frozen=True, eq=False)
class TurnSolution:
    """One turn for the most points; values are points."""

    goal: Turn
    table: TurnTable = field(repr=False)
    edge: turns.TurnEdge = field(repr=False)
    rows: Any = field(repr=False)
    is_exact: bool = False

    @property
    def value(self) -> Any:
        """The best mean score of the turn, in points."""
        return self._points(self._worth(0, self.table.opening))

    @property
    def threshold(self) -> int:
        """The points from which one stops in every mode (that can bust)."""
        return self.edge.threshold * self.table.unit

    @property
    def bust_chance(self) -> Any:
        """The chance that the turn ends in a bust under best play."""
        chance = self.rows[0][self.table.opening][1]
        return exact.fraction(chance) if self.is_exact else float(chance)

    @cached_property
    def error_bound(self) -> float:
        """A certified bound of the error of all values, in points."""
        if self.is_exact:
            return 0.0
        return self.table.unit * certify.turn_bound(self.table, self.edge, self.rows, self._bank_from)

    def advise(self, *, at_risk: int = 0, roll: Any = None, **mode: Any) -> Advice:
        """Return every option with so many points at risk, before a roll or after `roll`."""
        return self.view().advise_at(at_risk, roll, mode)

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        return save_points(self, path)

    def view(self) -> TurnView:
        """Return the turn, ready for questions about its moments."""
        return TurnView(
            self.goal.game, self.table, self._worth, lambda t: t, fmpq(0) if self.is_exact else 0.0, None, self._bank_from,
            0, self._points, False, lambda: self.error_bound,
        )  # fmt: skip

    @property
    def _bank_from(self) -> int:
        return -(-self.goal.bank_from // self.table.unit)

    def _worth(self, t: int, mode: int) -> Any:
        if t >= self.edge.threshold:
            gain = self.edge.free_gain[mode] if mode < len(self.table.modes) else 0
            return t + (
                fmpq(gain.numerator, gain.denominator) if self.is_exact and gain else float(gain) if gain else 0
            )
        return self.rows[t][mode][0]

    def _points(self, worth: Any) -> Any:
        return exact.fraction(worth) * self.table.unit if self.is_exact else float(worth) * self.table.unit


@dataclass(frozen=True, eq=False)
class AloneSolution:
    """A race alone; values are expected turns (the one in progress counted), expected rolls, or a chance (`within`)."""

    goal: Race
    table: TurnTable = field(repr=False)
    worth: Any = field(repr=False)
    is_exact: bool = False

    @property
    def value(self) -> Any:
        """The fewest expected turns (or rolls) from 0, or the best chance to finish within the turns given."""
        return self.at(0)

    @property
    def target(self) -> int:
        """The target in units."""
        return -(-int(self.goal.target or 0) // self.table.unit)

    def at(self, mine: int, *, turns_left: int | None = None) -> Any:
        """Return the value at the beginning of a turn with a standing of `mine` points."""
        to_go = self._to_go(mine)
        worth = self.worth[to_go] if self.goal.within is None else self.worth[self._turns_left(turns_left)][to_go]
        return self._number(worth if self.goal.within is not None else -worth)

    @cached_property
    def error_bound(self) -> float:
        """A certified bound of the error of all values."""
        if self.is_exact:
            return 0.0
        rules: dict[str, Any] = {"bank_from": self._bank_from, "exact": self.goal.finish == "exact"}
        if self.goal.within is not None:
            return certify.within_bound(self.table, self.worth, **rules)
        return certify.alone_bound(self.table, self.worth, **rules, **self._costs)

    def advise(
        self, *, mine: int = 0, at_risk: int = 0, roll: Any = None, turns_left: int | None = None, **mode: Any
    ) -> Advice:
        """Return every option; `turns_left` (the turn in progress counted) is for goals with `within`."""
        return self.view(mine, turns_left=turns_left).advise_at(at_risk, roll, mode)

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        return save_points(self, path)

    def view(self, mine: int = 0, *, turns_left: int | None = None) -> TurnView:
        """Return the turn that begins at a standing, ready for questions about its moments."""
        to_go, within = self._to_go(mine), self.goal.within is not None
        later = self.worth[self._turns_left(turns_left) - 1] if within else self.worth
        bank = later[to_go:0:-1]
        top, bust = (1, later[to_go]) if within else (0, self.worth[to_go])
        roll_cost = 0 if within else int(self._costs["roll_cost"])
        finish_exact = self.goal.finish == "exact"
        if self.is_exact:
            never = fmpq(-(10**9))
            bank = [never if worth is None else worth for worth in bank]
            leaves = exact.ExactLeaves(bank, fmpq(top), finish_exact, self._bank_from, roll_cost)
            rows: Any = exact.walk(self.table, leaves, bust)
        else:
            rows = replayed(self.table, np.ascontiguousarray(bank), top, finish_exact, self._bank_from, roll_cost, bust)
        turn_cost = 0 if within else int(self._costs["turn_cost"])
        sign = 1 if within else -1
        return TurnView(
            self.goal.game, self.table, lambda t, mode: rows[t][mode][0], lambda t: bank[t], bust, to_go, self._bank_from,
            roll_cost, lambda worth: self._number(sign * worth + turn_cost), not within, lambda: self.error_bound,
        )  # fmt: skip

    @property
    def _costs(self) -> dict[str, Any]:
        return dict(zip(("turn_cost", "roll_cost"), (1, 0) if self.goal.cost == "turns" else (0, 1), strict=True))

    @property
    def _bank_from(self) -> int:
        return -(-self.goal.bank_from // self.table.unit)

    def _turns_left(self, turns_left: int | None) -> int:
        within = self.goal.within or 0
        if turns_left is None:
            return within
        if not 1 <= turns_left <= within:
            raise PositionError(f"turns_left lies between 1 and {within}, got turns_left={turns_left!r}")
        return turns_left

    def _to_go(self, mine: int) -> int:
        return self.target - standing_in_units(mine, self.table.unit, self.target, "mine")

    def _number(self, worth: Any) -> Any:
        return exact.fraction(worth) if self.is_exact else float(worth)


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

    def certify(self, progress: Progress | None = None) -> float:
        """Compute the bound, reporting progress: about as long as solving took. `error_bound` keeps it."""
        seats, worth = duel_seats(self.goal, self.tables), duels.DuelWorth(*self.worths)
        bound = duels.certify_duel(*seats, worth, total=self.total, progress=progress)
        self.__dict__["error_bound"] = bound
        return bound

    def advise(
        self, *, mine: int = 0, theirs: int = 0, at_risk: int = 0, roll: Any = None, seat: int = 0, **mode: Any
    ) -> Advice:
        """Return every option of the player in `seat` who has the dice."""
        return self.view(mine, theirs, seat=seat).advise_at(at_risk, roll, mode)

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        return save_points(self, path)

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


def save_points(solution: TurnSolution | AloneSolution | DuelSolution, path: str | Path) -> Path:
    """Write a float solution of a points game to a directory."""
    if solution.is_exact:
        raise ValueError("exact solutions are not stored; solve without exact to save, or export the fractions")
    if isinstance(solution, TurnSolution):
        blocks = {"rows": solution.rows}
    elif isinstance(solution, AloneSolution):
        blocks = {"worth": solution.worth}
    else:
        first, second = solution.worths
        blocks = {"first": first} if first is second else {"first": first, "second": second}
    tables = solution.tables if isinstance(solution, DuelSolution) else (solution.table,)
    about = {"goal": goal_as_json(solution.goal), "goal_repr": goal_words(solution.goal)}
    about["tables"] = [table.digest for table in tables]
    return write_blocks(path, about | {"value": solution.value, "error_bound": solution.error_bound}, blocks)


def load_points(
    goal: Goal, blocks: Mapping[str, NDArray[np.float64]], digests: Sequence[str], where: str
) -> TurnSolution | AloneSolution | DuelSolution:
    """Return the solution that these blocks hold; refused if the goal's rules no longer give the tables it was solved on."""
    loaded = _loaded(goal, blocks)
    tables = loaded.tables if isinstance(loaded, DuelSolution) else (loaded.table,)
    if [table.digest for table in tables] != list(digests):
        raise StaleSolution(f"{where} was solved for other rules of the same name; solve and save again")
    return loaded


def _loaded(goal: Goal, blocks: Mapping[str, NDArray[np.float64]]) -> TurnSolution | AloneSolution | DuelSolution:
    if isinstance(goal, Turn):
        table = lay_out(goal.game)
        return TurnSolution(goal, table, turns.edge_of_turn(table, -(-goal.bank_from // table.unit)), blocks["rows"])
    table = lay_out(goal.game, drop_dominated=goal.finish == "reach")
    if goal.players == 1:
        return AloneSolution(goal, table, blocks["worth"])
    other = lay_out(goal.opponent, drop_dominated=goal.finish == "reach") if goal.opponent is not None else table
    return DuelSolution(goal, (table, other), (blocks["first"], blocks.get("second", blocks["first"])))


def solve_points(
    goal: Goal, *, exactly: bool = False, threads: int | None = None, progress: Progress | None = None
) -> TurnSolution | AloneSolution | DuelSolution:
    """Solve any goal of a points game."""
    if isinstance(goal, Turn):
        table = lay_out(goal.game)
        bank_from = -(-goal.bank_from // table.unit)
        edge = turns.edge_of_turn(table, bank_from)
        rows: Any = (exact if exactly else turns).solve_turn(table, edge, bank_from)
        return TurnSolution(goal, table, edge, rows, exactly)
    if goal.target is None:
        raise ValueError(f"a race needs a target, and {goal.game!r} names no usual one; say target=...")
    table = lay_out(goal.game, drop_dominated=goal.finish == "reach")
    if goal.players == 2:
        other = lay_out(goal.opponent, drop_dominated=goal.finish == "reach") if goal.opponent is not None else table
        return _solve_duel(goal, (table, other), exactly, threads, progress)
    return _solve_alone(goal, table, exactly, progress)


def _solve_alone(goal: Race, table: TurnTable, exactly: bool, progress: Progress | None) -> AloneSolution:
    target = _target_in_units(goal, table)
    rules: dict[str, Any] = {"bank_from": -(-goal.bank_from // table.unit), "exact": goal.finish == "exact"}
    if goal.within is not None:
        _check_size(target * goal.within)
        if exactly:
            return AloneSolution(goal, table, exact.solve_within(table, target, goal.within, **rules), True)
        return AloneSolution(goal, table, races.solve_within(table, target, goal.within, progress=progress, **rules))
    _check_size(target)
    rules |= {"turn_cost": 1, "roll_cost": 0} if goal.cost == "turns" else {"turn_cost": 0, "roll_cost": 1}
    if exactly:
        return AloneSolution(goal, table, exact.solve_alone(table, target, **rules), True)
    return AloneSolution(goal, table, races.solve_alone(table, target, progress=progress, **rules))


def _solve_duel(
    goal: Race, tables: tuple[TurnTable, TurnTable], exactly: bool, threads: int | None, progress: Progress | None
) -> DuelSolution:
    for table in tables:
        _target_in_units(goal, table)
    total, targets = int(goal.payoff == "win"), duel_targets(goal, tables)
    _check_size(2 * targets[0] * targets[1])
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


def replayed(
    table: TurnTable,
    bank: NDArray[np.float64],
    top: float,
    finish_exact: bool,
    bank_from: int,
    roll_cost: float,
    bust: float,
) -> NDArray[np.float64]:
    """Return the rows of a turn from an anchor: [at risk, mode, (worth, bust chance)]."""
    rows = np.zeros((len(bank) + table.max_points + 1, len(table.modes) + 1, 2))
    kernels.walk_anchor(table.kernel, bank, float(top), finish_exact, bank_from, float(roll_cost), float(bust), rows)
    return rows


def standing_in_units(points: int, unit: int, target: int, name: str) -> int:
    """Return a standing as units, refusing one at or past the target."""
    units = points_to_units(points, unit, name)
    if units >= target:
        raise PositionError(f"{name} lies below the target {target * unit}, got {name}={points!r}: that race is over")
    return units


def _target_in_units(goal: Race, table: TurnTable) -> int:
    target = int(goal.target or 0)
    if goal.finish == "exact" and target % table.unit:
        raise ValueError(f"to land exactly, the target is a multiple of {table.unit}, got target={target}")
    return -(-target // table.unit)


def _check_size(anchors: int) -> None:
    if anchors > MOST_ANCHORS:
        raise TooLargeError(
            f"this race has {anchors:,} anchors, more than the {MOST_ANCHORS:,} that fit in memory; choose a smaller target"
        )
