"""An independent pass that bounds the error of a solution: lower <= true value <= upper, every rounding accounted for.

Turn: the pass is walked down twice, all roundings down and all up; the truth lies between, since the threshold was found
in whole numbers. Alone: the residual of every anchor's equation, rounded away from 0, times the expected number of
turns. Two players: slacks that make each pair's equations hold as inequalities, added up along the race (`race.py`). The
arithmetic is in `kernels/certify*`; no bound comes from a last change that was small.
"""

from functools import partial
from math import inf, nextafter

import numpy as np
from numpy.typing import NDArray

from jeopardice.kernels import Progress, kernels
from jeopardice.points.race import NOTHING, run_pass
from jeopardice.points.race_table import RaceTable
from jeopardice.points.tables import TurnTable
from jeopardice.points.turn import TurnEdge, edge_rows


def turn_bound(
    table: TurnTable, edge: TurnEdge, rows: NDArray[np.float64], least: int = 1, progress: Progress | None = None
) -> float:
    """Return a bound of the error of every worth in `rows`, in units."""
    lower, upper = np.zeros(rows.shape[:2]), np.zeros(rows.shape[:2])
    beyond = edge_rows(table, edge)
    plain = not any(edge.gain) and all(keep == 1 for keep in edge.keep)
    slack = 0.0 if plain else 4e-16
    lower[edge.threshold :] = beyond - slack * np.abs(beyond)
    upper[edge.threshold :] = beyond + slack * np.abs(beyond)
    call = partial(
        kernels.enclose_turn, table.kernel, least=least, cut=edge.threshold, bust=0.0, lower=lower, upper=upper
    )
    run_pass(call, steps=lower.size * 20, total=1, progress=progress)
    missed = float(np.maximum(upper - rows[..., 0], rows[..., 0] - lower).max())
    return nextafter(missed, inf) if missed else 0.0


def alone_bound(
    table: RaceTable,
    worth: NDArray[np.float64],
    *,
    turn_cost: float = 1.0,
    roll_cost: float = 0.0,
    progress: Progress | None = None,
) -> float:
    """Return a bound of the error of all expected costs.

    Every turn costs at least 1 (a turn has a roll), so equations that hold within eta bound the error by eta times the cost.
    """
    bound = np.zeros(table.scores) if table.may_cut and table.busts_stay else NOTHING
    call = partial(
        kernels.certify_alone, table.kernel_alone, turn_cost=turn_cost, roll_cost=roll_cost, worth=worth, bound=bound
    )
    steps = table.standings * len(table.turn.arrays["offset"]) * (50 if len(bound) else table.scores)
    residual = run_pass(call, steps=steps, total=table.scores, progress=progress)
    largest = float(-worth[np.isfinite(worth)].min())
    return float(residual * largest / (1 - residual) * (1 + 1e-15)) if residual < 1 else inf


def within_bound(table: RaceTable, chance: NDArray[np.float64], progress: Progress | None = None) -> float:
    """Return a bound of the error of all chances: the worst residual of one turn, times the turns."""
    turns = len(chance) - 1
    call = partial(kernels.certify_within, table.kernel_alone, turns=turns, chance=chance)
    steps = chance.size * table.scores * len(table.turn.arrays["offset"])
    residual = run_pass(call, steps=steps, total=turns, progress=progress)
    return float(residual * turns * (1 + 1e-15))
