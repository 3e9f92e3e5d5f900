"""Algorithms 2 and 3 of the Can't Stop paper on single boards: the loop of one anchor, seen as x = F(x).

All boards that a turn can lead to being solved, F(x) is the worth of a turn that a bust ends with x, plus the turn itself; its
slope a is the chance to bust. Algorithm 2 takes F(x) as its next guess and converges linearly, by the factor a;
Algorithm 3 writes F(x) = a x + b and takes b / (1 - a). F is made of finitely many straight pieces, so it ends.
"""

from functools import cache, partial

import numpy as np

from jeopardice.columns.alone import solve_cant_stop
from jeopardice.columns.rows import Run, Threads
from jeopardice.columns.values import BoardValues
from jeopardice.games.cant_stop import CantStop
from jeopardice.kernels import kernels, thread_count
from jeopardice.types import Array

FIRST_GUESS = 1.0
"""What the paper begins with on every board."""


@cache
def solved(sides: int, shortest: int) -> BoardValues:
    """Return the solved game (n, k)."""
    return solve_cant_stop(CantStop(sides=sides, shortest=shortest))


def turn_worth(values: BoardValues, remaining: tuple[int, ...], x: float) -> tuple[float, float]:
    """Return F(x) of a board and its slope there."""
    worth, slope = kernels.CantStopReplay(values.layout, values.table).turn_worth(list(remaining), x)
    return 1.0 + worth, slope


def guesses(values: BoardValues, remaining: tuple[int, ...], *, newton: bool, most: int = 200) -> list[float]:
    """Return the guesses of Algorithm 3 (`newton`) or 2 from 1 on, until one repeats to twelve digits.

    >>> [round(x, 9) for x in guesses(solved(2, 1), (1, 3, 1), newton=True)]
    [1.0, 1.29794819, 1.29794819]
    """
    path = [FIRST_GUESS]
    while len(path) < most:
        x = path[-1]
        worth, slope = turn_worth(values, remaining, x)
        path.append(x + (worth - x) / (1 - slope) if newton else worth)
        if abs(path[-1] - x) <= 1e-13 * x:
            break
    return path


def iteration_counts(values: BoardValues, *, tolerance: float = 1e-13, secant: bool = False) -> tuple[Array, Array]:
    """Return value and iterations of Algorithm 3 for every board, one of each mirrored pair; the last one confirms.

    With `secant` the guesses are 1, F(1), then where the chord through the last two meets x = F(x).
    """
    board, counts = values.layout, np.zeros(values.table.shape, np.uint8)
    make = partial(
        kernels.CantStopWorker, board, values.table, counts, start=FIRST_GUESS, tolerance=tolerance, secant=secant
    )
    Run(board, in_order=False).work(Threads(thread_count(None), make))
    is_board = counts > 0
    return values.table[is_board], counts[is_board]


@cache
def counted(sides: int, shortest: int) -> tuple[Array, Array]:
    """Return `iteration_counts` of Algorithm 3 for the game (n, k)."""
    return iteration_counts(solved(sides, shortest))


@cache
def secant_counted(sides: int, shortest: int) -> tuple[Array, Array]:
    """Return `iteration_counts` of the secant method for the game (n, k), until F(x) = x to the last bit."""
    return iteration_counts(solved(sides, shortest), tolerance=0.0, secant=True)
