"""The best rule of a class at every standing, for the fewest turns to a target.

A class of strategies is a family of turn laws: all thresholds, all fixed numbers of rolls, all pairs (k, C).
With n points still to go, playing law P now and the best of the class later takes

    E(n, P) = (1 + sum_{0 < j < n} P(j) E(n - j)) / (1 - P(0))

turns on average: a bust leaves n as it is, which is why it divides instead of adding. E(n) is the least of
them over the class, k̄(n) the law that attains it (of equal ones the first). One pass over n, one matrix times
vector each: the windows of E are kept backwards in memory so that they line up with the columns of the table.

All thresholds from some K on are hopeless for targets up to N: a turn that insists on K points banks with
chance 1 - P_K(0) only, so it needs at least 1/(1 - P_K(0)) turns, while the best single threshold k* needs at most
(N + k* + top - 1)/m by Wald's equation. `enough_thresholds` finds that K, about log N.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from jeopardice.analysis.die_laws import (
    BankLaw,
    PointsDie,
    as_float,
    law_table,
    rolls_law,
    stretched_law,
    threshold_laws,
)
from jeopardice.types import Floats, Ints


@dataclass(frozen=True)
class BestRules:
    """For each n points to go, the best law of the class and its mean number of turns.

    `choice[n]` is a row of `table`, `mean[n]` is E(n); entry 0 (nothing to go) is law 0 and 0 turns. Floats cannot
    tell nearly equal laws apart: where that matters, ask `decided.decide`.
    """

    table: Floats
    choice: Ints
    mean: Floats


def best_rules(table: Floats, target: int) -> BestRules:
    """Return the best law of the class `table[law, points]` for each n = 0..target, in floats."""
    if target < 1:
        raise ValueError(f"a race needs a target of at least 1 point, got target={target!r}")
    leave = table[:, 1:].sum(axis=1)  # not 1 - bust, which loses digits when nearly every turn busts
    cost, onward = 1 / leave, np.ascontiguousarray(table[:, 1:] / leave[:, None])
    width = onward.shape[1]
    backwards = np.zeros(target + 1 + width)
    choice = np.zeros(target + 1, dtype=np.int64)
    for n in range(1, target + 1):
        at = target - n
        turns = onward @ backwards[at + 1 : at + 1 + width]
        turns += cost
        choice[n] = best = int(turns.argmin())
        backwards[at] = turns[best]
    return BestRules(table, choice, backwards[target::-1].copy())


def enough_thresholds(die: PointsDie, target: int) -> int:
    """Return a K such that no threshold above K is ever best for targets up to `target`."""
    best = die.best_thresholds[0]
    most = best + die.top
    while True:
        laws = threshold_laws(die, most)
        turns = (target + best + die.top) / as_float(laws[best - 1].mean)
        if (1 - as_float(laws[-1].bust)) * turns < 1 - 1e-9:
            return most
        most += most // 2


def threshold_class(die: PointsDie, target: int) -> list[BankLaw]:
    """Return the laws of every threshold that can matter up to `target`; entry k - 1 is threshold k."""
    return threshold_laws(die, enough_thresholds(die, target))


@dataclass(frozen=True)
class ThresholdRace:
    """k̄(n) and E(n) for n = 0..target."""

    thresholds: Ints
    mean: Floats


def best_thresholds(die: PointsDie, target: int) -> ThresholdRace:
    """Return the best threshold and the mean number of turns for each n, in floats.

    >>> pig = PointsDie.of({2: 1, 3: 1, 4: 1, 5: 1, 6: 1}, bust=1)
    >>> best_thresholds(pig, 35).thresholds[28:].tolist()
    [28, 29, 14, 15, 15, 16, 16, 17]
    """
    rules = best_rules(law_table(threshold_class(die, target)), target)
    return ThresholdRace(np.concatenate(([0], rules.choice[1:] + 1)), rules.mean)


def best_roll_counts(die: PointsDie, target: int, most: int) -> BestRules:
    """Return the best number of rolls at each n when a turn rolls a number of times fixed beforehand, 1..most.

    Law i of the result rolls i + 1 times.
    """
    return best_rules(law_table(rolls_law(die, rolls) for rolls in range(1, most + 1)), target)


def continued(rules: BestRules, keep: int, pattern: Ints) -> Ints:
    """Return a choice like `rules` up to n = keep that then repeats `pattern` for ever (Strategies 3 and 4)."""
    choice = rules.choice.copy()
    tail = np.arange(len(choice) - keep - 1)
    choice[keep + 1 :] = pattern[tail % len(pattern)]
    return choice


def turns_with(law: BankLaw, mean: Floats, n: int) -> float:
    """Return the mean number of turns from n if `law` is played at n and E = `mean` holds for every smaller n."""
    onward = sum(as_float(p) * float(mean[n - j]) for j, p in law.bank.items() if j < n)
    return (1 + onward) / (1 - as_float(law.bust))


class StretchGain(NamedTuple):
    """How many turns Strategy 6 saves with `stretch` more points after the highest total of a threshold turn."""

    stretch: int
    gain: float


def stretch_gains(die: PointsDie, race: ThresholdRace, n: int, most: int) -> list[StretchGain]:
    """Return the gains of Strategy 6 (k̄(n), C) over the best threshold at n, for C = 1..most, best first.

    A negative gain is a loss. Stretches that mean the same (Pig: 1 and 2) have equal gains, the smaller first.
    """
    laws = [stretched_law(die, int(race.thresholds[n]), stretch) for stretch in range(1, most + 1)]
    gains = [StretchGain(c, float(race.mean[n]) - turns_with(law, race.mean, n)) for c, law in enumerate(laws, 1)]
    return sorted(gains, key=lambda found: (-found.gain, found.stretch))
