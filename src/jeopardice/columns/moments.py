"""How many moments Can't Stop has: counted from the rules, without writing them out.

The paper bounds them by boards times placements of markers (`moment_bound`). What a turn can really come to is less, and
is counted here column set by column set. Say a turn has taken s spaces in the marked columns M. Whether it can do so
depends on which columns were completed before (Z) and on the room r in those of M that it has completed itself (T); the
other columns of M only need more room than s, the columns outside M any room at all. So

    moments = sum over Z, M, T and the room in T of
              (product of all lengths outside Z and M) * sum over reachable s of the product of (length - s) in M \\ T,

and reachable s are found by one walk through a box. Cost: sets of columns times the product of three lengths, ten seconds
for the 724 million moments of (5,1).
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from itertools import combinations, product
from math import prod

from jeopardice.games.cant_stop import CantStop

Columns = tuple[int, ...]
Steps = tuple[int, ...]
"""Spaces taken in some columns, in their order."""
UNMARKED, MARKED, COMPLETED = range(3)
Marks = tuple[int, ...]
"""How a turn has left some columns, in their order."""


def moment_count(game: CantStop) -> int:
    """Return how many moments can occur: from every standing not yet won, the beginning of the turn counted, won ones not.

    >>> moment_count(CantStop(sides=2, shortest=1))
    72
    """
    moments = 0
    walked = cache(_walked)
    for closed in _subsets(tuple(game.columns), game.columns_to_win - 1):
        open_columns = tuple(column for column in game.columns if column not in closed)
        for marked in _subsets(open_columns, game.markers):
            lengths = tuple(map(game.length, marked))
            left = game.columns_to_win - 1 - len(closed)
            steps = tuple(_steps(game, closed, marked, marks) for marks in _all_marks(len(marked), left))
            outside = prod(game.length(column) for column in open_columns if column not in marked)
            moments += outside * sum(
                walked(lengths, room, steps, left)
                for room in product(*(range(length + 1) for length in lengths))
                if sum(map(bool, room)) <= left
            )
    return moments


def _walked(lengths: Steps, room: Steps, steps: tuple[frozenset[Steps], ...], most_completed: int) -> int:
    """Count rooms and spaces taken of turns that mark all these columns and complete just those with a `room` above 0."""
    steps_of = dict(zip(_all_marks(len(lengths), most_completed), steps, strict=True))
    ends = tuple(r or length - 1 for r, length in zip(room, lengths, strict=True))
    reached = {(0,) * len(lengths)}
    count = 0
    for taken in product(*(range(end + 1) for end in ends)):  # every step leads further on in this order
        if taken not in reached:
            continue
        marks = tuple((COMPLETED if s == r else MARKED) if s else UNMARKED for s, r in zip(taken, room, strict=True))
        for step in steps_of[marks]:
            after = tuple(min(s + d, r) if r else s + d for s, d, r in zip(taken, step, room, strict=True))
            reached.add(after)
        if all(mark == (COMPLETED if r else MARKED) for mark, r in zip(marks, room, strict=True)):
            count += prod(1 if r else length - s for s, r, length in zip(taken, room, lengths, strict=True))
    return count


@cache
def _all_marks(columns: int, most_completed: int) -> tuple[Marks, ...]:
    marks = product((UNMARKED, MARKED, COMPLETED), repeat=columns)
    return tuple(each for each in marks if each.count(COMPLETED) <= most_completed)


def _steps(game: CantStop, closed: Columns, columns: Columns, marks: Marks) -> frozenset[Steps]:
    """Return the steps in `columns`, and in no others, that some roll allows once they are so marked."""
    places = [column - 2 for column in columns]
    marked = tuple((column, mark) for column, mark in zip(columns, marks, strict=True) if mark)
    return frozenset(
        tuple(step[place] for place in places)
        for step in _every_step(replace(game, shortest=game.dice + 2), closed, marked)
        if sum(step) == sum(step[place] for place in places)
    )


@lru_cache(maxsize=20_000)
def _every_step(roomy: CantStop, closed: Columns, marked: tuple[tuple[int, int], ...]) -> frozenset[Steps]:
    """Return all steps that some roll allows, column by column; on a roomy board no column runs out of spaces unasked."""
    standing = roomy.standing({column: roomy.length(column) for column in closed})
    placed = tuple((column, roomy.length(column) if mark == COMPLETED else 1) for column, mark in marked)
    before = roomy.bank(standing, placed)
    plays = {play for roll in roomy.rolls() for play in roomy.plays(standing, placed, roll)}
    return frozenset(
        tuple(after - now for after, now in zip(roomy.bank(standing, play), before, strict=True)) for play in plays
    )


def _subsets(columns: Columns, most: int) -> Iterator[Columns]:
    sizes = range(min(most, len(columns)) + 1)
    return (chosen for size in sizes for chosen in combinations(columns, size))
