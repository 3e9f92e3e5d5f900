from fractions import Fraction

import numpy as np
import pytest

from jeopardice.columns.graph import cant_stop_graph
from jeopardice.errors import PositionError, RulesError, TooLargeError
from jeopardice.games.cant_stop import CantStop
from jeopardice.graphs.graph import GameGraph, solve_acyclic, solve_game_graph, solve_naive

FIGURE_1 = GameGraph.from_dicts(
    rolls={"u1": {"v1": 1}, "u2": {"v2": 1, "v3": 1}},
    moves={"v1": ["u2"], "v2": ["u1"], "v3": ["u3"]},
    costs={"u1": 1},
)


@pytest.mark.parametrize("solve", [solve_naive, solve_game_graph])
def test_figure_1_of_the_paper(solve):
    """f(u1) = f(v2) = 2, f(u2) = f(v1) = 1, f(u3) = f(v3) = 0."""
    solution = solve(FIGURE_1)
    assert [solution.value(u) for u in ("u1", "u2", "u3")] == pytest.approx([2, 1, 0], abs=1e-11)
    assert solution.move_values == pytest.approx([1, 2, 0], abs=1e-11)


def test_newton_needs_one_step_for_figure_1_where_sweeping_halves_the_error():
    assert solve_game_graph(FIGURE_1).sweeps == 2  # one to step, one to see that nothing changes
    assert solve_naive(FIGURE_1, tolerance=2.0**-20).sweeps == 20


def test_figure_1_without_its_loop_is_settled_by_counting_children():
    graph = GameGraph.from_dicts(
        rolls={"u1": {"v1": 1}, "u2": {"v2": 1, "v3": 1}},
        moves={"v1": ["u2"], "v2": ["u4"], "v3": ["u3"]},
        costs={"u1": 1, "u4": 6},
    )
    assert solve_acyclic(graph).value("u1") == 1 + 6 / 2
    assert solve_game_graph(graph).value("u1") == 4
    assert solve_naive(graph).value("u1") == 4


def test_a_cycle_is_an_error_for_counting_children():
    with pytest.raises(RulesError, match=r"cycle.*solve_game_graph"):
        solve_acyclic(FIGURE_1)


def test_the_anchor_is_found_although_other_vertices_lie_on_the_first_cycle():
    """A chain of four rolls, each falling back to the first with chance 1/2: 2 + 4 + 8 + 16 = 30 rolls."""
    rolls = {i: {("on", i): 1, ("back", i): 1} for i in range(4)}
    moves = {("on", i): [i + 1] for i in range(4)} | {("back", i): [0] for i in range(4)}
    graph = GameGraph.from_dicts(rolls, moves, costs=dict.fromkeys(range(4), 1))
    assert solve_game_graph(graph).value(0) == pytest.approx(30, abs=1e-12)


def test_a_description_by_functions_reaches_the_same_graph():
    graph = GameGraph.explore(
        ["u1"],
        rolls=lambda u: {"u1": {"v1": 1}, "u2": {"v2": 1, "v3": 1}, "u3": {}}[u],
        moves=lambda v: {"v1": ["u2"], "v2": ["u1"], "v3": ["u3"]}[v],
        cost=lambda u: float(u == "u1"),
    )
    assert solve_game_graph(graph).value("u1") == 2


ROLLS, MOVES = {"u": {"v": 1}}, {"v": ["end"]}


@pytest.mark.parametrize(
    ("rolls", "moves", "costs", "wrong"),
    [
        ({"u": {"v": 0}}, MOVES, {}, "weights of rolls are positive and finite, got 0 from 'u' to 'v'"),
        ({"u": {"v": -2}}, MOVES, {}, "positive and finite, got -2"),
        ({"u": {"v": float("nan")}}, MOVES, {}, "positive and finite, got nan"),
        ({"u": {"v": float("inf")}}, MOVES, {}, "positive and finite, got inf"),
        ({"u": {"v": "1"}}, MOVES, {}, "positive and finite, got '1'"),
        ({"u": {"v": 1e308, "w": 1e308}}, MOVES | {"w": ["end"]}, {}, "comparable as floats"),
        ({"u": "v"}, MOVES, {}, "dict of weights by move vertex, got 'v' at 'u'"),
        (ROLLS, {"v": []}, {}, "at least one move, got none at 'v'"),
        (ROLLS, {}, {}, "needs its moves, none given for 'v'"),
        (ROLLS, {"v": "end"}, {}, r"list of roll vertices, got 'end' at 'v'; write \['end'\]"),
        (ROLLS, {"v": 7}, {}, "list of roll vertices, got 7 at 'v'"),
        (ROLLS, {"v": [["end"]]}, {}, "hashable roll vertices"),
        (ROLLS, {"v": ["w"], "w": ["u"]}, {}, "leads to a roll vertex, got the move vertex 'w' at 'v'"),
        (ROLLS, MOVES, {"edn": 5}, "got one for 'edn', which is none of them"),
        (ROLLS, MOVES, {"v": 5}, "got one for 'v', which is none of them"),
        (ROLLS, MOVES, {"end": float("nan")}, "finite number, got nan at 'end'"),
        (ROLLS, MOVES, {"u": float("-inf")}, "finite number, got -inf at 'u'"),
        (ROLLS, MOVES, {"u": None}, "finite number, got None at 'u'"),
        ({}, {}, {}, "at least one roll vertex"),
        ([("u", "v")], MOVES, {}, "rolls is a dict by vertex"),
    ],
)
def test_bad_descriptions_are_refused_in_one_line(rolls, moves, costs, wrong):
    with pytest.raises(RulesError, match=wrong) as refused:
        GameGraph.from_dicts(rolls, moves, costs)
    assert "\n" not in str(refused.value)


def test_a_description_by_functions_is_held_to_the_same():
    with pytest.raises(RulesError, match=r"starts is a list of roll vertices, got 'u1'"):
        GameGraph.explore("u1", rolls=lambda u: {}, moves=lambda v: [], cost=lambda u: 0)
    with pytest.raises(RulesError, match="got 'end' at 'v'"):
        GameGraph.explore(["u"], lambda u: {"v": 1}, moves=lambda v: "end", cost=lambda u: 0)
    with pytest.raises(RulesError, match="got nan at 'u'"):
        GameGraph.explore(["u"], lambda u: {}, moves=lambda v: [], cost=lambda u: float("nan"))


def test_moves_may_come_from_a_generator():
    graph = GameGraph.from_dicts(ROLLS, {"v": (end for end in ("far", "near"))}, {"far": 9, "near": 4})
    assert solve_acyclic(graph).value("u") == 4


def test_a_name_may_be_of_a_roll_vertex_and_of_a_move_vertex_if_both_are_described():
    graph = GameGraph.from_dicts({1: {1: 1}, 2: {}}, {1: [2]}, {1: 3, 2: 4})
    assert (solve_acyclic(graph).value(1), solve_acyclic(graph).move_value(1)) == (7, 4)


def test_costs_may_be_negative_where_there_is_no_loop():
    graph = GameGraph.from_dicts(ROLLS, {"v": ["end", "prize"]}, {"u": -1, "prize": -6})
    assert [solve(graph).value("u") for solve in (solve_acyclic, solve_naive, solve_game_graph)] == [-7, -7, -7]


def test_a_value_beyond_floats_is_refused_without_a_loop_too():
    with pytest.raises(TooLargeError, match="value of 'u' is beyond all floats"):
        solve_acyclic(GameGraph.from_dicts(ROLLS, MOVES, {"u": 1.5e308, "end": 1.5e308}))


def test_best_moves_are_shown_with_their_ties_in_the_order_given():
    graph = GameGraph.from_dicts(ROLLS, {"v": ["dear", "z", "a"]}, {"dear": 2, "z": 0.1 + 0.2, "a": 0.3})
    solved = solve_acyclic(graph)
    assert solved.best_move("v") == ("z", "a")
    assert solved.best_move("v", within=0) == ("a",)
    assert solved.move_value("v") == 0.3
    assert [solve_game_graph(FIGURE_1).best_move(v) for v in ("v1", "v2", "v3")] == [("u2",), ("u1",), ("u3",)]


def test_an_unknown_vertex_is_answered_with_those_there_are():
    solved = solve_game_graph(FIGURE_1)
    with pytest.raises(PositionError, match=r"^'zzz' is no roll vertex of this graph; there are 'u1', 'u2', 'u3'$"):
        solved.value("zzz")
    with pytest.raises(PositionError, match=r"^'u1' is no move vertex of this graph; there are 'v1', 'v2', 'v3'$"):
        solved.best_move("u1")
    with pytest.raises(PositionError, match="no move vertex"):
        solved.move_value(["v1"])
    long = solve_acyclic(GameGraph.from_dicts({i: {} for i in range(9)}, {}, {}))
    with pytest.raises(PositionError, match=r"there are 0, 1, 2, 3, 4, 5 and 3 more$"):
        long.value("zzz")


def test_newton_and_sweeping_agree_on_cant_stop():
    graph = cant_stop_graph(CantStop(2, 2))
    newton, naive = solve_game_graph(graph), solve_naive(graph)
    assert np.abs(newton.roll_values - naive.roll_values).max() < 1e-11
    assert newton.value((CantStop(2, 2).opening, ())) == pytest.approx(1.3472818615, abs=0.5e-10)


def test_the_solution_satisfies_its_equations():
    graph = cant_stop_graph(CantStop(2, 1))
    solved = solve_game_graph(graph)
    for u in range(len(graph.cost)):
        rolls = slice(graph.first_roll[u], graph.first_roll[u + 1])
        right = graph.cost[u] + graph.chance[rolls] @ solved.move_values[graph.roll_to[rolls]]
        assert solved.roll_values[u] == pytest.approx(right, abs=1e-14)
    for v in range(len(graph.move_names)):
        moves = graph.move_to[graph.first_move[v] : graph.first_move[v + 1]]
        assert solved.move_values[v] == solved.roll_values[moves].min()
    assert solved.value(((1, 2, 1), ())) == pytest.approx(float(Fraction(8, 7)), abs=1e-15)
