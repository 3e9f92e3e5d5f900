"""One turn for the most points, solved, and asked about any of its moments."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from flint import fmpq

from jeopardice import certify, exact
from jeopardice.goal import Turn
from jeopardice.moments import Advice, TurnView
from jeopardice.solution.saved import save_points
from jeopardice.solvers import turn as turns
from jeopardice.turn_table import TurnTable


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
        return save_points(self, (self.table,), {"rows": self.rows}, path)

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


def solve_one_turn(goal: Turn, table: TurnTable, exactly: bool) -> TurnSolution:
    """Solve one turn, in fractions if `exactly`."""
    bank_from = -(-goal.bank_from // table.unit)
    edge = turns.edge_of_turn(table, bank_from)
    rows: Any = (exact if exactly else turns).solve_turn(table, edge, bank_from)
    return TurnSolution(goal, table, edge, rows, exactly)
