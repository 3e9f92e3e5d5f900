"""A race in which both choose at the same time, asked the same questions as any other solution.

Best play is a mixture: each choice has a chance. Advice lists the choices that are mixed first, then the others, each
with the chance to win that it gives against the other side's best mixture.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from jeopardice.errors import RulesError
from jeopardice.kernels import Progress
from jeopardice.points.match import TurnPlay
from jeopardice.points.simultaneous import SimultaneousSolution, choice_values, solve_simultaneous
from jeopardice.points.simultaneous_match import SimultaneousMatch
from jeopardice.points.words import WORDS
from jeopardice.rules.goal import Simultaneous
from jeopardice.solution import Advice, Certificate, Option
from jeopardice.store import about_goal, write_blocks
from jeopardice.types import JsonObject


@dataclass(frozen=True, eq=False)
class MixedSolution:
    """The chance to win and a best mixture of choices in every position; the start is fair, so the value is 1/2."""

    goal: Simultaneous
    race: SimultaneousSolution = field(repr=False)

    @property
    def value(self) -> float:
        """The chance to win from the start: 1/2."""
        return self.race.value

    @property
    def values(self) -> tuple[float, ...]:
        """The chances of both."""
        return self.value, 1 - self.value

    @property
    def certificate(self) -> Certificate:
        """The certificate: solving makes it."""
        return Certificate(self.error_bound)

    @property
    def error_bound(self) -> float:
        """A certified bound of the error of all values."""
        return self.race.error_bound

    @property
    def match(self) -> SimultaneousMatch:
        """The race as a tree of spots."""
        return SimultaneousMatch(self.goal)

    def strategy(self, seat: int = 0) -> NoReturn:
        """Refused: best play is a mixture."""
        raise RulesError(
            "best play at the same time is a mixture of choices; ask advise(mine=..., theirs=...) for its shares"
        )

    def certify(self, progress: Progress | None = None, threads: int | None = None) -> "MixedSolution":
        """Return the solution itself: its bound was computed with its values."""
        return self

    def at(self, mine: int, theirs: int) -> float:
        """Return the chance to win with these scores."""
        return self.race.value_at(mine, theirs)

    def mixture(self, mine: int, theirs: int) -> dict[Hashable, float]:
        """Return a best mixture: choices with their chances, those never made left out."""
        return self.race.mixture(mine, theirs)

    def advise(self, *, mine: int = 0, theirs: int = 0) -> Advice:
        """Return every choice: first those that are mixed, most often first, then the others by their worth."""
        mixture = self.mixture(mine, theirs)
        worth = choice_values(self.goal.game, self.race, mine, theirs, both_reach=self.goal.both_reach)
        order = sorted(worth, key=lambda choice: (-mixture.get(choice, 0.0), -worth[choice]))
        plays = [TurnPlay(False, 0, 0, choice) for choice in order]
        options = [
            Option(word, worth[p.mode], False, 0, p.mode, share=mixture.get(p.mode, 0.0), match_play=p)
            for word, p in zip(WORDS.plays(self.goal.game, plays), plays, strict=True)
        ]
        return Advice(tuple(options), lambda: self.error_bound)

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        about = about_goal(self.goal) | {"value": self.value, "error_bound": self.error_bound}
        return write_blocks(path, about, self.blocks())

    def blocks(self) -> dict[str, NDArray[np.float64]]:
        """Return values, bounds and mixtures."""
        return {"values": self.race.values, "bounds": self.race.error_bounds, "weights": self.race.weights}

    def rows(self) -> Iterator[JsonObject]:
        """Yield every position with its value and the chance of every choice."""
        for mine in range(self.race.target):
            for theirs in range(self.race.target):
                chances = zip(self.race.choices, self.race.weights[mine, theirs].tolist(), strict=True)
                value = float(self.race.values[mine, theirs])
                yield {"mine": mine, "theirs": theirs, "value": value} | {f"chance_of_{c}": w for c, w in chances}


def solve_mixed(goal: Simultaneous, *, progress: Progress | None = None) -> MixedSolution:
    """Solve a race in which both choose at the same time."""
    if goal.target is None:
        raise ValueError(f"a race needs a target, and {goal.game!r} names no usual one; say target=...")
    return MixedSolution(
        goal, solve_simultaneous(goal.game, goal.target, both_reach=goal.both_reach, progress=progress)
    )
