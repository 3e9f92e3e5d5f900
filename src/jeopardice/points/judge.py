"""What the spots and plays of a points match are worth, from a solution: what a session asks.

Every value comes from the solution's turn, replayed from the position where it began (`TurnView`): an option is worth
what `advise` says, the fall of the dice what the best option after it is worth.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from jeopardice.errors import PositionError
from jeopardice.family import counted
from jeopardice.points.estimated import EstimatedRace
from jeopardice.points.match import PointsMatch, PointsSpot, TurnPlay, match_of, place_of
from jeopardice.points.solution import ManySolution
from jeopardice.points.view import TurnView
from jeopardice.points.words import WORDS
from jeopardice.rules.goal import Goal
from jeopardice.solution import CHANCE_MARKS, Measure, Option
from jeopardice.types import Number

TURN_MARKS = (0.05, 0.2, 0.5)
POINTS_MARKS = (0.01, 0.04, 0.1)
"""Marks of one turn for the most points, as shares of the value of a turn."""
ROUNDING = 1e-10
"""Far above what solvers leave (their certified bounds lie near 1e-12), far below what a player can notice."""


@dataclass(frozen=True, eq=False)
class PointsJudge:
    """Knows a race, or one turn, by its solution or by an estimate of it."""

    solution: Any
    match: PointsMatch = field(init=False)
    _view: Callable[[PointsSpot], TurnView] = field(init=False, repr=False)
    _options: Callable[[PointsSpot], tuple[Option, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "match", match_of(self.solution.goal))
        object.__setattr__(self, "_view", lru_cache(maxsize=512)(self.solution.view_at))
        object.__setattr__(self, "_options", lru_cache(maxsize=16384)(self._valued))

    @property
    def goal(self) -> Goal:
        """The goal that is played for."""
        goal: Goal = self.solution.goal
        return goal

    @property
    def measure(self) -> Measure:
        """Win chance or margin; alone turns, rolls or the chance to be there in time; points of one turn."""
        if isinstance(self.solution, EstimatedRace):
            return self.solution.measure
        return measure_of(self.goal, float(self.solution.value))

    @property
    def tie(self) -> float:
        """Nothing in fractions, rounding in floats."""
        return 0.0 if self.solution.is_exact else ROUNDING

    def options_at(self, spot: PointsSpot) -> tuple[Option, ...]:
        """Every play, best first."""
        if spot.rolling or self.match.is_over(spot):
            return ()
        # options depend on the turns made only where these are limited
        return self._options(spot if self.match.within else replace(spot, turn=0, rolls=0, rolls_made=0))

    def values_at(self, spot: PointsSpot) -> tuple[Number, ...]:
        """From the solution; at the end what the match returns."""
        if self.match.is_over(spot):
            return self.match.returns(spot)
        if isinstance(self.solution, ManySolution):
            return self._chances(self.solution, spot)
        if not spot.rolling:
            return self._for_all(spot, self.options_at(spot)[0].value)
        view = self.view(spot)
        return self._for_all(spot, view.shown(view.roll_worth(view.units(spot.at_risk), view.mode_index(spot.mode))))

    def view(self, spot: PointsSpot) -> TurnView:
        """Return the turn in progress, ready for questions about its moments."""
        return self._view(
            PointsSpot(spot.standings, spot.records, spot.seat, turn=spot.turn if self.match.within else 0)
        )

    def _for_all(self, spot: PointsSpot, value: Number) -> tuple[Number, ...]:
        """Return the value of the player who has the dice as values of all seats, with all that was spent."""
        if self.match.players == 1:
            return (value + self.match.spent(spot) if self.measure.prefers_less else value,)
        if isinstance(self.solution, EstimatedRace):
            return self.solution.shares(spot.standings, spot.records, spot.seat, float(value))
        total = self.match.ending.total
        return tuple(value if seat == spot.seat else total - value for seat in range(self.match.players))

    def _chances(self, solution: ManySolution, spot: PointsSpot) -> tuple[Number, ...]:
        """Return the chances of all seats where there are several: what is best for one says little of the others."""
        turn, view = solution.turn(**place_of(spot)), self.view(spot)
        if spot.rolling:
            chances = turn.rolled(view.units(spot.at_risk), view.mode_index(spot.mode))
        else:
            options = self.options_at(spot)
            shares = [float(o is options[0]) if options[0].share is None else o.share or 0.0 for o in options]
            chances = 0 * turn.bust
            for o, share in zip(options, shares, strict=True):
                if share:
                    t = view.units(o.points)
                    chances = chances + share * (
                        turn.stopped(t) if o.stops else turn.rolled(t, view.mode_index(o.mode))
                    )
        return tuple(float(chances[(seat - spot.seat) % self.match.players]) for seat in range(self.match.players))

    def _valued(self, spot: PointsSpot) -> tuple[Option, ...]:
        plays = self.match.plays(spot)
        if not plays:
            raise PositionError(f"the roll {spot.roll!r} is a bust: the turn is over and there is nothing to choose")
        view, words = self.view(spot), WORDS.plays(self.match.game(spot), plays)
        options = [
            Option(word, self._value(view, spot, play), play.stops, play.points, play.mode, play.aside, match_play=play)
            for play, word in zip(plays, words, strict=True)
        ]
        sign = 1 if view.prefers_less else -1
        hits = self.match.target
        ranked = tuple(
            sorted(
                options,
                key=lambda o: (
                    sign * o.value,
                    not (o.stops and hits is not None and spot.standings[spot.seat] + o.points == hits),
                    not o.stops,
                    -o.points,
                ),
            )
        )
        if isinstance(self.solution, ManySolution):
            moment = (view.units(spot.at_risk), view.mode_index(spot.mode), spot.roll is not None)
            return self.solution.with_shares(view, ranked, moment, **place_of(spot))
        return ranked

    def _value(self, view: TurnView, spot: PointsSpot, play: TurnPlay) -> Number:
        t = view.units(play.points)
        if play.stops and t and view.stop is not None:
            return view.shown(view.stop_worth(t, view.mode_index(self.match.mode_left(spot, play))))
        return _banked(view, t) if play.stops else view.shown(view.roll_worth(t, view.mode_index(play.mode)))


def _banked(view: TurnView, t: int) -> Number:
    """Return the value of a bank."""
    if t == 0:
        return view.shown(view.bust)
    if view.is_over(t):
        return view.shown(view.worth(view.computed(t), len(view.table.modes)))
    return view.shown(view.bank(view.computed(t)))


def measure_of(goal: Goal, value: float) -> Measure:
    """Return what a goal counts; `value` is what one turn is worth, the yardstick of its marks."""
    what = counted(goal)
    if what == "points":
        return Measure(what, *_scaled(POINTS_MARKS, value))
    if what == "margin":
        return Measure("points", *_scaled(CHANCE_MARKS, int(goal.target or 0)))
    if what == "chance":
        return Measure("win chance" if goal.players > 1 else what, *CHANCE_MARKS)
    return Measure(what, *_scaled(TURN_MARKS, 1 if what == "turns" else 3), prefers_less=True)


def _scaled(marks: tuple[float, float, float], by: float) -> tuple[float, float, float]:
    inaccuracy, mistake, blunder = marks
    return inaccuracy * by, mistake * by, blunder * by
