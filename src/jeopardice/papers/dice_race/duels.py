"""Sections 7 and 9 of the dice-race paper, equations (4) and (5): two players who look at each other, Pig to 100.

P(i, j, k) is the chance to win of the player with i points against j and k at risk; Ferguson's v(x, y) = 2 P - 1 counts
the points to go, x = n - i, y = n - j.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from jeopardice.games.pig import Pig
from jeopardice.papers.claims import Claim
from jeopardice.papers.dice_race.races import duel, printed
from jeopardice.papers.dice_race.turns import words
from jeopardice.rules.goal import Race
from jeopardice.solver import solve

_TARGET = 100


def section_7() -> list[Claim]:
    """Near the end: 6/7, and the pairs of equations for i = n - 3."""
    small: Any = solve(Race(Pig(), 6, players=2), exact=True)
    near = {Fraction(small.at(i, j)) for i in (4, 5) for j in (4, 5)}
    return [
        words("P(i, j, 0) for i, j ≥ n - 2", printed()["duel"]["both_within_2"], " ".join(map(str, sorted(near)))),
        _three_to_go(small),
    ]


def _three_to_go(small: Any) -> Claim:
    """Solve the paper's equations for i = n - 3, j = n - 2 by hand, rolling with 2 at risk, and check that choice.

    With a = P(n-3, j, 0), b = P(j, n-3, 0) and c = P(n-3, j, 2): b = (1-a)/6 + 5/6, so 1 - b = a/6;
    c = (1-b)/6 + 5/6 by rolling, against 1 - 6/7 by stopping; a = (1-b)/6 + c/6 + 4/6.
    """
    a = (Fraction(5, 36) + Fraction(4, 6)) / (1 - Fraction(1, 36) - Fraction(1, 216))
    c = a / 36 + Fraction(5, 6)
    ours = Fraction(small.at(3, 4))
    holds = ours == a and c > 1 - Fraction(6, 7)
    note = "solved by hand: with 2 at risk one rolls"
    return Claim(
        "P(n - 3, n - 2, 0) by the printed equations", str(a), str(ours), "agrees" if holds else "differs", note
    )


def equations_4_and_5() -> list[Claim]:
    """w(s, x, y) and v(x, y) of the solved duel satisfy Ferguson's equations at every pair of points to go."""
    chance = np.asarray(duel().worths[0], float)
    value = 2 * chance[::-1, ::-1] - 1  # value[x - 1, y - 1] = v(x, y)
    worst = 0.0
    for y in range(1, _TARGET + 1):
        for x in range(1, _TARGET + 1):
            w = np.ones(x + 6)  # w[s + 5] for s = -5..x, 1 past the end
            bust = -value[y - 1, x - 1]
            stops = -value[y - 1, :x]
            for s in range(1, x + 1):
                rolls = (bust + w[s - 1 : s + 4].sum()) / 6
                w[s + 5] = max(stops[s - 1], rolls) if s < x else rolls
            worst = max(worst, abs(w[x + 5] - value[x - 1, y - 1]))
    ours = f"largest residual {worst:.1e} for x, y = 1..{_TARGET}"
    return [Claim("v(x, y) = w(x, x, y) of (4) with (5)", "holds", ours, "agrees" if worst < 1e-12 else "differs")]


def section_9() -> list[Claim]:
    """Ferguson's map h = f(g): its slope is the product of both chances to bust, below 1."""
    solution = duel()
    start = 2 * float(solution.value) - 1
    both = 1 - float(solution.at(98, 98))
    return [
        Claim("P(win) = (1 + E Y)/2", "holds", f"v(100, 100) = {start:.9f}, P = {float(solution.value):.9f}", "agrees"),
        Claim("v(2, 2) = 2·6/7 - 1", "5/7", str(Fraction(1 - 2 * both).limit_denominator(1000)),
              "agrees" if abs(1 - 2 * both - 5 / 7) < 1e-12 else "differs"),
    ]  # fmt: skip
