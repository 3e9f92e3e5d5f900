"""How dice fall: rolls with whole-number weights; loaded dice, and which of them are left.

Dice that fall together are not told apart, so a roll is the sorted tuple of their faces and its weight counts the ways
it can fall; the chance of a roll is its weight over the sum of all weights. Weights stay whole numbers from here to the
kernels, which is what makes exact answers possible.

`Dice` are dice that may differ. Equal ones are one **kind**. What is left of them is their number if they are all alike,
and otherwise the kind of each, in order: (0, 0, 1) are two dice of the first kind and one of the second. A roll of dice
that differ names each die as (kind, face), because equal faces on different dice leave different dice.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import combinations, combinations_with_replacement, product
from math import factorial, gcd, prod
from operator import index
from typing import Any

import numpy as np

from jeopardice.errors import RulesError

Roll = tuple[int, ...]
Rolls = Mapping[Roll, int]
Die = tuple[int, ...]
"""The weights of a die's faces 1, 2, 3, ..."""

FAIR = "fair"
MOST_DICE = 1000
NOTATION = "3x fair, 2x lucky, odd=1,2,1,2,1,2"


def roll_dice(count: int, sides: int = 6) -> dict[Roll, int]:
    """Return every roll of `count` fair dice with faces 1 to `sides`, each with its weight.

    >>> roll_dice(2, sides=2)
    {(1, 1): 1, (1, 2): 2, (2, 2): 1}
    """
    if sides < 1:
        raise ValueError(f"a die needs at least one side, got sides={sides!r}")
    return roll_loaded([dict.fromkeys(range(1, sides + 1), 1)] * _checked(count))


def roll_loaded(dice: Sequence[Mapping[int, int]]) -> dict[Roll, int]:
    """Return every roll of dice that may differ; a die maps each face to its whole-number weight.

    >>> roll_loaded([{1: 1, 6: 5}])
    {(1,): 1, (6,): 5}
    """
    _checked(len(dice))
    if all(die == dice[0] for die in dice):
        return dict(_rolls_of_like_dice(len(dice), tuple(sorted(dice[0].items()))))
    weights: Counter[Roll] = Counter()
    for faces in product(*(sorted(die) for die in dice)):
        weights[tuple(sorted(faces))] += prod(die[face] for die, face in zip(dice, faces, strict=True))
    return {roll: weight for roll, weight in sorted(weights.items()) if weight}


@lru_cache(maxsize=256)
def _rolls_of_like_dice(count: int, die: tuple[tuple[int, int], ...]) -> dict[Roll, int]:
    weight_of = {face: weight for face, weight in die if weight}
    return {
        roll: ways_to_fall(roll) * prod(weight_of[face] for face in roll)
        for roll in combinations_with_replacement(sorted(weight_of), count)
    }


def ways_to_fall(roll: Iterable[int]) -> int:
    """Return in how many orders distinguishable dice show these faces.

    >>> ways_to_fall((5, 5, 1))
    3
    """
    counts = Counter(roll)
    return factorial(counts.total()) // prod(factorial(times) for times in counts.values())


def _checked(count: int) -> int:
    if count < 1:
        raise ValueError(f"a roll needs at least one die, got count={count!r}")
    return count


@dataclass(frozen=True)
class Dice:
    """Some dice, each as the weights of its faces 1, 2, 3, ...; their order and a common factor do not matter.

    `names` are what people call them, one per die.

    >>> mine = Dice.read("2x fair, lucky")
    >>> mine.opening, mine.kinds
    ((0, 0, 1), ((1, 1, 1, 1, 1, 1), (6, 1, 2, 3, 4, 6)))
    >>> str(mine)
    '2x fair, lucky'
    >>> mine == Dice(((6, 1, 2, 3, 4, 6), (1,) * 6, (2,) * 6))
    True
    """

    weights: tuple[Die, ...]
    names: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        dice = list(self.weights) if isinstance(self.weights, tuple | list) else []
        if not 1 <= len(dice) <= MOST_DICE or not all(map(_is_die, dice)):
            raise RulesError(
                "each die is the weights of its faces, at least two whole numbers from 0 and not all 0, "
                f"got weights={self.weights!r}"
            )
        names = list(self.names) or [""] * len(dice)
        if len(names) != len(dice) or not all(isinstance(name, str) for name in names):
            raise RulesError(f"names has a word for each of the {len(dice)} dice, got names={self.names!r}")
        in_order = sorted(zip(map(_reduced, dice), names, strict=True))
        object.__setattr__(self, "weights", tuple(die for die, _ in in_order))
        object.__setattr__(self, "names", tuple(name or name_of(die) for die, name in in_order))

    @classmethod
    def read(cls, text: str) -> "Dice":
        """Return the dice that a text names: how many of each, by name or by the weights of their faces.

        >>> Dice.read("2x=1,1,1,1,1,5, coin=1,1").weights
        ((1, 1), (1, 1, 1, 1, 1, 5), (1, 1, 1, 1, 1, 5))
        """
        known = {FAIR: (1,) * 6, **known_dice()}
        dice: list[tuple[Die, str]] = []
        for count, name, written in _entries(text):
            key = re.sub("[ _]+", "-", name.lower().removesuffix(" die"))
            if not written and key not in known:
                listed = ", ".join(known)
                raise RulesError(f"no die is called {name!r}; name one of {listed}, or give weights as in '{NOTATION}'")
            dice += [(tuple(map(int, written)) if written else known[key], key if not written else name)] * count
        return cls(tuple(die for die, _ in dice), tuple(name for _, name in dice))

    @classmethod
    def fair(cls, count: int, sides: int = 6) -> "Dice":
        """Return fair dice.

        >>> Dice.fair(5).is_fair
        True
        """
        return cls(((1,) * sides,) * count)

    def __str__(self) -> str:
        """The dice as one types them."""
        return self.words(self.opening)

    def words(self, left: Any) -> str:
        """Return what is left of the dice as one types it.

        >>> Dice.read("2x fair, lucky").words((0, 1))
        'fair, lucky'
        """
        counts = {0: left} if isinstance(left, int) else Counter(left)
        return ", ".join(
            f"{f'{count}x ' if count > 1 else ''}{_kind_words(self.kinds[kind], self.kind_names[kind])}"
            for kind, count in sorted(counts.items())
        )

    @property
    def count(self) -> int:
        """How many dice there are."""
        return len(self.weights)

    @cached_property
    def kinds(self) -> tuple[Die, ...]:
        """The different dice."""
        return tuple(dict.fromkeys(self.weights))

    @cached_property
    def kind_names(self) -> tuple[str, ...]:
        """What the kinds are called."""
        return tuple(dict(zip(self.weights, self.names, strict=True)).values())

    @property
    def is_fair(self) -> bool:
        """Whether all faces of every die fall equally often."""
        return all(len(set(die)) == 1 for die in self.kinds)

    @cached_property
    def opening(self) -> Any:
        """All the dice: their number, or where they differ the kind of each."""
        return self.count if len(self.kinds) == 1 else tuple(self.kinds.index(die) for die in self.weights)

    def rolls(self, left: Any) -> Mapping[Any, int]:
        """Return every roll of the dice left, with its weight."""
        kinds = [dict(enumerate(die, start=1)) for die in self.kinds]
        if len(kinds) == 1:
            return roll_loaded(kinds * left)
        by_kind = [
            [
                (tuple((kind, face) for face in roll), weight)
                for roll, weight in roll_loaded([kinds[kind]] * count).items()
            ]
            for kind, count in sorted(Counter(left).items())
        ]
        return {sum((dice for dice, _ in r), ()): prod(weight for _, weight in r) for r in product(*by_kind)}

    def alike(self, left: Any, useful: Callable[[Roll], Iterable[int]]) -> Mapping[Any, int]:
        """Return the rolls of the dice left, of which one stands for all that differ only in faces of no use.

        `useful` gives the faces of a roll that may be set aside. Six different dice fall in 46,656 ways; where three of a
        kind, 1s, and 5s are of use, 4,119 of them stand for all.

        >>> Dice(((1, 1, 1), (1, 1, 2))).alike((0, 1), lambda faces: {1})
        {((0, 1), (1, 1)): 1, ((0, 1), (1, 2)): 3, ((0, 2), (1, 1)): 2, ((0, 2), (1, 2)): 6}
        """
        if isinstance(left, int):
            return self.rolls(left)
        count, kinds = len(left), [self.kinds[kind] for kind in left]
        blocks = [slice(left.index(kind), left.index(kind) + left.count(kind)) for kind in sorted(set(left))]
        grid = np.indices([len(die) for die in kinds]).reshape(count, -1).T
        whole = np.int64 if prod(map(sum, kinds)) < 1 << 62 else object
        weights = np.ones(len(grid), whole)
        for place, die in enumerate(kinds):
            weights *= np.array(die, whole)[grid[:, place]]
        faces, weights = 1 + grid[weights != 0], weights[weights != 0]
        fallen = np.sort(faces, axis=1)
        sets, of_set = np.unique(fallen, axis=0, return_inverse=True)
        sides = max(map(len, kinds))
        used = np.zeros((len(sets), sides + 1), bool)
        for number, roll in enumerate(sets.tolist()):
            used[number, list(useful(tuple(roll)))] = True
        pattern = np.where(used[of_set.reshape(-1, 1), faces], faces, 0)
        for block in blocks:
            faces[:, block].sort(axis=1)
            pattern[:, block].sort(axis=1)
        keys = pattern @ ((sides + 1) ** np.arange(count))
        _, first, of_key = np.unique(keys, return_index=True, return_inverse=True)
        sums = np.zeros(len(first), whole)
        np.add.at(sums, of_key.reshape(-1), weights)
        order = np.argsort(first)
        return {
            tuple(zip(left, roll, strict=True)): int(weight)
            for roll, weight in zip(faces[first[order]].tolist(), sums[order].tolist(), strict=True)
        }

    def after(self, left: Any, roll: Any, faces: Roll) -> Iterator[Any]:
        """Yield what may be left after dice that show these faces are set aside; once all are used, all the dice.

        >>> sorted(Dice.read("fair, lucky").after((0, 1), ((0, 5), (1, 5)), (5,)))
        [(0,), (1,)]
        """
        if isinstance(left, int):
            yield left - len(faces) or self.opening
            return
        showing = [
            set(combinations([kind for kind, shown in roll if shown == face], faces.count(face)))
            for face in sorted(set(faces))
        ]
        for kinds in product(*showing):
            yield _left(left, tuple(sorted(sum(kinds, ())))) or self.opening


def faces_of(roll: Any) -> Roll:
    """Return the faces of a roll, least first, whatever dice show them.

    >>> faces_of(((0, 5), (1, 2))), faces_of((2, 5))
    ((2, 5), (2, 5))
    """
    return tuple(sorted(die[1] if isinstance(die, tuple) else die for die in roll))


def checked_dice(given: Any, what: str, most: int | None = None) -> "int | Dice":
    """Return dice as a game keeps them: a number if they are fair six-sided dice, else `Dice` with six sides each."""
    if isinstance(given, Dice):
        if any(len(die) != 6 for die in given.kinds):
            raise RulesError(f"{what} is played with six-sided dice; weights list six numbers, got dice={given!r}")
        return _counted(given.count, given, what, most) if given.is_fair else _within(given, what, most)
    return _counted(given, given, what, most)


def _within(dice: "Dice", what: str, most: int | None) -> "Dice":
    _counted(dice.count, dice, what, most)
    return dice


def _counted(number: Any, given: Any, what: str, most: int | None) -> int:
    try:
        whole = 0 if isinstance(number, bool) else index(number)
    except TypeError:
        whole = 0
    if whole < 1 or (most is not None and whole > most):
        wanted = f"is played with 1 to {most} dice" if most is not None else "needs at least one die"
        raise RulesError(f"{what} {wanted}, got dice={given!r}")
    return whole


@lru_cache(maxsize=64)
def pool(dice: "int | Dice") -> "Dice":
    """Return a number of dice as `Dice`."""
    return dice if isinstance(dice, Dice) else Dice.fair(dice)


@lru_cache(maxsize=1)
def known_dice() -> dict[str, Die]:
    """Return the loaded dice that go by a name.

    >>> known_dice()["lucky"]
    (6, 1, 2, 3, 4, 6)
    """
    stored = tomllib.loads((files("jeopardice") / "dice.toml").read_text("utf-8"))
    return {name: tuple(weights) for name, weights in stored.items()}


def name_of(die: Die) -> str:
    """Return the name of a die, nothing if it has none."""
    return (
        FAIR if die == (1,) * 6 else next((name for name, known in known_dice().items() if _reduced(known) == die), "")
    )


def _kind_words(die: Die, name: str) -> str:
    known = {FAIR: (1,) * 6, **known_dice()}.get(name)
    return name if known is not None and _reduced(known) == die else f"{name}={','.join(map(str, die))}"


def _entries(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """Yield how many, the name, and the weights that are given, of every entry; weights follow an equals sign."""
    entries: list[tuple[int, str, list[str]]] = []
    for part in (part.strip() for part in text.split(",")):
        if entries and entries[-1][2] and re.fullmatch(r"\d{1,9}", part, re.ASCII):
            entries[-1][2].append(part)
            continue
        found = re.fullmatch(r"(?:(\d{1,4}) *[x×*] *)?([^\W\d][^=,;]*?)? *(?:= *(\d{1,9}))?", part, re.ASCII)
        if found is None or not (found[2] or found[3]) or found[1] == "0":
            raise RulesError(f"dice are written as in '{NOTATION}', got {part!r} in {text!r}")
        entries.append((int(found[1] or 1), found[2] or "", [found[3]] if found[3] else []))
    if sum(count for count, _, _ in entries) > MOST_DICE:
        raise RulesError(f"at most {MOST_DICE} dice are rolled together, got {text!r}")
    yield from entries


@lru_cache(maxsize=100_000)
def _left(mode: tuple[int, ...], kept: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted((Counter(mode) - Counter(kept)).elements()))


def _is_die(die: Any) -> bool:
    whole = isinstance(die, tuple | list) and all(isinstance(w, int) and not isinstance(w, bool) for w in die)
    return whole and len(die) >= 2 and min(die) >= 0 and max(die) > 0


def _reduced(die: Sequence[int]) -> Die:
    common = gcd(*die)
    return tuple(weight // common for weight in die)
