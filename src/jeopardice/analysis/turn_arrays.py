"""A replayed turn as arrays: what rolling and stopping are worth at all its moments at once, for maps of a strategy.

With w[t, m] the worth of t units at risk in mode m, rolling is worth

    r[t, m] = (bust weight * bust + sum over groups of weight * max over plays of w[t + points, mode]) / total weight

and one stops where bank[t] >= r[t, m].
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from jeopardice.kernels.stopping import check_wanted
from jeopardice.points.view import TurnView


@dataclass(frozen=True, eq=False)
class TurnArrays:
    """The worths of a view below `rows` units at risk, as arrays over [at risk, mode]; `rows` is the goal in a race."""

    view: TurnView
    rows: int

    @cached_property
    def worth(self) -> NDArray[np.float64]:
        """The worth of each moment under best play; the last column is the banked turn."""
        modes = len(self.view.table.modes) + 1
        rows = []
        for t in range(self.rows + self.view.table.max_points + 1):
            check_wanted()
            rows.append([float(self.view.worth(t, mode)) for mode in range(modes)])
        return np.array(rows)

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
        modes = range(len(self.view.table.modes))
        allowed = np.array([[self.view.may_stop(t, mode) for mode in modes] for t in range(self.rows)], bool)
        stops: NDArray[np.bool_] = (self.bank[:, None] >= self.roll) & allowed
        return stops

    def shown(self, worth: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return worths as the goal counts them; that is a line, so two points of it are enough."""
        zero = float(self.view.shown(0.0))
        return zero + (float(self.view.shown(1.0)) - zero) * worth

    def _best(self, choices: tuple[tuple[int, int], ...]) -> NDArray[np.float64]:
        best = self.worth[choices[0][0] : choices[0][0] + self.rows, choices[0][1]]
        for points, to in choices[1:]:
            best = np.maximum(best, self.worth[points : points + self.rows, to])
        return best
