"""One turn for the most points: a threshold from which nobody rolls on, then one pass down from it.

**Threshold** (continuous pasting). With t points at risk in a mode that can bust, one more roll and stopping then gains
sum(weight * points) on the rolls that score and loses t on those that bust. The gain does not depend on t and the loss
grows with it, so from t = gain / bust weight on stopping beats one more roll; from the largest such t over all modes on it
does so after every further roll too, and stopping is best for good. A mode that cannot bust is always rolled: from
far up it adds a constant, the mean of what its free rolls bring. If such modes lead for ever to one another the turn is
worth more than any number, and there is no threshold.

The pass costs threshold x plays; it needs one row per point at risk below the threshold.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.errors import RulesError
from jeopardice.kernels import kernels
from jeopardice.turn_table import TurnTable, check_moments


@dataclass(frozen=True, eq=False)
class TurnEdge:
    """From `threshold` units at risk on, mode m is worth the points at risk plus `free_gain[m]` (0 where one stops)."""

    threshold: int
    free_gain: tuple[Fraction, ...]


def edge_of_turn(table: TurnTable, bank_from: int = 0) -> TurnEdge:
    """Return the threshold and what free rolls add beyond it, in units."""
    gain = _free_gain(table)
    threshold = max(bank_from, 1)
    for mode, groups in enumerate(table.groups):
        if table.bust_weight[mode]:
            reward = sum(
                weight * max(points + gain[to] for points, to in choices) for choices, weight in groups.items()
            )
            threshold = max(threshold, -(-reward // table.bust_weight[mode]))
    check_moments(table, int(threshold) + table.max_points)
    return TurnEdge(int(threshold), gain[:-1])


def solve_turn(table: TurnTable, edge: TurnEdge, bank_from: int = 0) -> NDArray[np.float64]:
    """Return the worth and the bust chance of every moment: [at risk, mode, (worth, chance)], in units.

    The last column of modes is the banked turn; rows reach past the threshold by the most points a play adds.
    """
    rows = np.zeros((edge.threshold + table.max_points + 1, len(table.modes) + 1, 2))
    rows[edge.threshold :, :, 0] = edge_rows(table, edge)
    bank = np.arange(len(rows), dtype=np.float64)
    kernels.walk_turn(table.kernel, bank, bank_from, edge.threshold, rows)
    return rows


def edge_rows(table: TurnTable, edge: TurnEdge) -> NDArray[np.float64]:
    """Return the worth of the moments from the threshold on, as far as one play can lead from below it."""
    at_risk = np.arange(edge.threshold, edge.threshold + table.max_points + 1, dtype=np.float64)
    gains: NDArray[np.float64] = np.array([*map(float, edge.free_gain), 0.0])
    return at_risk[:, None] + gains


def _free_gain(table: TurnTable) -> tuple[Fraction, ...]:
    """Return what each mode that cannot bust adds when rolled until a mode that can, by policy iteration in rationals."""
    free = [mode for mode, bust in enumerate(table.bust_weight) if not bust]
    gain: dict[int, Fraction] = dict.fromkeys(range(len(table.modes) + 1), Fraction(0))
    choice = {(mode, group): choices[0] for mode in free for group, choices in enumerate(table.groups[mode])}
    while free:
        gain |= _gain_of_choices(table, free, choice)
        better = {
            (mode, group): max(choices, key=lambda play: play[0] + gain[play[1]])
            for mode in free
            for group, choices in enumerate(table.groups[mode])
        }
        if all(better[k][0] + gain[better[k][1]] == choice[k][0] + gain[choice[k][1]] for k in choice):
            break
        choice = better
    return tuple(gain[mode] for mode in range(len(table.modes) + 1))


def _gain_of_choices(table: TurnTable, free: list[int], choice: dict[tuple[int, int], Any]) -> dict[int, Fraction]:
    """Solve gain = mean points + gain of the next mode, over the free modes (Gauss-Jordan in rationals)."""
    place = {mode: i for i, mode in enumerate(free)}
    system = [[Fraction(int(i == j)) for j in range(len(free))] + [Fraction(0)] for i in range(len(free))]
    for mode in free:
        row = system[place[mode]]
        for group, weight in enumerate(table.groups[mode].values()):
            points, to = choice[mode, group]
            share = Fraction(weight, table.total_weight[mode])
            row[-1] += share * points
            if to in place:
                row[place[to]] -= share
    for i in range(len(free)):
        pivot = next((r for r in range(i, len(free)) if system[r][i]), None)
        if pivot is None:
            raise RulesError(
                f"mode {table.modes[free[i]]!r} can be rolled for ever without a bust, so no threshold exists and the turn "
                "is worth more than any number; give some roll no play"
            )
        system[i], system[pivot] = system[pivot], system[i]
        system[i] = [entry / system[i][i] for entry in system[i]]
        for r in range(len(free)):
            if r != i and system[r][i]:
                system[r] = [a - system[r][i] * b for a, b in zip(system[r], system[i], strict=True)]
    return {mode: system[place[mode]][-1] for mode in free}
