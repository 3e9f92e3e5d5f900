"""Can't Stop played with random dice, on any board, alone or for two.

Strategies that weigh columns are played by the kernel (`board_simulate.hpp`), which has the rules a second time and shares
nothing with the solvers; any other is asked move by move in Python. Game number n of a seed has its own random numbers,
so the outcome depends on the seed alone.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jeopardice.columns.strategy import BoardMoment, BoardStrategy
from jeopardice.engine.tally import COUNTS, Counts, Estimate, Played, check_asked
from jeopardice.games.cant_stop import CantStop, Markers, Standing
from jeopardice.kernels import Progress, kernels, thread_count, watched
from jeopardice.rules.goal import Race
from jeopardice.types import JsonObject

MOST_TURNS = COUNTS - 1
"""A game that lasts longer is given up and counted as drawn."""
MOST_COLUMNS = 63


@dataclass(frozen=True, eq=False)
class SimulatedBoards(Played):
    """Games on a board; `drawn` ended without a winner.

    `won[column - 2]` counts games whose winner had completed the column, `chosen[column - 2]` plays that climbed it.
    """

    games: int
    drawn: int
    rolls: int
    turns: Counts = field(repr=False)
    busts: Counts = field(repr=False)
    won: Counts = field(repr=False)
    chosen: Counts = field(repr=False)

    @property
    def law_of_turns(self) -> dict[int, float]:
        """The share of games that took each number of turns."""
        counts = self.turns.sum(axis=0)
        return {int(n): float(counts[n] / self.games) for n in np.flatnonzero(counts)}


def compiled_habits(strategies: Sequence[BoardStrategy]) -> list[kernels.BoardHabit | kernels.BoardLookAhead]:
    """Return what the compiled simulation needs to know of these strategies; nothing if it does not cover one of them."""
    habits = [strategy.kernel() for strategy in strategies if hasattr(strategy, "kernel")]
    return habits if len(habits) == len(strategies) else []


def simulate_boards(
    goal: Race,
    *strategies: BoardStrategy,
    games: int,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    start: tuple[Standing, ...] | None = None,
    seen: NDArray[np.int8] | None = None,
) -> SimulatedBoards:
    """Play `games` games, one strategy per seat; `start` are everybody's standings, the first about to roll.

    An array `seen` of a row per game (see `seen_positions`) is filled where the kernel knows the strategies.

    >>> from jeopardice.columns.strategy import roll_times
    >>> game = CantStop(sides=2, shortest=1)
    >>> simulate_boards(Race(game), roll_times(game, 3), games=100_000).mean_turns.is_near(1.773294155)
    True
    """
    check_asked(goal.players, len(strategies), games, seed)
    game: CantStop = goal.game
    counts: JsonObject = {"turns": np.zeros((2, COUNTS), np.int64), "busts": np.zeros(COUNTS, np.int64)}
    counts |= {name: np.zeros(len(game.columns), np.int64) for name in ("won", "chosen")}
    begun = start or (game.opening,) * goal.players
    habits = compiled_habits(strategies)
    if habits and game.dice == 4 and len(game.columns) <= MOST_COLUMNS:
        sums = np.zeros(2, np.int64)
        call = partial(
            kernels.simulate_boards, sides=game.sides, lengths=list(game.lengths), columns_to_win=game.columns_to_win,
            markers=game.markers, closed_to_both=game.closed_to_both, first=habits[0], second=habits[-1],
            seats=len(habits), games=games, seed=seed, most_turns=MOST_TURNS, sums=sums, threads=thread_count(threads),
            start=[space for standing in (*begun, *begun)[:2] for space in standing],
            seen=np.zeros((0, 1), np.int8) if seen is None else seen, **counts,
        )  # fmt: skip
        watched(call, games, progress)
        return SimulatedBoards(games, int(sums[0]), int(sums[1]), **counts)
    table = _Table(game, strategies, counts, begun)
    for number in range(games):
        table.play(random.Random(f"{seed}/{number}"))
        if progress is not None and number % 64 == 0:
            progress(number, games)
    return SimulatedBoards(games, table.drawn, table.rolls, **counts)


class SeenPositions(NamedTuple):
    """One position of each game as a turn began: spaces of the player to roll and of the other, and who won in the end."""

    mine: NDArray[np.int8]
    theirs: NDArray[np.int8]
    won: NDArray[np.float64]


def seen_positions(
    goal: Race, *strategies: BoardStrategy, games: int, seed: int = 0, threads: int | None = None
) -> SeenPositions:
    """Play games for two with strategies that the kernel knows; return one position of each, any turn as likely as others."""
    columns = len(goal.game.columns)
    seen = np.zeros((games, 2 * columns + 1), np.int8)
    simulate_boards(goal, *strategies, games=games, seed=seed, threads=threads, seen=seen)
    won = np.choose(seen[:, -1], (0.0, 1.0, 0.5))
    return SeenPositions(seen[:, :columns], seen[:, columns:-1], won)


def rollout_chance(
    goal: Race, strategy: BoardStrategy, standings: tuple[Standing, ...], *, games: int = 2000, seed: int = 0
) -> Estimate:
    """Return the chance to win of the player about to roll if both play a strategy from here, with its standard error."""
    played = simulate_boards(goal, strategy, strategy, games=games, seed=seed, start=standings)
    chance = (played.wins.mean * games + played.drawn / 2) / games
    return Estimate(chance, sqrt(max(chance * (1 - chance), 0.25 / games) / games))


class _Table:
    """Plays game after game and counts."""

    def __init__(self, game: CantStop, strategies: tuple[BoardStrategy, ...], counts: JsonObject, start: Any) -> None:
        self.game, self.strategies, self.counts, self.start = game, strategies, counts, start
        self.rolls = self.drawn = 0
        self._faces = range(1, game.sides + 1)

    def play(self, dice: random.Random) -> None:
        """Play one game to its end."""
        game, busts = self.game, 0
        standings = self.start
        for turn in range(1, MOST_TURNS + 1):
            seat = (turn - 1) % len(standings)
            if game.is_drawn(standings):
                break
            markers = self._turn(self.strategies[seat], BoardMoment(game, standings, seat), dice)
            busts += not markers
            mine = game.bank(standings[seat], markers)
            standings = (*standings[:seat], mine, *standings[seat + 1 :])
            if game.is_won(mine):
                self.counts["turns"][seat, min(turn, COUNTS - 1)] += 1
                self.counts["busts"][min(busts, COUNTS - 1)] += 1
                self.counts["won"] += np.equal(mine, game.lengths)
                return
        self.drawn += 1

    def _turn(self, strategy: BoardStrategy, moment: BoardMoment, dice: random.Random) -> Markers:
        """Return the markers that are banked; none after a bust."""
        game, mine = self.game, moment.mine
        while True:
            self.rolls += 1
            roll = tuple(sorted(dice.choices(self._faces, k=game.dice)))
            plays = game.plays(mine, moment.markers, roll, moment.closed)
            if not plays:
                return ()
            picked = strategy.chosen(moment, plays)
            after = picked[0] if len(picked) == 1 else dice.choice(list(picked))
            before = dict(moment.markers)
            for column, space in after:
                self.counts["chosen"][column - 2] += before.get(column) != space
            moment = moment.after(after)
            if game.is_won(mine, after):
                return after
            stop = strategy.stop_chance(moment)
            if stop >= 1 or (stop > 0 and dice.random() < stop):
                return after
