"""The most points per turn in the long run, solved: an average-reward problem over the records.

With g the points per turn and h(record) what a record is worth relative to the one after a bank (h = 0 there),

    h(record) + g = best turn whose stop is worth its points and whose bust is worth h(record after) - penalty.

Each turn is walked as in `turn.py`; g is the one number for which the chain of records closes. What is left over falls with
g, with slope at least 1 in size, so a residual rounded away from 0 bounds the error of g.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import NoReturn, Self

from jeopardice.errors import RulesError, TooLargeError
from jeopardice.kernels import Progress
from jeopardice.points.match import PointsMatch, match_of
from jeopardice.points.solution.standings import save_points
from jeopardice.points.tables import TurnTable, lay_out
from jeopardice.points.turn import TurnEdge, edge_of_turn, solve_turn
from jeopardice.points.view import TurnView
from jeopardice.rules.game import Mode
from jeopardice.rules.goal import Rate
from jeopardice.solution import Advice, Certificate
from jeopardice.types import JsonObject, MatchRoll

MOST_STEPS = 100


@dataclass(frozen=True, eq=False)
class RateSolution:
    """Points per turn in the long run; `relative[k]` is what k busts in a row are worth, in units."""

    goal: Rate
    table: TurnTable = field(repr=False)
    gain: float
    relative: tuple[float, ...]
    residual: float
    is_exact: bool = False
    certificate: Certificate | None = field(default=None, repr=False)

    @property
    def value(self) -> float:
        """The most points per turn."""
        return self.gain * self.table.unit

    @property
    def values(self) -> tuple[float, ...]:
        """The value of the one player."""
        return (self.value,)

    @property
    def match(self) -> PointsMatch:
        """Refused in one line: these turns have no end."""
        return match_of(self.goal)

    @property
    def error_bound(self) -> float | None:
        """A bound of the error of the value, made on first use."""
        return self.certify().certificate.bound  # type: ignore[union-attr]

    def certify(self, progress: Progress | None = None, threads: int | None = None) -> Self:
        """Make the certificate: what the chain of records leaves over, and the rounding of its turns."""
        if self.certificate is None:
            rows = self._edge(len(self.relative) - 1)[0].threshold + 1
            groups = max(len(g) for g in self.table.groups)
            rounding = len(self.relative) * (rows + 1) * (groups + 6) * 2.3e-16 * (rows + abs(self.gain))
            object.__setattr__(self, "certificate", Certificate((abs(self.residual) + rounding) * self.table.unit))
        return self

    def at(self, my_busts: int = 0) -> float:
        """Return what a record is worth beside a fresh one, in points."""
        return self.relative[my_busts] * self.table.unit

    def advise(self, *, at_risk: int = 0, roll: MatchRoll = None, my_busts: int = 0, **mode: Mode) -> Advice:
        """Return every option; values are points of this turn plus what the record after it is worth."""
        return self.view(my_busts).advise_at(at_risk, roll, mode)

    def view(self, my_busts: int = 0) -> TurnView:
        """Return the turn after this many busts in a row, ready for questions about its moments."""
        edge, bust = self._edge(my_busts)
        moments = solve_turn(self.table, edge, self._least, float(bust))
        unit, ended = self.table.unit, len(self.table.modes)

        def worth(t: int, mode: int) -> float:
            if t >= edge.threshold:
                return float(edge.value(t, mode))
            return float(bust) if mode == ended and t == 0 else float(moments[t][mode][0])

        return TurnView(
            self.goal.game, self.table, worth, float, float(bust), None, self._least, 0, lambda w: w * unit, False,
            lambda: self.error_bound,
        )  # fmt: skip

    def strategy(self, seat: int = 0) -> NoReturn:
        """Refused: best play depends on the busts in a row."""
        raise RulesError(
            "best play for the most points per turn depends on the busts in a row; ask advise(my_busts=...) instead"
        )

    def rows(self) -> Iterator[JsonObject]:
        """Yield what each number of busts in a row is worth."""
        for busts, worth in enumerate(self.relative):
            yield {"my_busts": busts, "value": worth * self.table.unit}

    def blocks(self) -> JsonObject:
        """Return what is saved: nothing but the value, which is quick to find again."""
        return {}

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; it is solved again when it is read."""
        certificate = self.certify().certificate or Certificate(None)
        return save_points(self.goal, self.value, certificate, (self.table,), self.blocks(), path)

    @property
    def _least(self) -> int:
        return self.goal.house.least_units(self.table.unit)

    def _edge(self, busts: int) -> tuple[TurnEdge, Fraction]:
        bust = Fraction(bust_worth(self.goal, self.table, self.relative, busts))
        return edge_of_turn(self.table, self._least, bust), bust


def bust_worth(goal: Rate, table: TurnTable, relative: tuple[float, ...] | list[float], busts: int) -> float:
    """Return what a bust is worth after this many busts in a row, in units."""
    records = goal.house.records()
    record, points = goal.house.after_bust(records[busts])
    return relative[records.index(record)] - int(points) / table.unit


def solve_rate(goal: Rate, exactly: bool) -> RateSolution:
    """Return the most points per turn: secant steps on the rate until the chain of records closes."""
    if exactly:
        raise TooLargeError("exact fractions are not available for a rate; leave out exact for a certified float")
    table = lay_out(goal.game)
    least, records = goal.house.least_units(table.unit), goal.house.records()

    def chain(gain: float) -> tuple[float, list[float]]:
        """Return how much more than `gain` a turn from the fresh record brings, and every record's worth."""
        relative = [0.0] * len(records)
        for busts in reversed(range(len(records))):
            bust = bust_worth(goal, table, relative, busts)
            edge = edge_of_turn(table, least, Fraction(bust))
            turn = float(solve_turn(table, edge, least, bust)[0][table.opening][0])
            if busts == 0:
                return turn - gain, relative
            relative[busts] = turn - gain
        raise AssertionError("there is always a first record")

    before, gain = 0.0, chain(0.0)[0]
    left_before, (left, relative) = chain(before)[0], chain(gain)
    for _ in range(MOST_STEPS):
        if left == 0 or left == left_before or abs(left) < 1e-15 * abs(gain):
            break
        following = gain - left * (gain - before) / (left - left_before)
        before, left_before, gain = gain, left, following
        left, relative = chain(gain)
    return RateSolution(goal, table, gain, tuple(relative), left)
