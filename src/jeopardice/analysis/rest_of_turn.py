"""What follows a moment under best play: each kind of next roll, and how the turn ends.

Points at risk never shrink within a turn, so the chances of all later moments follow by one sweep upwards through those
that can be reached: a moment where one stops adds to what is banked, any other spreads over the best plays of its rolls.
"""

from dataclasses import dataclass
from functools import cache

from jeopardice.errors import PositionError
from jeopardice.kernels.stopping import check_wanted
from jeopardice.points.view import TurnView
from jeopardice.rules.game import Mode


@dataclass(frozen=True)
class NextRoll:
    """One kind of next roll: its chance, the points at risk and mode it is best used for (None: banked), its value."""

    chance: float
    points: int
    mode: Mode
    value: float
    stops: bool
    busts: bool = False


@dataclass(frozen=True)
class RestOfTurn:
    """How the turn ends under best play: the chance to bank each number of points, and of a bust."""

    banked: dict[int, float]
    bust_chance: float


def next_rolls(view: TurnView, at_risk: int, mode: Mode) -> list[NextRoll]:
    """Return what the next roll can bring, likeliest first; chance times value adds up to the worth of rolling.

    >>> from jeopardice import Pig, Turn, solve
    >>> [(roll.chance, roll.points) for roll in next_rolls(solve(Turn(Pig(sides=2))).view(), 0, 0)]
    [(0.5, 2), (0.5, 0)]
    """
    table = view.table
    t, m = _moment(view, at_risk, mode)
    chances: dict[tuple[int, int], float] = {}
    for choices, weight in table.groups[m].items():
        best = max(choices, key=lambda play: view.worth(t + play[0], play[1]))
        chances[best] = chances.get(best, 0.0) + weight / table.total_weight[m]
    rolls = []
    for (points, to), chance in chances.items():
        lost = _is_lost(view, t + points, to)
        rolls.append(
            NextRoll(
                chance,
                0 if lost else (t + points) * table.unit,
                None if lost or to == len(table.modes) else table.modes[to],
                float(view.shown(view.worth(t + points, to) - view.roll_cost)),
                lost or view.stops(t + points, to),
                lost,
            )
        )
    if bust := table.bust_weight[m] / table.total_weight[m]:
        rolls.append(NextRoll(bust, 0, None, float(view.shown(view.bust - view.roll_cost)), stops=True, busts=True))
    return sorted(rolls, key=lambda roll: -roll.chance)


def rest_of_turn(view: TurnView, at_risk: int, mode: Mode) -> RestOfTurn:
    """Return how the turn ends if one rolls now and plays best from then on.

    >>> from jeopardice import Pig, Turn, solve
    >>> rest = rest_of_turn(solve(Turn(Pig())).view(), 0, 0)
    >>> round(rest.bust_chance, 6), max(rest.banked)
    (0.624541, 25)
    """
    table, ended = view.table, len(view.table.modes)
    first = _moment(view, at_risk, mode)
    row_of = cache(lambda t: [float(view.worth(t, m)) for m in range(ended + 1)])
    reach: dict[int, dict[int, float]] = {first[0]: {first[1]: 1.0}}
    banked: dict[int, float] = {}
    bust = 0.0
    while reach:
        check_wanted()
        t = min(reach)
        row = reach[t]
        for m in range(ended + 1):  # plays without points lead to later modes, so one pass in order is enough
            chance = row.pop(m, 0.0)
            if not chance:
                continue
            if _is_lost(view, t, m):
                bust += chance
            elif (t, m) != first and view.stops(t, m):
                banked[t * table.unit] = banked.get(t * table.unit, 0.0) + chance
            else:
                share = chance / table.total_weight[m]
                bust += share * table.bust_weight[m]
                for choices, weight in table.groups[m].items():
                    points, to = choices[0]
                    if len(choices) > 1:
                        top = row_of(t + points)[to]
                        for more, other in choices[1:]:
                            if (worth := row_of(t + more)[other]) > top:
                                top, points, to = worth, more, other
                    onward = reach.setdefault(t + points, {})
                    onward[to] = onward.get(to, 0.0) + share * weight
        del reach[t]
    return RestOfTurn(banked, bust)


def _is_lost(view: TurnView, t: int, mode: int) -> bool:
    """Whether a turn is a bust here: a play ended it with nothing, or it is past a target that must be hit exactly."""
    if t == 0:
        return mode == len(view.table.modes)
    return view.goal is not None and t > view.goal and bool(view.worth(t, mode) == view.bust)


def _moment(view: TurnView, at_risk: int, mode: Mode) -> tuple[int, int]:
    t = view.units(at_risk)
    if view.is_over(t):
        raise PositionError(f"with at_risk={at_risk!r} the target is reached: one stops, and nothing follows")
    return t, view.mode_index(mode)
