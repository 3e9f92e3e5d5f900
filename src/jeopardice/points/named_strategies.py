"""Strategies of points games by name, as the command line, the web and opponents take them.

`optimal`, `fewest-turns` (Haigh & Roters), `fewest-rolls`, `most-points` (the best mean score of each turn), `louchard`
(the best threshold at every standing, k̄), `keep-pace`, `stop-at-20`, `strict-stop-at-20`, `roll-5-times`, and a user's
own: `module:function` (True to stop), or `table:FILE` with lines "points to go, threshold".
"""

import csv
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.errors import RulesError, UnknownName
from jeopardice.points.solution import solve_points
from jeopardice.points.strategy import BestPlay, KeepPace, Moment, RollTimes, Rule, StopAt, Strategy, Thresholds
from jeopardice.points.tables import TurnTable, lay_out
from jeopardice.points.turn import edge_of_turn
from jeopardice.rules.game import PointsGame
from jeopardice.rules.goal import Goal, Race, Turn

MOST_TABLE = 10_000_000
"""The most characters of a file of thresholds."""
MOST_ROLLS = 10_000
"""The most rolls a strategy counts to: each is a mode of its own."""
PATTERNS = ("stop-at-N", "strict-stop-at-N", "roll-N-times", "MODULE:FUNCTION", "table:FILE")


def named_strategy(name: str, goal: Goal, seat: int = 0) -> Strategy:
    """Return the strategy of that name for a seat of a goal.

    >>> from jeopardice import Pig
    >>> named_strategy("stop-at-20", Turn(Pig()))
    StopAt(points=20, strict=False)
    """
    if name.startswith("table:"):
        return Thresholds(_read_thresholds(name.removeprefix("table:")), name)
    return _own(name) if ":" in name else plain_strategy(name, goal, seat)


def plain_strategy(name: str, goal: Goal, seat: int = 0) -> Strategy:
    """Return the strategy of a name that stands for itself: nothing is read or run, so a stranger may choose it."""
    if parts := re.fullmatch(r"(strict-)?stop-at-(\d{1,9})", name, re.ASCII):
        return StopAt(_at_least_one(name, parts[2]), strict=bool(parts[1]))
    if parts := re.fullmatch(r"roll-(\d{1,9})-times?", name, re.ASCII):
        times = _at_least_one(name, parts[1])
        if times > MOST_ROLLS:
            raise ValueError(f"roll-N-times takes N up to {MOST_ROLLS:,}, got {name!r}; choose fewer rolls")
        return RollTimes(times)
    if name in _MAKERS:
        return _MAKERS[name](goal, seat)
    if re.fullmatch(r"(strict-)?stop-at-\d+|roll-\d+-times?", name, re.ASCII):
        raise ValueError(f"the number in a strategy's name has at most 9 digits, got {name!r}; choose a smaller one")
    known = ", ".join((*_MAKERS, *PATTERNS))
    raise UnknownName(f"a strategy is one of {known}; got {name!r}")


def named_strategies(asked: Sequence[tuple[str, int]], goal: Goal) -> list[Strategy]:
    """Return the strategies of names, each for its seat.

    What takes longest to make comes last, so a name that does not exist is refused before the work; and the race is
    solved once, however often `optimal` is asked for.
    """
    slow = list(_MAKERS)  # the slowest first
    order = sorted(dict.fromkeys(asked), key=lambda pair: slow.index(pair[0]) if pair[0] in slow else len(slow))
    made: dict[tuple[str, int], Strategy] = {}
    for name, seat in reversed(order):
        twin = next((found for (other, _), found in made.items() if other == name == "optimal"), None)
        made[name, seat] = named_strategy(name, goal, seat) if twin is None else at_seat(twin, seat)
    return [made[pair] for pair in asked]


def strategies_by_name(names: Sequence[str], goal: Goal) -> list[Strategy]:
    """Return the strategies of these names, one for each seat."""
    return named_strategies([(name, seat) for seat, name in enumerate(names)], goal)


def at_seat(strategy: Strategy, seat: int) -> Strategy:
    """Return a strategy for another seat."""
    return replace(strategy, seat=seat) if isinstance(strategy, BestPlay) else strategy


def strategy_names() -> tuple[str, ...]:
    """Return the plain names, without the patterns."""
    return tuple(_MAKERS)


def usual_habits(goal: Goal) -> tuple[Strategy, ...]:
    """Return what people do in a points game, whatever the standings.

    They play each turn for the most points; and if they stop by a number, it is the number with the best mean score while
    taking all points a roll offers (Pig: 20 for both).

    >>> from jeopardice import Pig
    >>> [habit.name for habit in usual_habits(Race(Pig(), 100))]
    ['most points a turn', 'stop-at-20']
    """
    turn = solve_points(Turn(goal.game))
    habits: list[Strategy] = [BestPlay(turn, "most points a turn")]
    table = lay_out(goal.game)
    if _has_points_at_risk(table):
        laws = _threshold_laws(goal.game, edge_of_turn(table).threshold)
        means = laws @ np.arange(laws.shape[1])
        habits.append(StopAt((int(np.argmax(means >= means.max() * (1 - 1e-12))) + 1) * table.unit))
    return tuple(habits)


def _has_points_at_risk(table: TurnTable) -> bool:
    """Whether points can be at risk before a roll; where each roll banks (Hog), nobody stops by a number."""
    plays = (play for groups in table.groups for choices in groups for play in choices)
    return any(points and mode < len(table.modes) for points, mode in plays)


def best_thresholds(game: PointsGame, target: int) -> dict[int, int]:
    """Return Louchard's k̄: for each number of points to go, the threshold that needs the fewest turns from there.

    A bust leaves the points to go as they are, so threshold k needs (1 + mean of the turns left after banking) divided
    by the chance to bank. Where several are equally good the smallest is taken.

    >>> from jeopardice import Pig
    >>> [best_thresholds(Pig(), 35)[n] for n in (28, 29, 30, 31, 35)]
    [28, 29, 14, 15, 17]
    """
    unit = lay_out(game, drop_dominated=False).unit
    units = -(-target // unit)
    banked = _threshold_laws(game, units)
    leave = banked.sum(axis=1)
    turns, best = np.zeros(units + 1), {0: 0}
    for to_go in range(1, units + 1):
        onward = banked[:to_go, 1:to_go] @ turns[to_go - 1 : 0 : -1]
        needed = (1 + onward) / leave[:to_go]
        k = int(np.argmax(needed <= needed.min() * (1 + 1e-12)))
        turns[to_go], best[to_go * unit] = needed[k], (k + 1) * unit
    return best


def _threshold_laws(game: PointsGame, units: int) -> NDArray[np.float64]:
    """Return [k - 1, units banked]: the law of a turn that stops at k, taking the most points of every roll.

    A higher threshold differs only in that the moments of the last one roll on, so one pass serves them all.
    """
    table = lay_out(game, drop_dominated=False)
    modes = len(table.modes)
    moments = np.zeros((units + table.max_points + 1, modes + 1))
    moments[0, table.opening] = 1.0
    laws = np.zeros((units, len(moments)))
    for t in range(units):
        if t:
            laws[t - 1] = moments.sum(axis=1)
        for mode in range(modes):
            share, moments[t, mode] = moments[t, mode] / table.total_weight[mode], 0.0
            if share:
                for choices, weight in table.groups[mode].items():
                    points, to = choices[0]
                    moments[t + points, to] += share * weight
        if not t:
            moments[0] = 0.0  # to bank nothing is a bust
    laws[units - 1] = moments.sum(axis=1)
    return laws


def _optimal(goal: Goal, seat: int) -> Strategy:
    return BestPlay(solve_points(goal), "optimal", seat)


def _alone(cost: Any) -> Callable[[Goal, int], Strategy]:
    def make(goal: Goal, seat: int) -> Strategy:
        alone = _race(goal, f"fewest-{cost}").alone(seat, cost)
        try:
            return BestPlay(solve_points(alone), f"fewest-{cost}")
        except RulesError as error:
            raise RulesError(f"fewest-{cost} does not exist in this race; leave it out ({error})") from None

    return make


def _most_points(goal: Goal, seat: int) -> Strategy:
    return BestPlay(solve_points(goal.one_turn(seat) if isinstance(goal, Race) else goal), "most-points")


def _louchard(goal: Goal, seat: int) -> Strategy:
    race = _race(goal, "louchard")
    return Thresholds(best_thresholds(_seated(race, seat), int(race.target or 0)), "louchard")


def _keep_pace(goal: Goal, seat: int) -> Strategy:
    if _race(goal, "keep-pace").players != 2:
        raise ValueError("keep-pace looks at an opponent, so it needs a race for two; set players=2")
    return KeepPace()


_MAKERS: dict[str, Callable[[Goal, int], Strategy]] = {
    "optimal": _optimal,
    "fewest-turns": _alone("turns"),
    "fewest-rolls": _alone("rolls"),
    "most-points": _most_points,
    "louchard": _louchard,
    "keep-pace": _keep_pace,
}


def _race(goal: Goal, name: str) -> Race:
    if not isinstance(goal, Race) or goal.target is None:
        raise ValueError(f"{name} races to a target, so it needs a race, got {goal!r}")
    return goal


def _seated(goal: Goal, seat: int) -> PointsGame:
    game: PointsGame = goal.games[seat]
    return game


def _at_least_one(name: str, digits: str) -> int:
    if int(digits) < 1:
        raise ValueError(f"the number in a strategy's name is at least 1, got {name!r}")
    return int(digits)


def _read_thresholds(path: str) -> dict[int, int]:
    try:
        with Path(path).open(newline="") as file:
            text = file.read(MOST_TABLE + 1)
        if len(text) > MOST_TABLE:
            raise ValueError(path)
        return {int(to_go): int(threshold) for to_go, threshold in csv.reader(text.splitlines())}
    except OSError as error:
        raise ValueError(f"table:FILE needs a file that can be read, got {path!r} ({error.strerror})") from error
    except (ValueError, csv.Error):
        raise ValueError(f"lines of {path!r} read 'points to go, threshold', two whole numbers each") from None


def _own(name: str) -> Strategy:
    module, _, attribute = name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        own: Any = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:  # ValueError: an empty name
        raise ValueError(f"MODULE:FUNCTION needs a module that can be imported, got {name!r} ({error})") from error
    if isinstance(own, Strategy):
        return own
    if not callable(own):
        raise ValueError(f"{name!r} is neither a strategy nor a function of a moment that returns True to stop")

    def stops(moment: Moment) -> bool:
        try:
            return bool(own(moment))
        except Exception as error:
            raise ValueError(f"{name} failed at {moment!r} ({error!r}); correct the function") from error

    return Rule(name, stops)
