"""Races with piggyback in rational numbers: the twin of `kernels/piggyback.cpp`, written from the table on its own.

Every position has a function of the bust's value that values its turn, moment by moment, by recursion; a pair of positions
is settled by Newton steps until a step is exactly 0.
"""

from dataclasses import dataclass, field
from functools import cache

from flint import fmpq

from jeopardice.engine.anchor import Bracket, solve_anchor
from jeopardice.errors import TooLargeError
from jeopardice.kernels import Progress
from jeopardice.kernels.stopping import report
from jeopardice.points.piggyback import PiggybackTables
from jeopardice.points.rational import as_flint, fraction
from jeopardice.types import Number, Rational

MOST_STEPS = 3e6
"""Positions x rows x plays; about a minute."""


@dataclass(frozen=True, eq=False)
class ExactPiggyback:
    """Exact values by (mine, theirs), and of taking over an offer by (mine, theirs, units, mode)."""

    tables: PiggybackTables
    positions: dict[tuple[int, int], Rational] = field(default_factory=dict)
    offers: dict[tuple[int, int, int, int], Rational] = field(default_factory=dict)

    def begun(self, mine: int, theirs: int) -> Rational:
        """Return the value of a position for the player who begins a turn."""
        return fraction(self.positions[mine, theirs])

    def taken(self, mine: int, theirs: int, units: int, mode: int) -> Rational:
        """Return the value of taking over an offer."""
        return fraction(self.offers[mine, theirs, units, mode])

    def rows(self, mine: int, theirs: int) -> list[list[tuple[Number, ...]]]:
        """Return the moments of a turn: [units at risk][mode] as (value, bust chance), one play past the target."""
        table = self.tables.table
        worth, _ = self.turn(mine, theirs, self.total - self.positions[theirs, mine])
        reach = table.scores - mine + table.turn.max_points + 1
        modes = range(len(table.turn.modes) + 1)
        return [[tuple(map(fraction, worth(t, mode))) for mode in modes] for t in range(reach)]

    @property
    def total(self) -> int:
        """What both values add up to."""
        return self.tables.goal.ending.total

    def turn(self, mine: int, theirs: int, bust: Rational) -> tuple[Rational, Rational]:
        """Return two functions of (units at risk, mode): a moment's value and bust chance, and those of rolling there."""
        table, turn = self.tables.table, self.tables.table.turn
        ended, to_go = len(turn.modes), table.scores - mine
        prize = as_flint(float(self.tables.prize[theirs]))
        least = int(table.least_bank[table.bank_to[0] if mine else 0])

        def stop(t: int, mode: int) -> tuple[Rational, Rational]:
            if t >= to_go:
                return prize, fmpq(0)
            left = turn.opening if mode == ended else mode
            taken = self.offers[theirs, mine + t, t, left]
            return self.total - max(self.positions[theirs, mine + t], taken), fmpq(0)

        @cache
        def worth(t: int, mode: int) -> tuple[Rational, Rational]:
            if mode == ended:
                return stop(t, mode) if t else (bust, fmpq(1))
            if t >= to_go:
                keep = as_flint(turn.keep[mode])
                return keep * prize + (1 - keep) * bust, 1 - keep
            options = [rolled(t, mode)]
            if t and t >= least and turn.may_stop[mode]:
                options.insert(0, stop(t, mode))
            return max(options, key=lambda option: option[0])

        @cache
        def rolled(t: int, mode: int) -> tuple[Rational, Rational]:
            value, busts = turn.bust_weight[mode] * bust, fmpq(turn.bust_weight[mode])
            for choices, weight in turn.groups[mode].items():
                best = max((worth(min(t + points, to_go), to) for points, to in choices), key=lambda one: one[0])
                value, busts = value + weight * best[0], busts + weight * best[1]
            return value / turn.total_weight[mode], busts / turn.total_weight[mode]

        for t in reversed(range(to_go)):  # from the end, so that the recursion stays shallow
            for mode in reversed(range(ended)):
                worth(t, mode)
        return worth, rolled


def solve_exactly(tables: PiggybackTables, progress: Progress | None = None) -> ExactPiggyback:
    """Return the exact values of all positions and offers."""
    n, turn = tables.table.scores, tables.table.turn
    if (steps := n**3 * len(turn.arrays["offset"])) > MOST_STEPS:
        raise TooLargeError(
            f"exact piggyback takes about {steps:,} steps here, more than {int(MOST_STEPS):,}; choose a smaller target, or "
            "leave out exact for a certified float"
        )
    race = ExactPiggyback(tables)
    pairs = sorted(((a, b) for a in range(n) for b in range(a, n)), key=lambda pair: -sum(pair))
    for done, (a, b) in enumerate(pairs):
        report(progress, done, len(pairs))
        _settle(race, a, b)
    return race


def _settle(race: ExactPiggyback, a: int, b: int) -> None:
    """Find both values of a pair, then those of its offers."""
    total, opening = race.total, race.tables.table.turn.opening
    replies: dict[Rational, Rational] = {}

    def gap(y: Rational) -> tuple[Rational, Rational]:
        reply, their_busts = race.turn(b, a, total - y)[1](0, opening)
        value, my_busts = race.turn(a, b, total - reply)[1](0, opening)
        replies[y] = reply
        return value - y, 1 - my_busts * their_busts

    low, high = total - as_flint(float(race.tables.prize[a])), as_flint(float(race.tables.prize[b]))
    y = solve_anchor(gap, (low + high) / 2, Bracket(low, high))
    race.positions[a, b], race.positions[b, a] = y, replies[y]
    for mine, theirs in ((a, b), (b, a)):
        _, rolled = race.turn(mine, theirs, total - race.positions[theirs, mine])
        to_go = race.tables.table.scores - mine
        for units in range(1, theirs + 1):
            for mode in range(len(race.tables.table.turn.modes)):
                race.offers[mine, theirs, units, mode] = rolled(min(units, to_go), mode)[0]
