"""What one asks of a solved game graph: the value of a vertex, and which moves are best."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from jeopardice.errors import PositionError
from jeopardice.graphs.game_graph import GameGraph
from jeopardice.types import Floats


@dataclass(frozen=True, eq=False)
class GraphSolution:
    """The values of all vertices; `sweeps` counts the rounds that the guesses took, all loops summed up."""

    graph: GameGraph
    roll_values: Floats
    move_values: Floats
    sweeps: int

    def value(self, roll_vertex: Hashable) -> float:
        """Return f of a roll vertex by its name."""
        return float(self.roll_values[_place("roll", roll_vertex, self.graph.roll_at)])

    def move_value(self, move_vertex: Hashable) -> float:
        """Return f of a move vertex by its name."""
        return float(self.move_values[_place("move", move_vertex, self.graph.move_at)])

    def best_move(self, move_vertex: Hashable, *, within: float = 1e-12) -> tuple[Hashable, ...]:
        """Return where to move: one roll vertex, or all that tie, in the order given.

        Values tie that differ by less than `within`, relative to the best one or to 1. Where going round a loop is free,
        going round once more ties with leaving, but going round for ever does not end the game.
        """
        v = _place("move", move_vertex, self.graph.move_at)
        best = float(self.move_values[v])
        ways = self.graph.move_to[self.graph.first_move[v] : self.graph.first_move[v + 1]]
        most = best + within * max(1.0, abs(best))
        return tuple(self.graph.roll_names[u] for u in ways.tolist() if self.roll_values[u] <= most)


def _place(kind: str, name: Hashable, places: Mapping[Hashable, int]) -> int:
    try:
        return places[name]
    except (KeyError, TypeError):  # what cannot be hashed is no name either
        shown = ", ".join(repr(known) for known in list(places)[:6])
        more = f" and {len(places) - 6} more" if len(places) > 6 else ""
        raise PositionError(f"{name!r} is no {kind} vertex of this graph; there are {shown or 'none'}{more}") from None
