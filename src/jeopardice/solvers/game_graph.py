"""An explicit game graph as arrays, from dicts or from functions that describe it."""

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
