"""The loops of a game graph, each with its anchor, in the order in which they can be solved.

Vertices that lie on common cycles form a strongly connected component. It becomes acyclic when its anchor, the one roll
vertex on all of its cycles, keeps a value that it is given. A loop must have a way out and must not pay for going round.
"""

from dataclasses import dataclass

import numpy as np

from jeopardice.engine.order import component_depths, edges_of, strong_components
from jeopardice.errors import RulesError
from jeopardice.graphs.game_graph import GameGraph
from jeopardice.graphs.sweep import Backward, Sweep
from jeopardice.types import Ints


@dataclass(frozen=True)
class Component:
    """A loop with its anchor, or (anchor None) loose vertices of one depth; and the order to settle them in."""

    rolls: Ints
    moves: Ints
    anchor: int | None
    sweep: Sweep


def components(graph: GameGraph, backward: Backward) -> list[Component]:
    """Return the strongly connected components, children first; loose vertices between two of them are one part."""
    rolls = len(graph.cost)
    first = np.concatenate([graph.first_roll, graph.first_roll[-1] + graph.first_move[1:]])
    to = np.concatenate([graph.roll_to + rolls, graph.move_to])
    label = strong_components(first, to)
    depth = component_depths(label, first, to)
    # a loose vertex is a component of its own; those of equal depth are settled together
    loose = np.bincount(label) == 1
    part_of = np.where(loose[label], -1 - depth[label], label)
    parts: dict[int, Ints] = {}
    by_part = np.argsort(part_of, kind="stable")
    for members in np.split(by_part, np.flatnonzero(np.diff(part_of[by_part])) + 1):
        parts[int(part_of[members[0]])] = members
    ordered = sorted(parts.items(), key=lambda item: (int(depth[label[item[1][0]]]), item[0]))
    return [_component(graph, backward, members, is_loose=part < 0) for part, members in ordered]


def _component(graph: GameGraph, backward: Backward, members: Ints, *, is_loose: bool) -> Component:
    count = len(graph.cost)
    rolls, moves = members[members < count], members[members >= count] - count
    if is_loose:
        return Component(rolls, moves, None, Sweep(graph, backward, rolls, moves, np.zeros(0, np.int64)))
    _check_loop(graph, rolls, moves)
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
        "cycles; if the game ends whatever one chooses, write it as a StochasticGame instead"
    )


def _check_loop(graph: GameGraph, rolls: Ints, moves: Ints) -> None:
    """Refuse a loop that nothing leaves, and one that could pay for going round: neither has a least cost."""
    on_leaving = [
        np.setdiff1d(graph.roll_to[edges_of(graph.first_roll, rolls)[0]], moves),
        np.setdiff1d(graph.move_to[edges_of(graph.first_move, moves)[0]], rolls),
    ]
    if not any(map(len, on_leaving)):
        raise RulesError(
            f"the loop through {graph.roll_names[rolls[0]]!r} has no way out; some roll or move must lead to an end"
        )
    cheapest = rolls[np.argmin(graph.cost[rolls])]
    if graph.cost[cheapest] < 0:
        raise RulesError(
            f"a cost on a loop must not be negative, got {float(graph.cost[cheapest])!r} at "
            f"{graph.roll_names[cheapest]!r}; rewards belong where no loop comes by, such as the ends"
        )


def _cycle(graph: GameGraph, inside: set[int], start: int, *, without: int) -> set[int]:
    """Return the roll vertices of a cycle among unsettled vertices that avoids `without`."""
    count = len(graph.cost)

    def children(vertex: int) -> list[int]:
        if vertex < count:
            children = graph.roll_to[graph.first_roll[vertex] : graph.first_roll[vertex + 1]] + count
        else:
            children = graph.move_to[graph.first_move[vertex - count] : graph.first_move[vertex - count + 1]]
        return [child for child in children.tolist() if child in inside and child != without]

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
