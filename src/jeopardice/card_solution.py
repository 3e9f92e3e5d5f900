"""A solved card of Yahtzee, asked the same questions as any other solution.

Values are the points still to come on average, bonuses included, so that the value of the empty card is the value of the
game. A card is given as {box: points written there}.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from jeopardice.dice import Roll
from jeopardice.goal import Race
from jeopardice.kernels import Progress
from jeopardice.moments import Advice, Option
from jeopardice.solvers.yahtzee import YahtzeeSolution, solve_yahtzee
from jeopardice.store import goal_as_json, write_blocks


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
    def error_bound(self) -> float:
        """A bound on the error of every card's value."""
        return self.cards.error_bound

    def at(self, card: Mapping[str, int] | None = None) -> float:
        """Return the points still to come with this card, at the beginning of a turn."""
        return self.cards.at(card)

    def advise(self, *, card: Mapping[str, int] | None = None, roll: Roll | None = None, rolls_left: int = 0) -> Advice:
        """Return every option, best first: which dice of `roll` to keep while rolls are left, else which box to fill.

        Before the first roll, without `roll`, there is only one thing to do.
        """
        if roll is not None:
            return self.cards.advise(card=card, roll=roll, rolls_left=rolls_left)
        return Advice((Option("roll 5 dice", self.at(card), stops=False, points=0),), lambda: self.error_bound)

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        about = {"goal": goal_as_json(self.goal), "goal_repr": repr(self.goal)}
        about |= {"value": self.value, "error_bound": self.error_bound}
        return write_blocks(path, about, {"cards": self.cards.values})


def solve_card(goal: Race, *, threads: int | None = None, progress: Progress | None = None) -> CardSolution:
    """Solve Yahtzee alone, for the most points."""
    for name, usual in (
        ("players", 1), ("target", None), ("finish", "reach"), ("cost", "turns"), ("within", None), ("bank_from", 0),
    ):  # fmt: skip
        if getattr(goal, name) != usual:
            raise ValueError(f"Yahtzee is solved alone, for the most points; leave out {name}={getattr(goal, name)!r}")
    return CardSolution(goal, solve_yahtzee(goal.game, threads=threads, progress=progress))
