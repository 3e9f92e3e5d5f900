"""What a turn earns under each plan of a strategy, for all of them in one pass.

A plan says stop or roll at every moment (units at risk, mode) and which play to make of a roll. The chance to be at a
moment is carried forward from the opening, least units first, and with it the number of rolls made so far: three sums

    chance = sum p,  rolls = sum r p,  squares = sum r^2 p,

which one more roll turns into (chance, rolls + chance, squares + 2 rolls + chance). Where the plan stops they are
added to what is banked, where the dice bust to what is banked with 0 units. Plans are independent of each other, so
they are the axis NumPy runs along. Cost: tallest plan x groups of rolls, each a few operations on arrays of plans.
"""

import numpy as np
from numpy.typing import NDArray

from jeopardice.analysis.race_laws import RollTables
from jeopardice.points.plan import Plan, choice_of_group
from jeopardice.types import Floats

_AT_ONCE = 3_000_000
"""Numbers held at once; more plans than fit are taken in parts."""


def plan_tables(plan: Plan) -> RollTables:
    """Return the sums of every plan, `table[plan, units banked]`; 0 units are a bust."""
    heights = np.diff(plan.first_row)
    width = int(heights.max()) + plan.table.max_points + 1
    tables = np.zeros((3, len(heights), width))
    part = max(1, _AT_ONCE // (3 * width * (len(plan.table.modes) + 1)))
    for first in range(0, len(heights), part):
        chosen = slice(first, min(first + part, len(heights)))
        tables[:, chosen] = _carried(plan, np.arange(chosen.start, chosen.stop), heights[chosen], width)
    return RollTables(*tables)


def _carried(plan: Plan, plans: NDArray[np.int64], heights: NDArray[np.int64], width: int) -> Floats:
    """Return the three sums [sum, plan, units] of some plans."""
    table, modes = plan.table, len(plan.table.modes)
    choice = iter(choice_of_group(table).tolist())
    choices = [[next(choice) for _ in groups] for groups in table.groups]
    mass = np.zeros((width, modes + 1, 3, len(plans)))
    mass[0, table.opening, 0] = 1.0
    bank = np.zeros((3, len(plans), width))
    for t in range(int(heights.max())):
        row = plan.first_row[plans] + np.minimum(t, np.maximum(heights - 1, 0))
        for mode in range(modes):
            here = mass[t, mode]
            if not here[0].any():
                continue
            rolling = (t < heights) & (plan.stop[row, mode] == 0)
            bank[:, :, t] += np.where(rolling, 0.0, here)
            chance, rolls, squares = np.where(rolling, here, 0.0)
            after = np.stack([chance, rolls + chance, squares + 2 * rolls + chance]) / table.total_weight[mode]
            bank[:, :, 0] += table.bust_weight[mode] * after
            for (plays, weight), number in zip(table.groups[mode].items(), choices[mode], strict=True):
                if number < 0:
                    points, to = plays[0]
                    mass[t + points, to] += weight * after
                    continue
                picked = plan.chosen[row, number]
                for index, (points, to) in enumerate(plays):
                    mass[t + points, to] += np.where(picked == index, weight * after, 0.0)
        bank[:, :, t] += mass[t, modes]
    tallest = int(heights.max())
    bank[:, :, tallest:] += mass[tallest:].sum(axis=1).transpose(1, 2, 0)
    return bank
