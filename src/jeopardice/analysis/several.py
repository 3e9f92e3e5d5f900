"""Given strategies at a race of three and more: exact chances, best responses, and games with random dice.

With a strategy for every seat the race is a Markov chain, solved by the passes that find equilibria (`points/many.py`) with
nothing left to choose. A seat without a strategy plays its best response to the others. Strategies look at the own standing
alone (stop-at-20, fewest-turns), or are best play of the race itself. Under rules that plans do not know (penalties, a minimum
to open, a last round, piggyback) the game is written out instead, for two players too (`written_out.py`).
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations

import numpy as np

from jeopardice.analysis.plan_laws import plan_tables
from jeopardice.analysis.written_out import written_out_values
from jeopardice.engine.tally import Counts, Estimate, check_asked, mean_of, share_of
from jeopardice.family import family_of
from jeopardice.kernels import Progress
from jeopardice.kernels.stopping import check_wanted
from jeopardice.points.judge import PointsJudge
from jeopardice.points.many import MOST_GUIDED, Given, ManyTables, certify_many, check_many, solve_many
from jeopardice.points.match import match_of
from jeopardice.points.named_strategies import at_seat
from jeopardice.points.plan import plan_of
from jeopardice.points.race_table import RaceTable, race_tables
from jeopardice.points.solution import ManySolution
from jeopardice.points.strategy import BestPlay, StopAt, Strategy, is_blind_to_opponent
from jeopardice.rules.goal import Race

MOST_SEATINGS = 24
MOST_TURNS = 1_000_000


@dataclass(frozen=True, eq=False)
class SeatChances:
    """What strategies come to, one per seat: `values` in the order of play, each within `error_bound`."""

    goal: Race
    names: tuple[str, ...]
    values: tuple[float, ...]
    error_bound: float


def seat_chances(
    goal: Race, *strategies: Strategy | None, threads: int | None = None, progress: Progress | None = None
) -> SeatChances:
    """Return the exact chances of strategies, one for each seat; None plays the best response to the others.

    >>> from jeopardice import Pig
    >>> [round(value, 6) for value in seat_chances(Race(Pig(), 20, players=3), *[StopAt(10)] * 3).values]
    [0.509972, 0.305772, 0.184256]
    """
    check_asked(goal.players, len(strategies), 1, 0)
    names = tuple("best response" if strategy is None else strategy.name for strategy in strategies)
    if not goal.is_plain:
        worths, bound = written_out_values(goal, strategies, progress=progress)
        return SeatChances(goal, names, worths, bound)
    tables = race_tables(goal)
    check_many(goal, tables)
    given = tuple(None if s is None else _given(s, goal, tables, seat) for seat, s in enumerate(strategies))
    many = ManyTables(tables, given=given)
    values = solve_many(many, threads=threads, progress=progress)
    start = values.worths[0][tuple(tables[seat].start for seat in range(goal.players))]
    return SeatChances(goal, names, tuple(start.tolist()), sum(certify_many(many, values, threads=threads)))


def all_seatings(
    goal: Race, strategies: Sequence[Strategy], *, progress: Progress | None = None
) -> list[tuple[tuple[int, ...], tuple[float, ...]]]:
    """Return the chances for every order of seats, as (which strategy sits where, chances by seat).

    All seats play the same game. With more than four players only the rotations of the order given are taken.
    """
    numbers = range(len(strategies))
    orders = list(permutations(numbers))
    if len(orders) > MOST_SEATINGS:
        orders = [tuple((seat + turn) % len(strategies) for seat in numbers) for turn in numbers]
    seatings = []
    for done, order in enumerate(orders):
        if progress is not None:
            progress(done, len(orders))
        seated = [at_seat(strategies[number], seat) for seat, number in enumerate(order)]
        seatings.append((order, seat_chances(goal, *seated).values))
    return seatings


def _given(strategy: Strategy, goal: Race, tables: tuple[RaceTable, ...], seat: int) -> Given:
    if isinstance(strategy, BestPlay) and isinstance(strategy.solution, ManySolution):
        solution = strategy.solution
        if solution.goal != goal:
            raise ValueError(f"{strategy.name} was solved for another race; solve it for {goal!r}")
        if goal.players > MOST_GUIDED:
            raise ValueError(f"best play is followed exactly for at most {MOST_GUIDED} players, got {goal.players}")
        own = 0 if solution.many.symmetric else seat
        after = 0 if solution.many.symmetric else (seat + 1) % goal.players
        mixed = [(seat, position, share) for s, position, share in solution.solved.mixed if s == own]
        return Given(guide=solution.solved.worths[after], mixed=mixed)
    if not (isinstance(strategy, StopAt) or is_blind_to_opponent(strategy)):
        raise ValueError(
            f"{strategy.name} may look at the opponents; for three and more players a strategy must look at the own score "
            "alone (say ignores_opponent=True if it does)"
        )
    return Given(law=_law(strategy, goal, tables[seat], seat))


def _law(
    strategy: Strategy, goal: Race, table: RaceTable, seat: int
) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    """Return the chances of what a turn banks: [standing, units up to the target]; the rest is a bust."""
    law = np.zeros((table.scores, len(table.records), table.scores + 1))
    for r, record in enumerate(table.records):
        least = goal.house.least_bank(record)
        alone = Race(goal.games[seat], goal.target, finish=goal.finish, bank_from=least)
        plan = plan_of(strategy, alone)
        chances = plan_tables(plan).chance
        ratio = plan.table.unit // table.unit
        for score in range(table.scores):
            row = chances[plan.plan_of[min(score // ratio, len(plan.plan_of) - 1), 0]]
            for units, chance in enumerate(row[1:], 1):
                to = score + units * ratio
                if to <= table.scores or not table.must_hit:
                    law[score, r, min(to, table.scores) - score] += chance
    return law.reshape(table.standings, table.scores + 1)


# ---------------------------------------------------------------- games with random dice


@dataclass(frozen=True, eq=False)
class SimulatedSeats:
    """Races move by move: how often each seat won, and how many turns they took."""

    games: int
    won: tuple[float, ...]
    turns: Counts = field(repr=False)

    @property
    def wins(self) -> tuple[Estimate, ...]:
        """Each seat's share of wins."""
        return tuple(share_of(count, self.games) for count in self.won)

    @property
    def mean_turns(self) -> Estimate:
        """The mean number of turns, all seats together."""
        return mean_of(self.turns)


def simulate_seats(
    goal: Race, *strategies: Strategy, games: int, seed: int = 0, progress: Progress | None = None
) -> SimulatedSeats:
    """Play races with random dice, move by move from the rules, one strategy per seat; a shared win is divided."""
    check_asked(goal.players, len(strategies), games, seed)
    family = family_of(goal.game)
    match, dice = match_of(goal), random.Random(seed)
    judges = [
        PointsJudge(s.solution) if isinstance(s, BestPlay) and s.solution.goal == goal else None for s in strategies
    ]
    won, turns = [0.0] * goal.players, [0] * 64
    for game in range(games):
        check_wanted()
        if progress is not None and game % 64 == 0:
            progress(game, games)
        spot = match.start()
        while not match.is_over(spot) and match.turn(spot) < MOST_TURNS:
            if rolls := match.rolls(spot):
                spot = match.after_roll(spot, dice.choices(list(rolls), list(rolls.values()))[0])
                continue
            seat = match.seat(spot)
            judge = judges[seat]
            if judge is None:
                play = family.play_of(strategies[seat], match, spot)
            else:
                options = judge.options_at(spot)
                shares = [option.share or 0.0 for option in options]
                play = (dice.choices(options, shares)[0] if any(shares) else options[0]).match_play
            spot = match.after_play(spot, play)
        returns = match.returns(spot)
        winners = [seat for seat, value in enumerate(returns) if value == max(returns)]
        for seat in winners:
            won[seat] += 1 / len(winners)
        turns += [0] * (match.turn(spot) + 1 - len(turns))
        turns[match.turn(spot)] += 1
    return SimulatedSeats(games, tuple(won), np.array(turns, np.int64))
