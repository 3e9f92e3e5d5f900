"""What both referees of Can't Stop say of a board: its plays as choices, and columns, markers and rolls in words."""

from collections.abc import Iterable

from jeopardice.dice import Roll
from jeopardice.games.cant_stop import CantStop, Markers, Standing
from jeopardice.tutor.referee import Choice, dice_words


def board_choices(
    standing: Standing, before: Markers, worths: Iterable[tuple[Markers, float, float | None]], *, prefers_less: bool
) -> tuple[Choice, ...]:
    """Return every play, then stop or roll, each with its rank; ties go to a stop.

    `worths` are the markers after each play, what it is worth to stop with them, and to roll (None: the game is won).
    """
    found = []
    for markers, stop, roll in worths:
        moved = " ".join(map(str, columns_moved(standing, before, markers)))
        spaces = spaces_at_risk(standing, markers)
        found.append((f"move {moved} and stop", stop, True, spaces, markers))
        if roll is not None:
            found.append((f"move {moved}, roll", roll, False, spaces, markers))
    sign = 1 if prefers_less else -1
    order = sorted(found, key=lambda one: (sign * one[1], not one[2]))
    return tuple(
        Choice(play, value, order.index((play, value, stops, spaces, markers)), stops, spaces, markers)
        for play, value, stops, spaces, markers in found
    )


def board_words(game: CantStop, standing: Standing, markers: Markers, roll: Roll | None) -> str:
    """Return the columns that are begun, the markers, and the roll to be played.

    >>> board_words(CantStop(sides=2, shortest=1), (0, 1, 0), ((2, 1),), (1, 1, 1, 2))
    '3:1 2^1 (1112)'
    """
    climbed = [f"{column}:{spaces}" for column, spaces in zip(game.columns, standing, strict=True) if spaces]
    begun = " ".join([*climbed, *(f"{column}^{space}" for column, space in markers)]) or "empty board"
    return begun if roll is None else f"{begun} ({dice_words(roll, '' if game.sides < 10 else '-')})"


def roll_words(roll: Roll | None, markers: Markers) -> str:
    """Say what was rolled and where the markers stand; nothing without a roll.

    >>> roll_words((1, 1, 2, 2), ((2, 1),))
    'rolled 1 1 2 2; markers: column 2 on 1'
    """
    placed = ", ".join(f"column {column} on {space}" for column, space in markers)
    return "" if roll is None else f"rolled {dice_words(roll)}{f'; markers: {placed}' if placed else ''}"


def columns_done(game: CantStop, standing: Standing) -> int:
    """Return how many columns are completed."""
    return sum(map(int.__eq__, standing, game.lengths))


def spaces_at_risk(standing: Standing, markers: Markers) -> int:
    """Return how many spaces a bust would lose."""
    return sum(space - standing[column - 2] for column, space in markers)


def columns_moved(standing: Standing, before: Markers, after: Markers) -> list[int]:
    """Return the columns of a play, a column that climbs two spaces twice.

    >>> columns_moved((0, 0, 0), ((3, 1),), ((2, 1), (3, 2)))
    [2, 3]
    """
    stood = dict(before)
    return [column for column, space in after for _ in range(space - stood.get(column, standing[column - 2]))]
