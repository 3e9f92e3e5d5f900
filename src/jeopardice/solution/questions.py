"""The questions that every solution answers, whatever the game and the goal."""

from collections.abc import Callable
from typing import Any, Protocol

from jeopardice.moments import Advice


class Solution(Protocol):
    """What every solution answers."""

    @property
    def goal(self) -> Any:
        """What was wanted."""
        ...

    @property
    def value(self) -> Any:
        """What the goal counts, from the start, under best play: a float, or a Fraction if solved exactly."""
        ...

    @property
    def error_bound(self) -> float:
        """A certified bound: the true value lies within it; 0 if solved exactly."""
        ...

    @property
    def advise(self) -> Callable[..., Advice]:
        """Every option at a position given by keywords, best first."""
        ...

    def save(self, path: Any) -> Any:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        ...
