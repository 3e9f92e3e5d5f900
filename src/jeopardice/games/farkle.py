"""Farkle, Zilch, Zonk, 10000: six dice; 1s, 5s, three of a kind and more score, by rules that differ from table to table.

A scoring combination is some dice with points of their own: a single 1, three 4s, a straight. After a roll a player sets
aside one or more combinations and stops or rolls the other dice; once all dice have scored, all of them are rolled
again. Kept dice score by the best way to split them into combinations without a die left over (an exact cover):
under flat points for four of a kind, four 1s are a triple and a single, 1100, and not 1000.

All covers are found at once, from the empty set upwards: what is kept is a smaller kept set and one more combination,

    points(kept) = max over combinations c within kept of points(kept - c) + points(c).

Six dice have 923 sets of up to six faces; the points of those that can be kept are looked up from then on.

What a rule set says about banking (a minimum to bank, to open, a penalty for busts) belongs to the goal, not to the
dice: see `jeopardice.games.house_goals`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import InitVar, dataclass, fields
from functools import lru_cache
from itertools import combinations, permutations
from math import comb
from typing import Any, ClassVar, Literal, get_args

from jeopardice.dice import Dice, Roll, checked_dice, faces_of, pool
from jeopardice.errors import RulesError
from jeopardice.games.named_rules import named_rules
from jeopardice.games.scoring import ScoringLine, scoring_lines
from jeopardice.rules.game import Play, is_whole

Kept = tuple[int, ...]
"""Faces set aside, least first."""

MoreOfAKind = Literal["none", "flat", "doubling", "linear"]
Take = Literal["any", "all if hot", "all"]
HotDice = Literal["may", "must"]
MOST_DICE = 12


@dataclass(frozen=True)
class Farkle:
    """The points of every combination; 0 means that it does not score.

    - `dice`: how many, or `Dice` that are loaded; where these differ the mode is not how many but which are left.
      `weights` is another way to load them: six whole numbers for all dice, or such six for each.
    - `one`, `five`: a single die; `three_ones`, and `three` times the face for three of any other kind.
    - `more_of_a_kind`: four and more of a kind score `flat` points, or twice, four times, eight times the triple
      (doubling), or twice, three times, four times (linear), or nothing beyond the triple and the singles (none).
    - `straight`: 1 to 6; `short_straights`: 1 to 5 and 2 to 6.
    - `three_pairs`, and whether four of a kind and a pair count as three pairs (`four_and_pair`); `two_triplets`;
      `full_house`: what a triple and a pair earn beyond the triple.
    - `nothing`: a roll of all dice without a combination scores this, and all dice may be rolled again.
    - `take`: any choice of at least one combination; or everything once all dice score; or always as many dice as can
      score, for the most points they can.
    - `hot_dice`: once all dice have scored one may roll them all again, or one must, with enough points for the target
      too; the roll without a combination that scores `nothing` counts as a combination.

    >>> Farkle(three_pairs=0).plays(mode=3, roll=(1, 5, 6))
    [Play(points=150, mode=1), Play(points=100, mode=2), Play(points=50, mode=2)]
    >>> Farkle.named("cardgames_io").plays(mode=6, roll=(1, 2, 3, 4, 5, 6))[0]
    Play(points=2500, mode=6)
    """

    dice: int | Dice = 6
    weights: InitVar[tuple[int, ...] | tuple[tuple[int, ...], ...] | None] = None
    one: int = 100
    five: int = 50
    three_ones: int = 1000
    three: int = 100
    more_of_a_kind: MoreOfAKind = "flat"
    flat: tuple[int, ...] = (1000, 2000, 3000)
    straight: int = 1500
    short_straights: tuple[int, int] = (0, 0)
    three_pairs: int = 1500
    four_and_pair: bool = True
    two_triplets: int = 2500
    full_house: int = 0
    nothing: int = 0
    take: Take = "any"
    hot_dice: HotDice = "may"

    usual_target: ClassVar[int] = 10_000

    def __post_init__(self, weights: Any) -> None:
        dice = checked_dice(self.dice, "Farkle", MOST_DICE)
        object.__setattr__(self, "dice", dice if weights is None else _loaded(weights, dice))
        for name in _POINTS:
            if not is_whole(getattr(self, name)):
                raise RulesError(f"{name} is a whole number of points from 0, got {name}={getattr(self, name)!r}")
        for name, length in (("flat", None), ("short_straights", 2)):
            points = getattr(self, name)
            if not (isinstance(points, tuple | list) and length in (None, len(points)) and all(map(is_whole, points))):
                raise RulesError(
                    f"{name} lists {length or 'some'} whole numbers of points from 0, got {name}={points!r}"
                )
            object.__setattr__(self, name, tuple(points))
        for name, words in (("more_of_a_kind", MoreOfAKind), ("take", Take), ("hot_dice", HotDice)):
            if getattr(self, name) not in get_args(words):
                wanted = ", ".join(map(repr, get_args(words)))
                raise RulesError(f"{name} is one of {wanted}, got {name}={getattr(self, name)!r}")
        if not isinstance(self.four_and_pair, bool):
            raise RulesError(f"four_and_pair is True or False, got four_and_pair={self.four_and_pair!r}")
        if self.hot_dice == "must" and all(len(faces) == self.count for faces in combination_points(self)):
            raise RulesError(
                "hot_dice='must' never lets a player stop: every combination takes the dice; "
                "take hot_dice='may', or let fewer dice score"
            )

    @classmethod
    def named(cls, name: str) -> "Farkle":
        """Return the dice and points of a rule set that goes by a name; `house_goals.house_goal` adds how it is banked.

        >>> Farkle.named("basic").straight
        0
        """
        return cls(**named_rules(name, "farkle")["scoring"])

    @property
    def count(self) -> int:
        """How many dice there are."""
        return pool(self.dice).count

    @property
    def mode_word(self) -> str:
        """A mode is a number of dice, unless they differ."""
        return "dice" if isinstance(self.opening, int) else "mode"

    @property
    def opening(self) -> Any:
        """A turn begins with all the dice: their number, or where they differ the kind of each, in order."""
        return pool(self.dice).opening

    @property
    def roll_words(self) -> Callable[[Any], str] | None:
        """How one says that one rolls dice that differ; equal ones are only counted."""
        return None if isinstance(self.opening, int) else lambda mode: f"roll {pool(self.dice).words(mode)}"

    @property
    def layout_steps(self) -> int:
        """About how many steps it takes to write out all rolls and plays; dice of different kinds fall in more ways."""
        dice = self.count
        return int(comb(dice + 6, 6) * 1.58**dice) if isinstance(self.opening, int) else 8**dice

    def may_stop(self, mode: Any) -> bool:
        """Whether one may stop instead of rolling; hot dice may have to be rolled.

        >>> Farkle(hot_dice="must").may_stop(6), Farkle(hot_dice="must").may_stop(2)
        (False, True)
        """
        return self.hot_dice == "may" or mode != self.opening

    def scoring(self) -> list[ScoringLine]:
        """Return the scoring card."""
        lines = scoring_lines(combination_points(self))
        return [*lines, ScoringLine("nothing scores", f"{self.nothing:,}")] if self.nothing else lines

    def sets_aside(self, mode: Any, roll: Any) -> list[tuple[Kept, int, Any]]:
        """Return every set of dice that scores, with its points and the mode it leaves; several may be the same play."""
        return [
            (faces, points, left)
            for faces, points in selections(self, faces_of(roll))
            for left in pool(self.dice).after(mode, roll, faces)
        ]

    def rolls(self, mode: Any) -> Mapping[Any, int]:
        """The dice that are left; where they differ a roll names each die as (kind, face)."""
        return pool(self.dice).rolls(mode)

    def merged_rolls(self, mode: Any) -> Mapping[Any, int]:
        """The same, where one roll may stand for several that offer the same plays."""
        return pool(self.dice).alike(mode, lambda roll: {face for faces, _ in selections(self, roll) for face in faces})

    def plays(self, mode: Any, roll: Any) -> list[Play]:
        """Every set of combinations that may be set aside, most points first; equal plays are one."""
        kept = self.sets_aside(mode, roll)
        if not kept and self.nothing and len(roll) == self.count:
            return [Play(self.nothing, self.opening)]
        if self.take == "all" or (self.take == "all if hot" and any(len(faces) == len(roll) for faces, _, _ in kept)):
            most = max((len(faces), points) for faces, points, _ in kept) if kept else (0, 0)
            kept = [play for play in kept if (len(play[0]), play[1]) == most]
        merged = {(points, left): faces for faces, points, left in sorted(kept, key=lambda play: play[0], reverse=True)}
        plays = [Play(points, left, kept=faces) for (points, left), faces in merged.items()]
        return sorted(plays, key=lambda play: (-play.points, len(play.kept), play.kept))


@lru_cache(maxsize=100_000)
def selections(game: Farkle, roll: Roll) -> tuple[tuple[Kept, int], ...]:
    """Return the sets of dice of a sorted roll that can be kept, each with its points.

    >>> selections(Farkle.named("basic"), (1, 2, 2, 2))
    (((1,), 100), ((2, 2, 2), 200), ((1, 2, 2, 2), 300))
    """
    points = kept_points(game)
    subsets = sorted({faces for count in range(1, len(roll) + 1) for faces in combinations(roll, count)}, key=len)
    return tuple((faces, points[faces]) for faces in subsets if faces in points)


@lru_cache(maxsize=64)
def kept_points(game: Farkle) -> dict[Kept, int]:
    """Return the points of every set of dice that combinations cover exactly, each split as well as it can be."""
    scoring = combination_points(game)
    best: dict[Kept, int] = {(): 0}
    by_size: list[list[Kept]] = [[()], *([] for _ in range(game.count))]
    for size in range(game.count):
        for kept in by_size[size]:
            for faces, points in scoring.items():
                if size + len(faces) <= game.count:
                    more = tuple(sorted(kept + faces))
                    if more not in best:
                        by_size[len(more)].append(more)
                    best[more] = max(best.get(more, 0), best[kept] + points)
    del best[()]
    return best


def combination_points(game: Farkle) -> dict[Kept, int]:
    """Return every scoring combination of the rules with its points; where two names fit the same dice, the better.

    >>> [faces for faces in combination_points(Farkle.named("basic")) if len(faces) == 1]
    [(1,), (5,)]
    """
    best: dict[Kept, int] = {}
    for faces, points in _combinations(game):
        if points and len(faces) <= game.count:
            best[faces] = max(points, best.get(faces, 0))
    return best


def _combinations(game: Farkle) -> Iterator[tuple[Kept, int]]:
    yield (1,), game.one
    yield (5,), game.five
    for face in range(1, 7):
        for count in range(3, game.count + 1):
            yield (face,) * count, of_a_kind(game, face, count)
    yield (1, 2, 3, 4, 5, 6), game.straight
    yield (1, 2, 3, 4, 5), game.short_straights[0]
    yield (2, 3, 4, 5, 6), game.short_straights[1]
    for pairs in combinations(range(1, 7), 3):
        yield tuple(sorted(pairs * 2)), game.three_pairs
    for face, other in permutations(range(1, 7), 2):
        if game.four_and_pair:
            yield tuple(sorted((face,) * 4 + (other,) * 2)), game.three_pairs
        if game.full_house:
            yield tuple(sorted((face,) * 3 + (other,) * 2)), of_a_kind(game, face, 3) + game.full_house
        yield tuple(sorted((face, other) * 3)), game.two_triplets


def of_a_kind(game: Farkle, face: int, count: int) -> int:
    """Return the points of three or more of a kind as one combination; 0 where the rules have none.

    >>> [of_a_kind(Farkle(more_of_a_kind="doubling"), 2, count) for count in (3, 4, 5, 6)]
    [200, 400, 800, 1600]
    """
    triple = game.three_ones if face == 1 else game.three * face
    extra = count - 3
    if extra == 0:
        return triple
    if game.more_of_a_kind == "flat":
        return game.flat[extra - 1] if extra <= len(game.flat) else 0
    times = {"doubling": 1 << extra, "linear": extra + 1, "none": 0}
    return triple * times[game.more_of_a_kind]


def _loaded(weights: Any, dice: int | Dice) -> int | Dice:
    """Return dice loaded by six numbers for all of them, or six for each."""
    count = dice if isinstance(dice, int) else 0
    given = list(weights) if isinstance(weights, tuple | list) else []
    alike = len(given) == 6 and all(isinstance(weight, int) for weight in given)
    kinds = [tuple(die) if isinstance(die, tuple | list) else () for die in ([given] * count if alike else given)]
    if len(kinds) != count or not all(len(die) == 6 and all(map(is_whole, die)) and any(die) for die in kinds):
        raise RulesError(
            f"weights are six whole numbers from 0, not all 0, for faces 1 to 6, or such six for each of the {count} "
            f"dice (and dice is their number), got weights={weights!r}"
        )
    return checked_dice(Dice(tuple(kinds)), "Farkle")


_POINTS = tuple(f.name for f in fields(Farkle) if f.type is int)
