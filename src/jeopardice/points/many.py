"""Races of several players solved: an equilibrium at every cycle of positions that differ in who has the dice.

A position is a tuple of standings that begins with the player to move and goes on in the order of play; its values are one
chance per player, in the same order. Every player maximises the own chance. `kernels/many_cycle.hpp` says how the
equilibrium of a cycle is found, and why it may have to be mixed. Seats may follow a given strategy instead (`Given`): with
given strategies everywhere this is a Markov chain, with one seat left free a best response.

Cost: two to three walks of a turn per position. Memory: one number per position and player.
"""

from dataclasses import dataclass, field
from functools import cached_property, partial
from math import gcd, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.engine.work import Work, check_memory
from jeopardice.errors import RulesError
from jeopardice.kernels import Progress, kernels, thread_count
from jeopardice.points.last_round import LastRound, last_round, round_bytes
from jeopardice.points.race import NOTHING, can_score, no_way, run_pass, threads_for
from jeopardice.points.race_table import RaceTable
from jeopardice.rules.ending import Ending
from jeopardice.rules.goal import Race

Values = NDArray[np.float64]
Mixed = list[tuple[int, int, float]]
"""Mixed positions: the seat to move, the number of the position, the share of turns with the cautious plan."""

TIES = {"stop": 0, "bold": 1, "roll": 2}
"""How the kernels number what an indifferent player does."""
TIE = 1e-14
"""A player is indifferent between chances that differ by no more, relative to the chance that the turn banks."""
STEPS_A_SECOND = 4e8
"""Plays looked at in a second on one core."""
WALKS = 2.6
"""Walks through a turn that one position needs, about."""
SWEEPS = 15
"""Sweeps over all positions that penalties need, about."""
MOST_GUIDED = 7
"""The play that given values decide is followed for at most this many players."""


@dataclass(frozen=True, eq=False)
class ManyTables:
    """A race of several: each seat's table, and what an indifferent player does: "stop" or "roll" where both are best."""

    tables: tuple[RaceTable, ...]
    indifferent: str = "stop"
    given: tuple["Given | None", ...] = ()
    ending: Ending = field(default_factory=Ending)

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.tables)

    @property
    def symmetric(self) -> bool:
        """Whether all seats are alike, so that positions are stored once for all seats."""
        return all(one is self.given[0] for one in self.given) and all(table is self.tables[0] for table in self.tables)

    @property
    def busts_stay(self) -> bool:
        """Whether every bust leads back to the standing where the turn began: there are no penalties."""
        return all(table.busts_stay for table in self.tables)

    @property
    def seats(self) -> range:
        """The seats that have values of their own."""
        return range(1 if self.symmetric else self.players)

    def shape(self, seat: int) -> tuple[int, ...]:
        """Return the shape of a seat's values: standings from that seat on in the order of play, then players."""
        order = [self.tables[(seat + j) % self.players].standings for j in range(self.players)]
        return (*order, self.players)

    @property
    def positions(self) -> int:
        """How many positions there are, apart from the seat that moves."""
        return len(self.seats) * prod(self.shape(0)[:-1])

    @property
    def cycles(self) -> int:
        """About how many cycles there are; exactly, where seats differ."""
        return self.positions // self.players

    @property
    def steps(self) -> float:
        """About how many steps a walk of every position takes."""
        long = sum(table.scores / 2 * len(table.turn.arrays["offset"]) for table in self.tables) / self.players
        return self.positions * long

    @cached_property
    def last_round(self) -> LastRound | None:
        """The last round, if there is one."""
        if not self.ending.last_round:
            return None
        return last_round(self.tables, self.ending, TIES[self.indifferent], TIE)

    @property
    def beyond(self) -> int:
        """How many units past the target a turn is followed."""
        return self.last_round.beyond if self.last_round else 0

    @cached_property
    def _finishes(self) -> list[Values]:
        """Each seat's chances past the target; seats that are alike share them."""
        if self.last_round is None:
            return [NOTHING] * self.players
        made = {self.last_round.seat(seat): self.last_round.finish(seat) for seat in range(self.players)}
        return [made[self.last_round.seat(seat)] for seat in range(self.players)]

    def kernel(self, worths: tuple[Values, ...], mixed: Mixed, start: int = 0) -> Any:
        """Return the race as the compiled passes hold it, over these values."""
        seats = [
            kernels.ManySeat(
                table.kernel, worth=worths[s if len(worths) > 1 else 0], law=law, guide=guide, finish=finish
            )
            for s, (table, finish, law, guide) in enumerate(
                zip(self.tables, self._finishes, *self._given(), strict=True)
            )
        ]
        mixed = sorted([*mixed, *(row for given in self.given if given for row in given.mixed)])
        return kernels.Many(
            seats, symmetric=self.symmetric, tie=TIE, usual=TIES[self.indifferent], beyond=self.beyond, start=start,
            mixed_seat=np.array([m[0] for m in mixed], np.int32),
            mixed_position=np.array([m[1] for m in mixed], np.int64),
            mixed_share=np.array([m[2] for m in mixed], np.float64),
        )  # fmt: skip

    def _given(self) -> tuple[list[Values], list[Values]]:
        """Return each seat's law and guide; nothing for best play."""
        given = self.given or (None,) * self.players
        laws = [NOTHING if one is None or one.law is None else one.law.reshape(-1) for one in given]
        return laws, [NOTHING if one is None or one.guide is None else one.guide.reshape(-1) for one in given]


@dataclass(frozen=True, eq=False)
class Given:
    """A given strategy of a seat: chances of what a turn banks, [own standing, units]; or values that guide its best play.

    A guide are the values of the next seat in a race with the same tables, and `mixed` the seat's mixed positions there.
    """

    law: Values | None = None
    guide: Values | None = None
    mixed: Mixed = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class ManyValues:
    """Each seat's values when it is to move; one array where all seats are alike."""

    worths: tuple[Values, ...]
    mixed: Mixed = field(default_factory=list)
    unsettled: Mixed = field(default_factory=list)


def check_many(goal: Race, tables: tuple[RaceTable, ...]) -> None:
    """Refuse rules that are not solved for several players, and races that do not fit in memory, before the work."""
    if any(table.is_cut_off for table in tables):
        raise RulesError(
            "with three and more players penalties need a lowest score; say floor=0 or a number below, such as "
            f"floor={-4 * int(goal.penalty)}"
        )
    if goal.players > MOST_GUIDED and not ManyTables(tables).busts_stay:
        raise RulesError(f"penalties are solved for at most {MOST_GUIDED} players, got players={goal.players}")
    work = many_work(tables, ending=goal.ending)
    race = f"this race ({work.anchors:,} positions, about {work.seconds / 3600:,.1f} h of work)"
    check_memory(work.bytes, race, "choose a smaller target or fewer players")
    if not any(can_score(table) for table in tables):
        raise RulesError(no_way(tables[0]))


def bytes_needed(tables: tuple[RaceTable, ...], ending: Ending | None = None) -> int:
    """Return the memory of all values: eight bytes per position and player; and of the last round."""
    many = ManyTables(tables)
    more = round_bytes(tables, ending) if ending is not None and ending.last_round else 0
    copies = 1 if many.busts_stay else 3  # bounds are moved on from those before
    return more + copies * 8 * many.positions * many.players + 36 * widest_sum(tables)


def many_work(tables: tuple[RaceTable, ...], threads: int | None = None, ending: Ending | None = None) -> Work:
    """Estimate positions x walks x moments x plays; a walk carries everybody's chances, eight at most in two registers."""
    many = ManyTables(tables)
    walks = WALKS if many.busts_stay else WALKS + SWEEPS
    seconds = many.steps * walks / STEPS_A_SECOND * (1 if many.players <= 4 else 2)
    return Work(many.positions, seconds / thread_count(threads), bytes_needed(tables, ending))


def widest_sum(tables: tuple[RaceTable, ...]) -> int:
    """Return about how many cycles share one sum of scores: a list of them is held in memory."""
    sizes = [table.standings for table in tables]
    return prod(sizes) // max(sizes)


def solve_many(
    many: ManyTables, *, start: int = 0, threads: int | None = None, progress: Progress | None = None
) -> ManyValues:
    """Return the values of an equilibrium; `start` begins the search at a guess (0) or at either end (1, 2)."""
    worths = tuple(np.zeros(many.shape(seat)) for seat in many.seats)
    call = partial(kernels.solve_many, many.kernel(worths, [], start), threads=threads_for(threads, many.steps))
    mixed, unsettled = run_pass(call, steps=3 * many.steps, total=count_cycles(many), progress=progress)
    return ManyValues(worths, mixed, unsettled)


def certify_many(
    many: ManyTables, values: ManyValues, *, threads: int | None = None, progress: Progress | None = None
) -> tuple[float, float]:
    """Return what a player can gain at most by another strategy, and how far values are from those of this play."""
    kernel = many.kernel(values.worths, values.mixed)
    call = partial(kernels.certify_many, kernel, threads=threads_for(threads, many.steps))
    gain, error = run_pass(call, steps=3 * many.steps, total=count_cycles(many), progress=progress)
    if (after := many.last_round) is not None:
        gain, error = gain + after.gain, error + after.error
    return float(gain), float(error)


def other_equilibria(
    many: ManyTables, values: ManyValues, *, threads: int | None = None, progress: Progress | None = None
) -> Mixed:
    """Return the cycles for which the search from either end found another equilibrium, and how far apart they are."""
    kernel = many.kernel(values.worths, values.mixed)
    call = partial(kernels.other_many, kernel, threads=threads_for(threads, many.steps))
    found: Mixed = run_pass(call, steps=6 * many.steps, total=count_cycles(many), progress=progress)
    return found


def count_cycles(many: ManyTables) -> int:
    """Return how many cycles there are: where all seats are alike, the necklaces of standings."""
    n, sizes = many.players, [int(table.reached.sum()) for table in many.tables]
    if not many.symmetric:
        return prod(sizes)
    return sum(int(sizes[0] ** gcd(turn, n)) for turn in range(n)) // n
