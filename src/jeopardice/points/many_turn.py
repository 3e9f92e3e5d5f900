"""One turn of a race of several, replayed: what every moment means to every player.

Vectors have one chance per player, the player to move first and then in the order of play. A turn that busts leads to the
vector `bust`, one that banks t units to `leaves[t]`. Where play is mixed there are two plans, the cautious one and the bold
one; everybody else's chances are those of the mixture.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jeopardice.points.tables import TurnTable

Vector = NDArray[np.float64]
CAUTIOUS, BOLD, ROLLING = 0, 1, 2
SAME_LEAVE = 1e-12


@dataclass(frozen=True, eq=False)
class ManyTurn:
    """A replayed turn: `plans` are (ties, weight, rows) with rows[at risk, mode] = chances banked, gain, chance to leave.

    From `lost_from` units on a turn has overshot a target that must be hit, and is lost.
    """

    table: TurnTable
    leaves: Vector
    bust: Vector
    plans: tuple[tuple[int, float, Vector], ...]
    tie: float
    lost_from: int | None = None

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self.bust)

    def own(self, t: int, mode: int) -> float:
        """Return the chance of the player to move at a moment."""
        rows = self.plans[0][2]
        return float(self.bust[0] + rows[t, mode, -2]) if t < len(rows) else float(self.stopped(t)[0])

    def stopped(self, t: int) -> Vector:
        """Return everybody's chances after a bank of t units; to bank nothing is a bust."""
        chances: Vector = self.bust if self._is_bust(t) else self.leaves[min(t, len(self.leaves) - 1)]
        return chances

    def _is_bust(self, t: int) -> bool:
        return t == 0 or (self.lost_from is not None and t >= self.lost_from)

    def rolled(self, t: int, mode: int) -> Vector:
        """Return everybody's chances if the player to move rolls in a mode with t units at risk."""
        mean = np.zeros(self.players)
        for ties, weight, rows in self.plans:
            mean += weight * self._chances(self._roll(t, mode, ties, rows))
        return mean

    def shares(self, candidates: Sequence[tuple[bool, int, int]]) -> list[float]:
        """Return how often best play takes each of these (stops, units at risk, mode)."""
        shares = [0.0] * len(candidates)
        for ties, weight, rows in self.plans:
            best, chosen = self._candidate(candidates[0], ties, rows), 0
            for number, candidate in enumerate(candidates):
                other = self._candidate(candidate, ties, rows)
                if takes_over(best, other, self.tie, ties):
                    best, chosen = other, number
            shares[chosen] += weight
        return shares

    def _candidate(self, candidate: tuple[bool, int, int], ties: int, rows: Vector) -> Vector:
        stops, t, mode = candidate
        if not stops:
            return self._roll(t, mode, ties, rows)
        stop = self.stopped(t)
        return np.array([*stop, stop[0] - self.bust[0], float(not self._is_bust(t))])

    def _roll(self, t: int, mode: int, ties: int, rows: Vector) -> Vector:
        total = np.zeros(self.players + 2)
        for choices, weight in self.table.groups[mode].items():
            moments = [rows[min(t + points, len(rows) - 1), to] for points, to in choices]
            best = moments[0]
            for other in moments[1:]:
                if takes_over(best, other, self.tie, ties):
                    best = other
            total += weight * best
        return total / self.table.total_weight[mode]

    def _chances(self, moment: Vector) -> Vector:
        chances: Vector = moment[:-2] + (1 - moment[-1]) * self.bust
        return chances


def takes_over(now: Vector, other: Vector, tie: float, ties: int) -> bool:
    """Whether a choice is taken instead of an earlier one: a larger gain, or for the indifferent by the rule for ties."""
    lead, tie = other[-2] - now[-2], tie * max(other[-1], now[-1])
    if abs(lead) > tie:
        return bool(lead > 0)
    if ties == BOLD or (ties == ROLLING and abs(now[-2]) > tie):
        return bool(other[-1] < now[-1] - SAME_LEAVE)
    return bool(other[-1] > now[-1] + SAME_LEAVE)
