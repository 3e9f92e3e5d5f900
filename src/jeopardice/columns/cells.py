"""Cells of boards of Can't Stop: which boards share one number, and how to cut them finer where it helps.

A board's *block* is which columns are started and which of them are completed. In each block, the remaining steps of
every started open column are cut into intervals; a *cell* is one interval for each. A grid holds the cuts of all blocks:
`cuts[block, column]` is a number whose bit v is set where an interval begins at v steps. Cuts of a block are cuts of every
block that leads to it (fewer columns started or completed), so that a stop takes all boards of a cell to one cell.

A block whose cuts are all there is exact: each board is a cell of its own. `started_grid` is exact up to some number of
started columns; `refined` cuts further where games by the tables' own best play found them loose.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.columns.classes import kernel_game
from jeopardice.columns.work import uses_kernel
from jeopardice.errors import TooLargeError
from jeopardice.games.cant_stop import CantStop
from jeopardice.kernels import kernels
from jeopardice.types import Array, Bools, Floats

Cuts = NDArray[np.uint64]

MOST_LENGTH = 60
OUTSIDE_WORK = 2e9
"""How much work the first grid has at the most outside its exact part: some minutes."""


EMPTY_LANES = 3.0
"""How many lanes of a vector stay empty, on average, for each sum of levels in a block."""


@dataclass(frozen=True)
class Blocks:
    """The blocks as the kernel numbers them: (rank of the completed columns) * 2**columns + started columns."""

    started: NDArray[np.int64]
    closed: NDArray[np.int64]
    is_real: Bools
    is_free: Bools
    """By block and column: started, and not completed."""


def bit_counts(masks: Array) -> NDArray[np.int64]:
    """Return how many bits of each number are set; NumPy has this from version 2 on."""
    counts, rest = np.zeros(masks.shape, np.int64), masks.copy()
    while rest.any():
        counts += (rest & rest.dtype.type(1)).astype(np.int64)
        rest >>= rest.dtype.type(1)
    return counts


@lru_cache(maxsize=8)
def blocks_of(game: CantStop) -> Blocks:
    """Return the blocks of a board; some numbers are no block, because a completed column is not started."""
    columns = len(game.lengths)
    masks = np.arange(1 << columns)
    not_over = masks[bit_counts(masks) < game.columns_to_win]
    closed, started = np.repeat(not_over, 1 << columns), np.tile(masks, len(not_over))
    is_real = closed & ~started == 0
    is_free = (started & ~closed)[:, None] >> np.arange(columns) & 1 == 1
    return Blocks(started, closed, is_real, is_free & is_real[:, None])


@dataclass(frozen=True, eq=False)
class Grid:
    """The cuts of all blocks of a board."""

    game: CantStop
    cuts: Cuts

    @cached_property
    def layout(self) -> Any:
        """Where cells stand in a table, as the kernel has it."""
        return kernels.CellLayout(kernel_game(self.game), self.cuts)

    @property
    def cells(self) -> int:
        """How many cells there are, of a cell and its mirror image mostly one."""
        return int(self.layout.cells)

    @cached_property
    def work(self) -> float:
        """Moments in the turns of all cells, lanes that stay empty counted too: what a pass over the table costs."""
        return float(block_work(self.game, self.cuts).sum() / 2)

    def cell(self, remaining: tuple[int, ...]) -> int:
        """Return where the cell of a board stands in a table, -1 if the board is won."""
        return int(self.layout.cell(list(remaining)))

    def is_exact(self, remaining: tuple[int, ...]) -> bool:
        """Is the board, given by its remaining steps, in a block where every board has its own cell?"""
        lengths = self.game.lengths
        started = sum(1 << c for c, (r, n) in enumerate(zip(remaining, lengths, strict=True)) if r < n)
        closed = sum(1 << c for c, r in enumerate(remaining) if r == 0)
        blocks = blocks_of(self.game)
        (block,) = np.flatnonzero((blocks.started == started) & (blocks.closed == closed))
        return bool(exact_blocks(self)[block])


def is_nested(grid: Grid) -> bool:
    """Has every block the cuts of the blocks it leads to, and of its mirror image? Bounds are bounds only then."""
    return bool((_closed(grid.game, grid.cuts) == grid.cuts)[blocks_of(grid.game).is_free].all())


def has_all_cuts(finer: Grid, coarser: Grid) -> bool:
    """Does a grid have all cuts of another?"""
    return bool((finer.cuts | coarser.cuts == finer.cuts)[blocks_of(finer.game).is_free].all())


def exact_blocks(grid: Grid) -> Bools:
    """Return which blocks have every board in a cell of its own."""
    free = blocks_of(grid.game).is_free
    return np.asarray((~free | (grid.cuts == all_cuts(grid.game))).all(axis=1))


def check_cells(game: CantStop) -> None:
    """Refuse a board that the kernel for cells does not cover."""
    if not uses_kernel(game) or max(game.lengths) > MOST_LENGTH:
        raise TooLargeError(
            f"bounds are for four dice, three markers, up to six sides and columns up to {MOST_LENGTH} spaces, got {game}"
        )


def mask_of(length: int, begins: Any) -> int:
    """Return cuts as a number: 0, 1 and the length always begin an interval.

    >>> bin(mask_of(5, [3]))
    '0b101011'
    """
    return sum(1 << v for v in {0, 1, length} | {v for v in begins if 1 < v < length})


def all_cuts(game: CantStop) -> Cuts:
    """Return the cuts of each column that leave no two boards together."""
    return np.array([mask_of(length, range(length)) for length in game.lengths], np.uint64)


def width_cuts(game: CantStop, width: int) -> Cuts:
    """Return the cuts of each column into intervals of about `width` steps."""
    return np.array([mask_of(length, range(1, length, width)) for length in game.lengths], np.uint64)


LEVELS = (
    lambda length: (),
    lambda length: (3,),
    lambda length: (3, 5),
    lambda length: (3, 5, 7),
    lambda length: range(3, length, 2),
    lambda length: (2, *range(3, length, 2)),
    range,
)
"""Where intervals begin, from coarse to fine; every level has the cuts of the level before.

Bounds are loose mostly where a new marker may enter close to the top of its column, so the steps near the top are divided first.
"""
FINEST = len(LEVELS) - 1
SHARE_OF_NEXT = 0.7
"""How much work one more started column may take, as a share: games reach such boards less often."""


def level_cuts(game: CantStop, level: int) -> Cuts:
    """Return the cuts of each column at a level."""
    return np.array([mask_of(length, LEVELS[level](length)) for length in game.lengths], np.uint64)


def level_grid(game: CantStop, levels: Sequence[int]) -> Grid:
    """Return the grid with a level for every number of started columns, from none to all; no level is above the one before.

    >>> level_grid(CantStop(sides=3, shortest=2), (6, 6, 6, 2, 1, 0)).cells
    297
    """
    check_cells(game)
    if len(levels) != len(game.lengths) + 1 or list(levels) != sorted(levels, reverse=True):
        raise ValueError(f"levels are {len(game.lengths) + 1} numbers that do not rise, got {tuple(levels)}")
    return _grid_by_count(game, [level_cuts(game, level) for level in levels])


def started_grid(game: CantStop, started: int, width: int | None = None, outside_work: float = OUTSIDE_WORK) -> Grid:
    """Return the grid that is exact where at most `started` columns are started, with intervals of `width` elsewhere.

    Without a width: the finest levels that take at most `outside_work` outside the exact part. More work never takes a cut away.

    >>> started_grid(CantStop(sides=3, shortest=2), 2).cells
    707
    """
    check_cells(game)
    columns = len(game.lengths)
    if not 0 <= started <= columns:
        raise ValueError(f"started columns are a number from 0 to {columns}, got started={started!r}")
    if width is None:
        return level_grid(game, _finest_levels(game, started, outside_work))
    outside = width_cuts(game, width)
    return _grid_by_count(game, [all_cuts(game)] * (started + 1) + [outside] * (columns - started))


def _grid_by_count(game: CantStop, cuts: Sequence[Cuts]) -> Grid:
    return Grid(game, np.ascontiguousarray(np.stack(cuts)[bit_counts(blocks_of(game).started)]))


def _finest_levels(game: CantStop, started: int, outside_work: float) -> list[int]:
    """Return the level for every number of started columns: each takes about equal work, the later ones less.

    Level 1 is the least where it takes at most half of the work, for games go on after boards of coarse cells.
    """
    count = bit_counts(blocks_of(game).started)
    everywhere = np.zeros((len(count), 1), np.uint64)
    work = [np.bincount(count, block_work(game, level_cuts(game, level) + everywhere)) / 2 for level in range(FINEST)]
    outside = range(started + 1, len(game.lengths) + 1)
    least = int(work[1][started + 1 :].sum() <= outside_work / 2)
    found = [FINEST] * (started + 1) + [least] * len(outside)
    for most in sorted({by_count[number] / SHARE_OF_NEXT**number for by_count in work for number in outside}):
        levels = [FINEST] * (started + 1)
        for number in outside:
            fitting = [level for level in range(FINEST) if work[level][number] <= most * SHARE_OF_NEXT**number]
            levels.append(min(levels[-1], max([least, *fitting])))
        if sum(work[levels[number]][number] for number in outside) > outside_work:
            break
        found = levels
    return found


def cell_counts(game: CantStop, cuts: Cuts) -> Floats:
    """Return how many cells each block has."""
    blocks = blocks_of(game)
    levels = np.where(blocks.is_free, bit_counts(cuts) - 2, 1.0)
    return np.asarray(np.where(blocks.is_real, levels.prod(axis=1), 0.0))


def block_work(game: CantStop, cuts: Cuts) -> Floats:
    """Return what each block costs: cells are solved in groups with equal sums of levels, the last of them part empty."""
    blocks, counts = blocks_of(game), cell_counts(game, cuts)
    sums = 1 + np.where(blocks.is_free, bit_counts(cuts) - 3, 0).sum(axis=1)
    return np.asarray(np.where(counts > 0, counts + EMPTY_LANES * sums, 0.0) * cell_work(game, cuts))


def cell_work(game: CantStop, cuts: Cuts) -> Floats:
    """Return how many moments a turn has in a cell of each block, from the mean room of each column."""
    blocks, lengths = blocks_of(game), np.array(game.lengths)
    is_closed = blocks.closed[:, None] >> np.arange(len(lengths)) & 1 == 1
    room = np.where(is_closed, 0.0, lengths.astype(float))
    highest = np.zeros(cuts.shape)
    for step in range(2, max(lengths) + 1):
        highest += (step - 1) * (cuts >> np.uint64(step) & np.uint64(1)).astype(float)
    room[blocks.is_free] = (highest / np.maximum(bit_counts(cuts) - 2, 1))[blocks.is_free]
    sums = [np.ones(len(cuts)), *(np.zeros(len(cuts)) for _ in range(3))]
    for column in range(len(lengths)):
        for size in (3, 2, 1):
            sums[size] = sums[size] + room[:, column] * sums[size - 1]
    return sums[1] + sums[2] + sums[3]


@dataclass(frozen=True, eq=False)
class Looseness:
    """What finer cells could gain in a game: `gain[i]` for the interval of `block[i]`, `column[i]` that begins at `step[i]`."""

    block: NDArray[np.int64]
    column: NDArray[np.int64]
    step: NDArray[np.int64]
    gain: Floats


UNSEEN = 0.1
"""The share of the games' gain that is given to intervals that look alike, whether the games met them or not."""


def refined(grid: Grid, looseness: Looseness, work: float, most_cells: float = np.inf) -> Grid:
    """Return a finer grid with at most about `work`, cut where most is gained for the work.

    Halving an interval halves what it loses and costs one more level of its column. All cuts are made that gain more than
    some price for their work; the price is found by bisection.
    """
    game = grid.game
    intervals = _intervals(grid)
    gain = _gains(grid, intervals, looseness)
    levels, counts = bit_counts(grid.cuts) - 2, cell_counts(game, grid.cuts)
    cost = counts[intervals.block] / levels[intervals.block, intervals.column] + EMPTY_LANES
    cost = cost * cell_work(game, grid.cuts)[intervals.block]
    low, high, best = -100.0, 40.0, grid
    for _ in range(18):
        price = (low + high) / 2
        finer = Grid(game, _closed(game, _cut(grid, intervals, gain / (cost * 2.0**price))))
        if finer.work > work or cell_counts(game, finer.cuts).sum() / 2 > most_cells:
            low = price
        else:
            high, best = price, finer
    return best


@dataclass(frozen=True, eq=False)
class _Intervals:
    """All intervals of two and more steps: from `step` up to but not including `end`."""

    block: NDArray[np.int64]
    column: NDArray[np.int64]
    step: NDArray[np.int64]
    end: NDArray[np.int64]


def _intervals(grid: Grid) -> _Intervals:
    longest = max(grid.game.lengths)
    is_cut = np.stack([grid.cuts >> np.uint64(v) & np.uint64(1) == 1 for v in range(longest + 1)])
    end = np.zeros(grid.cuts.shape, np.int64)
    found = []
    for step in range(longest, 0, -1):
        block, column = np.nonzero(is_cut[step] & (end > step + 1) & blocks_of(grid.game).is_free)
        found.append((block, column, np.full(len(block), step), end[block, column]))
        end[is_cut[step]] = step
    return _Intervals(*map(np.concatenate, zip(*found, strict=True)))


def _gains(grid: Grid, intervals: _Intervals, looseness: Looseness) -> Floats:
    """Return what halving could gain: what the games showed, part of it spread over blocks with equally many columns."""
    blocks, columns = blocks_of(grid.game), len(grid.game.lengths)

    def key(block: NDArray[np.int64], column: NDArray[np.int64], step: NDArray[np.int64]) -> NDArray[np.int64]:
        return (block * columns + column) * (max(grid.game.lengths) + 1) + step

    keys = key(intervals.block, intervals.column, intervals.step)
    order = np.argsort(keys)
    at = order[np.searchsorted(keys[order], key(looseness.block, looseness.column, looseness.step))]
    gain = np.zeros(len(keys))
    gain[at] = looseness.gain
    kind = (bit_counts(blocks.started) * (columns + 1) + bit_counts(blocks.closed))[intervals.block]
    alike = np.bincount(kind, gain) / np.maximum(np.bincount(kind), 1)
    return np.asarray((1 - UNSEEN) * gain + UNSEEN * alike[kind])


def _cut(grid: Grid, intervals: _Intervals, gain_per_price: Floats) -> Cuts:
    """Halve every interval, its halves and so on, while half of what it loses is more than the price."""
    depth = np.floor(np.log2(np.maximum(gain_per_price, 1e-300) / 2) / 2).astype(np.int64) + 1
    depth = np.clip(depth, 0, max(grid.game.lengths).bit_length())
    chosen = np.flatnonzero(depth)
    if len(chosen) == 0:
        return grid.cuts
    widths = (intervals.end - intervals.step)[chosen]
    halvings = np.array(
        [[_halved(width, times) for times in range(depth.max() + 1)] for width in range(widths.max() + 1)]
    )
    cuts = grid.cuts.copy()
    made = halvings.astype(np.uint64)[widths, depth[chosen]] << intervals.step[chosen].astype(np.uint64)
    np.bitwise_or.at(cuts, (intervals.block[chosen], intervals.column[chosen]), made)
    return cuts


def _halved(width: int, times: int) -> int:
    """Return where an interval of `width` steps is cut when it and its parts are halved this many times, as bits.

    >>> bin(_halved(5, 1)), bin(_halved(5, 2))
    ('0b1000', '0b11100')
    """
    if times == 0 or width < 2:
        return 0
    middle = (width + 1) // 2
    return 1 << middle | _halved(middle, times - 1) | _halved(width - middle, times - 1) << middle


def _closed(game: CantStop, cuts: Cuts) -> Cuts:
    """Return the cuts with all that later blocks need: a block has the cuts of every block it leads to, and of its mirror image."""
    blocks, columns = blocks_of(game), len(game.lengths)
    usual = width_cuts(game, max(game.lengths))
    needed = np.where(blocks.is_free, cuts, np.uint64(0)).reshape(-1, 1 << columns, columns)
    ranks = {int(closed): rank for rank, closed in enumerate(blocks.closed[:: 1 << columns])}
    masks = np.arange(1 << columns)
    image = np.sum([(masks >> c & 1) << (columns - 1 - c) for c in range(columns)], axis=0)
    image_rank = [ranks[int(image[closed])] for closed in ranks]
    needed = needed | needed[image_rank][:, image][:, :, ::-1]
    for column in range(columns):
        without = masks[masks >> column & 1 == 0]
        needed[:, without] |= needed[:, without | 1 << column]
    for closed, rank in sorted(ranks.items(), key=lambda pair: -pair[0].bit_count()):
        for column in range(columns):
            if closed >> column & 1:
                needed[ranks[closed & ~(1 << column)]] |= needed[rank]
    free = blocks.is_free
    return np.ascontiguousarray(np.where(free, needed.reshape(-1, columns) | usual, usual))
