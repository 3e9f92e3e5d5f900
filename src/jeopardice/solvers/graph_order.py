"""In which order the vertices of a game graph can be settled, and its loops with their anchors.

Children counting gives the order: a vertex joins the next level once its last child is settled, so each edge is seen
once. What cannot be ordered lies on cycles; a strongly connected component becomes acyclic when its anchor, the one
roll vertex on all of its cycles, keeps a value that it is given.
"""

from dataclasses import dataclass

import numpy as np

from jeopardice.errors import RulesError
from jeopardice.solvers.game_graph import Floats, GameGraph, Ints


@dataclass(frozen=True)
class Level:
    """Vertices that can be settled together: their edges, laid end to end."""

    vertices: Ints
    edges: Ints
    first: Ints  # of each vertex within `edges`


def edges_of(first: Ints, vertices: Ints) -> tuple[Ints, Ints]:
    """Return the edges of `vertices` end to end, and where each vertex's begin."""
    counts = first[vertices + 1] - first[vertices]
    starts = np.concatenate([[0], np.cumsum(counts)])
    edges = np.arange(starts[-1]) + np.repeat(first[vertices] - starts[:-1], counts)
    return edges, starts[:-1]


class Sweep:
    """An order of settling the roll and move vertices of a part of the graph, all outside of it being settled.

    Children counting: a vertex whose last unsettled child is settled joins the next level, so each edge is seen once.
    """

    def __init__(self, graph: GameGraph, backward: "Backward", rolls: Ints, moves: Ints, cut: Ints) -> None:
        self.graph = graph
        self.levels: list[tuple[Level, Level]] = []
        in_rolls = np.zeros(len(graph.cost), bool)
        in_moves = np.zeros(len(graph.first_move) - 1, bool)
        in_rolls[rolls] = True
        in_rolls[cut] = False  # cut vertices keep the value they are given
        in_moves[moves] = True
        rolls = rolls[in_rolls[rolls]]
        edges, _ = edges_of(graph.first_roll, rolls)
        sources = np.repeat(rolls, graph.first_roll[rolls + 1] - graph.first_roll[rolls])
        wanting_rolls = np.bincount(sources[in_moves[graph.roll_to[edges]]], minlength=len(in_rolls))
        edges, _ = edges_of(graph.first_move, moves)
        sources = np.repeat(moves, graph.first_move[moves + 1] - graph.first_move[moves])
        wanting_moves = np.bincount(sources[in_rolls[graph.move_to[edges]]], minlength=len(in_moves))
        ready_rolls, ready_moves = rolls[wanting_rolls[rolls] == 0], moves[wanting_moves[moves] == 0]
        settled = 0
        while len(ready_rolls) or len(ready_moves):
            settled += len(ready_rolls) + len(ready_moves)
            self.levels.append(
                (
                    Level(ready_moves, *edges_of(graph.first_move, ready_moves)),
                    Level(ready_rolls, *edges_of(graph.first_roll, ready_rolls)),
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


class Backward:
    """The edges of a graph by where they lead."""

    def __init__(self, graph: GameGraph) -> None:
        self._roll_source, self._first_into_move = _reversed(graph.first_roll, graph.roll_to, len(graph.first_move) - 1)
        self._move_source, self._first_into_roll = _reversed(graph.first_move, graph.move_to, len(graph.cost))

    def rolls_into(self, moves: Ints) -> Ints:
        """Return the roll vertices of all edges into `moves`."""
        return self._roll_source[edges_of(self._first_into_move, moves)[0]]

    def moves_into(self, rolls: Ints) -> Ints:
        """Return the move vertices of all edges into `rolls`."""
        return self._move_source[edges_of(self._first_into_roll, rolls)[0]]


def _reversed(first: Ints, to: Ints, targets: int) -> tuple[Ints, Ints]:
    sources = np.repeat(np.arange(len(first) - 1), np.diff(first))
    return sources[np.argsort(to, kind="stable")], np.concatenate([[0], np.cumsum(np.bincount(to, minlength=targets))])


@dataclass(frozen=True)
class Component:
    """A loop with its anchor, or (anchor None) loose vertices of one depth; and the order to settle them in."""

    rolls: Ints
    moves: Ints
    anchor: int | None
    sweep: Sweep


def components(graph: GameGraph, backward: Backward) -> list[Component]:
    """Return the strongly connected components, children first; loose vertices between two of them are one part."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    rolls, moves = len(graph.cost), len(graph.first_move) - 1
    first = np.concatenate([graph.first_roll, graph.first_roll[-1] + graph.first_move[1:]])
    to = np.concatenate([graph.roll_to + rolls, graph.move_to])
    both = csr_array((np.ones(len(to), np.int8), to, first), shape=(rolls + moves, rolls + moves))
    count, labels = connected_components(both, directed=True, connection="strong")
    label: Ints = labels.astype(np.int64)
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
        parents = links[edges_of(first_into, ready)[0], 0]
        np.subtract.at(wanting, parents, 1)
        ready = np.unique(parents[wanting[parents] == 0])
        level += 1
    return depth


def _component(graph: GameGraph, backward: Backward, members: Ints, *, is_loose: bool) -> Component:
    count = len(graph.cost)
    rolls, moves = members[members < count], members[members >= count] - count
    if is_loose:
        return Component(rolls, moves, None, Sweep(graph, backward, rolls, moves, np.zeros(0, np.int64)))
    # Every cycle passes the anchor, so each cycle found leaves only its own roll vertices to choose from.
    inside = set(members.tolist())
    chosen: set[int] = set(rolls.tolist())
    while chosen:
        w = max(chosen, key=lambda u: (graph.cost[u], -u))
        sweep = Sweep(graph, backward, rolls, moves, np.array([w]))
        if sweep.is_complete:
            return Component(rolls, moves, w, sweep)
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
