"""Races of several with penalties: all values swept until nothing moves, then bounds that prove what they are worth.

A penalty leads back to lower scores, so no order of work settles one position after the other. The same race without
penalties gives first values; each sweep (`many_sweep.hpp`) then brings them nearer by the chance that a penalty is paid.
Where a player's choice between two plans goes to and fro, the player mixes them: secants find the shares that make both
worth the same.

The certificate raises bounds U of everybody's chances until nobody has a turn that is worth more, and lowers the chance R
that the race goes on. No strategy gets more than its U against this play, and all chances add up to at least 1 - R; so
nobody gains more than the sum of all U plus R less 1, and no value is further off. Cost: one walk per position and sweep,
two to prove.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from jeopardice.kernels import Progress, kernels
from jeopardice.points.many import Given, ManyTables, ManyValues, Mixed, Values, count_cycles, solve_many
from jeopardice.points.race import bar_of_passes, run_pass, threads_for
from jeopardice.points.swept import places_without, without_penalties

MOST_SWEEPS = 2_000
USUAL_SWEEPS = 30
SETTLED = 3e-15
"""Values that move less than this hardly move again but by rounding."""
PATIENCE = 12
"""After this many sweeps that hardly bring values nearer, somebody goes to and fro."""
WIDTHS = (1e-12, 1e-10, 1e-8, 1e-6, 1e-4)
"""How near a kink the own chance after a bust must be for a player to mix; the least that is enough is taken."""
MOST_MIXED = 10_000
MOST_SECANTS = 60
SWEEPS_PER_SECANT = 4
AT_KINK = 4e-15
SWEEPS_PER_STEP = 16
"""How many times bounds are raised before they are moved on in the same direction."""

Shares = dict[tuple[int, int], float]


@dataclass(eq=False)
class ManySweeps:
    """Passes over the positions of a race, again and again, with one progress for all of them."""

    many: ManyTables
    threads: int | None
    progress: Progress | None
    passes: int = 0

    def run(self, kernel: Any, seats: Any, **options: Any) -> Any:
        """Make one pass."""
        call = partial(kernel, seats, threads=threads_for(self.threads, self.many.steps), **options)
        total = count_cycles(self.many)
        bar = bar_of_passes(self.progress, self.passes, USUAL_SWEEPS, total)
        result = run_pass(call, steps=self.many.steps, total=total, progress=bar)
        self.passes += 1
        return result

    def sweep(self, worths: tuple[Values, ...], shares: Shares, width: float = 0.0, looks: bool = False) -> Any:
        """Sweep once: the largest change, the distances of mixed positions from their kinks, and mixed cycles."""
        mixed = [(*place, share) for place, share in shares.items()]
        return self.run(kernels.sweep_many, self.many.kernel(worths, mixed), width=width, looks=looks)

    def settle(self, worths: tuple[Values, ...]) -> tuple[bool, Mixed]:
        """Sweep until nothing moves; False if something goes to and fro. With the mixed cycles."""
        least, stuck = np.inf, 0
        for _ in range(MOST_SWEEPS):
            moved, _, mixed = self.sweep(worths, {})
            if moved <= SETTLED:
                return True, mixed
            stuck = 0 if moved < 0.99 * least else stuck + 1
            least = min(moved, least)
            if stuck > PATIENCE:
                break
        return least < 1e-13, mixed

    def mix(self, worths: tuple[Values, ...]) -> tuple[bool, Mixed]:
        """Let the players who go to and fro mix; False if that settles nothing."""
        for width in WIDTHS:
            _, kinks, _ = self.sweep(worths, {}, width, looks=True)
            if 0 < len(kinks) <= MOST_MIXED:
                settled, mixed = self._secants(worths, [row[:2] for row in kinks], width)
                if settled:
                    return True, mixed
        return False, []

    def _secants(self, worths: tuple[Values, ...], places: list[tuple[int, int]], width: float) -> tuple[bool, Mixed]:
        shares = dict.fromkeys(places, 0.5)
        before: dict[tuple[int, int], tuple[float, float]] = {}
        for _ in range(MOST_SECANTS):
            for _ in range(SWEEPS_PER_SECANT):
                moved, kinks, mixed = self.sweep(worths, shares, width)
            off = {row[:2]: row[2] for row in kinks}
            wrong = [p for p in places if not _is_in_place(shares[p], off.get(p, 0.0))]
            if not wrong and moved <= 1e-13:
                between = [(*p, share) for p, share in shares.items() if 0 < share < 1 and p in off]
                return True, sorted([*mixed, *between])
            for place in wrong:
                now, share = off[place], shares[place]
                then, old = before.get(place, (now, share))
                slope = (now - then) / (share - old) if share != old else 0.0
                step = now / slope if slope > 0 else 0.25 * np.sign(now)
                before[place] = now, share
                shares[place] = float(np.clip(share - np.clip(step, -0.5, 0.5), 0.0, 1.0))
        return False, []


def _is_in_place(share: float, off: float) -> bool:
    """Whether the own chance after a bust is at the kink, or on the side of the one plan that is taken."""
    return abs(off) <= AT_KINK or (share == 0 and off > 0) or (share == 1 and off < 0)


def sweep_many(many: ManyTables, *, threads: int | None = None, progress: Progress | None = None) -> ManyValues:
    """Return the values of an equilibrium under penalties."""
    sweeps, worths = ManySweeps(many, threads, progress), first_values(many, threads)
    settled, mixed = sweeps.settle(worths)
    if not settled:
        settled, mixed = sweeps.mix(worths)
    return ManyValues(worths, mixed, [] if settled else [(0, 0, 0.0)])


def prove_many(
    many: ManyTables, values: ManyValues, *, threads: int | None = None, progress: Progress | None = None
) -> float:
    """Return what a player can gain at most by another strategy, which is also how far values are off at most."""
    sweeps, players = ManySweeps(many, threads, progress), many.players
    own = [seat if len(many.seats) > 1 else 0 for seat in range(players)]
    mixed = [[row for row in values.mixed if row[0] == seat] for seat in many.seats]
    given = [Given(guide=values.worths[own[(seat + 1) % players]], mixed=mixed[seat]) for seat in many.seats]
    guided = replace(many, given=tuple(given[seat] for seat in own))
    upper = tuple(worth.copy() for worth in values.worths)
    leave = _raise(sweeps, guided, upper)
    if leave is None:
        return 1.0
    ends = leave > 0  # the race may then be over within a few turns, wherever it is
    rest = [0.0] * len(upper) if ends else _going_on(sweeps, guided, values)
    more = [worth.sum(axis=-1) - 1 + stays for worth, stays in zip(upper, rest, strict=True)]
    last = 0.0 if many.last_round is None else many.last_round.gain + many.last_round.error
    return last + max(float(over[_reached(many, seat)].max()) for seat, over in enumerate(more)) + 4e-16 * players


def _raise(sweeps: ManySweeps, guided: ManyTables, upper: tuple[Values, ...]) -> float | None:
    """Raise bounds until they hold; returns the least chance that a turn banks, or None. In long races by larger steps."""
    kernel, ahead = guided.kernel(upper, []), 0.0
    before = [worth.copy() for worth in upper]
    for passes in range(1, MOST_SWEEPS):
        over, leave = sweeps.run(kernels.bound_many, kernel, goes_on=False, moves=True)
        if over < 1e-13 and not sweeps.run(kernels.bound_many, kernel, goes_on=False, moves=False)[0]:
            return float(leave)
        if passes % (2 * SWEEPS_PER_STEP) == SWEEPS_PER_STEP:
            before = [worth.copy() for worth in upper]
        elif passes % (2 * SWEEPS_PER_STEP) == 0:
            ahead = 2 * ahead + 1
            for worth, old in zip(upper, before, strict=True):
                np.minimum(worth + ahead * (worth - old), 1.0, out=worth)
    return None


def _going_on(sweeps: ManySweeps, guided: ManyTables, values: ManyValues) -> list[Values]:
    """Return an upper bound of the chance that the race never ends, for every position."""
    rest = tuple(np.ones_like(worth) for worth in values.worths)
    kernel = guided.kernel(rest, [])
    for _ in range(MOST_SWEEPS):
        if sweeps.run(kernels.bound_many, kernel, goes_on=True, moves=True)[0] < 1e-15:
            break
    return [worth[..., 0] for worth in rest]


def _reached(many: ManyTables, seat: int) -> Any:
    """Return the positions that can occur, as an index of a seat's values."""
    tables = [many.tables[(seat + j) % many.players] for j in range(many.players)]
    return np.ix_(*(table.reached.reshape(-1) for table in tables))


def first_values(many: ManyTables, threads: int | None) -> tuple[Values, ...]:
    """Return the values of the same race without penalties, for every record: where the sweeps begin."""
    plain = {id(table): without_penalties(table) for table in many.tables}
    tables = tuple(plain[id(table)] for table in many.tables)
    values = solve_many(replace(many, tables=tables), threads=threads)
    places = [places_without(table, without) for table, without in zip(many.tables, tables, strict=True)]
    order = [[places[(seat + j) % many.players] for j in range(many.players)] for seat in many.seats]
    return tuple(
        np.ascontiguousarray(worth[np.ix_(*ordered)]) for worth, ordered in zip(values.worths, order, strict=True)
    )
