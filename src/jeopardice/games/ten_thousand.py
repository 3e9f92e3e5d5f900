"""Ten Thousand with the rules of Crocce & Mordecki: 1s and 5s score, and so do three of a kind.

A 5 is worth 50 points, a 1 is worth 100, three of a kind 100 times their face and three 1s are worth 1000. After a roll
a player sets aside at least one scoring combination and stops or rolls the other dice; once all dice have scored, all of
them are rolled again. Scoring dice may be given back to the roll ("resigned") as long as one combination stays and
some die did not score.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from math import comb
from typing import Any, ClassVar

from jeopardice.dice import Dice, Roll, checked_dice, faces_of, pool, roll_dice
from jeopardice.errors import RulesError
from jeopardice.games.scoring import ScoringLine, scoring_lines
from jeopardice.rules.game import Play

SINGLE = {1: 100, 5: 50}
TRIPLE = {1: 1000, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}


def score(face: int, count: int) -> int:
    """Return the points of `count` dice showing `face`: triples first, the rest one by one.

    >>> score(5, 4), score(1, 3), score(2, 3)
    (550, 1000, 200)
    """
    return count // 3 * TRIPLE[face] + count % 3 * SINGLE.get(face, 0)


@dataclass(frozen=True)
class TenThousand:
    """The mode is the number of dice to roll. `resign` lists the sets of dice that may be given back; None allows all.

    `dice` are fair and counted, or `Dice` that are loaded; where these differ the mode is which of them are left.

    >>> TenThousand().plays(mode=3, roll=(1, 5, 6))
    [Play(points=150, mode=1), Play(points=100, mode=2), Play(points=50, mode=2)]
    >>> TenThousand(resign=("5",)).plays(mode=3, roll=(1, 5, 6))
    [Play(points=150, mode=1), Play(points=100, mode=2)]
    """

    dice: int | Dice = 5
    resign: tuple[str, ...] | None = None

    usual_target: ClassVar[int] = 10_000

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", checked_dice(self.dice, "Ten Thousand"))
        if self.resign is not None:
            object.__setattr__(self, "resign", tuple(sorted(_checked_dice(given) for given in self.resign)))

    @property
    def mode_word(self) -> str:
        """A mode is a number of dice, unless they differ."""
        return "dice" if isinstance(self.opening, int) else "mode"

    @property
    def opening(self) -> Any:
        """A turn begins with all the dice: their number, or where they differ the kind of each, in order."""
        return self.dice if isinstance(self.dice, int) else self.dice.opening

    @property
    def roll_words(self) -> Callable[[Any], str] | None:
        """How one says that one rolls dice that differ; equal ones are only counted."""
        return None if isinstance(self.opening, int) else lambda mode: f"roll {pool(self.dice).words(mode)}"

    @property
    def layout_steps(self) -> int:
        """About how many steps it takes to write out all rolls and plays: those of six-sided dice, and sets of each."""
        dice = self.dice if isinstance(self.dice, int) else self.dice.count
        return int(comb(dice + 6, 6) * 1.45 ** min(dice, 100)) if isinstance(self.opening, int) else 8**dice

    def scoring(self) -> list[ScoringLine]:
        """Return the scoring card."""
        sets: dict[Roll, int] = {(face,): points for face, points in SINGLE.items()}
        return scoring_lines(sets | {(face,) * 3: points for face, points in TRIPLE.items()})

    def rolls(self, mode: Any) -> Mapping[Any, int]:
        """The dice that are left; where they differ a roll names each die as (kind, face)."""
        return roll_dice(mode, 6) if isinstance(self.dice, int) else self.dice.rolls(mode)

    def merged_rolls(self, mode: Any) -> Mapping[Any, int]:
        """The same, where one roll may stand for several that offer the same plays."""
        return pool(self.dice).alike(
            mode, lambda roll: {face for play in self._plays_of_faces(len(roll), roll) for face in play.kept}
        )

    def plays(self, mode: Any, roll: Any) -> list[Play]:
        """Everything that scores, or less of it for more dice to roll."""
        if isinstance(self.dice, int):
            return self._plays_of_faces(mode, roll)
        by_faces = self._plays_of_faces(len(roll), faces_of(roll))
        after = [
            Play(play.points, left, kept=play.kept)
            for play in by_faces
            for left in self.dice.after(mode, roll, play.kept)
        ]
        return list(dict.fromkeys(after))

    def _plays_of_faces(self, mode: int, roll: Roll) -> list[Play]:
        """The same where only the faces count."""
        counts = Counter(roll)
        most = {face: count if face in SINGLE else count // 3 * 3 for face, count in sorted(counts.items())}
        scoring = {face: count for face, count in most.items() if count}
        if not scoring:
            return []
        if sum(scoring.values()) == len(roll):
            return [Play(sum(score(*kept) for kept in scoring.items()), self.opening, kept=roll)]
        plays = []
        for counts_kept in product(
            *(range(0, count + 1, 1 if face in SINGLE else 3) for face, count in scoring.items())
        ):
            kept = dict(zip(scoring, counts_kept, strict=True))
            given_back = "".join(str(face) * (scoring[face] - kept[face]) for face in scoring)
            if any(counts_kept) and (not given_back or self.resign is None or given_back in self.resign):
                points = sum(score(*item) for item in kept.items())
                dice_kept = tuple(face for face in kept for _ in range(kept[face]))
                plays.append(Play(points, mode - len(dice_kept), kept=dice_kept))
        return sorted(plays, key=lambda play: -play.points)


def _checked_dice(given: str | int) -> str:
    faces = "".join(sorted(str(given)))
    counts = Counter(faces)
    if not faces or not all(face in "123456" and (face in "15" or count % 3 == 0) for face, count in counts.items()):
        raise RulesError(f"resign lists scoring dice that may be given back, like 5, 1, 55, 51 or 222, got {given!r}")
    return faces
