"""An independent pass that bounds the error of a solution: lower <= true value <= upper, every rounding accounted for.

Turn: the pass is walked down twice, all roundings down and all up; the truth lies between, since the threshold was found
in whole numbers. Alone: the residual of every anchor's equation, rounded away from 0, times the expected number of
turns. Two players: slacks that make each pair's equations hold as inequalities, added up along the race. The
arithmetic is in `kernels/certify.cpp`; no bound comes from a last change that was small.
"""

from functools import partial
from math import inf

import numpy as np
from numpy.typing import NDArray

from jeopardice.kernels import Progress, kernels
from jeopardice.solvers.race import run_pass
from jeopardice.solvers.turn import TurnEdge, edge_rows
from jeopardice.turn_table import TurnTable


def turn_bound(table: TurnTable, edge: TurnEdge, rows: NDArray[np.float64], bank_from: int = 0) -> float:
    """Return a bound of the error of every worth in `rows`, in units."""
    lower, upper = np.zeros(rows.shape[:2]), np.zeros(rows.shape[:2])
    beyond = edge_rows(table, edge)
    lower[edge.threshold :], upper[edge.threshold :] = np.nextafter(beyond, -np.inf), np.nextafter(beyond, np.inf)
    if not any(edge.free_gain):
        lower[edge.threshold :] = upper[edge.threshold :] = beyond
    kernels.enclose_turn(table.kernel, np.arange(len(rows), dtype=np.float64), bank_from, edge.threshold, lower, upper)
    missed = float(np.maximum(upper - rows[..., 0], rows[..., 0] - lower).max())
    return float(np.nextafter(missed, np.inf)) if missed else 0.0


def alone_bound(
    table: TurnTable,
    worth: NDArray[np.float64],
    *,
    bank_from: int = 0,
    exact: bool = False,
    turn_cost: float = 1.0,
    roll_cost: float = 0.0,
    progress: Progress | None = None,
) -> float:
    """Return a bound of the error of all expected costs.

    Every turn costs at least 1 (a turn has a roll), so equations that hold within eta bound the error by eta times the cost.
    """
    target = len(worth) - 1
    call = partial(
        kernels.certify_alone, table.kernel, target=target, bank_from=bank_from, exact=exact, turn_cost=turn_cost,
        roll_cost=roll_cost, worth=worth, bound=np.zeros(target + 1),
    )  # fmt: skip
    steps = target * len(table.arrays["offset"]) * (target if exact else 50)
    residual = run_pass(call, steps=steps, total=target, progress=progress)
    largest = float(-worth[np.isfinite(worth)].min())
    if residual >= 1:
        return inf
    return float(residual * largest / (1 - residual) * (1 + 1e-15))


def within_bound(table: TurnTable, chance: NDArray[np.float64], *, bank_from: int = 0, exact: bool = False) -> float:
    """Return a bound of the error of all chances: the worst residual of one turn, times the turns."""
    turns, target = chance.shape[0] - 1, chance.shape[1] - 1
    residual: float = kernels.certify_within(
        table.kernel, target=target, bank_from=bank_from, exact=exact, turns=turns, chance=chance
    )
    return float(residual * turns * (1 + 1e-15))
