"""A points game laid out as arrays: the same small table for every score, and all that a kernel sees of a game.

Modes are numbered so that a play without points leads to a later mode; rolls that offer the same plays are merged into
one group with the sum of their weights; points are counted in the game's own unit, the greatest common divisor of all
points (Ten Thousand: 50). Where more points in the same mode can never hurt (`drop_dominated`), plays with fewer points
are dropped. Ten Thousand has 461 rolls of one to five dice; they fall into 84 groups with 140 plays.

A pass over a table costs one step per play and moment, so its work is (moments) x (plays), whatever the dice.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import accumulate
from math import gcd
from typing import Any, cast

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray

from jeopardice.errors import RulesError, TooLargeError
from jeopardice.kernels import kernels
from jeopardice.kernels.stopping import check_wanted
from jeopardice.points.play_sets import sets_of_plays
from jeopardice.rules.game import Mode, Play, PointsGame, as_whole, may_stop_in
from jeopardice.rules.text import brief
from jeopardice.types import Array, Game, MatchRoll

MOST_MODES = 100_000
MOST_POINTS, MOST_SUM = 10**15, 10**300
"""Beyond, points or weights would not be numbers to the kernels."""
MOST_LAYOUT_STEPS = 3_000_000
"""About ten seconds of writing out rolls and plays, by the game's own estimate (`layout_steps`)."""
MOST_MOMENTS = 1 << 27
"""A turn is replayed in memory, 16 bytes a moment (points at risk x modes): at most 2 GB."""

MOST_WEIGHT = 1 << 53
"""Sums of weights up to here are exact in floats; beyond, certificates allow for their rounding."""
WEIGHT_ERROR = 6e-16

Choices = tuple[tuple[int, int], ...]
"""The plays of a merged group: (points in units, mode index), most points first; the index past the last mode banks."""


@dataclass(frozen=True, eq=False)
class TurnTable:
    """The rolls and plays of every mode; `groups[mode]` maps each distinct set of plays to its whole-number weight."""

    unit: int
    modes: tuple[Mode, ...]
    opening: int
    groups: tuple[dict[Choices, int], ...]
    bust_weight: tuple[int, ...]
    may_stop: tuple[bool, ...]

    @cached_property
    def total_weight(self) -> tuple[int, ...]:
        """The sum of all weights in each mode, busts included."""
        return tuple(bust + sum(g.values()) for bust, g in zip(self.bust_weight, self.groups, strict=True))

    @cached_property
    def max_points(self) -> int:
        """The most points, in units, that one play adds."""
        return max((points for g in self.groups for choices in g for points, _ in choices), default=0)

    @cached_property
    def arrays(self) -> dict[str, Array]:
        """The table as the kernels read it.

        `offset[play]` is where the play leads, counted from the row of its moment: rows hold one entry per mode and one
        more for a banked turn, so a play adds points * (modes + 1) + mode.
        """
        row = len(self.modes) + 1
        groups = [choices for mode_groups in self.groups for choices in mode_groups]
        return {
            "first_group": _starts(len(g) for g in self.groups),
            "first_play": _starts(len(choices) for choices in groups),
            "offset": np.array([points * row + mode for choices in groups for points, mode in choices], np.int32),
            "points": np.array([points for choices in groups for points, _ in choices], np.int32),
            **{name: np.array(numbers, np.int32) for name, numbers in sets_of_plays(self.groups).items()},
            "weight": np.array([weight for g in self.groups for weight in g.values()], np.float64),
            "bust": np.array(self.bust_weight, np.float64),
            "total": np.array(self.total_weight, np.float64),
            "may_stop": np.array(self.may_stop, np.uint8),
            "keep": np.array([float(chance) for chance in self.keep], np.float64),
        }

    @cached_property
    def keep(self) -> tuple[Fraction, ...]:
        """The best chance, mode by mode, to come through the rolls that must be made before one may stop; 1 if one may."""
        return come_through(self)

    @cached_property
    def digest(self) -> str:
        """A fingerprint of all that was solved: the same rules give the same, in another run too."""
        content = repr(
            (self.unit, self.opening, [list(g.items()) for g in self.groups], self.bust_weight, self.may_stop)
        )
        return sha256(content.encode()).hexdigest()

    @property
    def has_rounded_weights(self) -> bool:
        """Whether some weights are too large to be exact in floats."""
        return max(self.total_weight) > MOST_WEIGHT

    @cached_property
    def kernel(self) -> kernels.Table:
        """The table as the compiled passes hold it."""
        height = MOST_MOMENTS if self.height is None else self.height
        return kernels.Table(
            modes=len(self.modes), opening=self.opening, max_points=self.max_points, height=height,
            weight_error=WEIGHT_ERROR if self.has_rounded_weights else 0.0, **self.arrays,
        )  # fmt: skip

    @cached_property
    def height(self) -> int | None:
        """The most units at risk with which a turn can still be rolled; None if there is no such limit.

        Longest paths over the modes, one play more in each round; a path as long as there are modes has a loop.
        """
        most = {self.opening: 0}
        for _ in range(len(self.modes) + 1):
            before = dict(most)
            for mode, height in before.items():
                for choices in self.groups[mode]:
                    for points, to in choices:
                        if to < len(self.modes):
                            most[to] = max(most.get(to, 0), height + points)
            if before == most:
                return max(most.values())
        return None


def lay_out(game: PointsGame, *, drop_dominated: bool = True, unit: int | None = None) -> TurnTable:
    """Return the table of `game`; the same rules are laid out once and remembered.

    `unit` counts points in a smaller unit than the game's own, where a rule of the race needs that.
    """
    try:
        hash(game)
    except TypeError:  # rules with a dict or a list inside cannot be remembered
        return _new_table(game, drop_dominated, unit)
    return _remembered(cast(Hashable, game), drop_dominated, unit)


@lru_cache(maxsize=64, typed=True)  # typed: named tuples of two games may be equal
def _remembered(game: Game, drop_dominated: bool, unit: int | None) -> TurnTable:
    return _new_table(game, drop_dominated, unit)


def check_layout(game: PointsGame) -> None:
    """Refuse a game with more rolls and plays than can be written out."""
    if int(getattr(game, "layout_steps", 0)) > MOST_LAYOUT_STEPS:
        raise TooLargeError(f"{brief(game)} has too many rolls and plays to write out; choose fewer dice or sides")


def _new_table(game: PointsGame, drop_dominated: bool, smaller_unit: int | None) -> TurnTable:
    check_layout(game)
    if game.opening is None:
        raise RulesError(
            "a mode of None ends the turn, so no turn can open in it; give opening another value, such as 0"
        )
    offers = _offers(game)
    unit = gcd(*(play.points for rolls in offers.values() for plays, _ in rolls for play in plays))
    if unit == 0:
        raise RulesError("no play of this game scores a point, so nothing is ever banked; check plays()")
    unit = gcd(unit, smaller_unit or 0)
    modes = _ordered(offers)
    may_stop = tuple(may_stop_in(game, mode) for mode in modes)
    index: dict[Mode, int] = {mode: i for i, mode in enumerate(modes)} | {None: len(modes)}
    groups: list[dict[Choices, int]] = []
    bust_weight: list[int] = []
    for mode in modes:
        merged: dict[Choices, int] = {}
        for plays, weight in offers[mode]:
            choices = _choices(plays, unit, index, drop_dominated and all(may_stop))
            merged[choices] = merged.get(choices, 0) + weight
        bust_weight.append(merged.pop((), 0))
        groups.append(dict(sorted(merged.items(), key=lambda group: len(group[0]))))
    if not any(points for points, _ in (play for g in groups for choices in g for play in choices)):
        raise RulesError("these dice always bust (chance 1), so nothing is ever banked")
    if not any(to == len(modes) or may_stop[to] for g in groups for choices in g for _, to in choices):
        raise RulesError(
            "may_stop() forbids to stop after every play, so nothing is ever banked; allow it in some mode"
        )
    if (endless := _endless_mode(groups, bust_weight, may_stop)) is not None:
        raise RulesError(
            f"in mode {modes[endless]!r} one can roll for ever without a bust and may never stop; let some roll bust"
        )
    totals = [bust + sum(g.values()) for bust, g in zip(bust_weight, groups, strict=True)]
    divisor = [
        gcd(bust, *g.values()) if total > MOST_WEIGHT else 1
        for bust, g, total in zip(bust_weight, groups, totals, strict=True)
    ]
    table = TurnTable(
        unit,
        modes,
        index[game.opening],
        tuple({c: weight // d for c, weight in g.items()} for g, d in zip(groups, divisor, strict=True)),
        tuple(bust // d for bust, d in zip(bust_weight, divisor, strict=True)),
        may_stop,
    )
    check_moments(table, table.max_points)
    if unit * table.max_points > MOST_POINTS or max(table.total_weight) > MOST_SUM:
        raise RulesError(
            "a play adds at most 10^15 points, and the weights of a mode sum to at most 10^300; use smaller ones"
        )
    return table


def _endless_mode(
    groups: Sequence[Mapping[Choices, int]], bust_weight: Sequence[int], may_stop: Sequence[bool]
) -> int | None:
    """Return a mode from which one can roll for ever, without a bust and without a mode in which one may stop."""
    endless = {mode for mode, bust in enumerate(bust_weight) if not bust and not may_stop[mode]}
    while True:
        left = {m for m in endless if all(any(to in endless for _, to in choices) for choices in groups[m])}
        if left == endless:
            return min(endless, default=None)
        endless = left


def come_through(table: TurnTable) -> tuple[Fraction, ...]:
    """Return the best chance to come from each mode to one where one may stop, by policy iteration in rationals.

    It begins with plays that lead nearer to a stop, so every roll may get there, and goes on to strictly better plays only.
    """
    nearer = _rolls_to_stop(table)
    rolled = [mode for mode, may in enumerate(table.may_stop) if not may and mode in nearer]
    keep = {mode: Fraction(int(mode not in rolled and mode in nearer)) for mode in range(len(table.modes) + 1)}
    plays = {
        (mode, choices): min(choices, key=lambda play: nearer.get(play[1], MOST_MODES))
        for mode in rolled
        for choices in table.groups[mode]
    }
    while rolled:
        system = [[Fraction(int(i == j)) for j in rolled] for i in rolled]
        through = [Fraction(0) for _ in rolled]
        for row, mode in enumerate(rolled):
            for choices, weight in table.groups[mode].items():
                share, to = Fraction(weight, table.total_weight[mode]), plays[mode, choices][1]
                if to in rolled:
                    system[row][rolled.index(to)] -= share
                else:
                    through[row] += share * keep[to]
        keep |= dict(zip(rolled, solve_linear(system, through), strict=True))
        better = {at: play for at in plays for play in at[1] if keep[play[1]] > keep[plays[at][1]]}
        if not better:
            break
        plays |= {at: max(at[1], key=lambda play: keep[play[1]]) for at in better}
    return tuple(keep[mode] for mode in range(len(table.modes)))


def _rolls_to_stop(table: TurnTable) -> dict[int, int]:
    """Return the fewest rolls after which one may stop, or the turn is ended, by mode; modes without a way are left out."""
    rolls = {mode: 0 for mode, may in enumerate((*table.may_stop, True)) if may}
    waiting = [mode for mode in range(len(table.modes)) if mode not in rolls]
    while True:
        onward = {mode: [to for choices in table.groups[mode] for _, to in choices] for mode in waiting}
        found = {m: 1 + min(rolls[to] for to in tos if to in rolls) for m, tos in onward.items() if rolls.keys() & tos}
        if not found:
            return rolls
        rolls |= found
        waiting = [mode for mode in waiting if mode not in found]


def solve_linear(system: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Return the solution of a linear system in rationals; where it has none or several, ValueError."""
    if not system:
        return []
    flat = [fmpq(entry.numerator, entry.denominator) for row in system for entry in row]
    column = [fmpq(entry.numerator, entry.denominator) for entry in right]
    try:
        solved = fmpq_mat(len(system), len(system), flat).solve(fmpq_mat(len(right), 1, column))
    except ZeroDivisionError:
        raise ValueError("the system has no single solution") from None
    return [Fraction(int(solved[row, 0].p), int(solved[row, 0].q)) for row in range(len(right))]


def check_moments(table: TurnTable, at_risk: int) -> None:
    """Refuse a turn with more moments than fit in memory, for this many units at risk."""
    if (moments := at_risk * (len(table.modes) + 1)) > MOST_MOMENTS:
        raise TooLargeError(
            f"a turn of this game has {moments:,} moments (points at risk x modes), more than the {MOST_MOMENTS:,} that fit "
            "in memory; count points in a larger unit or let more rolls bust"
        )


def reachable_moments(table: TurnTable, limit: int) -> set[tuple[int, int]]:
    """Return the moments (units at risk, mode) that a turn can come to with less than `limit` units at risk.

    The mode past the last one stands for a turn that a play has ended.
    """
    found = {(0, table.opening)}
    waiting = [(0, table.opening)]
    while waiting:
        t, mode = waiting.pop()
        if mode == len(table.modes):
            continue
        for choices in table.groups[mode]:
            for points, to in choices:
                after = (t + points, to)
                if after not in found and t + points < limit:
                    found.add(after)
                    waiting.append(after)
    return found


def _offers(game: PointsGame) -> dict[Mode, list[tuple[list[Play], int]]]:
    """Return the plays and the weight of every roll, mode by mode, for all modes a turn can come to."""
    offers: dict[Mode, list[tuple[list[Play], int]]] = {}
    waiting: list[Mode] = [game.opening]
    while waiting:
        mode = waiting.pop()
        if mode in offers:
            continue
        if len(offers) >= MOST_MODES:
            raise RulesError(f"a game may have at most {MOST_MODES} modes; this one has more, {mode!r} among them")
        offers[mode] = []
        for roll, weight in _merged_rolls(game, mode).items():
            check_wanted()
            offers[mode].append((checked_plays(game, mode, roll), weight))
        waiting += [play.mode for plays, _ in offers[mode] for play in plays if play.mode is not None]
    return offers


def checked_rolls(game: PointsGame, mode: Mode) -> dict[MatchRoll, int]:
    """Return the rolls of a mode that can fall, or say what is wrong with them."""
    return _checked_weights(game.rolls(mode), mode)


def _merged_rolls(game: PointsGame, mode: Mode) -> dict[Any, int]:
    """The same for the table, where one roll may stand for all that offer the same plays, if the game can tell."""
    return _checked_weights(getattr(game, "merged_rolls", game.rolls)(mode), mode)


def _checked_weights(weights: Mapping[MatchRoll, int], mode: Mode) -> dict[Any, int]:
    rolls: dict[MatchRoll, int] = {}
    for roll, given in dict(weights).items():
        weight = as_whole(given)
        if weight is None or weight < 0:
            raise RulesError(
                f"weights of rolls are whole numbers from 0, got {given!r} for roll {roll!r} in mode {mode!r}"
            )
        if weight:
            rolls[roll] = weight
    if not rolls:
        raise RulesError(f"mode {mode!r} has no roll that can fall; rolls() must give at least one a weight above 0")
    return rolls


def checked_plays(game: PointsGame, mode: Mode, roll: MatchRoll) -> list[Play]:
    """Return the plays of a roll, or say what is wrong with them."""
    given: Any = game.plays(mode, roll)
    if given is None or isinstance(given, Play):
        raise RulesError(
            f"plays() returns a list of plays, [] for a bust, got {given!r} for roll {roll!r} in mode {mode!r}"
        )
    plays: list[Play] = []
    for play in given:
        points = as_whole(play.points) if isinstance(play, Play) else None
        if points is None or points < 0:
            raise RulesError(
                "a play is a Play(points, mode) that adds a whole number of points from 0, "
                f"got {play!r} for roll {roll!r} in mode {mode!r}"
            )
        plays.append(play if type(play.points) is int else replace(play, points=points))
    return plays


def _choices(plays: list[Play], unit: int, index: dict[Mode, int], drop_dominated: bool) -> Choices:
    most: dict[tuple[int, int], None] = {}
    seen: set[int] = set()
    for points, mode in sorted({(play.points // unit, index[play.mode]) for play in plays}, reverse=True):
        if not (drop_dominated and mode in seen):
            most[points, mode] = None
            seen.add(mode)
    return tuple(sorted(most, key=lambda choice: (-choice[0], choice[1])))


def _ordered(offers: dict[Mode, list[tuple[list[Play], int]]]) -> tuple[Mode, ...]:
    """Return the modes so that a play without points leads to a later one (depth first, children before parents)."""
    order: list[Mode] = []
    done: set[Mode] = set()
    open_modes: set[Mode] = set()

    def visit(mode: Mode) -> None:
        if mode in done:
            return
        if mode in open_modes:
            raise RulesError(f"plays of 0 points lead from mode {mode!r} back to it, so a turn could go on for ever")
        open_modes.add(mode)
        for plays, _ in offers[mode]:
            for play in plays:
                if play.points == 0 and play.mode is not None:
                    visit(play.mode)
        done.add(mode)
        order.append(mode)

    for mode in reversed(list(offers)):
        visit(mode)
    return tuple(reversed(order))


def _starts(lengths: Iterable[int]) -> NDArray[np.int32]:
    return np.array([0, *accumulate(lengths)], np.int32)
