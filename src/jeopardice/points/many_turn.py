"""One turn of a race of several, replayed: what every moment means to every player.

Vectors have one chance per player, the player to move first and then in the order of play. A turn that busts leads to the
vector `bust`, one that banks t units to `leaves[t]`. Where play is mixed there are two plans, the cautious one and the bold
one, and a share of all turns follows each. A player who draws at every moment plays alike, if each plan is drawn as often
as it is the one that comes to that moment; everybody else's chances are those of such play.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from jeopardice.points.tables import TurnTable

Vector = NDArray[np.float64]
Reached = defaultdict[tuple[int, int, bool], float]
CAUTIOUS, BOLD, ROLLING = 0, 1, 2
SAME_LEAVE = 1e-12


@dataclass(frozen=True, eq=False)
class ManyTurn:
    """A replayed turn: `plans` are (ties, weight, rows) with rows[at risk, mode] = chances banked, gain, chance to leave.

    From `lost_from` units on a turn has overshot a target that must be hit, and is lost. A stop needs `least` units.
    """

    table: TurnTable
    leaves: Vector
    bust: Vector
    plans: tuple[tuple[int, float, Vector], ...]
    tie: float
    lost_from: int | None = None
    least: int = 1
    _rolled: dict[tuple[int, int], Vector] = field(default_factory=dict, repr=False)

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
        if len(self.plans) == 1:
            moment = self._roll(t, mode, self.plans[0][0], self.plans[0][2])
            chances: Vector = moment[:-2] + (1 - moment[-1]) * self.bust
            return chances
        if (t, mode) not in self._rolled:
            bust = self.table.total_weight[mode] - sum(self.table.groups[mode].values())
            total: Vector = bust * self.bust
            for (ties, _, rows), share in zip(self.plans, self._weights(t, mode, True), strict=True):
                for choices, weight in self.table.groups[mode].items() if share else ():
                    after, to = self._taken(t, choices, ties, rows)
                    stops = self._stops(after, to, ties, rows)
                    total = total + share * weight * (self.stopped(after) if stops else self.rolled(after, to))
            self._rolled[t, mode] = total / self.table.total_weight[mode]
        return self._rolled[t, mode]

    def shares(self, candidates: Sequence[tuple[bool, int, int]], t: int, mode: int, has_rolled: bool) -> list[float]:
        """Return how often best play takes each of these (stops, units at risk, mode), at a moment or after a roll there."""
        shares = [0.0] * len(candidates)
        for (ties, _, rows), weight in zip(self.plans, self._weights(t, mode, has_rolled), strict=True):
            best, chosen = self._candidate(candidates[0], ties, rows), 0
            for number, candidate in enumerate(candidates):
                other = self._candidate(candidate, ties, rows)
                if takes_over(best, other, self.tie, ties):
                    best, chosen = other, number
            shares[chosen] += weight
        return shares

    def _weights(self, t: int, mode: int, has_rolled: bool) -> list[float]:
        """Return the chance of each plan to be the one that has come to a moment, or rolls there; where none does, its share."""
        if len(self.plans) == 1:
            return [1.0]
        weights = [weight for _, weight, _ in self.plans]
        come = [weight * reached[t, mode, has_rolled] for weight, reached in zip(weights, self._reached, strict=True)]
        return [chance / sum(come) for chance in come] if sum(come) else weights

    @cached_property
    def _reached(self) -> list[Reached]:
        """For each plan the chances to come to a moment, and to roll there: (at risk, mode, rolls)."""
        plans = []
        for ties, _, rows in self.plans:
            opening = (0, self.table.opening)
            reached: Reached = defaultdict(float, {(*opening, False): 1.0, (*opening, True): 1.0})
            waiting = [opening]  # a play leads to more points, or to a later mode
            while waiting:
                t, mode = heappop(waiting)
                each = reached[t, mode, True] / self.table.total_weight[mode]
                for choices, weight in self.table.groups[mode].items():
                    after = self._taken(t, choices, ties, rows)
                    reached[*after, False] += each * weight
                    if not self._stops(*after, ties, rows):
                        if not reached[*after, True]:
                            heappush(waiting, after)
                        reached[*after, True] += each * weight
            plans.append(reached)
        return plans

    def _stops(self, t: int, mode: int, ties: int, rows: Vector) -> bool:
        """Whether a plan stops at a moment, or the turn is over there."""
        if mode == len(self.table.modes) or t >= len(rows) - 1 - self.table.max_points or (t and self._is_bust(t)):
            return True
        may_stop = t >= max(1, self.least) and self.table.may_stop[mode]
        return may_stop and not takes_over(
            self._candidate((True, t, mode), ties, rows), self._roll(t, mode, ties, rows), self.tie, ties
        )

    def _taken(self, t: int, choices: Collection[tuple[int, int]], ties: int, rows: Vector) -> tuple[int, int]:
        """Return the moment that a plan takes of those that a roll offers."""
        moments = [(t + points, to) for points, to in choices]
        taken = moments[0]
        for other in moments[1:]:
            if takes_over(_row(rows, *taken), _row(rows, *other), self.tie, ties):
                taken = other
        return taken

    def _candidate(self, candidate: tuple[bool, int, int], ties: int, rows: Vector) -> Vector:
        stops, t, mode = candidate
        if not stops:
            return self._roll(t, mode, ties, rows)
        stop = self.stopped(t)
        return np.array([*stop, stop[0] - self.bust[0], float(not self._is_bust(t))])

    def _roll(self, t: int, mode: int, ties: int, rows: Vector) -> Vector:
        total = np.zeros(self.players + 2)
        for choices, weight in self.table.groups[mode].items():
            total += weight * _row(rows, *self._taken(t, choices, ties, rows))
        return total / self.table.total_weight[mode]


def takes_over(now: Vector, other: Vector, tie: float, ties: int) -> bool:
    """Whether a choice is taken instead of an earlier one: a larger gain, or for the indifferent by the rule for ties."""
    lead, tie = other[-2] - now[-2], tie * max(other[-1], now[-1])
    if abs(lead) > tie:
        return bool(lead > 0)
    if ties == BOLD or (ties == ROLLING and abs(now[-2]) > tie):
        return bool(other[-1] < now[-1] - SAME_LEAVE)
    return bool(other[-1] > now[-1] + SAME_LEAVE)


def _row(rows: Vector, t: int, mode: int) -> Vector:
    """Return a moment's row; from the last one on more points are worth the same."""
    row: Vector = rows[min(t, len(rows) - 1), mode]
    return row
