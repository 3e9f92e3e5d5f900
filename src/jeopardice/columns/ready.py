"""Answers on boards too large to solve: a proven bracket of a few megabytes, made on first use and cached.

Its upper table is a strategy with a proven number of turns (docs/brackets.md), so advice, games and simulations on the
official board need no hours of solving. The cache is the one of the package (`store.cache_directory`), one saved bracket
per rules; every read checks its digests, and one that is damaged or of an older format is made again. A bracket that was
bounded for longer and saved is used with `--solution DIR`.
"""

import hashlib
import shutil
from pathlib import Path

from filelock import FileLock

from jeopardice.columns.bracket import Limits
from jeopardice.columns.bracket_solution import BracketSolution, load_bracket, solve_bracket
from jeopardice.columns.graph import board_count
from jeopardice.columns.work import uses_kernel
from jeopardice.errors import StaleSolution
from jeopardice.kernels import Progress
from jeopardice.rules.goal import Race
from jeopardice.store import cache_directory, read_blocks

MOST_SOLVED = 10_000_000
"""Boards up to which a question is answered by solving: two minutes."""
STARTED, SECONDS = 2, 300.0
"""How a bracket is made on first use: started columns that are exact, and the time within which finer rounds must end."""


def is_bounded(goal: Race, most: int | None = None) -> bool:
    """Is this a board for one player that is answered from a bracket, because it has more than this many standings?"""
    if goal.players != 1 or not uses_kernel(goal.game):
        return False
    return board_count(goal.game) > (MOST_SOLVED if most is None else most)


def cached_at(goal: Race) -> Path:
    """Return where the bracket of a goal is cached, or will be."""
    name = hashlib.sha256(repr(goal).encode()).hexdigest()[:12]
    return cache_directory() / "brackets" / f"cant-stop-{name}"


def is_ready(goal: Race) -> bool:
    """Is the bracket of a goal in the cache?"""
    return (cached_at(goal) / "manifest.json").exists()


def ready_bracket(
    goal: Race, *, threads: int | None = None, progress: Progress | None = None, seconds: float | None = None
) -> BracketSolution:
    """Return the cached bracket of a goal; make it first where there is none, with finer rounds within this many seconds.

    The first round is always finished.
    """
    place = cached_at(goal)
    place.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(place.with_suffix(".lock")):
        if is_ready(goal):
            try:
                return _loaded(goal, place)
            except StaleSolution:
                shutil.rmtree(place)
        solution = solve_bracket(
            goal, STARTED, Limits(seconds=SECONDS if seconds is None else seconds), threads=threads, progress=progress
        )
        solution.save(place)
        return solution


def _loaded(goal: Race, place: Path) -> BracketSolution:
    about, blocks = read_blocks(place)
    if about.get("goal_repr") != repr(goal):
        raise StaleSolution(f"{place} was made for {about.get('goal_repr')}")
    return load_bracket(goal, blocks, about, str(place))
