"""A match: a whole game as a tree of spots. Rules only: no values, no words.

A game moves from **spot** to spot; a spot is an immutable, hashable value that holds everything about the game at an
instant. There are three kinds: the dice fall next (`rolls` has the rolls with their weights), somebody chooses (`plays`
has the plays), or the game is over. Session, simulation, adapters and tests walk every family through these questions.

A match is made from a goal alone (`Family.match`). What a spot is worth is a question to a `Judge` (`solution.py`), and
how a play or a spot is worded a question to the family's `Words` (`family.py`).
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from jeopardice.types import Game, Json, MatchPlay, MatchRoll, Number, Spot


class Match(Protocol):
    """What every match answers."""

    @property
    def players(self) -> int:
        """How many seats there are."""
        ...

    def start(self) -> Spot:
        """The spot a game begins at; seat 0 has the dice."""
        ...

    def seat(self, spot: Spot) -> int:
        """Who has the dice."""
        ...

    def game(self, spot: Spot) -> Game:
        """The game that the player who has the dice plays by."""
        ...

    def rolls(self, spot: Spot) -> Mapping[MatchRoll, int]:
        """The rolls that can fall now with their weights; empty unless the dice fall next."""
        ...

    def plays(self, spot: Spot) -> Sequence[MatchPlay]:
        """The plays one can choose from, in an order that does not tell which is best; empty unless somebody chooses.

        Plays are immutable, hashable values, all different at one spot.
        """
        ...

    def is_bust(self, spot: Spot, roll: MatchRoll) -> bool:
        """Whether a roll, falling here, ends the turn with nothing."""
        ...

    def after_roll(self, spot: Spot, roll: MatchRoll) -> Spot:
        """The spot after a roll."""
        ...

    def after_play(self, spot: Spot, play: MatchPlay) -> Spot:
        """The spot after a play."""
        ...

    def is_over(self, spot: Spot) -> bool:
        """Whether the game has ended."""
        ...

    def returns(self, spot: Spot) -> tuple[Number, ...]:
        """What every seat got, once the game is over: as the goal counts it, so alone the turns or points it took."""
        ...

    def turn(self, spot: Spot) -> int:
        """How many turns have been completed, all seats together."""
        ...

    def to_json(self, spot: Spot) -> Json:
        """The spot as plain data in the words of the game; `from_json` reads it back."""
        ...

    def from_json(self, position: Json) -> Spot:
        """The spot that a position names; refuses one that cannot occur."""
        ...
