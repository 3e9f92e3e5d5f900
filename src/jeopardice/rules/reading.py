"""Plain data checked as it is read: whole numbers, lists of a length, parts by name. Each check is one clear line.

Whatever somebody typed, posted or wrote into a file comes as numbers, texts, lists and mappings of any kind. These few
functions say what was needed and what came; readers ask them and look at no types themselves.
"""

from collections.abc import Iterable, Mapping

from jeopardice.errors import PositionError
from jeopardice.rules.game import as_whole
from jeopardice.types import Given, Json, Keywords


def parts_among(position: Json, known: Iterable[str]) -> Keywords:
    """Return a position as parts by name, all of them known.

    >>> parts_among({"sea": 1}, ["seat", "turn"])
    Traceback (most recent call last):
    jeopardice.errors.PositionError: a position has the parts seat, turn; got 'sea'
    """
    names = sorted(known)
    if not isinstance(position, Mapping):
        raise PositionError(f"a position has the parts {', '.join(names)}; got {position!r}")
    for part in sorted(set(position) - set(names)):
        raise PositionError(f"a position has the parts {', '.join(names)}; got {part!r}")
    return position


def count_from(name: str, number: Json, least: int = 0, most: int = 10**9) -> int:
    """Return a whole number within limits.

    >>> count_from("turn", -1)
    Traceback (most recent call last):
    jeopardice.errors.PositionError: turn is a whole number from 0 to 1000000000, got -1
    """
    whole = as_whole(number)
    if whole is None or not least <= whole <= most:
        raise PositionError(f"{name} is a whole number from {least} to {most}, got {number!r}")
    return whole


def entries_of(given: Given, length: int | None = None) -> tuple[Given, ...] | None:
    """Return the entries of a list or tuple, of a length if one is named; None for anything else.

    >>> entries_of([1, 5]), entries_of([1, 5], 3), entries_of("15")
    ((1, 5), None, None)
    """
    if not isinstance(given, list | tuple) or length not in (None, len(given)):
        return None
    return tuple(given)
