"""Stochastic games: the theorem on small cyclic games, traps refused, Pig written out position by position."""

from fractions import Fraction
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from jeopardice import Race, solve
from jeopardice.errors import PositionError, RulesError
from jeopardice.games.pig import Pig
from jeopardice.graphs.matrix_game import solve_matrix_game
from jeopardice.graphs.stochastic import END, StochasticGame
from jeopardice.graphs.strategy_iteration import StochasticSolution, solve_stochastic_game
from jeopardice.papers.explicit_pig import explicit_pig


def operator(game: StochasticGame, v: NDArray[np.float64]) -> NDArray[np.float64]:
    """U of the paper's equation (2.2), one matrix game at a time."""
    worth = game.payoff + game.moves @ v
    return np.array(
        [
            solve_matrix_game(worth[a:b].reshape(m, n)).value
            for a, b, m, n in zip(
                game.first_pair[:-1], game.first_pair[1:], game.row_count, game.column_count, strict=True
            )
        ]
    )


def random_game(seed: int, positions: int = 6, ends: float = 0.25) -> StochasticGame:
    rng = np.random.default_rng(seed)
    payoffs, chances = [], []
    for _ in range(positions):
        m, n = rng.integers(1, 4, size=2)
        payoffs.append(rng.normal(size=(m, n)))
        weights = rng.random((m, n, positions)) * (rng.random((m, n, positions)) < 0.4)
        weights[..., 0] += 0.1
        chances.append((1 - ends) * weights / weights.sum(axis=2, keepdims=True))
    return StochasticGame.from_arrays(payoffs, chances)


def wanderer() -> StochasticGame:
    """Three places in a ring; both call left or right at once; agreeing moves on, and each move may end the game."""

    def chances(place: int, one: str, two: str) -> dict[Any, float]:
        step = 1 if one == "right" else -1
        to = (place + step) % 3 if one == two else place
        return {to: 0.9, END: 0.1}

    return StochasticGame.from_rules(
        [0],
        row_plays=lambda place: ["left", "right"],
        column_plays=lambda place: ["left", "right"],
        payoff=lambda place, one, two: float(place) if one == two else 1.0 - place,
        chances=chances,
    )


def test_the_equation_of_theorem_2_1_has_one_solution_in_a_cyclic_game() -> None:
    """From very different starts U converges to the same vector, and it is the solved one."""
    game = wanderer()
    solution = solve_stochastic_game(game)
    for start in (-1000.0, 0.0, 77.0):
        v = np.full(3, start)
        for _ in range(400):
            v = operator(game, v)
        assert v == pytest.approx(solution.values, abs=1e-12)
    assert solution.error_bounds.max() < 1e-12
    assert any(len(solution.row_mixture(place)) == 2 for place in game.positions)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_random_games_satisfy_the_equation_and_their_strategies_guarantee_the_value(seed: int) -> None:
    game = random_game(seed)
    solution = solve_stochastic_game(game)
    assert operator(game, solution.values) == pytest.approx(solution.values, abs=1e-12)
    v = np.zeros(len(game.positions))
    for _ in range(120):
        v = operator(game, v)
    assert v == pytest.approx(solution.values, abs=1e-11)
    assert solution.error_bounds.max() < 1e-10
    low, high = guarantees(solution)
    assert (low >= solution.values - solution.error_bounds - 1e-12).all()
    assert (high <= solution.values + solution.error_bounds + 1e-12).all()


def guarantees(solution: StochasticSolution) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What each player's strategy secures against every reply, by repeated best responses."""
    game = solution.game
    mixtures = []
    for i, position in enumerate(game.positions):
        p = np.array([solution.row_mixture(position).get(play, 0.0) for play in game.row_plays[i]])
        q = np.array([solution.column_mixture(position).get(play, 0.0) for play in game.column_plays[i]])
        mixtures.append((p, q))
    low = high = np.zeros(len(game.positions))
    for _ in range(150):
        low_worth, high_worth = game.payoff + game.moves @ low, game.payoff + game.moves @ high
        new_low, new_high = [], []
        for i, (p, q) in enumerate(mixtures):
            part = slice(game.first_pair[i], game.first_pair[i + 1])
            new_low.append((p @ low_worth[part].reshape(len(p), len(q))).min())
            new_high.append((high_worth[part].reshape(len(p), len(q)) @ q).max())
        low, high = np.array(new_low), np.array(new_high)
    return low, high


def test_where_newton_circles_the_value_is_still_found() -> None:
    """Van der Wal's example: Newton's rule jumps between 4 and 12 for ever."""
    payoff = np.array([[3.0, 6.0], [2.0, 1.0]])
    stay = 0.75 * np.array([[1.0, 1 / 3], [1.0, 1.0]])

    def newton(v: float) -> float:
        matrix = solve_matrix_game(payoff + stay * v)
        return float(matrix.row @ payoff @ matrix.column / (1 - matrix.row @ stay @ matrix.column))

    assert newton(4.0) == pytest.approx(12) and newton(12.0) == pytest.approx(4)
    solution = solve_stochastic_game(StochasticGame.from_arrays([payoff], [stay[..., None]]))
    assert solve_matrix_game(payoff + stay * solution.value).value == pytest.approx(solution.value, abs=1e-12)
    assert 4 < solution.value < 12 and solution.error_bound < 1e-12


def test_an_acyclic_game_is_one_backward_pass() -> None:
    """Matching pennies n times, a point each: worth 0; with a bias of 1 a round, worth n."""
    game = StochasticGame.from_rules(
        [5],
        row_plays=lambda left: "HT",
        column_plays=lambda left: "HT",
        payoff=lambda left, one, two: 2.0 if one == two else 0.0,
        chances=lambda left, one, two: {left - 1 if left > 1 else END: 1.0},
    )
    solution = solve_stochastic_game(game)
    assert solution.value == pytest.approx(5) and solution.longest[0] == 5
    assert solution.row_mixture(3) == pytest.approx({"H": 0.5, "T": 0.5})


def test_a_game_that_need_not_end_is_refused_and_the_trap_named() -> None:
    with pytest.raises(RulesError, match=r"stay for ever in \{\(1, \d+, \d+, 0\), \(2, \d+, \d+, 0\)\}"):
        solve_stochastic_game(explicit_pig(6, stop_with_nothing=True))


def test_a_trap_needs_both_players_and_no_leak() -> None:
    """At 0 they stay only if both say stay; at 1 staying leaks to the end, so 1 is no trap."""

    def chances(place: int, one: str, two: str) -> dict[Any, float]:
        if place == 1:
            return {1: 0.999, END: 0.001}
        return {0: 1.0} if (one, two) == ("stay", "stay") else {1: 1.0}

    def game(column: list[str]) -> StochasticGame:
        return StochasticGame.from_rules(
            [0],
            row_plays=lambda place: ["stay", "go"],
            column_plays=lambda place: column,
            payoff=lambda place, one, two: 1.0,
            chances=chances,
        )

    with pytest.raises(RulesError, match=r"stay for ever in \{0\}"):
        solve_stochastic_game(game(["stay", "go"]))
    assert solve_stochastic_game(game(["go"])).value == pytest.approx(1001)


def test_exact_pig_as_printed_is_not_transient() -> None:
    """Both one point short: no face is worth one point, so nobody ever finishes (section 4.1 passes over it)."""
    with pytest.raises(RulesError, match=r"\((1|2), 19, 19, 0\)"):
        solve_stochastic_game(explicit_pig(20, "exact", stuck="endless"))


def test_in_exact_pig_barring_the_dead_score_changes_nothing() -> None:
    drawn, barred = (solve_stochastic_game(explicit_pig(20, "exact", stuck=rule)) for rule in ("draw", "barred"))
    for position in barred.game.positions:
        assert barred.value_at(position) == pytest.approx(drawn.value_at(position), abs=1e-13)


def test_a_game_both_can_no_longer_finish_is_a_draw() -> None:
    solution = solve_stochastic_game(explicit_pig(8, "exact"))
    assert solution.value_at((1, 7, 7, 0)) == 0.5
    assert solution.value_at((1, 7, 0, 0)) == pytest.approx(0, abs=1e-13)


def test_piglet_by_hand() -> None:
    """Neller and Presser's Piglet: to 2 the first player wins 4/7; to 3, 6/11."""
    for target, chance in ((2, Fraction(4, 7)), (3, Fraction(6, 11))):
        solution = solve_stochastic_game(explicit_pig(target, faces={0: 1, 1: 1}))
        assert solution.value == pytest.approx(float(chance), abs=1e-14)
        assert abs(solution.value - float(chance)) <= solution.error_bound < 1e-13


def pig_by_repeated_passes(target: int, variant: str) -> float:
    """The same game, seen by the player who has the dice, iterated until nothing moves: shares no code with the solver."""
    n, margin = target, variant == "margin"
    v = np.full((n, n), 0.0 if margin else 0.5)  # [mine, theirs], for the player about to roll
    for _ in range(400):
        given = -v.T if margin else 1 - v.T  # [mine, theirs], for the player who has just stopped
        new = np.array([[_pig_turn(n, mine, theirs, variant, given) for theirs in range(n)] for mine in range(n)])
        if variant == "exact":
            new[n - 1, n - 1] = 0.5
        change, v = np.abs(new - v).max(), new
        if change < 1e-13:
            break
    return float(v[0, 0])


def _pig_turn(n: int, mine: int, theirs: int, variant: str, given: NDArray[np.float64]) -> float:
    won = float(n - theirs) if variant == "margin" else 1.0
    bust = given[mine, theirs]
    worth: dict[int, float] = {}
    for at_risk in range(n - mine - 1, -1, -1):
        roll = bust / 6
        for pips in range(2, 7):
            after = mine + at_risk + pips
            if after == n or (after > n and variant != "exact"):
                roll += won / 6
            else:
                roll += (bust if after > n else worth[at_risk + pips]) / 6
        worth[at_risk] = roll if at_risk == 0 else max(roll, given[mine + at_risk, theirs])
    return worth[0]


@pytest.mark.parametrize("variant", ["reach", "exact", "margin"])
def test_pig_to_12_by_repeated_passes(variant: Literal["reach", "exact", "margin"]) -> None:
    solution = solve_stochastic_game(explicit_pig(12, variant))
    assert solution.value == pytest.approx(pig_by_repeated_passes(12, variant), abs=1e-11)


@pytest.mark.parametrize("variant", ["reach", "exact", "margin"])
def test_pig_to_20_is_symmetric_and_pure(variant: Literal["reach", "exact", "margin"]) -> None:
    """Player two to roll is player one to roll, seen from the other side (won 1 − v, margin −v)."""
    solution = solve_stochastic_game(explicit_pig(20, variant))
    assert solution.error_bounds.max() < 1e-11
    for mine, theirs in ((0, 0), (7, 4), (12, 16)):
        one, two = solution.value_at((1, mine, theirs, 0)), solution.value_at((2, theirs, mine, 0))
        assert two == pytest.approx(-one if variant == "margin" else 1 - one, abs=1e-12)
    assert set(np.unique(solution.row_weight)) <= {0.0, 1.0}


def assert_engine_agrees(target: int, variant: Literal["reach", "exact", "margin"]) -> None:
    """Every position written out against the engine's anchors, which share no code and no layout with it."""
    solution = solve_stochastic_game(explicit_pig(target, variant))
    margin = variant == "margin"
    prize = target - np.arange(target, dtype=np.float64) if margin else np.ones(target)
    finish: Literal["reach", "exact"] = "exact" if variant == "exact" else "reach"
    engine = solve(Race(Pig(), target, players=2, finish=finish, payoff="margin" if margin else "win")).worths[0]
    compared = 0
    for position in solution.game.positions:
        player, mine, theirs, at_risk = position  # type: ignore[misc]
        if player == 1 and at_risk == 0:
            assert solution.value_at(position) == pytest.approx(engine[mine, theirs], abs=1e-12 * max(1, prize[0]))
            compared += 1
    assert compared > 0.9 * (target - 1) ** 2
    assert solution.error_bound < 1e-11


@pytest.mark.parametrize("variant", ["reach", "exact", "margin"])
def test_pig_to_20_agrees_with_the_engine(variant: Literal["reach", "exact", "margin"]) -> None:
    assert_engine_agrees(20, variant)


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["reach", "exact", "margin"])
def test_pig_to_50_agrees_with_the_engine(variant: Literal["reach", "exact", "margin"]) -> None:
    assert_engine_agrees(50, variant)


def test_what_is_no_game_is_refused_in_one_line() -> None:
    rules: dict[str, Any] = {
        "row_plays": lambda s: ["x"],
        "column_plays": lambda s: ["y"],
        "payoff": lambda s, a, b: 0.0,
    }
    with pytest.raises(RulesError, match=r"add up to 1, got a sum of 0\.9 at 'a' with plays 'x' and 'y'"):
        StochasticGame.from_rules(["a"], chances=lambda s, a, b: {END: 0.9}, **rules)
    with pytest.raises(RulesError, match="0 or more"):
        StochasticGame.from_rules(["a"], chances=lambda s, a, b: {END: 1.5, "a": -0.5}, **rules)
    with pytest.raises(RulesError, match="both players need a play at 'a'"):
        StochasticGame.from_rules(["a"], chances=lambda s, a, b: {END: 1.0}, **(rules | {"row_plays": lambda s: []}))
    with pytest.raises(RulesError, match="finite"):
        StochasticGame.from_rules(
            ["a"], chances=lambda s, a, b: {END: 1.0}, **(rules | {"payoff": lambda s, a, b: float("inf")})
        )
    with pytest.raises(RulesError, match="at least one position"):
        StochasticGame.from_rules([], chances=lambda s, a, b: {END: 1.0}, **rules)
    with pytest.raises(RulesError, match="position 0 needs payments"):
        StochasticGame.from_arrays([[[1.0]]], [[[1.0, 0.0]]])
    solution = solve_stochastic_game(StochasticGame.from_rules(["a"], chances=lambda s, a, b: {END: 1.0}, **rules))
    with pytest.raises(PositionError, match="such as 'a', got 'b'"):
        solution.value_at("b")
