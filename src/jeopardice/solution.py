"""The result of a solve and the questions one asks of it, whatever the game and the goal.

A **judge** says what the spots and plays of a match are worth: from a solution, or, where a game is too large to be
solved, by an estimate that says so. A session asks a judge and nothing else about values.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, Self

from jeopardice.rules.game import Mode
from jeopardice.rules.goal import Goal
from jeopardice.rules.match import Match
from jeopardice.types import Blocks, Keywords, MatchPlay, Number, Spot

Progress = Callable[[int, int], None]
"""Called now and then with (steps done, steps in all)."""


@dataclass(frozen=True)
class Certificate:
    """A proven bound of the error of all values, or the reason why there is none."""

    bound: float | None
    reason: str = ""


Mark = Literal["inaccuracy", "mistake", "blunder"]


@dataclass(frozen=True)
class Measure:
    """What values count, whether less of it is better, and from which loss on a play is marked.

    Nine of ten estimated chances are off by no more than `spread`; 0 where nobody has measured it.
    """

    name: str
    inaccuracy: float
    mistake: float
    blunder: float
    prefers_less: bool = False
    is_estimate: bool = False
    spread: float = 0.0

    @property
    def is_chance(self) -> bool:
        """Whether values are chances, written as per cent."""
        return self.name.endswith("chance")

    def mark(self, loss: Number) -> Mark | None:
        """Return the mark of a loss: none below `inaccuracy`.

        >>> Measure("win chance", 0.005, 0.02, 0.05).mark(0.03)
        'mistake'
        """
        if loss >= self.blunder:
            return "blunder"
        if loss >= self.mistake:
            return "mistake"
        return "inaccuracy" if loss >= self.inaccuracy else None

    def words(self, value: Number) -> str:
        """Return a value in words: 61.2%, 11.87 turns."""
        return f"{100 * float(value):.1f}%" if self.is_chance else f"{float(value):.2f} {self.name}"

    def difference(self, value: Number) -> str:
        """Return a difference as a bare signed number: in points of chance, or in what the goal counts.

        >>> Measure("win chance", 0.005, 0.02, 0.05).difference(-0.032)
        '-3.20'
        """
        number = f"{float(value) * (100 if self.is_chance else 1):+.2f}"
        return number[1:] if float(number) == 0 else number

    def loss_words(self, loss: Number) -> str:
        """Return a loss in words: 3.2 points of win chance, 0.41 turns."""
        if not self.is_chance:
            return f"{float(loss):.2f} {self.name}"
        number = f"{100 * float(loss):.1f}" if loss >= 0.0005 else f"{100 * float(loss):.2g}"
        return f"{number} points of {self.name}"

    def thresholds(self) -> dict[str, float]:
        """Return the loss from which each mark is given."""
        return {"inaccuracy": self.inaccuracy, "mistake": self.mistake, "blunder": self.blunder}


CHANCE_MARKS = (0.005, 0.02, 0.05)
"""From these losses on a play is marked where values are chances."""


def distance(value: Number, other: Number) -> Number:
    """Return by how much two values differ."""
    return value - other if value > other else other - value


@dataclass(frozen=True)
class Option:
    """One thing to do: its words, its value, and its parts.

    `points` are the points at risk afterwards, `mode` the mode rolled in next (None after a stop), `kept` the dice set
    aside. `share` is how often best play takes it, where best play is mixed. `match_play` is the play as a match takes it.
    """

    play: str
    value: Number
    stops: bool
    points: int
    mode: Mode = None
    kept: tuple[int, ...] = ()
    share: float | None = None
    match_play: MatchPlay = field(default=None, repr=False)


@dataclass(frozen=True)
class Advice:
    """Every option of a moment, best first, as the goal counts it; options within `error_bound` of the best are `ties`.

    `note` says what a reader must know of these values, such as that they are bounds.
    """

    options: tuple[Option, ...]
    bound: Callable[[], float | None] = field(default=lambda: 0.0, repr=False, compare=False)
    note: str = ""

    @property
    def error_bound(self) -> float | None:
        """The certified bound of the values shown; None where nothing is proved. Computed when first wanted."""
        return self.bound()

    @property
    def best(self) -> Option:
        """The best option; ties are broken by the stated rule: stop before roll, more points before fewer."""
        return self.options[0]

    @property
    def value(self) -> Number:
        """What the moment is worth under best play."""
        return self.best.value

    @property
    def ties(self) -> tuple[Option, ...]:
        """The options that are as good as the best one, within the error bound."""
        return tuple(o for o in self.options if distance(o.value, self.best.value) <= 2 * (self.error_bound or 0.0))


class Judge(Protocol):
    """What the spots and plays of a match are worth under best play of everybody from there on."""

    @property
    def goal(self) -> Goal:
        """What is played for; its repr names rules and goal completely."""
        ...

    @property
    def match(self) -> Match:
        """The match whose spots are judged."""
        ...

    @property
    def measure(self) -> Measure:
        """What values count."""
        ...

    @property
    def tie(self) -> float:
        """Losses up to this size are rounding: such options are as good as the best."""
        ...

    def options_at(self, spot: Spot) -> tuple[Option, ...]:
        """Every play of `match.plays(spot)` as an option with `match_play`, best first; no two have the same words.

        Values are those of the player who chooses, as `advise` counts them (alone: from here on, the turn in progress
        included). Ties are broken by the rule of `Advice`.
        """
        ...

    def values_at(self, spot: Spot) -> tuple[Number, ...]:
        """What the whole game will have brought every seat, all that was spent so far included.

        Once the game is over these are `match.returns(spot)`; before a roll they are the mean over the rolls, and before a
        choice they are those after the best play.
        """
        ...


class Solution(Protocol):
    """What every solution answers."""

    @property
    def goal(self) -> Goal:
        """What was wanted."""
        ...

    @property
    def value(self) -> Number:
        """The value for the player to move, from the start: a float, or a Fraction if solved exactly."""
        ...

    @property
    def values(self) -> tuple[Number, ...]:
        """The value for every seat, in the order of play."""
        ...

    @property
    def certificate(self) -> Certificate | None:
        """The certificate, once `certify` has made it."""
        ...

    @property
    def error_bound(self) -> float | None:
        """The certified bound of all values; makes the certificate on first use, which takes about as long as solving."""
        ...

    @property
    def match(self) -> Match:
        """The game as a tree of spots."""
        ...

    @property
    def advise(self) -> Callable[..., Advice]:
        """Every option at a position given by keywords, best first."""
        ...

    def strategy(self, seat: int = 0) -> Any:
        """Best play of a seat, as a strategy; refused in one line where best play is no plain strategy."""
        ...

    def certify(self, progress: Progress | None = None, threads: int | None = None) -> Self:
        """Make the certificate, with progress."""
        ...

    def rows(self) -> Iterable[Keywords]:
        """The values as rows of a table, for export."""
        ...

    def blocks(self) -> Blocks:
        """The arrays that `save` writes."""
        ...

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        ...
