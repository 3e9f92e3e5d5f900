"""How likely a roll of Can't Stop misses a set of columns: with all markers placed in them, that is a bust."""

from fractions import Fraction
from itertools import combinations

from jeopardice.games.cant_stop import CantStop


def bust_chances(game: CantStop, size: int | None = None) -> dict[tuple[int, ...], Fraction]:
    """Return the bust chance of every set of `size` columns (as many as there are markers), safest first.

    >>> chances = bust_chances(CantStop())
    >>> len(chances), next(iter(chances.items()))
    (165, ((6, 7, 8), Fraction(13, 162)))
    """
    count = min(game.markers if size is None else size, len(game.columns))
    total = game.sides**game.dice
    found = {
        columns: 1 - Fraction(game.success_weight(frozenset(columns)), total)
        for columns in combinations(game.columns, count)
    }
    return dict(sorted(found.items(), key=lambda entry: entry[1]))
