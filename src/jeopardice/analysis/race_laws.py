"""How many turns a race takes under a fixed strategy: mean, variance and the whole law.

A strategy is given by plain arrays, so that any source of strategies can ask: `table[law, points]` are laws of one
turn (column 0 the chance to bust, column j the chance to bank j), and `choice[n]` is the law played with n points to
go. A threshold race has few laws and many n; a strategy that plays every standing differently has `choice = arange`.

With X the points of the turn and C(n) the number of turns, C(n) = 1 + C(n - X), and X = 0 is a bust. So

    mean      E(n) = 1 + sum_x P(x) E(n - x)
    variance  V(n) = sum_x P(x) V(n - x) + sum_x P(x) (E(n - x) + 1 - E(n))^2
    law       Pi(n, j) = sum_x P(x) Pi(n - x, j - 1)

The variance is written with differences of E (the paper's (2) takes V = D - E^2 and loses digits as n grows).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from jeopardice.analysis.die_laws import as_float
from jeopardice.types import Floats, Ints, Rational


class Steps(NamedTuple):
    """The turns of a strategy as a graph: from n, step i leads to `to[n, i]` with chance `chance[n, i]`."""

    bust: Floats
    to: Ints
    chance: Floats


def turn_steps(table: Floats, choice: Ints) -> Steps:
    """Return the steps of a strategy; unused steps have chance 0 and lead to 0."""
    columns = [np.flatnonzero(row[1:]) + 1 for row in table]
    width = max(map(len, columns))
    points = np.zeros((len(table), width), dtype=np.int64)
    chance = np.zeros((len(table), width))
    for law, used in enumerate(columns):
        points[law, : len(used)] = used
        chance[law, : len(used)] = table[law, used]
    to = np.arange(len(choice))[:, None] - points[choice]
    return Steps(table[choice, 0], np.maximum(to, 0) * (chance[choice] > 0), chance[choice])


def mean_cost(steps: Steps, cost: Floats) -> Floats:
    """Return the mean total cost of the race from each n, if a turn at n costs `cost[n]` on average.

    Where n has no law (nothing is banked and nothing busts, because no race comes there) the mean is 0.
    """
    mean = np.zeros(len(cost))
    leave = steps.chance.sum(axis=1)
    for n in range(1, len(mean)):
        if leave[n]:
            mean[n] = (cost[n] + steps.chance[n] @ mean[steps.to[n]]) / leave[n]
    return mean


def mean_turns(steps: Steps) -> Floats:
    """Return E(n), the mean number of turns from each n."""
    return mean_cost(steps, np.ones(len(steps.bust)))


def variance_turns(steps: Steps, mean: Floats) -> Floats:
    """Return V(n), the variance of the number of turns from each n, given its mean E(n)."""
    spread = steps.bust + (steps.chance * (mean[steps.to] + 1 - mean[:, None]) ** 2).sum(axis=1)
    return mean_cost(steps, spread)


def turns_law(steps: Steps, *, tail: float = 1e-16) -> Floats:
    """Return Pi[j, n], the chance to need exactly j turns from n, up to the j that `tail` or less exceeds for every n.

    The cumulated sum over j is the chance to finish within j turns. The chance to be still on the way has a recurrence
    of its own, without subtraction, so `tail` may be as small as one likes.
    """
    law = []
    for done, on_the_way in _turn_by_turn(steps):
        law.append(done)
        if on_the_way.max() <= tail:
            break
    return np.array(law)


def target_law(steps: Steps, *, tail: float = 1e-16) -> Floats:
    """Return Pi[j] for the largest n alone: the same chances in memory linear in n."""
    law = []
    for done, on_the_way in _turn_by_turn(steps):
        law.append(done[-1])
        if on_the_way[-1] <= tail:
            break
    return np.array(law)


def _turn_by_turn(steps: Steps) -> Iterator[tuple[Floats, Floats]]:
    """Yield for j = 0, 1, 2, ... the chance to be done in exactly j turns, and the chance to be still on the way."""
    done = np.zeros(len(steps.bust))
    done[0] = 1.0
    on_the_way = 1 - done
    while True:
        yield done, on_the_way
        done = steps.bust * done + (steps.chance * done[steps.to]).sum(axis=1)
        on_the_way = steps.bust * on_the_way + (steps.chance * on_the_way[steps.to]).sum(axis=1)
        done[0] = on_the_way[0] = 0.0


class RollTables(NamedTuple):
    """Laws of points and rolls of one turn together: sums over the number of rolls r, for each law and points banked.

    `chance[law, j]` = sum of p(j, r), `rolls[law, j]` = sum of r p(j, r), `squares[law, j]` = sum of r^2 p(j, r).
    """

    chance: Floats
    rolls: Floats
    squares: Floats


def roll_tables(joints: Sequence[Mapping[tuple[int, int], Rational]]) -> RollTables:
    """Lay joint laws {(points, rolls): chance} out as arrays."""
    width = 1 + max(points for joint in joints for points, _ in joint)
    tables = np.zeros((3, len(joints), width))
    for law, joint in enumerate(joints):
        for (points, rolls), chance in joint.items():
            tables[:, law, points] += as_float(chance) * np.array([1.0, rolls, rolls * rolls])
    return RollTables(*tables)


def mean_and_variance_rolls(tables: RollTables, choice: Ints) -> tuple[Floats, Floats]:
    """Return mean and variance of the number of rolls of the whole race, from each n."""
    steps = turn_steps(tables.chance, choice)
    mean = mean_cost(steps, tables.rolls.sum(axis=1)[choice])
    spread = np.zeros(len(choice))
    n = np.arange(len(choice))
    for points in np.flatnonzero(tables.chance.any(axis=0)):
        change = mean[np.maximum(n - points, 0)] - mean
        spread += tables.squares[choice, points] + 2 * tables.rolls[choice, points] * change
        spread += tables.chance[choice, points] * change**2
    return mean, mean_cost(steps, spread)


class TurnMoments(NamedTuple):
    """Mean, variance, skewness and excess kurtosis of a number of turns."""

    mean: float
    variance: float
    skewness: float
    kurtosis: float


def turn_moments(law: Floats) -> TurnMoments:
    """Return the moments of a law over j = 0, 1, 2, ...

    >>> turn_moments(np.array([0.5, 0.5]))
    TurnMoments(mean=0.5, variance=0.25, skewness=0.0, kurtosis=-2.0)
    """
    turns = np.arange(len(law))
    mean = float(law @ turns)
    second, third, fourth = (float(law @ (turns - mean) ** power) for power in (2, 3, 4))
    return TurnMoments(mean, second, third / second**1.5, fourth / second**2 - 3)
