"""Games played from the rules with random dice: the check that shares no solver code.

Every roll is drawn from the rules' own rolls with their whole-number weights, every decision is looked up in the
strategy's plan. Game number n of a seed has its own random numbers, whichever thread plays it, so the outcome depends
on the seed alone. Means come with their standard errors.
"""

from dataclasses import dataclass, field
from functools import partial

import numpy as np

from jeopardice.engine.tally import (
    COUNTS,
    MOST_TURNS,
    Counts,
    Estimate,
    Played,
    check_asked,
    mean_of,
    share_of,
    weighted_mean,
)
from jeopardice.errors import RulesError
from jeopardice.kernels import Progress, kernels, thread_count, watched
from jeopardice.points.plan import CountingRolls, Plan, plan_of
from jeopardice.points.strategy import Strategy, rolls_remembered
from jeopardice.points.tables import TurnTable, checked_rolls
from jeopardice.rules.game import PointsGame
from jeopardice.rules.goal import Goal, Race, Turn, race_of


@dataclass(frozen=True, eq=False)
class SimulatedTurns:
    """Turns on their own: how often each score (in units) and each number of rolls came up."""

    unit: int
    scores: Counts = field(repr=False)
    rolls: Counts = field(repr=False)

    @property
    def mean_score(self) -> Estimate:
        """The mean score, in points."""
        return mean_of(self.scores, self.unit)

    @property
    def mean_rolls(self) -> Estimate:
        """The mean number of rolls."""
        return mean_of(self.rolls)

    @property
    def busts(self) -> Estimate:
        """The share of turns that scored nothing."""
        return share_of(int(self.scores[0]), int(self.scores.sum()))


@dataclass(frozen=True, eq=False)
class SimulatedRaces(Played):
    """Races: `losers[seat]` counts the standings, in units, of those who lost to the seat; alone, only seat 0 plays."""

    games: int
    unfinished: int
    rolls: int
    turns: Counts = field(repr=False)
    busts: Counts = field(repr=False)
    losers: tuple[Counts, Counts] = field(repr=False)

    def margin(self, target: int, units: tuple[int, int] = (1, 1)) -> Estimate:
        """Return the mean margin of the first seat: the target minus the loser's score, negative for a loss."""
        first = target - np.arange(len(self.losers[0])) * units[1]
        second = np.arange(len(self.losers[1])) * units[0] - target
        return weighted_mean(np.concatenate((first, second)), np.concatenate(self.losers))


def simulate(
    goal: Goal,
    *strategies: Strategy,
    games: int,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> SimulatedTurns | SimulatedRaces:
    """Play `games` turns or races, one strategy per seat, and return what came of them.

    >>> from jeopardice import Pig
    >>> from jeopardice import StopAt
    >>> simulate(Turn(Pig()), StopAt(20), games=100_000, seed=7).mean_score.is_near(8.141794893727)
    True
    """
    goal = goal if isinstance(goal, Turn) else race_of(goal)
    check_asked(goal.players, len(strategies), games, seed)
    if isinstance(goal, Race) and goal.target is None:
        raise ValueError(f"a race needs a target, and {goal.game!r} names no usual one; say target=...")
    if isinstance(goal, Race) and not goal.is_plain:
        raise RulesError(
            "plans know scores alone; races with open_from, penalties, last_round or piggyback are played move by move, by "
            "jeopardice.analysis.several.simulate_seats"
        )
    plans = [plan_of(strategy, goal, seat) for seat, strategy in enumerate(strategies)]
    falls = [_falls(_game(goal, seat, strategy), plans[seat].table) for seat, strategy in enumerate(strategies)]
    if isinstance(goal, Turn):
        return _turns(plans[0], falls[0], games, seed, thread_count(threads), progress)
    return _races(goal, plans, falls, games, seed, thread_count(threads), progress)


def _turns(
    plan: Plan, falls: kernels.Falls, turns: int, seed: int, threads: int, progress: Progress | None
) -> SimulatedTurns:
    scores = np.zeros(len(plan.stop) + plan.table.max_points + 1, np.int64)
    rolls = np.zeros(COUNTS, np.int64)
    call = partial(
        kernels.simulate_turns, plan.kernel, falls, turns=turns, seed=seed, scores=scores, rolls=rolls, threads=threads
    )
    watched(call, turns, progress)
    return SimulatedTurns(plan.table.unit, scores, rolls)


def _races(
    goal: Race,
    plans: list[Plan],
    falls: list[kernels.Falls],
    games: int,
    seed: int,
    threads: int,
    progress: Progress | None,
) -> SimulatedRaces:
    targets = [plan.plan_of.shape[0] for plan in plans]
    least = [max(1, -(-goal.house.least_bank(goal.house.opening) // plan.table.unit)) for plan in plans]
    turns, busts, sums = np.zeros((2, COUNTS), np.int64), np.zeros(COUNTS, np.int64), np.zeros(4, np.int64)
    losers = (np.zeros(targets[-1], np.int64), np.zeros(targets[0], np.int64))
    call = partial(
        kernels.simulate_race, plans[0].kernel, plans[-1].kernel, falls[0], falls[-1], seats=len(plans),
        first_target=targets[0], second_target=targets[-1], first_least=least[0],
        second_least=least[-1], exact=goal.finish == "exact", games=games, seed=seed,
        most_turns=MOST_TURNS, turns=turns, first_loser=losers[0], second_loser=losers[1], busts=busts, sums=sums,
        threads=threads,
    )  # fmt: skip
    watched(call, games, progress)
    if sums[3]:
        raise RuntimeError(f"a plan stopped {sums[3]:,} times where the rules forbid it; please report this")
    return SimulatedRaces(games, int(sums[0]), int(sums[2]), turns, busts, losers)


def _game(goal: Turn | Race, seat: int, strategy: Strategy) -> PointsGame:
    game: PointsGame = goal.game
    if isinstance(goal, Race) and seat and goal.opponent is not None:
        game = goal.opponent
    counted = rolls_remembered(strategy)
    return CountingRolls(game, counted) if counted else game


def _falls(game: PointsGame, table: TurnTable) -> kernels.Falls:
    """Return the rolls of every mode as the rules give them, ready to be drawn by the alias method; -1 is a bust."""
    first_roll, keep, alias, group = [0], [], [], []
    index = {mode: i for i, mode in enumerate(table.modes)} | {None: len(table.modes)}
    first_group = table.arrays["first_group"].tolist()
    for number, mode in enumerate(table.modes):
        offered = {frozenset(choices): first_group[number] + g for g, choices in enumerate(table.groups[number])}
        rolls = checked_rolls(game, mode)
        for roll in rolls:
            plays = {(play.points // table.unit, index[play.mode]) for play in game.plays(mode, roll)}
            # a plan may leave out plays with fewer points in the same mode
            most = {(points, to) for points, to in plays if points == max(p for p, m in plays if m == to)}
            kept = frozenset(plays if frozenset(plays) in offered else most)
            group.append(offered[kept] if plays else -1)
        keeps, aliases = alias_table(list(rolls.values()))
        keep += keeps
        alias += [first_roll[-1] + to for to in aliases]
        first_roll.append(len(keep))
    return kernels.Falls(
        first_roll=np.array(first_roll, np.int32), keep=np.array(keep, np.uint64), alias=np.array(alias, np.int32),
        group=np.array(group, np.int32),
    )  # fmt: skip


def alias_table(weights: list[int]) -> tuple[list[int], list[int]]:
    """Return for each of n equal columns the fraction of 2**64 that keeps it, and where the rest goes (Walker).

    >>> alias_table([1, 3])
    ([9223372036854775807, 18446744073709551615], [1, 1])
    """
    n, total = len(weights), sum(weights)
    left = [weight * n for weight in weights]
    low = [i for i in range(n) if left[i] < total]
    high = [i for i in range(n) if left[i] >= total]
    keep, alias = [2**64 - 1] * n, list(range(n))
    while low:
        poor, rich = low.pop(), high[-1]
        keep[poor], alias[poor] = max(left[poor] * 2**64 // total - 1, 0), rich
        left[rich] -= total - left[poor]
        if left[rich] < total:
            low.append(high.pop())
    return keep, alias
