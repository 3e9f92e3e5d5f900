"""Can't Stop: pair up four dice, climb the columns of the sums, and stop before a roll fits none of your markers.

There is a column for every sum of two dice; the outer ones are `shortest` spaces long and each is two longer than its
neighbour further out. A turn has three markers. A roll is divided into pairs, and the sums of the pairs are played one
after the other, each if it can be: the column is not completed, and a marker stands in it or is left to be placed. That
one sentence holds all the cases: both sums where both can be played, one where only one can, the player's choice where
two new columns compete for the last marker, two spaces for a double and one if only one is left. A roll that moves
nothing is a bust. The player who completes `columns_to_win` columns first wins. With several players a completed column is
closed to everybody (unless `closed_to_both` is False), so it can happen that nobody can win any more: the game is drawn.

A standing is the tuple of spaces climbed, column by column from 2 up. The markers of a turn are the tuple of
(column, space) in order of the columns, spaces counted from the bottom of the column.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, permutations
from typing import ClassVar

from jeopardice.dice import Roll, roll_dice
from jeopardice.errors import PositionError, RulesError
from jeopardice.rules.game import as_whole

LIMITS = {"sides": (2, 20), "shortest": (1, 200), "columns_to_win": (1, 39), "markers": (1, 39), "dice": (2, 8)}
"""The rules that are accepted: far beyond the boards people play, and their tables of rolls still fit."""

Standing = tuple[int, ...]
Markers = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class CantStop:
    """The official board is `CantStop()`; (n, k) in the literature is `CantStop(sides=n, shortest=k)`.

    >>> game = CantStop()
    >>> game.lengths
    (3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3)
    >>> game.plays(game.opening, markers=(), roll=(1, 3, 3, 4))
    [((4, 1), (7, 1)), ((5, 1), (6, 1))]

    Players may share a space. A column that one player has completed is closed to the others as well, as in the official
    game, unless `closed_to_both` is False; alone it changes nothing.
    """

    shape: ClassVar[str] = "columns"

    sides: int = 6
    shortest: int = 3
    columns_to_win: int = 3
    markers: int = 3
    dice: int = 4
    closed_to_both: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.closed_to_both, bool):
            raise RulesError(f"closed_to_both is True or False, got closed_to_both={self.closed_to_both!r}")
        for name, (least, most) in LIMITS.items():
            number = as_whole(getattr(self, name))
            if number is None or not least <= number <= most:
                raise RulesError(f"{name} is a whole number from {least} to {most}, got {name}={getattr(self, name)!r}")
            object.__setattr__(self, name, number)
        if self.columns_to_win > len(self.columns):
            raise RulesError(
                f"there are only {len(self.columns)} columns with sides={self.sides}, got "
                f"columns_to_win={self.columns_to_win!r}; ask for fewer columns or take dice with more sides"
            )

    @property
    def name(self) -> str:
        """As it is sold."""
        return "Can't Stop"

    @property
    def columns(self) -> range:
        """The columns: every sum of two dice."""
        return range(2, 2 * self.sides + 1)

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """The spaces of each column, in order of the columns."""
        return tuple(self.length(column) for column in self.columns)

    def length(self, column: int) -> int:
        """How many spaces a column has: two more than its outer neighbour."""
        return self.shortest + 2 * min(column - 2, 2 * self.sides - column)

    @property
    def opening(self) -> Standing:
        """The standing before the first turn: nothing climbed."""
        return (0,) * len(self.columns)

    def standing(self, climbed: Mapping[int, int]) -> Standing:
        """Return the standing with these spaces climbed, {column: spaces}; columns left out are not begun.

        >>> CantStop(sides=2, shortest=1).standing({3: 2})
        (0, 2, 0)
        """
        spaces = self._spaces(climbed, least=0)
        return tuple(spaces.get(column, 0) for column in self.columns)

    def placed(self, standing: Standing, markers: Mapping[int, int]) -> Markers:
        """Return markers given as {column: space}, after checking that a turn from `standing` can have placed them."""
        spaces = self._spaces(markers, least=1)
        if len(spaces) > self.markers:
            raise PositionError(f"a turn has {self.markers} markers, got {len(spaces)}: {spaces!r}")
        for column, space in spaces.items():
            if space <= standing[column - 2]:
                raise PositionError(
                    f"a marker stands above what is climbed: column {column} is climbed to {standing[column - 2]}, got "
                    f"a marker on space {space!r}; count spaces from the bottom of the column"
                )
        return tuple(sorted(spaces.items()))

    def rolls(self) -> Mapping[Roll, int]:
        """Every roll of all dice, with its whole-number weight."""
        return roll_dice(self.dice, self.sides)

    def plays(
        self, standing: Standing, markers: Markers, roll: Roll, closed: frozenset[int] = frozenset()
    ) -> list[Markers]:
        """Return where the markers can stand after `roll`, in a fixed order; an empty list is a bust.

        `closed` names columns that other players have closed.
        """
        climbs = (after for sums in pairings(tuple(roll)) for after in self.climbs(standing, markers, sums, closed))
        return list(dict.fromkeys(climbs))

    def climbs(
        self, standing: Standing, markers: Markers, sums: tuple[int, ...], closed: frozenset[int] = frozenset()
    ) -> list[Markers]:
        """Return where the markers can stand after the sums of one pairing; in which order they are played may matter."""
        ends: dict[Markers, None] = {}
        for order in sorted(set(permutations(sums))):
            after = dict(markers)
            for column in order:
                self._climb(standing, after, column, closed)
            ends[tuple(sorted(after.items()))] = None
        ends.pop(markers, None)
        return list(ends)

    def _climb(self, standing: Standing, markers: dict[int, int], column: int, closed: frozenset[int]) -> None:
        space = markers.get(column, standing[column - 2])
        has_marker = column in markers or len(markers) < self.markers
        if has_marker and space < self.length(column) and column not in closed:
            markers[column] = space + 1

    def bank(self, standing: Standing, markers: Markers) -> Standing:
        """Return the standing that a stop makes of the markers.

        >>> CantStop(sides=2, shortest=1).bank((0, 1, 0), ((2, 1), (3, 2)))
        (1, 2, 0)
        """
        spaces = dict(zip(self.columns, standing, strict=True)) | dict(markers)
        return tuple(spaces.values())

    def completed(self, standing: Standing) -> frozenset[int]:
        """Return the columns that a standing has completed.

        >>> sorted(CantStop(sides=2, shortest=1).completed((1, 2, 1)))
        [2, 4]
        """
        return frozenset(c for c, space in zip(self.columns, standing, strict=True) if space == self.length(c))

    def is_won(self, standing: Standing, markers: Markers = ()) -> bool:
        """Are enough columns completed, the markers counted as banked?"""
        reached = self.bank(standing, markers)
        return sum(map(int.__eq__, reached, self.lengths)) >= self.columns_to_win

    def closed_to(self, seat: int, standings: Sequence[Standing]) -> frozenset[int]:
        """Return the columns that the other players have closed to the player in `seat`."""
        others = (*standings[:seat], *standings[seat + 1 :]) if self.closed_to_both else ()
        return frozenset[int]().union(*map(self.completed, others))

    def is_drawn(self, standings: Sequence[Standing]) -> bool:
        """Can nobody win any more, because too few columns are open to anybody?"""
        closed = min(len(self.closed_to(seat, standings)) for seat in range(len(standings)))
        return len(self.columns) - closed < self.columns_to_win

    def standings(self) -> Iterator[Standing]:
        """Every standing, won ones included, in order of the spaces climbed."""
        yield from _boxes(self.lengths)

    def success_weight(self, columns: frozenset[int]) -> int:
        """Return the weight of the rolls that have a pair with its sum among `columns`, out of sides**dice.

        >>> CantStop().success_weight(frozenset({6, 7, 8}))
        1192
        """
        return sum(weight for roll, weight in self.rolls().items() if _sums(roll) & columns)

    def _spaces(self, given: Mapping[int, int], *, least: int) -> dict[int, int]:
        """Return {column: space} in plain numbers, after checking that the board has them."""
        if not isinstance(given, Mapping):
            raise PositionError(f"a board is given as {{column: spaces}}, such as {{7: 3, 8: 2}}, got {given!r}")
        spaces = {}
        for column, space in given.items():
            if (at := as_whole(column)) is None or at not in self.columns:
                raise PositionError(f"columns are {self.columns[0]} to {self.columns[-1]}, got column {column!r}")
            if (climbed := as_whole(space)) is None or not least <= climbed <= self.length(at):
                raise PositionError(f"column {at} has spaces {least} to {self.length(at)}, got {space!r}")
            spaces[at] = climbed
        return spaces

    def roll(self, faces: Roll) -> Roll:
        """Return a roll in order, after checking that these dice can fall so.

        >>> CantStop().roll((3, 1, 6, 3))
        (1, 3, 3, 6)
        """
        whole = [as_whole(face) for face in faces] if isinstance(faces, Iterable) else []
        if len(whole) != self.dice or not all(face is not None and 1 <= face <= self.sides for face in whole):
            raise PositionError(f"a roll is {self.dice} dice with faces 1 to {self.sides}, got {faces!r}")
        return tuple(sorted(face for face in whole if face is not None))


@lru_cache(maxsize=4096)
def pairings(roll: Roll) -> tuple[tuple[int, ...], ...]:
    """Return the ways to divide a roll into pairs, each as the sorted sums; an odd die is left over.

    >>> pairings((1, 1, 2, 3))
    ((2, 5), (3, 4))
    """
    if len(roll) < 2:
        return ((),)
    found: set[tuple[int, ...]] = set()
    if len(roll) % 2:
        for left_out in range(len(roll)):
            found |= set(pairings(_without(roll, left_out)))
        return tuple(sorted(found))
    for other in range(1, len(roll)):
        rest = _without(roll[1:], other - 1)
        found |= {tuple(sorted((roll[0] + roll[other], *sums))) for sums in pairings(rest)}
    return tuple(sorted(found))


def _without(roll: Roll, place: int) -> Roll:
    return roll[:place] + roll[place + 1 :]


def _sums(roll: Roll) -> set[int]:
    return {first + second for first, second in combinations(roll, 2)}


def _boxes(lengths: tuple[int, ...]) -> Iterator[Standing]:
    if not lengths:
        yield ()
        return
    for space in range(lengths[0] + 1):
        for rest in _boxes(lengths[1:]):
            yield (space, *rest)
