"""Races solved: one anchor per standing alone, one pair of anchors per position of two.

The kernels in `alone.hpp` and `race.hpp` say how an anchor is found. Which of them is used follows from the rules between
turns: where a bust leads back to its own standing, one bracketed Newton per anchor, from the end of the race back to its
start; where it changes a record or lowers a score, sweeps. Cost: alone about three walks of a turn per standing, for two
four to six per position. Memory: two numbers per standing or position, one turn per thread.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.engine.work import check_memory
from jeopardice.errors import RulesError
from jeopardice.kernels import Progress, kernels, thread_count, watched
from jeopardice.points.race_table import RaceTable
from jeopardice.rules.ending import Ending
from jeopardice.rules.goal import Race
from jeopardice.types import JsonObject

Values = NDArray[np.float64]
NOTHING: Values = np.zeros(0)

BRIEF = 2_000_000
"""Passes of fewer steps (units x plays) than this are over before anyone could interrupt them; they run in line."""

MOST_SWEEPS = 20_000
NEGLIGIBLE = 1e-17
"""A last round is followed as far ahead as the others have at least this chance to catch up."""


def run_pass(call: "partial[Any]", *, steps: float, total: int, progress: Progress | None) -> Any:
    """Run a kernel: in line if it is brief, else watched."""
    if progress is None and steps < BRIEF:
        return call(done=np.zeros(1, np.int64), cancelled=np.zeros(1, np.int32))
    return watched(call, total, progress)


def bar_of_passes(progress: Progress | None, passes: int, usual: int, total: int) -> Progress | None:
    """Return the progress of one more pass of `total` steps, as a part of the number of passes that is usual."""
    if progress is None:
        return None
    expected = max(passes + 1, usual)
    return lambda done, _: progress(passes * total + done, expected * total)


# ---------------------------------------------------------------- alone


def solve_alone(
    table: RaceTable, *, turn_cost: float = 1.0, roll_cost: float = 0.0, progress: Progress | None = None
) -> Values:
    """Return minus the expected cost by standing; -inf where no strategy is sure to reach the target.

    A race that is not even sure to be won from its start is refused.
    """
    worth = expected_costs(table, turn_cost=turn_cost, roll_cost=roll_cost, progress=progress)
    if not np.isfinite(worth[table.start]):
        raise RulesError(no_way(table))
    return worth


def expected_costs(
    table: RaceTable, *, turn_cost: float = 1.0, roll_cost: float = 0.0, progress: Progress | None = None
) -> Values:
    """Return minus the expected cost by standing, wherever it is finite."""
    worth = np.zeros(table.standings)
    steps = table.standings * _plays(table) * (50 if table.may_cut else table.scores)
    costs: JsonObject = {"turn_cost": turn_cost, "roll_cost": roll_cost, "worth": worth}
    call: partial[Any]
    if table.busts_stay:
        call = partial(kernels.solve_alone, table.kernel_alone, bound=_stop_bounds(table, table.scores), **costs)
        run_pass(call, steps=steps, total=table.scores, progress=progress)
    else:
        call = partial(kernels.sweep_alone, table.kernel_alone, most_sweeps=MOST_SWEEPS, **costs)
        if not run_pass(call, steps=100 * steps, total=MOST_SWEEPS, progress=progress):
            raise RulesError("under these penalties no strategy is sure to reach the target; choose a smaller penalty")
    return worth


def can_score(table: RaceTable) -> bool:
    """Whether some turn from the start can end without a bust: reach the target, or bank what the rules ask for."""
    turn, least, goal = table.turn, int(table.least_bank[0]), table.target
    reached, waiting = {(0, turn.opening)}, [(0, turn.opening)]
    while waiting:
        t, mode = waiting.pop()
        if mode == len(turn.modes):
            if 0 < t <= goal or (t > goal and not table.must_hit):
                return True
            continue
        if t and turn.may_stop[mode] and (t >= least or t >= goal) and (t <= goal or not table.must_hit):
            return True
        for choices in turn.groups[mode]:
            for points, to in choices:
                after = (min(t + points, goal + 1), to)
                if after not in reached:
                    reached.add(after)
                    waiting.append(after)
    return False


def no_way(table: RaceTable) -> str:
    """Return why a race cannot be won from its start."""
    if table.must_hit:
        return f"no strategy is sure to land exactly on {table.target * table.unit}; choose another target"
    return "no turn of this game can bank what the rules ask for, so nobody gets ahead; lower bank_from or open_from"


def solve_within(table: RaceTable, turns: int, *, progress: Progress | None = None) -> Values:
    """Return the best chance to finish: [turns left, standing]."""
    chance = np.zeros((turns + 1, table.standings))
    call = partial(kernels.solve_within, table.kernel_alone, turns=turns, chance=chance)
    steps = turns * table.standings * table.scores * _plays(table)
    run_pass(call, steps=steps, total=turns, progress=progress)
    return chance


# ---------------------------------------------------------------- two players


@dataclass(frozen=True, eq=False)
class CatchUp:
    """The last round of one seat: `chance[d]` of the other to make up d units, and the bust value up to which one stops."""

    chance: Values
    stop_bound: Values

    @classmethod
    def none(cls) -> "CatchUp":
        """A race without a last round."""
        return cls(NOTHING, NOTHING)


@dataclass(frozen=True, eq=False)
class DuelTables:
    """A race for two: each seat's table, what reaching the target is worth to it, and the last round."""

    tables: tuple[RaceTable, RaceTable]
    ending: Ending
    prizes: tuple[Values, Values]
    catch_up: tuple[CatchUp, CatchUp]

    @property
    def symmetric(self) -> bool:
        """Whether both seats play the same game."""
        return self.tables[0] is self.tables[1]

    @property
    def shape(self) -> tuple[int, int]:
        """How many standings each seat has."""
        return self.tables[0].standings, self.tables[1].standings

    @property
    def steps(self) -> float:
        """About how many steps one walk of every position takes."""
        long = 50 if self.tables[0].may_cut and self.tables[1].may_cut else max(t.scores for t in self.tables)
        return self.shape[0] * self.shape[1] * long * max(map(_plays, self.tables)) / 4

    @property
    def diagonal_steps(self) -> int:
        """How much `done` counts up to in one pass over all pairs of scores."""
        pairs = self.tables[0].scores * self.tables[1].scores
        return (pairs + self.tables[0].scores) // 2 if self.symmetric else pairs

    def seats(self, worths: tuple[Values, Values], *, cut: bool = True) -> list[Any]:
        """Return both seats as the kernels take them, over these values."""
        seats: list[Any] = []
        for s, (mine, other) in enumerate((self.tables, self.tables[::-1])):
            if s and self.symmetric:
                seats.append(seats[0])
                continue
            bound = _stop_bounds(mine, 2 * other.standings * mine.scores) if cut else NOTHING
            seats.append(
                kernels.Seat(
                    mine.kernel, prize=self.prizes[s], caught=self.catch_up[s].chance,
                    caught_bound=self.catch_up[s].stop_bound, worth=worths[s], bound=bound,
                )
            )  # fmt: skip
        return seats

    def empty(self, value: float = 0.0) -> tuple[Values, Values]:
        """Return room for both seats' values, shared if the seats are one."""
        first = np.full(self.shape, value)
        return first, first if self.symmetric else np.full(self.shape[::-1], value)


def check_pairs(tables: tuple[RaceTable, ...]) -> None:
    """Refuse a race for two with more pairs of standings than fit into memory."""
    pairs = tables[0].standings * tables[1].standings
    check_memory(pairs * (16 if tables[0] is tables[1] else 32), "this race for two", "choose a smaller target")


def duel_tables(tables: tuple[RaceTable, RaceTable], goal: Race) -> DuelTables:
    """Return a race for two, ready for the kernels; a last round is solved first. Refuse one that memory cannot hold."""
    check_pairs(tables)
    ending = goal.ending
    prizes: list[Values] = []
    rounds: list[CatchUp] = []
    for mine, other in (tables, tables[::-1]):
        other_points = (np.arange(other.scores) + other.lowest) * other.unit
        margin: Values = float(goal.target or 0) - other_points.astype(np.float64)
        prizes.append(np.ones(other.scores) if ending.payoff == "win" else margin)
        rounds.append(catch_up(mine, other, ending) if ending.last_round else CatchUp.none())
    if tables[0] is tables[1]:
        prizes[1], rounds[1] = prizes[0], rounds[0]
    return DuelTables(tables, ending, (prizes[0], prizes[1]), (rounds[0], rounds[1]))


def catch_up(mine: RaceTable, other: RaceTable, ending: Ending) -> CatchUp:
    """Return the other seat's best chance to overtake or tie in its last turn, by the units it is behind.

    Ahead by d at the end wins, a tie counts by the rule for ties. The chance falls with d and is followed until it is
    negligible. Where the target must be hit nobody can overtake, only tie.
    """
    tie = {"first": 0.0, "share": 0.5, "last": 1.0}[ending.ties]
    least = 1
    chances: list[float] = []
    while len(chances) <= mine.target - other.lowest or (
        not ending.must_hit and chances[-1] > NEGLIGIBLE and len(chances) < 40 * mine.target + 4000
    ):
        behind = len(chances)
        chances.append(_last_turn(other, behind, tie, ending.must_hit) if behind >= least else 1.0)
    if not ending.must_hit and chances[-1] > 1e-9:
        raise RulesError("these dice bust so rarely that a last round has no end; leave out last_round")
    chance = np.array(chances)
    bound = np.full(len(chance), np.inf)
    if mine.may_cut:
        bound = _bounds_ahead(mine, 1.0 - chance)
    return CatchUp(chance, bound)


def _last_turn(table: RaceTable, behind: int, tie: float, must_hit: bool) -> float:
    """Return the best chance of one turn that is `behind` units behind: more wins, as many ties."""
    turn = table.turn
    bank = np.ones(behind + 2 + turn.max_points)
    bank[:behind] = 0.0
    bank[behind] = tie
    rows = np.zeros((len(bank), len(turn.modes) + 1, 2))
    cut = behind if must_hit else behind + 1
    gain, _ = kernels.walk_anchor(
        turn.kernel, bank=bank, stop=bank, cut=cut, bust_from=behind + 1 if must_hit else 1 << 30, bust=0.0, roll_cost=0.0,
        rows=rows,
    )  # fmt: skip
    return float(gain)


def _bounds_ahead(table: RaceTable, stop: Values) -> Values:
    """Return the bust value up to which one stops from here on, by the units ahead (the stop bound of turn.hpp)."""
    turn, n = table.turn, len(stop)
    padded = np.concatenate([stop, np.full(turn.max_points, stop[-1])])
    least = np.full(n, np.inf)
    for mode, groups in enumerate(turn.groups):
        gain = np.zeros(n)
        for choices, weight in groups.items():
            gain += weight * np.max([padded[points : points + n] for points, _ in choices], axis=0)
        margin = stop * turn.total_weight[mode] - gain
        if turn.bust_weight[mode]:
            least = np.minimum(least, margin / turn.bust_weight[mode])
        else:
            least = np.where(margin < 0, -np.inf, least)
    least[-1] = np.inf
    return np.ascontiguousarray(np.minimum.accumulate(least[::-1])[::-1])


@dataclass(frozen=True, eq=False)
class DuelValues:
    """Each seat's value when it is to move: [its standing, the other's standing]; `width` bounds the error, if swept."""

    first: Values
    second: Values
    width: tuple[Values, Values] | None = None


def solve_duel(duel: DuelTables, *, threads: int | None = None, progress: Progress | None = None) -> DuelValues:
    """Return both seats' values where a bust leads back to its own standing."""
    worths = duel.empty()
    call = partial(
        kernels.solve_duel, *duel.seats(worths), sum=float(duel.ending.total), symmetric=duel.symmetric,
        from_draw=may_stall(duel), threads=threads_for(threads, duel.steps),
    )  # fmt: skip
    run_pass(call, steps=2 * duel.steps, total=duel.diagonal_steps, progress=progress)
    return DuelValues(*worths)


def may_stall(duel: DuelTables) -> bool:
    """Whether a race may go on for ever by the wish of both: then a draw counts for it."""
    return (
        duel.ending.must_hit or any(int(table.least_bank.max()) > 1 for table in duel.tables) or duel.ending.last_round
    )


def certify_duel(
    duel: DuelTables, values: DuelValues, *, threads: int | None = None, progress: Progress | None = None
) -> float:
    """Return a bound of the error of all values: what the sweeps left open, or a pass with directed rounding."""
    last_round = 0.0
    if duel.ending.last_round:
        cut_off = 0.0 if duel.ending.must_hit else max(float(round_.chance[-1]) for round_ in duel.catch_up)
        last_round = 1e-15 + 2 * cut_off
    if values.width is not None:
        reached = [
            np.where(np.repeat(np.arange(t.scores) + t.lowest >= 0, len(t.records)), t.reached.reshape(-1), False)
            for t in duel.tables
        ]
        widest = max(values.width[0][np.ix_(*reached)].max(), values.width[1][np.ix_(*reached[::-1])].max())
        return float(widest) + last_round
    call = partial(
        kernels.certify_duel, *duel.seats((values.first, values.second)), sum=float(duel.ending.total),
        symmetric=duel.symmetric, threads=threads_for(threads, duel.steps),
    )  # fmt: skip
    bound: float = run_pass(call, steps=2 * duel.steps, total=duel.diagonal_steps, progress=progress)
    return bound + last_round


def _plays(table: RaceTable) -> int:
    return len(table.turn.arrays["offset"])


def _stop_bounds(table: RaceTable, size: int) -> Values:
    return np.zeros(size) if table.may_cut else NOTHING


def threads_for(threads: int | None, steps: float) -> int:
    """Return how many threads a pass of this many steps is given."""
    return thread_count(threads) if steps > 10**6 else 1
