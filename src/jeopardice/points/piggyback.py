"""Races with piggyback solved: the next player may take over the dice left and the points just banked.

A player who stops with t points offers them, with the dice left, to the other, who takes them over, rolls at least once and
goes on as in any turn, or begins a turn of their own; who banked keeps the points in any case. So the worth of a stop depends
on the mode as well, and besides the value of every position, the value of taking over every offer is stored. A bust offers
nothing and leads back to its own position: pairs of positions are settled from the end of the race back to its start, as
in any race for two. `kernels/piggyback.hpp` has the recurrence.

Values are not monotone: more points at risk are a better offer, too. No play is dropped and no turn is cut.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.engine.work import Work, check_memory
from jeopardice.errors import RulesError, TooLargeError
from jeopardice.kernels import Progress, kernels, thread_count
from jeopardice.points.race import can_score, no_way, run_pass, threads_for
from jeopardice.points.race_table import RaceTable, race_tables
from jeopardice.points.tables import TurnTable, checked_plays, checked_rolls
from jeopardice.rules.goal import Race
from jeopardice.types import Game, JsonObject, Number

Values = NDArray[np.float64]

STEPS_A_SECOND = 4e8
"""Plays looked at in a second on one core."""
WALKS = 10
"""Walks through a turn that one pair of positions needs, about."""
MOST_SECONDS = 4 * 3600


@dataclass(frozen=True, eq=False)
class PiggybackTables:
    """The table that both seats share, and what reaching the target is worth, by the other's score."""

    goal: Race
    table: RaceTable
    prize: Values

    @property
    def offers(self) -> int:
        """How many offers there are, over all scores of the other: 1 to the score."""
        return self.table.scores * (self.table.scores - 1) // 2

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of the arrays that hold the values."""
        n = self.table.scores
        return {"worth": (n, n), "rolled": (n, self.offers, len(self.table.turn.modes))}

    def work(self, threads: int | None = None) -> Work:
        """Estimate the cost of a solve; the certificate takes about as long."""
        n, turn = self.table.scores, self.table.turn
        steps = WALKS * n * n / 2 * (n / 2 + turn.max_points) * len(turn.arrays["offset"])
        size = 8 * (n * n + n * self.offers * len(turn.modes))
        return Work(n * n, steps / STEPS_A_SECOND / thread_count(threads), size)

    def offer(self, theirs: int, units: int) -> int:
        """Return the number of an offer of units (at least 1) by a player who now has `theirs`."""
        return theirs * (theirs - 1) // 2 + units - 1


def piggyback_tables(goal: Race) -> PiggybackTables:
    """Return a race with piggyback ready to be solved; refuse rules that are not covered."""
    for name, given in (
        ("finish='exact'", goal.finish == "exact"),
        ("last_round", goal.last_round),
        ("busts", goal.busts),
    ):
        if given:
            raise RulesError(f"piggyback is not solved together with {name}; leave out one of them")
    if goal.games[0] != goal.games[1]:
        raise RulesError("piggyback hands the dice on, so both seats need the same game; leave out opponent")
    table = race_tables(goal)[0]
    if not can_score(table):
        raise RulesError(no_way(table))
    if _may_lose_on_purpose(table.turn):
        raise RulesError("piggyback is not solved where a turn can be lost on purpose for sure; leave out piggyback")
    _check_stops(goal.game, table.turn)
    points = np.arange(table.scores) * float(table.unit)
    prize: Values = (
        np.ones(table.scores) if goal.payoff == "win" else np.asarray(float(goal.target or 0) - points, float)
    )
    return PiggybackTables(goal, table, prize)


def check_work(tables: PiggybackTables, threads: int | None) -> None:
    """Refuse a race that would take too long, or more memory than is free."""
    work = tables.work(threads)
    check_memory(work.bytes, "this race with piggyback", "choose a smaller target")
    if work.seconds > MOST_SECONDS:
        hours = work.seconds / 3600
        raise TooLargeError(f"this race with piggyback would take about {hours:,.0f} hours; choose a smaller target")


def _may_lose_on_purpose(turn: TurnTable) -> bool:
    """Whether plays can be chosen such that a turn is sure to bust; then a race might never end."""
    lost: set[int] = set()
    while True:
        more = {
            mode
            for mode, groups in enumerate(turn.groups)
            if all(any(to in lost or (points == 0 and to == len(turn.modes)) for points, to in c) for c in groups)
        }
        if more == lost:
            return turn.opening in lost or not all(turn.keep)
        lost = more


def _check_stops(game: Game, turn: TurnTable) -> None:
    """Refuse plays that differ in the dice they leave and in nothing that a stop says."""
    for mode in turn.modes:
        for roll in checked_rolls(game, mode):
            left: dict[Any, Any] = {}
            for play in checked_plays(game, mode, roll):
                if left.setdefault((play.points, play.kept), play.mode) != play.mode:
                    raise RulesError(
                        f"with piggyback a stop says which dice are left, but two plays of {roll!r} with {play.points} "
                        "points do not; give each play the dice set aside (kept)"
                    )


# ---------------------------------------------------------------- values as floats


@dataclass(frozen=True, eq=False)
class PiggybackValues:
    """`worth[mine, theirs]` of beginning a turn, `rolled[mine, offer, mode]` of taking over an offer."""

    tables: PiggybackTables
    worth: Values
    rolled: Values

    def begun(self, mine: int, theirs: int) -> Number:
        """Return the value of a position for the player who begins a turn."""
        return float(self.worth[mine, theirs])

    def taken(self, mine: int, theirs: int, units: int, mode: int) -> Number:
        """Return the value of taking over an offer."""
        return float(self.rolled[mine, self.tables.offer(theirs, units), mode])

    def rows(self, mine: int, theirs: int) -> Any:
        """Return the moments of a turn: [units at risk, mode, (value, bust chance)], one play past the target."""
        turn = self.tables.table.turn
        rows = np.zeros((self.tables.table.scores - mine + turn.max_points + 1, len(turn.modes) + 1, 2))
        kernels.walk_piggyback(*self.kernel[0], mine=mine, theirs=theirs, rows=rows, **self.kernel[1])
        return rows

    @property
    def kernel(self) -> tuple[tuple[Any, ...], JsonObject]:
        """The race as the compiled passes take it."""
        of = self.tables
        values = {"worth": np.asarray(self.worth), "rolled": np.asarray(self.rolled)}
        return (of.table.kernel,), {"prize": of.prize, "sum": float(of.goal.ending.total), **values}


def solve_piggyback(
    tables: PiggybackTables, *, threads: int | None = None, progress: Progress | None = None
) -> PiggybackValues:
    """Return the values of all positions and offers."""
    check_work(tables, threads)
    values = PiggybackValues(tables, *(np.zeros(shape) for shape in tables.shapes.values()))
    _run(kernels.solve_piggyback, values, threads, progress)
    return values


def certify_piggyback(
    values: PiggybackValues, *, threads: int | None = None, progress: Progress | None = None
) -> float:
    """Return a bound of the error of all values, of positions and of offers: a pass with directed rounding."""
    bound: float = _run(kernels.certify_piggyback, values, threads, progress)
    return bound


def _run(kernel: Any, values: PiggybackValues, threads: int | None, progress: Progress | None) -> Any:
    tables, (positional, named) = values.tables, values.kernel
    steps = tables.work(1).seconds * STEPS_A_SECOND
    call = partial(kernel, *positional, threads=threads_for(threads, steps), **named)
    pairs = tables.table.scores * (tables.table.scores + 1) // 2
    return run_pass(call, steps=steps, total=pairs, progress=progress)
