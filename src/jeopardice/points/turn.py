"""One turn for the most points: a threshold from which nobody rolls on, then one pass down from it.

**Threshold** (continuous pasting). With t points at risk in a mode that can bust, one more roll and stopping then gains
sum(weight * points) on the rolls that score and loses t on those that bust. The gain does not depend on t and the loss
grows with it, so from t = gain / bust weight on stopping beats one more roll; from the largest such t over all modes on it
does so after every further roll too, and stopping is best for good. A mode that cannot bust is always rolled: from
far up it adds a constant, the mean of what its free rolls bring. If such modes lead for ever to one another the turn is
worth more than any number, and there is no threshold. A mode in which one may not stop keeps a share of the points at
risk, the chance to come through, and adds a constant: beyond the threshold every mode is worth keep * t + gain.

The pass costs threshold x plays; it needs one row per point at risk below the threshold.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.errors import RulesError
from jeopardice.kernels import kernels
from jeopardice.points.tables import Choices, TurnTable, check_moments, solve_linear


@dataclass(frozen=True, eq=False)
class TurnEdge:
    """From `threshold` units at risk on, mode m is worth keep[m] * t + gain[m] (1 and 0 where one stops)."""

    threshold: int
    keep: tuple[Fraction, ...]
    gain: tuple[Fraction, ...]

    def value(self, t: int, mode: int) -> Fraction:
        """Return what a moment beyond the threshold is worth; the mode past the last one is the ended turn."""
        return Fraction(t) if mode == len(self.keep) else self.keep[mode] * t + self.gain[mode]


def edge_of_turn(table: TurnTable, least: int = 1, bust: Fraction = Fraction(0)) -> TurnEdge:
    """Return where a turn is settled, in units, if a bust is worth `bust` and a stop needs `least` units."""
    relaxed = _forced(table, [m for m, weight in enumerate(table.bust_weight) if not weight], bust)
    threshold = Fraction(max(least, 1))
    for mode, groups in enumerate(table.groups):
        if table.bust_weight[mode]:
            reward = sum(
                weight * max(points + relaxed[to][1] for points, to in choices) for choices, weight in groups.items()
            )
            threshold = max(threshold, bust + Fraction(reward, table.bust_weight[mode]))
    rolled = [mode for mode, weight in enumerate(table.bust_weight) if not weight or not table.may_stop[mode]]
    edge = _forced(table, rolled, bust)
    for mode in rolled:
        for choices in table.groups[mode]:
            best = max(choices, key=lambda play: (edge[play[1]][0], play[0] * edge[play[1]][0] + edge[play[1]][1]))
            threshold = max([threshold, *(_crossing(edge, best, play) for play in choices)])
    whole = -(-threshold // 1)
    check_moments(table, int(whole) + table.max_points)
    modes = range(len(table.modes))
    return TurnEdge(int(whole), tuple(edge[m][0] for m in modes), tuple(edge[m][1] for m in modes))


def _crossing(edge: Mapping[int, tuple[Fraction, Fraction]], best: tuple[int, int], play: tuple[int, int]) -> Fraction:
    """Return the units at risk from which the play that is best far up is best."""
    (keep, gain), (other_keep, other_gain) = edge[best[1]], edge[play[1]]
    lead = other_keep * play[0] + other_gain - keep * best[0] - gain
    return lead / (keep - other_keep) if keep > other_keep else Fraction(0)


def _forced(table: TurnTable, rolled: list[int], bust: Fraction) -> dict[int, tuple[Fraction, Fraction]]:
    """Return (keep, gain) of every mode far up, if the modes `rolled` are always rolled and all others stop.

    Policy iteration in rationals: the play that keeps most, then the one that gains most.
    """
    edge = dict.fromkeys(range(len(table.modes) + 1), (Fraction(1), Fraction(0)))
    plays: dict[tuple[int, Choices], tuple[int, int]] = {
        (mode, choices): choices[0] for mode in rolled for choices in table.groups[mode]
    }
    while rolled:
        edge |= _of_plays(table, rolled, plays, bust)

        worth = partial(_far_up, edge)
        better = {(mode, choices): max(choices, key=worth) for mode in rolled for choices in table.groups[mode]}
        if all(worth(better[key]) == worth(plays[key]) for key in plays):
            break
        plays = better
    return edge


def _far_up(edge: Mapping[int, tuple[Fraction, Fraction]], play: tuple[int, int]) -> tuple[Fraction, Fraction]:
    """Return what a play is worth far up: what it keeps, then what it gains."""
    keep, gain = edge[play[1]]
    return keep, keep * play[0] + gain


def _of_plays(
    table: TurnTable, rolled: list[int], plays: Mapping[tuple[int, Choices], tuple[int, int]], bust: Fraction
) -> dict[int, tuple[Fraction, Fraction]]:
    """Solve keep = sum of the keeps that follow, gain = mean points kept + gains that follow, over the modes rolled."""
    place = {mode: i for i, mode in enumerate(rolled)}
    system = [[Fraction(int(i == j)) for j in range(len(rolled))] for i in range(len(rolled))]
    kept = [Fraction(0)] * len(rolled)
    for mode in rolled:
        for choices, weight in table.groups[mode].items():
            _, to = plays[mode, choices]
            share = Fraction(weight, table.total_weight[mode])
            if to in place:
                system[place[mode]][place[to]] -= share
            else:
                kept[place[mode]] += share
    try:
        keeps = dict(zip(rolled, solve_linear(system, kept), strict=True))
        gained = [Fraction(table.bust_weight[mode], table.total_weight[mode]) * bust for mode in rolled]
        for mode in rolled:
            for choices, weight in table.groups[mode].items():
                points, to = plays[mode, choices]
                gained[place[mode]] += Fraction(weight, table.total_weight[mode]) * points * keeps.get(to, Fraction(1))
        gains = solve_linear(system, gained)
    except ValueError:
        raise RulesError(
            "these dice can be rolled for ever without a bust, so a turn is worth more than any number; let some roll bust"
        ) from None
    return {mode: (keeps[mode], gains[place[mode]]) for mode in rolled}


def solve_turn(table: TurnTable, edge: TurnEdge, least: int = 1, bust: float = 0.0) -> NDArray[np.float64]:
    """Return the worth and the bust chance of every moment: [at risk, mode, (worth, chance)], in units.

    The last column of modes is the ended turn; rows reach past the threshold by the most points a play adds.
    """
    rows = np.zeros((edge.threshold + table.max_points + 1, len(table.modes) + 1, 2))
    rows[edge.threshold :, :, 0] = edge_rows(table, edge) - bust
    rows[edge.threshold :, :, 1] = [*map(float, edge.keep), 1.0]
    bank = np.arange(len(rows), dtype=np.float64)
    stop = np.where(bank >= least, bank, -np.inf)
    kernels.walk_turn(
        table.kernel, bank=bank, stop=stop, cut=edge.threshold, bust=float(bust), roll_cost=0.0, rows=rows
    )
    rows[..., 0] += bust
    rows[..., 1] = 1.0 - rows[..., 1]
    return rows


def edge_rows(table: TurnTable, edge: TurnEdge) -> NDArray[np.float64]:
    """Return the worth of the moments from the threshold on, as far as one play can lead from below it."""
    at_risk = np.arange(edge.threshold, edge.threshold + table.max_points + 1, dtype=np.float64)
    keep = np.array([*map(float, edge.keep), 1.0])
    gain: NDArray[np.float64] = np.array([*map(float, edge.gain), 0.0])
    rows: NDArray[np.float64] = at_risk[:, None] * keep + gain
    return rows


def bust_chance_of(rows: Any, table: TurnTable) -> Any:
    """Return the chance that a turn solved as `rows` ends in a bust."""
    return rows[0][table.opening][1]
