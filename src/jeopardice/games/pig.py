"""Pig: roll one die, add it up, and stop before a 1 takes it all."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from jeopardice.dice import Roll, roll_dice
from jeopardice.errors import RulesError
from jeopardice.rules.game import Play, as_whole


@dataclass(frozen=True)
class Pig:
    """A roll in `bust` loses the points at risk; any other adds its pips.

    >>> Pig().plays(mode=0, roll=(5,))
    [Play(points=5, mode=0)]
    >>> Pig().plays(mode=0, roll=(1,))
    []
    """

    sides: int = 6
    bust: tuple[int, ...] = (1,)

    opening: ClassVar[int] = 0
    usual_target: ClassVar[int] = 100

    def __post_init__(self) -> None:
        sides = as_whole(self.sides)
        if sides is None or sides < 2:
            raise RulesError(f"Pig needs a die with at least two sides, got sides={self.sides!r}")
        faces = [as_whole(face) for face in self.bust] if isinstance(self.bust, Iterable) else [None]
        bust = sorted({face for face in faces if face is not None and 1 <= face <= sides})
        if not set(faces) <= set(bust):
            raise RulesError(f"the faces that bust are whole numbers between 1 and {sides}, got bust={self.bust!r}")
        object.__setattr__(self, "sides", sides)
        object.__setattr__(self, "bust", tuple(bust))
        if len(self.bust) == self.sides:
            raise RulesError("these dice always bust (chance 1), so nothing is ever banked; leave a face that scores")

    @property
    def layout_steps(self) -> int:
        """About how many steps it takes to write out all rolls and plays."""
        return 20 * int(self.sides)

    def rolls(self, mode: int) -> dict[Roll, int]:
        """One die, whatever the mode."""
        return roll_dice(1, self.sides)

    def plays(self, mode: int, roll: Roll) -> list[Play]:
        """A bust, or the pips."""
        (pips,) = roll
        return [] if pips in self.bust else [Play(pips, mode=0)]
