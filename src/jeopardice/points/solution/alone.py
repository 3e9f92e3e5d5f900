"""A race alone, solved, and asked about any standing and any moment of its turns."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from jeopardice.errors import PositionError, RulesError
from jeopardice.kernels import Progress
from jeopardice.points import certify, race, rational
from jeopardice.points.match import PointsMatch, PointsSpot, match_of, place_of
from jeopardice.points.race_table import RaceTable
from jeopardice.points.solution.best_play import best_play
from jeopardice.points.solution.standings import (
    as_number,
    certificate_of,
    record_number,
    replay_error,
    replayed,
    save_points,
    score_in_units,
)
from jeopardice.points.tables import TurnTable
from jeopardice.points.view import TurnView
from jeopardice.rules.game import Mode
from jeopardice.rules.goal import Race
from jeopardice.solution import Advice, Certificate
from jeopardice.types import Given, JsonObject, MatchRoll, Number, Real

SETTLED = 1e-8
"""Without a floor, scores are followed twice as far down until that moves the value by less than this share. The chance
to come so far falls by the same factor for each penalty, so the error that is left is about the square of the move."""


@dataclass(frozen=True, eq=False)
class AloneSolution:
    """A race alone; values are expected turns (the one in progress counted), expected rolls, or a chance (`within`).

    `standings` holds the worth of every standing, minus what is left to spend; with `within` one row for each number of
    turns left. Exact solutions hold dictionaries by (score, record) instead.
    """

    goal: Race
    race: RaceTable = field(repr=False)
    standings: Any = field(repr=False)
    is_exact: bool = False
    certificate: Certificate | None = field(default=None, repr=False)

    @property
    def table(self) -> TurnTable:
        """The table of a turn."""
        return self.race.turn

    @property
    def tables(self) -> tuple[TurnTable]:
        """The table of the only seat's turns."""
        return (self.table,)

    ignores_opponent: ClassVar[bool] = True
    ignores_score: ClassVar[bool] = False
    strategy = best_play

    @property
    def value(self) -> Number:
        """The fewest expected turns (or rolls) from 0, or the best chance to finish within the turns given."""
        return self.at(0)

    @property
    def values(self) -> tuple[Number, ...]:
        """The value of the one player."""
        return (self.value,)

    @property
    def match(self) -> PointsMatch:
        """The game as a tree of spots."""
        return match_of(self.goal)

    @property
    def target(self) -> int:
        """The target in units."""
        return self.race.target

    @cached_property
    def worth(self) -> NDArray[np.float64]:
        """The worth by units to go, 0 to the target; with `within` by turns left and units to go. For one record only."""
        top = float(self.goal.within is not None)
        if self.is_exact:
            rows = [self._exact_row(row) for row in (self.standings if self.goal.within else [self.standings])]
            table = np.array(rows)
        else:
            table = np.atleast_2d(self.standings)[:, :: len(self.race.records)]
        by_units = np.concatenate([np.full((len(table), 1), top), table[:, ::-1]], axis=1)
        return by_units if self.goal.within is not None else by_units[0]

    def _exact_row(self, row: Any) -> list[float]:
        return [float(as_number(row.get((score, 0)), True)) for score in range(self.race.scores)]

    def at(
        self, mine: int, *, turns_left: int | None = None, my_busts: int | None = None, my_opened: bool | None = None
    ) -> Number:
        """Return the value at the beginning of a turn with a score of `mine` points."""
        standing = self._standing(mine, my_busts, my_opened, turns_left)
        worth = self._worth(standing, self._turns_left(turns_left) if self.goal.within is not None else None)
        return as_number(worth, self.is_exact) * (1 if self.goal.within is not None else -1)

    @property
    def error_bound(self) -> float | None:
        """A certified bound of the error of all values; made on first use. None where nothing is proved."""
        return self.certify().certificate.bound  # type: ignore[union-attr]

    def certify(self, progress: Progress | None = None, threads: int | None = None) -> Self:
        """Make the certificate: every anchor's equation again, rounded in chosen directions."""
        if self.certificate is None:
            object.__setattr__(self, "certificate", self._certified(progress))
        return self

    def _certified(self, progress: Progress | None) -> Certificate:
        if self.is_exact:
            return Certificate(0.0)
        if self.goal.within is not None:
            return Certificate(certify.within_bound(self.race, self.standings, progress))
        if self.race.is_cut_off:
            return Certificate(None, "scores have no floor; they are followed down until the value hardly moves")
        bound = certify.alone_bound(self.race, self.standings, progress=progress, **self._costs)
        reason = "some scores of this race take so many turns that rounding there says nothing about this value"
        return certificate_of(bound, -float(self.standings[self.race.start]), reason)

    def advise(
        self, *, mine: int = 0, at_risk: int = 0, roll: MatchRoll = None, turns_left: int | None = None,
        my_busts: int | None = None, my_opened: bool | None = None, **mode: Mode,
    ) -> Advice:  # fmt: skip
        """Return every option; `turns_left` (the turn in progress counted) is for goals with `within`."""
        view = self.view(mine, turns_left=turns_left, my_busts=my_busts, my_opened=my_opened)
        return view.advise_at(at_risk, roll, mode)

    def rows(self) -> Iterator[JsonObject]:
        """Yield every standing with its value."""
        for score in range(self.race.scores):
            for number, record in enumerate(self.race.records):
                if self.race.reached[score, number]:
                    row: JsonObject = {"mine": (score + self.race.lowest) * self.race.unit}
                    if len(self.race.records) > 1:
                        row |= {"my_opened": record.has_opened, "my_busts": record.busts}
                    left = [None] if self.goal.within is None else range(1, self.goal.within + 1)
                    for turns in (n for n in left if n is None or score >= self._lowest(n)):
                        worth = as_number(self._worth((score, number), turns), self.is_exact)
                        more = {} if turns is None else {"turns_left": turns}
                        yield row | more | {"value": worth if turns is not None else -worth}

    def blocks(self) -> JsonObject:
        """Return what is saved."""
        return {"worth": self.standings}

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        certificate = self.certify().certificate or Certificate(None)
        return save_points(self.goal, self.value, certificate, (self.table,), self.blocks(), path)

    def view_at(self, spot: PointsSpot) -> TurnView:
        """Return the turn in progress at a spot."""
        turns_left = None if self.goal.within is None else self.goal.within - spot.turn
        return self.view(turns_left=turns_left, **place_of(spot))

    def view(
        self, mine: int = 0, theirs: Given = 0, *, seat: int = 0, turns_left: int | None = None,
        my_busts: int | None = None, my_opened: bool | None = None,
    ) -> TurnView:  # fmt: skip
        """Return the turn that begins at a standing, ready for questions about its moments; nobody else matters."""
        score, record = self._standing(mine, my_busts, my_opened, turns_left)
        within, table = self.goal.within is not None, self.race
        later = self._turns_left(turns_left) - 1 if within else None
        goal, after = table.scores - score, int(table.bank_to[record])
        top, roll_cost = (1, 0) if within else (0, int(self._costs["roll_cost"]))
        fallen = max(int(table.bust_score[record, score]), 0)
        bust = as_number(self._worth((fallen, int(table.bust_to[record])), later), self.is_exact)
        reach = goal + table.turn.max_points + 1
        bank = [
            as_number(self._worth((score + t, after), later), self.is_exact) if t < goal else top for t in range(reach)
        ]
        least = int(table.least_bank[record])
        lost = goal + 1 if table.must_hit else None
        if self.is_exact:
            plain = [None if value == -inf else rational.as_flint(value) for value in bank]
            x = None if bust == -inf else rational.as_flint(bust)
            leaves = rational.Leaves(plain.__getitem__, x, goal, least, goal, lost, rational.as_flint(roll_cost))
            moments: Any = rational.walk(table.turn, leaves)
        else:
            stop = np.array([value if t >= least or t >= goal else -inf for t, value in enumerate(bank)])
            moments = replayed(
                table.turn, np.array(bank, float), stop, goal, float(bust), bust_from=lost, roll_cost=roll_cost
            )
        turn_cost = 0 if within else int(self._costs["turn_cost"])
        sign = 1 if within else -1
        scale = max(abs(float(value)) for value in (*bank, bust) if value != -inf) * 2
        return TurnView(
            self.goal.game, table.turn, lambda t, mode: as_number(moments[t][mode][0], self.is_exact), bank.__getitem__,
            bust, goal, least, roll_cost, lambda worth: sign * worth + turn_cost, not within,
            lambda: self._bound_of_options(goal, scale), busts=lambda t, mode: as_number(moments[t][mode][1], self.is_exact),
        )  # fmt: skip

    def _bound_of_options(self, rows: int, scale: float) -> float | None:
        bound = self.error_bound
        return bound if bound is None or self.is_exact else bound + replay_error(self.table, rows, scale)

    def _worth(self, standing: tuple[int, int], turns_left: int | None) -> Real:
        row = self.standings if turns_left is None else self.standings[turns_left]
        return row.get(standing) if self.is_exact else row[standing[0] * len(self.race.records) + standing[1]]

    @property
    def _costs(self) -> JsonObject:
        return dict(zip(("turn_cost", "roll_cost"), (1, 0) if self.goal.cost == "turns" else (0, 1), strict=True))

    def _turns_left(self, turns_left: int | None) -> int:
        within = self.goal.within or 0
        if turns_left is None:
            return within
        if not 1 <= turns_left <= within:
            raise PositionError(f"turns_left lies between 1 and {within}, got turns_left={turns_left!r}")
        return turns_left

    def _lowest(self, turns_left: int) -> int:
        """Return the lowest score, counted from the lowest of all, that a race can have with so many turns left."""
        if not self.race.is_cut_off:
            return 0
        penalties = ((self.goal.within or 0) - turns_left) // self.goal.busts
        return -self.race.lowest - penalties * int(self.goal.penalty) // self.race.unit

    def _standing(
        self, mine: int, busts: int | None, opened: bool | None, turns_left: int | None
    ) -> tuple[int, int]:  # fmt: skip
        score = score_in_units(mine, self.race, "mine")
        if self.goal.within is not None and score < (least := self._lowest(self._turns_left(turns_left))):
            least = (least + self.race.lowest) * self.race.unit
            raise PositionError(f"mine is at least {least} with {turns_left} turns left, got mine={mine!r}")
        return score, record_number(self.race, score, busts, opened, "my")


def solve_alone(goal: Race, table: RaceTable, exactly: bool, progress: Progress | None) -> AloneSolution:
    """Solve a race alone, in fractions if `exactly`."""
    if goal.within is not None:
        if exactly:
            return AloneSolution(goal, table, rational.solve_within(table, goal.within, progress), True)
        return AloneSolution(goal, table, race.solve_within(table, goal.within, progress=progress))
    costs: JsonObject = dict(zip(("turn_cost", "roll_cost"), (1, 0) if goal.cost == "turns" else (0, 1), strict=True))
    if not exactly:
        worth, moved = race.solve_alone(table, progress=progress, **costs), inf
        while table.is_cut_off and moved > SETTLED * -worth[table.start]:
            before, last, table = worth[table.start], moved, replace(table, depth=2 * table.depth)
            worth = race.solve_alone(table, progress=progress, **costs)
            if (moved := abs(worth[table.start] - before)) >= last:
                raise RulesError(
                    "without a floor these penalties cost nearly all that turns bring; set a floor or a smaller penalty"
                )
        return AloneSolution(goal, table, worth)
    values = rational.solve_alone(table, progress=progress, **costs)
    if values[-table.lowest, 0] is None:
        raise RulesError(race.no_way(table))
    return AloneSolution(goal, table, values, True)
