"""The moments of one turn, valued: what every solution asks of its anchors when somebody wants advice.

An anchor's value is stored, its turn is replayed when asked. `TurnView` holds a replayed turn in units and answers in the
words of the game: points, rolls, plays.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from jeopardice.errors import PositionError
from jeopardice.points.match import TurnPlay
from jeopardice.points.tables import TurnTable, checked_plays, checked_rolls
from jeopardice.points.words import WORDS
from jeopardice.rules.game import Mode, Play, PointsGame, as_whole, dice_differ, mode_word
from jeopardice.rules.text import dice_words, mode_words
from jeopardice.solution import Advice, Option
from jeopardice.types import Keywords, MatchRoll, Number, Real

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class TurnView:
    """A replayed turn: the worth of [at risk][mode] in units, and of banking; `shown` turns a worth into the goal's value.

    A turn is over `ends_past` units past the goal; with None it may go on, as in a last round.
    `busts` is the chance that the turn still ends in a bust, under best play; `stop`, where it is given, is the worth of
    stopping at [at risk][mode], where that depends on the dice left.
    """

    game: PointsGame
    table: TurnTable
    worth: Callable[[int, int], Real]
    bank: Callable[[int], Real]
    bust: Real
    goal: int | None
    least: int
    roll_cost: Real
    shown: Callable[[Real], Number]
    prefers_less: bool
    bound: Callable[[], float | None]
    ends_past: int | None = 0
    reach: int | None = None
    busts: Callable[[int, int], Real] = lambda t, mode: 0
    stop: Callable[[int, int], Real] | None = None

    @cached_property
    def rows(self) -> NDArray[np.float64]:
        """The worth of every moment as an array: [at risk, mode], as far as a play can lead from below the goal."""
        reach = (self.reach or self.goal or 0) + self.table.max_points + 1
        columns = range(len(self.table.modes) + 1)
        return np.array([[float(self.worth(t, mode)) for mode in columns] for t in range(reach)])

    def units(self, points: int, name: str = "at_risk") -> int:
        """Return points as units, refusing what the game cannot score."""
        return points_to_units(points, self.table.unit, name)

    def mode_index(self, mode: Mode) -> int:
        """Return the number of a mode, or name those that exist."""
        if mode not in self.table.modes:
            known = ", ".join(sorted(mode_words(m) if isinstance(m, tuple) else repr(m) for m in self.table.modes))
            word = mode_word(self.game)
            raise PositionError(
                f"{word} is one of {known}, got {mode_words(mode) if isinstance(mode, tuple) else repr(mode)}"
            )
        return self.table.modes.index(mode)

    def may_stop(self, t: int, mode: int | None = None) -> bool:
        """Nothing at risk is never banked, less than the minimum only to reach the goal; some modes must be rolled."""
        if t == 0 or (mode is not None and mode < len(self.table.modes) and not self.table.may_stop[mode]):
            return False
        return t >= self.least or (self.goal is not None and t >= self.goal)

    def stop_worth(self, t: int, mode: int) -> Real:
        """Return what stopping in a mode with t units at risk is worth."""
        return self.bank(t) if self.stop is None else self.stop(t, mode)

    def is_over(self, t: int) -> bool:
        """Whether the goal is reached and ends the turn; with a last round one may go on."""
        return self.goal is not None and self.ends_past is not None and t >= self.goal + self.ends_past

    def computed(self, t: int) -> int:
        """Return t, or the farthest row that was computed: from there on more points at risk are worth the same.

        In a last round more points are always worth more, if by less than a float shows.
        """
        is_endless = self.goal is None or (self.ends_past is None and not isinstance(self.bust, float))
        return t if is_endless else min(t, (self.reach or self.goal or 0) + self.table.max_points)

    def roll_worth(self, t: int, mode: int) -> Real:
        """Return what rolling in a mode with t units at risk is worth."""
        return self.rolled(t, mode)[0]

    def rolled(self, t: int, mode: int) -> tuple[Real, Real]:
        """Return what rolling in a mode with t units at risk is worth, and the chance that the turn then ends in a bust."""
        table = self.table
        bust = table.bust_weight[mode]
        value, busts = bust * self.bust if bust else 0, bust
        for choices, weight in table.groups[mode].items():
            worth, risk, _ = self.best([(*self.rank(t + points, to), None) for points, to in choices])
            value += weight * worth
            busts += weight * risk
        return value / table.total_weight[mode] - self.roll_cost, busts / table.total_weight[mode]

    def rank(self, t: int, mode: int) -> tuple[Real, Real]:
        """Return what a play to a moment is compared by: its worth and the chance of a bust (see `best`)."""
        return self.worth(self.computed(t), mode), self.busts(self.computed(t), mode)

    def best(self, ranked: Sequence[tuple[Real, Real, T]]) -> tuple[Real, Real, T]:
        """Return the first of those (worth, chance of a bust, thing) that are worth most and bust least.

        The second decides where a bust is worth as much as all else, against an opponent who can no longer win: without it
        turns might be lost for ever.
        """
        most = max(worth for worth, _, _ in ranked)
        return min((one for one in ranked if one[0] >= most - self.tie), key=lambda one: one[1])

    @cached_property
    def tie(self) -> Real:
        """Differences of worth up to this size are rounding; 0 in fractions."""
        if not isinstance(self.bust, float) or not isfinite(self.bust):
            return 0
        return 1e-14 * max(1.0, abs(self.bust))

    def stops(self, t: int, mode: int) -> bool:
        """Whether best play stops with t units at risk in a mode; a tie stops."""
        if mode == len(self.table.modes) or (self.is_over(t) and self.table.may_stop[mode]):
            return True
        # a moment is worth the better of stopping and rolling, so it is worth no more than the bank where one stops
        return self.may_stop(t, mode) and bool(
            self.stop_worth(t, mode) >= self.worth(self.computed(t), mode) - self.tie
        )

    def advise(self, at_risk: int, mode: Mode, roll: MatchRoll = None) -> Advice:
        """Return the options before a roll (stop or roll), or after one (each play, then stop or roll)."""
        t, index = self.units(at_risk), self.mode_index(mode)
        at_risk = t * self.table.unit
        most = None if self.goal is None else (self.reach or self.goal) + self.table.max_points
        # where dice must be rolled on, a turn may run far past the goal; there more points change nothing
        if most is not None and t > most and all(self.table.may_stop):
            raise PositionError(f"at_risk is at most {most * self.table.unit} here, got at_risk={at_risk!r}")
        if roll is None:
            valued = self._after(t, index, at_risk, 0, ())
        else:
            valued = [
                after
                for play in self.plays(mode, roll)
                for after in self._after(
                    t + play.points // self.table.unit,
                    len(self.table.modes) if play.mode is None else self.mode_index(play.mode),
                    at_risk + play.points,
                    play.points,
                    play.kept,
                )
            ]
        if not valued:
            raise PositionError(f"the roll {roll!r} is a bust: the turn is over and there is nothing to choose")
        valued = list(dict(valued).items())  # equal faces of different dice stop alike
        words = WORDS.plays(self.game, [play for play, _ in valued])
        ranked = [
            ((-worth, busts, not play.stops, -play.points),
             Option(word, self.shown(worth), play.stops, play.points, play.mode, play.aside, match_play=play))
            for word, (play, (worth, busts)) in zip(words, valued, strict=True)
        ]  # fmt: skip
        ranked.sort(key=lambda pair: pair[0])
        most = -ranked[0][0][0]
        ranked.sort(
            key=lambda pair: pair[0][1:] if -pair[0][0] >= most - self.tie else (inf,)
        )  # rounding is no difference
        return Advice(tuple(option for _, option in ranked), self.bound)

    def advise_at(self, at_risk: int, roll: MatchRoll, words: Keywords) -> Advice:
        """Return the options at a moment whose mode is given in words; a choice before any roll is asked at once."""
        mode = mode_of(self.game, roll, words)
        return self.advise(at_risk, mode, choosing_roll(self.game, mode) if roll is None else roll)

    def plays(self, mode: Mode, roll: MatchRoll) -> list[Play]:
        """Return the plays of a roll, most points first; a roll that cannot fall in this mode is refused."""
        known = checked_rolls(self.game, mode)
        if (named := _roll_among(known, roll)) is None:
            example = next(iter(known))
            raise PositionError(
                f"the roll {dice_words(roll)} cannot fall here; {dice_words(example)}, for example, can"
            )
        return sorted(checked_plays(self.game, mode, named), key=lambda play: -play.points)

    def _after(
        self, t: int, mode: int, at_risk: int, gained: int, aside: tuple[int, ...]
    ) -> list[tuple[TurnPlay, tuple[Real, Real]]]:
        """Return the stop and the roll that may follow a play, each with its worth and its chance of a bust."""
        ended = mode == len(self.table.modes)
        must_roll = not ended and not self.table.may_stop[mode]
        plays = []
        if ended or self.may_stop(t, mode):
            banked = self.rank(t, mode) if ended or self.is_over(t) else (self.stop_worth(t, mode), 0)
            plays.append((TurnPlay(True, at_risk, gained, None, aside), banked))
        if not ended and (must_roll or not self.is_over(t)):
            plays.append((TurnPlay(False, at_risk, gained, self.table.modes[mode], aside), self.rolled(t, mode)))
        return plays


def choosing_roll(game: PointsGame, mode: Mode) -> MatchRoll:
    """Return the empty roll of a mode in which nothing falls and the player only chooses (Hog's opening), else None."""
    rolls = checked_rolls(game, mode) if mode == game.opening else {}
    return next(iter(rolls)) if len(rolls) == 1 and next(iter(rolls)) == () else None


def _roll_among(known: Mapping[MatchRoll, int], roll: MatchRoll) -> MatchRoll:
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


def mode_of(game: PointsGame, roll: MatchRoll, words: Keywords) -> Mode:
    """Return the mode that a position's keywords name: `mode`, or the game's own word for it, or what the roll shows."""
    word = mode_word(game)
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
    if dice_differ(game) and isinstance(roll, tuple | list) and all(isinstance(d, tuple) for d in roll):
        return tuple(sorted(kind for kind, _ in roll))
    return game.opening
