"""What a game is: the questions every set of rules answers.

A points game is played in turns. The moment in a turn is (points at risk, **mode**); the mode is whatever else decides
the next roll: nothing in Pig, the number of dice left in Ten Thousand, the number of dice chosen in Hog. Three answers
describe the whole game, and nothing else in the package knows more about it.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from operator import index
from re import sub
from typing import Any, Protocol, get_args, get_type_hints, runtime_checkable

from jeopardice.dice import Dice
from jeopardice.types import Game, MatchRoll

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

    def rolls(self, mode: Any) -> Mapping[MatchRoll, int]:
        """Every roll that can fall in `mode`, with its whole-number weight."""
        ...

    def plays(self, mode: Any, roll: MatchRoll) -> Sequence[Play]:
        """The ways to use `roll`, most points first where it matters; none for a bust."""
        ...


def is_points_game(game: object) -> bool:
    """Whether a value, not a class, answers the questions of `PointsGame`.

    >>> is_points_game("pig")
    False
    """
    return not isinstance(game, type) and all(hasattr(game, answer) for answer in ("opening", "rolls", "plays"))


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


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass by name: the rules of a game, the options of a goal, the parts of a spot.

    >>> fields_of(Play(5, 0))
    {'points': 5, 'mode': 0, 'kept': ()}
    """
    return {part.name: getattr(value, part.name) for part in fields(value)}


def changed_fields(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass that differ from their defaults, by name.

    >>> changed_fields(Play(5, 0, kept=(5,)))
    {'points': 5, 'mode': 0, 'kept': (5,)}
    """
    defaults = {part.name: part.default for part in fields(value)}
    return {name: given for name, given in fields_of(value).items() if given != defaults[name]}


def dice_differ(game: Game) -> bool:
    """Whether the dice of a game differ; then a mode is the kind of each die that is left, and a roll names kinds too."""
    return isinstance(getattr(game, "opening", None), tuple)


def has_dice_to_change(game: Game) -> bool:
    """Whether a game can be played with dice of one's choice: its field `dice` takes a `Dice`."""
    return Dice in get_args(get_type_hints(type(game)).get("dice"))


def may_stop_in(game: PointsGame, mode: Mode) -> bool:
    """Whether one may stop in a mode: always, unless the game answers `may_stop(mode)`."""
    answer = getattr(game, "may_stop", None)
    return True if answer is None else bool(answer(mode))


def roll_words_of(game: Game, mode: Mode) -> str | None:
    """How one says that one rolls in a mode, where the game has words of its own (`roll_words(mode)`)."""
    words = getattr(game, "roll_words", None)
    return None if words is None else str(words(mode))


def scoring_of(game: Game) -> list[Any]:
    """Return the lines of the scoring card of a game, if it has one (`scoring()`)."""
    return list(game.scoring()) if hasattr(game, "scoring") else []


def sets_aside_of(game: Game, mode: Mode, roll: MatchRoll) -> list[tuple[tuple[int, ...], int, Mode]]:
    """Return all ways to set dice aside, as (faces, points, mode), where the game lists them (`sets_aside(mode, roll)`)."""
    return list(game.sets_aside(mode, roll)) if hasattr(game, "sets_aside") else []


def mode_word(game: Game) -> str:
    """Return the game's own word for its modes, such as dice; "mode" if it has none."""
    return str(getattr(game, "mode_word", None) or "mode")


def is_whole(number: object, least: int = 0) -> bool:
    """Whether a rule is a whole number of Python's own, from `least` on; True and False are none.

    >>> is_whole(7), is_whole(-7), is_whole(True), is_whole(7.0)
    (True, False, False, False)
    """
    return isinstance(number, int) and not isinstance(number, bool) and number >= least


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
