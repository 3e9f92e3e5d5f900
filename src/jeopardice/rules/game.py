"""What a game is: the questions every set of rules answers.

A points game is played in turns. The moment in a turn is (points at risk, **mode**); the mode is whatever else decides
the next roll: nothing in Pig, the number of dice left in Ten Thousand, the number of dice chosen in Hog. Three answers
describe the whole game, and nothing else in the package knows more about it.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import index
from re import sub
from typing import Any, Protocol, runtime_checkable

Mode = Hashable


@dataclass(frozen=True)
class Play:
    """One way to use a roll: it adds `points` to those at risk and the turn goes on in `mode`.

    A `mode` of None ends the turn: the points at risk are banked at once. `kept` names the dice set aside, for people
    to read; two plays that differ only there are the same play.
    """

    points: int
    mode: Mode
    kept: tuple[int, ...] = field(default=(), compare=False, repr=False)


@runtime_checkable
class PointsGame(Protocol):
    """The rules of a game whose turns earn points. Rules are values: a frozen dataclass names its variant completely."""

    @property
    def opening(self) -> Mode:
        """The mode in which a turn begins."""
        ...

    def rolls(self, mode: Any) -> Mapping[Any, int]:
        """Every roll that can fall in `mode`, with its whole-number weight."""
        ...

    def plays(self, mode: Any, roll: Any) -> Sequence[Play]:
        """The ways to use `roll`, most points first where it matters; none for a bust."""
        ...


def game_name(game: object) -> str:
    """Return what a game is called: its `name`, if it has one, or its class in words.

    >>> class PassThePigs: ...
    >>> game_name(PassThePigs())
    'Pass The Pigs'
    """
    name = getattr(game, "name", None)
    return name if isinstance(name, str) and name else sub("(?<=[a-z])(?=[A-Z])", " ", type(game).__name__)


def default_target(game: object) -> int | None:
    """Return the target the game is usually played to, if it names one."""
    return getattr(game, "usual_target", None)


def mode_word(game: Any) -> str:
    """Return the game's own word for its modes, such as dice; "mode" if it has none."""
    return str(getattr(game, "mode_word", None) or "mode")


def as_whole(number: Any) -> int | None:
    """Return a whole number of any kind (NumPy's too) as an int; None for anything else, True and False included.

    >>> as_whole(7), as_whole(7.0), as_whole(True)
    (7, None, None)
    """
    if isinstance(number, bool):
        return None
    try:
        return index(number)
    except TypeError:
        return None
