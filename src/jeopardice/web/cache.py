"""Solutions that took a while, on disk for the next time: after a restart they are there at once.

A directory holds one solution for each goal, named by a digest of the goal and of the version of the package. The newest
ones are kept. Whatever cannot be read is solved again; whatever cannot be written is not kept, and nobody is bothered.
"""

import shutil
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from jeopardice import __version__
from jeopardice.errors import StaleSolution
from jeopardice.rules.text import brief
from jeopardice.solver import load

MOST_KEPT = 24


class SolutionCache:
    """The solutions in a directory; without one nothing is found and nothing is kept."""

    def __init__(self, directory: Path | None, most: int = MOST_KEPT) -> None:
        self.directory, self.most = directory, most

    def find(self, goal: Any) -> Any:
        """Return the solution of a goal, None if there is none."""
        path = self._path(goal)
        if path is None or not path.exists():
            return None
        try:
            solution = load(path, goal)
            path.touch()
        except (StaleSolution, OSError, ValueError):
            shutil.rmtree(path, ignore_errors=True)
            return None
        return solution

    def keep(self, goal: Any, solution: Any) -> None:
        """Write a solution, with its certificate, and forget the oldest beyond the number kept."""
        path = self._path(goal)
        if path is None or path.exists():
            return
        with suppress(OSError, ValueError):
            path.parent.mkdir(parents=True, exist_ok=True)
            solution.save(path)
            kept = [place for place in path.parent.iterdir() if place.is_dir()]
            for old in sorted(kept, key=lambda place: -place.stat().st_mtime)[self.most :]:
                shutil.rmtree(old, ignore_errors=True)

    def _path(self, goal: Any) -> Path | None:
        if self.directory is None:
            return None
        return self.directory / sha256(f"{__version__} {brief(goal)}".encode()).hexdigest()[:24]
