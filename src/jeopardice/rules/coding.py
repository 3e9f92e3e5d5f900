"""A match in numbers, for programs that learn: every play has a number, and every spot is a row of whole numbers.

A `Coding` is made by the family of a game (`Family.coding`). Plays that mean the same at different spots have the same
number (Pig: 0 stop, 1 roll), so a learner can carry over what it finds out. A spot is written from the view of one seat:
that seat's standing first, then the others in the order of play. A number beyond its bound is written as the bound.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from jeopardice.rules.match import Match
from jeopardice.types import MatchPlay, Spot


class Part(NamedTuple):
    """One number of an observation, and its bounds."""

    name: str
    low: int
    high: int


@dataclass(frozen=True, eq=False)
class Coding:
    """The plays and spots of a match as numbers.

    `names` names every play that can occur, and `name_of` finds the name of a play. `parts` names the numbers that
    `read(spot, seat)` returns. `prefers_less`: what `match.returns` counts is a cost, such as turns.
    """

    match: Match
    names: tuple[Hashable, ...]
    name_of: Callable[[MatchPlay], Hashable]
    parts: tuple[Part, ...]
    read: Callable[[Spot, int], Sequence[int]]
    prefers_less: bool = False

    @cached_property
    def _numbers(self) -> dict[Hashable, int]:
        return {name: number for number, name in enumerate(self.names)}

    def number(self, play: MatchPlay) -> int:
        """Return the number of a play."""
        return self._numbers[self.name_of(play)]

    def plays(self, spot: Spot) -> dict[int, MatchPlay]:
        """Return the plays of a spot by their numbers, in the order of the numbers."""
        return dict(sorted((self.number(play), play) for play in self.match.plays(spot)))

    def mask(self, spot: Spot) -> list[int]:
        """Return for every number of a play whether it can be played here: 1 or 0."""
        numbers = {self.number(play) for play in self.match.plays(spot)}
        return [int(number in numbers) for number in range(len(self.names))]

    def observe(self, spot: Spot, seat: int) -> list[int]:
        """Return the spot as numbers, seen from a seat."""
        numbers = zip(self.parts, self.read(spot, seat), strict=True)
        return [min(max(number, part.low), part.high) for part, number in numbers]


def rotated(entries: Sequence[Any], seat: int) -> tuple[Any, ...]:
    """Return one entry for each seat, the viewer's first.

    >>> rotated((10, 20, 30), 1)
    (20, 30, 10)
    """
    return (*entries[seat:], *entries[:seat])


def owners(players: int) -> list[str]:
    """Return the words for whose number a part is, the viewer's first.

    >>> owners(3)
    ['my', 'next_1', 'next_2']
    """
    return ["my", *(["their"] if players == 2 else [f"next_{n}" for n in range(1, players)])]


def dice_parts(faces: Iterable[int], most: int) -> list[Part]:
    """Return the parts that count the dice of a roll, face by face."""
    return [Part(f"dice_showing_{face}", 0, most) for face in faces]
