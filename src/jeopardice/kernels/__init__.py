"""The numeric passes, compiled: the only code that is not Python, and it knows no game but its tables.

`watched` runs a long pass on a thread of its own, so that Python can show progress and stop it: for a signal, for an
exception from the progress callback, or because a check says so (`stopping.py`).
"""

import os
import threading
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from jeopardice.kernels import _kernels as kernels
from jeopardice.kernels.stopping import check_wanted, has_check, signals_noted

__all__ = ["Progress", "kernels", "thread_count", "watched"]

Progress = Callable[[int, int], None]
"""Called now and then with (steps done, steps in all)."""

POLL_SECONDS = 0.05
MOST_THREADS = 256

T = TypeVar("T")


def watched(call: Callable[..., T], total: int, progress: Progress | None = None) -> T:
    """Return call(done=, cancelled=), reporting progress meanwhile; a signal or a check cancels the pass, then acts."""
    done, cancelled = np.zeros(1, np.int64), np.zeros(1, np.int32)
    is_main = threading.current_thread() is threading.main_thread()
    if progress is None and not is_main and not has_check():
        return call(done=done, cancelled=cancelled)
    check_wanted()
    outcome: list[T] = []
    failure: list[BaseException] = []
    ended = threading.Event()

    def run() -> None:
        try:
            outcome.append(call(done=done, cancelled=cancelled))
        except BaseException as error:
            failure.append(error)
        finally:
            ended.set()

    with signals_noted() as noted:
        threading.Thread(target=run, daemon=True).start()
        try:
            while not ended.wait(POLL_SECONDS) and not noted:
                check_wanted()
                if progress is not None:
                    progress(int(done[0]), total)
            if progress is not None and not noted:
                progress(int(done[0]), total)
        finally:
            if not ended.is_set():
                cancelled[0] = 1
                ended.wait()
    if noted:  # its handler has returned, but the pass was broken off
        raise KeyboardInterrupt
    if failure:
        raise failure[0]
    return outcome[0]


def thread_count(threads: int | None) -> int:
    """Return how many threads to use: as many as asked for, or one per core this process may run on."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not isinstance(threads, int) or isinstance(threads, bool) or not 1 <= threads <= MOST_THREADS:
        raise ValueError(f"threads is a whole number from 1 to {MOST_THREADS}, got threads={threads!r}")
    return threads
