"""Solutions cached on disk, so that the second time is instant: what the command line and the page ask instead of `solve`.

A race of a game of the package that takes a moment to solve is saved in a directory of the cache, named by its rules,
the version and the format; reading checks every digest and that the rules still give the tables it was solved on. What is
damaged, or of another version, is solved and written again; a cache that cannot be written to is no error. Once the
cache is full the solutions that nobody asked for longest are deleted.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from importlib.metadata import version
from pathlib import Path
from typing import Any

from jeopardice.errors import StaleSolution
from jeopardice.family import family_of, shape_of
from jeopardice.kernels import Progress
from jeopardice.rules.goal import Goal, Race
from jeopardice.rules.text import kind_of
from jeopardice.solution import Certificate
from jeopardice.solver import load, solve
from jeopardice.store import FORMAT, cache_directory, goal_words

MOST_BYTES = 500_000_000
"""All cached solutions together; JEOPARDICE_CACHE_MB names another limit, in megabytes."""

WORTH_CACHING = 0.1
"""Races that are solved in fewer seconds, by estimate, are not cached."""

NOT_YET = "not certified yet"
OFF = "off"
_used: ContextVar[bool] = ContextVar("the cache is used", default=True)


@contextmanager
def without_cache(off: bool = True) -> Iterator[None]:
    """Solve everything again within the block, and save nothing."""
    before = _used.set(_used.get() and not off)
    try:
        yield
    finally:
        _used.reset(before)


def cached_directory() -> Path:
    """Return where solutions are cached: under JEOPARDICE_CACHE, or under the place this system has for such files."""
    return cache_directory() / "solved"


def belongs_in_cache(goal: Goal) -> bool:
    """Return whether the solution of a goal goes through the cache: a race of the package's own games.

    Boards for two do not: most are estimated.
    """
    if not _used.get() or os.environ.get("JEOPARDICE_CACHE") == OFF:
        return False
    if not isinstance(goal, Race) or (shape_of(goal.game) == "columns" and goal.players > 1):
        return False
    if not all(type(game).__module__.startswith("jeopardice.games.") for game in goal.games):
        return False
    family = family_of(goal.game)
    family.check(goal)
    return family.work(goal, 1).seconds >= WORTH_CACHING


def place_of(goal: Goal) -> Path:
    """Return the directory in which the solution of a goal is cached."""
    named = f"{version('jeopardice')} {FORMAT} {goal_words(goal)}"
    digest = hashlib.sha256(named.encode()).hexdigest()[:24]
    return cached_directory() / f"{type(goal.game).__name__.lower()}-{kind_of(goal)}-{digest}"


def solve_cached(goal: Goal, *, threads: int | None = None, progress: Progress | None = None) -> Any:
    """Return the solution of a goal: the cached one, or a new one, which is then cached."""
    if not belongs_in_cache(goal):
        return solve(goal, threads=threads, progress=progress)
    path = place_of(goal)
    try:
        solution = load(path, goal)
        os.utime(path)
    except (OSError, ValueError, StaleSolution):
        solution = solve(goal, threads=threads, progress=progress)
        cache_solution(solution)
        return solution
    if solution.certificate is not None and solution.certificate.reason == NOT_YET:
        object.__setattr__(solution, "certificate", None)
    return solution


def cache_solution(solution: Any) -> None:
    """Cache a solution, with its certificate if it has one; nothing happens where that is not possible."""
    if not belongs_in_cache(solution.goal):
        return
    path = place_of(solution.goal)
    size = sum(int(block.nbytes) for block in solution.blocks().values())
    if size > most_bytes() // 2:
        return
    blank = solution.certificate is None
    if blank:
        object.__setattr__(solution, "certificate", Certificate(None, NOT_YET))
    try:
        with suppress(OSError, ValueError):
            shutil.rmtree(path, ignore_errors=True)
            solution.save(path)
            _make_room(path)
    finally:
        if blank:
            object.__setattr__(solution, "certificate", None)


def cached_solutions() -> dict[Path, int]:
    """Return the cached solutions with their bytes, the one used longest ago first."""
    used: dict[Path, tuple[float, int]] = {}
    for path in cached_directory().glob("*"):
        with suppress(OSError):
            used[path] = (path.stat().st_mtime, sum(file.stat().st_size for file in path.glob("*")))
    return {path: size for path, (_, size) in sorted(used.items(), key=lambda entry: entry[1])}


def clear_cache() -> int:
    """Delete all cached solutions, and return how many there were."""
    cached = cached_solutions()
    shutil.rmtree(cached_directory(), ignore_errors=True)
    return len(cached)


def most_bytes() -> int:
    """Return how much the cache may hold."""
    given = os.environ.get("JEOPARDICE_CACHE_MB", "")
    return int(given) * 1_000_000 if given.isascii() and given.isdigit() else MOST_BYTES


def _make_room(newest: Path) -> None:
    cached = cached_solutions()
    size = sum(cached.values())
    for path, bytes_used in cached.items():
        if size <= most_bytes():
            return
        if path != newest:
            shutil.rmtree(path, ignore_errors=True)
            size -= bytes_used
