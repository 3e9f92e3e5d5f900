"""How dice fall: rolls with whole-number weights.

Dice that fall together are not told apart, so a roll is the sorted tuple of their faces and its weight counts the ways
it can fall; the chance of a roll is its weight over the sum of all weights. Weights stay whole numbers from here to the
kernels, which is what makes exact answers possible.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import factorial, prod

Roll = tuple[int, ...]
Rolls = Mapping[Roll, int]


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
