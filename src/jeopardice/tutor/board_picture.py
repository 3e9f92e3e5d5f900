"""A board of Can't Stop as lines of text: a row for each column, the players side by side.

`#` is a space climbed, `+` one that the markers of the turn have climbed and a bust would lose, `.` one still to climb. A
column that the other player has closed shows `-` instead. Boards too long to be drawn are written in numbers.
"""

from collections.abc import Sequence

from jeopardice.games.cant_stop import CantStop, Markers, Standing
from jeopardice.tutor.board_moves import columns_done
from jeopardice.tutor.referee import counted

WIDTH = 78
PICTURE_WORDS = "The board: # climbed, + this turn, lost by a bust, . still to climb."
NOTATION = "7:4 is column 7 climbed to space 4; 7^5 a marker of the turn; (1135) the roll."


def board_lines(
    game: CantStop, names: Sequence[str], boards: Sequence[Standing], markers: Markers = (), seat: int = 0
) -> list[str]:
    """Return the board with what everybody has climbed; the markers are those of `seat`.

    >>> game = CantStop(sides=2, shortest=2)
    >>> for line in board_lines(game, ["you", "friend"], [(2, 1, 0), (0, 0, 1)], markers=((3, 3),)):
    ...     print(line)
     col  you      friend
       2  ## done  -- closed
       3  #++.     ....
       4  ..       #.
    """
    cells = [_column_cells(game, boards, markers, seat, column, drawn=True) for column in game.columns]
    if 6 + sum(max(map(len, one)) + 2 for one in zip(*cells, strict=True)) > WIDTH:
        cells = [_column_cells(game, boards, markers, seat, column, drawn=False) for column in game.columns]
    rows = [("col", *names), *((str(c), *row) for c, row in zip(game.columns, cells, strict=True))]
    widths = [max(map(len, one)) for one in zip(*rows, strict=True)]
    return [f" {label:>{widths[0]}}  {'  '.join(map(str.ljust, row, widths[1:]))}".rstrip() for label, *row in rows]


def columns_words(game: CantStop, standing: Standing) -> str:
    """Return how many columns are completed of those that win.

    >>> columns_words(CantStop(), (3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3))
    '2 of 3 columns'
    """
    return f"{columns_done(game, standing)} of {counted(game.columns_to_win, 'column')}"


def reached_words(game: CantStop, markers: Markers) -> str:
    """Return where markers stand in their columns.

    >>> reached_words(CantStop(), ((2, 3), (7, 5)))
    'column 2 done, 7 on 5 of 13'
    """
    reached = [
        f"{column} {'done' if space == game.length(column) else f'on {space} of {game.length(column)}'}"
        for column, space in markers
    ]
    return f"column {', '.join(reached)}"


def _column_cells(
    game: CantStop, boards: Sequence[Standing], markers: Markers, seat: int, column: int, *, drawn: bool
) -> tuple[str, ...]:
    length, climbed = game.length(column), [board[column - 2] for board in boards]
    closed = game.closed_to_both and length in climbed
    reached = dict(markers).get(column)
    cells = []
    for who, own in enumerate(climbed):
        gained = reached - own if who == seat and reached is not None else 0
        to_climb = length - own - gained
        end = " done" if own == length else " closed" if closed else " top" if not to_climb else ""
        if drawn:
            cells.append(f"{'#' * own}{'+' * gained}{('-' if closed else '.') * to_climb}{end}")
        else:
            cells.append(f"{own}{f'+{gained}' if gained else ''} of {length}{end}")
    return tuple(cells)
