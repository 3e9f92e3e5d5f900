"""A race for two, solved, and asked about any position and any moment of its turns."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from jeopardice.errors import PositionError, RulesError
from jeopardice.kernels import Progress
from jeopardice.points import race, rational
from jeopardice.points.match import PointsMatch, PointsSpot, match_of, place_of
from jeopardice.points.race import DuelTables, DuelValues
from jeopardice.points.race_table import RaceTable
from jeopardice.points.solution.best_play import best_play
from jeopardice.points.solution.standings import (
    ALMOST_ALWAYS_BUSTS,
    as_number,
    certificate_of,
    check_records,
    record_number,
    replay_error,
    replayed,
    save_points,
    score_in_units,
)
from jeopardice.points.tables import TurnTable
from jeopardice.points.view import TurnView, points_to_units
from jeopardice.rules.game import Mode, PointsGame
from jeopardice.rules.goal import Race
from jeopardice.solution import Advice, Certificate
from jeopardice.types import Blocks, Given, JsonObject, MatchRoll, Number, Real


@dataclass(frozen=True, eq=False)
class DuelSolution:
    """A race for two; values are the chance to win of the player to move, or the margin that player can expect.

    `solved` holds the values as arrays, or as exact dictionaries (`PairLeaves`).
    """

    goal: Race
    duel: DuelTables = field(repr=False)
    solved: Any = field(repr=False)
    is_exact: bool = False
    certificate: Certificate | None = field(default=None, repr=False)

    @property
    def tables(self) -> tuple[TurnTable, TurnTable]:
        """The tables of both seats' turns."""
        return self.duel.tables[0].turn, self.duel.tables[1].turn

    @property
    def worths(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Each seat's values when it is to move: [its standing, the other's standing]."""
        if not self.is_exact:
            return self.solved.first, self.solved.second
        arrays = []
        for seat, (mine, other) in enumerate((self.duel.tables, self.duel.tables[::-1])):
            array = np.full((mine.standings, other.standings), np.nan)
            for ((i, r), (j, q)), value in self.solved.values[seat].items():
                array[i * len(mine.records) + r, j * len(other.records) + q] = as_number(value, True)
            arrays.append(array)
        return arrays[0], arrays[1]

    ignores_opponent: ClassVar[bool] = False
    ignores_score: ClassVar[bool] = False
    strategy = best_play

    @property
    def value(self) -> Number:
        """What the first player can expect from the start."""
        return self.at(0, 0)

    @property
    def values(self) -> tuple[Number, ...]:
        """What both players can expect from the start, in the order of play."""
        return self.value, self.total - self.value

    @property
    def match(self) -> PointsMatch:
        """The game as a tree of spots."""
        return match_of(self.goal)

    @property
    def coin_toss(self) -> Number:
        """The first seat's value if a coin decides who begins."""
        return (self.at(0, 0) + self.total - self.at(0, 0, seat=1)) / 2

    @property
    def total(self) -> int:
        """What both players' values add up to in every position."""
        return self.goal.ending.total

    @property
    def targets(self) -> tuple[int, int]:
        """Both seats' targets, in their units."""
        return self.duel.tables[0].target, self.duel.tables[1].target

    @property
    def prizes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What reaching the target at once is worth to each seat, by the other's score."""
        return self.duel.prizes

    def at(self, mine: int, theirs: int, *, seat: int = 0, **records: Given) -> Number:
        """Return the value for the player in `seat`, about to begin a turn, with these scores.

        In a last round, `theirs` may lie at or past the target: the value is that of the last turn.
        """
        check_records(records)
        if self._has_finished(theirs, seat):
            view = self.view(mine, theirs, seat=seat, **records)
            return view.shown(view.worth(0, view.table.opening))
        own, other = self._standings(mine, theirs, seat, records)
        return as_number(self._worth(seat, own, other), self.is_exact)

    @property
    def error_bound(self) -> float | None:
        """A certified bound of the error of all values; made on first use. None where nothing is proved."""
        return self.certify().certificate.bound  # type: ignore[union-attr]

    def certify(self, progress: Progress | None = None, threads: int | None = None) -> Self:
        """Make the certificate: a pass with directed rounding, about as long as solving took."""
        if self.certificate is None:
            made = Certificate(0.0)
            if not self.is_exact:
                bound = race.certify_duel(self.duel, self.solved, threads=threads, progress=progress)
                made = certificate_of(
                    bound, max(float(np.abs(prize).max()) for prize in self.prizes), ALMOST_ALWAYS_BUSTS
                )
            object.__setattr__(self, "certificate", made)
        return self

    def advise(
        self, *, mine: int = 0, theirs: int = 0, at_risk: int = 0, roll: MatchRoll = None, seat: int = 0,
        my_busts: int | None = None, their_busts: int | None = None, my_opened: bool | None = None,
        their_opened: bool | None = None, **mode: Mode,
    ) -> Advice:  # fmt: skip
        """Return every option of the player in `seat` who has the dice."""
        records = {
            "my_busts": my_busts, "their_busts": their_busts, "my_opened": my_opened, "their_opened": their_opened
        }  # fmt: skip
        return self.view(mine, theirs, seat=seat, **records).advise_at(at_risk, roll, mode)

    def rows(self) -> Iterator[JsonObject]:
        """Yield every position with its value."""
        seats = (0,) if self.duel.symmetric else (0, 1)
        for seat in seats:
            mine, other = self.duel.tables[seat], self.duel.tables[seat ^ 1]
            for own in _reached(mine):
                for their in _reached(other):
                    row: JsonObject = {} if self.duel.symmetric else {"seat": seat}
                    row |= {
                        "mine": (own[0] + mine.lowest) * mine.unit,
                        "theirs": (their[0] + other.lowest) * other.unit,
                    }
                    if len(mine.records) > 1:
                        row |= {"my_opened": mine.records[own[1]].has_opened, "my_busts": mine.records[own[1]].busts}
                        row |= {
                            "their_opened": other.records[their[1]].has_opened,
                            "their_busts": other.records[their[1]].busts,
                        }
                    yield row | {"value": as_number(self._worth(seat, own, their), self.is_exact)}

    def blocks(self) -> JsonObject:
        """Return what is saved."""
        solved = self.solved
        blocks = {"first": solved.first}
        if solved.width is not None:
            blocks["first_width"] = solved.width[0]
        if not self.duel.symmetric:
            blocks["second"] = solved.second
            if solved.width is not None:
                blocks["second_width"] = solved.width[1]
        return blocks

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        certificate = self.certify().certificate or Certificate(None)
        blocks = {} if self.is_exact else self.blocks()
        return save_points(self.goal, self.value, certificate, self.tables, blocks, path)

    def view_at(self, spot: PointsSpot) -> TurnView:
        """Return the turn in progress at a spot."""
        return self.view(**place_of(spot))

    def view(self, mine: int = 0, theirs: int = 0, *, seat: int = 0, **records: Given) -> TurnView:
        """Return the turn that begins at a position, ready for questions about its moments."""
        if seat not in (0, 1):
            raise PositionError(f"seat is 0 (plays first) or 1, got seat={seat!r}")
        if self._has_finished(theirs, seat):
            return self._last_turn(mine, theirs, seat, **records)
        table = self.duel.tables[seat]
        own, other = self._standings(mine, theirs, seat, records)
        score, record = own
        goal, after = table.scores - score, int(table.bank_to[record])
        fallen = int(table.bust_score[record, score])
        x = self._value_to_mover(seat, other, (max(fallen, 0), int(table.bust_to[record])))
        least, lost = int(table.least_bank[record]), goal + 1 if table.must_hit else None
        if self.is_exact:
            return self._exact_view(
                seat, self.solved.at(seat, own, other, rational.as_flint(x)), goal, self.goal.ends_past
            )
        end = self._end(seat, goal, other[0])
        reach = end + table.turn.max_points + 1
        below = [self._value_to_mover(seat, other, (score + t, after)) for t in range(min(goal, reach))]
        bank = below + [self._past(seat, score + t, other[0]) for t in range(goal, reach)]
        stop = np.array([value if t >= least or t >= goal else -inf for t, value in enumerate(bank)])
        moments = replayed(table.turn, np.array(bank, float), stop, end, x, bust_from=lost)
        return self._view_of(
            seat, lambda t, mode: moments[t][mode], bank.__getitem__, x, goal, least, self.goal.ends_past, end
        )

    def _last_turn(
        self, mine: int, theirs: int, seat: int, my_busts: Any = None, my_opened: Any = None, **_: Any
    ) -> TurnView:  # fmt: skip
        """Return the one turn that is left after the other has reached the target."""
        table, other = self.duel.tables[seat], self.duel.tables[seat ^ 1]
        score = score_in_units(mine, table, "mine")
        end = points_to_units(theirs, other.unit, "theirs") - (score + table.lowest) + 1
        least = int(table.least_bank[record_number(table, score, my_busts, my_opened, "my")])
        least, lost = min(least, table.scores - score), end if table.must_hit else None
        tie = {"first": Fraction(0), "share": Fraction(1, 2), "last": Fraction(1)}[self.goal.ties]
        reach = end + table.turn.max_points + 1
        bank = [Fraction(0)] * (end - 1) + [tie] + [Fraction(1)] * (reach - end)
        if self.is_exact:
            banked = [rational.as_flint(value) for value in bank]
            leaves = rational.Leaves(banked.__getitem__, rational.as_flint(0), end, least, lost_from=lost)
            return self._exact_view(seat, leaves, end, 0)
        stop = np.array(bank, float)
        moments = replayed(table.turn, stop, stop, end, 0.0, bust_from=lost)
        return self._view_of(seat, lambda t, mode: moments[t][mode], stop.tolist().__getitem__, 0.0, end, least, 0, end)

    def _exact_view(self, seat: int, leaves: rational.Leaves, goal: int, ends_past: int | None) -> TurnView:
        """Return a turn in fractions; moments past its end stop, since one more roll cannot pay there."""
        moments = rational.walk(self.duel.tables[seat].turn, leaves)

        def row(t: int, mode: int) -> tuple[Any, Any]:
            return moments[t][mode] if t < len(moments) else (leaves.bank(t), 0)

        def bank(t: int) -> Real:
            return as_number(leaves.bank(t), True)

        bust = as_number(leaves.bust, True)
        return self._view_of(seat, row, bank, bust, goal, leaves.least, ends_past, leaves.end)

    def _view_of(
        self, seat: int, row: Callable[[int, int], Any], bank: Callable[[int], Real], bust: Real, goal: int, least: int,
        ends_past: int | None, reach: int,
    ) -> TurnView:  # fmt: skip
        turn = self.duel.tables[seat].turn
        scale = max(float(np.abs(prize).max()) for prize in self.prizes)
        return TurnView(
            self._game(seat), turn, lambda t, mode: as_number(row(t, mode)[0], self.is_exact), bank, bust, goal, least, 0,
            lambda worth: worth, False, lambda: self._bound_of_options(turn, reach, scale), ends_past, reach,
            lambda t, mode: as_number(row(t, mode)[1], self.is_exact),
        )  # fmt: skip

    def _bound_of_options(self, turn: TurnTable, rows: int, scale: float) -> float | None:
        bound = self.error_bound
        return bound if bound is None or self.is_exact else bound + replay_error(turn, rows, scale)

    def _end(self, seat: int, goal: int, theirs: int) -> int:
        """Return from where one stops: at the target, or in a last round where one more roll can no longer pay."""
        if (past := self.goal.ends_past) is not None:
            return goal + past
        ahead = self.duel.tables[seat].scores - theirs
        return goal + max(len(self.duel.catch_up[seat].chance) - ahead, 1)

    def _past(self, seat: int, score: int, theirs: int) -> float:
        if not self.goal.last_round:
            return float(self.prizes[seat][theirs])
        chance = self.duel.catch_up[seat].chance
        return 1.0 - float(chance[min(score - theirs, len(chance) - 1)])

    def _has_finished(self, theirs: int, seat: int) -> bool:
        other = self.duel.tables[seat ^ 1]
        return self.goal.last_round and not isinstance(theirs, tuple) and theirs >= other.target * other.unit

    def _value_to_mover(self, seat: int, other: tuple[int, int], own: tuple[int, int]) -> Real:
        """Return what a position with the other seat to move is worth to `seat`."""
        return self.total - as_number(self._worth(seat ^ 1, other, own), self.is_exact)

    def _worth(self, seat: int, own: tuple[int, int], other: tuple[int, int]) -> Real:
        if self.is_exact:
            return self.solved.values[seat][own, other]
        tables = self.duel.tables if seat == 0 else self.duel.tables[::-1]
        row, column = (s * len(t.records) + r for (s, r), t in zip((own, other), tables, strict=True))
        return self.worths[seat][row, column]

    def _game(self, seat: int) -> PointsGame:
        game: PointsGame = self.goal.games[seat]
        return game

    def _standings(
        self, mine: Given, theirs: Given, seat: int, records: JsonObject
    ) -> tuple[tuple[int, int], tuple[int, int]]:
        if seat not in (0, 1):
            raise PositionError(f"seat is 0 (plays first) or 1, got seat={seat!r}")
        (theirs,) = theirs if isinstance(theirs, tuple | list) and len(theirs) == 1 else (theirs,)
        places = []
        for whose, points, table in (
            ("my", mine, self.duel.tables[seat]),
            ("their", theirs, self.duel.tables[seat ^ 1]),
        ):
            score = score_in_units(points, table, "mine" if whose == "my" else "theirs")
            busts, opened = records.get(f"{whose}_busts"), records.get(f"{whose}_opened")
            places.append((score, record_number(table, score, busts, opened, whose)))
        return places[0], places[1]


def _reached(table: RaceTable) -> list[tuple[int, int]]:
    return [(int(s), int(r)) for s, r in np.argwhere(table.reached)]


def solve_for_two(
    goal: Race, tables: tuple[RaceTable, RaceTable], exactly: bool, threads: int | None, progress: Progress | None
) -> DuelSolution:
    """Solve a race for two, in fractions if `exactly`."""
    duel = race.duel_tables(tables, goal)
    if not any(race.can_score(table) for table in tables):
        raise RulesError(race.no_way(tables[0]))
    if exactly:
        return DuelSolution(goal, duel, rational.solve_duel(tables, goal, progress), True)
    solve = race.solve_duel
    if not all(table.busts_stay for table in tables):
        from jeopardice.points.swept import sweep_duel as solve
    return DuelSolution(goal, duel, solve(duel, threads=threads, progress=progress))


def stored_values(duel: DuelTables, blocks: Blocks) -> DuelValues:
    """Return the values that were saved; KeyError if a part is missing."""
    first = blocks["first"]
    second = first if duel.symmetric else blocks["second"]
    width = None
    if "first_width" in blocks:
        width = (blocks["first_width"], blocks["first_width"] if duel.symmetric else blocks["second_width"])
    return DuelValues(first, second, width)
