"""The rows of a board's table, handed to workers as they become ready.

The kernel says which rows are ready (`CantStopReadyRows`: a row waits for the rows below it) and works on given rows. The
loop here passes rows from one to the other, whether the workers are threads of this process or the machines of a cluster
(`cluster.py`). A row's bits depend on the rows below it alone, so they are the same for every worker and every order.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from jeopardice.kernels import POLL_SECONDS, Progress, kernels
from jeopardice.kernels.stopping import check_wanted, signals_noted

MOST_RETRIES = 3
"""Times that rows are handed out again after their worker was lost."""
SAVE_SECONDS = 60.0

Table = NDArray[np.floating]


@dataclass(frozen=True)
class Batch:
    """Rows that came back from a worker, with the most by which it found an equation missed.

    `failure` says why they are not done: a lost worker (then others can do them) or an error.
    """

    rows: list[int]
    missed: float = 0.0
    failure: BaseException | None = None


class WorkerLost(Exception):
    """A worker ended before its rows were done."""


class RowsFailed(Exception):
    """Rows could not be done; the cause says why."""


class Workers(Protocol):
    """Those who work on rows; what they solve ends up in the table."""

    @property
    def batch(self) -> int:
        """How many rows are handed out at a time."""
        ...

    @property
    def idle(self) -> int:
        """How many more batches of rows can be handed out now."""
        ...

    @property
    def busy(self) -> int:
        """How many batches are being worked on."""
        ...

    def give(self, rows: list[int]) -> None:
        """Hand out a batch of rows."""
        ...

    def wait(self, seconds: float) -> list[Batch]:
        """Return the batches that came back; wait so long for the first one."""
        ...

    def stop(self) -> list[Batch]:
        """Stop as soon as possible and return what is done."""
        ...


@dataclass
class Run:
    """A run over the rows of a board: `in_order` if rows wait for each other; `finished` are those done already."""

    board: Any
    in_order: bool = True
    finished: list[int] = field(default_factory=list)
    missed: float = 0.0

    def __post_init__(self) -> None:
        self._ready = kernels.CantStopReadyRows(self.board, self.in_order)
        self._ready.finish(self.finished)
        self._boards = np.array(self.board.boards_of_rows)
        self._lost: Counter[int] = Counter()
        self.boards, self.total = int(self._boards[self.finished].sum()), int(self._boards.sum())

    def work(
        self, workers: Workers, *, progress: Progress | None = None, save: Callable[[], None] = lambda: None
    ) -> None:
        """Hand out rows until all are done, saving every minute and before anything ends the run early."""
        saved = time.monotonic()
        with signals_noted() as noted:
            try:
                while not noted and self._hand_out(workers):
                    self._note(workers.wait(POLL_SECONDS))
                    check_wanted()
                    if progress is not None:
                        progress(self.boards, self.total)
                    if time.monotonic() - saved > SAVE_SECONDS:
                        save()
                        saved = time.monotonic()
            except RowsFailed as error:  # nothing is known of the rows at hand, so nothing is saved
                workers.stop()
                raise (error.__cause__ or error) from None
            except BaseException:
                self._note(workers.stop())
                save()
                raise
            self._note(workers.stop())
            save()
        if noted:  # their handlers have returned, but the run was broken off
            raise KeyboardInterrupt
        if progress is not None:
            progress(self.total, self.total)

    def _hand_out(self, workers: Workers) -> bool:
        """Keep the workers busy; is anything being worked on?"""
        while workers.idle and (rows := self._ready.take(workers.batch)):
            workers.give(rows)
        return workers.busy > 0

    def _note(self, batches: Iterable[Batch]) -> None:
        """Note what is done and put back what was lost; a failure that cannot be repaired is raised."""
        for batch in batches:
            if batch.failure is None:
                self._ready.finish(batch.rows)
                self.finished += batch.rows
                self.missed = max(self.missed, batch.missed)
                self.boards += int(self._boards[batch.rows].sum())
                continue
            self._lost[batch.rows[0]] += 1
            if not isinstance(batch.failure, WorkerLost) or self._lost[batch.rows[0]] > MOST_RETRIES:
                raise RowsFailed from batch.failure
            self._ready.put_back(batch.rows)


class Threads:
    """Threads of this process, all working in one table; `make` makes the kernel's worker of a thread."""

    batch = 1

    def __init__(self, threads: int, make: Callable[[], Any]) -> None:
        self._workers = [make() for _ in range(threads)]
        self._free = list(self._workers)
        self._pool = ThreadPoolExecutor(threads)
        self._tasks: dict[Future[int], tuple[list[int], Any]] = {}

    @property
    def idle(self) -> int:
        """Threads without rows."""
        return len(self._free)

    @property
    def busy(self) -> int:
        """Threads at work."""
        return len(self._tasks)

    def give(self, rows: list[int]) -> None:
        """Start a thread on these rows."""
        worker = self._free.pop()
        self._tasks[self._pool.submit(worker.work, rows)] = rows, worker

    def wait(self, seconds: float) -> list[Batch]:
        """Return the batches of the threads that are done."""
        return self._collected(wait(self._tasks, seconds, FIRST_COMPLETED).done)

    def stop(self) -> list[Batch]:
        """Let each thread finish the row at hand and return all batches, cut to what was done."""
        for worker in self._workers:
            worker.stop()
        self._pool.shutdown()
        return self._collected(self._tasks)

    def _collected(self, tasks: Iterable[Future[int]]) -> list[Batch]:
        batches = []
        for task in list(tasks):
            rows, worker = self._tasks.pop(task)
            self._free.append(worker)
            if failure := task.exception():
                batches.append(Batch(rows, failure=failure))
            elif count := task.result():
                batches.append(Batch(rows[:count], worker.missed))
        return batches
