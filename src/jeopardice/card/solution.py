"""A solved card of Yahtzee, asked the same questions as any other solution.

Values are the points still to come on average, bonuses included, so that the value of the empty card is the value of the
game. A card is given as {box: points written there}.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from jeopardice.card.match import CardMatch, CardPlay
from jeopardice.card.words import play_words
from jeopardice.card.yahtzee import YahtzeeSolution, solve_yahtzee
from jeopardice.dice import Roll
from jeopardice.kernels import Progress
from jeopardice.rules.game import changed_fields
from jeopardice.rules.goal import Goal, Race
from jeopardice.solution import Advice, Certificate, Option
from jeopardice.store import about_goal, write_blocks
from jeopardice.types import JsonObject

if TYPE_CHECKING:
    from jeopardice.card.strategy import CardStrategy


@dataclass(frozen=True, eq=False)
class CardSolution:
    """Yahtzee alone: the most points on average from every card."""

    goal: Race
    cards: YahtzeeSolution = field(repr=False)

    @property
    def value(self) -> float:
        """The most points a game brings on average."""
        return self.cards.value

    @property
    def values(self) -> tuple[float, ...]:
        """The value for the only seat."""
        return (self.value,)

    @property
    def match(self) -> CardMatch:
        """The game as a tree of spots."""
        return CardMatch(self.goal.game)

    @property
    def certificate(self) -> Certificate:
        """The certificate: it needs no further work."""
        return Certificate(self.error_bound)

    @property
    def error_bound(self) -> float:
        """A bound on the error of every card's value."""
        return self.cards.error_bound

    def strategy(self, seat: int = 0) -> "CardStrategy":
        """Best play, as a strategy like any other."""
        from jeopardice.card.strategy import CardStrategy

        return CardStrategy("optimal", self)

    def certify(self, progress: Progress | None = None, threads: int | None = None) -> "CardSolution":
        """Return the solution itself: its bound follows from the number of roundings."""
        return self

    def at(self, card: Mapping[str, int] | None = None) -> float:
        """Return the points still to come with this card, at the beginning of a turn."""
        return self.cards.at(card)

    def advise(self, *, card: Mapping[str, int] | None = None, roll: Roll | None = None, rolls_left: int = 0) -> Advice:
        """Return every option, best first: which dice of `roll` to set aside while rolls are left, else which box to fill.

        Before the first roll, without `roll`, there is only one thing to do.
        """
        if roll is not None:
            return self.cards.advise(card=card, roll=roll, rolls_left=rolls_left)
        roll_all = CardPlay()
        option = Option(play_words(roll_all), self.at(card), stops=False, points=0, match_play=roll_all)
        return Advice((option,), lambda: self.error_bound)

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        about = about_goal(self.goal) | {"value": self.value, "error_bound": self.error_bound}
        return write_blocks(path, about, self.blocks())

    def blocks(self) -> dict[str, NDArray[np.float64]]:
        """Return the table of cards."""
        return {"cards": self.cards.values}

    def rows(self) -> Iterator[JsonObject]:
        """Yield every card that can occur: boxes filled (bits, the first box lowest), flag, upper total, value."""
        names = ("boxes_filled", "yahtzee_box_scored", "upper_total", "value")
        return (dict(zip(names, row, strict=True)) for row in self.cards.rows())


def check_card_goal(goal: Goal) -> None:
    """Refuse goals other than Yahtzee alone, for the most points."""
    if not isinstance(goal, Race):
        raise TypeError("Yahtzee is solved alone, for the most points of a whole card; ask for Race(Yahtzee())")
    for name, given in changed_fields(goal).items():
        if name != "game":
            raise ValueError(f"Yahtzee is solved alone, for the most points; leave out {name}={given!r}")


def solve_card(goal: Race, *, threads: int | None = None, progress: Progress | None = None) -> CardSolution:
    """Solve Yahtzee alone, for the most points."""
    check_card_goal(goal)
    return CardSolution(goal, solve_yahtzee(goal.game, threads=threads, progress=progress))
