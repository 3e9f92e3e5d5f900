"""Matrix games against brute force over supports in whole numbers."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from jeopardice.graphs import matrix_game
from jeopardice.graphs.matrix_game import solve_matrix_game

Ints = NDArray[np.int64]


def cofactors(square: Ints) -> Ints:
    """The adjugate of each k×k matrix in a stack, k up to 3, in whole numbers."""
    k = square.shape[-1]
    if k == 1:
        return np.ones_like(square)
    result = np.zeros_like(square)
    for i, j in itertools.product(range(k), repeat=2):
        rows = [r for r in range(k) if r != i]
        columns = [c for c in range(k) if c != j]
        minor = square[:, rows][:, :, columns]
        det = minor[:, 0, 0] if k == 2 else minor[:, 0, 0] * minor[:, 1, 1] - minor[:, 0, 1] * minor[:, 1, 0]
        result[:, j, i] = (-1) ** (i + j) * det
    return result


def values_by_supports(games: Ints) -> tuple[Ints, Ints]:
    """Numerator and denominator of each game's value: Shapley and Snow's square kernels, all tried, in whole numbers.

    Every game has a pair of optimal mixtures that equalise a square part B: p = 1·adj(B)/s, q = adj(B)·1/s with
    s = the sum of adj(B), worth det(B)/s; a pair is optimal if it holds in the whole game.
    """
    count, m, n = games.shape
    top, bottom = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    for k in range(1, min(m, n) + 1):
        for rows in itertools.combinations(range(m), k):
            for columns in itertools.combinations(range(n), k):
                part = games[:, rows][:, :, columns]
                adjugate = cofactors(part)
                s = adjugate.sum(axis=(1, 2))
                sign = np.sign(s)
                s, adjugate = s * sign, adjugate * sign[:, None, None]
                p, q = adjugate.sum(axis=1), adjugate.sum(axis=2)
                worth = np.einsum("gi,gij,gj->g", p, part, q)  # times s²
                rows_get = np.einsum("gi,gij->gj", p, games[:, rows, :])
                columns_pay = np.einsum("gij,gj->gi", games[:, :, columns], q)
                good = (s > 0) & (p >= 0).all(axis=1) & (q >= 0).all(axis=1)
                good &= (rows_get * s[:, None] >= worth[:, None]).all(axis=1)
                good &= (columns_pay * s[:, None] <= worth[:, None]).all(axis=1)
                top[good], bottom[good] = worth[good], (s * s)[good]
    assert (bottom > 0).all()
    return top, bottom


def assert_solved(games: Ints) -> None:
    top, bottom = values_by_supports(games)
    for game, value in zip(games, top / bottom, strict=True):
        solution = solve_matrix_game(game)
        assert solution.lower <= value + 1e-16 and value - 1e-16 <= solution.upper
        assert solution.upper - solution.lower < 1e-13 * max(1, np.abs(game).max())
        assert solution.value == pytest.approx(value, abs=1e-14)
        for mixture in (solution.row, solution.column):
            assert mixture.min() >= 0 and mixture.sum() == pytest.approx(1, abs=1e-15)


def all_games(m: int, n: int, entries: range) -> Ints:
    return np.array(list(itertools.product(entries, repeat=m * n)), dtype=np.int64).reshape(-1, m, n)


def test_every_two_by_two_with_entries_up_to_three() -> None:
    assert_solved(all_games(2, 2, range(-3, 4)))


def test_three_by_three_with_larger_entries() -> None:
    assert_solved(np.random.default_rng(6).integers(-4, 10, size=(1500, 3, 3)))


def test_oblong_games() -> None:
    rng = np.random.default_rng(7)
    assert_solved(rng.integers(-4, 5, size=(200, 2, 5)))
    assert_solved(rng.integers(-4, 5, size=(200, 6, 3)))


def test_every_three_by_three_of_minus_one_zero_one() -> None:
    assert_solved(all_games(3, 3, range(-1, 2)))


def test_rock_paper_scissors_is_played_evenly() -> None:
    solution = solve_matrix_game([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert solution.value == pytest.approx(0, abs=1e-15)
    assert solution.row == pytest.approx([1 / 3] * 3) and solution.column == pytest.approx([1 / 3] * 3)


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_both_sides_prove_the_value_and_highs_agrees(m: int, n: int, seed: int) -> None:
    game = np.random.default_rng(seed).normal(size=(m, n))
    solution = solve_matrix_game(game)
    assert solution.upper - solution.lower < 1e-12
    row, column = matrix_game._linear_programs(game)
    assert (row @ game).min() - 1e-9 <= solution.value <= (game @ column).max() + 1e-9
    mirrored = solve_matrix_game(-game.T)
    assert mirrored.value == pytest.approx(-solution.value, abs=1e-12)


def test_highs_is_asked_where_the_pivots_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    game = np.random.default_rng(5).normal(size=(5, 5))
    right = solve_matrix_game(game)
    monkeypatch.setattr(matrix_game, "_simplex", lambda small: (np.ones(small.shape[0]), np.ones(small.shape[1])))
    again = solve_matrix_game(game)
    assert again.value == pytest.approx(right.value, abs=1e-9)


def test_dominated_plays_get_no_weight() -> None:
    solution = solve_matrix_game([[3, 0, 4], [0, 3, 4], [0, 0, 0]])
    assert solution.value == pytest.approx(1.5)
    assert solution.row[2] == 0 and solution.column[2] == 0


@pytest.mark.parametrize("bad", [[], [[]], [1, 2], [[float("nan")]], [[float("inf"), 1]]])
def test_what_is_no_matrix_game_is_refused(bad: object) -> None:
    with pytest.raises(ValueError, match="a matrix game needs"):
        solve_matrix_game(bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [1e308, 1e-20, 1e-300, 1e150])
def test_entries_of_any_size_give_the_same_mixture(size):
    """Rock, paper, scissors with unequal stakes, and pennies, made large and small."""
    for matrix in ([[0.0, -1.0, 0.5], [1.0, 0.0, -0.25], [-0.5, 0.25, 0.0]], [[1.0, -1.0], [-1.0, 0.5]]):
        plain, sized = solve_matrix_game(matrix), solve_matrix_game(np.array(matrix) * size)
        assert np.allclose(sized.row, plain.row, atol=1e-9) and np.allclose(sized.column, plain.column, atol=1e-9)
        assert sized.lower <= sized.value <= sized.upper
        assert abs(sized.value / size - plain.value) < 1e-9
