"""The scoring card of a game, as it lies beside the table: a line for each thing that scores, with its points.

A line lights up where the dice on the table hold it, with the points they bring; so it lists the sets of dice it stands
for. Lines say what the rules of a game compute, and nothing is computed from them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

Dice = tuple[int, ...]
NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight")


class ScoringLine(NamedTuple):
    """What scores, in words; its points, in words; and the sets of dice it stands for, each with its points."""

    words: str
    points: str
    sets: tuple[tuple[Dice, int], ...] = ()

    def lit(self, roll: Iterable[int]) -> int | None:
        """Return the most points that dice on the table bring by this line; None where they hold no such set.

        >>> ScoringLine("three of a kind", "100 x face", (((2, 2, 2), 200), ((3, 3, 3), 300))).lit((2, 2, 2, 3))
        200
        """
        dice = Counter(roll)
        return max((points for faces, points in self.sets if not Counter(faces) - dice), default=None)


def scoring_lines(combinations: Mapping[Dice, int]) -> list[ScoringLine]:
    """Return the lines of a game whose scoring sets of dice, each with its points, are known.

    >>> for line in scoring_lines({(1,): 100, (2, 2, 2): 200, (3, 3, 3): 300, (1, 2, 3): 400}):
    ...     print(line.words, "=", line.points)
    a single 1 = 100
    straight 1 to 3 = 400
    three of a kind = 100 × face
    """
    groups: dict[str, list[tuple[Dice, int]]] = {}
    for faces, points in sorted(combinations.items(), key=lambda pair: (len(pair[0]), pair[0])):
        groups.setdefault(_name(faces), []).append((faces, points))
    return [ScoringLine(name, _points(sets), tuple(sets)) for name, sets in groups.items()]


def _name(faces: Dice) -> str:
    """Return what people call a set of dice."""
    counts = sorted(Counter(faces).values(), reverse=True)
    if len(faces) == 1:
        return f"a single {faces[0]}"
    if len(counts) == 1:
        own = f"{NUMBERS[len(faces)]} 1s" if faces[0] == 1 and len(faces) == 3 else ""
        return own or f"{NUMBERS[len(faces)]} of a kind"
    if counts[0] == 1:
        return f"straight {faces[0]} to {faces[-1]}"
    known = {
        (2, 2, 2): "three pairs",
        (4, 2): "four of a kind and a pair",
        (3, 3): "two triplets",
        (3, 2): "full house",
    }
    return known.get(tuple(counts), " ".join(map(str, faces)))


def _points(sets: Sequence[tuple[Dice, int]]) -> str:
    """Return the points of a line: one number, this many times the face, or the least and the most."""
    points = {value for _, value in sets}
    if len(points) == 1:
        return f"{points.pop():,}"
    times = {value // faces[0] for faces, value in sets if value % faces[0] == 0}
    if len(times) == 1 and all(len(set(faces)) == 1 and value % faces[0] == 0 for faces, value in sets):
        return f"{times.pop():,} × face"
    return f"{min(points):,} to {max(points):,}"
