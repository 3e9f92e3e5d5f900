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

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.errors import RulesError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class GameGraph:
    """A bipartite graph as arrays: the rolls of u are `roll_to[first_roll[u]:first_roll[u + 1]]`, moves alike."""

    roll_names: tuple[Hashable, ...]
    move_names: tuple[Hashable, ...]
    cost: Floats
    first_roll: Ints
    roll_to: Ints
    chance: Floats
    first_move: Ints
    move_to: Ints

    @staticmethod
    def from_dicts(
        rolls: Mapping[Any, Mapping[Any, float]],
        moves: Mapping[Any, Iterable[Any]],
        costs: Mapping[Any, float],
    ) -> "GameGraph":
        """Write out a graph: rolls[u] = {v: weight}, moves[v] = [u, ...], costs[u] (0 where left out).

        Weights count relative to each other. A vertex that is only moved to, and has no rolls, is terminal.
        """
        roll_names = dict.fromkeys([*rolls, *(u for ways in moves.values() for u in ways), *costs])
        undescribed = sorted({repr(v) for ways in rolls.values() for v in ways if v not in moves})
        if undescribed:
            raise RulesError(f"every move vertex needs its moves, none given for {', '.join(undescribed[:3])}")
        return _laid_out(
            list(roll_names), list(moves), lambda u: rolls.get(u, {}), lambda v: moves[v], lambda u: costs.get(u, 0.0)
        )

    @staticmethod
    def explore(
        starts: Iterable[Any],
        rolls: Callable[[Any], Mapping[Any, float]],
        moves: Callable[[Any], Iterable[Any]],
        cost: Callable[[Any], float],
    ) -> "GameGraph":
        """Write out everything that can be reached from the roll vertices `starts`, asking three functions."""
        rolls_of: dict[Any, Mapping[Any, float]] = {}
        moves_of: dict[Any, list[Any]] = {}
        waiting = list(starts)
        while waiting:
            u = waiting.pop()
            if u in rolls_of:
                continue
            rolls_of[u] = rolls(u)
            for v in rolls_of[u]:
                if v not in moves_of:
                    moves_of[v] = list(moves(v))
                    waiting.extend(moves_of[v])
        return _laid_out(list(rolls_of), list(moves_of), rolls_of.__getitem__, moves_of.__getitem__, cost)


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


def _laid_out(
    roll_names: list[Any],
    move_names: list[Any],
    rolls: Callable[[Any], Mapping[Any, float]],
    moves: Callable[[Any], Iterable[Any]],
    cost: Callable[[Any], float],
) -> GameGraph:
    roll_at = {name: place for place, name in enumerate(roll_names)}
    move_at = {name: place for place, name in enumerate(move_names)}
    roll_to: list[int] = []
    chance: list[float] = []
    first_roll, first_move, move_to = [0], [0], list[int]()
    for u in roll_names:
        weights = rolls(u)
        total = sum(weights.values())
        if any(not weight > 0 for weight in weights.values()):
            raise RulesError(f"weights of rolls are positive, got {dict(weights)!r} at {u!r}")
        roll_to.extend(move_at[v] for v in weights)
        chance.extend(weight / total for weight in weights.values())
        first_roll.append(len(roll_to))
    for v in move_names:
        move_to.extend(roll_at[u] for u in moves(v))
        if len(move_to) == first_move[-1]:
            raise RulesError(f"a move vertex needs at least one move, got none at {v!r}; a bust moves to its anchor")
        first_move.append(len(move_to))
    costs = np.array([cost(u) for u in roll_names], float)
    arrays = [np.array(part, np.int64) for part in (first_roll, roll_to, first_move, move_to)]
    return GameGraph(
        tuple(roll_names), tuple(move_names), costs, arrays[0], arrays[1], np.array(chance, float), arrays[2], arrays[3]
    )


@dataclass(frozen=True)
class _Level:
    """Vertices that can be settled together: their edges, laid end to end."""

    vertices: Ints
    edges: Ints
    first: Ints  # of each vertex within `edges`


def _edges_of(first: Ints, vertices: Ints) -> tuple[Ints, Ints]:
    """Return the edges of `vertices` end to end, and where each vertex's begin."""
    counts = first[vertices + 1] - first[vertices]
    starts = np.concatenate([[0], np.cumsum(counts)])
    edges = np.arange(starts[-1]) + np.repeat(first[vertices] - starts[:-1], counts)
    return edges, starts[:-1]


class _Sweep:
    """An order of settling the roll and move vertices of a part of the graph, all outside of it being settled.

    Children counting: a vertex whose last unsettled child is settled joins the next level, so each edge is seen once.
    """

    def __init__(self, graph: GameGraph, backward: "_Backward", rolls: Ints, moves: Ints, cut: Ints) -> None:
        self.graph = graph
        self.levels: list[tuple[_Level, _Level]] = []
        in_rolls = np.zeros(len(graph.cost), bool)
        in_moves = np.zeros(len(graph.first_move) - 1, bool)
        in_rolls[rolls] = True
        in_rolls[cut] = False  # cut vertices keep the value they are given
        in_moves[moves] = True
        rolls = rolls[in_rolls[rolls]]
        edges, _ = _edges_of(graph.first_roll, rolls)
        sources = np.repeat(rolls, graph.first_roll[rolls + 1] - graph.first_roll[rolls])
        wanting_rolls = np.bincount(sources[in_moves[graph.roll_to[edges]]], minlength=len(in_rolls))
        edges, _ = _edges_of(graph.first_move, moves)
        sources = np.repeat(moves, graph.first_move[moves + 1] - graph.first_move[moves])
        wanting_moves = np.bincount(sources[in_rolls[graph.move_to[edges]]], minlength=len(in_moves))
        ready_rolls, ready_moves = rolls[wanting_rolls[rolls] == 0], moves[wanting_moves[moves] == 0]
        settled = 0
        while len(ready_rolls) or len(ready_moves):
            settled += len(ready_rolls) + len(ready_moves)
            self.levels.append(
                (
                    _Level(ready_moves, *_edges_of(graph.first_move, ready_moves)),
                    _Level(ready_rolls, *_edges_of(graph.first_roll, ready_rolls)),
                )
            )
            parents = backward.rolls_into(ready_moves)
            parents = parents[in_rolls[parents]]
            np.subtract.at(wanting_rolls, parents, 1)
            next_rolls = np.unique(parents[wanting_rolls[parents] == 0])
            parents = backward.moves_into(ready_rolls)
            parents = parents[in_moves[parents]]
            np.subtract.at(wanting_moves, parents, 1)
            ready_moves = np.unique(parents[wanting_moves[parents] == 0])
            ready_rolls = next_rolls
        self.is_complete = settled == len(rolls) + len(moves)
        self.stuck = rolls[wanting_rolls[rolls] > 0]

    def run(self, f_roll: Floats, f_move: Floats, slope_roll: Floats, slope_move: Floats) -> None:
        """Settle all levels in place; slopes are the chances to reach the cut vertices whose slope is 1."""
        graph = self.graph
        for moving, rolling in self.levels:
            if len(moving.vertices):
                to = graph.move_to[moving.edges]
                best = np.minimum.reduceat(f_roll[to], moving.first)
                counts = np.diff(np.append(moving.first, len(to)))
                chosen = np.where(f_roll[to] == np.repeat(best, counts), np.arange(len(to)), len(to))
                f_move[moving.vertices] = best
                slope_move[moving.vertices] = slope_roll[to[np.minimum.reduceat(chosen, moving.first)]]
            inner = graph.first_roll[rolling.vertices + 1] > graph.first_roll[rolling.vertices]
            f_roll[rolling.vertices] = graph.cost[rolling.vertices]
            if inner.any():
                at, vertices = rolling.first[inner], rolling.vertices[inner]
                to, chance = graph.roll_to[rolling.edges], graph.chance[rolling.edges]
                f_roll[vertices] += np.add.reduceat(chance * f_move[to], at)
                slope_roll[vertices] = np.add.reduceat(chance * slope_move[to], at)


class _Backward:
    """The edges of a graph by where they lead."""

    def __init__(self, graph: GameGraph) -> None:
        self._roll_source, self._first_into_move = _reversed(graph.first_roll, graph.roll_to, len(graph.first_move) - 1)
        self._move_source, self._first_into_roll = _reversed(graph.first_move, graph.move_to, len(graph.cost))

    def rolls_into(self, moves: Ints) -> Ints:
        return self._roll_source[_edges_of(self._first_into_move, moves)[0]]

    def moves_into(self, rolls: Ints) -> Ints:
        return self._move_source[_edges_of(self._first_into_roll, rolls)[0]]


def _reversed(first: Ints, to: Ints, targets: int) -> tuple[Ints, Ints]:
    sources = np.repeat(np.arange(len(first) - 1), np.diff(first))
    return sources[np.argsort(to, kind="stable")], np.concatenate([[0], np.cumsum(np.bincount(to, minlength=targets))])


def _blank(graph: GameGraph) -> tuple[Floats, Floats, Floats, Floats]:
    rolls, moves = len(graph.cost), len(graph.first_move) - 1
    return np.zeros(rolls), np.zeros(moves), np.zeros(rolls), np.zeros(moves)


def solve_acyclic(graph: GameGraph) -> GraphSolution:
    """Solve a graph without cycles by counting children; linear in its edges."""
    f_roll, f_move, slope_roll, slope_move = _blank(graph)
    rolls, moves = np.arange(len(f_roll)), np.arange(len(f_move))
    sweep = _Sweep(graph, _Backward(graph), rolls, moves, np.zeros(0, np.int64))
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
    backward = _Backward(graph)
    anchors = np.array([part.anchor for part in _components(graph, backward) if part.anchor is not None], np.int64)
    f_roll, f_move, slope_roll, slope_move = _blank(graph)
    sweep = _Sweep(graph, backward, np.arange(len(f_roll)), np.arange(len(f_move)), anchors)
    f_roll[anchors] = guess
    edges, first = _edges_of(graph.first_roll, anchors)
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
    backward = _Backward(graph)
    f_roll, f_move, slope_roll, slope_move = _blank(graph)
    sweeps = 0
    for part in _components(graph, backward):
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


@dataclass(frozen=True)
class _Component:
    rolls: Ints
    moves: Ints
    anchor: int | None
    sweep: _Sweep


def _components(graph: GameGraph, backward: _Backward) -> list[_Component]:
    """Return the strongly connected components, children first; loose vertices between two of them are one part."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    rolls, moves = len(graph.cost), len(graph.first_move) - 1
    first = np.concatenate([graph.first_roll, graph.first_roll[-1] + graph.first_move[1:]])
    to = np.concatenate([graph.roll_to + rolls, graph.move_to])
    both = csr_array((np.ones(len(to), np.int8), to, first), shape=(rolls + moves, rolls + moves))
    count, label = connected_components(both, directed=True, connection="strong")
    depth = _depths(count, label, first, to)
    # a loose vertex is a component of its own; those of equal depth are settled together
    loose = np.bincount(label, minlength=count) == 1
    part_of = np.where(loose[label], -1 - depth[label], label)
    parts: dict[int, Ints] = {}
    by_part = np.argsort(part_of, kind="stable")
    for members in np.split(by_part, np.flatnonzero(np.diff(part_of[by_part])) + 1):
        parts[int(part_of[members[0]])] = members
    ordered = sorted(parts.items(), key=lambda item: (int(depth[label[item[1][0]]]), item[0]))
    return [_component(graph, backward, members, is_loose=part < 0) for part, members in ordered]


def _depths(count: int, label: Ints, first: Ints, to: Ints) -> Ints:
    """Return for each component the longest path of components below it."""
    source = label[np.repeat(np.arange(len(first) - 1), np.diff(first))]
    target = label[to]
    links = np.unique(np.stack([source, target], 1)[source != target], axis=0)
    wanting = np.bincount(links[:, 0], minlength=count)
    links = links[np.argsort(links[:, 1], kind="stable")]
    first_into = np.concatenate([[0], np.cumsum(np.bincount(links[:, 1], minlength=count))])
    depth = np.zeros(count, np.int64)
    ready = np.flatnonzero(wanting == 0)
    level = 0
    while len(ready):
        depth[ready] = level
        parents = links[_edges_of(first_into, ready)[0], 0]
        np.subtract.at(wanting, parents, 1)
        ready = np.unique(parents[wanting[parents] == 0])
        level += 1
    return depth


def _component(graph: GameGraph, backward: _Backward, members: Ints, *, is_loose: bool) -> _Component:
    count = len(graph.cost)
    rolls, moves = members[members < count], members[members >= count] - count
    if is_loose:
        return _Component(rolls, moves, None, _Sweep(graph, backward, rolls, moves, np.zeros(0, np.int64)))
    # Every cycle passes the anchor, so each cycle found leaves only its own roll vertices to choose from.
    inside = set(members.tolist())
    chosen: set[int] = set(rolls.tolist())
    while chosen:
        w = max(chosen, key=lambda u: (graph.cost[u], -u))
        sweep = _Sweep(graph, backward, rolls, moves, np.array([w]))
        if sweep.is_complete:
            return _Component(rolls, moves, w, sweep)
        chosen &= _cycle(graph, inside, int(sweep.stuck[0]), without=w)
    raise RulesError(
        f"the loop through {graph.roll_names[rolls[0]]!r} has no single anchor: no one roll vertex lies on all its "
        "cycles; use solve_naive with anchors of your own, or a solver for general decision processes"
    )


def _cycle(graph: GameGraph, inside: set[int], start: int, *, without: int) -> set[int]:
    """Return the roll vertices of a cycle among unsettled vertices that avoids `without`."""
    count = len(graph.cost)

    def children(vertex: int) -> list[int]:
        if vertex < count:
            found = graph.roll_to[graph.first_roll[vertex] : graph.first_roll[vertex + 1]] + count
        else:
            found = graph.move_to[graph.first_move[vertex - count] : graph.first_move[vertex - count + 1]]
        return [child for child in found.tolist() if child in inside and child != without]

    on_path: dict[int, int] = {}
    finished: set[int] = set()
    stack = [(start, iter(children(start)))]
    on_path[start] = 0
    while stack:
        vertex, waiting = stack[-1]
        child = next(waiting, None)
        if child is None:
            stack.pop()
            del on_path[vertex]
            finished.add(vertex)
        elif child in on_path:
            return {v for v, _ in stack[on_path[child] :] if v < count}
        elif child not in finished:
            on_path[child] = len(stack)
            stack.append((child, iter(children(child))))
    return set()
