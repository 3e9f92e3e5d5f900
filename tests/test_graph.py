from fractions import Fraction

import numpy as np
import pytest

from jeopardice.errors import RulesError
from jeopardice.games.cant_stop import CantStop
from jeopardice.solvers.cant_stop_graph import cant_stop_graph
from jeopardice.solvers.graph import GameGraph, solve_acyclic, solve_naive, solve_newton

FIGURE_1 = GameGraph.from_dicts(
    rolls={"u1": {"v1": 1}, "u2": {"v2": 1, "v3": 1}},
    moves={"v1": ["u2"], "v2": ["u1"], "v3": ["u3"]},
    costs={"u1": 1},
)


@pytest.mark.parametrize("solve", [solve_naive, solve_newton])
def test_figure_1_of_the_paper(solve):
    """f(u1) = f(v2) = 2, f(u2) = f(v1) = 1, f(u3) = f(v3) = 0."""
    solution = solve(FIGURE_1)
    assert [solution.value(u) for u in ("u1", "u2", "u3")] == pytest.approx([2, 1, 0], abs=1e-11)
    assert solution.move_values == pytest.approx([1, 2, 0], abs=1e-11)


def test_newton_needs_one_step_for_figure_1_where_sweeping_halves_the_error():
    assert solve_newton(FIGURE_1).sweeps == 2  # one to step, one to see that nothing changes
    assert solve_naive(FIGURE_1, tolerance=2.0**-20).sweeps == 20


def test_figure_1_without_its_loop_is_settled_by_counting_children():
    graph = GameGraph.from_dicts(
        rolls={"u1": {"v1": 1}, "u2": {"v2": 1, "v3": 1}},
        moves={"v1": ["u2"], "v2": ["u4"], "v3": ["u3"]},
        costs={"u1": 1, "u4": 6},
    )
    assert solve_acyclic(graph).value("u1") == 1 + 6 / 2
    assert solve_newton(graph).value("u1") == 4
    assert solve_naive(graph).value("u1") == 4


def test_a_cycle_is_an_error_for_counting_children():
    with pytest.raises(RulesError, match=r"cycle.*solve_newton"):
        solve_acyclic(FIGURE_1)


def test_two_loops_that_share_no_vertex_have_no_single_anchor():
    graph = GameGraph.from_dicts(
        rolls={"a": {"to b": 1}, "b": {"b1": 1, "b2": 1}, "c": {"c1": 1, "c2": 1, "c3": 1}},
        moves={"to b": ["b"], "b1": ["a"], "b2": ["c"], "c1": ["b"], "c2": ["c"], "c3": ["end"]},
        costs={"a": 1, "b": 1, "c": 1},
    )
    with pytest.raises(RulesError, match="no single anchor"):
        solve_newton(graph)


def test_a_loop_without_a_way_out_is_an_error():
    graph = GameGraph.from_dicts(rolls={"a": {"v": 1}}, moves={"v": ["a"]}, costs={"a": 1})
    with pytest.raises(RulesError, match="no way out"):
        solve_newton(graph)


def test_the_anchor_is_found_although_other_vertices_lie_on_the_first_cycle():
    """A chain of four rolls, each falling back to the first with chance 1/2: 2 + 4 + 8 + 16 = 30 rolls."""
    rolls = {i: {("on", i): 1, ("back", i): 1} for i in range(4)}
    moves = {("on", i): [i + 1] for i in range(4)} | {("back", i): [0] for i in range(4)}
    graph = GameGraph.from_dicts(rolls, moves, costs=dict.fromkeys(range(4), 1))
    assert solve_newton(graph).value(0) == pytest.approx(30, abs=1e-12)


def test_a_description_by_functions_reaches_the_same_graph():
    graph = GameGraph.explore(
        ["u1"],
        rolls=lambda u: {"u1": {"v1": 1}, "u2": {"v2": 1, "v3": 1}, "u3": {}}[u],
        moves=lambda v: {"v1": ["u2"], "v2": ["u1"], "v3": ["u3"]}[v],
        cost=lambda u: float(u == "u1"),
    )
    assert solve_newton(graph).value("u1") == 2


@pytest.mark.parametrize(
    ("rolls", "moves", "wrong"),
    [
        ({"u": {"v": 0}}, {"v": ["u"]}, "positive"),
        ({"u": {"v": 1}}, {"v": []}, "at least one move"),
        ({"u": {"v": 1}}, {}, "needs its moves"),
    ],
)
def test_bad_descriptions_are_refused(rolls, moves, wrong):
    with pytest.raises(RulesError, match=wrong):
        GameGraph.from_dicts(rolls, moves, costs={})


def test_newton_and_sweeping_agree_on_cant_stop():
    graph = cant_stop_graph(CantStop(2, 2))
    newton, naive = solve_newton(graph), solve_naive(graph)
    assert np.abs(newton.roll_values - naive.roll_values).max() < 1e-11
    assert newton.value((CantStop(2, 2).opening, ())) == pytest.approx(1.3472818615, abs=0.5e-10)


def test_the_solution_satisfies_its_equations():
    graph = cant_stop_graph(CantStop(2, 1))
    solved = solve_newton(graph)
    for u in range(len(graph.cost)):
        rolls = slice(graph.first_roll[u], graph.first_roll[u + 1])
        right = graph.cost[u] + graph.chance[rolls] @ solved.move_values[graph.roll_to[rolls]]
        assert solved.roll_values[u] == pytest.approx(right, abs=1e-14)
    for v in range(len(graph.move_names)):
        moves = graph.move_to[graph.first_move[v] : graph.first_move[v + 1]]
        assert solved.move_values[v] == solved.roll_values[moves].min()
    assert solved.value(((1, 2, 1), ())) == pytest.approx(float(Fraction(8, 7)), abs=1e-15)
