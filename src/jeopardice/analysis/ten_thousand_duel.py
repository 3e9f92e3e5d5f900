"""Ten Thousand for two: when to stop, by dice left and by both scores, beside the solitaire strategy.

Any points game whose modes are numbers of dice will do. The threshold is the least number of points at risk from which
one stops for good; with a choice of plays it does not say everything, `Solution.advise` does.
"""

import numpy as np
from numpy.typing import NDArray

from jeopardice.analysis.decision_maps import rolled
from jeopardice.points.solution import AloneSolution, DuelSolution
from jeopardice.rules.game import Mode


def thresholds_by_dice(solution: DuelSolution | AloneSolution, mine: int, theirs: int = 0) -> dict[Mode, int]:
    """Return for every mode the least points at risk from which one stops for good, or the points to go."""
    view = solution.view(mine, theirs) if isinstance(solution, DuelSolution) else solution.view(mine)
    table, goal = view.table, int(view.goal or 0)
    bank = np.array([float(view.bank(t)) for t in range(goal)])
    thresholds: dict[Mode, int] = {}
    for index, mode in enumerate(table.modes):
        gains: NDArray[np.float64] = rolled(view, index, goal) - bank
        rolls = np.flatnonzero(gains[1:] > 0)
        thresholds[mode] = int(rolls[-1] + 2 if len(rolls) else 1) * table.unit
    return dict(sorted(thresholds.items(), key=lambda item: repr(item[0])))
