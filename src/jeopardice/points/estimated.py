"""A race for several, judged before it is solved: chances from how many turns each player would need alone.

F(n) is the best chance to be at the target within n turns, alone: a race `within` n turns, solved in a moment for every
standing. If nobody looked at the others, the player who has just had a turn (all others come before in every further round)
would be the first there with chance

    sum over n of (F(n) - F(n - 1)) * product over the others of (1 - F_other(n)).

These are the leaves of the turn in progress, which is walked exactly. In a last round the others' chance to catch up is
that of one turn alone to a target as far away. `benchmarks/estimates.py` compares with solved races.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil, inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.points import race
from jeopardice.points.match import PointsSpot
from jeopardice.points.race_table import RaceTable, race_tables
from jeopardice.points.solution import solve_points
from jeopardice.points.solution.standings import replayed
from jeopardice.points.view import TurnView
from jeopardice.rules.goal import Race, Turn
from jeopardice.rules.house import Record
from jeopardice.solution import Measure

MARKS = (0.02, 0.05, 0.12)
"""Estimates are off by more than close calls, so marks begin later than where values are exact."""
SPREAD, LAST_ROUND_SPREAD = 0.03, 0.08
"""Nine of ten estimates are no farther than this from the solved chance; with a last round worse near the end."""
MOST_STEPS = 8e9
"""What takes more steps (3 s or so) is not estimated."""
TURNS, HOME = 1.7, 0.98
"""Races are followed for this many times the turns that they take at the mean points of a turn, or longer until this chance."""
SURE = 0.999
"""In a last round a turn is followed until nobody else catches up with at least this chance."""

Chances = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class EstimatedRace:
    """A race for two or more whose chances are estimates; `home[seat][n, standing]` is F(n)."""

    goal: Race
    tables: tuple[RaceTable, ...] = field(repr=False)
    home: tuple[Chances, ...] = field(repr=False)
    is_exact: bool = False

    @property
    def measure(self) -> Measure:
        """Estimated win chance."""
        spread = LAST_ROUND_SPREAD if self.goal.last_round else SPREAD
        return Measure("estimated win chance", *MARKS, is_estimate=True, spread=spread)

    @cached_property
    def value(self) -> float:
        """The estimated chance of the first player."""
        view = self.view((0,) * self.goal.players, tuple(table.records[0] for table in self.tables), 0)
        return float(view.roll_worth(0, view.table.opening))

    def view_at(self, spot: PointsSpot) -> TurnView:
        """Return the turn in progress at a spot."""
        return self.view(spot.standings, spot.records, spot.seat)

    def view(self, standings: Sequence[int], records: Sequence[Record], seat: int) -> TurnView:
        """Return the turn of a seat, ready for questions about its moments."""
        table, home = self.tables[seat], self.home[seat]
        others = [other for other in range(self.goal.players) if other != seat]
        score = max(standings[seat] // table.unit - table.lowest, 0)
        record = table.records.index(records[seat])
        goal, after, least = table.scores - score, int(table.bank_to[record]), int(table.least_bank[record])
        if finished := [standings[other] for other in others if standings[other] >= self._target(other)]:
            return self._last_turn(seat, max(finished) - standings[seat])
        last = self.goal.last_round and not table.must_hit
        behind = np.prod([1 - self.home[o][:, self._standing(o, standings[o], records[o])] for o in others], axis=0)
        first = np.diff(home, axis=0, prepend=0.0).T @ behind
        below = first[score * len(table.records) + after :: len(table.records)][:goal]
        past = np.arange(table.scores + 1 if last else 1) * table.unit + self._target(seat)
        won = np.prod([1 - self._catches_up(o, past - standings[o]) for o in others], axis=0) if last else np.ones(1)
        end = goal + (int(np.argmax(won >= SURE)) or len(won) - 1 if last else self.goal.ends_past or 0)
        bank = np.concatenate([below, won, np.full(end + table.turn.max_points + 1, won[-1])])
        fallen = max(int(table.bust_score[record, score]), 0) * len(table.records) + int(table.bust_to[record])
        return self._view_of(seat, bank, float(first[fallen]), goal, end, least, self.goal.ends_past)

    def shares(self, standings: Sequence[int], records: Sequence[Record], seat: int, value: float) -> tuple[float, ...]:
        """Return the chances of all seats, where that of the one who has the dice is known; the others divide the rest."""
        order = [(seat + j) % self.goal.players for j in range(1, self.goal.players)]
        homes = [self._home_at(other, standings, records) for other in order]
        weights = []
        for number, home in enumerate(homes):
            before = np.prod([1 - one for one in homes[:number]], axis=0)
            later = np.prod([1 - np.concatenate(([0.0], one[:-1])) for one in homes[number + 1 :]], axis=0)
            weights.append(float(np.sum(np.diff(home, prepend=0.0) * before * later)))
        whole = sum(weights)
        rest = [(1 - value) * (weight / whole if whole > 0 else 1 / len(order)) for weight in weights]
        return tuple(value if other == seat else rest[order.index(other)] for other in range(self.goal.players))

    def _home_at(self, seat: int, standings: Sequence[int], records: Sequence[Record]) -> Chances:
        if standings[seat] >= self._target(seat):
            return np.ones(len(self.home[seat]))
        return self.home[seat][:, self._standing(seat, standings[seat], records[seat])]

    def _last_turn(self, seat: int, behind: int) -> TurnView:
        """Return the one turn that is left once somebody is at the target, this many points ahead."""
        table = self.tables[seat]
        tie = {"first": 0.0, "share": 0.5, "last": 1.0}[self.goal.ties]
        whole, rest = divmod(behind, table.unit)
        end = whole + 1
        at = [0.0] if rest else [tie]
        bank = np.concatenate([np.zeros(whole), at, np.ones(table.turn.max_points + 2)])
        return self._view_of(seat, bank, 0.0, end, end, 1, 0)

    def _view_of(
        self, seat: int, bank: Chances, bust: float, goal: int, end: int, least: int, ends_past: int | None
    ) -> TurnView:
        turn, must_hit = self.tables[seat].turn, self.tables[seat].must_hit
        bank = bank[: end + turn.max_points + 1]
        at = np.arange(len(bank))
        stop = np.where((at >= least) | (at >= goal), bank, -inf)
        moments = replayed(turn, bank, stop, end, bust, bust_from=goal + 1 if must_hit else None)
        return TurnView(
            self.goal.games[seat], turn, lambda t, mode: float(moments[t][mode][0]), lambda t: float(bank[t]), bust, goal,
            least, 0, lambda worth: worth, False, lambda: None, ends_past, end, lambda t, mode: float(moments[t][mode][1]),
        )  # fmt: skip

    def _catches_up(self, seat: int, ahead: NDArray[np.int64]) -> Chances:
        """Return the chance that one turn brings a seat past others who are this many points ahead."""
        table = self.tables[seat]
        needed = ahead // table.unit + 1 if self.goal.ties == "first" else -(-ahead // table.unit)
        opened = max(range(len(table.records)), key=lambda number: table.records[number].has_opened)
        score = np.maximum(table.scores - needed, 0)
        chances: Chances = self.home[seat][1, score * len(table.records) + opened] * (needed <= table.scores)
        return chances

    def _target(self, seat: int) -> int:
        return self.tables[seat].target * self.tables[seat].unit

    def _standing(self, seat: int, score: int, record: Record) -> int:
        table = self.tables[seat]
        return table.standing(max(score // table.unit, table.lowest), record)


def estimated_race(goal: Race) -> EstimatedRace | None:
    """Return a race for two or more with estimated chances; None where even that takes long.

    >>> from jeopardice import Pig
    >>> estimated = estimated_race(Race(Pig(), target=100, players=2))
    >>> print(f"{estimated.value:.3f}")  # solved: 0.531
    0.529
    """
    tables = race_tables(goal)
    known: dict[Any, Chances] = {}
    for game, table in zip(goal.games, tables, strict=True):
        if game not in known:
            turns = int(goal.target or 0) / float(solve_points(Turn(game)).value)
            rows, home = ceil(TURNS * turns) + 5, np.zeros((1, table.standings))
            while home[-1, table.start] < HOME:
                if rows * table.standings * table.scores * len(table.turn.arrays["offset"]) > MOST_STEPS:
                    return None
                home = race.solve_within(table, rows)
                rows *= 2
            home[-1] = 1.0
            known[game] = home
    rows = max(len(home) for home in known.values())
    homes = {game: np.pad(home, ((0, rows - len(home)), (0, 0)), mode="edge") for game, home in known.items()}
    return EstimatedRace(goal, tables, tuple(homes[game] for game in goal.games))
