"""An explicit game graph as arrays, from dicts or from functions that describe it.

Roll and move vertices are named by any hashable values. What a description gets wrong is said here, once, so that the
solvers meet only graphs that mean something.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isfinite

import numpy as np

from jeopardice.errors import RulesError
from jeopardice.types import Floats, Ints, Vertex


@dataclass(frozen=True, eq=False)
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

    @cached_property
    def roll_at(self) -> Mapping[Hashable, int]:
        """Where each roll vertex stands in the arrays."""
        return {name: place for place, name in enumerate(self.roll_names)}

    @cached_property
    def move_at(self) -> Mapping[Hashable, int]:
        """Where each move vertex stands in the arrays."""
        return {name: place for place, name in enumerate(self.move_names)}

    @staticmethod
    def from_dicts(
        rolls: Mapping[Vertex, Mapping[Vertex, float]],
        moves: Mapping[Vertex, Iterable[Vertex]],
        costs: Mapping[Vertex, float],
    ) -> "GameGraph":
        """Write out a graph: rolls[u] = {v: weight}, moves[v] = [u, ...], costs[u] (0 where left out).

        Weights count relative to each other. A vertex that is only moved to, and has no rolls, is terminal.
        """
        for name, described in (("rolls", rolls), ("moves", moves), ("costs", costs)):
            if not isinstance(described, Mapping):
                raise RulesError(f"{name} is a dict by vertex, got {described!r}")
        chances_of = {u: _chances(u, weights) for u, weights in rolls.items()}
        moves_of = {v: _moves(v, ways) for v, ways in moves.items()}
        undescribed = sorted({repr(v) for ways in rolls.values() for v in ways if v not in moves})
        if undescribed:
            raise RulesError(f"every move vertex needs its moves, none given for {', '.join(undescribed[:3])}")
        for v, ways in moves_of.items():
            for u in ways:
                if u in moves_of and u not in chances_of:
                    raise RulesError(
                        f"a move leads to a roll vertex, got the move vertex {u!r} at {v!r}; "
                        f"name the roll vertex, or give {u!r} its rolls too"
                    )
        roll_names = dict.fromkeys([*chances_of, *(u for ways in moves_of.values() for u in ways)])
        unknown = [u for u in costs if u not in roll_names]
        if unknown:
            raise RulesError(
                f"costs are of roll vertices in the graph, got one for {unknown[0]!r}, which is none of them"
            )
        return _laid_out({u: chances_of.get(u, {}) for u in roll_names}, moves_of, lambda u: costs.get(u, 0.0))

    @staticmethod
    def explore(
        starts: Iterable[Vertex],
        rolls: Callable[[Vertex], Mapping[Vertex, float]],
        moves: Callable[[Vertex], Iterable[Vertex]],
        cost: Callable[[Vertex], float],
    ) -> "GameGraph":
        """Write out everything that can be reached from the roll vertices `starts`, asking three functions."""
        if isinstance(starts, str | bytes) or not isinstance(starts, Iterable):
            raise RulesError(f"starts is a list of roll vertices, got {starts!r}; write [{starts!r}]")
        chances_of: dict[Vertex, dict[Vertex, float]] = {}
        moves_of: dict[Vertex, tuple[Vertex, ...]] = {}
        waiting = list(starts)
        while waiting:
            u = waiting.pop()
            if u in chances_of:
                continue
            chances_of[u] = _chances(u, rolls(u))
            for v in chances_of[u]:
                if v not in moves_of:
                    moves_of[v] = _moves(v, moves(v))
                    waiting.extend(moves_of[v])
        return _laid_out(chances_of, moves_of, cost)


def is_finite_number(value: object) -> bool:
    """Say whether a value is a number, and neither infinite nor NaN.

    >>> [is_finite_number(value) for value in (2, 0.5, float("nan"), "2", None)]
    [True, True, False, False, False]
    """
    try:
        return not isinstance(value, str | bytes) and isfinite(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False


def _chances(u: Vertex, weights: Mapping[Vertex, float]) -> dict[Vertex, float]:
    """Return the chances of the rolls of u, from their weights."""
    if not isinstance(weights, Mapping):
        raise RulesError(f"the rolls of a vertex are a dict of weights by move vertex, got {weights!r} at {u!r}")
    for v, weight in weights.items():
        if not (is_finite_number(weight) and weight > 0):
            raise RulesError(f"weights of rolls are positive and finite, got {weight!r} from {u!r} to {v!r}")
    total = sum(map(float, weights.values()))
    chances = {v: float(weight) / total for v, weight in weights.items()}
    if not all(chance > 0 for chance in chances.values()):
        raise RulesError(f"weights of rolls must be comparable as floats, got {dict(weights)!r} at {u!r}")
    return chances


def _moves(v: Vertex, ways: Iterable[Vertex]) -> tuple[Vertex, ...]:
    """Return the roll vertices that v can move to, each once, in the order given."""
    if isinstance(ways, str | bytes) or not isinstance(ways, Iterable):
        raise RulesError(f"the moves of a vertex are a list of roll vertices, got {ways!r} at {v!r}; write [{ways!r}]")
    try:
        distinct = tuple(dict.fromkeys(ways))
    except TypeError:
        raise RulesError(f"the moves of a vertex are a list of hashable roll vertices, got {ways!r} at {v!r}") from None
    if not distinct:
        raise RulesError(f"a move vertex needs at least one move, got none at {v!r}; a bust moves to its anchor")
    return distinct


def _laid_out(
    chances_of: Mapping[Vertex, Mapping[Vertex, float]],
    moves_of: Mapping[Vertex, tuple[Vertex, ...]],
    cost: Callable[[Vertex], float],
) -> GameGraph:
    if not chances_of:
        raise RulesError("a graph needs at least one roll vertex, got none")
    roll_at = {name: place for place, name in enumerate(chances_of)}
    move_at = {name: place for place, name in enumerate(moves_of)}
    costs = np.zeros(len(roll_at))
    for u, place in roll_at.items():
        given = cost(u)
        if not is_finite_number(given):
            raise RulesError(f"the cost of a vertex is a finite number, got {given!r} at {u!r}")
        costs[place] = given
    return GameGraph(
        tuple(roll_at),
        tuple(move_at),
        costs,
        _firsts(chances_of.values()),
        np.array([move_at[v] for chances in chances_of.values() for v in chances], np.int64),
        np.array([chance for chances in chances_of.values() for chance in chances.values()], float),
        _firsts(moves_of.values()),
        np.array([roll_at[u] for ways in moves_of.values() for u in ways], np.int64),
    )


def _firsts(lists: Iterable[Mapping[Vertex, float] | tuple[Vertex, ...]]) -> Ints:
    """Return where each of the lists begins when they are laid end to end, and where the last one ends."""
    return np.cumsum([0, *(len(one) for one in lists)], dtype=np.int64)
