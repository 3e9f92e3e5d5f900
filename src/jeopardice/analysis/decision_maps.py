"""Where to roll and where to stop: maps of a race for two, one for each score of the opponent.

`roll_gains` says how much better it is to roll than to stop at every moment with this many points at risk; where it is
positive one rolls. A map is replayed from the anchors, one turn for each standing.
"""

import numpy as np
from numpy.typing import NDArray

from jeopardice.points.solution import DuelSolution
from jeopardice.points.view import TurnView
from jeopardice.rules.game import Mode
from jeopardice.rules.goal import next_seat
from jeopardice.types import Array


def roll_gains(solution: DuelSolution, theirs: int, *, mode: Mode = None, seat: int = 0) -> NDArray[np.float64]:
    """Return roll minus stop by [my standing, at risk] in units, for an opponent with `theirs` points.

    nan where there is nothing to decide: nothing at risk, less than may be banked, or the goal reached.
    """
    table, target = solution.tables[seat], solution.targets[seat]
    index = table.opening if mode is None else table.modes.index(mode)
    gains = np.full((target, target), np.nan)
    for i in range(target):
        view = solution.view(i * table.unit, theirs, seat=seat)
        first = min(view.least, target - i)
        bank = np.array([float(view.bank(t)) for t in range(target - i)])
        gains[i, first : target - i] = (rolled(view, index, target - i) - bank)[first:]
    return gains


def rolled(view: TurnView, mode: int, goal: int) -> NDArray[np.float64]:
    """Return what rolling in a mode is worth with 0, 1, ... goal - 1 units at risk."""
    rows, table = view.rows, view.table
    worth: Array = np.full(goal, table.bust_weight[mode] * float(view.bust))
    for choices, weight in table.groups[mode].items():
        worth += weight * np.max([rows[points : points + goal, to] for points, to in choices], axis=0)
    return worth / table.total_weight[mode] - float(view.roll_cost)


def all_roll_gains(solution: DuelSolution, *, mode: Mode = None, seat: int = 0) -> NDArray[np.float64]:
    """Return roll minus stop by [my standing, their standing, at risk], in units."""
    other = next_seat(seat, 2)
    unit = solution.tables[other].unit
    maps = [roll_gains(solution, j * unit, mode=mode, seat=seat) for j in range(solution.targets[other])]
    return np.stack(maps, axis=1)
