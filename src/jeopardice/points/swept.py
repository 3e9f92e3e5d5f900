"""Races for two with penalties: all values swept until nothing moves, then bounds around them that prove each other.

A penalty leads back to lower scores, so no order of work settles one position after the other. The same race without
penalties gives first values; each sweep (`sweep.hpp`) then brings them nearer by the chance that a penalty is paid. What
is left is rounding: bounds wider by a tiny share of the turns still to come prove each other (`prove_sweep.hpp`). Where
they do not, for a race can go on by the wish of both, bounds begin with the least and the largest prize and are moved
inwards, which holds at any time. Cost: one walk per position and sweep, two per position and proof.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from jeopardice.kernels import Progress, kernels
from jeopardice.points.race import (
    NOTHING,
    DuelTables,
    DuelValues,
    Values,
    bar_of_passes,
    run_pass,
    solve_duel,
    threads_for,
)
from jeopardice.points.race_table import RaceTable
from jeopardice.rules.house import House, Record

MOST_SWEEPS = 20_000
USUAL_SWEEPS = 12
TURN_SWEEPS, TURNS_SETTLED = 4, 1e-9
"""The first sweeps count the turns to come, too; a rough number is enough. Where scores are cut off it must be closer: they
are counted until values move no more than this, times the largest prize."""
SETTLED = 3e-15
"""Values that move less than this, times the largest prize, hardly move again but by rounding."""
MOST_STUCK = 50
"""After this many sweeps that hardly bring values nearer, bounds are moved inwards instead."""
NARROW, WIDE = 1.1e-14, 1e-9
"""How wide bounds are at first and at last, per turn still to come and times the largest prize."""
MET = 2e-15

Pair = tuple[Values, Values]


@dataclass(eq=False)
class Sweeps:
    """A race with penalties on its way: values from below and from above (one array where nothing is cut off)."""

    duel: DuelTables
    threads: int | None
    progress: Progress | None
    lower: Pair
    upper: Pair
    turns: Pair = field(init=False)
    passes: int = 0
    moved: float = np.inf

    def __post_init__(self) -> None:
        self.turns = self.duel.empty()
        self._bounds = [
            np.zeros(4 * other.standings * mine.scores) if mine.may_cut else NOTHING
            for mine, other in (self.duel.tables, self.duel.tables[::-1])
        ]
        if self.duel.symmetric:
            self._bounds[1] = self._bounds[0]

    @property
    def most(self) -> float:
        """Nothing is worth more."""
        return max(float(prize.max()) for prize in self.duel.prizes)

    @property
    def _counts_turns(self) -> bool:
        cut_off = any(table.is_cut_off for table in self.duel.tables)
        return self.passes < TURN_SWEEPS or (cut_off and self.moved > TURNS_SETTLED * self.most)

    def run(self, kernel: Any, **options: Any) -> float:
        """Make one pass and return what it found."""
        swept = kernels.Swept(
            first_lower=self.lower[0], second_lower=self.lower[1], first_upper=self.upper[0], second_upper=self.upper[1],
            first_turns=self.turns[0], second_turns=self.turns[1], first_bound=self._bounds[0],
            second_bound=self._bounds[1], most=self.most, count_turns=self._counts_turns,
        )  # fmt: skip
        call = partial(
            kernel, *self.duel.seats(self.lower, cut=False), swept, sum=float(self.duel.ending.total),
            symmetric=self.duel.symmetric, threads=threads_for(self.threads, self.duel.steps), **options,
        )  # fmt: skip
        total = self.duel.diagonal_steps
        bar = bar_of_passes(self.progress, self.passes, USUAL_SWEEPS, total)
        result = run_pass(call, steps=4 * self.duel.steps, total=total, progress=bar)
        self.passes += 1
        return float(result)

    def settle(self) -> None:
        """Sweep until nothing moves but the last bits."""
        before, stuck = np.inf, 0
        for _ in range(MOST_SWEEPS):
            moved = self.moved = self.run(kernels.sweep_duel)
            stuck = stuck + 1 if moved > 0.9 * before else 0
            if moved <= SETTLED * self.most or (moved < 1e-13 * self.most and moved > before / 2) or stuck > MOST_STUCK:
                return
            before = moved

    def bounds_around(self) -> Iterator["Sweeps"]:
        """Yield bounds around the settled values, wider and wider."""
        width = NARROW * self.most
        while width < WIDE * self.most:
            low = tuple(
                np.maximum(v - width * (1 + t), self.duel.ending.total - self.most)
                for v, t in zip(self.lower, self.turns, strict=True)
            )
            high = tuple(
                np.minimum(v + width * (1 + t), self.most) for v, t in zip(self.upper, self.turns, strict=True)
            )
            yield self._between(low, high)
            width *= 8

    def least_and_largest(self) -> "Sweeps":
        """Return bounds that nobody can miss."""
        return self._between(self.duel.empty(self.duel.ending.total - self.most), self.duel.empty(self.most))

    def _between(self, low: Any, high: Any) -> "Sweeps":
        if self.duel.symmetric:
            low, high = (low[0], low[0]), (high[0], high[0])
        bounds = replace(self, lower=low, upper=high)
        bounds.passes = self.passes
        return bounds

    def values(self) -> DuelValues:
        """Return the middle of the bounds, and half their width."""
        first, second = zip(self.lower, self.upper, strict=True)
        pairs = (first, first) if self.duel.symmetric else (first, second)
        middle = [(low + high) / 2 for low, high in pairs]
        width = [(high - low) / 2 + 1e-16 * self.most for low, high in pairs]
        return DuelValues(middle[0], middle[1], (width[0], width[1]))


def sweep_duel(duel: DuelTables, *, threads: int | None = None, progress: Progress | None = None) -> DuelValues:
    """Return both seats' values under penalties, with bounds of their errors."""
    first = first_values(duel, threads)
    cut_off = any(table.is_cut_off for table in duel.tables)
    sweeps = Sweeps(duel, threads, progress, first, (first[0].copy(), first[1].copy()) if cut_off else first)
    if cut_off and duel.symmetric:
        sweeps.upper = (sweeps.upper[0], sweeps.upper[0])
    sweeps.settle()
    for bounds in sweeps.bounds_around():
        if bounds.run(kernels.prove_sweep, improve=False) <= 0:
            return bounds.values()
    bounds = sweeps.least_and_largest()
    for _ in range(MOST_SWEEPS):
        if bounds.run(kernels.prove_sweep, improve=True) <= MET / 8 * bounds.most:
            break
    return bounds.values()


def first_values(duel: DuelTables, threads: int | None) -> Pair:
    """Return the values of the same race without penalties, for every record: where the sweeps begin."""
    first, second = duel.tables
    plain_first = without_penalties(first)
    plain = (plain_first, plain_first if duel.symmetric else without_penalties(second))
    prizes = duel.prizes[0][-second.lowest :], duel.prizes[1][-first.lowest :]
    values = solve_duel(replace(duel, tables=plain, prizes=prizes), threads=threads)
    places = [places_without(table, without) for table, without in zip(duel.tables, plain, strict=True)]
    spread = np.ascontiguousarray(values.first[np.ix_(*places)])
    return spread, spread if duel.symmetric else np.ascontiguousarray(values.second[np.ix_(*places[::-1])])


def without_penalties(table: RaceTable) -> RaceTable:
    """Return the same seat under rules without penalties."""
    house = House(table.house.bank_from, table.house.open_from)
    return RaceTable(table.turn, house, table.target, table.must_hit)


def places_without(table: RaceTable, plain: RaceTable) -> list[int]:
    """Return the standing without penalties that each standing of `table` is taken for."""
    return [
        plain.standing(max(score, 0), Record(has_opened=record.has_opened))
        for score in range(table.lowest, table.target)
        for record in table.records
    ]
