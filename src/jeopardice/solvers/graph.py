"""Explicit game graphs: any one-player game of rolls and moves, written out vertex by vertex.

A roll vertex u costs g(u) and leads to move vertices by chance; a move vertex v leads to roll vertices by choice:

    f(u) = g(u) + sum over v of chance(u, v) * f(v),        f(v) = min over u of f(u),

and a roll vertex without rolls is terminal, f(u) = g(u). Three ways to solve one, after Glenn, Fang and Kruskal (2006):

* `solve_acyclic` (their algorithm 1): a vertex is settled once all its children are; every edge is visited once.
* `solve_naive` (algorithm 2): guess the anchors, sweep, take the new values as the next guess; converges linearly.
* `solve_newton` (algorithm 3): per strongly connected component one anchor, the vertex on all of its cycles. Seen from
  there the component is f(x) = a x + b for the policy that is best at x, so the next guess is b / (1 - a).

The example of their figure 1: u1 opens a turn (cost 1) and leads to u2, where half the rolls win and half fall back.

>>> graph = GameGraph.from_dicts(
...     rolls={"u1": {"v1": 1}, "u2": {"v2": 1, "v3": 1}}, moves={"v1": ["u2"], "v2": ["u1"], "v3": ["u3"]},
...     costs={"u1": 1},
... )
>>> solve_newton(graph).value("u1"), solve_newton(graph).value("u2")
(2.0, 1.0)
"""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from jeopardice.errors import RulesError
from jeopardice.solvers.game_graph import Floats, GameGraph
from jeopardice.solvers.graph_order import Backward, Sweep, components, edges_of

__all__ = ["GameGraph", "GraphSolution", "solve_acyclic", "solve_naive", "solve_newton"]


@dataclass(frozen=True)
class GraphSolution:
    """The values of all vertices; `sweeps` counts evaluations, of the whole graph or of all loops summed up."""

    graph: GameGraph
    roll_values: Floats
    move_values: Floats
    sweeps: int

    def value(self, roll_vertex: Hashable) -> float:
        """Return f of a roll vertex by its name."""
        return float(self.roll_values[self.graph.roll_names.index(roll_vertex)])


def _blank(graph: GameGraph) -> tuple[Floats, Floats, Floats, Floats]:
    rolls, moves = len(graph.cost), len(graph.first_move) - 1
    return np.zeros(rolls), np.zeros(moves), np.zeros(rolls), np.zeros(moves)


def solve_acyclic(graph: GameGraph) -> GraphSolution:
    """Solve a graph without cycles by counting children; linear in its edges."""
    f_roll, f_move, slope_roll, slope_move = _blank(graph)
    rolls, moves = np.arange(len(f_roll)), np.arange(len(f_move))
    sweep = Sweep(graph, Backward(graph), rolls, moves, np.zeros(0, np.int64))
    if not sweep.is_complete:
        raise RulesError(
            f"this graph has a cycle, through or below {graph.roll_names[sweep.stuck[0]]!r}; use solve_newton instead"
        )
    sweep.run(f_roll, f_move, slope_roll, slope_move)
    return GraphSolution(graph, f_roll, f_move, 1)


def solve_naive(
    graph: GameGraph, *, guess: float = 1.0, tolerance: float = 1e-12, most_sweeps: int = 100_000
) -> GraphSolution:
    """Sweep with guessed anchors until no anchor changes by more than `tolerance`: the baseline, linear convergence."""
    backward = Backward(graph)
    anchors = np.array([part.anchor for part in components(graph, backward) if part.anchor is not None], np.int64)
    f_roll, f_move, slope_roll, slope_move = _blank(graph)
    sweep = Sweep(graph, backward, np.arange(len(f_roll)), np.arange(len(f_move)), anchors)
    f_roll[anchors] = guess
    edges, first = edges_of(graph.first_roll, anchors)
    for sweeps in range(1, most_sweeps + 1):
        sweep.run(f_roll, f_move, slope_roll, slope_move)
        if not len(anchors):
            return GraphSolution(graph, f_roll, f_move, sweeps)
        better = graph.cost[anchors] + np.add.reduceat(graph.chance[edges] * f_move[graph.roll_to[edges]], first)
        change = float(np.max(np.abs(better - f_roll[anchors])))
        f_roll[anchors] = better
        if change <= tolerance:
            return GraphSolution(graph, f_roll, f_move, sweeps)
    raise RulesError(f"no convergence to {tolerance} in {most_sweeps} sweeps; can every vertex reach a terminal one?")


def solve_newton(graph: GameGraph, *, guess: float = 1.0, tolerance: float = 1e-14) -> GraphSolution:
    """Solve component by component, each by Newton's method on its one anchor."""
    backward = Backward(graph)
    f_roll, f_move, slope_roll, slope_move = _blank(graph)
    sweeps = 0
    for part in components(graph, backward):
        if part.anchor is None:
            part.sweep.run(f_roll, f_move, slope_roll, slope_move)
            continue
        w = part.anchor
        rolls = slice(graph.first_roll[w], graph.first_roll[w + 1])
        x, last_slope = guess, np.nan
        while True:
            f_roll[w], slope_roll[w] = x, 1.0
            part.sweep.run(f_roll, f_move, slope_roll, slope_move)
            sweeps += 1
            to, chance = graph.roll_to[rolls], graph.chance[rolls]
            worth = graph.cost[w] + float(chance @ f_move[to])
            slope = float(chance @ slope_move[to])
            if x > 1e15:
                raise RulesError(f"the loop at {graph.roll_names[w]!r} has no way out; some play must leave it")
            # so cheap an anchor that nothing leaves it on purpose: guess higher
            better = x + (worth - x) / (1.0 - slope) if 1.0 - slope > 1e-12 else 2.0 * max(1.0, worth)
            same_policy, x_was, x = slope == last_slope, x, better
            if abs(x - x_was) <= tolerance * max(1.0, abs(x)) or (same_policy and abs(x - x_was) <= 1e3 * tolerance):
                break
            last_slope = slope
        f_roll[w] = x
        # what lies outside sees this component's values, not its loop
        slope_roll[part.rolls] = 0.0
        slope_move[part.moves] = 0.0
    return GraphSolution(graph, f_roll, f_move, sweeps)
