"""A race in which both choose at the same time, asked the same questions as any other solution.

Best play is a mixture: each choice has a chance. Advice lists the choices that are mixed first, then the others, each
with the chance to win that it gives against the other side's best mixture.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jeopardice.goal import Simultaneous
from jeopardice.kernels import Progress
from jeopardice.moments import Advice, Option
from jeopardice.solvers.simultaneous import SimultaneousSolution, choice_values, solve_simultaneous
from jeopardice.store import goal_as_json, write_blocks


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
    def error_bound(self) -> float:
        """A certified bound of the error of all values."""
        return self.race.error_bound

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
        options = [
            Option(f"{self.words(choice)}{_how_often(mixture.get(choice, 0.0))}", worth[choice], False, 0, choice)
            for choice in order
        ]
        return Advice(tuple(options), lambda: self.error_bound)

    def words(self, choice: Any) -> str:
        """Return a choice as one says it."""
        say = getattr(self.goal.game, "roll_words", None)
        return str(say(choice)) if say is not None else f"choose {choice}"

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        about = {"goal": goal_as_json(self.goal), "goal_repr": repr(self.goal)}
        about |= {"value": self.value, "error_bound": self.error_bound}
        race = self.race
        return write_blocks(path, about, {"values": race.values, "bounds": race.error_bounds, "weights": race.weights})


def solve_mixed(goal: Simultaneous, *, progress: Progress | None = None) -> MixedSolution:
    """Solve a race in which both choose at the same time."""
    if goal.target is None:
        raise ValueError(f"a race needs a target, and {goal.game!r} names no usual one; say target=...")
    return MixedSolution(
        goal, solve_simultaneous(goal.game, goal.target, both_reach=goal.both_reach, progress=progress)
    )


def _how_often(chance: float) -> str:
    return f" ({chance:.1%} of the time)" if 0 < chance < 1 else ""
