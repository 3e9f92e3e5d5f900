"""A proven bracket around the value of Can't Stop alone, on boards too large to solve.

Two tables over the cells of a grid (`cells.py`): one number below, one above the value of every board of a cell.
`cells.hpp` has the equations and docs/brackets.md the proof. A second pass checks each number with outward rounding, so a
`Bracket` is certified.

`narrowed` works in rounds: solve both tables, check them, cut the cells finer, and solve again with a few times the work,
until the bracket is as narrow as asked or time or memory runs out. Cells are cut by levels first (`cells.LEVELS`); when the
levels are used up, games by each table's own best play show where it is loose, and cells are cut there. After each round
the bracket is whole and valid, and its upper table is a strategy with a proven value.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.columns.cells import Grid, Looseness, has_all_cuts, is_nested, refined, started_grid
from jeopardice.columns.round_parts import RoundParts
from jeopardice.engine.work import free_memory, size_words
from jeopardice.errors import TooLargeError
from jeopardice.games.cant_stop import CantStop
from jeopardice.kernels import Progress, kernels, thread_count, watched

Floats = NDArray[np.floating]

CLOSE, QUICK = 2.0**-42, 1e-5
"""How far a cell may stay from its fixed point, on the safe side: in small grids, and in large ones."""
MUCH_WORK = 1e10
"""From this work on, tables are float32: twice as fast, and off by less than 0.001."""
GROWTH = 4.0
"""How much more work a round does than the one before."""
WORTHWHILE = 1.25
"""A round with less than this times the work of the one before is not begun."""
WALKS, GAMES = 16, 160
"""How many times how many games are played to see where a table is loose."""
BYTES_PER_CELL = 40
"""Two rounds' tables of both sides, and what saving them takes."""


class OutOfTimeError(Exception):
    """The time is over in the middle of a round."""


@dataclass(frozen=True)
class Round:
    """What one round gave: the bracket at the start, its cells, and the seconds it took."""

    lower: float
    upper: float
    cells: int
    seconds: float


@dataclass(frozen=True, eq=False)
class Bracket:
    """Certified tables below and above the value of every board; `started` columns at the most are exact from the outset."""

    grid: Grid
    started: int
    lower_table: Floats = field(repr=False)
    upper_table: Floats = field(repr=False)
    rounds: tuple[Round, ...] = ()

    def at(self, remaining: tuple[int, ...]) -> tuple[float, float]:
        """Return the bounds of a board given by its remaining steps."""
        cell = self.grid.cell(remaining)
        return (0.0, 0.0) if cell < 0 else (float(self.lower_table[cell]), float(self.upper_table[cell]))

    @property
    def start(self) -> tuple[float, float]:
        """The bounds of the whole game."""
        return self.at(self.grid.game.lengths)

    @property
    def width(self) -> float:
        """Upper less lower bound of the whole game."""
        lower, upper = self.start
        return upper - lower


@dataclass(frozen=True)
class Limits:
    """When to stop refining: at this width, after this many seconds, with this many bytes of memory."""

    width: float | None = None
    seconds: float | None = None
    memory_bytes: float | None = None

    def asks_for_more(self, bracket: Bracket) -> bool:
        """Is a bracket to be refined further?"""
        if self.width is None:
            return self.seconds is not None
        return bracket.width > self.width


def narrowed(
    game: CantStop,
    started: int,
    limits: Limits | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    parts: RoundParts | None = None,
    found: Bracket | None = None,
    keep: Callable[[Bracket], None] = lambda bracket: None,
) -> Bracket:
    """Return a certified bracket, refined within the limits; `keep` is given the bracket of every round.

    `found` is the bracket of an earlier run to go on from, `parts` hold the round in progress.
    """
    limits = limits or Limits()
    end = None if limits.seconds is None else time.monotonic() + limits.seconds
    bracket = found
    while bracket is None or limits.asks_for_more(bracket):
        grid = parts.grid() if parts is not None else None
        if grid is None:
            grid = started_grid(game, started) if bracket is None else next_grid(bracket, limits, end, threads)
        if grid is None:
            break
        check_memory(grid, limits)
        if parts is not None:
            parts.begin(grid)
        before = time.monotonic()
        try:
            lower, upper = certified_tables(
                grid, threads=threads, progress=ending(progress, end if bracket is not None else None), parts=parts
            )
        except OutOfTimeError:
            break
        seconds = time.monotonic() - before + (parts.seconds if parts is not None else 0.0)
        made = Bracket(grid, started, lower, upper)
        rounds = () if bracket is None else bracket.rounds
        bracket = Bracket(grid, started, lower, upper, (*rounds, Round(*made.start, grid.cells, seconds)))
        keep(bracket)
        if parts is not None:
            parts.clear()
    assert bracket is not None  # only later rounds end early
    return bracket


def certified_tables(
    grid: Grid, *, threads: int | None = None, progress: Progress | None = None, parts: RoundParts | None = None
) -> tuple[Floats, Floats]:
    """Return the lower and the upper table of a grid, every cell checked."""
    if not is_nested(grid):
        raise ArithmeticError("the cuts of some block are missing in a block that leads to it")
    cells = grid.cells
    tables: list[Floats] = []
    dtype = np.float32 if grid.work > MUCH_WORK else np.float64
    for number, upper in enumerate((False, True)):
        table: Floats = np.full(cells, np.inf).astype(dtype)
        _pass(grid, table, upper, False, threads, _share(progress, number, cells), parts)
        tables.append(table)
    for number, (upper, solved) in enumerate(zip((False, True), tables, strict=True)):
        broken = _pass(grid, solved, upper, True, threads, _share(progress, 2 + number, cells), parts)
        if broken:
            raise ArithmeticError(f"{broken:,} cells of the {'upper' if upper else 'lower'} table are no bound")
    return tables[0], tables[1]


def _pass(
    grid: Grid,
    table: Floats,
    upper: bool,
    check: bool,
    threads: int | None,
    progress: Progress | None,
    parts: RoundParts | None,
) -> int:
    """Solve or check a table, piece by piece; return how many cells are no bound."""
    layout, broken, done_before = grid.layout, 0, 0
    first_cell = layout.first_cells()
    tolerance = QUICK if table.dtype == np.float32 else CLOSE
    name = ("check-" if check else "") + ("upper" if upper else "lower")
    for first, last in pieces(layout):
        rows = slice(first_cell[first], first_cell[last])
        if parts is None or not parts.restore(name, table, rows, check):
            tally = watched(
                lambda first=first, last=last, **watch: kernels.work_cells(
                    layout, table, upper, tolerance, first, last, check, thread_count(threads), **watch
                ),
                grid.cells,
                None if progress is None else _from(progress, done_before),
            )
            broken += tally.broken
            if parts is not None and not tally.broken:
                parts.save(name, table, rows, check)
        done_before = rows.stop
    return broken


PIECE_CELLS = 400_000


def pieces(layout: Any) -> list[tuple[int, int]]:
    """Return the blocks, in the order of solving, in pieces that need only earlier pieces and are not too large."""
    first_cell, found = layout.first_cells(), []
    for begin, end in pairwise(layout.generations):
        first = begin
        for block in range(begin, end):
            if block + 1 == end or first_cell[block + 1] - first_cell[first] > PIECE_CELLS:
                found.append((first, block + 1))
                first = block + 1
    return found


def next_grid(bracket: Bracket, limits: Limits, end: float | None, threads: int | None) -> Grid | None:
    """Return a finer grid that fits into what is left of the limits, or None if too little would be gained."""
    last = bracket.rounds[-1]
    work = GROWTH * bracket.grid.work
    if end is not None:
        # games take some of the time, and the estimate may be a little wrong
        work = min(work, 0.75 * (end - time.monotonic()) / last.seconds * bracket.grid.work)
    if work < WORTHWHILE * bracket.grid.work:
        return None
    most_cells = _memory(limits) / BYTES_PER_CELL
    by_levels = started_grid(bracket.grid.game, bracket.started, outside_work=work)
    if (
        has_all_cuts(by_levels, bracket.grid)
        and WORTHWHILE * bracket.grid.work <= by_levels.work <= work
        and by_levels.cells <= most_cells
    ):
        return by_levels
    finer = refined(bracket.grid, looseness_of(bracket, threads), work, most_cells)
    return finer if finer.cells > bracket.grid.cells else None


def looseness_of(bracket: Bracket, threads: int | None = None) -> Looseness:
    """Play games by both tables and return where they lose."""
    found: list[tuple[list[Any], list[float]]] = []
    for upper, table in ((False, bracket.lower_table), (True, bracket.upper_table)):
        found.append(
            watched(
                lambda upper=upper, table=table, **watch: kernels.walk_cells(
                    bracket.grid.layout, table, upper, WALKS, GAMES, thread_count(threads), **watch
                ),
                WALKS * GAMES,
            )
        )
    rows = np.array([row for places, _ in found for row in places], np.int64).reshape(-1, 3)
    gains = np.array([gain for _, gains in found for gain in gains])
    places, where = np.unique(rows, axis=0, return_inverse=True)
    block, column, step = places.T
    summed = np.bincount(where.reshape(-1), gains, len(places)).astype(np.float64)
    return Looseness(block, column, step, summed)


def check_memory(grid: Grid, limits: Limits) -> None:
    """Refuse a grid that does not fit."""
    if grid.cells * BYTES_PER_CELL > _memory(limits):
        raise TooLargeError(
            f"{grid.cells:,} cells need {size_words(grid.cells * BYTES_PER_CELL)} of memory, "
            f"{size_words(_memory(limits))} are allowed; ask for fewer started columns"
        )


def _memory(limits: Limits) -> float:
    return free_memory() if limits.memory_bytes is None else limits.memory_bytes


def ending(progress: Progress | None, end: float | None) -> Progress | None:
    """Return a progress that raises when the time is over."""
    if end is None:
        return progress

    def watch(done: int, total: int) -> None:
        if time.monotonic() > end:
            raise OutOfTimeError
        if progress is not None:
            progress(done, total)

    return watch


def _share(progress: Progress | None, number: int, cells: int) -> Progress | None:
    """Return the progress of one of the four passes over the cells."""
    return None if progress is None else lambda done, total: progress(number * cells + done, 4 * cells)


def _from(progress: Progress, before: int) -> Progress:
    return lambda done, total: progress(before + done, total)
