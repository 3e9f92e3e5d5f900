"""Stopping long work at a safe point.

An interrupt that raises wherever the program happens to be can leave a lock held or a file half written. So long work
only notes signals and looks at the note between two steps (`signals_noted`). A server that wants to cancel work, or to
limit its time, gives a check that the work calls now and then (`checked_by`): whatever the check raises ends the work.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Any

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))

_check: ContextVar[Callable[[], None] | None] = ContextVar("check", default=None)


@contextmanager
def checked_by(check: Callable[[], None]) -> Iterator[None]:
    """Let all long work within call `check` now and then; an exception that it raises ends the work.

    >>> def too_late():
    ...     raise TimeoutError("too late")
    >>> with checked_by(too_late):
    ...     check_wanted()
    Traceback (most recent call last):
    TimeoutError: too late
    """
    before = _check.set(check)
    try:
        yield
    finally:
        _check.reset(before)


def check_wanted() -> None:
    """Raise if this work is no longer wanted; for long loops, which call it every few milliseconds."""
    check = _check.get()
    if check is not None:
        check()


def report(progress: Callable[[int, int], None] | None, done: int, total: int) -> None:
    """Tell how far a long loop in Python has come, and raise if it is no longer wanted."""
    check_wanted()
    if progress is not None:
        progress(done, total)


def has_check() -> bool:
    """Whether anybody may want to stop this work."""
    return _check.get() is not None


class Noted:
    """The signals that have come in since they are only noted."""

    def __init__(self) -> None:
        self.signals: list[int] = []

    def __bool__(self) -> bool:
        return bool(self.signals)

    def note(self, number: int, frame: FrameType | None) -> None:
        """Note a signal; this is the handler."""
        if number not in self.signals:
            self.signals.append(number)


_noted: Noted | None = None


@contextmanager
def signals_noted() -> Iterator[Noted]:
    """Note Ctrl-C, SIGTERM and SIGHUP instead of acting on them; at the end they act as they would have before.

    The work within looks at the yielded `Noted` between two steps, stops and saves. An ignored signal stays ignored. Only
    the main thread receives signals; on another thread nothing is ever noted.
    """
    global _noted
    if threading.current_thread() is not threading.main_thread():
        yield Noted()
        return
    if _noted is not None:  # inside another one, which acts at its own end
        yield _noted
        return
    noted = _noted = Noted()
    before: dict[int, Any] = {}
    try:
        for number in SIGNALS:
            handler = signal.getsignal(number)
            if handler is not None and handler is not signal.SIG_IGN:
                before[number] = handler
                signal.signal(number, noted.note)
        yield noted
    finally:
        _noted = None
        for number, handler in reversed(before.items()):  # Ctrl-C last: from then on it may raise
            signal.signal(number, handler)
        for number in noted.signals:
            signal.raise_signal(number)
