"""Can't Stop for two: the chance to win of the player who has the dice, from every pair of boards.

A position is (mine, theirs), and it and its mirror are one pair of anchors: a bust hands the dice over. Through the
opponent's reply the pair is one fixed point x = A(1 - B(1 - x)), whose slope is the product of both bust chances
(`board_duel.hpp`). Every stop climbs, so pairs are solved by what has been climbed, from the end of the game back.

Where a completed column is closed to both, what the other had climbed in it is worth nothing: such positions are written
with 0 there, and a column that somebody has completed counts as wholly climbed by both in the order of solving. Then it
can also happen that nobody can win any more. Such positions are found from the columns alone, never played: they are
drawn, and a draw is worth half a win.

**Certificate.** From the end back, each pair is checked once more with every later value moved to the worst end of its
bound: a guess x - e that the turn answers with no less is a lower bound, because the slope lies below 1; x + e in the same way.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from jeopardice.columns.board_turn import TurnWriter
from jeopardice.columns.board_turns import mixed_radix, written_turns
from jeopardice.columns.graph import board_count, elementary_sums
from jeopardice.engine.work import free_memory
from jeopardice.errors import RulesError, TooLargeError
from jeopardice.games.cant_stop import CantStop, Markers, Standing
from jeopardice.kernels import Progress, kernels, thread_count, watched
from jeopardice.types import Array

DRAW = 0.5
MOST_SECONDS = 3600.0
SECONDS_PER_STEP = 8.7e-9
"""One step is one roll at one moment of a turn for one pair, in all its walks; on one core."""
BYTES_PER_ROLL = 10
ROWS_AT_ONCE = 4_000_000

Values = NDArray[np.float64]


def duel_seconds(game: CantStop) -> float:
    """Return about how long all pairs take on one core: pairs, moments of both turns, rolls at each."""
    return 2 * pair_count(game) * _mean_moments(game) * len(game.rolls()) * SECONDS_PER_STEP


def duel_bytes(game: CantStop) -> int:
    """Return about how much memory a board takes: values and bounds of all positions, pairs in order, turns written out."""
    most = game.columns_to_win - 1 if game.closed_to_both else 0
    turns = sum(_meetings(game, lambda length: length, most_theirs=most).values())
    rolls_offered = BYTES_PER_ROLL * turns * _mean_moments(game) * len(game.rolls())
    return 16 * board_count(game) ** 2 + 100 * pair_count(game) + int(2 * rolls_offered)  # twice while they are joined


def _mean_moments(game: CantStop) -> float:
    """Return about how many moments a turn has: markers on any columns climbed halfway already, less what cannot occur."""
    return 0.38 * sum(elementary_sums([(length + 1) / 2 for length in game.lengths], game.markers))


def pair_count(game: CantStop) -> int:
    """Return how many positions there are to be solved, a position and its mirror counted as one.

    >>> pair_count(CantStop(sides=3, shortest=2)), pair_count(CantStop(sides=3, shortest=2, closed_to_both=False))
    (219444, 1026028)
    """
    boards, columns = board_count(game), len(game.columns)
    if not game.closed_to_both:
        return boards * (boards + 1) // 2
    ways = _meetings(game, lambda length: length**2, most_theirs=game.columns_to_win - 1)
    positions = sum(count for both, count in ways.items() if columns - min(both) >= game.columns_to_win)
    alike = prod(game.lengths)  # equal boards, each its own mirror: where columns close, nobody has completed any
    return (positions + alike) // 2


def _meetings(game: CantStop, unclosed: Callable[[int], int], *, most_theirs: int) -> dict[tuple[int, int], int]:
    """Count boards that can meet by columns completed, mine and theirs; who finds a column closed has nothing in it."""
    ways = {(0, 0): 1}
    for length in game.lengths:
        grown: dict[tuple[int, int], int] = {}
        for (mine, theirs), count in ways.items():
            for after, more in (((mine, theirs), unclosed(length)), ((mine + 1, theirs), 1), ((mine, theirs + 1), 1)):
                grown[after] = grown.get(after, 0) + count * more
        ways = grown
    return {both: n for both, n in ways.items() if both[0] < game.columns_to_win and both[1] <= most_theirs}


def check_duel_size(game: CantStop) -> None:
    """Refuse a board whose pairs would take hours or not fit into the memory that is free, with the estimate."""
    boards, seconds = board_count(game), duel_seconds(game)
    wanted, free = duel_bytes(game), free_memory()
    if seconds > MOST_SECONDS or wanted > free:
        raise TooLargeError(
            f"{game} has {float(boards):,.6g} boards, so {float(boards * boards):,.2g} positions for two: about "
            f"{seconds / 3600:,.2g} hours and {wanted / 1e9:,.2g} GB ({free / 1e9:,.2g} GB are free); choose fewer sides "
            "or shorter columns, or players=1"
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

    def lowered(self, mine: Standing, theirs: Standing) -> Standing:
        """Return my standing without what I climbed in columns that the other player has closed."""
        closed = self.game.closed_to(0, (mine, theirs))
        return tuple(0 if c in closed else space for c, space in zip(self.game.columns, mine, strict=True))

    def pairs(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
        """Return the pairs to be solved, first <= second, by level from the end, and where each level begins."""
        count = len(self.boards)
        rows = max(1, ROWS_AT_ONCE // count)
        found = [self._pairs_of(np.arange(i, min(i + rows, count))) for i in range(0, count, rows)]
        first, second, level = map(np.concatenate, zip(*found, strict=True))
        order = np.argsort(-level, kind="stable")
        first, second, level = first[order], second[order], level[order]
        starts = np.flatnonzero(np.diff(level, prepend=-1))
        return first, second, np.append(starts, len(level)).astype(np.int64)

    def _pairs_of(self, firsts: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        """Return the pairs of some boards with all from themselves on, and their levels."""
        game = self.game
        climbed, full = self._climbed, np.array(game.lengths, np.int32)
        completed = climbed == full
        second = np.arange(len(climbed))
        is_pair = second >= firsts[:, None]
        level = climbed.sum(axis=1)[firsts, None] + climbed.sum(axis=1)
        if game.closed_to_both:
            level = np.zeros_like(is_pair, np.int32)
            for column in range(len(full)):
                mine, theirs = climbed[firsts, column, None], climbed[:, column]
                closed = completed[firsts, column, None] | completed[:, column]
                is_pair &= ~closed | (mine * theirs == 0)
                level += np.where(closed, 2 * full[column], mine + theirs)
            is_pair &= ~self._drawn[self.mask_of[firsts, None], self.mask_of]
        row, second = np.nonzero(is_pair)
        return firsts[row].astype(np.int32), second.astype(np.int32), level[row, second].astype(np.int32)

    @cached_property
    def mask_of(self) -> NDArray[np.int32]:
        """The number of the set of columns that each board closes."""
        number = {closed: at for at, closed in enumerate(self.closings)}
        both = self.game.closed_to_both
        return np.array(
            [number[self.game.completed(board) if both else frozenset()] for board in self.boards], np.int32
        )

    @cached_property
    def _drawn(self) -> NDArray[np.bool_]:
        """Whether nobody can win, by the columns that both have closed."""
        full = [self.game.standing({c: self.game.length(c) for c in closed}) for closed in self.closings]
        return np.array([[self.game.is_drawn((mine, theirs)) for theirs in full] for mine in full], bool)

    @cached_property
    def _climbed(self) -> NDArray[np.int32]:
        return np.array(self.boards, np.int32)

    @cached_property
    def tables(self) -> dict[str, Array]:
        """All turns and how boards meet as arrays, ready for the kernel."""
        is_closed = np.array([[column in closed for column in self.game.columns] for closed in self.closings], bool)
        code = self._climbed @ (place := mixed_radix(self.game))
        number_of = np.full(int(np.prod(np.array(self.game.lengths) + 1)), -1, np.int64)
        number_of[code] = np.arange(len(code))
        lowered = number_of[np.where(is_closed[:, None], 0, self._climbed) @ place]
        closing, board = np.nonzero(lowered == np.arange(len(code)))  # a turn begins with nothing in closed columns
        turn_of = np.full(lowered.shape, -1, np.int32)
        turn_of[closing, board] = np.arange(len(board))
        standings, closed = [self.boards[i] for i in board], [self.closings[i] for i in closing]
        turns = written_turns(self.writer, standings, closed, number_of)
        return turns | {"mask_of": self.mask_of, "turn_of": turn_of, "lowered": lowered.astype(np.int32)}


@dataclass(frozen=True, eq=False)
class DuelValues:
    """The chance to win of the player who has the dice: `table[mine, theirs]` by the numbers of the boards."""

    boards: DuelBoards
    table: Values = field(repr=False)

    def at(self, mine: Standing, theirs: Standing) -> float:
        """Return the value of a position that nobody has won."""
        i, j = self.numbers(mine, theirs)
        return float(self.table[i, j])

    def numbers(self, mine: Standing, theirs: Standing) -> tuple[int, int]:
        """Return where a position stands in the table."""
        boards = self.boards
        return boards.index[boards.lowered(mine, theirs)], boards.index[boards.lowered(theirs, mine)]

    def turn(self, mine: Standing, theirs: Standing) -> dict[Markers, tuple[float, float]]:
        """Return (stop, roll) for every moment of a turn, replayed; a stop without markers is worth -1."""
        boards, game = self.boards, self.boards.game
        turn = boards.writer.turn(boards.lowered(mine, theirs), game.closed_to(0, (mine, theirs)))
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
    """Return the chance to win of the player who has the dice, for every pair of boards.

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


def walk_rounding(game: CantStop) -> float:
    """Return how far off a walk through a turn can be: a turn has at most as many rolls as spaces, each a rounded sum."""
    return 2 * (sum(sorted(game.lengths)[-game.markers :]) + 1) * (len(game.rolls()) + 4) * 2.0**-53


def duel_bounds(values: DuelValues, *, threads: int | None = None, progress: Progress | None = None) -> Values:
    """Return a proven bound of the error of every position's value."""
    boards = values.boards
    first, second, first_of_level = boards.pairs()
    bound = np.zeros_like(values.table)
    run = kernels.BoardDuel(**boards.tables, first=first, second=second, first_of_level=first_of_level)
    call = partial(run.bound, value=values.table, bound=bound, rounding=walk_rounding(boards.game))
    watched(partial(call, threads=thread_count(threads)), len(first), progress)
    return bound
