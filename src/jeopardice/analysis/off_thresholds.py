"""Where best play of a race alone is no threshold, and what that saves.

With n points to go, best play is compared with the best threshold *at n*, best play following in every later turn. It is
"not a threshold rule" at n if it rolls with some points at risk although it stops with fewer, counting only moments that
best play itself can come to. In that sense Haigh and Roters found n = 53 and 75 for Pig, and up to 1000 there are no others.

Two nearby statements are false. Asked about *every* moment, best play rolls again with nearly all of the missing points at risk
for n = 30, ..., 56, too: a player who got there against advice had better go on. And a race to n > 75 gains from
better turns at 53 and 75 on the way even where its own turn is a threshold.
"""

from typing import NamedTuple

import numpy as np

from jeopardice.analysis.die_laws import PointsDie, law_table
from jeopardice.analysis.thresholds import threshold_class
from jeopardice.points.solution import AloneSolution
from jeopardice.points.view import TurnView


class OffThreshold(NamedTuple):
    """Best play with `to_go` points to go rolls with `rolls_on` at risk, though it stops with less, and saves `gain` turns."""

    to_go: int
    threshold: int
    gain: float
    rolls_on: tuple[int, ...]


def off_thresholds(solution: AloneSolution, *, least_gain: float = 1e-10) -> list[OffThreshold]:
    """Return where best play gains at least `least_gain` turns over the best threshold at n, for one-mode games.

    >>> from jeopardice import Pig, Race, solve
    >>> [(off.to_go, off.threshold, off.rolls_on) for off in off_thresholds(solve(Race(Pig(), 100)))]
    [(53, 17, (22, 24, 25)), (75, 18, (21, 22, 23))]
    """
    unit, target = solution.table.unit, solution.target
    table = law_table(threshold_class(PointsDie.of_game(solution.goal.game), target * unit))
    table = np.concatenate((table[:, :1], table[:, unit::unit]), axis=1)  # all points are multiples of the unit
    leave, width = table[:, 1:].sum(axis=1), table.shape[1] - 1
    turns = -np.concatenate((np.zeros(width), solution.worth))  # as if standings past the target cost nothing
    off = []
    for n in range(1, target + 1):
        needed = (1 + table[:, 1:] @ turns[n + width - 1 : n - 1 : -1]) / leave
        best = int(needed.argmin())
        gain = float(needed[best] - turns[n + width])
        if gain >= least_gain:
            again = rolling_again(solution.view((target - n) * unit), n)
            off.append(OffThreshold(n * unit, best + 1, gain, tuple(t * unit for t in again)))
    return off


def rolling_again(view: TurnView, limit: int, *, all_moments: bool = False) -> list[int]:
    """Return the units at risk, below `limit`, with which a one-mode turn rolls although it stops with fewer.

    Only moments that best play comes to count, unless `all_moments` are asked about.
    """
    reached = np.zeros(limit + view.table.max_points + 1, dtype=bool)
    reached[0] = True
    stopped, again = False, []
    for t in range(limit):
        if not (reached[t] or (all_moments and t > 1)):
            continue
        rolls = not view.stops(t, 0)
        if rolls:
            reached[[t + points for choices in view.table.groups[0] for points, _ in choices]] = True
            again += [t] if stopped else []
        stopped = stopped or not rolls
    return again
