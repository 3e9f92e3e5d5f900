"""Hog: choose how many dice to roll, once a turn; a 1 among them and the turn earns nothing.

The only decision of a turn comes before the roll. So a turn opens in a mode that chooses: its one "roll" of weight 1
offers a play without points for each number of dice, and the mode n then rolls n dice and banks their sum at once.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

from jeopardice.dice import Dice, Die, Roll
from jeopardice.errors import RulesError
from jeopardice.rules.game import Play, as_whole

OPENING = "how many dice?"
CHOOSE: Roll = ()
"""The single roll of the opening mode: nothing falls, the player chooses."""

BUST: Roll = (1,)


@dataclass(frozen=True, repr=False)
class Hog:
    """Up to `dice_limit` dice of `sides` sides; `on_one="one point"` is the variant where a 1 still leaves a point.

    `dice` loads them: `Dice` of a single kind, which all of them are of, with sides of their own.

    Rolls of many dice are told apart only by what they are worth: (1,) if a 1 is among them, else (sum,).

    >>> Hog(dice_limit=3).plays(mode="how many dice?", roll=())
    [Play(points=0, mode=1), Play(points=0, mode=2), Play(points=0, mode=3)]
    >>> Hog(sides=3).rolls(mode=2)
    {(1,): 5, (4,): 1, (5,): 2, (6,): 1}
    >>> Hog(sides=3).plays(mode=2, roll=(5,)), Hog(sides=3).plays(mode=2, roll=(1,))
    ([Play(points=5, mode=None)], [])
    """

    dice_limit: int = 30
    sides: int = 6
    on_one: Literal["nothing", "one point"] = "nothing"
    dice: Dice | None = None

    opening: ClassVar[str] = OPENING
    usual_target: ClassVar[int] = 100

    def __post_init__(self) -> None:
        if (as_whole(self.dice_limit) or 0) < 1:
            raise RulesError(f"Hog needs at least one die, got dice_limit={self.dice_limit!r}")
        if (as_whole(self.sides) or 0) < 2:
            raise RulesError(f"Hog needs dice with at least two sides, got sides={self.sides!r}")
        if self.on_one not in ("nothing", "one point"):
            raise RulesError(f"on_one is 'nothing' or 'one point', got on_one={self.on_one!r}")
        if self.dice is not None:
            self._load(self.dice)

    def __repr__(self) -> str:
        """The rules; the dice only where they are loaded."""
        dice = "" if self.dice is None else f", dice={self.dice!r}"
        return f"Hog(dice_limit={self.dice_limit!r}, sides={self.sides!r}, on_one={self.on_one!r}{dice})"

    def _load(self, dice: Dice) -> None:
        """Keep one die of the kind, and its sides; fair dice are only counted."""
        if not isinstance(dice, Dice) or len(dice.kinds) != 1:
            raise RulesError(f"dice of Hog are all of one kind, such as Dice.read('lucky'), got dice={dice!r}")
        (die,) = dice.kinds
        if self.sides not in (6, len(die)):
            raise RulesError(f"this die has {len(die)} sides, got sides={self.sides}; leave out sides")
        if not any(die[1:]):
            raise RulesError("these dice show nothing but 1s, so nothing is ever banked; give another face a weight")
        object.__setattr__(self, "sides", len(die))
        object.__setattr__(self, "dice", None if dice.is_fair else Dice((die,), dice.names[:1]))

    @property
    def layout_steps(self) -> int:
        """About how many steps it takes to write out all rolls and plays: sums of up to this many dice."""
        return self.dice_limit**3 * self.sides**2 // 120

    def rolls(self, mode: str | int) -> dict[Roll, int]:
        """Nothing to roll while choosing; else the chosen dice, told apart by their values."""
        if isinstance(mode, str):
            return {CHOOSE: 1}
        return dict(_sums_without_ones(mode, (1,) * self.sides if self.dice is None else self.dice.kinds[0]))

    def plays(self, mode: str | int, roll: Roll) -> list[Play]:
        """Any number of dice; after the roll the points are banked, if there are any."""
        if isinstance(mode, str):
            return [Play(0, mode=dice) for dice in range(1, self.dice_limit + 1)]
        if roll == BUST:
            return [] if self.on_one == "nothing" else [Play(1, mode=None)]
        return [Play(roll[0], mode=None)]

    def roll_words(self, mode: str | int) -> str:
        """Return the words for a roll of this many dice."""
        return f"roll {mode} {'die' if mode == 1 else 'dice'}"


@lru_cache(maxsize=256)
def _sums_without_ones(dice: int, die: Die) -> dict[Roll, int]:
    """Return the weight with which n dice show no 1 and a given sum, and under (1,) the weight with a 1."""
    ways = {0: 1}
    for _ in range(dice):
        longer: dict[int, int] = {}
        for total, count in ways.items():
            for face, weight in enumerate(die[1:], start=2):
                if weight:
                    longer[total + face] = longer.get(total + face, 0) + count * weight
        ways = longer
    with_ones = sum(die) ** dice - sum(die[1:]) ** dice
    return ({BUST: with_ones} if with_ones else {}) | {(total,): count for total, count in sorted(ways.items())}
