"""Can't Stop alone: the fewest expected turns from every board, with the kernel in `cant_stop.hpp`.

One anchor is one board: how far each column is climbed. A bust leads back to it, a stop leads to a board with fewer
steps remaining, so boards are solved in order of the steps that remain, each as a Newton fixed point. Only anchors are
kept; `cant_stop_turn` replays a turn from them.

**Certificate.** Put the values f into their own equations: T f(r) is the worth of the best turn from board r. If every
T f(r) lies within eta of f(r), eta < 1, then because each turn costs 1, f / (1 - eta) is no better than its own best
turn and f / (1 + eta) is no worse, so the true values lie between: |f - f*| <= eta * f / (1 - eta) everywhere.
`certify_cant_stop` evaluates all T f(r) twice, rounded up and rounded down, so the eta it finds is proven. On large boards it
evaluates once, rounded up: a turn of d rolls adds and multiplies nonnegative numbers, each roll some n times, so what it
finds is at most (1 + 2^-52)^(dn) times too large, and that settles the other side in half the time.
"""

import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import comb, prod
from pathlib import Path
from typing import Any

import numpy as np

from jeopardice.errors import TooLargeError
from jeopardice.games.cant_stop import CantStop
from jeopardice.kernels import POLL_SECONDS, Progress, kernels, thread_count
from jeopardice.solvers.cant_stop_checkpoint import Checkpoint
from jeopardice.solvers.cant_stop_graph import board_count, elementary_sums, moment_bound, solve_by_graph
from jeopardice.solvers.cant_stop_turn import roll_worth
from jeopardice.solvers.cant_stop_values import BoardValues, Table, layout_of

CHECKPOINT_SECONDS = 60.0
MOST_ESTIMATED, MOST_WORKSPACE = 10**11, 2 * 10**9
"""Boards that can still be timed for an estimate, and bytes for one of their turns; the official game has 6 * 10**9."""
SAMPLE_SECONDS = 3.0
"""How long boards are timed for an estimate at the most."""
MOST_CERTIFIED_TWICE = 10_000_000
"""Boards up to which the certificate rounds both ways; beyond, one way settles both, within 1e-11 instead of 1e-13."""
MOST_SIDES = 6
"""The kernel's tables of column sets end with six-sided dice."""
MOST_CLOSED_SETS = 3000
"""The kernel keeps the rolls' plays for every set of completed columns; beyond this they would not fit."""


@dataclass(frozen=True)
class Estimate:
    """What solving a board takes: `boards` not yet won, `moments` at most, seconds on `threads`, bytes."""

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
    """Return what a solve would take, from a timed sample of boards spread over the run."""
    threads, boards, moments = thread_count(threads), board_count(game), moment_bound(game)
    if not uses_kernel(game):
        return Estimate(boards, moments, 1e-4 * moments, 1, 500 * moments, 0)
    if sample < 1:
        raise ValueError(f"a sample has at least one block of boards, got sample={sample!r}")
    if boards > MOST_ESTIMATED or workspace_bytes(game) > MOST_WORKSPACE:
        raise TooLargeError(f"{game} has {float(boards):.1e} boards, beyond any estimate; choose a smaller board")
    seconds, to_solve = kernels.sampled_cant_stop_seconds(
        game.sides, game.lengths, game.columns_to_win, sample, SAMPLE_SECONDS
    )
    table = prod(table_shape(game)) * np.dtype(dtype).itemsize
    memory = table + threads * workspace_bytes(game)
    return Estimate(boards, moments, to_solve * seconds / threads, threads, memory, table)


def table_shape(game: CantStop) -> tuple[int, ...]:
    """Return the shape of the table: rows for about half of all boards, by symmetry; one axis where no kernel serves."""
    if not uses_kernel(game):
        return (prod(length + 1 for length in game.lengths),)
    layout = layout_of(game)
    return (layout.rows, layout.row_size)


def workspace_bytes(game: CantStop) -> int:
    """Return what a thread needs beside the table: values, slopes and stops of the moments of four boards."""
    return 3 * 32 * sum(elementary_sums(game.lengths, 3)[1:])


def solve_cant_stop(
    game: CantStop,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
    dtype: str = "float64",
) -> BoardValues:
    """Return the fewest expected turns from every board, by the steps that remain; `values[game.lengths]` is the start.

    The bits do not depend on `threads`. With a `checkpoint` directory the run saves itself every minute and when it is
    interrupted; the same call takes it up again. `progress` is called with (boards done, boards in all).

    >>> values = solve_cant_stop(CantStop(sides=2, shortest=1))
    >>> round(values.start, 10), round(values[0, 1, 0] * 7, 10)
    (1.2979481898, 8.0)
    """
    if dtype not in ("float64", "float32"):
        raise ValueError(f"dtype is 'float64' or 'float32', got dtype={dtype!r}")
    if not uses_kernel(game):
        if checkpoint is not None:
            raise ValueError(
                f"checkpoint is for four dice and three markers; {game} is written out in one go: leave it out"
            )
        return BoardValues(game, solve_by_graph(game).astype(dtype).reshape(-1))
    check_space(game, dtype, checkpoint, thread_count(threads))
    layout = layout_of(game)
    table: Table = np.zeros((layout.rows, layout.row_size), dtype)
    run = kernels.CantStopRun(game.sides, game.lengths, game.columns_to_win, table)
    if checkpoint is None:
        _finish(run, thread_count(threads), progress)
    else:
        with Checkpoint(checkpoint, game, table) as saved:
            run.skip(saved.restore())
            _finish(run, thread_count(threads), progress, lambda: saved.save(run.finished))
    return BoardValues(game, table)


def _finish(run: Any, threads: int, progress: Progress | None, save: Callable[[], None] | None = None) -> None:
    """Let the run work to its end, saving it every minute and before an interrupt is raised again."""
    failure: BaseException | None = None
    try:
        while run.finished < run.blocks and failure is None:
            failure = _work(run, threads, progress, CHECKPOINT_SECONDS if save else None)
            if save and failure is None:
                with _undisturbed():
                    save()
    except BaseException:
        if save:
            with _undisturbed():
                save()
        raise
    if failure is not None:
        raise failure
    if progress is not None:
        progress(run.total_boards, run.total_boards)


def _work(run: Any, threads: int, progress: Progress | None, seconds: float | None) -> BaseException | None:
    """Let the run work until it is done or `seconds` are over; an interrupt stops it between blocks.

    Returns what went wrong inside: then nothing is known of the rows at hand, and nothing should be saved.
    """
    total = run.total_boards
    failure: list[BaseException] = []
    ended = threading.Event()  # not Thread.join: up to Python 3.12 an interrupted join takes a running thread for ended

    def work() -> None:
        try:
            run.work(threads)
        except BaseException as error:
            failure.append(error)
        finally:
            ended.set()

    threading.Thread(target=work, daemon=True).start()
    end = None if seconds is None else time.monotonic() + seconds
    try:
        waiting = True
        while waiting:
            waiting = not ended.wait(POLL_SECONDS)
            if progress is not None:
                progress(run.boards, total)
            if end is not None and time.monotonic() > end:
                run.stop()
    except BaseException:
        _stop(run, ended)
        raise
    return failure[0] if failure else None


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Put an interrupt off until what is written now is written; only the main thread is ever interrupted."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    put_off: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: put_off.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler if before is None else before)
    if put_off:
        signal.raise_signal(signal.SIGINT)


def _stop(run: Any, ended: threading.Event) -> None:
    """Stop the run and wait for its threads, however often one is interrupted: they must not outlive the interpreter."""
    while not ended.is_set():
        try:
            run.stop()
            ended.wait(POLL_SECONDS)
        except KeyboardInterrupt:
            continue


def check_space(game: CantStop, dtype: str, checkpoint: str | Path | None = None, threads: int = 1) -> None:
    """Refuse a board whose table does not fit into the memory, or its checkpoint onto the disk, that is free."""
    per_board, free = np.dtype(dtype).itemsize, free_memory()
    beside = threads * workspace_bytes(game)
    wanted = per_board * board_count(game) // 2  # at least; where that fits, the layout itself can be asked
    if wanted + beside <= free:
        wanted = per_board * prod(table_shape(game))
    if wanted + beside > free:
        halved = dtype == "float64" and wanted / 2 + beside <= free
        raise TooLargeError(
            f"{game} needs {(wanted + beside) / 1e9:,.1f} GB of memory, {free / 1e9:,.1f} GB are free; "
            "try a board with fewer sides or shorter columns, such as sides=4, shortest=3"
            + (", or dtype='float32' (--dtype float32)" if halved else "")
        )
    place = next((p for p in (Path(checkpoint), *Path(checkpoint).parents) if p.is_dir()), None) if checkpoint else None
    if checkpoint is not None and place is not None:
        wanted -= sum(path.stat().st_size for path in Path(checkpoint).glob("part-*.npy"))
        free = shutil.disk_usage(place).free
        if wanted > free:
            raise TooLargeError(
                f"{game} needs {wanted / 1e9:,.1f} GB for its checkpoint, {free / 1e9:,.1f} GB are free in "
                f"{checkpoint}; choose a directory on another disk"
            )


def free_memory() -> float:
    """Return the bytes of memory that are free, as far as the system says."""
    try:
        with Path("/proc/meminfo").open() as lines:
            return 1024.0 * next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return float("inf")


def certify_cant_stop(
    values: BoardValues,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
) -> float:
    """Return eta such that |values - true values| <= eta * values / (1 - eta) on every board, proven.

    With the `checkpoint` directory that the values were solved in, the pass can be interrupted and taken up like a solve.
    """
    game = values.game
    if values.layout is None:
        return _missed_by_rules(values, progress)
    once = board_count(game) > MOST_CERTIFIED_TWICE
    slack = 1.01 * (sum(sorted(game.lengths)[-3:]) + 1) * (len(game.rolls()) + 4) * 2.0**-52 if once else 0.0
    rules = (game.sides, game.lengths, game.columns_to_win)
    run = kernels.CantStopRun(*rules, values.table, certify=True, slack=slack)
    if checkpoint is None:
        _finish(run, thread_count(threads), progress)
        return float(max(run.missed))
    with Checkpoint(checkpoint, game, values.table) as saved:
        rows, before = saved.restore_certificate()
        run.skip(rows)

        def missed() -> float:
            return float(max(before, *run.missed))

        _finish(run, thread_count(threads), progress, lambda: saved.save_certificate(run.finished, missed()))
        return missed()


def _missed_by_rules(values: BoardValues, progress: Progress | None) -> float:
    """The same for rules outside the kernel, each equation evaluated straight from the rules.

    Plain floats round once per term, so a turn of d spaces and n rolls is off by at most d (n + 2) units of its value.
    """
    game = values.game
    boards = [standing for standing in game.standings() if not game.is_won(standing)]
    largest = float(values.table.max())
    rounding = sum(game.lengths) * (len(game.rolls()) + 2) * 2.0**-53 * largest
    missed = 0.0
    for done, standing in enumerate(boards):
        worth = values[tuple(length - space for length, space in zip(game.lengths, standing, strict=True))]
        missed = max(missed, abs(1.0 + roll_worth(values, standing, (), {}) - worth))
        if progress is not None:
            progress(done + 1, len(boards))
    return missed + rounding


def error_bound(values: BoardValues, eta: float) -> float:
    """Return the certified bound that `eta` gives for the largest value, and so for all."""
    if eta >= 1.0:
        return float("inf")
    return float(eta * float(values.table.max()) / (1.0 - eta) * (1.0 + 1e-15))
