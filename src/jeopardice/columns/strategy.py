"""Strategies for boards: which play to make of a roll of Can't Stop, and when to stop.

A strategy sees a `BoardMoment` and answers two questions: which of the plays it makes (several, if it draws among them),
and the chance that it stops now. Best play is a strategy like any other.

The rules of thumb weigh columns. Michael Keller's *Rule of 28*: a column's first space in a turn counts double its weight,
every further one once, the outer columns weigh more; a set of columns that is hard to hit adds something; stop at 28. James
Glenn and Christian Aloi ("A Generalized Heuristic
for Can't Stop", FLAIRS 2009) made all of these numbers, and those for choosing a play, free parameters and bred better
ones for the game alone; `glenn_aloi` has the weights that a public implementation gives as theirs.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from typing import Protocol

from jeopardice.columns.estimate import LEAST, RATIO, TEMPO, EstimatedDuel, is_estimated
from jeopardice.columns.judge import Values
from jeopardice.errors import UnknownName
from jeopardice.games.cant_stop import CantStop, Markers, Standing
from jeopardice.kernels import kernels
from jeopardice.rules.goal import Race


@dataclass(frozen=True)
class BoardMoment:
    """A point within a turn: everybody's standing, who plays, the markers, and the rolls made this turn."""

    game: CantStop
    standings: tuple[Standing, ...]
    seat: int = 0
    markers: Markers = ()
    rolls: int = 0

    @property
    def mine(self) -> Standing:
        """The standing of the player whose turn it is."""
        return self.standings[self.seat]

    @cached_property
    def closed(self) -> frozenset[int]:
        """The columns that other players have closed."""
        return self.game.closed_to(self.seat, self.standings)

    def after(self, markers: Markers) -> "BoardMoment":
        """Return the moment after one more roll."""
        return replace(self, markers=markers, rolls=self.rolls + 1)

    def gained(self, column: int) -> int:
        """The spaces climbed in a column this turn."""
        return max((space - self.mine[c - 2] for c, space in self.markers if c == column), default=0)

    @property
    def can_place(self) -> bool:
        """Is there a marker left, and a column to place it in?"""
        game, taken = self.game, {column for column, _ in self.markers} | self.closed
        free = (c for c in game.columns if c not in taken and self.mine[c - 2] < game.length(c))
        return len(self.markers) < game.markers and any(True for _ in free)


class BoardStrategy(Protocol):
    """What a strategy answers. `remembers_rolls` says up to how many rolls of a turn it counts; 0 if it does not."""

    @property
    def name(self) -> str:
        """A short name, as the command line takes it."""
        ...

    @property
    def remembers_rolls(self) -> int:
        """How many rolls of a turn it tells apart."""
        ...

    def chosen(self, moment: BoardMoment, plays: Sequence[Markers]) -> Sequence[Markers]:
        """Return the plays it makes of a roll, each as likely as the others: one, unless it draws."""
        ...

    def stop_chance(self, moment: BoardMoment) -> float:
        """Return the chance that it stops at a moment with markers that do not win yet: 0 or 1, unless it draws."""
        ...


MOST = 1_000_000
"""The largest number in a strategy's name."""


@dataclass(frozen=True)
class WeighColumns:
    """Play what scores most by `choice`, stop when `progress` adds up to the threshold and no marker is left to place.

    A play scores its spaces times their column's `choice`, less `marker` for each marker newly placed; ties go to the
    play that comes first, column by column. Columns that are all `odds`, all `evens`, all from the middle up (`highs`) or
    down (`lows`) add to the progress once all markers are placed. With `rolls` one stops after this many rolls instead.
    """

    name: str
    progress: tuple[float, ...] = field(repr=False)
    choice: tuple[float, ...] = field(repr=False)
    threshold: float
    odds: float = 0
    evens: float = 0
    highs: float = 0
    lows: float = 0
    marker: float = 0
    rolls: int = 0

    @property
    def remembers_rolls(self) -> int:
        """As many as it rolls."""
        return self.rolls

    def chosen(self, moment: BoardMoment, plays: Sequence[Markers]) -> Sequence[Markers]:
        """The highest score."""
        before = dict(moment.markers)

        def key(after: Markers) -> tuple[float, list[tuple[int, int]]]:
            gains = [(c, space - before.get(c, moment.mine[c - 2])) for c, space in after if before.get(c) != space]
            score = sum(spaces * self.choice[c - 2] - self.marker * (c not in before) for c, spaces in gains)
            return -score, gains

        return [min(plays, key=key)]

    def stop_chance(self, moment: BoardMoment) -> float:
        """1 at the threshold, or after the rolls."""
        if self.rolls:
            return float(moment.rolls >= self.rolls)
        return 0.0 if moment.can_place else float(self.score(moment) >= self.threshold)

    def score(self, moment: BoardMoment) -> float:
        """Return what the threshold is compared with."""
        columns, middle = [column for column, _ in moment.markers], moment.game.sides + 1
        score = sum((moment.gained(column) + 1) * self.progress[column - 2] for column in columns)
        if len(columns) < moment.game.markers:
            return score
        score += self.odds * all(c % 2 for c in columns) + self.evens * all(c % 2 == 0 for c in columns)
        return score + self.highs * all(c >= middle for c in columns) + self.lows * all(c <= middle for c in columns)

    def kernel(self) -> kernels.BoardHabit:
        """Return the strategy as the simulator takes it."""
        return kernels.BoardHabit(
            progress=self.progress, choice=self.choice, odds=self.odds, evens=self.evens, highs=self.highs,
            lows=self.lows, marker=self.marker, threshold=self.threshold, rolls=self.rolls, stop_chance=-1.0,
        )  # fmt: skip


def rule_of(game: CantStop, threshold: int = 28) -> WeighColumns:
    """Return Keller's rule, with his 28 or another threshold; other boards than his have the same weights from the middle.

    >>> rule_of(CantStop()).progress
    (6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6)
    """
    if not 0 <= threshold <= MOST:
        raise ValueError(f"the rule stops at a number from 0 to {MOST:,}, got threshold={threshold!r}")
    progress = tuple(abs(column - game.sides - 1) + 1 for column in game.columns)
    choice = tuple(game.sides + 1 - weight for weight in progress)
    return WeighColumns(f"rule-of-{threshold}", progress, choice, threshold, 2, -2, 4, 4, 6)


def glenn_aloi(game: CantStop) -> WeighColumns:
    """Return Glenn and Aloi's strategy for the game alone, bred for six-sided dice."""
    if game.sides != 6:
        raise ValueError(f"Glenn and Aloi's weights are for six-sided dice, got sides={game.sides!r}; use rule-of-28")
    progress, choice = (7, 7, 3, 2, 2, 1, 2, 2, 3, 7, 7), (7, 0, 2, 0, 4, 3, 4, 0, 2, 0, 7)
    return WeighColumns("glenn-aloi", progress, choice, 29, odds=7, evens=1, highs=6, lows=5, marker=6)


def roll_times(game: CantStop, rolls: int) -> WeighColumns:
    """Return the strategy that rolls this many times a turn and plays as Keller's rule does.

    >>> roll_times(CantStop(), 4).name
    'roll-4-times'
    """
    if not 1 <= rolls <= MOST:
        raise ValueError(f"a turn has at least one roll and at most {MOST:,}, got rolls={rolls!r}")
    keller = rule_of(game)
    return WeighColumns(f"roll-{rolls}-times", keller.progress, keller.choice, 0, marker=keller.marker, rolls=rolls)


@dataclass(frozen=True)
class RandomPlay:
    """Draws among the plays, and stops with a fixed chance."""

    stop: float = 0.5

    name: str = "random"
    remembers_rolls: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.stop <= 1:
            raise ValueError(f"the chance to stop lies above 0 and up to 1, got stop={self.stop!r}")

    def chosen(self, moment: BoardMoment, plays: Sequence[Markers]) -> Sequence[Markers]:
        """All of them."""
        return plays

    def stop_chance(self, moment: BoardMoment) -> float:
        """The same everywhere."""
        return self.stop

    def kernel(self) -> kernels.BoardHabit:
        """Return the strategy as the simulator takes it."""
        return kernels.BoardHabit(
            progress=[], choice=[], odds=0, evens=0, highs=0, lows=0, marker=0, threshold=0, rolls=0,
            stop_chance=self.stop,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class BestBoardPlay:
    """Best play by a solution or an estimate; ties go to the stop, then to the play that comes first."""

    values: Values
    name: str = "optimal"
    remembers_rolls: int = 0

    def chosen(self, moment: BoardMoment, plays: Sequence[Markers]) -> Sequence[Markers]:
        """The best, whatever follows."""
        return [min(plays, key=lambda after: (min(self._costs(moment, after)), after))]

    def stop_chance(self, moment: BoardMoment) -> float:
        """1 where stopping is no worse."""
        stop, roll = self._costs(moment, moment.markers)
        return float(stop <= roll)

    def _costs(self, moment: BoardMoment, markers: Markers) -> tuple[float, float]:
        """Return what stopping and rolling are worth, less being better."""
        stop, roll = self.values.moment(moment.standings, moment.seat, markers)
        if self.values.measure.prefers_less:
            return stop, inf if moment.game.is_won(moment.mine, markers) else roll
        return -stop, -roll


NEAR_BEST = "near-best"
"""The name of best play by upper bounds: a strategy with a proven number of turns, not proven to be the best."""


@dataclass(frozen=True, eq=False)
class LookAhead:
    """Plays by estimated win chances, one roll ahead."""

    values: EstimatedDuel
    name: str = "look-ahead"
    remembers_rolls: int = 0

    @cached_property
    def _play(self) -> BestBoardPlay:
        return BestBoardPlay(self.values)

    def chosen(self, moment: BoardMoment, plays: Sequence[Markers]) -> Sequence[Markers]:
        """The play with the best chance, after stopping or after one more roll."""
        return self._play.chosen(moment, plays)

    def stop_chance(self, moment: BoardMoment) -> float:
        """1 where stopping is no worse than one more roll."""
        return self._play.stop_chance(moment)

    def kernel(self) -> kernels.BoardLookAhead:
        """Return the strategy as the simulator takes it."""
        return kernels.BoardLookAhead(ratio=RATIO, tempo=TEMPO, least=LEAST)


STRATEGIES = {
    "optimal": "best play for the goal",
    "rule-of-28": "Keller's rule: stop when the columns count 28",
    "glenn-aloi": "the rule that Glenn and Aloi bred for the game alone",
    "roll-4-times": "roll four times, then stop",
    "random": "any play, then stop every second time",
}


def board_strategy(name: str, goal: Race, solution: Callable[[], Values]) -> BoardStrategy:
    """Return the strategy of a name; `solution` is called for best play only."""
    game: CantStop = goal.game
    if name == "optimal":
        values = solution()
        return BestBoardPlay(values, NEAR_BEST if values.measure.is_estimate else name)
    if name == "look-ahead" and is_estimated(goal):
        return LookAhead(EstimatedDuel(goal))
    if name == "random":
        return RandomPlay()
    if name == "glenn-aloi":
        return glenn_aloi(game)
    head, _, tail = name.rpartition("-")
    if head == "rule-of" and tail.isdecimal():
        return rule_of(game, int(tail))
    times = name.removeprefix("roll-").removesuffix("-times")
    if name == f"roll-{times}-times" and times.isdecimal():
        return roll_times(game, int(times))
    raise UnknownName(
        "a strategy for a board is optimal (look-ahead where a board for two is too large), rule-of-28 (any number), "
        f"glenn-aloi, roll-4-times or random, got {name!r}"
    )


def best_known(game: CantStop) -> WeighColumns:
    """Return the best rule of thumb we have for a board that nobody has solved."""
    return glenn_aloi(game) if game.sides == 6 else rule_of(game)
