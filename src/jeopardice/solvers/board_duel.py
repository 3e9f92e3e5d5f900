"""Can't Stop for two: the chance to win of whoever has the dice, from every pair of boards.

A position is (mine, theirs), and it and its mirror are one pair of anchors: a bust hands the dice over. Through the
opponent's reply the pair is one fixed point x = A(1 - B(1 - x)), whose slope is the product of both bust chances
(`board_duel.hpp`). Every stop climbs, so pairs are solved by what has been climbed, from the end of the game back.

Where a completed column is closed to both, what the other had climbed in it is worth nothing: such positions are written
with 0 there, and a column that somebody has completed counts as wholly climbed by both in the order of solving. Then it
can also happen that nobody can win any more. Such positions are found from the columns alone, never played: they are
drawn, and a draw is worth half a win.

**Certificate.** From the end back, each pair is checked once more with every later value moved to the worst end of its
bound: a guess x - e that the turn answers with no less is a lower bound, because the slope lies below 1; likewise above.
"""

from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.errors import RulesError, TooLargeError
from jeopardice.games.cant_stop import CantStop, Markers, Standing
from jeopardice.kernels import Progress, kernels, thread_count, watched
from jeopardice.solvers.board_turn import BoardTurn, TurnWriter
from jeopardice.solvers.cant_stop_graph import board_count, elementary_sums

DRAW = 0.5
MOST_STEPS = 60_000_000_000
SECONDS_PER_STEP = 1e-9
"""One step is one moment of one turn, walked once for one pair; on one core."""

Values = NDArray[np.float64]


def duel_steps(game: CantStop) -> int:
    """Return the pairs of boards times the moments of both turns, walked about four times, some ten rolls at each."""
    boards, moments = board_count(game), sum(elementary_sums(game.lengths, game.markers)[1:])
    return 20 * boards * boards * moments


def check_duel_size(game: CantStop) -> None:
    """Refuse a board whose pairs would take hours, with the estimate."""
    steps = duel_steps(game)
    if steps > MOST_STEPS:
        boards = board_count(game)
        raise TooLargeError(
            f"{game} has {boards:,} boards, so {boards * boards:,} positions for two: about "
            f"{steps * SECONDS_PER_STEP / 3600:,.1f} hours and {16 * boards * boards / 1e9:,.1f} GB; "
            "choose fewer sides or shorter columns, or players=1"
        )


@dataclass(frozen=True, eq=False)
class DuelBoards:
    """The boards of a game for two, numbered; `closings` are the sets of columns that a player can have closed."""

    game: CantStop
    writer: TurnWriter = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "writer", TurnWriter(self.game))

    @cached_property
    def boards(self) -> list[Standing]:
        """Every standing that has not won."""
        return [standing for standing in self.game.standings() if not self.game.is_won(standing)]

    @cached_property
    def index(self) -> dict[Standing, int]:
        """The number of a board."""
        return {board: number for number, board in enumerate(self.boards)}

    @cached_property
    def closings(self) -> list[frozenset[int]]:
        """The sets of columns that a player who has not won can have closed to the other."""
        most = self.game.columns_to_win if self.game.closed_to_both else 1
        return [frozenset(chosen) for count in range(most) for chosen in combinations(self.game.columns, count)]

    def closed_by(self, standing: Standing) -> frozenset[int]:
        """Return the columns that a standing closes to the other player."""
        if not self.game.closed_to_both:
            return frozenset()
        return frozenset(
            c for c, space in zip(self.game.columns, standing, strict=True) if space == self.game.length(c)
        )

    def lowered(self, standing: Standing, closed: frozenset[int]) -> Standing:
        """Return a standing without what was climbed in columns that the other has closed."""
        return tuple(0 if c in closed else space for c, space in zip(self.game.columns, standing, strict=True))

    def can_win(self, theirs: Standing) -> bool:
        """Are there columns enough for a player whose opponent stands at `theirs`?"""
        return len(self.game.columns) - len(self.closed_by(theirs)) >= self.game.columns_to_win

    def is_drawn(self, mine: Standing, theirs: Standing) -> bool:
        """Can nobody win any more?"""
        return not self.can_win(theirs) and not self.can_win(mine)

    def pairs(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
        """Return the pairs to be solved, first <= second, by level from the end, and where each level begins."""
        game = self.game
        climbed, full = np.array(self.boards, np.int64), np.array(game.lengths, np.int64)
        completed = climbed == full
        first, second = np.triu_indices(len(self.boards))
        level = climbed.sum(axis=1)[first] + climbed.sum(axis=1)[second]
        if game.closed_to_both:
            fits = np.ones(len(first), bool)
            level[:] = 0
            for column in range(len(full)):
                mine, theirs = climbed[first, column], climbed[second, column]
                closed = completed[first, column] | completed[second, column]
                fits &= ~closed | (mine * theirs == 0)
                level += np.where(closed, 2 * full[column], mine + theirs)
            need, columns = game.columns_to_win, len(full)
            counts = completed.sum(axis=1)
            dead = (columns - counts[first] < need) & (columns - counts[second] < need)
            first, second, level = (array[fits & ~dead] for array in (first, second, level))
        order = np.argsort(-level, kind="stable")
        first, second, level = first[order], second[order], level[order]
        starts = np.flatnonzero(np.diff(level, prepend=-1))
        return first.astype(np.int32), second.astype(np.int32), np.append(starts, len(level)).astype(np.int64)

    @cached_property
    def tables(self) -> dict[str, NDArray[Any]]:
        """All turns and how boards meet as arrays, ready for the kernel."""
        closings = {closed: number for number, closed in enumerate(self.closings)}
        turn_of = np.full((len(closings), len(self.boards)), -1, np.int32)
        lowered = np.empty((len(closings), len(self.boards)), np.int32)
        written = _Written(self)
        for closed, number in closings.items():
            for board, standing in enumerate(self.boards):
                low = self.lowered(standing, closed)
                lowered[number, board] = self.index[low]
                if low == standing:
                    turn_of[number, board] = written.add(self.writer.turn(standing, closed))
        mask_of = np.array([closings[self.closed_by(board)] for board in self.boards], np.int32)
        return written.arrays() | {"mask_of": mask_of, "turn_of": turn_of, "lowered": lowered}


@dataclass(eq=False)
class _Written:
    """Turns laid out one after the other."""

    boards: DuelBoards
    turns: int = 0
    first_moment: list[int] = field(default_factory=lambda: [0])
    bank: list[int] = field(default_factory=list)
    first_group: list[int] = field(default_factory=lambda: [0])
    weight: list[int] = field(default_factory=list)
    first_play: list[int] = field(default_factory=lambda: [0])
    play_to: list[int] = field(default_factory=list)
    bust: list[int] = field(default_factory=list)

    def add(self, turn: BoardTurn) -> int:
        game, index = self.boards.game, self.boards.index
        total = game.sides**game.dice
        for markers, groups, won in zip(turn.markers, turn.groups, turn.is_won, strict=True):
            self.bank.append(-1 if won else index[game.bank(turn.standing, markers)] if markers else -2)
            self.bust.append(total - sum(weight for weight, _ in groups))
            for weight, plays in groups:
                self.weight.append(weight)
                self.play_to += plays
                self.first_play.append(len(self.play_to))
            self.first_group.append(len(self.weight))
        self.first_moment.append(len(self.bank))
        self.turns += 1
        return self.turns - 1

    def arrays(self) -> dict[str, NDArray[Any]]:
        total = self.boards.game.sides**self.boards.game.dice
        whole = {
            name: np.array(getattr(self, name), np.int64) for name in ("first_moment", "first_group", "first_play")
        }
        small = {name: np.array(getattr(self, name), np.int32) for name in ("bank", "play_to")}
        chances = {name: np.array(getattr(self, name)) / total for name in ("weight", "bust")}
        return whole | small | chances


@dataclass(frozen=True, eq=False)
class DuelValues:
    """The chance to win of whoever has the dice: `table[mine, theirs]` by the numbers of the boards."""

    boards: DuelBoards
    table: Values = field(repr=False)

    def at(self, mine: Standing, theirs: Standing) -> float:
        """Return the value of a position that nobody has won."""
        i, j = self.numbers(mine, theirs)
        return float(self.table[i, j])

    def numbers(self, mine: Standing, theirs: Standing) -> tuple[int, int]:
        """Return where a position stands in the table."""
        boards = self.boards
        low_mine, low_theirs = (
            boards.lowered(mine, boards.closed_by(theirs)),
            boards.lowered(theirs, boards.closed_by(mine)),
        )
        return boards.index[low_mine], boards.index[low_theirs]

    def turn(self, mine: Standing, theirs: Standing) -> dict[Markers, tuple[float, float]]:
        """Return (stop, roll) for every moment of a turn, replayed; a stop without markers is worth -1."""
        boards, game = self.boards, self.boards.game
        closed = boards.closed_by(theirs)
        turn = boards.writer.turn(boards.lowered(mine, closed), closed)
        total, bust = game.sides**game.dice, 1.0 - self.at(theirs, mine)
        best: list[float] = []
        worth: dict[Markers, tuple[float, float]] = {}
        for markers, groups, won in zip(turn.markers, turn.groups, turn.is_won, strict=True):
            stop, roll = (1.0, 0.0) if won else (-1.0, 0.0)
            if not won:
                weight = sum(weight for weight, _ in groups)
                roll = (
                    sum(w * max(best[play] for play in plays) for w, plays in groups) + (total - weight) * bust
                ) / total
                if markers:
                    stop = 1.0 - self.at(theirs, game.bank(turn.standing, markers))
            best.append(max(stop, roll))
            worth[markers] = (stop, roll)
        return worth


def solve_board_duel(game: CantStop, *, threads: int | None = None, progress: Progress | None = None) -> DuelValues:
    """Return the chance to win of whoever has the dice, for every pair of boards.

    >>> values = solve_board_duel(CantStop(sides=2, shortest=1))
    >>> round(values.at((0, 0, 0), (0, 0, 0)), 10)
    0.8133035493
    """
    check_duel_size(game)
    boards = DuelBoards(game)
    first, second, first_of_level = boards.pairs()
    table = np.full((len(boards.boards), len(boards.boards)), DRAW)
    run = kernels.BoardDuel(**boards.tables, first=first, second=second, first_of_level=first_of_level)
    stuck = watched(partial(run.solve, value=table, threads=thread_count(threads)), len(first), progress)
    if stuck >= 0:
        where = f"{boards.boards[first[stuck]]} against {boards.boards[second[stuck]]}"
        raise RulesError(f"{game}: at {where} neither player wants to bank, so the game never ends; change the rules")
    return DuelValues(boards, table)


def duel_bounds(values: DuelValues, *, threads: int | None = None, progress: Progress | None = None) -> Values:
    """Return a proven bound of the error of every position's value."""
    boards = values.boards
    first, second, first_of_level = boards.pairs()
    tables = boards.tables
    bound = np.zeros_like(values.table)
    # each roll adds up its groups, each sum rounded, and a turn has at most so many rolls as there are spaces to climb
    most_groups = int(np.diff(tables["first_group"]).max()) + 4
    depth = sum(sorted(boards.game.lengths)[-boards.game.markers :]) + 1
    run = kernels.BoardDuel(**tables, first=first, second=second, first_of_level=first_of_level)
    call = partial(run.bound, value=values.table, bound=bound, rounding=2 * depth * most_groups * 2.0**-53)
    watched(partial(call, threads=thread_count(threads)), len(first), progress)
    return bound
