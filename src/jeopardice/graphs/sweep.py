"""One pass over a part of a game graph: in which order its vertices can be settled, and their values.

Children counting gives the order: a vertex joins the next level once its last child is settled, so each edge is seen
once. What cannot be ordered lies on cycles, unless a vertex on each of them is cut: it keeps a value that it is given.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from jeopardice.engine.order import edges_of
from jeopardice.graphs.game_graph import GameGraph
from jeopardice.types import Floats, Ints


class PerVertex(NamedTuple):
    """A number for each roll vertex and one for each move vertex."""

    rolls: Floats
    moves: Floats


@dataclass(frozen=True)
class Level:
    """Vertices that can be settled together: their edges, laid end to end."""

    vertices: Ints
    edges: Ints
    first: Ints  # of each vertex within `edges`


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

    def run(self, cost: PerVertex, leave: PerVertex, x: float = 0.0) -> None:
        """Settle all levels in place, each choice being the best one if the cut vertex, the anchor, is worth x.

        `cost` is what is paid before the anchor or the end comes, `leave` the chance that it is the end; the anchor has 0
        in both. A vertex is worth cost + (1 - leave) x, so choices are compared by cost - leave x, where large x do not
        cancel. With nothing left to guess (x = 0) the cost is the value.
        """
        graph = self.graph
        for moving, rolling in self.levels:
            if len(moving.vertices):
                to = graph.move_to[moving.edges]
                worth = cost.rolls[to] - leave.rolls[to] * x
                best = np.minimum.reduceat(worth, moving.first)
                counts = np.diff(np.append(moving.first, len(to)))
                chosen = np.where(worth == np.repeat(best, counts), np.arange(len(to)), len(to))
                # nothing is chosen where values overflowed to NaN; the solvers refuse those
                to = to[np.minimum(np.minimum.reduceat(chosen, moving.first), len(to) - 1)]
                cost.moves[moving.vertices] = cost.rolls[to]
                leave.moves[moving.vertices] = leave.rolls[to]
            inner = graph.first_roll[rolling.vertices + 1] > graph.first_roll[rolling.vertices]
            cost.rolls[rolling.vertices] = graph.cost[rolling.vertices]
            if inner.any():
                at, vertices = rolling.first[inner], rolling.vertices[inner]
                to, chance = graph.roll_to[rolling.edges], graph.chance[rolling.edges]
                cost.rolls[vertices] += np.add.reduceat(chance * cost.moves[to], at)
                leave.rolls[vertices] = np.add.reduceat(chance * leave.moves[to], at)


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
