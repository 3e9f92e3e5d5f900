"""Solutions in memory, and the jobs that make them.

A goal is solved once: the newest solutions stay on the shelf, a second request for a goal that is being solved waits for
the same job, and every solve runs in a worker thread (the kernels release the GIL), so the page stays quick meanwhile. A
job is cancelled by raising in its progress callback, which stops the kernel at once.
"""

import asyncio
import os
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from secrets import token_hex
from typing import Any

from jeopardice.analysis.turn_arrays import TurnArrays
from jeopardice.board_solution import BoardSolution
from jeopardice.errors import PositionError
from jeopardice.games.cant_stop import CantStop
from jeopardice.goal import Turn
from jeopardice.solution import AloneSolution, DuelSolution, TurnSolution
from jeopardice.solver import solve
from jeopardice.web.boards import BoardRace, check_board, solve_or_estimate
from jeopardice.web.limits import BusyError, LimitError, Limits, check_goal

REPORT_SECONDS = 0.1
KEPT_JOBS = 100
CERTIFY_AT_ONCE = 30_000_000
SOLVE_NICENESS = 10


class CancelledSolve(Exception):
    """Raised inside a solve to stop it."""


class NotSolvedError(ValueError):
    """The goal takes longer than a request may; a job has to solve it first."""


@dataclass(eq=False)
class Shelved:
    """A solution with its replayed turns, the newest kept."""

    solution: Any
    turns: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.turns = lru_cache(maxsize=1024)(self._turn)

    def _turn(self, mine: int, theirs: int) -> TurnArrays:
        solution = self.solution
        if isinstance(solution, BoardSolution | BoardRace):
            raise PositionError(
                "Can't Stop has a board, not points: ask /api/v1/board, or for advice with board and markers"
            )
        if isinstance(solution, TurnSolution):
            return TurnArrays(solution.view(), solution.edge.threshold)
        view = solution.view(mine, theirs) if isinstance(solution, DuelSolution) else solution.view(mine)
        return TurnArrays(view, int(view.goal or 0))

    @property
    def error_bound(self) -> float | None:
        """The certified bound, if it has been computed."""
        known = vars(self.solution).get("error_bound")
        return None if known is None else float(known)


@dataclass(eq=False)
class Job:
    """One solve: where it stands, and a word to stop it."""

    id: str
    goal: Any
    steps: int
    certify: bool = False
    state: str = "waiting"
    done: int = 0
    total: int = 0
    error: str = ""
    seconds: float = 0.0
    cancelled: bool = False
    limit: LimitError | None = None
    ended: threading.Event = field(default_factory=threading.Event)

    def as_json(self) -> dict[str, Any]:
        """Return where the job stands."""
        return {
            "id": self.id,
            "state": self.state,
            "goal": repr(self.goal),
            "done": self.done,
            "total": self.total,
            "seconds": round(self.seconds, 3),
            "error": self.error,
        }


class Shelf:
    """The newest solutions by goal, and the jobs; safe to use from several threads."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._shelved: OrderedDict[Any, Shelved] = OrderedDict()
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="solve", initializer=_step_back)
        self.threads = max(1, (os.cpu_count() or 1) - 1)
        self._number = count(1)

    def found(self, goal: Any) -> Shelved | None:
        """Return the solution of a goal if it is on the shelf."""
        with self._lock:
            shelved = self._shelved.get(goal)
            if shelved is not None:
                self._shelved.move_to_end(goal)
            return shelved

    async def solution(self, goal: Any) -> Shelved:
        """Return the solution of a goal, solving it now if that is quick; else refuse and say how."""
        shelved = self.found(goal)
        if shelved is not None:
            return shelved
        job = await asyncio.to_thread(self.start, goal, at_once=True)
        await asyncio.to_thread(job.ended.wait)
        return self._outcome(job)

    def solved(self, goal: Any) -> Shelved:
        """Return the solution as `solution` does, for code that runs in a worker thread."""
        shelved = self.found(goal)
        if shelved is not None:
            return shelved
        job = self.start(goal, at_once=True)
        job.ended.wait()
        return self._outcome(job)

    def steps(self, goal: Any) -> int:
        """Return about how many steps a solve takes, or refuse it."""
        return check_board(self.limits, goal) if isinstance(goal.game, CantStop) else check_goal(self.limits, goal)

    def start(self, goal: Any, *, at_once: bool = False, certify: bool = False) -> Job:
        """Return the job that solves a goal, the running one if there is one."""
        steps = self.steps(goal)
        shelved = self.found(goal)
        if shelved is not None and (
            shelved.error_bound is not None or not certify or isinstance(shelved.solution, BoardRace)
        ):
            job = Job("0", goal, steps, state="done", done=1, total=1)
            job.ended.set()
            return job
        if at_once and steps > self.limits.steps_at_once:
            raise NotSolvedError(
                "this goal takes a while to solve: start a job with POST /api/v1/solve, then ask again"
            )
        with self._lock:
            open_jobs = [job for job in self._jobs.values() if not job.ended.is_set()]
            for job in open_jobs:
                if job.goal == goal and not job.cancelled and (job.certify or not certify):
                    return job
            if len(open_jobs) >= self.limits.jobs:
                raise BusyError(f"jobs is at most {self.limits.jobs} at once here; wait for one to end, or cancel it")
            job = Job(f"{next(self._number)}-{token_hex(4)}", goal, steps, certify or steps <= CERTIFY_AT_ONCE)
            self._jobs[job.id] = job
            while len(self._jobs) > KEPT_JOBS and next(iter(self._jobs.values())).ended.is_set():
                self._jobs.popitem(last=False)
        self._pool.submit(self._run, job)
        return job

    def job(self, name: str) -> Job | None:
        """Return a job by its id."""
        with self._lock:
            return self._jobs.get(name)

    def jobs(self) -> list[Job]:
        """Return the jobs, oldest first."""
        with self._lock:
            return list(self._jobs.values())

    async def progress(self, job: Job) -> AsyncIterator[dict[str, Any]]:
        """Yield where a job stands, now and then, and last when it has ended."""
        while not job.ended.is_set():
            yield job.as_json()
            await asyncio.sleep(REPORT_SECONDS)
        yield job.as_json()

    def close(self) -> None:
        """Stop every job and the workers."""
        for job in self.jobs():
            job.cancelled = True
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _run(self, job: Job) -> None:
        begun = time.perf_counter()

        def report(done: int, total: int) -> None:
            job.done, job.total, job.seconds = done, total, time.perf_counter() - begun
            if job.cancelled:
                raise CancelledSolve
            if job.seconds > self.limits.job_seconds:
                raise LimitError("job_seconds", self.limits.job_seconds, f"{job.seconds:.0f}")

        try:
            job.state = "running"
            report(0, 1)
            shelved = self.found(job.goal)
            if shelved is None:
                brief = job.steps < 2_000_000 or isinstance(job.goal, Turn)
                progress = None if brief else report
                if isinstance(job.goal.game, CantStop):
                    shelved = Shelved(solve_or_estimate(job.goal, self.threads, report))
                else:
                    shelved = Shelved(solve(job.goal, threads=self.threads, progress=progress))
                self._put(job.goal, shelved)
            if job.certify and not isinstance(shelved.solution, BoardRace):
                job.state = "certifying"
                _ = shelved.solution.error_bound
            job.state, job.done, job.total = "done", 1, 1
        except CancelledSolve:
            job.state, job.error = "cancelled", "cancelled"
        except LimitError as refused:
            job.state, job.error, job.limit = "failed", str(refused), refused
        except Exception as failure:
            job.state, job.error = "failed", str(failure) or type(failure).__name__
        finally:
            job.seconds = time.perf_counter() - begun
            job.ended.set()

    def _put(self, goal: Any, shelved: Shelved) -> None:
        with self._lock:
            self._shelved[goal] = shelved
            while len(self._shelved) > self.limits.solutions or (
                len(self._shelved) > 1
                and sum(_anchors(s.solution) for s in self._shelved.values()) > 4 * self.limits.anchors
            ):
                self._shelved.popitem(last=False)

    def _outcome(self, job: Job) -> Shelved:
        shelved = self.found(job.goal)
        if shelved is None:
            if job.limit is not None:
                raise job.limit
            raise ValueError(job.error or "the solve was cancelled; ask again")
        return shelved


def _anchors(solution: Any) -> int:
    if isinstance(solution, DuelSolution):
        return sum(int(worth.size) for worth in solution.worths)
    if isinstance(solution, BoardSolution):
        return int(solution.values.table.size)
    return int(solution.worth.size) if isinstance(solution, AloneSolution) else 1


def _step_back() -> None:
    """Let answers go before solves: on Linux a thread can be nice, and the threads it starts are so too."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), SOLVE_NICENESS)
