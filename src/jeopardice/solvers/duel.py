"""Races for two: a position and its mirror are one pair of anchors, solved together, both nearly home first.

The value of the player to move with standing i against j is a turn whose bust is worth `sum` minus the other's value, and
the other's turn in turn needs ours: through the reply the pair is one fixed point (see `race.hpp`). Cost: per pair two
to three walks for each seat. Memory: one value and one bound per anchor, one turn per thread.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.kernels import Progress, kernels, thread_count
from jeopardice.solvers.race import run_pass
from jeopardice.turn_table import TurnTable, reachable_moments


@dataclass(frozen=True, eq=False)
class DuelSeat:
    """One seat's table and target (in its units), and what reaching it is worth by the other's standing."""

    table: TurnTable
    target: int
    prize: NDArray[np.float64]
    bank_from: int = 0
    exact: bool = False


@dataclass(frozen=True, eq=False)
class DuelWorth:
    """Each seat's value when it is to move: [its standing, the other's standing], in units."""

    first: NDArray[np.float64]
    second: NDArray[np.float64]


def solve_duel(
    first: DuelSeat,
    second: DuelSeat,
    *,
    total: float,
    threads: int | None = None,
    progress: Progress | None = None,
) -> DuelWorth:
    """Return both seats' values, which add up to `total` in every position; one seat given twice is solved once."""
    worth = np.zeros((first.target, second.target))
    pair = DuelWorth(worth, worth if first is second else np.zeros((second.target, first.target)))
    call, pairs, steps = _pass_over(kernels.solve_duel, first, second, pair, total, threads)
    run_pass(call, steps=steps, total=pairs, progress=progress)
    return pair


def certify_duel(
    first: DuelSeat,
    second: DuelSeat,
    worth: DuelWorth,
    *,
    total: float,
    threads: int | None = None,
    progress: Progress | None = None,
) -> float:
    """Return a bound of the error of all values, by a pass with directed rounding (see `certify.cpp`)."""
    call, pairs, steps = _pass_over(kernels.certify_duel, first, second, worth, total, threads)
    return run_pass(call, steps=steps, total=pairs, progress=progress)


def alive_standings(table: TurnTable, target: int, exact: bool, bank_from: int = 0) -> NDArray[np.uint8]:
    """Return for every standing whether the target can be reached from it at all; always, unless it must be hit exactly."""
    if not exact:
        return np.ones(target, np.uint8)
    banked = sorted({t for t, _ in reachable_moments(table, target + 1)} - {0})
    alive = np.zeros(target + 1, np.uint8)
    alive[target] = 1
    for standing in reversed(range(target)):
        missing = target - standing
        alive[standing] = any(alive[standing + t] for t in banked if t == missing or bank_from <= t < missing)
    return alive[:target]


def _pass_over(
    kernel: Any, first: DuelSeat, second: DuelSeat, worth: DuelWorth, total: float, threads: int | None
) -> tuple["partial[float]", int, int]:
    symmetric = first is second
    bound = np.zeros((second.target, first.target))
    bounds = (bound, bound if symmetric else np.zeros((first.target, second.target)))
    seats = [
        kernels.Seat(
            seat.table.kernel, target=seat.target, bank_from=seat.bank_from, exact=seat.exact, prize=seat.prize,
            alive=alive_standings(seat.table, seat.target, seat.exact, seat.bank_from), worth=values, bound=cuts,
        )
        for seat, values, cuts in zip((first, second), (worth.first, worth.second), bounds, strict=True)
    ]  # fmt: skip
    pairs = first.target * second.target
    if symmetric:
        pairs = (pairs + first.target) // 2
    steps = pairs * 50 * len(first.table.arrays["offset"])
    call = partial(
        kernel, *seats, sum=total, symmetric=symmetric, threads=thread_count(threads) if steps > 10**7 else 1
    )
    return call, pairs, steps
