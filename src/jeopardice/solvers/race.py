"""Races alone: one anchor per standing, each a Newton fixed point of its turn, from the target back to the start.

The worth of d units to go is minus the cost that is left; the kernel in `race.hpp` says how it is found. Cost: about
three walks per anchor, each as long as the points at risk for which rolling can still be right, so the whole race is linear
in the target for Pig. Memory: two numbers per anchor.
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from jeopardice.errors import RulesError
from jeopardice.kernels import Progress, kernels, watched
from jeopardice.turn_table import TurnTable

BRIEF = 2_000_000
"""Passes of fewer steps (units x plays) than this are over before anyone could interrupt them; they run in line."""


def solve_alone(
    table: TurnTable,
    target: int,
    *,
    bank_from: int = 0,
    exact: bool = False,
    turn_cost: float = 1.0,
    roll_cost: float = 0.0,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Return minus the expected cost by units to go, 0 to `target`; -inf where the target cannot be reached for sure."""
    worth, bound = np.zeros(target + 1), np.zeros(target + 1)
    call = partial(
        kernels.solve_alone, table.kernel, target=target, bank_from=bank_from, exact=exact, turn_cost=turn_cost,
        roll_cost=roll_cost, worth=worth, bound=bound,
    )  # fmt: skip
    run_pass(
        call, steps=target * len(table.arrays["offset"]) * (target if exact else 50), total=target, progress=progress
    )
    if not np.isfinite(worth[target]):
        raise RulesError(f"no strategy is sure to land exactly on {target * table.unit}; choose another target")
    return worth


def solve_within(
    table: TurnTable,
    target: int,
    turns: int,
    *,
    bank_from: int = 0,
    exact: bool = False,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Return the best chance to finish: [turns left, units to go]."""
    chance = np.zeros((turns + 1, target + 1))
    call = partial(
        kernels.solve_within, table.kernel, target=target, bank_from=bank_from, exact=exact, turns=turns, chance=chance
    )
    run_pass(call, steps=turns * target**2 * len(table.arrays["offset"]), total=turns, progress=progress)
    return chance


def run_pass(call: "partial[float]", *, steps: int, total: int, progress: Progress | None) -> float:
    """Run a kernel: in line if it is brief, else watched."""
    if progress is None and steps < BRIEF:
        return call(done=np.zeros(1, np.int64), cancelled=np.zeros(1, np.int32))
    return watched(call, total, progress)
