"""Any strategy against any other, exactly: by evaluating plans, not by playing games.

Under two fixed plans each pair of standings is two linear equations (see `plan.hpp`), so the chance to win is known to
rounding. If one seat is free to choose, its best answer is one Newton fixed point per pair: that is the **best
response**, and what it wins above an equal share is how far the other strategy can be exploited. Carried forward
instead, the same plans give laws: turns to the end, busts, the loser's score.

A race that neither plan ever ends counts half for each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import ceil

import numpy as np
from numpy.typing import NDArray

from jeopardice.analysis.written_out import written_out_values
from jeopardice.errors import RulesError, TooLargeError
from jeopardice.kernels import Progress, kernels, thread_count
from jeopardice.points.plan import Plan, plan_of
from jeopardice.points.race import DuelTables, DuelValues, duel_tables, run_pass
from jeopardice.points.race_table import RaceTable, target_in_units
from jeopardice.points.solution.duel import DuelSolution
from jeopardice.points.strategy import BestPlay, Strategy
from jeopardice.points.tables import TurnTable, lay_out
from jeopardice.rules.goal import Race, next_seat

MOST_MASS = 60_000_000
"""The law of a count holds at most this many chances at once (8 bytes each)."""


@dataclass(frozen=True, eq=False)
class HeadToHead:
    """Two strategies at one race: `first` plays first. Values are the goal's: chances to win, or margins."""

    goal: Race
    first: Strategy
    second: Strategy
    plans: tuple[Plan, Plan] = field(repr=False)
    worths: tuple[NDArray[np.float64], NDArray[np.float64]] = field(repr=False)

    @property
    def value(self) -> float:
        """What the race is worth to the strategy that plays first."""
        return float(self.worths[0][0, 0])

    def at(self, mine: int = 0, theirs: int = 0, *, seat: int = 0) -> float:
        """Return the value for the player in `seat` about to begin a turn."""
        units = [plan.table.unit for plan in self.plans]
        return float(self.worths[seat][mine // units[seat], theirs // units[next_seat(seat, 2)]])

    @cached_property
    def laws(self) -> "RaceLaws":
        """The exact laws of this match."""
        return RaceLaws(self.goal, self.plans)


def head_to_head(goal: Race, first: Strategy, second: Strategy, *, threads: int | None = None) -> HeadToHead:
    """Return the exact value of `first`, playing first, against `second`.

    >>> from jeopardice import Pig
    >>> from jeopardice import StopAt
    >>> round(head_to_head(Race(Pig(), 100, players=2), StopAt(20), StopAt(20)).value, 4)
    0.5347
    """
    plan = plan_of(first, _checked(goal), 0)
    reply = plan if first is second and goal.opponent is None else plan_of(second, goal, 1)
    return _evaluated(goal, first, second, (plan, reply), threads)


def _evaluated(
    goal: Race, first: Strategy, second: Strategy, plans: tuple[Plan, Plan], threads: int | None
) -> HeadToHead:
    seats, worths, steps = _seats(goal, (plans[0].table, plans[1].table))
    call = partial(
        kernels.evaluate_plans,
        seats[0],
        seats[1],
        plans[0].kernel,
        plans[1].kernel,
        sum=_total(goal),
        threads=thread_count(threads),
    )
    run_pass(call, steps=steps, total=worths[0].size, progress=None)
    return HeadToHead(goal, first, second, plans, worths)


@dataclass(frozen=True, eq=False)
class Comparison:
    """All against all: `first[a, b]` is the value of strategy a playing first against b, `even[a, b]` by coin toss."""

    goal: Race
    names: tuple[str, ...]
    first: NDArray[np.float64]

    @property
    def even(self) -> NDArray[np.float64]:
        """The value of the row's strategy when a coin decides who plays first."""
        return (self.first + _total(self.goal) - self.first.T) / 2


def compare(
    goal: Race,
    strategies: Sequence[Strategy],
    *,
    seconds: Sequence[Strategy] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Return every strategy against every other, both seats; each strategy is written out once per seat.

    Where the seats play different games, `seconds` are the same strategies for the second seat. Under rules that plans do
    not know, such as a last round, the games are written out spot by spot (`written_out.py`).
    """
    names = tuple(strategy.name for strategy in strategies)
    if goal.players == 2 and not goal.is_plain:
        values = np.zeros((len(names), len(names)))
        for a, b in np.ndindex(*values.shape):
            values[a, b] = written_out_values(goal, (strategies[a], (seconds or strategies)[b]))[0][0]
            if progress is not None:
                progress(a * len(names) + b + 1, values.size)
        return Comparison(goal, names, values)
    plans = [plan_of(strategy, _checked(goal), 0) for strategy in strategies]
    replies = plans
    if goal.opponent is not None:
        replies = [plan_of(strategy, goal, 1) for strategy in seconds or strategies]
    first = np.zeros((len(plans), len(replies)))
    for a, b in np.ndindex(*first.shape):
        first[a, b] = _evaluated(goal, strategies[a], strategies[b], (plans[a], replies[b]), threads).value
        if progress is not None:
            progress(a * len(replies) + b + 1, first.size)
    return Comparison(goal, names, first)


def best_response(goal: Race, strategy: Strategy, *, seat: int = 0, threads: int | None = None) -> BestPlay:
    """Return the best play of the player in `seat` against an opponent known to follow `strategy`.

    It is a strategy like any other; its `solution.value` is what seat 0 gets (see `response_value`).
    """
    plan = plan_of(strategy, _checked(goal), next_seat(seat, 2))
    # more points may be worse against an opponent who looks at the scores, so no play is dropped
    free = lay_out(goal.opponent if seat and goal.opponent is not None else goal.game, drop_dominated=False)
    tables = (free, plan.table) if seat == 0 else (plan.table, free)
    seats, worths, steps = _seats(goal, tables)
    order = seats if seat == 0 else seats[::-1]
    call = partial(
        kernels.respond_to_plan, order[0], order[1], plan.kernel, sum=_total(goal), threads=thread_count(threads)
    )
    run_pass(call, steps=10 * steps, total=worths[0].size, progress=None)
    solution = DuelSolution(goal, _duel(goal, tables), DuelValues(*worths))
    return BestPlay(solution, f"best-response-to-{strategy.name}", seat)


def response_value(response: BestPlay) -> float:
    """Return what a best response gets from its seat, at the start of the race (seat 0 begins)."""
    solution = response.solution
    if not isinstance(solution, DuelSolution):
        raise TypeError(f"best responses are for two players, got a solution of {solution.goal!r}")
    start = float(solution.worths[0][0, 0])
    return start if response.seat == 0 else float(solution.total) - start


def exploitability(goal: Race, strategy: Strategy, *, threads: int | None = None) -> float:
    """Return what the best opponent wins above an equal share, a coin deciding who plays first; 0 for best play.

    Both seats must play the same game.
    """
    if goal.opponent is not None:
        raise ValueError("an equal share needs equal games in both seats; leave out opponent=")
    won = sum(response_value(best_response(goal, strategy, seat=seat, threads=threads)) for seat in (0, 1))
    return max(0.0, won / 2 - _total(goal) / 2)  # below 0 is rounding


@dataclass(frozen=True, eq=False)
class CountLaw:
    """The law of a count (turns, busts); `chance[n]`, and by winner's seat `won[seat, n]`.

    `tail` bounds the chance of the counts left out, rounding aside.
    """

    won: NDArray[np.float64]
    tail: float

    @property
    def chance(self) -> NDArray[np.float64]:
        """The chance of each count."""
        total: NDArray[np.float64] = self.won.sum(axis=0)
        return total

    @property
    def mean(self) -> float:
        """The mean count (of those not left out)."""
        return float(self.chance @ np.arange(len(self.chance)))

    @property
    def variance(self) -> float:
        """The variance of the count (of those not left out)."""
        return float(self.chance @ np.arange(len(self.chance)) ** 2) - self.mean**2


@dataclass(frozen=True, eq=False)
class RaceLaws:
    """Exact laws of a race for two under given plans."""

    goal: Race
    plans: tuple[Plan, Plan]

    def turns(self, *, tail: float = 1e-12) -> CountLaw:
        """Return the law of the number of turns to the end, both players' together."""
        return self._count(1, 1, tail)

    def busts(self, *, tail: float = 1e-12) -> CountLaw:
        """Return the law of the number of busts, both players' together."""
        return self._count(0, 1, tail)

    def loser_scores(self) -> tuple[Mapping[int, float], Mapping[int, float]]:
        """Return, by the winner's seat, the chance that it wins against each final score of the loser, in points.

        Nothing is cut off. The margin of a win is the target minus that score.
        """
        ended = self._forward(1, 0, 0)
        units = [plan.table.unit for plan in self.plans]
        first, second = ({j * units[1 - s]: float(chance) for j, chance in enumerate(ended[s][:, 0])} for s in (0, 1))
        return first, second

    def _count(self, per_bank: int, per_bust: int, tail: float) -> CountLaw:
        counts = 64
        while True:
            ended = self._forward(counts, per_bank, per_bust)
            won = np.stack([ended[0].sum(axis=0), ended[1].sum(axis=0)])
            left = max(0.0, 1.0 - float(won.sum()))
            # sums of this many chances round at about this
            if left <= tail or left <= 1e-14 * counts:
                return CountLaw(won, left)
            if 2 * 2 * counts * self._pairs > MOST_MASS:
                return CountLaw(won, left)
            counts *= 2

    @property
    def _pairs(self) -> int:
        return int(self.plans[0].plan_of.size)

    def _forward(self, counts: int, per_bank: int, per_bust: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        if 2 * self._pairs * counts > MOST_MASS:
            raise TooLargeError(
                f"the distribution of a count over {self._pairs:,} pairs of standings does not fit; choose a target below "
                f"{ceil((MOST_MASS / 128) ** 0.5)} units"
            )
        first, second = (plan.plan_of.shape[0] for plan in self.plans)
        mass = (np.zeros((first, second, counts)), np.zeros((second, first, counts)))
        ended = (np.zeros((second, counts)), np.zeros((first, counts)))
        call = partial(
            kernels.count_law, self.plans[0].kernel, self.plans[1].kernel, first_target=first, second_target=second,
            exact=self.goal.finish == "exact", counts=counts, per_bank=per_bank, per_bust=per_bust, first_mass=mass[0],
            second_mass=mass[1], first_ended=ended[0], second_ended=ended[1],
        )  # fmt: skip
        run_pass(call, steps=self._pairs * counts * 50, total=self._pairs, progress=None)
        return ended


def _seats(
    goal: Race, tables: tuple[TurnTable, TurnTable]
) -> tuple[list[kernels.PlanSeat], tuple[NDArray[np.float64], NDArray[np.float64]], int]:
    """Return both seats as the kernels take them, the values they fill, and about how many steps a pass takes."""
    duel = _duel(goal, tables)
    targets, prizes = duel.shape, duel.prizes
    worths = (np.zeros(targets), np.zeros(targets[::-1]))
    nothing = np.zeros(1)
    seats = [
        kernels.PlanSeat(
            tables[s].kernel, target=targets[s], least_bank=goal.house.least_units(tables[s].unit),
            exact=goal.finish == "exact", prize=prizes[s], worth=worths[s], bound=nothing,
            alive=duel.tables[s].alive.astype(np.uint8),
        )
        for s in (0, 1)
    ]  # fmt: skip
    steps = targets[0] * targets[1] * 50 * max(len(table.arrays["offset"]) for table in tables)
    return seats, worths, steps


def _duel(goal: Race, tables: tuple[TurnTable, TurnTable]) -> DuelTables:
    """Return the race over the tables of plans."""
    seats = [RaceTable(table, goal.house, target_in_units(goal, table.unit), goal.ending.must_hit) for table in tables]
    return duel_tables((seats[0], seats[1]), goal)


def _checked(goal: Race) -> Race:
    if not goal.is_plain:
        raise RulesError(
            "plans know scores alone: with open_from, penalties, last_round or piggyback ask "
            "jeopardice.analysis.several.seat_chances(goal, first, second), or compare"
        )
    if goal.players != 2:
        raise ValueError(f"a match is for two players; set players=2, got {goal!r}")
    if goal.target is None:
        raise ValueError(f"a race needs a target, and {goal.game!r} names no usual one; say target=...")
    return goal


def _total(goal: Race) -> float:
    """Return what both players' values add up to."""
    return float(goal.payoff == "win")
