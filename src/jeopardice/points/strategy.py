"""Strategies: anything that says stop or roll at a moment, and which play to make of a roll.

A strategy sees a `Moment` in the words of the game (points, mode) and answers two questions. A plain function of the
moment that returns True to stop is enough (`Rule`); the play is then the one with the most points. Best play is a
strategy like any other. Strategies that stop at a threshold say so (`threshold`), which spares asking them moment by
moment.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from jeopardice.points.race import expected_costs
from jeopardice.points.race_table import race_tables
from jeopardice.points.solution import AloneSolution, DuelSolution, ManySolution, PiggybackSolution, TurnSolution
from jeopardice.points.view import TurnView
from jeopardice.rules.game import Mode, Play
from jeopardice.rules.goal import next_seat
from jeopardice.types import Given, Real


@dataclass(frozen=True)
class Moment:
    """A point within a turn: the standings, the points at risk, the mode, the rolls made this turn, and the target.

    With more than one opponent `theirs` is a tuple in the order of play."""

    at_risk: int
    mode: Mode
    rolls: int = 0
    mine: int = 0
    theirs: Given = 0
    target: int | None = None

    @property
    def to_go(self) -> int | None:
        """The points still missing if one stopped now; 0 once the target is reached, None in a game without one."""
        return None if self.target is None else max(0, self.target - self.mine - self.at_risk)


@runtime_checkable
class Strategy(Protocol):
    """What a strategy answers."""

    @property
    def name(self) -> str:
        """A short name, as the command line takes it."""
        ...

    def stops(self, moment: Moment) -> bool:
        """Whether to stop at a moment with something at risk (with nothing at risk one always rolls)."""
        ...

    def choose(self, moment: Moment, plays: Sequence[Play]) -> Play:
        """Return the play to make of a roll that was made at `moment`; `plays` come most points first."""
        ...


def rolls_remembered(strategy: object) -> int:
    """Return how many rolls of a turn a strategy counts (`remembers_rolls`); 0 unless it says so."""
    return int(getattr(strategy, "remembers_rolls", 0))


def is_blind_to_opponent(strategy: object) -> bool:
    """Whether a strategy says that it ignores the opponent's score (`ignores_opponent`)."""
    return bool(getattr(strategy, "ignores_opponent", False))


@runtime_checkable
class ThresholdStrategy(Protocol):
    """A strategy that takes the most points and stops from a threshold on that only the standings decide."""

    def threshold(self, mine: int, theirs: int, target: int) -> int:
        """Return the points at risk from which it stops."""
        ...


@dataclass(frozen=True)
class StopAt:
    """Stop at `points` at risk; and where banking would reach the target, unless `strict`."""

    points: int
    strict: bool = False

    watches_rolls: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """For example stop-at-20."""
        return f"{'strict-' if self.strict else ''}stop-at-{self.points}"

    def stops(self, moment: Moment) -> bool:
        """At the threshold or at the goal."""
        return moment.at_risk >= self.points or (not self.strict and moment.to_go == 0)

    def threshold(self, mine: int, theirs: int, target: int) -> int:
        """The points, or what is still missing."""
        return self.points if self.strict else min(self.points, target - mine)

    def choose(self, moment: Moment, plays: Sequence[Play]) -> Play:
        """The most points."""
        return plays[0]


@dataclass(frozen=True)
class Thresholds:
    """Stop at a threshold that depends on the points to go when the turn begins: a table, in points.

    `table` maps points to go to the threshold, as a mapping or as a sequence whose entry n is for n points to go. At
    the goal one stops as well.
    """

    table: Mapping[int, int] | Sequence[int] = field(repr=False)
    name: str = "thresholds"

    ignores_opponent: ClassVar[bool] = True

    def stops(self, moment: Moment) -> bool:
        """At the threshold or at the goal."""
        if moment.target is None:
            raise ValueError(f"{self.name} looks at the points to go, so it needs a race with a target")
        return moment.at_risk >= self.threshold(moment.mine, moment.theirs, moment.target)

    def choose(self, moment: Moment, plays: Sequence[Play]) -> Play:
        """The most points."""
        return plays[0]

    def threshold(self, mine: int, theirs: int, target: int) -> int:
        """The table's entry, or what is still missing."""
        to_go = target - mine
        try:
            return min(self.table[to_go], to_go)
        except (KeyError, IndexError):
            raise ValueError(f"{self.name} has no threshold for {to_go} points to go; add it to the table") from None


@dataclass(frozen=True)
class KeepPace:
    """End race or keep pace (Neller & Presser): near the end race for the goal, else at a pace that follows the lead.

    Roll for the goal once either score is within `race` points of the target, else stop at `pace` plus one for every
    `share` points the opponent leads by, to the nearest whole number (halves away from 0).
    """

    race: int = 29
    pace: int = 21
    share: int = 8
    name: str = "keep-pace"

    def stops(self, moment: Moment) -> bool:
        """At the pace or at the goal."""
        if moment.target is None:
            raise ValueError(f"{self.name} looks at the scores, so it needs a race with a target")
        return moment.at_risk >= self.threshold(moment.mine, moment.theirs, moment.target)

    def choose(self, moment: Moment, plays: Sequence[Play]) -> Play:
        """The most points."""
        return plays[0]

    def threshold(self, mine: int, theirs: int, target: int) -> int:
        """The pace, or what is still missing."""
        if max(mine, theirs) >= target - self.race:
            return target - mine
        behind = theirs - mine
        nearest = (2 * abs(behind) + self.share) // (2 * self.share)
        return min(max(self.pace + (nearest if behind > 0 else -nearest), 1), target - mine)


@dataclass(frozen=True)
class RollTimes:
    """Roll exactly `times` times, then stop; or at the goal."""

    times: int

    ignores_opponent: ClassVar[bool] = True
    ignores_score: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """For example roll-5-times."""
        return f"roll-{self.times}-times"

    @property
    def remembers_rolls(self) -> int:
        """How many rolls of the turn it counts."""
        return self.times

    def stops(self, moment: Moment) -> bool:
        """After this many rolls or at the goal."""
        return moment.rolls >= self.times or moment.to_go == 0

    def choose(self, moment: Moment, plays: Sequence[Play]) -> Play:
        """The most points."""
        return plays[0]


@dataclass(frozen=True)
class Rule:
    """A user's own rule: a function that says whether to stop, and perhaps one that picks the play.

    `remembers_rolls` is for rules that look at `moment.rolls`: how far they count (further rolls look the same to
    them). A rule that `ignores_opponent` is asked once per standing instead of once per pair.
    """

    name: str
    stop: Callable[[Moment], bool]
    pick: Callable[[Moment, Sequence[Play]], Play] | None = None
    remembers_rolls: int = 0
    ignores_opponent: bool = False

    def stops(self, moment: Moment) -> bool:
        """Whatever the function says."""
        return self.stop(moment)

    def choose(self, moment: Moment, plays: Sequence[Play]) -> Play:
        """Whatever the function says; the most points if there is none."""
        return plays[0] if self.pick is None else self.pick(moment, plays)


@dataclass(frozen=True, eq=False)
class BestPlay:
    """Best play for the goal of a solution; ties go to stopping, then to more points. `seat` is the one in a duel.

    Where the target must be hit exactly, an opponent out of reach of it has lost, and whatever one does is worth a win as
    long as one gets there some day. Then the fewest turns alone decide (`endgame`), so that one does.
    """

    solution: TurnSolution | AloneSolution | DuelSolution | ManySolution | PiggybackSolution
    name: str = "optimal"
    seat: int = 0

    watches_rolls: ClassVar[bool] = False
    _view: Callable[[int, Given], TurnView] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_view", lru_cache(maxsize=4096)(self._replayed))

    @property
    def ignores_opponent(self) -> bool:
        """Whether the opponent's score does not matter."""
        return self.solution.ignores_opponent

    @property
    def ignores_score(self) -> bool:
        """Whether no score matters, except that one stops at the goal."""
        return self.solution.ignores_score

    def stops(self, moment: Moment) -> bool:
        """Where banking is worth at least as much as rolling, and at the goal."""
        view = self._view(moment.mine, moment.theirs)
        t, mode = view.units(moment.at_risk), view.mode_index(moment.mode)
        at_goal = self.ignores_score and moment.to_go == 0  # a turn's own values know of no target
        return view.stops(t, mode) or (at_goal and view.may_stop(t, mode))

    def choose(self, moment: Moment, plays: Sequence[Play]) -> Play:
        """The play whose moment is worth most; of equal ones the one that busts less, then more points."""
        view = self._view(moment.mine, moment.theirs)
        t, ended = view.units(moment.at_risk), len(view.table.modes)

        def rank(play: Play) -> tuple[Real, Real, Play]:
            mode = ended if play.mode is None else view.mode_index(play.mode)
            return (*view.rank(t + play.points // view.table.unit, mode), play)

        return view.best([rank(play) for play in sorted(plays, key=lambda play: -play.points)])[2]

    def takes_over(self, moment: Moment, points: int, mode: Mode) -> bool:
        """Whether points just banked by the other are taken over with the dice left, where the race offers them."""
        if not isinstance(self.solution, PiggybackSolution):
            return False
        return self.solution.advise(mine=moment.mine, theirs=moment.theirs, offer=(points, mode)).best.points > 0

    @cached_property
    def endgame(self) -> "Endgame | None":
        """What is played against an opponent who can no longer win, if that can happen."""
        return endgame_of(self.solution, self.seat) if isinstance(self.solution, DuelSolution) else None

    def _replayed(self, mine: int, theirs: Given) -> TurnView:
        if self.endgame is not None and self.endgame.applies_at(mine, theirs):
            return self.endgame.alone.view(mine)
        return self.solution.view(mine, theirs, seat=self.seat)


@dataclass(frozen=True, eq=False)
class Endgame:
    """The race alone that is left where `applies[mine, theirs]`, in `units`: I can still finish, my opponent cannot."""

    alone: AloneSolution
    applies: NDArray[np.bool_]
    units: tuple[int, int]

    def applies_at(self, mine: int, theirs: int) -> bool:
        """Whether only the race alone is left at these scores."""
        return bool(self.applies[mine // self.units[0], theirs // self.units[1]])


def endgame_of(solution: DuelSolution, seat: int) -> Endgame | None:
    """Return the endgame of a seat, if a standing from which the target cannot be hit exists."""
    goal = solution.goal
    if goal.finish != "exact" or goal.payoff != "win":
        return None
    mine, theirs = (solution.duel.tables[s].alive for s in (seat, next_seat(seat, 2)))
    if theirs.all():
        return None
    race = goal.alone(seat)
    (table,) = race_tables(race)
    alone = AloneSolution(race, table, expected_costs(table))
    sure = np.isfinite(alone.worth[:0:-1])  # elsewhere the duel's own values decide
    units = (solution.tables[seat].unit, solution.tables[next_seat(seat, 2)].unit)
    return Endgame(alone, np.outer(mine & sure, ~theirs), units)
