"""Yahtzee alone: five dice, three rolls a turn, thirteen boxes to fill, one each turn.

After the first and the second roll any dice may be kept and the others rolled again; after the third the dice are
written into a free box. Upper boxes count one face, and a sum of 63 there brings 35 more. Five equal dice score 50 in
the Yahtzee box; when that box is full such a roll is a *joker*, and if it holds 50 each joker brings 100 more.

The rules for jokers differ:

- `forced`: it must go into the upper box of its face if that is free; else into a free lower box, where full house and
  straights count in full; else into a free upper box, for nothing.
- `free`: it may go into any free box; full house and straights count in full only if the upper box of its face is
filled. - `none`: five equal dice are dice like any others: no 100 points and no joker.
"""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, Literal

from jeopardice.dice import Roll
from jeopardice.errors import RulesError

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
LOWER = (
    "three of a kind",
    "four of a kind",
    "full house",
    "small straight",
    "large straight",
    "yahtzee",
    "chance",
)
BOXES = UPPER + LOWER

Joker = Literal["forced", "free", "none"]


@dataclass(frozen=True)
class Yahtzee:
    """The official rules (`joker="forced"`) or a variant; `boxes` may leave some out, for a shorter game.

    >>> Yahtzee().score("full house", (2, 2, 3, 3, 3)), Yahtzee().score("sixes", (1, 6, 6, 6, 6))
    (25, 24)
    >>> Yahtzee().score("large straight", (4, 4, 4, 4, 4), joker=True)
    40
    """

    shape: ClassVar[str] = "card"

    joker: Joker = "forced"
    boxes: tuple[str, ...] = BOXES
    upper_goal: int = 63
    upper_bonus: int = 35
    joker_bonus: int = 100

    def __post_init__(self) -> None:
        if self.joker not in ("forced", "free", "none"):
            raise RulesError(f"joker is 'forced', 'free' or 'none', got joker={self.joker!r}")
        unknown = [box for box in self.boxes if box not in BOXES]
        if unknown or not self.boxes or len(set(self.boxes)) != len(self.boxes):
            raise RulesError(f"boxes are some of {', '.join(BOXES)}, each once, got {self.boxes!r}")
        object.__setattr__(self, "boxes", tuple(box for box in BOXES if box in self.boxes))
        if not 0 < self.upper_goal <= 105:
            raise RulesError(f"upper_goal lies between 1 and 105, got upper_goal={self.upper_goal!r}")

    def score(self, box: str, roll: Roll, *, joker: bool = False) -> int:
        """Return what `roll` is worth in `box`, bonuses aside; a joker counts in full in every lower box."""
        counts = Counter(roll)
        if box in UPPER:
            face = UPPER.index(box) + 1
            return face * counts[face]
        most = max(counts.values())
        run = max(len(part) for part in _runs(counts))
        return {
            "three of a kind": sum(roll) if most >= 3 else 0,
            "four of a kind": sum(roll) if most >= 4 else 0,
            "full house": 25 if joker or sorted(counts.values()) == [2, 3] else 0,
            "small straight": 30 if joker or run >= 4 else 0,
            "large straight": 40 if joker or run >= 5 else 0,
            "yahtzee": 50 if most == 5 else 0,
            "chance": sum(roll),
        }[box]

    def is_joker(self, free: frozenset[str], roll: Roll) -> bool:
        """Tell whether the roll is a joker: five equal dice when the Yahtzee box is in the game and full."""
        has_box = "yahtzee" in self.boxes and "yahtzee" not in free
        return self.joker != "none" and has_box and len(set(roll)) == 1

    def options(self, free: frozenset[str], roll: Roll) -> dict[str, int]:
        """Return the boxes the last roll may go into, each with its points (the bonus for a joker aside).

        >>> Yahtzee().options(frozenset({"ones", "full house"}), (1, 1, 1, 1, 1))
        {'ones': 5}
        >>> Yahtzee().options(frozenset({"twos", "full house"}), (1, 1, 1, 1, 1))
        {'full house': 25}
        """
        if not self.is_joker(free, roll):
            return {box: self.score(box, roll) for box in self.boxes if box in free}
        is_full = UPPER[roll[0] - 1] not in free
        return {box: self.score(box, roll, joker=is_full) for box in self.joker_boxes(free, roll[0])}

    def joker_boxes(self, free: frozenset[str], face: int) -> list[str]:
        """Return the boxes that a joker of this face may go into."""
        boxes, own = [box for box in self.boxes if box in free], UPPER[face - 1]
        if self.joker != "forced":
            return boxes
        return [own] if own in free else [box for box in boxes if box in LOWER] or boxes


def _runs(counts: Counter[int]) -> list[list[int]]:
    """Return the faces that are there, cut into runs of consecutive ones."""
    runs: list[list[int]] = []
    for face in sorted(counts):
        if runs and runs[-1][-1] == face - 1:
            runs[-1].append(face)
        else:
            runs.append([face])
    return runs
