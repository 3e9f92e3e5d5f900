"""The rules between turns as arrays: what a seat of a race is, for every score and record, in units.

    standing = score * records + record,    scores counted from the lowest one that can occur

A bank of t units leads from (score, record) to (score + t, bank_to[record]), a bust to (bust_score[record, score],
bust_to[record]). Every rule between turns is read from here, by kernels, rationals, plans, laws and simulation.
Where scores may fall for ever (no floor), they are cut off at `lowest`, far enough below to be out of sight.
"""

from dataclasses import dataclass
from functools import cached_property
from math import gcd

import numpy as np
from numpy.typing import NDArray

from jeopardice.engine.work import check_memory
from jeopardice.errors import RulesError, TooLargeError
from jeopardice.kernels import kernels
from jeopardice.points.tables import TurnTable, lay_out
from jeopardice.rules.goal import Race
from jeopardice.rules.house import House, Record

MOST_STANDINGS = 2**31 - 2**20
BYTES_PER_STANDING = 32
"""What a race alone needs for each standing: its value, a bound, and the tables."""
CUT_OFF_PENALTIES = 8
"""Without a floor, scores are followed at first down to this many penalties below 0."""


@dataclass(frozen=True, eq=False)
class RaceTable:
    """One seat of a race: the table of its turns, and the rules between them.

    Without a floor, scores are followed down to `depth` penalties below 0.
    """

    turn: TurnTable
    house: House
    target: int
    must_hit: bool
    depth: int = CUT_OFF_PENALTIES

    @property
    def unit(self) -> int:
        """How many points a unit has."""
        return self.turn.unit

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """All records, the opening one first."""
        return self.house.records()

    @cached_property
    def lowest(self) -> int:
        """The lowest score, in units."""
        house = self.house
        if house.penalty in (0, "all"):
            return 0
        if house.floor is not None:
            return -(-house.floor // self.unit) if house.floor else 0
        return -self.depth * int(house.penalty) // self.unit

    @property
    def is_cut_off(self) -> bool:
        """Whether scores below `lowest` can occur and are taken for `lowest`'s worst case."""
        return self.house.floor is None and self.house.penalty not in (0, "all")

    @property
    def scores(self) -> int:
        """How many scores lie below the target."""
        return self.target - self.lowest

    @property
    def standings(self) -> int:
        """How many standings there are."""
        return self.scores * len(self.records)

    @property
    def start(self) -> int:
        """The standing at the beginning of a race."""
        return self.standing(0, self.records[0])

    def standing(self, score: int, record: Record) -> int:
        """Return the number of a standing; the score is in units."""
        return (score - self.lowest) * len(self.records) + self.records.index(record)

    @cached_property
    def least_bank(self) -> NDArray[np.int32]:
        """The units that the choice to stop needs, by record; at least 1, since to bank nothing is a bust."""
        return np.array([self.house.least_units(self.unit, record) for record in self.records], np.int32)

    @cached_property
    def bank_to(self) -> NDArray[np.int32]:
        """The record after a bank, by record."""
        return np.array([self.records.index(self.house.after_bank(record)) for record in self.records], np.int32)

    @cached_property
    def bust_to(self) -> NDArray[np.int32]:
        """The record after a bust, by record."""
        return np.array([self.records.index(self.house.after_bust(record)[0]) for record in self.records], np.int32)

    @cached_property
    def bust_score(self) -> NDArray[np.int32]:
        """The score after a bust, counted from the lowest: [record, score]; -1 where it is cut off."""
        fallen = np.zeros((len(self.records), self.scores), np.int32)
        for r, record in enumerate(self.records):
            _, loss = self.house.after_bust(record)
            if loss == 0:
                fallen[r] = np.arange(self.scores, dtype=np.int32)
                continue
            for s in range(self.scores):
                after = self.house.score_after_loss((s + self.lowest) * self.unit, loss)
                fallen[r, s] = max(after // self.unit - self.lowest, -1)
        return fallen

    @cached_property
    def reached(self) -> NDArray[np.bool_]:
        """Whether a race can come to a standing, if turns may bank any number of units: [score, record]."""
        reached = np.zeros((self.scores, len(self.records)), bool)
        reached[-self.lowest, 0] = True
        while True:
            before = reached.copy()
            for r in range(len(self.records)):
                banked = np.logical_or.accumulate(reached[:, r])[:-1]
                reached[1:, self.bank_to[r]] |= banked
                fallen = self.bust_score[r][reached[:, r]]
                reached[fallen[fallen >= 0], self.bust_to[r]] = True
            if (before == reached).all():
                return reached

    @cached_property
    def alive(self) -> NDArray[np.bool_]:
        """Whether the target can still be reached from a score, with the record that follows a bank; from the rules."""
        chosen, forced = self._bankable
        least, alive = int(self.least_bank[self.bank_to[0]]), np.zeros(self.scores, bool)
        for score in reversed(range(self.scores)):
            goal = self.scores - score
            past = not self.must_hit and max(chosen | forced, default=0) >= goal
            inside = [t for t in chosen | forced if t < goal and (t in forced or t >= least)]
            alive[score] = past or goal in chosen | forced or any(alive[score + t] for t in inside)
        return alive

    @cached_property
    def _bankable(self) -> tuple[set[int], set[int]]:
        """The units that a turn can bank by choice and by a play that ends it; all that reach the target count as one."""
        turn, most = self.turn, self.scores + 1
        reached, waiting = {(0, turn.opening)}, [(0, turn.opening)]
        while waiting:
            t, mode = waiting.pop()
            for choices in turn.groups[mode] if mode < len(turn.modes) else ():
                for points, to in choices:
                    after = (min(t + points, most), to)
                    if after not in reached:
                        reached.add(after)
                        waiting.append(after)
        ended = {t for t, mode in reached if t and mode == len(turn.modes)}
        return {t for t, mode in reached if t and mode < len(turn.modes) and turn.may_stop[mode]}, ended

    @cached_property
    def busts_stay(self) -> bool:
        """Whether every bust leads back to the standing where the turn began."""
        return bool(
            (self.bust_to == np.arange(len(self.records))).all()
            and (self.bust_score == np.arange(self.scores, dtype=np.int32)).all()
        )

    @cached_property
    def may_cut(self) -> bool:
        """Whether turns may be cut where one more roll does not pay (see `stop_bound` in turn.hpp)."""
        return not self.must_hit and all(self.turn.may_stop)

    @cached_property
    def kernel(self) -> kernels.House:
        """The seat as the compiled passes hold it."""
        return self._kernel(self.bust_score)

    @cached_property
    def kernel_alone(self) -> kernels.House:
        """The same for a player alone, where a score that is cut off counts as the lowest."""
        return self._kernel(np.maximum(self.bust_score, 0))

    def _kernel(self, bust_score: NDArray[np.int32]) -> kernels.House:
        return kernels.House(
            self.turn.kernel, scores=self.scores, records=len(self.records), must_hit=self.must_hit,
            least_bank=self.least_bank, bank_to=self.bank_to, bust_to=self.bust_to, bust_score=bust_score,
            reached=np.ascontiguousarray(self.reached.reshape(-1), np.uint8),
        )  # fmt: skip


def race_tables(goal: Race) -> tuple[RaceTable, ...]:
    """Return the table of every seat of a race; seats with the same game share one.

    Plays with fewer points in the same mode are only left out where more points can never hurt: not where the target must
    be hit, not with a last round or piggyback. Under penalties they never hurt to win: who has more points can play as if
    they were fewer, and is ahead after every bank and every bust. For the margin they may: a race that is won at once
    cannot wait for the opponent to lose points.
    """
    if goal.target is None:
        raise ValueError(f"a race needs a target, and {goal.game!r} names no usual one; say target=...")
    house, ending = goal.house, goal.ending
    waits = ending.payoff == "margin" and house.busts > 0
    monotone = not (ending.must_hit or ending.last_round or goal.piggyback or waits)
    penalty = 0 if house.penalty == "all" else house.penalty
    own = [lay_out(game, drop_dominated=monotone) for game in goal.games]
    _check_forced_rolls(goal, own)
    common = [table.unit for table in own] if ending.last_round else []
    depth = CUT_OFF_PENALTIES if goal.within is None else goal.within // max(house.busts, 1) + 1
    tables: list[RaceTable] = []
    for seat, game in enumerate(goal.games):
        twin = goal.games.index(game)
        if twin < seat:
            tables.append(tables[twin])
            continue
        unit = gcd(own[seat].unit, penalty, house.floor or 0, *common)
        turn = own[seat] if unit == own[seat].unit else lay_out(game, drop_dominated=monotone, unit=unit)
        tables.append(RaceTable(turn, house, target_in_units(goal, unit), ending.must_hit, depth))
        check_memory(tables[-1].standings * BYTES_PER_STANDING, "this race", "choose a smaller target")
        if tables[-1].standings > MOST_STANDINGS:
            raise TooLargeError(f"a race has at most {MOST_STANDINGS:,} standings; choose a smaller target")
    return tuple(tables)


def target_in_units(goal: Race, unit: int) -> int:
    """Return the target in units of points; where it must be hit it is a multiple of them."""
    target = int(goal.target or 0)
    if goal.ending.must_hit and target % unit:
        raise RulesError(
            f"to land exactly, the target is a multiple of {unit}, got target={target}; choose another target"
        )
    return -(-target // unit)


def _check_forced_rolls(goal: Race, turns: list[TurnTable]) -> None:
    """Refuse races whose turns would have to be followed past the target, roll by roll."""
    for option, given, usual in (("finish", goal.finish, "reach"), ("cost", goal.cost, "turns")):
        if given != usual and not all(all(turn.may_stop) for turn in turns):
            raise RulesError(
                f"{option}={given!r} cannot be solved where dice must be rolled on (hot_dice='must'); take {option}={usual!r}"
            )
