"""Loops of game graphs: what going round may cost, what a way out is, and where the solvers end."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jeopardice import StochasticGame, solve_stochastic_game
from jeopardice.errors import RulesError, TooLargeError
from jeopardice.graphs.graph import GameGraph, solve_game_graph, solve_naive
from jeopardice.graphs.stochastic import END

BOTH = pytest.mark.parametrize("solve", [solve_naive, solve_game_graph])


def stay_or_end(**costs):
    """Roll at u, then go round again or end."""
    return GameGraph.from_dicts({"u": {"v": 1}}, {"v": ["u", "end"]}, costs)


def even_chance(cost, **ways):
    """Pay at u until an even chance ends it."""
    return GameGraph.from_dicts({"u": {"again": 1, "out": 1}}, {"again": ["u"], "out": ["end"]}, {"u": cost, **ways})


# Loops that cost nothing


@BOTH
@pytest.mark.parametrize("guess", [-1e9, 0.0, 1.0, 3.0, 5.0, 7.0, 1e16])
def test_a_free_loop_is_worth_its_cheapest_way_out_whatever_the_guess(solve, guess):
    assert solve(stay_or_end(end=5), guess=guess).value("u") == pytest.approx(5, abs=1e-11)


@BOTH
def test_a_loop_above_a_loop_waits_for_the_value_below(solve):
    """The way out of the free loop leads to a loop of cost 1 that is left with chance 1/10."""
    graph = GameGraph.from_dicts(
        {"free": {"v": 1}, "paid": {"again": 9, "out": 1}},
        {"v": ["free", "paid"], "again": ["paid"], "out": ["end"]},
        {"paid": 1},
    )
    assert solve(graph).value("free") == pytest.approx(10, abs=1e-9)


@BOTH
@pytest.mark.parametrize("weights", [(1, 2, 7), (3, 3, 1), (1, 1, 1)])
def test_a_far_guess_does_not_hide_the_way_out_of_a_free_loop(solve, weights):
    """Three rolls lead to the same choice; their chances may sum to a little more than 1."""
    graph = GameGraph.from_dicts(
        {"u": dict(zip("xyz", weights, strict=True))}, {v: ["u", "end"] for v in "xyz"}, {"end": 5}
    )
    for guess in (1e16, 1e17, 1e200):
        assert solve(graph, guess=guess).value("u") == pytest.approx(5, rel=1e-14)


@BOTH
def test_a_loop_that_costs_almost_nothing_is_still_left(solve):
    assert solve(stay_or_end(u=1e-14, end=5)).value("u") == pytest.approx(5, abs=1e-11)


# Loops without a least cost


@BOTH
@pytest.mark.parametrize("cost", [0, 1])
def test_a_loop_without_a_way_out_is_refused_whatever_it_costs(solve, cost):
    graph = GameGraph.from_dicts({"a": {"v": 1}}, {"v": ["a"]}, {"a": cost})
    with pytest.raises(RulesError, match="'a' has no way out"):
        solve(graph)


@BOTH
def test_a_trap_below_is_refused_although_one_need_not_enter_it(solve):
    graph = GameGraph.from_dicts({"u": {"v": 1}, "trap": {"w": 1}}, {"v": ["trap", "end"], "w": ["trap"]}, {"trap": 1})
    with pytest.raises(RulesError, match="'trap' has no way out"):
        solve(graph)


@BOTH
def test_a_loop_that_pays_for_going_round_is_refused(solve):
    with pytest.raises(RulesError, match=r"must not be negative, got -1.0 at 'u'"):
        solve(stay_or_end(u=-1, end=5))


@BOTH
def test_a_reward_at_the_end_is_no_loop(solve):
    """Rolls cost 1 and end with an even chance, for a reward of 10: 2 - 10."""
    assert solve(even_chance(1, end=-10)).value("u") == pytest.approx(-8, abs=1e-11)


@BOTH
def test_loops_without_a_common_vertex_are_solved_as_a_stochastic_game_as_the_message_says(solve):
    rolls = {"a": {"to b": 1}, "b": {"b1": 1, "b2": 1}, "c": {"c1": 1, "c2": 1, "c3": 1}}
    moves = {"to b": ["b"], "b1": ["a"], "b2": ["c"], "c1": ["b"], "c2": ["c"], "c3": ["end"]}
    with pytest.raises(RulesError, match=r"no single anchor.*StochasticGame"):
        solve(GameGraph.from_dicts(rolls, moves, dict.fromkeys("abc", 1)))
    game = StochasticGame.from_rules(
        ["a"],
        row_plays=lambda u: ["roll"],
        column_plays=lambda u: ["wait"],
        payoff=lambda u, *plays: 1,
        chances=lambda u, *plays: {
            END if moves[v] == ["end"] else moves[v][0]: weight / sum(rolls[u].values())
            for v, weight in rolls[u].items()
        },
    )
    # c = 1 + b/3 + c/3, b = 1 + a/2 + c/2, a = 1 + b
    assert solve_stochastic_game(game).value == pytest.approx(10, abs=1e-9)


# Numbers of any size


@BOTH
@pytest.mark.parametrize("cost", [1e-300, 1e-3, 1e15, 1e100, 1e300])
def test_an_even_chance_to_leave_costs_two_rounds_of_any_size(solve, cost):
    assert solve(even_chance(cost), tolerance=0).value("u") == pytest.approx(2 * cost, rel=1e-12)


@BOTH
def test_a_far_guess_comes_back(solve):
    assert solve(even_chance(1), guess=1e16).value("u") == pytest.approx(2, abs=1e-11)
    assert solve(even_chance(1), guess=-1e16).value("u") == pytest.approx(2, abs=1e-11)


def test_newton_finds_a_way_out_of_chance_1e_minus_17():
    graph = GameGraph.from_dicts({"u": {"again": 1, "out": 1e-17}}, {"again": ["u"], "out": ["end"]}, {"u": 3})
    assert solve_game_graph(graph).value("u") == pytest.approx(3e17, rel=1e-15)
    with pytest.raises(TooLargeError, match="use solve_game_graph"):
        solve_naive(graph, most_sweeps=1000)


def test_a_value_beyond_floats_is_refused():
    graph = GameGraph.from_dicts({"u": {"again": 1, "out": 1e-300}}, {"again": ["u"], "out": ["end"]}, {"u": 1e100})
    with pytest.raises(TooLargeError, match="beyond all floats"):
        solve_game_graph(graph)


@BOTH
@pytest.mark.parametrize("tolerance", [-1, float("nan"), float("inf"), "small", None])
def test_a_tolerance_is_finite_and_not_negative(solve, tolerance):
    with pytest.raises(RulesError, match="tolerance is a finite number"):
        solve(even_chance(1), tolerance=tolerance)


@BOTH
@pytest.mark.parametrize("guess", [float("nan"), float("inf"), None])
def test_a_guess_is_a_finite_number(solve, guess):
    with pytest.raises(RulesError, match="guess is a finite number"):
        solve(even_chance(1), guess=guess)


@pytest.mark.parametrize("most_sweeps", [0, -3, 2.5, None])
def test_at_least_one_sweep_is_allowed(most_sweeps):
    with pytest.raises(RulesError, match="most_sweeps"):
        solve_naive(even_chance(1), most_sweeps=most_sweeps)


# Random loops


@st.composite
def graphs(draw):
    """Up to four rolls and four choices, most of them free, and two ends."""
    rolls = [f"u{i}" for i in range(draw(st.integers(1, 4)))]
    moves = [f"v{i}" for i in range(draw(st.integers(1, 4)))]
    weights = st.dictionaries(st.sampled_from(moves), st.integers(1, 4), min_size=1, max_size=3)
    ways = st.lists(st.sampled_from([*rolls, "end", "far end"]), min_size=1, max_size=3)
    cost = st.sampled_from([0.0, 0.0, 0.0, 0.25, 1.0, 3.0, -1.0])
    return GameGraph.from_dicts(
        {u: draw(weights) for u in rolls} | {"end": {}, "far end": {}},
        {v: draw(ways) for v in moves},
        {u: draw(cost) for u in rolls} | {"end": draw(st.sampled_from([0, 5, -2])), "far end": 9},
    )


def refusal_or_solution(solve, graph, guess):
    try:
        return solve(graph, guess=guess)
    except RulesError as refused:
        return str(refused)


def least_cost_of_ending(graph):
    """Return the least cost over all ways to choose once and for all among those that surely end, by linear algebra."""
    rolls = len(graph.cost)
    first, chance = graph.first_roll, graph.chance
    options = [graph.move_to[a:b] for a, b in itertools.pairwise(graph.first_move)]
    least = np.full(rolls, np.inf)
    for choice in itertools.product(*options):
        step = np.zeros((rolls, rolls))
        for u in range(rolls):
            for edge in range(first[u], first[u + 1]):
                step[u, choice[graph.roll_to[edge]]] += chance[edge]
        ends = np.diff(first) == 0
        for _ in range(rolls):
            ends = ends | (step @ ends > 0)
        if ends.all():
            least = np.minimum(least, np.linalg.solve(np.eye(rolls) - step, graph.cost))
    return least


@settings(deadline=None, max_examples=400)
@given(graphs(), st.sampled_from([-4.0, 0.0, 1.0, 3.0, 50.0]))
def test_both_solvers_refuse_a_graph_or_both_find_the_least_cost_of_ending_it(graph, guess):
    newton, naive = (refusal_or_solution(solve, graph, guess) for solve in (solve_game_graph, solve_naive))
    if isinstance(newton, str) or isinstance(naive, str):
        assert newton == naive
        return
    assert naive.roll_values == pytest.approx(newton.roll_values, rel=1e-9, abs=1e-9)
    assert newton.roll_values == pytest.approx(least_cost_of_ending(graph), rel=1e-11, abs=1e-11)
    for solved in (newton, naive):
        assert all(
            solved.move_values[v] == solved.roll_values[graph.move_to[a:b]].min()
            for v, (a, b) in enumerate(itertools.pairwise(graph.first_move))
        )
        right = [
            graph.cost[u] + graph.chance[a:b] @ solved.move_values[graph.roll_to[a:b]]
            for u, (a, b) in enumerate(itertools.pairwise(graph.first_roll))
        ]
        assert solved.roll_values == pytest.approx(right, abs=1e-9)
