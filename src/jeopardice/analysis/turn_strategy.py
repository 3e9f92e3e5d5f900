"""The best strategy of a turn as one reads it: where to stop in each mode, and which dice to give back.

All of it is read off a `TurnView`, so it serves one turn on its own as well as a turn of any race.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from jeopardice.points.tables import checked_rolls, lay_out, reachable_moments
from jeopardice.points.view import TurnView
from jeopardice.rules.game import Mode
from jeopardice.types import MatchRoll


@dataclass(frozen=True)
class RollingPoints:
    """In `mode` one rolls on with points at risk in each run (first, last); the first run may begin with the least there can be."""

    mode: Mode
    runs: tuple[tuple[int, int], ...]
    runs_from_start: bool


def rolling_points(view: TurnView, limit: int, *, modes: Collection[Mode] | None = None) -> list[RollingPoints]:
    """Return by mode (all, or only `modes`) the runs of points at risk, below `limit` units, where rolling beats stopping.

    Moments that no turn can come to are left out; a run goes on over them.
    """
    unit = view.table.unit
    reached = reachable_moments(lay_out(view.game, drop_dominated=False), limit)
    points = []
    for index, mode in enumerate(view.table.modes):
        if modes is not None and mode not in modes:
            continue
        runs: list[tuple[int, int]] = []
        going_on, from_start = False, None
        for t in (t for t in range(1, limit) if (t, index) in reached):
            rolls = not view.stops(t, index)
            if rolls:
                runs[-1:] = [(runs[-1][0], t * unit)] if going_on else [*runs[-1:], (t * unit, t * unit)]
            going_on = rolls
            from_start = rolls if from_start is None else from_start
        points.append(RollingPoints(mode, tuple(runs), bool(from_start)))
    return sorted(points, key=lambda r: repr(r.mode), reverse=True)


@dataclass(frozen=True)
class GiveBack:
    """After `roll` in `mode` one keeps only `kept` (not all that scores) with points at risk from `first` to `last`."""

    mode: Mode
    roll: MatchRoll
    kept: tuple[int, ...]
    points: int
    leaves: Mode
    first: int
    last: int


def give_backs(view: TurnView, limit: int) -> list[GiveBack]:
    """Return the rolls of which the best play is not the one with the most points, and at which points at risk."""
    table, unit = view.table, view.table.unit
    given_back: list[GiveBack] = []
    seen: set[Any] = set()
    for mode in table.modes:
        for roll in checked_rolls(view.game, mode):
            plays = view.plays(mode, roll)
            offered = (mode, tuple(plays))
            if len(plays) < 2 or offered in seen:
                continue
            seen.add(offered)
            for t in range(limit):
                worths = [view.worth(t + p.points // unit, view.mode_index(p.mode)) for p in plays]
                best = plays[worths.index(max(worths))]
                if best == plays[0]:
                    continue
                last = given_back[-1] if given_back else None
                if last and (last.mode, last.roll, last.kept, last.last) == (mode, roll, best.kept, (t - 1) * unit):
                    given_back[-1] = GiveBack(mode, roll, best.kept, best.points, best.mode, last.first, t * unit)
                else:
                    given_back.append(GiveBack(mode, roll, best.kept, best.points, best.mode, t * unit, t * unit))
    return sorted(given_back, key=lambda g: (repr(g.mode), g.first), reverse=True)
