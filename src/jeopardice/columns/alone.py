"""Can't Stop alone: the fewest expected turns from every board, with the kernel in `cant_stop.hpp`.

One anchor is one board: how far each column is climbed. A bust leads back to it, a stop leads to a board with fewer
steps remaining, so boards are solved in order of the steps that remain, each as a Newton fixed point. Only anchors are
stored; `turn.py` replays a turn from them.

**Certificate.** Put the values f into their own equations: T f(r) is the value of the best turn from board r. If every
T f(r) lies within eta of f(r), eta < 1, then because each turn costs 1, f / (1 - eta) is no better than its own best
turn and f / (1 + eta) is no worse, so the true values lie between: |f - f*| <= eta * f / (1 - eta) everywhere.
`certify_cant_stop` evaluates all T f(r) twice, rounded up and rounded down, so the eta it returns is proven. On large boards
it evaluates once, rounded up: a turn of d rolls adds and multiplies nonnegative numbers, each roll some n times, so the
result is at most (1 + 2^-52)^(dn) times too large, and that settles the other side in half the time.
"""

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from jeopardice.columns.checkpoint import Checkpoint
from jeopardice.columns.classes import kernel_board
from jeopardice.columns.graph import board_count, solve_by_graph
from jeopardice.columns.rows import Run, Threads, Workers
from jeopardice.columns.turn import roll_worth
from jeopardice.columns.values import BoardValues, Table
from jeopardice.columns.work import check_space, uses_kernel
from jeopardice.games.cant_stop import CantStop
from jeopardice.kernels import Progress, kernels, thread_count

MOST_CERTIFIED_TWICE = 10_000_000
"""Boards up to which the certificate rounds both ways; beyond, one way settles both, within 1e-11 instead of 1e-13."""
MOST_SOLVED_TO_ROUNDING, CLOSE = 100_000, 1e-12
"""Boards up to which every fixed point is met to rounding; beyond, a board may stay about so far from its own."""


class Task(NamedTuple):
    """What is to be done with rows, and with which `slack` (see `cant_stop_run.hpp`): solve them, or certify them."""

    certifies: bool = False
    slack: float = 0.0

    def worker(self, game: CantStop, table: Table) -> Any:
        """Return the kernel's worker of one thread."""
        purpose = kernels.CantStopPurpose.certify if self.certifies else kernels.CantStopPurpose.solve
        return kernels.CantStopWorker(kernel_board(game), table, purpose, self.slack)

    def threads(self, game: CantStop, table: Table, threads: int) -> Threads:
        """Return threads of this process."""
        return Threads(threads, lambda: self.worker(game, table))


MakeWorkers = Callable[[CantStop, Table, Task], Workers]
"""Makes those who work on the rows of a table: threads of this process, unless a cluster is asked."""


def solve_cant_stop(
    game: CantStop,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
    dtype: str = "float64",
    workers: MakeWorkers | None = None,
) -> BoardValues:
    """Return the fewest expected turns from every board, by the steps that remain; `values[game.lengths]` is the start.

    The result is bit-for-bit the same for any number of threads. With a `checkpoint` directory the run saves itself every
    minute and when it is interrupted; the same call resumes it. `progress` is called with (boards done, boards in all).

    >>> values = solve_cant_stop(CantStop(sides=2, shortest=1))
    >>> round(values.start, 10), round(values[0, 1, 0] * 7, 10)
    (1.2979481898, 8.0)
    """
    if dtype not in ("float64", "float32"):
        raise ValueError(f"dtype is 'float64' or 'float32', got dtype={dtype!r}")
    if not uses_kernel(game):
        if checkpoint is not None or workers is not None:
            raise ValueError(
                f"checkpoint and cluster are for four dice and three markers; {game} is solved in one go: leave them out"
            )
        return BoardValues(game, solve_by_graph(game).astype(dtype).reshape(-1))
    check_space(game, dtype, checkpoint, thread_count(threads))
    board = kernel_board(game)
    table: Table = np.zeros((board.rows + 1, board.row_size), dtype)
    task = Task(slack=CLOSE if board_count(game) > MOST_SOLVED_TO_ROUNDING else 0.0)
    with Checkpoint(checkpoint, game, table) if checkpoint is not None else nullcontext() as saved:
        run = Run(board, finished=saved.restore() if saved else [])
        helpers = workers(game, table, task) if workers else task.threads(game, table, thread_count(threads))
        run.work(helpers, progress=progress, save=(lambda: saved.save(run.finished)) if saved else lambda: None)
    return BoardValues(game, table)


def certify_cant_stop(
    values: BoardValues,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
    workers: MakeWorkers | None = None,
) -> float:
    """Return eta such that |values - true values| <= eta * values / (1 - eta) on every board, proven.

    With the `checkpoint` directory that the values were solved in, the pass can be interrupted and resumed like a solve.
    """
    game, board, table = values.game, values.layout, values.table
    if board is None:
        return _missed_by_rules(values, progress)
    once = board_count(game) > MOST_CERTIFIED_TWICE
    slack = 1.01 * (sum(sorted(game.lengths)[-3:]) + 1) * (len(game.rolls()) + 4) * 2.0**-52 if once else 0.0
    task = Task(certifies=True, slack=slack)
    with Checkpoint(checkpoint, game, table) if checkpoint is not None else nullcontext() as saved:
        rows, missed = saved.restore_certificate() if saved else ([], 0.0)
        run = Run(board, in_order=False, finished=rows, missed=missed)
        helpers = workers(game, table, task) if workers else task.threads(game, table, thread_count(threads))
        save = (lambda: saved.save_certificate(run.finished, run.missed)) if saved else lambda: None
        run.work(helpers, progress=progress, save=save)
    return run.missed


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
        missed = max(missed, abs(1.0 + roll_worth(values, standing, (), {}) - values.at(standing)))
        if progress is not None:
            progress(done + 1, len(boards))
    return missed + rounding


def error_bound(values: BoardValues, eta: float) -> float | None:
    """Return the certified bound that `eta` gives for the largest value, and so for all; None if it gives none."""
    if eta >= 1.0:
        return None
    return float(eta * float(values.table.max()) / (1.0 - eta) * (1.0 + 1e-15))
