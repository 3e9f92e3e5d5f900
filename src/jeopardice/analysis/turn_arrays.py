"""A replayed turn as arrays: what is rolled on, what is stopped, and what follows from any moment of it.

With w[t, m] the worth of t units at risk in mode m, rolling is worth

    r[t, m] = (bust weight * bust + sum over groups of weight * max over plays of w[t + points, mode]) / total weight,

one stops where bank[t] >= r[t, m], and the chances of all later moments follow by one sweep upwards, because points at risk
never shrink within a turn.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.errors import PositionError
from jeopardice.moments import TurnView


@dataclass(frozen=True)
class NextRoll:
    """One kind of next roll: its chance, the points at risk and mode it is best used for (None: banked), and its value."""

    chance: float
    points: int
    mode: Any
    value: float
    stops: bool
    busts: bool = False


@dataclass(frozen=True)
class RestOfTurn:
    """How the turn ends under best play: the chance to bank each number of points, and of a bust."""

    banked: dict[int, float]
    bust_chance: float


@dataclass(frozen=True, eq=False)
class TurnArrays:
    """The worths of a view below `rows` units at risk, as arrays over [at risk, mode]; `rows` is the goal in a race."""

    view: TurnView
    rows: int

    @cached_property
    def worth(self) -> NDArray[np.float64]:
        """The worth of each moment under best play; the last column is the banked turn."""
        modes = len(self.view.table.modes) + 1
        reach = self.rows + self.view.table.max_points + 1
        return np.array([[float(self.view.worth(t, mode)) for mode in range(modes)] for t in range(reach)])

    @cached_property
    def bank(self) -> NDArray[np.float64]:
        """The worth of stopping."""
        return np.array([float(self.view.bank(t)) for t in range(self.rows)])

    @cached_property
    def roll(self) -> NDArray[np.float64]:
        """The worth of rolling."""
        table, view = self.view.table, self.view
        worth = np.empty((self.rows, len(table.modes)))
        for mode, groups in enumerate(table.groups):
            total = np.full(self.rows, table.bust_weight[mode] * float(view.bust))
            for choices, weight in groups.items():
                total += weight * self._best(choices)
            worth[:, mode] = total / table.total_weight[mode] - float(view.roll_cost)
        return worth

    @cached_property
    def stops(self) -> NDArray[np.bool_]:
        """Whether one stops; a tie stops."""
        least = max(self.view.bank_from, 1)
        stops: NDArray[np.bool_] = self.bank[:, None] >= self.roll
        stops[:least] = False
        return stops

    def shown(self, worth: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return worths as the goal counts them; that is a line, so two points of it are enough."""
        zero = float(self.view.shown(0.0))
        return zero + (float(self.view.shown(1.0)) - zero) * worth

    def next_rolls(self, at_risk: int, mode: Any) -> list[NextRoll]:
        """Return what the next roll can bring, likeliest first; chance times value adds up to the worth of rolling."""
        view, table = self.view, self.view.table
        t, m = self._moment(at_risk, mode)
        found: dict[tuple[int, int], float] = {}
        for choices, weight in table.groups[m].items():
            best = max(choices, key=lambda play: self.worth[t + play[0], play[1]])
            found[best] = found.get(best, 0.0) + weight / table.total_weight[m]
        rolls = [
            NextRoll(
                chance,
                (t + points) * table.unit,
                None if to == len(table.modes) else table.modes[to],
                float(view.shown(self.worth[t + points, to] - float(view.roll_cost))),
                self._ends(t + points, to),
            )
            for (points, to), chance in found.items()
        ]
        if bust := table.bust_weight[m] / table.total_weight[m]:
            value = float(view.shown(float(view.bust) - float(view.roll_cost)))
            rolls.append(NextRoll(bust, 0, None, value, stops=True, busts=True))
        return sorted(rolls, key=lambda roll: -roll.chance)

    def rest(self, at_risk: int, mode: Any, *, roll_first: bool = True) -> RestOfTurn:
        """Return how the turn ends from a moment under best play; `roll_first` rolls here even where stopping is better."""
        table = self.view.table
        t0, m0 = self._moment(at_risk, mode)
        reach = np.zeros_like(self.worth)
        reach[t0, m0] = 1.0
        flat, row = reach.reshape(-1), reach.shape[1]
        banked: dict[int, float] = {}
        bust = 0.0
        for t in range(t0, len(reach)):
            for m in range(row):
                chance = float(reach[t, m])
                if chance == 0.0:
                    continue
                if t > self.rows and self.worth[t, m] == self.view.bust:  # past a target that must be hit exactly
                    bust += chance
                elif self._ends(t, m) and not (roll_first and (t, m) == (t0, m0)):
                    banked[t * table.unit] = banked.get(t * table.unit, 0.0) + chance
                else:
                    shares, offsets = self._spread[m]
                    np.add.at(flat, t * row + offsets[t], chance * shares)
                    bust += chance * table.bust_weight[m] / table.total_weight[m]
        return RestOfTurn(banked, bust)

    @cached_property
    def _spread(self) -> list[tuple[NDArray[np.float64], NDArray[np.intp]]]:
        """For each mode the share of every group, and where its best play leads from each row."""
        table, row = self.view.table, self.worth.shape[1]
        spread = []
        for mode, groups in enumerate(table.groups):
            shares = np.array(list(groups.values()), float) / table.total_weight[mode]
            offsets = np.zeros((self.rows, len(groups)), np.intp)
            for g, choices in enumerate(groups):
                worths = np.stack([self.worth[points : points + self.rows, to] for points, to in choices])
                leads = np.array([points * row + to for points, to in choices])
                offsets[:, g] = leads[worths.argmax(axis=0)]
            spread.append((shares, offsets))
        return spread

    def _best(self, choices: tuple[tuple[int, int], ...]) -> NDArray[np.float64]:
        best = self.worth[choices[0][0] : choices[0][0] + self.rows, choices[0][1]]
        for points, to in choices[1:]:
            best = np.maximum(best, self.worth[points : points + self.rows, to])
        return best

    def _ends(self, t: int, mode: int) -> bool:
        return mode == len(self.view.table.modes) or t >= self.rows or bool(self.stops[t, mode])

    def _moment(self, at_risk: int, mode: Any) -> tuple[int, int]:
        t = self.view.units(at_risk)
        if t >= self.rows:
            raise PositionError(
                f"at_risk lies below {self.rows * self.view.table.unit} here, got at_risk={at_risk!r}: one stops"
            )
        return t, self.view.mode_index(mode)
