"""One turn for the most points, solved, and asked about any of its moments."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import inf, nextafter
from pathlib import Path
from typing import Any, ClassVar, Self

from jeopardice.kernels import Progress
from jeopardice.points import certify, rational
from jeopardice.points.match import PointsMatch, PointsSpot, match_of
from jeopardice.points.solution.best_play import best_play
from jeopardice.points.solution.standings import as_number, save_points
from jeopardice.points.tables import TurnTable
from jeopardice.points.turn import TurnEdge, bust_chance_of, edge_of_turn, solve_turn
from jeopardice.points.view import TurnView
from jeopardice.rules.game import Mode
from jeopardice.rules.goal import Turn
from jeopardice.solution import Advice, Certificate
from jeopardice.types import Given, JsonObject, MatchRoll, Number, Real


@dataclass(frozen=True, eq=False)
class TurnSolution:
    """One turn for the most points; values are points."""

    goal: Turn
    table: TurnTable = field(repr=False)
    edge: TurnEdge = field(repr=False)
    moments: Any = field(repr=False)
    is_exact: bool = False
    certificate: Certificate | None = field(default=None, repr=False)

    ignores_opponent: ClassVar[bool] = True
    ignores_score: ClassVar[bool] = True
    strategy = best_play

    @property
    def value(self) -> Number:
        """The best mean score of the turn, in points."""
        return self._points(self._worth(0, self.table.opening))

    @property
    def values(self) -> tuple[Number, ...]:
        """The value of the one player."""
        return (self.value,)

    @property
    def match(self) -> PointsMatch:
        """The game as a tree of spots."""
        return match_of(self.goal)

    @property
    def tables(self) -> tuple[TurnTable]:
        """The table of the only seat's turns."""
        return (self.table,)

    @property
    def threshold(self) -> int:
        """The points from which one stops in every mode (that can bust)."""
        return self.edge.threshold * self.table.unit

    @property
    def bust_chance(self) -> Number:
        """The chance that the turn ends in a bust under best play."""
        return as_number(bust_chance_of(self.moments, self.table), self.is_exact)

    @property
    def error_bound(self) -> float | None:
        """A certified bound of the error of all values, in points; made on first use."""
        return self.certify().certificate.bound  # type: ignore[union-attr]

    def certify(self, progress: Progress | None = None, threads: int | None = None) -> Self:
        """Make the certificate: the turn is walked twice, rounded down and up; points are rounded once more."""
        if self.certificate is None:
            bound = 0.0
            if not self.is_exact:
                in_units = certify.turn_bound(self.table, self.edge, self.moments, self.least, progress)
                largest = float(self.moments[..., 0].max()) * self.table.unit
                bound = nextafter(in_units * self.table.unit, inf) + largest * 2.3e-16
            object.__setattr__(self, "certificate", Certificate(bound))
        return self

    def at(self, at_risk: int = 0, **mode: Mode) -> Number:
        """Return the value of a moment under best play."""
        return self.advise(at_risk=at_risk, **mode).value

    @property
    def least(self) -> int:
        """The least units that one may choose to bank."""
        return self.goal.house.least_units(self.table.unit)

    def advise(self, *, at_risk: int = 0, roll: MatchRoll = None, **mode: Mode) -> Advice:
        """Return every option with this many points at risk, before a roll or after `roll`."""
        return self.view().advise_at(at_risk, roll, mode)

    def rows(self) -> Iterator[JsonObject]:
        """Yield every moment below the threshold with its value."""
        view = self.view()
        for t in range(self.edge.threshold + 1):
            for number, mode in enumerate(self.table.modes):
                worth, roll = view.shown(view.worth(t, number)), view.shown(view.roll_worth(t, number))
                yield {"at_risk": t * self.table.unit, "mode": mode, "value": worth, "value_of_rolling": roll}

    def blocks(self) -> JsonObject:
        """Return what is saved."""
        return {"rows": self.moments}

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        certificate = self.certify().certificate or Certificate(None)
        return save_points(self.goal, self.value, certificate, (self.table,), self.blocks(), path)

    def view_at(self, spot: PointsSpot) -> TurnView:
        """Return the turn in progress at a spot."""
        return self.view()

    def view(self, mine: int = 0, theirs: Given = 0, *, seat: int = 0) -> TurnView:
        """Return the turn, ready for questions about its moments; it is the same whatever the scores."""
        number = Fraction if self.is_exact else float
        return TurnView(
            self.goal.game, self.table, self._worth, number, number(0), None, self.least, 0, self._points, False,
            self._bound_of_options, reach=self.edge.threshold,
        )  # fmt: skip

    def _bound_of_options(self) -> float | None:
        bound = self.error_bound
        rows = float(self.moments[..., 0].max()) * self.table.unit if not self.is_exact else 0.0
        return None if bound is None else bound + (max(map(len, self.table.groups)) + 6) * 2.3e-16 * rows

    def _worth(self, t: int, mode: int) -> Real:
        if t >= self.edge.threshold:
            worth = self.edge.value(t, mode)
            return worth if self.is_exact else float(worth)
        return as_number(self.moments[t][mode][0], self.is_exact)

    def _points(self, worth: Real) -> Number:
        points: Number = worth * self.table.unit
        return points


def solve_one_turn(goal: Turn, table: TurnTable, exactly: bool, progress: Progress | None = None) -> TurnSolution:
    """Solve one turn, in fractions if `exactly`."""
    least = goal.house.least_units(table.unit)
    edge = edge_of_turn(table, least)
    exact = partial(rational.solve_turn, progress=progress)
    rows: Any = exact(table, edge, least) if exactly else solve_turn(table, edge, least)
    return TurnSolution(goal, table, edge, rows, exactly)
