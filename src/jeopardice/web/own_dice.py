"""Dice of one's own, written in a link: `faces:bust,2,3*4,bank10` is a die with a face that busts, one that scores 2, one
that scores 3 and falls four times as often, and one that scores 10 and ends the turn.

Faces are called by what they do, so that a roll reads as its points: 0 is the bust, a face that ends the turn is a
million and its points. Equal faces are one, with the sum of their weights.
"""

from dataclasses import dataclass
from typing import ClassVar

from jeopardice.errors import RulesError
from jeopardice.games.faces import Face, FaceGame

BUST = 0
ENDS = 1_000_000


@dataclass(frozen=True)
class OwnDice:
    """What a link says about the dice.

    >>> OwnDice("bust,2,3*4").weights
    {0: 1, 2: 1, 3: 4}
    >>> OwnDice("bust,bank5").game().faces[1]
    Face(face=1000005, weight=1, points=5, effect='bank')
    """

    faces: str = "bust,2,3,4,5,6"
    dice: int = 1

    usual_target: ClassVar[int] = 100

    @property
    def weights(self) -> dict[int, int]:
        """How often each face falls."""
        weights: dict[int, int] = {}
        for word in self.faces.split(","):
            effect, _, weight = word.strip().partition("*")
            points = effect.removeprefix("bank")
            if not (effect == "bust" or _is_whole(points)) or not (weight == "" or _is_whole(weight)):
                raise RulesError(f"a face is bust, its points or bank and points, with *n for its weight, got {word!r}")
            face = BUST if effect == "bust" else ENDS * effect.startswith("bank") + int(points)
            if face % ENDS == 0 and effect != "bust":
                raise RulesError(f"a face that does not bust scores at least one point, got {word!r}")
            weights[face] = weights.get(face, 0) + int(weight or 1)
        return weights

    def game(self) -> FaceGame:
        """Return the rules as the package knows them."""
        faces = tuple(
            Face(face, weight, face % ENDS, "bust" if face == BUST else "bank" if face > ENDS else "score")
            for face, weight in self.weights.items()
        )
        return FaceGame("your own dice", faces, self.dice, usual_target=self.usual_target)


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 6
