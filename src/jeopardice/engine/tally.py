"""What simulated games are counted in: means with their standard errors, counts of turns and busts."""

from dataclasses import dataclass
from math import sqrt
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

MOST_TURNS = 1_000_000
"""A game that lasts this many turns is given up and counted as unfinished."""

MOST_GAMES = 10**15

COUNTS = 4096
"""Counts of turns, busts and rolls are kept one by one up to here; the last place holds all beyond."""

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Estimate:
    """A mean over games, and its standard error."""

    mean: float
    standard_error: float

    def is_near(self, value: float, errors: float = 4.0) -> bool:
        """Say whether `value` lies within this many standard errors."""
        return abs(self.mean - value) <= errors * self.standard_error


class Played(Protocol):
    """Games of any kind: `turns[seat, n]` were won by the seat in turn n of all, `busts[n]` of these had n busts."""

    games: int
    turns: Counts
    busts: Counts

    @property
    def wins(self) -> Estimate:
        """The share of games that the first seat won."""
        return share_of(int(self.turns[0].sum()), self.games)

    @property
    def mean_turns(self) -> Estimate:
        """The mean number of turns of the games that were won, all players' together."""
        return mean_of(self.turns.sum(axis=0))

    @property
    def mean_busts(self) -> Estimate:
        """The mean number of busts of the games that were won."""
        return mean_of(self.busts)


def check_asked(players: int, strategies: int, games: int, seed: int) -> None:
    """Refuse more or fewer strategies than players, no games, and a seed that the kernels cannot hold."""
    if strategies != players:
        raise ValueError(f"one strategy per player: {players} needed, got {strategies}")
    if not 1 <= games <= MOST_GAMES or not 0 <= seed < 2**64:
        raise ValueError(
            f"games lies between 1 and {MOST_GAMES:,} and seed below 2**64, got games={games!r}, seed={seed!r}"
        )


def share_of(count: float, games: int) -> Estimate:
    """Return the share of games that a count is."""
    share = count / games
    return Estimate(share, sqrt(share * (1 - share) / games))


def mean_of(counts: Counts, unit: int = 1) -> Estimate:
    """Return the mean of a quantity of which counts[n] games had n units."""
    return weighted_mean(np.arange(len(counts)) * unit, counts)


def weighted_mean(values: Counts, counts: Counts) -> Estimate:
    """Return the mean of values that came up so often each."""
    games = int(counts.sum())
    if games == 0:
        return Estimate(float("nan"), float("nan"))
    mean = float(values @ counts) / games
    return Estimate(mean, sqrt(float((values - mean) ** 2 @ counts)) / games)
