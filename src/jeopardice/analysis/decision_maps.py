"""Where to roll and where to stop: maps of a race for two, one for each score of the opponent.

`roll_gains` says how much better it is to roll than to stop at every moment with so many points at risk; where it is
positive one rolls. A map is replayed from the anchors, one turn for each standing.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.game import Mode
from jeopardice.solution import DuelSolution
from jeopardice.solution.anchors import replayed, standing_in_units
from jeopardice.turn_table import TurnTable


def roll_gains(solution: DuelSolution, theirs: int, *, mode: Mode = None, seat: int = 0) -> NDArray[np.float64]:
    """Return roll minus stop by [my standing, at risk] in units, for an opponent with `theirs` points.

    nan where there is nothing to decide: nothing at risk, less than may be banked, or the goal reached.
    """
    table, target = solution.tables[seat], solution.targets[seat]
    j = standing_in_units(theirs, solution.tables[1 - seat].unit, solution.targets[1 - seat], "theirs")
    index = table.opening if mode is None else table.modes.index(mode)
    bank_from = max(1, -(-solution.goal.bank_from // table.unit))
    worth = np.asarray(solution.worths[1 - seat], float)[j]
    gains = np.full((target, target), np.nan)
    for i in range(target):
        bank = np.ascontiguousarray(solution.total - worth[i:])
        prize = float(solution.prizes[seat][j])
        rows = replayed(table, bank, prize, solution.goal.finish == "exact", bank_from, 0, float(bank[0]))
        gains[i, bank_from : target - i] = (rolled(table, rows, float(bank[0]), index, target - i) - bank)[bank_from:]
    return gains


def rolled(table: TurnTable, rows: NDArray[np.float64], bust: float, mode: int, goal: int) -> NDArray[np.float64]:
    """Return what rolling in a mode is worth with 0, 1, ... goal - 1 units at risk, from the rows of a turn."""
    worth: NDArray[Any] = np.full(goal, table.bust_weight[mode] * bust)
    for choices, weight in table.groups[mode].items():
        worth += weight * np.max([rows[points : points + goal, to, 0] for points, to in choices], axis=0)
    return worth / table.total_weight[mode]


def all_roll_gains(solution: DuelSolution, *, mode: Mode = None, seat: int = 0) -> NDArray[np.float64]:
    """Return roll minus stop by [my standing, their standing, at risk], in units."""
    unit = solution.tables[1 - seat].unit
    maps = [roll_gains(solution, j * unit, mode=mode, seat=seat) for j in range(solution.targets[1 - seat])]
    return np.stack(maps, axis=1)
