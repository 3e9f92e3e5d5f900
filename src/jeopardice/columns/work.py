"""The cost of solving a board of Can't Stop: time from a timed sample, memory and disk from the layout; and what is refused."""

import shutil
from dataclasses import dataclass
from math import comb, prod
from pathlib import Path
from typing import NamedTuple

import numpy as np

from jeopardice.columns.classes import kernel_board
from jeopardice.columns.graph import board_count, elementary_sums, moment_bound
from jeopardice.engine.work import free_memory, size_words
from jeopardice.errors import TooLargeError
from jeopardice.games.cant_stop import CantStop
from jeopardice.kernels import kernels, thread_count

MOST_ESTIMATED, MOST_WORKSPACE = 10**11, 2 * 10**9
"""Boards that can still be timed for an estimate, and bytes for one of their turns; the official game has 6 * 10**9."""
SAMPLE_SECONDS = 3.0
"""The longest time that boards are timed for an estimate."""
MOST_SIDES = 6
"""The kernel's tables of column sets end with six-sided dice."""
MOST_CLOSED_SETS = 3000
"""The kernel has classes of rolls for every set of completed columns; with more sets they would not fit."""


@dataclass(frozen=True)
class Estimate:
    """The cost of solving a board: `boards` not yet won, at most this many `moments`, seconds on `threads`, bytes."""

    boards: int
    moments: int
    seconds: float
    threads: int
    memory_bytes: int
    disk_bytes: int

    def __str__(self) -> str:
        return (
            f"{self.boards:,} boards, about {self.seconds:,.0f} s on {self.threads} threads, "
            f"{self.memory_bytes / 1e6:,.1f} MB of memory, {self.disk_bytes / 1e6:,.1f} MB on disk with a checkpoint"
        )


def uses_kernel(game: CantStop) -> bool:
    """Does the board kernel cover these rules? Others are written out as a graph, which is for tiny boards."""
    closed_sets = sum(comb(len(game.columns), count) for count in range(game.columns_to_win))
    return game.dice == 4 and game.markers == 3 and game.sides <= MOST_SIDES and closed_sets <= MOST_CLOSED_SETS


def estimate(game: CantStop, *, threads: int | None = None, dtype: str = "float64", sample: int = 2000) -> Estimate:
    """Return the cost of a solve, from a timed sample of boards spread over the run."""
    threads, boards, moments = thread_count(threads), board_count(game), moment_bound(game)
    if not uses_kernel(game):
        return Estimate(boards, moments, 1e-4 * moments, 1, 500 * moments, 0)
    if sample < 1:
        raise ValueError(f"a sample has at least one row of boards, got sample={sample!r}")
    if boards > MOST_ESTIMATED or workspace_bytes(game) > MOST_WORKSPACE:
        raise TooLargeError(f"{game} has {float(boards):.1e} boards, beyond any estimate; choose a smaller board")
    seconds = _sampled_seconds(game, sample)
    table = prod(table_shape(game)) * np.dtype(dtype).itemsize
    memory = table + threads * workspace_bytes(game)
    return Estimate(boards, moments, seconds / threads, threads, memory, table)


class Plan(NamedTuple):
    """A run before it begins: a task is a row of boards, and a row waits for those below it."""

    boards: int
    memory_bytes: int
    disk_bytes: int
    tasks: int
    longest_chain: int
    core_hours: float


def plan_of(game: CantStop, *, dtype: str = "float64") -> Plan:
    """Return what a run on a cluster takes; `memory_bytes` are those of each worker process with one thread."""
    if not uses_kernel(game):
        raise TooLargeError(f"a plan is for four dice and three markers, up to six sides; {game} is solved in one go")
    cost = estimate(game, threads=1, dtype=dtype)
    chain = 1 + sum(game.lengths) - sum(sorted(game.lengths)[-3:])  # the three centre columns are within a row
    return Plan(cost.boards, cost.memory_bytes, cost.disk_bytes, kernel_board(game).rows, chain, cost.seconds / 3600)


def _sampled_seconds(game: CantStop, sample: int) -> float:
    """Return the seconds of one core for all boards, from some boards in each of `sample` rows spread over the table."""
    board = kernel_board(game)
    timer = kernels.CantStopWorker(board, np.zeros(1), kernels.CantStopPurpose.time)
    place = 0.5
    for _ in range(sample):
        timer.work([int(place * board.rows)])
        place = (place + 0.6180339887498949) % 1  # the golden ratio: evenly spread whenever it ends
        if timer.seconds > SAMPLE_SECONDS:
            break
    return float(sum(board.boards_of_rows) * timer.seconds / max(timer.boards, 1))


def table_shape(game: CantStop) -> tuple[int, ...]:
    """Return the shape of the table: rows for about half of all boards, by symmetry; one axis for rules outside the kernel."""
    if not uses_kernel(game):
        return (prod(length + 1 for length in game.lengths),)
    board = kernel_board(game)
    return (board.rows + 1, board.row_size)


def workspace_bytes(game: CantStop) -> int:
    """Return the bytes that a thread needs beside the table: values, slopes and stops of the moments of four boards."""
    return 3 * 32 * sum(elementary_sums(game.lengths, 3)[1:])


def check_space(game: CantStop, dtype: str, checkpoint: str | Path | None = None, threads: int = 1) -> None:
    """Refuse a board whose table does not fit into free memory, or its checkpoint onto the free disk."""
    per_board, free = np.dtype(dtype).itemsize, free_memory()
    beside = threads * workspace_bytes(game)
    wanted = per_board * board_count(game) // 2  # at least; where that fits, the layout itself can be asked
    if wanted + beside <= free:
        wanted = per_board * prod(table_shape(game))
    if wanted + beside > free:
        halved = dtype == "float64" and wanted / 2 + beside <= free
        raise TooLargeError(
            f"{game} needs {size_words(wanted + beside)} of memory, {size_words(free)} are free; "
            "try a board with fewer sides or shorter columns, such as sides=4, shortest=3"
            + (", or dtype='float32' (--dtype float32)" if halved else "")
        )
    place = next((p for p in (Path(checkpoint), *Path(checkpoint).parents) if p.is_dir()), None) if checkpoint else None
    if checkpoint is not None and place is not None:
        wanted -= sum(path.stat().st_size for path in Path(checkpoint).glob("part-*.npy"))
        free = shutil.disk_usage(place).free
        if wanted > free:
            raise TooLargeError(
                f"{game} needs {size_words(wanted)} for its checkpoint, {size_words(free)} are free in "
                f"{checkpoint}; choose a directory on another disk"
            )
