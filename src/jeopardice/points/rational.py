"""The same races in rational numbers: every kernel's plain twin, written from the tables on its own.

A turn is walked backwards as in `turn.hpp`, but in values and slopes instead of gains, over Python's own structures, for
any number type. `solve(..., exact=True)` runs it on python-flint's rationals. Newton ends here when the step is exactly 0,
so the answers are exact. What cannot happen, or never ends, is None. Numerators grow with the number of anchors: a race
alone to 100 is quick, one for two is for small targets.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from flint import fmpq

from jeopardice.engine.anchor import Bracket, solve_anchor
from jeopardice.errors import TooLargeError
from jeopardice.kernels import Progress
from jeopardice.kernels.stopping import report
from jeopardice.points.race_table import RaceTable
from jeopardice.points.tables import TurnTable
from jeopardice.points.turn import TurnEdge
from jeopardice.rules.ending import Ending
from jeopardice.rules.goal import Race
from jeopardice.types import Number, Rational

Pair = tuple[tuple[int, int], tuple[int, int]]
"""A player's own standing and the other's, each as (score, record)."""
Row = list[tuple[Rational, Rational]]
"""The value and the slope of every mode at some points at risk, the ended turn last; a value of None is forbidden."""

MOST_STANDINGS = 2_000
MOST_PAIRS = 1_000
MOST_PAST = 200
MOST_TURN_WORK = 1e11
"""Of one turn, (rows x groups)^2: fractions grow with every row. About a minute."""


@dataclass(frozen=True, eq=False)
class Leaves:
    """What the leaves of a turn are worth.

    `bank(t)` is a turn ended with t units, by choice only where `allows(t)`. From `end` on one stops where one may; from
    `lost_from` on the turn is lost. A bust is worth `bust`.
    """

    bank: Callable[[int], Rational]
    bust: Rational
    end: int
    least: int = 1
    goal: int | None = None
    lost_from: int | None = None
    roll_cost: Rational = 0

    def allows(self, t: int) -> bool:
        """Whether one may choose to stop with t units."""
        return t > 0 and (t >= self.least or (self.goal is not None and t >= self.goal))

    def ended(self, t: int) -> tuple[Rational, Rational]:
        """Return the value and slope of a turn that a play has ended."""
        if t == 0 or (self.lost_from is not None and t >= self.lost_from):
            return self.bust, 1
        return self.bank(t), 0


def walk(turn: TurnTable, leaves: Leaves, number: Callable[..., Rational] = fmpq) -> list[Row]:
    """Return the rows of a turn, from 0 units at risk to past the end."""
    keep = [number(chance.numerator, chance.denominator) if number is fmpq else number(chance) for chance in turn.keep]
    edge = []
    for t in range(leaves.end, leaves.end + turn.max_points + 1):
        value, slope = leaves.ended(t)
        row = [(value, slope)] * (len(turn.modes) + 1)
        for mode, chance in enumerate(keep):
            if not turn.may_stop[mode] and slope == 0:
                row[mode] = (chance * value + (1 - chance) * leaves.bust, 1 - chance)
        edge.append(row)
    return walk_down(turn, leaves, edge, leaves.end, number)


def walk_down(
    turn: TurnTable, leaves: Leaves, edge: list[Row], cut: int, number: Callable[..., Rational] = fmpq,
    progress: Progress | None = None,
) -> list[Row]:  # fmt: skip
    """Return the rows from 0 up, given the `edge` rows from `cut` on."""
    rows: list[Row] = [[] for _ in range(cut)] + edge
    for t in reversed(range(cut)):
        report(progress, cut - t, cut)
        if leaves.lost_from is not None and t >= leaves.lost_from:
            rows[t] = [(leaves.bust, 1)] * (len(turn.modes) + 1)
            continue
        rows[t] = here = [(None, 0)] * len(turn.modes) + [leaves.ended(t)]
        for mode in reversed(range(len(turn.modes))):
            here[mode] = _rolled(turn, mode, rows, t, leaves, number)
            if leaves.allows(t) and turn.may_stop[mode]:
                stop = leaves.bank(t)
                if stop is not None and (here[mode][0] is None or stop >= here[mode][0]):
                    here[mode] = (stop, 0)
    return rows


def _rolled(
    turn: TurnTable, mode: int, rows: list[Row], t: int, leaves: Leaves, number: Callable[..., Rational]
) -> tuple[Rational, Rational]:
    bust = number(turn.bust_weight[mode])
    if leaves.bust is None and bust:
        return None, 0
    value, slope = bust * (leaves.bust if bust else 0), bust
    for choices, weight in turn.groups[mode].items():
        plays = [rows[t + points][to] for points, to in choices]
        possible = [play for play in plays if play[0] is not None]
        if not possible:
            return None, 0
        best = max(possible, key=lambda play: play[0])
        value += number(weight) * best[0]
        slope += number(weight) * best[1]
    total = number(turn.total_weight[mode])
    return value / total - leaves.roll_cost, slope / total


def solve_turn(
    turn: TurnTable, edge: TurnEdge, least: int = 1, bust: Rational = 0, progress: Progress | None = None
) -> list[Row]:
    """Return the exact rows of one turn for the most points, in units; a bust is worth `bust`."""
    if (edge.threshold * sum(map(len, turn.groups))) ** 2 > MOST_TURN_WORK:
        raise TooLargeError(
            f"the fractions of this turn grow over {edge.threshold:,} points at risk and would take minutes to hours; "
            "leave out exact for a certified float"
        )
    rows = [
        [(as_flint(edge.value(t, mode)), 0) for mode in range(len(turn.modes) + 1)]
        for t in range(edge.threshold, edge.threshold + turn.max_points + 1)
    ]
    leaves = Leaves(fmpq, fmpq(bust), edge.threshold, max(least, 1))
    return walk_down(turn, leaves, rows, edge.threshold, progress=progress)


def as_flint(number: Rational) -> fmpq:
    """Return a number as a rational of python-flint."""
    exact = Fraction(number)
    return fmpq(exact.numerator, exact.denominator)


# ---------------------------------------------------------------- races


@dataclass(frozen=True, eq=False)
class AloneLeaves:
    """Makes the leaves of every turn of a race alone from its values by (score, record); `top` is the target's value."""

    table: RaceTable
    values: dict[tuple[int, int], Rational]
    top: Rational = 0
    roll_cost: Rational = 0

    def at(self, score: int, record: int, bust: Rational) -> Leaves:
        """Return the leaves of the turn that begins at a standing."""
        table, goal = self.table, self.table.scores - score
        after = int(table.bank_to[record])

        def bank(t: int) -> Rational:
            return fmpq(self.top) if t >= goal else self.values.get((score + t, after))

        lost = goal + 1 if table.must_hit else None
        return Leaves(bank, bust, goal, int(table.least_bank[record]), goal, lost, self.roll_cost)


def solve_alone(
    table: RaceTable, *, turn_cost: int = 1, roll_cost: int = 0, progress: Progress | None = None
) -> dict[tuple[int, int], Rational]:
    """Return minus the exact expected cost by (score, record); None where the target cannot be reached for sure."""
    _check_alone(table, table.standings)
    values: dict[tuple[int, int], Rational] = {}
    maker = AloneLeaves(table, values, 0, fmpq(roll_cost))
    guess = fmpq(-turn_cost - roll_cost)
    for score in reversed(range(table.scores)):
        report(progress, table.scores - score, table.scores)
        for record in range(len(table.records)):
            if not table.reached[score, record]:
                continue
            if not _can_leave(table, values, score, record):
                values[score, record] = None
                continue
            x = guess - 1
            while True:
                value, slope = walk(table.turn, maker.at(score, record, x))[0][table.turn.opening]
                if slope == 1:  # a bust is all there is at this guess: look lower
                    x = 2 * x - 1
                    continue
                step = (value - turn_cost - x) / (1 - slope)
                if step == 0:
                    break
                x += step
            values[score, record] = guess = x
    return values


def _can_leave(table: RaceTable, values: dict[tuple[int, int], Rational], score: int, record: int) -> bool:
    """Whether a turn can end without a bust and without ever banking where the target is out of reach."""
    safe = {standing: None if value is None else fmpq(1) for standing, value in values.items()}
    value, _ = walk(table.turn, AloneLeaves(table, safe, 1).at(score, record, fmpq(0)))[0][table.turn.opening]
    return value is not None and value > 0


def solve_within(
    table: RaceTable, turns: int, progress: Progress | None = None
) -> list[dict[tuple[int, int], Rational]]:
    """Return the exact best chance to finish: [turns left][score, record]."""
    if table.standings * turns > MOST_STANDINGS * 10:
        raise TooLargeError(
            f"exact chances go to {MOST_STANDINGS * 10} standings x turns, got {table.standings} x {turns}; leave out exact"
        )
    standings = [(s, r) for s in range(table.scores) for r in range(len(table.records))]
    chances = [dict.fromkeys(standings, fmpq(0))]
    for turn in range(turns):
        report(progress, turn, turns)
        later, now = chances[-1], {}
        for score, record in standings:
            bust = later[_fallen(table, score, record), int(table.bust_to[record])]
            leaves = AloneLeaves(table, later, 1).at(score, record, bust)
            now[score, record] = walk(table.turn, leaves)[0][table.turn.opening][0]
        chances.append(now)
    return chances


def _fallen(table: RaceTable, score: int, record: int) -> int:
    return max(int(table.bust_score[record, score]), 0)


def _check_alone(table: RaceTable, standings: int) -> None:
    if standings > MOST_STANDINGS:
        raise TooLargeError(
            f"exact races alone have at most {MOST_STANDINGS} standings, got {standings}; leave out exact for a certified float"
        )
    if not table.busts_stay:
        raise TooLargeError("exact fractions do not cover penalties for busts; leave out exact for a certified float")


@dataclass(frozen=True, eq=False)
class PairLeaves:
    """Makes the leaves of every turn of a race for two; `values[seat]` are by (own standing, other's standing)."""

    tables: tuple[RaceTable, RaceTable]
    ending: Ending
    target: int
    values: tuple[dict[Pair, Rational], dict[Pair, Rational]] = field(default_factory=lambda: ({}, {}))
    _chances: tuple[list[Rational], list[Rational]] = field(default_factory=lambda: ([], []))

    def prize(self, seat: int, theirs: int) -> Rational:
        """What reaching the target at once is worth, by the other's score."""
        other = self.tables[seat ^ 1]
        points = [0, 0]
        points[seat], points[seat ^ 1] = self.target, (theirs + other.lowest) * other.unit
        share = Ending(self.ending.payoff).returns(self.target, points, seat)[seat]
        return fmpq(share.numerator, share.denominator)

    def caught(self, seat: int, ahead: int) -> Rational:
        """The other's best chance in its last turn, `ahead` units behind: more wins, as many ties."""
        chances = self._chances[seat]
        while len(chances) <= ahead:
            behind = len(chances)
            tie = {"first": fmpq(0), "share": fmpq(1, 2), "last": fmpq(1)}[self.ending.ties]
            lost = behind + 1 if self.ending.must_hit else None

            def bank(t: int, behind: int = behind, tie: Rational = tie) -> Rational:
                return fmpq(1) if t > behind else tie if t == behind else fmpq(0)

            leaves = Leaves(bank, fmpq(0), behind + 1, lost_from=lost)
            turn = self.tables[seat ^ 1].turn
            chances.append(walk(turn, leaves)[0][turn.opening][0])
        return chances[ahead]

    def at(self, seat: int, mine: tuple[int, int], theirs: tuple[int, int], bust: Rational) -> Leaves:
        """Return the leaves of the turn of `seat` at a position."""
        table = self.tables[seat]
        (score, record), goal = mine, table.scores - mine[0]
        after, other, ending = int(table.bank_to[record]), self.values[seat ^ 1], self.ending

        def bank(t: int) -> Rational:
            if t < goal:
                return ending.total - other[theirs, (score + t, after)]
            if ending.last_round:
                return 1 - self.caught(seat, score + t - theirs[0])
            return self.prize(seat, theirs[0])

        lost = goal + 1 if table.must_hit else None
        return Leaves(bank, bust, self._end(seat, score, theirs[0], bust), int(table.least_bank[record]), goal, lost)

    def _end(self, seat: int, score: int, theirs: int, bust: Rational) -> int:
        """Return from where one stops: at the target, or in a last round where one more roll can no longer pay."""
        table = self.tables[seat]
        goal = table.scores - score
        if not self.ending.last_round:
            return goal
        if self.ending.must_hit:
            return goal + 1  # a bust may be worth more than to land on the target
        least_bust = min(
            fmpq(b, total) for b, total in zip(table.turn.bust_weight, table.turn.total_weight, strict=True)
        )
        end = goal
        while self.caught(seat, score + end - theirs) > least_bust * (1 - bust):
            end += 1
            if end > goal + MOST_PAST:
                raise TooLargeError(
                    "this last round is followed too far past the target for fractions; leave out exact"
                )
        return end


def solve_duel(tables: tuple[RaceTable, RaceTable], goal: Race, progress: Progress | None = None) -> PairLeaves:
    """Return both seats' exact values when to move."""
    ending = goal.ending
    positions = tables[0].standings * tables[1].standings
    if positions > MOST_PAIRS:
        raise TooLargeError(
            f"exact races for two have at most {MOST_PAIRS} pairs of standings, got {positions:,}; "
            "leave out exact for a certified float"
        )
    for table in tables:
        _check_alone(table, 1)
        if ending.last_round and (not all(table.turn.bust_weight) or not all(table.turn.may_stop)):
            raise TooLargeError("exact fractions with a last round need dice that can always bust; leave out exact")
    race = PairLeaves(tables, ending, int(goal.target or 0))
    total, draw = ending.total, fmpq(ending.total, 2)
    scores = [(i, j) for i in range(tables[0].scores) for j in range(tables[1].scores)]
    for done, (i, j) in enumerate(sorted(scores, key=lambda pair: -sum(pair))):
        report(progress, done, len(scores))
        for r in range(len(tables[0].records)):
            for q in range(len(tables[1].records)):
                if tables[0].reached[i, r] and tables[1].reached[j, q]:
                    value, reply = _pair(race, (i, r), (j, q), total, draw)
                    race.values[0][(i, r), (j, q)], race.values[1][(j, q), (i, r)] = value, reply
    return race


def _pair(
    race: PairLeaves, mine: tuple[int, int], theirs: tuple[int, int], total: int, draw: Rational
) -> tuple[Rational, Rational]:
    """Return both values of a pair: of all fixed points the one nearest to a draw, which a race that never ends is worth."""

    def turn(seat: int, x: Rational) -> tuple[Rational, Rational]:
        own, other = (mine, theirs) if seat == 0 else (theirs, mine)
        table = race.tables[seat].turn
        value, slope = walk(table, race.at(seat, own, other, x))[0][table.opening]
        return value, slope

    def gap(y: Rational) -> tuple[Rational, Rational, Rational]:
        reply, slope_theirs = turn(1, total - y)
        value, slope_mine = turn(0, total - reply)
        return value - y, slope_mine * slope_theirs, reply

    low, high = total - race.prize(1, mine[0]), race.prize(0, theirs[0])
    replies = {}

    def gap_and_rest(y: Rational) -> tuple[Rational, Rational]:
        miss, slope, replies[y] = gap(y)
        return miss, 1 - slope

    y = solve_anchor(gap_and_rest, min(max(draw, low), high), Bracket(low, high))
    return _nearest_to_draw(gap, y, replies[y], draw)


def _nearest_to_draw(
    gap: Callable[[Rational], tuple[Rational, Rational, Rational]], y: Rational, reply: Rational, draw: Rational
) -> tuple[Rational, Rational]:
    """Return the fixed point nearest to a draw and its reply, given one: the gap is linear between its corners."""
    if y == draw:
        return y, reply
    near, far = draw, y
    while True:
        middle = (near + far) / 2
        miss, slope, _ = gap(middle)
        if miss == 0:
            far = middle
            continue
        if slope != 1:
            root = middle + miss / (1 - slope)
            beyond, _, reply = gap(root)
            if beyond == 0 and gap(root + (middle - root) / 2**40)[0] != 0:
                return root, reply
        near = middle


def fraction(number: Rational | Number) -> Fraction:
    """Return a rational of python-flint, or a plain number, as a Fraction."""
    return Fraction(int(number.p), int(number.q)) if isinstance(number, fmpq) else Fraction(number)
