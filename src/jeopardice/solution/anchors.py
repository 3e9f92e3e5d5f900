"""What races alone and for two share: standings and targets in units, and the turn replayed from an anchor."""

import numpy as np
from numpy.typing import NDArray

from jeopardice.errors import PositionError, TooLargeError
from jeopardice.goal import Race
from jeopardice.kernels import kernels
from jeopardice.moments import points_to_units
from jeopardice.turn_table import TurnTable

MOST_ANCHORS = 400_000_000


def replayed(
    table: TurnTable,
    bank: NDArray[np.float64],
    top: float,
    finish_exact: bool,
    bank_from: int,
    roll_cost: float,
    bust: float,
) -> NDArray[np.float64]:
    """Return the rows of a turn from an anchor: [at risk, mode, (worth, bust chance)]."""
    rows = np.zeros((len(bank) + table.max_points + 1, len(table.modes) + 1, 2))
    kernels.walk_anchor(table.kernel, bank, float(top), finish_exact, bank_from, float(roll_cost), float(bust), rows)
    return rows


def standing_in_units(points: int, unit: int, target: int, name: str) -> int:
    """Return a standing as units, refusing one at or past the target."""
    units = points_to_units(points, unit, name)
    if units >= target:
        raise PositionError(f"{name} lies below the target {target * unit}, got {name}={points!r}: that race is over")
    return units


def target_in_units(goal: Race, table: TurnTable) -> int:
    """Return the target as units, refusing one that cannot be landed on."""
    target = int(goal.target or 0)
    if goal.finish == "exact" and target % table.unit:
        raise ValueError(f"to land exactly, the target is a multiple of {table.unit}, got target={target}")
    return -(-target // table.unit)


def check_size(anchors: int) -> None:
    """Refuse a race whose anchors would not fit in memory."""
    if anchors > MOST_ANCHORS:
        raise TooLargeError(
            f"this race has {anchors:,} anchors, more than the {MOST_ANCHORS:,} that fit in memory; choose a smaller target"
        )
