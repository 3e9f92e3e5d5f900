"""Solutions in memory, and the jobs that make them.

A goal is solved once: the newest solutions stay on the shelf, a second request for a goal that is being solved waits for
the same job, and every solve runs in a worker thread (the kernels release the GIL), so the page stays quick meanwhile.
Quick solves have workers of their own and never wait for long ones. A job looks now and then whether it is still wanted: a
cancelled one, or one past its time limit, ends there, while it is certified as well.
"""

import asyncio
import os
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from itertools import count
from secrets import token_hex
from typing import Any

from jeopardice.analysis.turn_arrays import TurnArrays
from jeopardice.cache import belongs_in_cache, cache_solution, place_of, solve_cached, without_cache
from jeopardice.columns.ready import is_bounded, ready_bracket
from jeopardice.errors import NO_MEMORY, PositionError
from jeopardice.family import family_of, shape_of
from jeopardice.kernels import Progress
from jeopardice.kernels.stopping import checked_by
from jeopardice.points.solution import AloneSolution, DuelSolution, ManySolution, TurnSolution
from jeopardice.rules.game import game_name
from jeopardice.rules.goal import Goal, race_of
from jeopardice.rules.text import kind_of
from jeopardice.solution import Judge
from jeopardice.tutor import judge_of
from jeopardice.types import JsonObject
from jeopardice.web.boards import check_board, estimating_judge, is_estimated
from jeopardice.web.desk import ClosingError, Desk
from jeopardice.web.limits import BusyError, LimitError, Limits, check_goal

REPORT_SECONDS = 0.1
KEPT_JOBS = 100
CERTIFY_AT_ONCE = 30_000_000
SOLVE_NICENESS = 10
AHEAD_NICENESS = 19
QUIET_SECONDS = 5.0
AHEAD_SECONDS = 900
"""The most that a solve takes for which nobody has asked yet."""
AT_ONCE_SECONDS = 0.5
"""How long somebody who wants to play waits for a solution before playing without it."""
BRIEF = 2_000_000
"""Solves of fewer steps report no progress."""


PICTURED = TurnSolution | AloneSolution | DuelSolution | ManySolution
"""What the pictures of Explore are drawn from."""


class CancelledSolve(Exception):
    """Raised inside a solve to stop it."""


class NotSolvedError(ValueError):
    """The goal takes longer than a request may; a job has to solve it first."""


@dataclass(eq=False)
class Shelved:
    """A solution with its replayed turns, the newest ones; without a solution, a judge that estimates."""

    goal: Goal
    solution: Any
    turns: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.turns = lru_cache(maxsize=1024)(self._turn)

    def _turn(self, mine: int, theirs: int | tuple[int, ...]) -> TurnArrays:
        self.check_shape("points", "this picture is for games of points")
        view = self.solution.view(mine, theirs)
        return TurnArrays(view, int(view.goal or view.reach or 0))

    def check_shape(self, shape: str, words: str) -> None:
        """Refuse a question that is for games of another shape, or for another goal."""
        wrong = shape_of(self.goal.game) != shape
        if wrong or (shape == "points" and not isinstance(self.solution, PICTURED)):
            raise PositionError(f"{words}; {game_name(self.goal.game)}, {kind_of(self.goal)}, has none")

    @cached_property
    def judge(self) -> Judge:
        """The judge of the game, for games played on it."""
        return estimating_judge(self.goal) if self.solution is None else judge_of(self.solution)

    @property
    def is_estimate(self) -> bool:
        """Whether the game is not solved, so that its values are estimates without a bound."""
        return self.solution is None

    @cached_property
    def size(self) -> int:
        """How many numbers the solution holds."""
        return 0 if self.solution is None else sum(int(block.size) for block in self.solution.blocks().values())

    @property
    def value(self) -> float:
        """The value for the first player."""
        if self.solution is None:
            return float(self.judge.values_at(self.judge.match.start())[0])
        return float(self.solution.value)

    @property
    def error_bound(self) -> float | None:
        """The certified bound, if it has been computed."""
        certificate = None if self.solution is None else self.solution.certificate
        return None if certificate is None else certificate.bound


@dataclass(eq=False)
class Job:
    """One solve: where it stands, and a word to stop it."""

    id: str
    goal: Goal
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
    finished: "Future[None]" = field(default_factory=Future, repr=False)

    def end(self) -> None:
        """Let all who wait for the job go on."""
        self.ended.set()
        with suppress(InvalidStateError):  # it may have been ended because the server is closing
            self.finished.set_result(None)

    async def wait(self, seconds: float | None = None) -> None:
        """Wait until the job has ended, at most so long; occupies no thread."""
        await asyncio.wait({asyncio.wrap_future(self.finished)}, timeout=seconds)

    def as_json(self) -> JsonObject:
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

    def __init__(self, limits: Limits, desk: Desk | None = None, *, cache: bool = False) -> None:
        self.limits = limits
        self.cache = cache
        self.is_closing = False
        self.desk = desk or Desk(limits)
        self._shelved: OrderedDict[Any, Shelved] = OrderedDict()
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()
        self._quick = ThreadPoolExecutor(max_workers=2, thread_name_prefix="quick")
        self._long = ThreadPoolExecutor(max_workers=2, thread_name_prefix="solve", initializer=_step_back)
        self.threads = max(1, (os.cpu_count() or 1) - 1)
        self._number = count(1)

    def found(self, goal: Goal) -> Shelved | None:
        """Return the solution of a goal if it is on the shelf."""
        with self._lock:
            shelved = self._shelved.get(goal)
            if shelved is not None:
                self._shelved.move_to_end(goal)
            return shelved

    async def solution(self, goal: Goal) -> Shelved:
        """Return the solution of a goal, solving it now if that is quick; else refuse and say how."""
        shelved = self.found(goal)
        if shelved is not None:
            return shelved
        job = await self.desk.answer(partial(self.start, goal, at_once=True))
        await job.wait()
        return self._outcome(job)

    def solved(self, goal: Goal) -> Shelved:
        """Return the solution as `solution` does, for code that runs in a worker thread."""
        shelved = self.found(goal)
        if shelved is not None:
            return shelved
        job = self.start(goal, at_once=True)
        job.ended.wait()
        return self._outcome(job)

    async def judge(self, goal: Goal) -> tuple[Judge | None, Job | None]:
        """Return who judges a game of a goal if that is known by now, and the job that will know it, if there is one.

        Neither where the goal cannot be solved here.
        """
        shelved = self.found(goal)
        if shelved is not None:
            return shelved.judge, None
        try:
            job = await self.desk.answer(partial(self.start, goal))
        except LimitError:
            return None, None
        await job.wait(AT_ONCE_SECONDS)
        shelved = self.found(goal)
        if shelved is not None:
            return shelved.judge, None
        return None, None if job.ended.is_set() else job

    def steps(self, goal: Goal) -> int:
        """Return about how many steps a solve takes, or refuse it."""
        family_of(goal.game).check(goal)
        if shape_of(goal.game) == "columns":
            return check_board(self.limits, race_of(goal))
        return check_goal(self.limits, goal)

    def start(self, goal: Goal, *, at_once: bool = False, certify: bool = False) -> Job:
        """Return the job that solves a goal, the running one if there is one."""
        steps = self.steps(goal)
        shelved = self.found(goal)
        if shelved is not None and (shelved.error_bound is not None or not certify or shelved.is_estimate):
            job = Job("0", goal, steps, state="done", done=1, total=1)
            job.end()
            return job
        is_quick = steps <= self.limits.steps_at_once or (not certify and self._is_on_disk(goal))
        if at_once and not is_quick:
            raise NotSolvedError(
                "this goal takes a while to solve: start a job with POST /api/v1/solve, then ask again"
            )
        with self._lock:
            open_jobs = [job for job in self._jobs.values() if not job.ended.is_set()]
            for job in open_jobs:
                if job.goal == goal and not job.cancelled and (job.certify or not certify):
                    return job
            if len(open_jobs) >= self.limits.jobs:
                raise BusyError(
                    f"at most {self.limits.jobs} solves may wait or run at once; wait for one to end, or cancel it"
                )
            job = Job(f"{next(self._number)}-{token_hex(4)}", goal, steps, certify or steps <= CERTIFY_AT_ONCE)
            self._jobs[job.id] = job
            while len(self._jobs) > KEPT_JOBS and next(iter(self._jobs.values())).ended.is_set():
                self._jobs.popitem(last=False)
        (self._quick if is_quick else self._long).submit(self._run, job)
        return job

    def job(self, name: str) -> Job | None:
        """Return a job by its id."""
        with self._lock:
            return self._jobs.get(name)

    def jobs(self) -> list[Job]:
        """Return the jobs, oldest first."""
        with self._lock:
            return list(self._jobs.values())

    async def progress(self, job: Job) -> AsyncIterator[JsonObject]:
        """Yield where a job stands, now and then, and last when it has ended."""
        while not job.ended.is_set():
            yield job.as_json()
            await asyncio.sleep(REPORT_SECONDS)
        yield job.as_json()

    def close(self) -> None:
        """Tell every job and every answer to stop, and all who wait for them; do not wait for the work itself."""
        self.is_closing = True
        for job in self.jobs():
            job.cancelled = True
            job.end()
        self.desk.close()
        self._quick.shutdown(wait=False, cancel_futures=True)
        self._long.shutdown(wait=False, cancel_futures=True)

    def _is_on_disk(self, goal: Goal) -> bool:
        return self.cache and belongs_in_cache(goal) and place_of(goal).exists()

    def prepare(self, goals: Iterable[Goal]) -> None:
        """Solve goals for the cache on disk, one after another, on a thread that lets everything else go first."""
        if self.cache:
            threading.Thread(target=self._prepare, args=(goals,), name="solve-ahead", daemon=True).start()

    def _prepare(self, goals: Iterable[Goal]) -> None:
        _step_back(AHEAD_NICENESS)
        self._wait_until_quiet()
        for goal in goals:
            self._wait_until_quiet()
            end = time.monotonic() + AHEAD_SECONDS

            def check(end: float = end) -> None:
                if self.is_closing or time.monotonic() > end:
                    raise CancelledSolve

            with suppress(Exception), checked_by(check):  # nobody has asked for it, so nobody is told
                check()
                self.steps(goal)
                if belongs_in_cache(goal) and not self._is_on_disk(goal):
                    cache_solution(solve_cached(goal, threads=1).certify(threads=1))

    def _wait_until_quiet(self) -> None:
        """Wait until no job has been open for a while: to lay out rules takes turns with answers."""
        quiet = 0.0
        while quiet < QUIET_SECONDS and not self.is_closing:
            time.sleep(REPORT_SECONDS)
            quiet = 0.0 if any(not job.ended.is_set() for job in self.jobs()) else quiet + REPORT_SECONDS

    def _run(self, job: Job) -> None:
        begun = time.perf_counter()

        def report(done: int, total: int) -> None:
            job.done, job.total = done, total

        def check() -> None:
            job.seconds = time.perf_counter() - begun
            if job.cancelled:
                raise CancelledSolve
            if job.seconds > self.limits.job_seconds:
                raise LimitError("job_seconds", self.limits.job_seconds, f"{job.seconds:.0f}")

        shelved: Shelved | None = None
        try:
            with checked_by(check):
                check()
                job.state = "running"
                shelved = self.found(job.goal)
                if shelved is None:
                    shelved = Shelved(job.goal, self._solved(job, report))
                    self._put(job.goal, shelved)
                if job.certify and not shelved.is_estimate and shelved.solution.certificate is None:
                    job.state = "certifying"
                    shelved.solution.certify(report, threads=self.threads)
                    with without_cache(not self.cache):
                        cache_solution(shelved.solution)
            job.state, job.done, job.total = "done", 1, 1
        except CancelledSolve:
            job.state, job.error = "cancelled", "cancelled"
        except LimitError as refused:
            job.state, job.error, job.limit = "failed", str(refused), refused
        except MemoryError:
            job.state, job.error = "failed", NO_MEMORY
        except Exception as failure:
            job.state, job.error = "failed", str(failure) or type(failure).__name__
        finally:
            job.seconds = time.perf_counter() - begun
            job.end()

    def _solved(self, job: Job, report: Progress) -> Any:
        """Return the solution of a goal; None where its family only estimates it."""
        if shape_of(job.goal.game) == "columns" and is_estimated(self.limits, job.goal):
            return None
        if shape_of(job.goal.game) == "columns" and is_bounded(race_of(job.goal), self.limits.boards):
            return ready_bracket(race_of(job.goal), threads=self.threads, progress=report, seconds=0.0)
        with without_cache(not self.cache):
            return solve_cached(job.goal, threads=self.threads, progress=None if job.steps < BRIEF else report)

    def _put(self, goal: Goal, shelved: Shelved) -> None:
        with self._lock:
            self._shelved[goal] = shelved
            while len(self._shelved) > self.limits.solutions or (
                len(self._shelved) > 1 and sum(s.size for s in self._shelved.values()) > 4 * self.limits.anchors
            ):
                self._shelved.popitem(last=False)

    def _outcome(self, job: Job) -> Shelved:
        shelved = self.found(job.goal)
        if shelved is None:
            if job.limit is not None:
                raise job.limit
            if self.is_closing:
                raise ClosingError
            raise ValueError(job.error or "the solve was cancelled; ask again")
        return shelved


def _step_back(niceness: int = SOLVE_NICENESS) -> None:
    """Let answers go before solves: on Linux a thread can be nice, and the threads it starts are so too."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
