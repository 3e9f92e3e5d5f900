"""Rows of a board solved by the processes and machines of a Ray cluster.

Every worker has a table of its own. With the rows to do it is sent whatever others have finished since it was last asked,
so the rows below are there, and it gives back the values of its rows. The driver writes them into its table and, with a
checkpoint, to disk. A worker that is lost is replaced and its rows are handed out again; a driver that is lost resumes from
its checkpoint. Ray does the rest: placing workers, moving arrays, noticing that a machine is gone.
"""

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any

import numpy as np

from jeopardice.columns.alone import Task
from jeopardice.columns.rows import Batch, WorkerLost
from jeopardice.columns.values import Table
from jeopardice.games.cant_stop import CantStop
from jeopardice.kernels import thread_count

LOCAL = "local"
ROWS_PER_THREAD = 4
"""Rows handed out at a time for each thread of a worker: enough to make the way there and back short beside the work."""


class RowSolver:
    """A worker process: its own table, and a kernel's worker for each of its threads."""

    def __init__(self, game: CantStop, table: Table, task: Task, threads: int) -> None:
        self._table = np.array(table)
        self._workers = [task.worker(game, self._table) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads)

    def work(self, rows: list[int], finished: list[tuple[list[int], Any]]) -> tuple[Table, float]:
        """Do rows, after taking over what others have finished; return their values and the most an equation is missed."""
        arrived = import_module("ray").get([ref for _, ref in finished])
        for (others, _), (values, _) in zip(finished, arrived, strict=True):
            self._table[others] = values
        shares = [rows[first :: len(self._workers)] for first in range(len(self._workers))]
        list(self._pool.map(lambda worker, share: worker.work(share), self._workers, shares))
        return self._table[rows], max(worker.missed for worker in self._workers)


class RayWorkers:
    """The workers of a Ray cluster: `local` starts one process per thread here, an address one process per machine."""

    def __init__(self, address: str, game: CantStop, table: Table, task: Task, threads: int | None = None) -> None:
        try:
            ray: Any = import_module("ray")
        except ImportError:
            raise ModuleNotFoundError(
                "a cluster needs Ray, which is not installed; install it with: pip install 'jeopardice[cluster]'"
            ) from None
        self._ray, self._table, self._is_ours = ray, table, not ray.is_initialized()
        count = thread_count(threads)
        try:
            if self._is_ours and address == LOCAL:
                ray.init(num_cpus=count, include_dashboard=False, log_to_driver=False, configure_logging=False)
            elif self._is_ours:
                ray.init(address=address, log_to_driver=False, configure_logging=False)
        except (ConnectionError, ValueError, RuntimeError) as error:
            line = str(error).strip().partition("\n")[0]
            raise ConnectionError(
                f"no Ray cluster answers at {address!r} ({line}); start one with: ray start --head"
            ) from None
        cpus = [int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]]
        self._slots = [1] * count if address == LOCAL else [min(cpu, threads or cpu) for cpu in cpus if cpu]
        self._make = ray.remote(RowSolver).options
        self._start = (game, ray.put(table), task)
        self._finished: list[tuple[list[int], Any]] = []
        self._idle = [(self._started(slots), slots, 0) for slots in self._slots]
        self._tasks: dict[Any, tuple[list[int], Any, int, int]] = {}

    @property
    def batch(self) -> int:
        """How many rows are handed out at a time."""
        return ROWS_PER_THREAD * max(self._slots)

    @property
    def idle(self) -> int:
        """Workers without rows."""
        return len(self._idle)

    @property
    def busy(self) -> int:
        """Workers at work."""
        return len(self._tasks)

    def give(self, rows: list[int]) -> None:
        """Send rows to an idle worker, with what others have finished since it was last asked."""
        solver, slots, seen = self._idle.pop()
        task = solver.work.remote(rows, self._finished[seen:])
        self._tasks[task] = rows, solver, slots, len(self._finished)

    def wait(self, seconds: float) -> list[Batch]:
        """Return the batches that came back; the rows of a lost worker come back too, and another takes its place."""
        done, _ = self._ray.wait(list(self._tasks), num_returns=1, timeout=seconds)
        return [self._collected(task) for task in done]

    def stop(self) -> list[Batch]:
        """End the workers and return what was done by now."""
        done = self._ray.wait(list(self._tasks), num_returns=len(self._tasks), timeout=0)[0] if self._tasks else []
        batches = [self._collected(task) for task in done]
        for solver in (*(s for s, _, _ in self._idle), *(s for _, s, _, _ in self._tasks.values())):
            self._ray.kill(solver)
        if self._is_ours:
            self._ray.shutdown()
        return [batch for batch in batches if batch.failure is None]

    def _started(self, slots: int) -> Any:
        return self._make(num_cpus=slots).remote(*self._start, slots)

    def _collected(self, task: Any) -> Batch:
        rows, solver, slots, seen = self._tasks.pop(task)
        try:
            values, missed = self._ray.get(task)
        except self._ray.exceptions.RayActorError:
            self._idle.append((self._started(slots), slots, 0))
            return Batch(rows, failure=WorkerLost(f"a worker was lost on rows {rows[0]} to {rows[-1]}"))
        except self._ray.exceptions.RayTaskError as error:
            return Batch(rows, failure=error.cause or error)
        self._table[rows] = values
        self._finished.append((rows, task))
        self._idle.append((solver, slots, seen))
        return Batch(rows, missed)
