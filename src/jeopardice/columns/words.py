"""The words of Can't Stop: plays, rolls, moments and boards, worded once for advice, tutor, terminal and web.

A board is drawn as lines of text, a row for each column, the players side by side: `#` is a space climbed, `+` one that the
markers of the turn have climbed and a bust would lose, `.` one still to climb. A column that another player has closed
shows `-` instead. Boards too long to be drawn are written in numbers.
"""

from collections.abc import Mapping, Sequence

from jeopardice.columns.match import CantStopMatch, ColumnsPlay, ColumnsSpot
from jeopardice.dice import Roll
from jeopardice.errors import PositionError
from jeopardice.games.cant_stop import CantStop, Markers, Standing
from jeopardice.rules.game import game_name
from jeopardice.rules.goal import Goal
from jeopardice.rules.text import counted, dice_words, kind_of, refuse_foreign
from jeopardice.types import JsonObject

WIDTH = 78
LEGEND = "The board: # climbed, + this turn, lost by a bust, . still to climb."
KEYS = f"""\
  1 2  the play of that number   h  hint: every play, best first
  r s  roll or stop, where only  u  undo your last choice (same dice again)
       one play does that        q  quit, with the report so far
  {LEGEND}"""


class ColumnsWords:
    """How Can't Stop is worded."""

    notation = "7:4 is column 7 climbed to space 4; 7^5 a marker of the turn; (1135) the roll."
    legend = LEGEND
    keys = KEYS

    def plays(self, game: CantStop, plays: Sequence[ColumnsPlay]) -> list[str]:
        """Return the plays of one spot in words.

        >>> ColumnsWords().plays(CantStop(), [ColumnsPlay(True, ((6, 2),), (6, 6), 2), ColumnsPlay(False)])
        ['move 6 6 and stop', 'roll']
        """
        return [self._play(play) for play in plays]

    def short_play(self, game: CantStop, play: ColumnsPlay) -> str:
        """Return a play in some ten characters: 6 8 stop."""
        return f"{dice_words(play.moved)} {'stop' if play.stops else 'roll'}".strip()

    def deeds(self, game: CantStop, play: ColumnsPlay) -> list[str]:
        """Return what a story tells of a play: move 6 8, stop with 5 spaces: column 6 on 2 of 11, 8 on 3 of 11."""
        moved = [f"move {dice_words(play.moved)}"] if play.moved else []
        if not play.stops:
            return moved
        return [*moved, f"stop with {counted(play.spaces, 'space')}: {reached_words(game, play.markers)}"]

    def stake(self, game: CantStop, play: ColumnsPlay) -> str:
        """Return what a play banks or leaves at risk."""
        return f"{'banks' if play.stops else 'risks'} {counted(play.spaces, 'space')}" if play.spaces else ""

    def typed(self, game: CantStop, plays: Sequence[ColumnsPlay], key: str) -> list[ColumnsPlay]:
        """Return the plays that stop, or roll."""
        return [play for play in plays if play.stops == (key == "s")]

    def roll(self, game: CantStop, roll: Roll) -> str:
        """Return a roll as one reads it."""
        return dice_words(roll)

    def short_spot(self, match: CantStopMatch, spot: ColumnsSpot) -> str:
        """Return the columns begun by the player who has the dice, the markers, and the roll to be played.

        >>> match = CantStopMatch(CantStop(sides=2, shortest=1))
        >>> ColumnsWords().short_spot(match, ColumnsSpot(((0, 1, 0),), markers=((2, 1),), roll=(1, 1, 1, 2)))
        '3:1 2^1 (1112)'
        """
        climbed = [f"{c}:{spaces}" for c, spaces in zip(match.rules.columns, spot.standing, strict=True) if spaces]
        begun = " ".join([*climbed, *(f"{column}^{space}" for column, space in spot.markers)]) or "empty board"
        between = "" if match.rules.sides < 10 else "-"
        return begun if spot.roll is None else f"{begun} ({dice_words(spot.roll, between)})"

    def moment(self, match: CantStopMatch, spot: ColumnsSpot) -> str:
        """Return what was rolled and where the markers stand; nothing as a turn begins."""
        placed = ", ".join(f"column {column} on {space}" for column, space in spot.markers)
        return "" if spot.roll is None else f"rolled {dice_words(spot.roll)}{f'; markers: {placed}' if placed else ''}"

    def scores(self, match: CantStopMatch, spot: ColumnsSpot, names: Sequence[str]) -> str:
        """Return how many columns everybody has completed: you: 1 of 3 columns, optimal: 2 of 3 columns."""
        needed = counted(match.rules.columns_to_win, "column")
        done = [f"{len(match.rules.completed(standing))} of {needed}" for standing in spot.standings]
        return done[0] if len(done) == 1 else ", ".join(map("{}: {}".format, names, done))

    def picture(self, match: CantStopMatch, spot: ColumnsSpot, names: Sequence[str]) -> list[str]:
        """Return the board with what everybody has climbed."""
        return board_lines(match.rules, names, spot.standings, spot.markers, spot.seat)

    def table(self, match: CantStopMatch, spot: ColumnsSpot) -> JsonObject:
        """Return the board: the columns with their lengths, and what everybody has climbed."""
        rules = match.rules
        return {
            "kind": "board",
            "target": rules.columns_to_win,
            "dice": rules.dice,
            "columns": [{"column": c, "length": n} for c, n in zip(rules.columns, rules.lengths, strict=True)],
            "climbed": [list(standing) for standing in spot.standings],
            "markers": [list(marker) for marker in spot.markers],
        }

    def buttons(self, match: CantStopMatch, spot: ColumnsSpot, plays: Sequence[ColumnsPlay]) -> list[JsonObject]:
        """Return the columns that a play climbs, with where its markers stand then."""
        return [self._button(play) for play in plays]

    def _button(self, play: ColumnsPlay) -> JsonObject:
        label = f"Stop and bank {counted(play.spaces, 'space')}" if play.stops else "Roll again"
        if not play.moved:
            return {"label": label if play.stops or play.markers else "Roll", "pick": {}}
        return {"label": label, "pick": {"columns": list(play.moved), "markers": [list(m) for m in play.markers]}}

    def parse_roll(self, game: CantStop, text: str) -> Roll:
        """Return a roll such as 1,3,3,4, 1 3 3 4 or 1334."""
        parts = text.replace(",", " ").split()
        faces = list(parts[0]) if len(parts) == 1 and game.sides < 10 else parts
        if not all(face.isascii() and face.isdigit() for face in faces):
            raise PositionError(f"a roll is {game.dice} faces such as 1,3,3,4, got {text!r}")
        return game.roll(tuple(map(int, faces)))

    def parse_position(self, goal: Goal, texts: Mapping[str, str]) -> JsonObject:
        """Return the keywords of `advise`: boards and markers are written 2:1,7:4, the roll 1,3,3,4.

        A position that the board does not have is refused here, before anything is solved.
        """
        others = ("theirs",) if goal.players > 1 else ()
        refuse_foreign(texts, ("mine", "markers", "roll", *others), f"{game_name(goal.game)}, {kind_of(goal)}")
        position: JsonObject = {
            name: parse_columns(text, name) for name, text in texts.items() if name != "roll" and text
        }
        if texts.get("roll"):
            position["roll"] = self.parse_roll(goal.game, texts["roll"])
        for name in ("mine", "theirs"):
            goal.game.standing(position.get(name, {}))
        goal.game.placed(goal.game.standing(position.get("mine", {})), position.get("markers", {}))
        return position

    def _play(self, play: ColumnsPlay) -> str:
        if not play.moved:
            return "stop" if play.stops else "roll"
        return f"move {dice_words(play.moved)}{' and stop' if play.stops else ', roll'}"


def parse_columns(text: str, name: str) -> dict[int, int]:
    """Return spaces by column.

    >>> parse_columns("2:1,7:4", "mine")
    {2: 1, 7: 4}
    """
    spaces: dict[int, int] = {}
    for part in filter(None, text.replace(" ", ",").split(",")):
        column, colon, space = part.partition(":")
        if not colon or not (column + space).isascii() or not column.isdigit() or not space.isdigit() or len(part) > 8:
            raise PositionError(f"{name} is written column:spaces,column:spaces like 2:1,7:4, got {text!r}")
        if int(column) in spaces:
            raise PositionError(f"{name} names column {column} twice, got {text!r}")
        spaces[int(column)] = int(space)
    return spaces


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


def board_lines(
    game: CantStop, names: Sequence[str], standings: Sequence[Standing], markers: Markers = (), seat: int = 0
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
    cells = [_column_cells(game, standings, markers, seat, column, drawn=True) for column in game.columns]
    if 6 + sum(max(map(len, one)) + 2 for one in zip(*cells, strict=True)) > WIDTH:
        cells = [_column_cells(game, standings, markers, seat, column, drawn=False) for column in game.columns]
    rows = [("col", *names), *((str(c), *row) for c, row in zip(game.columns, cells, strict=True))]
    widths = [max(map(len, one)) for one in zip(*rows, strict=True)]
    return [f" {label:>{widths[0]}}  {'  '.join(map(str.ljust, row, widths[1:]))}".rstrip() for label, *row in rows]


def _column_cells(
    game: CantStop, standings: Sequence[Standing], markers: Markers, seat: int, column: int, *, drawn: bool
) -> tuple[str, ...]:
    length, reached = game.length(column), dict(markers).get(column)
    cells = []
    for who, standing in enumerate(standings):
        own = standing[column - 2]
        is_closed = column in game.closed_to(who, standings)
        gained = reached - own if who == seat and reached is not None else 0
        to_climb = length - own - gained
        end = " done" if own == length else " closed" if is_closed else " top" if not to_climb else ""
        if drawn:
            cells.append(f"{'#' * own}{'+' * gained}{('-' if is_closed else '.') * to_climb}{end}")
        else:
            cells.append(f"{own}{f'+{gained}' if gained else ''} of {length}{end}")
    return tuple(cells)


WORDS = ColumnsWords()
