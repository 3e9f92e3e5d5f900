"""What the spots and plays of Yahtzee are worth: the points of the whole game under best play from there on."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from jeopardice.card.match import ROLLS, CardMatch, CardPlay, CardSpot
from jeopardice.card.solution import CardSolution
from jeopardice.card.words import WORDS
from jeopardice.card.yahtzee import SET_INDEX
from jeopardice.rules.goal import Goal
from jeopardice.solution import Measure, Option
from jeopardice.types import Number

MARKS = (0.25, 1.0, 3.0)
"""From these losses on, in points, a play is marked."""


@dataclass(frozen=True, eq=False)
class CardJudge:
    """Knows Yahtzee by its solution."""

    solution: CardSolution
    match: CardMatch = field(init=False)
    _stages: Callable[..., list[NDArray[np.float64]]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "match", CardMatch(self.solution.goal.game))
        object.__setattr__(self, "_stages", lru_cache(maxsize=512)(self.solution.cards.turn))

    @property
    def goal(self) -> Goal:
        """The goal that is played for."""
        return self.solution.goal

    @property
    def measure(self) -> Measure:
        """Points; more are better."""
        return Measure("points", *MARKS)

    @property
    def tie(self) -> float:
        """Twice the certified bound: two values each that far off."""
        return 2 * self.solution.error_bound

    def options_at(self, spot: CardSpot) -> tuple[Option, ...]:
        """Every play, best first; values are the points still to come."""
        plays = self.match.plays(spot)
        options = [
            Option(words, value, play.box is not None, play.points, play.box, play.aside, match_play=play)
            for play, words, value in zip(plays, WORDS.plays(self.match.rules, plays), self._values(spot), strict=True)
        ]
        return tuple(sorted(options, key=lambda option: (-option.value, not option.stops, -option.points)))

    def values_at(self, spot: CardSpot) -> tuple[Number, ...]:
        """The points written so far and those still to come."""
        if self.match.is_over(spot):
            return self.match.returns(spot)
        to_come = self._set_aside(spot, spot.aside) if spot.rolling else max(self._values(spot))
        return (self.match.written(spot) + to_come,)

    def _values(self, spot: CardSpot) -> list[float]:
        """Return what each play is worth, in the order of `match.plays`."""
        plays = self.match.plays(spot)
        if plays and plays[0].box is not None:
            assert spot.dice is not None
            boxes = self.solution.cards.boxes(*self._state(spot), spot.dice)
            return [boxes[str(play.box)] for play in plays]
        return [self._set_aside(spot, play.aside) for play in plays]

    def _set_aside(self, spot: CardSpot, aside: tuple[int, ...]) -> float:
        return float(self._stages(*self._state(spot))[ROLLS - spot.rolls_left][SET_INDEX[aside]])

    def _state(self, spot: CardSpot) -> tuple[int, int, int]:
        return self.solution.cards.state(dict(spot.card))


def best_play(judge: CardJudge, spot: CardSpot) -> CardPlay:
    """Return the best play at a spot."""
    play: CardPlay = judge.options_at(spot)[0].match_play
    return play
