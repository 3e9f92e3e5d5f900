"""Value iteration over every moment of Pig for two: what the papers do, as a baseline for speed.

All moments (mine, theirs, at risk) are swept until nothing changes by more than the tolerance, which is no error bound.
`with_numpy` sweeps all of the opponent's scores at once; `with_numba` is the plain loop compiled by Numba, if that is
installed. The pair of anchors needs one pass instead of some forty sweeps.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

MOST_SWEEPS = 100_000


def with_numpy(target: int, tolerance: float = 1e-12) -> float:
    """Return the first player's chance to win Pig to `target`."""
    chance = np.full((target, target), 0.5)  # [mine, theirs], of the player about to roll
    worth = np.empty((target + 7, target))
    for _ in range(MOST_SWEEPS):
        fresh = np.empty_like(chance)
        for mine in range(target):
            bust, goal = 1 - chance[:, mine], target - mine
            worth[goal : goal + 7] = 1.0
            for at_risk in range(goal - 1, 0, -1):
                roll = (bust + worth[at_risk + 2 : at_risk + 7].sum(axis=0)) / 6
                worth[at_risk] = np.maximum(roll, 1 - chance[:, mine + at_risk])
            fresh[mine] = (bust + worth[2:7].sum(axis=0)) / 6
        change = float(np.abs(fresh - chance).max())
        chance = fresh
        if change < tolerance:
            break
    return float(chance[0, 0])


def with_numba(target: int, tolerance: float = 1e-12) -> float:
    """Return the same by plain loops; they are compiled at the first call."""
    return float(_compiled()(target, tolerance))


_loops: list[Callable[[int, float], float]] = []


def _compiled() -> Callable[[int, float], float]:
    if not _loops:
        from numba import njit

        _loops.append(njit(_sweeps))
    return _loops[0]


def _sweeps(target: int, tolerance: float) -> Any:
    chance = np.full((target, target), 0.5)
    worth = np.empty(target + 7)
    while True:
        change = 0.0
        for mine in range(target - 1, -1, -1):
            for theirs in range(target - 1, -1, -1):
                bust, goal = 1 - chance[theirs, mine], target - mine
                worth[goal:] = 1.0
                for at_risk in range(goal - 1, -1, -1):
                    roll = bust
                    for face in range(2, 7):
                        roll += worth[min(at_risk + face, goal)]
                    roll /= 6
                    worth[at_risk] = roll if at_risk == 0 else max(roll, 1 - chance[theirs, mine + at_risk])
                change = max(change, abs(worth[0] - chance[mine, theirs]))
                chance[mine, theirs] = worth[0]
        if change < tolerance:
            return chance[0, 0]
