"""The questions a session asks of a game family, so that any family can be played, judged and drilled.

A game moves from **spot** to spot; a spot is an immutable value that holds everything about the game at an instant.
There are three kinds: the dice fall next (`rolls` has the rolls with their weights), somebody chooses (`choices` has
the plays), or the game is over. Every spot has one value, seen from the first seat under best play of everybody: the
chance to win, or alone what will have been spent at the end. Under best play that number changes by luck only; a choice
can only lose.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from jeopardice.errors import PositionError

Mark = Literal["inaccuracy", "mistake", "blunder"]
Spot = Any
"""A moment of a game as its referee holds it: hashable, immutable, opaque to everybody else."""


@dataclass(frozen=True)
class Choice:
    """One thing to do, in words that name it uniquely at its spot, and what it is worth to the player who chooses.

    `value` counts as the solution's advice does (alone: from here on, the turn in progress included). `rank` 0 is the
    best play, ties broken by the stated rule. `points`, `mode` and `kept` are those of a points game's option.
    """

    play: str
    value: Any
    rank: int
    stops: bool
    points: int = 0
    mode: Any = None
    kept: tuple[int, ...] = ()

    @property
    def moved(self) -> str:
        """The columns that a play on a board climbs, as its words name them; nothing in a points game.

        >>> Choice("move 6 8, roll", 0.5, 0, stops=False).moved
        '6 8'
        """
        columns = self.play.removesuffix(" and stop").removesuffix(", roll")
        return columns.removeprefix("move ") if columns.startswith("move ") else ""

    @property
    def brief(self) -> str:
        """The play in some ten characters: 155 roll."""
        used = dice_words(self.kept, "") or self.moved
        return f"{used} {'stop' if self.stops else 'roll'}" if used else self.play

    def as_json(self, *, with_value: bool) -> dict[str, Any]:
        """Return the choice as plain data; its value only where a player may see it."""
        shown = {"play": self.play, "stops": self.stops, "points": self.points, "mode": plain(self.mode)}
        shown["kept"] = list(self.kept)
        return shown | ({"value": float(self.value), "rank": self.rank} if with_value else {})


@dataclass(frozen=True)
class Measure:
    """What values count and how much of it is much: a loss from `inaccuracy` on is marked, and so on."""

    name: str
    inaccuracy: float
    mistake: float
    blunder: float
    prefers_less: bool = False

    @property
    def is_chance(self) -> bool:
        """Whether values are chances, shown as per cent."""
        return self.name.endswith("chance")

    @property
    def is_estimate(self) -> bool:
        """Whether values are estimated, because the game is not solved: then the best choice is only thought to be best."""
        return self.name.startswith("estimated")

    def mark(self, loss: Any) -> Mark | None:
        """Return how a loss is marked: not at all below `inaccuracy`.

        >>> Measure("win chance", 0.005, 0.02, 0.05).mark(0.03)
        'mistake'
        """
        if loss >= self.blunder:
            return "blunder"
        if loss >= self.mistake:
            return "mistake"
        return "inaccuracy" if loss >= self.inaccuracy else None

    def words(self, value: Any) -> str:
        """Return a value in words: 61.2%, 11.87 turns."""
        return f"{100 * float(value):.1f}%" if self.is_chance else f"{float(value):.2f} {self.name}"

    def difference(self, value: Any) -> str:
        """Return a difference as a bare signed number: in points of chance, or in what the goal counts.

        >>> Measure("win chance", 0.005, 0.02, 0.05).difference(-0.032)
        '-3.20'
        """
        number = f"{float(value) * (100 if self.is_chance else 1):+.2f}"
        return number[1:] if float(number) == 0 else number

    def loss_words(self, loss: Any) -> str:
        """Return a loss in words: 3.2 points of win chance, 0.41 turns."""
        if not self.is_chance:
            return f"{float(loss):.2f} {self.name}"
        shown = f"{100 * float(loss):.1f}" if loss >= 0.0005 else f"{100 * float(loss):.2g}"
        return f"{shown} points of {self.name}"

    def thresholds(self) -> dict[str, float]:
        """Return where each mark begins."""
        return {"inaccuracy": self.inaccuracy, "mistake": self.mistake, "blunder": self.blunder}


class Referee(Protocol):
    """What a game family answers. Values of spots are seen from seat 0; values of choices by who chooses."""

    @property
    def goal(self) -> Any:
        """The goal that is played for; its repr names rules and race completely."""
        ...

    @property
    def players(self) -> int:
        """1 alone, 2 for a duel."""
        ...

    @property
    def measure(self) -> Measure:
        """What values count."""
        ...

    @property
    def counts(self) -> Literal["points", "spaces"]:
        """What `Choice.points` counts: points, of which more are better, or spaces on a board, where that depends."""
        ...

    @property
    def tie(self) -> float:
        """Losses up to this size are rounding: such choices are as good as the best."""
        ...

    def start(self) -> Spot:
        """The spot a game begins at; seat 0 has the dice."""
        ...

    def seat(self, spot: Spot) -> int:
        """Who has the dice."""
        ...

    def is_over(self, spot: Spot) -> bool:
        """Whether the game has ended."""
        ...

    def rolls(self, spot: Spot) -> Mapping[Any, int]:
        """The rolls that can fall now with their weights; none unless the dice fall next."""
        ...

    def choices(self, spot: Spot) -> Sequence[Choice]:
        """The plays one can choose from, in an order that gives nothing away; none unless somebody chooses."""
        ...

    def after_roll(self, spot: Spot, roll: Any) -> tuple[Spot, bool]:
        """The spot after a roll, and whether it was a bust."""
        ...

    def after_choice(self, spot: Spot, choice: Choice) -> Spot:
        """The spot after a choice."""
        ...

    def value(self, spot: Spot) -> Any:
        """What the game is worth to seat 0 at a spot, all that was spent included; at the end, what came of it."""
        ...

    def running(self, spot: Spot, value: Any) -> Any:
        """The value of a choice made at `spot` (or of the spot), as `value` counts it: for seat 0, with all spent."""
        ...

    def winner(self, spot: Spot) -> int | None:
        """The seat that has won, once the game is over and somebody has."""
        ...

    def scores(self, spot: Spot, names: Sequence[str]) -> str:
        """Everybody's standing in a line, by name."""
        ...

    def picture(self, spot: Spot, names: Sequence[str]) -> list[str]:
        """The board with everybody's standing, drawn in lines; none where `scores` says it all."""
        ...

    def brief(self, spot: Spot) -> str:
        """The spot in some twenty characters, for a line of a report; who has the dice comes first."""
        ...

    def describe(self, spot: Spot) -> str:
        """What was rolled and what is at risk, for a person about to choose; empty at the beginning of a turn."""
        ...

    def position(self, spot: Spot) -> dict[str, Any]:
        """The spot as plain data in the words of the game; `spot_at` reads it back."""
        ...

    def spot_at(self, position: Mapping[str, Any]) -> Spot:
        """The spot that a position names; refuses one that cannot occur."""
        ...


def dice_words(roll: Any, between: str = " ") -> str:
    """Return a roll as one reads it: 1 5 5.

    >>> dice_words((1, 5, 5)), dice_words((1, 5, 5), "")
    ('1 5 5', '155')
    """
    return between.join(map(str, roll)) if isinstance(roll, tuple | list) else str(roll)


def counted(number: int, noun: str) -> str:
    """Return so many of something.

    >>> counted(1, "turn"), counted(3, "column")
    ('1 turn', '3 columns')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def plain(thing: Any) -> Any:
    """Return rolls and modes as JSON writes them: tuples become lists, what JSON lacks becomes its repr.

    >>> plain((1, (5, 5)))
    [1, [5, 5]]
    """
    if isinstance(thing, tuple | list):
        return [plain(part) for part in thing]
    return thing if thing is None or isinstance(thing, str | int | float | bool) else repr(thing)


def found(given: Any, known: Iterable[Any], name: str) -> Any:
    """Return the one of `known` that plain data stands for; dice may be given in any order.

    >>> found([5, 1], {(1, 1): 1, (1, 5): 2}, "roll")
    (1, 5)
    """
    wanted, things = plain(given), list(known)
    dice = isinstance(wanted, list) and all(isinstance(die, int) for die in wanted)
    for form in (wanted, sorted(wanted)) if dice else (wanted,):
        for thing in things:
            if plain(thing) == form:
                return thing
    raise PositionError(f"{name}={given!r} cannot occur here; for example {name}={plain(things[0])!r} can")
