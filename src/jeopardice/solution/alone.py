"""A race alone, solved, and asked about any standing and any moment of its turns."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from flint import fmpq

from jeopardice import certify, exact
from jeopardice.errors import PositionError
from jeopardice.goal import Race
from jeopardice.kernels import Progress
from jeopardice.moments import Advice, TurnView
from jeopardice.solution.anchors import check_size, replayed, standing_in_units, target_in_units
from jeopardice.solution.saved import save_points
from jeopardice.solvers import race as races
from jeopardice.turn_table import TurnTable


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
        return save_points(self, (self.table,), {"worth": self.worth}, path)

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


def solve_alone(goal: Race, table: TurnTable, exactly: bool, progress: Progress | None) -> AloneSolution:
    """Solve a race alone, in fractions if `exactly`."""
    target = target_in_units(goal, table)
    rules: dict[str, Any] = {"bank_from": -(-goal.bank_from // table.unit), "exact": goal.finish == "exact"}
    if goal.within is not None:
        check_size(target * goal.within)
        if exactly:
            return AloneSolution(goal, table, exact.solve_within(table, target, goal.within, **rules), True)
        return AloneSolution(goal, table, races.solve_within(table, target, goal.within, progress=progress, **rules))
    check_size(target)
    rules |= {"turn_cost": 1, "roll_cost": 0} if goal.cost == "turns" else {"turn_cost": 0, "roll_cost": 1}
    if exactly:
        return AloneSolution(goal, table, exact.solve_alone(table, target, **rules), True)
    return AloneSolution(goal, table, races.solve_alone(table, target, progress=progress, **rules))
