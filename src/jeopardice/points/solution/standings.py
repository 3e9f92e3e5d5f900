"""What races alone and for two share: standings from keywords, numbers handed out, and what is saved."""

from collections.abc import Sequence
from fractions import Fraction
from math import inf, isfinite
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from jeopardice.errors import PositionError
from jeopardice.kernels import kernels
from jeopardice.points.race_table import RaceTable
from jeopardice.points.rational import fraction
from jeopardice.points.tables import TurnTable
from jeopardice.points.view import points_to_units
from jeopardice.rules.game import as_whole
from jeopardice.rules.goal import Goal
from jeopardice.rules.house import Record
from jeopardice.solution import Certificate
from jeopardice.store import about_goal, write_blocks
from jeopardice.types import Blocks, Given, JsonObject, Number, Real

USELESS = 0.01
"""A bound above this share of the scale of values says nothing."""


def replayed(
    turn: TurnTable, bank: NDArray[np.float64], stop: NDArray[np.float64], cut: int, bust: float, *,
    bust_from: int | None = None, roll_cost: float = 0.0,
) -> NDArray[np.float64]:  # fmt: skip
    """Return the rows of a turn from an anchor: [at risk, mode, (worth, bust chance)]; leaves reach past `cut`."""
    rows = np.zeros((cut + turn.max_points + 1, len(turn.modes) + 1, 2))
    kernels.walk_anchor(
        turn.kernel, bank=np.ascontiguousarray(bank, float), stop=np.ascontiguousarray(stop, float), cut=cut,
        bust_from=1 << 30 if bust_from is None else bust_from, bust=float(bust), roll_cost=float(roll_cost), rows=rows,
    )  # fmt: skip
    if isfinite(bust):
        rows[..., 0] += bust
    else:  # nothing is left to hope for
        rows[..., 0] = bust
    rows[..., 1] = 1.0 - rows[..., 1]
    return rows


def replay_error(turn: TurnTable, rows: int, scale: float) -> float:
    """Return a bound of the rounding of a replayed turn: each row adds one weighted mean to those above it."""
    groups = max(len(g) for g in turn.groups)
    return (rows + 1) * (groups + 6) * 2.3e-16 * scale


def score_in_units(points: Given, table: RaceTable, name: str, *, past_target: bool = False) -> int:
    """Return a score as units counted from the lowest, refusing one at or past the target if that cannot be."""
    whole = as_whole(points)
    if whole is not None and whole < 0 and table.lowest < 0:
        units = -points_to_units(-whole, table.unit, name)
    else:
        units = points_to_units(points, table.unit, name)
    if units >= table.target and not past_target:
        raise PositionError(
            f"{name} lies below the target {table.target * table.unit}, got {name}={points!r}: that race is over"
        )
    if units < table.lowest:
        raise PositionError(f"{name} is at least {table.lowest * table.unit} here, got {name}={points!r}")
    return units - table.lowest


def check_records(records: JsonObject) -> None:
    """Refuse keywords that name no record."""
    known = ("my_busts", "my_opened", "their_busts", "their_opened")
    if unknown := sorted(set(records) - set(known)):
        raise PositionError(f"a position has mine, theirs, seat, {', '.join(known)}; got {unknown[0]!r}")


def record_number(table: RaceTable, score: int, busts: Given, has_opened: bool | None, whose: str) -> int:
    """Return the number of a record from keywords; a player with points has opened, unless it is said otherwise."""
    opening = table.records[0]
    opened = opening.has_opened or (score + table.lowest > 0 if has_opened is None else bool(has_opened))
    record = Record(opened, 0 if busts is None else busts)
    if record not in table.records:
        most = max(r.busts for r in table.records)
        raise PositionError(f"{whose}_busts lies between 0 and {most} under these rules, got {whose}_busts={busts!r}")
    return table.records.index(record)


def as_number(worth: Real, is_exact: bool) -> Number:
    """Return a worth as it is handed out: a Fraction or a float; what never ends is infinite."""
    if worth is None:
        return -inf
    return fraction(worth) if is_exact and not isinstance(worth, float) else float(worth)


def certificate_of(bound: float, scale: float, why_not: str) -> Certificate:
    """Return the certificate of a bound, or why a bound says nothing."""
    if bound <= USELESS * scale:
        return Certificate(bound)
    return Certificate(None, why_not)


ALMOST_ALWAYS_BUSTS = "almost every turn of this race ends in a bust, so rounding cannot be told from a real difference"


def save_points(
    goal: Goal, value: Number, certificate: Certificate, turns: Sequence[TurnTable], blocks: Blocks,
    path: str | Path,
) -> Path:  # fmt: skip
    """Write a float solution of a points game to a directory."""
    if isinstance(value, Fraction):
        raise ValueError("exact solutions are not stored; solve without exact to save, or export the fractions")
    about = about_goal(goal) | {"tables": [turn.digest for turn in turns]}
    about |= {"value": value, "error_bound": certificate.bound, "why_not_certified": certificate.reason}
    return write_blocks(path, about, blocks)
