"""The cost of work before it begins: estimates, and refusals where the memory that is free is not enough."""

from pathlib import Path
from typing import NamedTuple

from jeopardice.errors import TooLargeError


class Work(NamedTuple):
    """The cost of a solve, estimated from the rules; seconds are for the threads asked about."""

    anchors: int
    seconds: float
    bytes: int


def free_memory() -> float:
    """Return the bytes of memory that are free, as far as the system says."""
    try:
        with Path("/proc/meminfo").open() as lines:
            return 1024.0 * next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return float("inf")


def size_words(count: float) -> str:
    """Return a number of bytes as one reads it.

    >>> size_words(2.5e9), size_words(40_000), size_words(20)
    ('2.5 GB', '40 kB', '20 bytes')
    """
    if count < 1e3:
        return f"{count:,.0f} bytes"
    if count < 1e5:
        return f"{count / 1e3:,.0f} kB"
    return f"{count / 1e9:,.1f} GB" if count >= 1e9 else f"{count / 1e6:,.1f} MB"


def check_memory(needed: float, what: str, remedy: str) -> None:
    """Refuse work that needs more memory than is free.

    >>> check_memory(1e18, "this race", "choose a smaller target")
    Traceback (most recent call last):
    jeopardice.errors.TooLargeError: this race needs 1,000,000,000.0 GB of memory, ... GB are free; choose a smaller target
    """
    if needed > (free := free_memory()):
        raise TooLargeError(f"{what} needs {size_words(needed)} of memory, {size_words(free)} are free; {remedy}")
