"""Dice of one's own: say what each face does, and the game is Pig with those dice.

A face either busts or scores. All dice fall together; one that busts takes the points at risk, else all of them are added
up. Pig itself is `OwnDice("bust,2,3,4,5,6")`; two-dice Pig without its double 1 is the same with `dice=2`.
"""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from jeopardice.dice import Roll, roll_loaded
from jeopardice.errors import RulesError
from jeopardice.game import Play

BUST = -1
"""How a face that busts is written in a roll; every other face is written as the points it scores."""


@dataclass(frozen=True)
class OwnDice:
    """`faces` lists what each side does: `bust` or its points, with `*n` for a face that falls n times as often.

    >>> OwnDice("bust,2,3*4").rolls(mode=0)
    {(-1,): 1, (2,): 1, (3,): 4}
    >>> OwnDice("bust,2,3*4", dice=2).plays(mode=0, roll=(2, 3))
    [Play(points=5, mode=0)]
    """

    faces: str = "bust,2,3,4,5,6"
    dice: int = 1

    opening: ClassVar[int] = 0
    usual_target: ClassVar[int] = 100

    def __post_init__(self) -> None:
        if self.dice < 1:
            raise RulesError(f"own dice need at least one die, got dice={self.dice!r}")
        weights = self.weights
        object.__setattr__(self, "faces", ",".join(_written(face, weight) for face, weight in sorted(weights.items())))
        if not any(weight and face > 0 for face, weight in weights.items()):
            raise RulesError(
                f"no face scores a point, so nothing is ever banked, got faces={self.faces!r}; let a face score"
            )
        if not weights.get(BUST):
            raise RulesError(f"no face busts, so nobody would ever stop, got faces={self.faces!r}; let a face bust")

    @property
    def weights(self) -> dict[int, int]:
        """How often each face falls; equal faces are one."""
        counts: Counter[int] = Counter()
        for word in self.faces.split(","):
            face, _, weight = word.strip().partition("*")
            if not (face == "bust" or _is_whole(face)) or not (weight == "" or _is_whole(weight)):
                raise RulesError(
                    f"a face is 'bust' or its points, perhaps with a weight like 3*2, got {word!r} in {self.faces!r}"
                )
            counts[BUST if face == "bust" else int(face)] += int(weight or 1)
        return {face: weight for face, weight in counts.items() if weight}

    def rolls(self, mode: int) -> dict[Roll, int]:
        """All the dice, each with the same faces."""
        return roll_loaded([self.weights] * self.dice)

    def plays(self, mode: int, roll: Roll) -> list[Play]:
        """A bust if any die busts, else the sum."""
        return [] if BUST in roll else [Play(sum(roll), mode=0)]


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9


def _written(face: int, weight: int) -> str:
    name = "bust" if face == BUST else str(face)
    return name if weight == 1 else f"{name}*{weight}"
