"""Explicit game graphs: any one-player game of rolls and moves, written out vertex by vertex.

A roll vertex u costs g(u) and leads to move vertices by chance; a move vertex v leads to roll vertices by choice:

    f(u) = g(u) + sum over v of chance(u, v) * f(v),        f(v) = min over u of f(u),

and a roll vertex without rolls is terminal, f(u) = g(u). Three ways to solve one, after Glenn, Fang and Kruskal (2006):

* `solve_acyclic` (their algorithm 1): a vertex is settled once all its children are; every edge is visited once.
* `solve_naive` (algorithm 2): guess the anchor, sweep, take the new value as the next guess; converges linearly.
* `solve_game_graph` (algorithm 3): per strongly connected component one anchor, the vertex on all of its cycles. Seen from
  there the component is F(x) = a x + b for the policy that is best at x, so the next guess is b / (1 - a).

1 - a is the chance to leave the loop, and b / (1 - a) is what the policy costs until it does. F is the least of all
these lines. A policy with a = 1 never leaves; where it costs something (b > 0, their Lemma 2) x = F(x) has one solution.
Where going round is free every x up to some x0 solves the equations, and the value is that last one, x0: above it some
policy that leaves lies below x, under it none does, so x0 is the least cost of all policies that *end* the game. Both
solvers come down to it from above, and both need what makes x0 exist: a way out of every loop, no negative cost on one.

The example of their figure 1: u1 opens a turn (cost 1) and leads to u2, where half the rolls win and half fall back.

>>> graph = GameGraph.from_dicts(
...     rolls={"u1": {"v1": 1}, "u2": {"v2": 1, "v3": 1}}, moves={"v1": ["u2"], "v2": ["u1"], "v3": ["u3"]},
...     costs={"u1": 1},
... )
>>> solve_game_graph(graph).value("u1"), solve_game_graph(graph).value("u2")
(2.0, 1.0)
"""

from collections.abc import Callable
from math import isfinite

import numpy as np

from jeopardice.errors import RulesError, TooLargeError
from jeopardice.graphs.game_graph import GameGraph, is_finite_number
from jeopardice.graphs.loops import Component, components
from jeopardice.graphs.solution import GraphSolution
from jeopardice.graphs.sweep import Backward, PerVertex, Sweep

__all__ = ["GameGraph", "GraphSolution", "solve_acyclic", "solve_game_graph", "solve_naive"]

Round = Callable[[float], tuple[float, float]]
"""From a guess x for the anchor to b and 1 - a: the cost of one round by the policy best at x, its chance to leave."""


def solve_acyclic(graph: GameGraph) -> GraphSolution:
    """Solve a graph without cycles by counting children; linear in its edges."""
    f, leave = _blank(graph)
    sweep = Sweep(graph, Backward(graph), np.arange(len(f.rolls)), np.arange(len(f.moves)), np.zeros(0, np.int64))
    if not sweep.is_complete:
        raise RulesError(
            f"this graph has a cycle, through or below {graph.roll_names[sweep.stuck[0]]!r}; use solve_game_graph instead"
        )
    with np.errstate(over="ignore", invalid="ignore"):
        sweep.run(f, leave)
    return _solution(graph, f, 1)


def solve_naive(
    graph: GameGraph, *, guess: float = 1.0, tolerance: float = 1e-12, most_sweeps: int = 100_000
) -> GraphSolution:
    """Sweep each loop until its anchor changes by no more than `tolerance`: the baseline, linear convergence."""
    _check_numbers(guess, tolerance)
    if not (isinstance(most_sweeps, int) and most_sweeps >= 1):
        raise RulesError(f"most_sweeps is a whole number of at least 1, got most_sweeps={most_sweeps!r}")

    def settle(one_round: Round) -> tuple[float, int]:
        x, came_down = float(guess), False
        for sweeps in range(1, most_sweeps + 1):
            cost, leave = one_round(x)
            better = cost + max(0.0, 1.0 - leave) * x
            change = better - x
            # standing still without leaving is no solution, unless rounding ended a descent just below it
            if leave == 0 and change <= tolerance and not came_down:
                x = _higher(better)
                continue
            x, came_down = better, came_down or change < 0
            if abs(change) <= max(tolerance, 4 * np.spacing(abs(x))):
                return x, sweeps
        raise TooLargeError(
            f"no convergence to tolerance={tolerance!r} in most_sweeps={most_sweeps!r}; use solve_game_graph instead"
        )

    return _settled_by_loops(graph, settle)


def solve_game_graph(graph: GameGraph, *, guess: float = 1.0, tolerance: float = 1e-14) -> GraphSolution:
    """Return the values of a game graph, solved component by component, each by Newton's method on its one anchor.

    From the first step on x is what some policy costs that leaves the loop, and falls from policy to policy, so it ends.
    `tolerance` is relative to the value, or to 1 where that is larger.
    """
    _check_numbers(guess, tolerance)

    def settle(one_round: Round) -> tuple[float, int]:
        x, is_cost, sweeps = float(guess), False, 0
        while True:
            cost, leave = one_round(x)
            sweeps += 1
            better = cost / leave if leave > 0 else x
            if is_cost and not better < x:
                return x, sweeps
            if leave == 0:
                x = _higher(x + cost)
                continue
            step, x, is_cost = better - x, better, True
            if abs(step) <= tolerance * max(1.0, abs(x)):
                return x, sweeps

    return _settled_by_loops(graph, settle)


def _higher(x: float) -> float:
    """Return a higher guess: the last one was so cheap that no policy leaves it on purpose."""
    return 2.0 * max(1.0, x)


def _settled_by_loops(graph: GameGraph, settle: Callable[[Round], tuple[float, int]]) -> GraphSolution:
    """Settle the components, children first; `settle` finds an anchor's value from rounds of its loop."""
    f, leave = _blank(graph)
    sweeps = 0
    with np.errstate(over="ignore", invalid="ignore"):
        for part in components(graph, Backward(graph)):
            if part.anchor is not None:
                x, used = settle(_round_of(graph, part, f, leave))
                sweeps += used
                f.rolls[part.anchor] = x
            part.sweep.run(f, leave)
            # what lies above sees this component's values, not its loop
            leave.rolls[part.rolls] = 1.0
            leave.moves[part.moves] = 1.0
    return _solution(graph, f, sweeps)


def _round_of(graph: GameGraph, part: Component, f: PerVertex, leave: PerVertex) -> Round:
    w = part.anchor
    assert w is not None
    rolls = slice(graph.first_roll[w], graph.first_roll[w + 1])
    to, chance = graph.roll_to[rolls], graph.chance[rolls]

    def one_round(x: float) -> tuple[float, float]:
        if not isfinite(x):
            raise TooLargeError(f"the value of {graph.roll_names[w]!r} is beyond all floats; a way out is too unlikely")
        f.rolls[w], leave.rolls[w] = 0.0, 0.0
        part.sweep.run(f, leave, x)
        return float(graph.cost[w] + chance @ f.moves[to]), float(chance @ leave.moves[to])

    return one_round


def _blank(graph: GameGraph) -> tuple[PerVertex, PerVertex]:
    """Return room for the values, and for the chances to leave a loop: 1 wherever no loop is being settled."""
    rolls, moves = len(graph.cost), len(graph.first_move) - 1
    return PerVertex(np.zeros(rolls), np.zeros(moves)), PerVertex(np.ones(rolls), np.ones(moves))


def _solution(graph: GameGraph, f: PerVertex, sweeps: int) -> GraphSolution:
    if not np.isfinite(f.rolls).all():
        name = graph.roll_names[int(np.argmin(np.isfinite(f.rolls)))]
        raise TooLargeError(f"the value of {name!r} is beyond all floats; count the costs in a larger unit")
    return GraphSolution(graph, f.rolls, f.moves, sweeps)


def _check_numbers(guess: float, tolerance: float) -> None:
    if not is_finite_number(guess):
        raise RulesError(f"guess is a finite number, got guess={guess!r}")
    if not (is_finite_number(tolerance) and tolerance >= 0):
        raise RulesError(f"tolerance is a finite number of at least 0, got tolerance={tolerance!r}")
