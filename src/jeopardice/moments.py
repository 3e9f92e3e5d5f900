"""The moments of one turn, valued: what every solution asks of its anchors when somebody wants advice.

An anchor's value is stored, its turn is replayed when asked. `TurnView` holds a replayed turn in units and answers in the
words of the game: points, rolls, plays.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from jeopardice.errors import PositionError
from jeopardice.game import Mode, Play, PointsGame, as_whole
from jeopardice.turn_table import TurnTable, checked_plays, checked_rolls


@dataclass(frozen=True)
class Option:
    """One thing to do: in words, what it is worth, and its parts.

    `points` are the points at risk afterwards, `mode` the mode rolled in next (None after a stop), `kept` the dice set aside.
    """

    play: str
    value: Any
    stops: bool
    points: int
    mode: Mode = None
    kept: tuple[int, ...] = ()


@dataclass(frozen=True)
class Advice:
    """Every option of a moment, best first, as the goal counts it; options within `error_bound` of the best are `ties`."""

    options: tuple[Option, ...]
    bound: Callable[[], float] = field(default=lambda: 0.0, repr=False, compare=False)

    @property
    def error_bound(self) -> float:
        """The certified bound of the solution that was asked; computed when first wanted."""
        return self.bound()

    @property
    def best(self) -> Option:
        """The best option; ties are broken by the stated rule: stop before roll, more points before fewer."""
        return self.options[0]

    @property
    def value(self) -> Any:
        """What the moment is worth under best play."""
        return self.best.value

    @property
    def ties(self) -> tuple[Option, ...]:
        """The options that are as good as the best one, within the error bound."""
        return tuple(o for o in self.options if abs(o.value - self.best.value) <= 2 * self.error_bound)


@dataclass(frozen=True, eq=False)
class TurnView:
    """A replayed turn: the worth of [at risk][mode] in units, and of banking; `shown` turns a worth into the goal's value."""

    game: PointsGame
    table: TurnTable
    worth: Callable[[int, int], Any]
    bank: Callable[[int], Any]
    bust: Any
    goal: int | None
    bank_from: int
    roll_cost: Any
    shown: Callable[[Any], Any]
    prefers_less: bool
    bound: Callable[[], float]

    def units(self, points: int, name: str = "at_risk") -> int:
        """Return points as units, refusing what the game cannot score."""
        return points_to_units(points, self.table.unit, name)

    def mode_index(self, mode: Mode) -> int:
        """Return the number of a mode, or say which there are."""
        if mode not in self.table.modes:
            known = ", ".join(sorted(map(repr, self.table.modes)))
            word = getattr(self.game, "mode_word", "mode")
            raise PositionError(f"{word} is one of {known}, got {mode!r}")
        return self.table.modes.index(mode)

    def may_stop(self, t: int) -> bool:
        """Nothing at risk is never banked, and less than the least bank only when it reaches the goal."""
        return t >= max(self.bank_from, 1) or self.is_over(t)

    def is_over(self, t: int) -> bool:
        """Whether the goal is reached: then one stops."""
        return self.goal is not None and t >= self.goal

    def roll_worth(self, t: int, mode: int) -> Any:
        """Return what rolling in a mode with t units at risk is worth."""
        table = self.table
        value = table.bust_weight[mode] * self.bust
        for choices, weight in table.groups[mode].items():
            value += weight * max(self.worth(t + points, to) for points, to in choices)
        return value / table.total_weight[mode] - self.roll_cost

    def advise(self, at_risk: int, mode: Mode, roll: Any = None) -> Advice:
        """Return the options before a roll (stop or roll), or after one (each play, then stop or roll)."""
        t, index = self.units(at_risk), self.mode_index(mode)
        at_risk = t * self.table.unit
        if self.goal is not None and t > (most := self.goal + self.table.max_points):
            raise PositionError(f"at_risk is at most {most * self.table.unit} here, got at_risk={at_risk!r}")
        if roll is None:
            options = self._after(t, index, at_risk, (), bare=True)
        else:
            options = [
                option
                for play in self.plays(mode, roll)
                for option in self._after(
                    t + play.points // self.table.unit,
                    len(self.table.modes) if play.mode is None else self.mode_index(play.mode),
                    at_risk + play.points,
                    play.kept,
                    bare=not play.kept,
                )
            ]
        if not options:
            raise PositionError(f"the roll {roll!r} is a bust: the turn is over and there is nothing to choose")
        options.sort(
            key=lambda o: (o.value if self.prefers_less else -o.value, not self._hits(o), not o.stops, -o.points)
        )
        return Advice(tuple(options), self.bound)

    def _hits(self, option: Option) -> bool:
        """Whether the goal is hit: with an opponent who has lost, missing it would be worth as much, for ever."""
        return option.stops and self.goal is not None and option.points // self.table.unit == self.goal

    def advise_at(self, at_risk: int, roll: Any, words: Mapping[str, Any]) -> Advice:
        """Return the options at a moment whose mode is given in words; a choice before any roll is asked at once."""
        mode = mode_of(self.game, roll, words)
        return self.advise(at_risk, mode, choosing_roll(self.game, mode) if roll is None else roll)

    def plays(self, mode: Mode, roll: Any) -> list[Play]:
        """Return the plays of a roll, most points first; a roll that cannot fall in this mode is refused."""
        known = checked_rolls(self.game, mode)
        if (named := _roll_among(known, roll)) is None:
            dice = getattr(self.game, "mode_word", None) == "dice"
            what = f"{mode} dice" if dice else f"mode {mode!r}"
            raise PositionError(f"{roll!r} is not a roll of {what}; for example {next(iter(known))!r} is")
        return sorted(checked_plays(self.game, mode, named), key=lambda play: -play.points)

    def _after(self, t: int, mode: int, at_risk: int, kept: tuple[int, ...], *, bare: bool) -> list[Option]:
        ended = mode == len(self.table.modes)
        keep = "" if bare else "keep " + " ".join(map(str, kept))
        options = []
        if ended or self.may_stop(t):
            words = "stop" if bare else f"{keep} and stop"
            worth = self.worth(t, mode) if ended or self.is_over(t) else self.bank(t)
            options.append(Option(words, self.shown(worth), True, at_risk, None, kept))
        if not ended and not self.is_over(t):
            words = self.roll_words(self.table.modes[mode], bare)
            words = words if bare else f"{keep}, {words}"
            options.append(
                Option(words, self.shown(self.roll_worth(t, mode)), False, at_risk, self.table.modes[mode], kept)
            )
        return options

    def roll_words(self, mode: Mode, bare: bool = False) -> str:
        """Return how one says that one rolls in this mode; a game may have words of its own."""
        named = getattr(self.game, "roll_words", None)
        if named is not None and mode != self.game.opening:
            return str(named(mode))
        if getattr(self.game, "mode_word", None) == "dice" and not bare:
            return f"roll {mode} {'die' if mode == 1 else 'dice'}"
        return "roll"


def choosing_roll(game: PointsGame, mode: Mode) -> Any:
    """Return the empty roll of a mode in which nothing falls and the player only chooses (Hog's opening), else None."""
    rolls = checked_rolls(game, mode) if mode == game.opening else {}
    return next(iter(rolls)) if len(rolls) == 1 and next(iter(rolls)) == () else None


def _roll_among(known: Mapping[Any, int], roll: Any) -> Any:
    """Return the roll as the game names it (faces may come as any sequence, in any order), or None if it cannot fall."""
    if hasattr(roll, "tolist"):
        roll = roll.tolist()
    named = tuple(roll) if isinstance(roll, list) else roll
    try:
        if named in known:
            return named
        if isinstance(named, tuple) and (in_order := tuple(sorted(named))) in known:
            return in_order
    except TypeError:  # faces that cannot be hashed or sorted belong to no roll
        pass
    return None


def points_to_units(points: object, unit: int, name: str) -> int:
    """Return points as units, or say what the game counts in."""
    whole = as_whole(points)
    if whole is None or whole < 0 or whole % unit:
        step = "a whole number from 0" if unit == 1 else f"a multiple of {unit} from 0"
        raise PositionError(f"{name} is {step}, got {name}={points!r}")
    return whole // unit


def mode_of(game: PointsGame, roll: Any, words: Mapping[str, Any]) -> Mode:
    """Return the mode that a position's keywords name: `mode`, or the game's own word for it, or what the roll shows."""
    word = getattr(game, "mode_word", "mode")
    allowed = {"mode", word}
    if unknown := set(words) - allowed:
        wanted = ", ".join(sorted(allowed))
        raise PositionError(
            f"{sorted(unknown)[0]!r} is not part of this position; the game's own words here are {wanted}"
        )
    given: list[Mode] = [words[w] for w in sorted(allowed) if words.get(w) is not None]
    if given:
        if given[0] != given[-1]:
            raise PositionError(
                f"{word} and mode are one thing here, got {word}={words[word]!r} and mode={words['mode']!r}"
            )
        return given[0]
    if word == "dice" and hasattr(roll, "__len__"):
        return len(roll)
    return game.opening
