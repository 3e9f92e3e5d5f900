"""The same passes in rational numbers: every kernel's plain twin.

Written for any number type, so that tests run the kernels' own recurrences on floats as well; `solve(..., exact=True)` runs
them on python-flint's rationals. Newton ends here when the step is exactly 0, so the answers are exact. Numerators grow
with the number of anchors: a race alone to 100 is quick, one for two is for small targets.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq

from jeopardice.errors import RulesError, TooLargeError
from jeopardice.solvers.duel import alive_standings
from jeopardice.solvers.turn import TurnEdge
from jeopardice.turn_table import TurnTable

Row = list[tuple[Any, Any]]
"""The worth and the slope of every mode at some points at risk, the banked turn last."""

MOST_ALONE = 2_000
MOST_PAIRS = 1_000


@dataclass(frozen=True, eq=False)
class ExactLeaves:
    """What the leaves of a turn are worth: banking t units `bank[t]`, the goal `top`, overshooting it a bust if `exact`."""

    bank: Sequence[Any]
    top: Any
    exact: bool = False
    bank_from: int = 0
    roll_cost: Any = 0

    def leaf(self, t: int, x: Any) -> tuple[Any, Any]:
        """Return the worth of a turn that ends with t units, and its slope in x."""
        if t < len(self.bank):
            return (self.bank[t], 0) if t else (x, 1)
        return (x, 1) if self.exact and t > len(self.bank) else (self.top, 0)


def walk(table: TurnTable, leaves: ExactLeaves, x: Any, number: Callable[..., Any] = fmpq) -> list[Row]:
    """Return the rows of a turn whose goal is len(leaves.bank) units away, from 0 to past the goal."""
    goal = len(leaves.bank)
    edge = [[leaves.leaf(t, x)] * (len(table.modes) + 1) for t in range(goal, goal + table.max_points + 1)]
    return walk_down(table, leaves, x, edge, goal, number)


def walk_down(
    table: TurnTable, leaves: ExactLeaves, x: Any, edge: list[Row], cut: int, number: Callable[..., Any] = fmpq
) -> list[Row]:
    """Return the rows from 0 up, given the `edge` rows from `cut` on."""
    rows: list[Row] = [[] for _ in range(cut)] + edge
    weights = [[(choices, number(weight)) for choices, weight in groups.items()] for groups in table.groups]
    bank_from = max(leaves.bank_from, 1)
    for t in reversed(range(cut)):
        here: Row = [(0, 0)] * len(table.modes) + [leaves.leaf(t, x)]
        rows[t] = here
        for mode in reversed(range(len(table.modes))):
            value, slope = table.bust_weight[mode] * x, number(table.bust_weight[mode])
            for choices, weight in weights[mode]:
                best = max((rows[t + points][to] for points, to in choices), key=_value)
                value += weight * best[0]
                slope += weight * best[1]
            total = table.total_weight[mode]
            value = value / total - leaves.roll_cost
            stops = t >= bank_from and leaves.bank[t] >= value
            here[mode] = (leaves.bank[t], 0) if stops else (value, slope / total)
    return rows


def _value(worth: tuple[Any, Any]) -> Any:
    return worth[0]


def solve_turn(table: TurnTable, edge: TurnEdge, bank_from: int = 0) -> list[Row]:
    """Return the exact rows of one turn for the most points, in units."""
    gains = [fmpq(gain.numerator, gain.denominator) for gain in edge.free_gain] + [fmpq(0)]
    beyond = range(edge.threshold, edge.threshold + table.max_points + 1)
    leaves = ExactLeaves([fmpq(t) for t in range(edge.threshold)], fmpq(0), bank_from=bank_from)
    return walk_down(table, leaves, fmpq(0), [[(t + gain, 0) for gain in gains] for t in beyond], edge.threshold)


def solve_alone(
    table: TurnTable, target: int, *, bank_from: int = 0, exact: bool = False, turn_cost: int = 1, roll_cost: int = 0
) -> list[Any]:
    """Return minus the exact expected cost by units to go; None where the target cannot be reached for sure."""
    if target > MOST_ALONE:
        raise TooLargeError(
            f"exact races alone go to {MOST_ALONE} units, got {target}; leave out exact for a certified float"
        )
    worth: list[Any] = [fmpq(0)]
    never = fmpq(-(10**9))
    for to_go in range(1, target + 1):
        if exact and _chance_to_leave(table, worth, to_go, bank_from) <= 0:
            worth.append(None)
            continue
        bank = [fmpq(0), *(never if e is None else e for e in reversed(worth[1:]))]
        leaves = ExactLeaves(bank, fmpq(0), exact, bank_from, fmpq(roll_cost))
        x = (worth[-1] or fmpq(0)) - turn_cost - roll_cost
        while True:
            value, slope = walk(table, leaves, x)[0][table.opening]
            if slope == 1:
                x = 2 * x - 1
                continue
            step = (value - turn_cost - x) / (1 - slope)
            if step == 0:
                break
            x += step
        worth.append(x)
    if worth[target] is None:
        raise RulesError(f"no strategy is sure to land exactly on {target * table.unit}; choose another target")
    return worth


def _chance_to_leave(table: TurnTable, worth: list[Any], to_go: int, bank_from: int) -> Any:
    bank = [fmpq(0), *(fmpq(-(10**9)) if e is None else fmpq(1) for e in reversed(worth[1:]))]
    return walk(table, ExactLeaves(bank, fmpq(1), True, bank_from), fmpq(0))[0][table.opening][0]


def solve_within(
    table: TurnTable, target: int, turns: int, *, bank_from: int = 0, exact: bool = False
) -> list[list[Any]]:
    """Return the exact best chance to finish: [turns left][units to go]."""
    if target * turns > MOST_ALONE * 10:
        raise TooLargeError(
            f"exact chances go to {MOST_ALONE * 10} units x turns, got {target} x {turns}; leave out exact"
        )
    chance = [[fmpq(1)] + [fmpq(0)] * target]
    for _ in range(turns):
        later = chance[-1]
        now = [fmpq(1)]
        for to_go in range(1, target + 1):
            leaves = ExactLeaves(later[to_go:0:-1], fmpq(1), exact, bank_from)
            now.append(walk(table, leaves, later[to_go])[0][table.opening][0])
        chance.append(now)
    return chance


def solve_duel(
    tables: tuple[TurnTable, TurnTable],
    targets: tuple[int, int],
    prizes: tuple[Sequence[int], Sequence[int]],
    *,
    total: int,
    bank_from: tuple[int, int] = (0, 0),
    exact: bool = False,
) -> tuple[dict[tuple[int, int], Any], dict[tuple[int, int], Any]]:
    """Return both seats' exact values when to move, by (own standing, other's standing) in units."""
    if targets[0] * targets[1] > MOST_PAIRS:
        raise TooLargeError(
            f"exact races for two have at most {MOST_PAIRS} pairs of scores, got {targets[0]} x {targets[1]}; "
            "leave out exact for a certified float"
        )
    worth: tuple[dict[tuple[int, int], Any], dict[tuple[int, int], Any]] = ({}, {})
    alive = [alive_standings(t, n, exact, least) for t, n, least in zip(tables, targets, bank_from, strict=True)]

    def turn(seat: int, mine: int, theirs: int, x: Any) -> tuple[Any, Any]:
        bank = [fmpq(0), *(total - worth[1 - seat][theirs, i] for i in range(mine + 1, targets[seat]))]
        leaves = ExactLeaves(bank, fmpq(prizes[seat][theirs]), exact, bank_from[seat])
        return walk(tables[seat], leaves, x)[0][tables[seat].opening]

    for i, j in sorted(((i, j) for i in range(targets[0]) for j in range(targets[1])), key=lambda p: -sum(p)):
        y = worth[0].get((i + 1, j + 1), fmpq(total, 2))
        low, high = total - fmpq(prizes[1][i]), fmpq(prizes[0][j])
        if not (alive[0][i] or alive[1][j]):  # nobody can ever win from here: a draw
            worth[0][i, j] = worth[1][j, i] = fmpq(total, 2)
            continue
        if not (
            alive[0][i] and alive[1][j]
        ):  # busting for ever on purpose ties at guesses beyond the value: begin at a draw
            y = fmpq(total, 2)
        while True:
            reply, slope_theirs = turn(1, j, i, total - y)
            value, slope_mine = turn(0, i, j, total - reply)
            gap, slope = value - y, slope_theirs * slope_mine
            if gap == 0:
                break
            low, high = (y, high) if gap > 0 else (low, y)
            y = y + gap / (1 - slope) if slope != 1 else (low + high) / 2
            if not low <= y <= high:
                y = (low + high) / 2
        worth[0][i, j], worth[1][j, i] = y, reply
    return worth


def fraction(number: Any) -> Fraction:
    """Return a rational of python-flint, or a plain number, as a Fraction."""
    return Fraction(int(number.p), int(number.q)) if isinstance(number, fmpq) else Fraction(number)
