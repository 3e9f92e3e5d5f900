"""Pig: roll one die, add it up, and stop before a 1 takes it all."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import ClassVar

from jeopardice.dice import Dice, Roll, roll_loaded
from jeopardice.errors import RulesError
from jeopardice.rules.game import Play, as_whole


@dataclass(frozen=True, repr=False)
class Pig:
    """A roll in `bust` loses the points at risk; any other adds its pips.

    Several `dice` fall together: one bust face is enough, otherwise their pips add up. They are fair, with `sides` sides;
    or `Dice` that are loaded and have their own sides.

    >>> Pig().plays(mode=0, roll=(5,))
    [Play(points=5, mode=0)]
    >>> Pig().plays(mode=0, roll=(1,))
    []
    >>> Pig(dice=Dice.read("coin=2,1")).rolls(mode=0)
    {(1,): 2, (2,): 1}
    """

    sides: int = 6
    bust: tuple[int, ...] = (1,)
    dice: int | Dice = 1

    opening: ClassVar[int] = 0
    usual_target: ClassVar[int] = 100

    def __post_init__(self) -> None:
        sides = as_whole(self.sides)
        if sides is None or sides < 2:
            raise RulesError(f"Pig needs a die with at least two sides, got sides={self.sides!r}")
        if isinstance(self.dice, Dice):
            sides = self._own_sides(self.dice, sides)
        elif (as_whole(self.dice) or 0) < 1:
            raise RulesError(f"Pig needs at least one die, got dice={self.dice!r}")
        faces = [as_whole(face) for face in self.bust] if isinstance(self.bust, Iterable) else [None]
        bust = sorted({face for face in faces if face is not None and 1 <= face <= sides})
        if not set(faces) <= set(bust):
            raise RulesError(f"the faces that bust are whole numbers between 1 and {sides}, got bust={self.bust!r}")
        object.__setattr__(self, "sides", sides)
        object.__setattr__(self, "bust", tuple(bust))
        if self._always_busts():
            raise RulesError("these dice always bust (chance 1), so nothing is ever banked; leave a face that scores")

    def __repr__(self) -> str:
        """The rules; the dice only where there is more to say than one fair die."""
        dice = "" if self.dice == 1 else f", dice={self.dice!r}"
        return f"Pig(sides={self.sides!r}, bust={self.bust!r}{dice})"

    def _own_sides(self, dice: Dice, sides: int) -> int:
        """Return the sides of loaded dice; fair ones are only counted."""
        own = max(map(len, dice.kinds))
        if sides not in (6, own):
            raise RulesError(f"these dice have up to {own} sides, got sides={sides}; leave out sides")
        if dice.is_fair and len(dice.kinds) == 1:
            object.__setattr__(self, "dice", dice.count)
        return own

    def _always_busts(self) -> bool:
        """Whether some die has no face that scores."""
        if not isinstance(self.dice, Dice):
            return len(self.bust) == self.sides
        return any(all(face in self.bust for face, w in enumerate(die, start=1) if w) for die in self.dice.kinds)

    @property
    def layout_steps(self) -> int:
        """About how many steps it takes to write out all rolls and plays."""
        if self.dice == 1:
            return 20 * int(self.sides)
        if isinstance(self.dice, int):
            return 20 * comb(self.sides + min(self.dice, 1000) - 1, min(self.dice, 1000))
        return int(20 * self.sides**self.dice.count)

    def rolls(self, mode: int) -> dict[Roll, int]:
        """All the dice, whatever the mode."""
        return dict(_throws(self.dice, self.sides))

    def plays(self, mode: int, roll: Roll) -> list[Play]:
        """A bust, or the pips."""
        return [] if set(roll) & set(self.bust) else [Play(sum(roll), mode=0)]


@lru_cache(maxsize=64)
def _throws(dice: int | Dice, sides: int) -> dict[Roll, int]:
    if isinstance(dice, int):
        return roll_loaded([dict.fromkeys(range(1, sides + 1), 1)] * dice)
    return roll_loaded([dict(enumerate(die, start=1)) for die in dice.weights])
