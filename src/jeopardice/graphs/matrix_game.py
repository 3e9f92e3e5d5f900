"""The value of a matrix game: two players choose at the same time, one pays the other.

The row player picks a row and receives the entry, the column player picks a column and pays it. Mixed strategies p
and q make the payment p·A·q, and von Neumann's theorem says that the best the rows can guarantee,

    max over p of min over columns of (p·A)   =   min over q of max over rows of (A·q),

is also the least the columns can hold them to: the value. Whatever finds p and q, the two sides prove it: p alone
shows `lower`, q alone shows `upper`, and the true value lies between. Four ways are tried, cheapest first: a saddle
point; leaving out dominated rows and columns; the closed form of 2×2; the simplex method. HiGHS (from scipy) is asked
only where our own pivots did not close the gap.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jeopardice.types import Floats

EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class MatrixGameSolution:
    """The value of a matrix game, a best mixture for each side and what the two mixtures prove.

    `lower` is what `row` guarantees against every column, `upper` what `column` concedes at most to any row; both are
    rounded outward, so the true value lies between them.
    """

    value: float
    row: Floats
    column: Floats
    lower: float
    upper: float


def solve_matrix_game(payoff: ArrayLike, *, tolerance: float = 1e-13) -> MatrixGameSolution:
    """Return the value of the matrix game, with an optimal mixture for each side.

    `tolerance`, relative to the largest entry, is the gap between the two bounds above which HiGHS is asked as well.

    >>> matching_pennies = [[1, -1], [-1, 1]]
    >>> solution = solve_matrix_game(matching_pennies)
    >>> solution.value, solution.row.tolist(), solution.column.tolist()
    (0.0, [0.5, 0.5], [0.5, 0.5])
    """
    matrix = np.asarray(payoff, dtype=np.float64)
    if matrix.ndim != 2 or matrix.size == 0:
        raise ValueError(f"a matrix game needs rows and columns, got an array of shape {matrix.shape!r}")
    if not np.isfinite(matrix).all():
        raise ValueError("a matrix game needs finite entries, got infinity or not-a-number; leave such plays out")
    if power := _scale(matrix):
        scaled = solve_matrix_game(np.ldexp(matrix, -power), tolerance=tolerance)
        value, lower, upper = (float(np.ldexp(number, power)) for number in (scaled.value, scaled.lower, scaled.upper))
        return MatrixGameSolution(value, scaled.row, scaled.column, lower, upper)
    saddle = saddle_point(matrix)
    if saddle is not None:
        return _proved(matrix, _pure(matrix.shape[0], saddle[0]), _pure(matrix.shape[1], saddle[1]))
    rows, columns = undominated(matrix)
    small = matrix[np.ix_(rows, columns)]
    mixtures = _two_by_two(small) if small.shape == (2, 2) else _simplex(small)
    solution = _proved(matrix, *_widened(mixtures, matrix.shape, rows, columns))
    if solution.upper - solution.lower > tolerance * max(1.0, float(np.abs(matrix).max())):
        second = _proved(matrix, *_widened(_linear_programs(small), matrix.shape, rows, columns))
        if second.upper - second.lower < solution.upper - solution.lower:
            return second
    return solution


def _scale(matrix: Floats) -> int:
    """Return the power of two by which entries so large or so small are divided that sums of them would be lost."""
    largest = float(np.abs(matrix).max())
    return 0 if largest == 0 or 1e-6 <= largest <= 1e100 else int(np.frexp(largest)[1])


def saddle_point(matrix: Floats) -> tuple[int, int] | None:
    """Return a row and column whose entry is least in its row and greatest in its column, or None."""
    row = int(matrix.min(axis=1).argmax())
    column = int(matrix.max(axis=0).argmin())
    # the maximin row and the minimax column meet in a saddle point exactly when maximin = minimax
    return (row, column) if matrix[row].min() == matrix[:, column].max() else None


def undominated(matrix: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows and columns left when plays nowhere better than another are struck out, again and again.

    The value stays; of equal rows or columns the first is kept.
    """
    rows, columns = np.arange(matrix.shape[0]), np.arange(matrix.shape[1])
    while True:
        small = matrix[np.ix_(rows, columns)]
        keep_rows = ~_dominated(small)
        keep_columns = ~_dominated(-small[keep_rows].T)
        if keep_rows.all() and keep_columns.all():
            return rows, columns
        rows, columns = rows[keep_rows], columns[keep_columns]


def _dominated(matrix: Floats) -> NDArray[np.bool_]:
    """Tell which rows are nowhere better than another row (of two equal rows: the later)."""
    at_least = (matrix[:, None, :] >= matrix[None, :, :]).all(axis=2)  # [i, k]: row i is nowhere below row k
    equal = at_least & at_least.T
    beats = at_least & (~equal | np.tri(len(matrix), k=-1, dtype=bool).T)
    return np.asarray(beats.any(axis=0))


def _two_by_two(matrix: Floats) -> tuple[Floats, Floats]:
    """Equalise: without a saddle point each side mixes so that the other's two plays are worth the same."""
    (a, b), (c, d) = matrix
    across = (a - b) + (d - c)
    first_row, first_column = (d - c) / across, (d - b) / across
    return np.array([first_row, 1 - first_row]), np.array([first_column, 1 - first_column])


def _simplex(matrix: Floats) -> tuple[Floats, Floats]:
    """Maximise sum(y) under B·y ≤ 1, y ≥ 0, where B is the matrix shifted to be positive; its dual gives the rows.

    The columns' mixture is y / sum(y), the rows' the multipliers of the constraints. The tableau starts feasible, so
    there is one phase. The largest reduced cost enters; after many pivots the first one does (Bland), which cannot
    cycle.
    """
    shift = 1.0 - float(matrix.min())
    spread = float(matrix.max()) + shift
    m, n = matrix.shape
    tableau = np.zeros((m + 1, n + m + 1))
    tableau[:m, :n] = (matrix + shift) / spread
    tableau[:m, n : n + m] = np.eye(m)
    tableau[:m, -1] = 1.0
    tableau[m, :n] = -1.0
    basis = np.arange(n, n + m)
    for pivots in range(50 * (m + n)):
        costs = tableau[m, :-1]
        entering = int(costs.argmin()) if pivots < 10 * (m + n) else int((costs < -1e-12).argmax())
        if costs[entering] >= -1e-12:
            break
        column = tableau[:m, entering]
        ratios = np.full(m, np.inf)
        np.divide(tableau[:m, -1], column, out=ratios, where=column > 1e-11)
        ties = np.flatnonzero(ratios <= ratios.min())
        leaving = int(ties[basis[ties].argmin()])
        tableau[leaving] /= tableau[leaving, entering]
        others = tableau[:, entering].copy()
        others[leaving] = 0.0
        tableau -= np.outer(others, tableau[leaving])
        basis[leaving] = entering
    y = np.zeros(n + m)
    y[basis] = tableau[:m, -1]
    return tableau[m, n : n + m].copy(), y[:n]


def _linear_programs(matrix: Floats) -> tuple[Floats, Floats]:
    """Ask HiGHS for the best mixture of the rows and, separately, of the columns."""
    from scipy.optimize import linprog

    mixtures = []
    for side in (-matrix.T, matrix):
        constraints = np.hstack([side, np.full((len(side), 1), -1.0)])
        plays = side.shape[1]
        answer = linprog(
            np.r_[np.zeros(plays), 1.0],
            A_ub=constraints,
            b_ub=np.zeros(len(side)),
            A_eq=np.r_[np.ones(plays), 0.0][None, :],
            b_eq=[1.0],
            bounds=[(0, None)] * plays + [(None, None)],
            method="highs",
        )
        mixtures.append(np.asarray(answer.x, dtype=np.float64)[:plays])
    return mixtures[0], mixtures[1]


def _proved(matrix: Floats, row: Floats, column: Floats) -> MatrixGameSolution:
    """Make mixtures of the two answers and let each prove its side of the value."""
    row, column = _mixture(row), _mixture(column)
    # dot products of n terms err by at most n·ε·max|A|, and a mixture's sum is 1 within n·ε
    slack = 2 * (matrix.shape[0] + matrix.shape[1]) * EPSILON * float(np.abs(matrix).max())
    pure = row.max() == 1.0 and column.max() == 1.0
    lower, upper = float((row @ matrix).min()), float((matrix @ column).max())
    value = lower if lower == upper else float(row @ matrix @ column)
    if not pure:
        lower, upper = lower - slack, upper + slack
    return MatrixGameSolution(min(max(value, lower), upper), row, column, lower, upper)


def _mixture(weights: Floats) -> Floats:
    weights = np.maximum(weights, 0.0)
    return np.asarray(weights / weights.sum())


def _widened(
    mixtures: tuple[Floats, Floats], shape: tuple[int, ...], rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """Give the plays that were struck out their weight of zero."""
    row, column = np.zeros(shape[0]), np.zeros(shape[1])
    row[rows], column[columns] = mixtures
    return row, column


def _pure(plays: int, play: int) -> Floats:
    weights = np.zeros(plays)
    weights[play] = 1.0
    return weights
