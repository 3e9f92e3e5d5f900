"""Answers that take work: a few at once, each with a clock, so that no request keeps the others waiting.

The work runs on threads of its own. It looks now and then whether it is still wanted (`kernels/stopping.py`): a clock that
has run out or a server that is closing ends it there. The answer itself never waits longer than the clock, even for work
that does not look.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from jeopardice.kernels.stopping import checked_by
from jeopardice.web.limits import BusyError, LimitError, Limits

GRACE_SECONDS = 1.0
"""How much longer than its clock an answer waits for work that has been told to end."""
POLL_SECONDS = 0.5

T = TypeVar("T")


class ClosingError(ValueError):
    """The server is being stopped."""

    def __init__(self) -> None:
        super().__init__("the server is being stopped; start it again with jeopardice serve")


class _Clock:
    """The time that an answer has, from when its work begins."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._begun: float | None = None

    def start(self) -> None:
        self._begun = time.monotonic()

    def is_over(self, grace: float = 0.0) -> bool:
        return self._begun is not None and time.monotonic() > self._begun + self.seconds + grace


class Desk:
    """Threads for answers, and how many are open."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.is_closing = False
        self._pool = ThreadPoolExecutor(limits.answers_at_once, thread_name_prefix="answer")
        self._open = 0
        self._lock = threading.Lock()

    async def answer(self, work: Callable[..., T], *given: Any) -> T:
        """Return work(*given), done on a thread within `answer_seconds`."""
        with self._lock:
            if self._open >= self.limits.answers:
                raise BusyError(
                    f"{self.limits.answers} questions are being answered, which is the most at once; try again in a moment",
                    "answers",
                )
            self._open += 1
        clock = _Clock(self.limits.answer_seconds)
        try:
            task = self._pool.submit(self._run, clock, work, given)
        except RuntimeError:  # the pool takes no more work
            raise ClosingError from None
        task.add_done_callback(self._forget)
        waiter = asyncio.wrap_future(task)
        while not (await asyncio.wait({waiter}, timeout=POLL_SECONDS))[0]:
            if self.is_closing or clock.is_over(GRACE_SECONDS):
                waiter.add_done_callback(_ignore)
                raise ClosingError if self.is_closing else self._too_long()
        if waiter.cancelled():
            raise ClosingError
        return waiter.result()

    def close(self) -> None:
        """Tell all work to end; do not wait for it."""
        self.is_closing = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _run(self, clock: "_Clock", work: Callable[..., T], given: tuple[Any, ...]) -> T:
        def check() -> None:
            if self.is_closing:
                raise ClosingError
            if clock.is_over():
                raise self._too_long()

        clock.start()
        with checked_by(check):
            return work(*given)

    def _too_long(self) -> LimitError:
        return LimitError("answer_seconds", self.limits.answer_seconds, "an answer that takes longer")

    def _forget(self, task: "Future[Any]") -> None:
        with self._lock:
            self._open -= 1


def _ignore(waiter: "asyncio.Future[Any]") -> None:
    """Take the result of work that nobody waits for any more, so that asyncio does not report it."""
    if not waiter.cancelled():
        waiter.exception()
