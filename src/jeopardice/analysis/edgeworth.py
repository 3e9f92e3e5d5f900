"""How far a law of turns is from the normal curve, and the chance that going first wins.

Two players who race side by side, each by the same strategy and without looking at the other, need independent
numbers of turns; the first wins ties, so with chance P_w = (1 + sum_j Pi(n, j)^2) / 2. If the law is close to
normal with variance n s^2, the sum is close to 1/(2 sqrt(pi n) s).

The law is not quite normal: its skewness g1 and excess kurtosis g2 fade only like 1/sqrt(n) and 1/n. The Edgeworth
series corrects the curve by them, with z = (j - mean)/sd and Hermite polynomials He:

    phi(z)/sd * (1 + g1/6 He3(z) + g2/24 He4(z) + g1^2/72 He6(z))

Squared and integrated, the terms in g1 cancel (He3^2/36 against He6/36) and the sum in P_w becomes
(1 + g2/16) / (2 sqrt(pi) sd): the skew does not change who wins, only the kurtosis does.
"""

import math

import numpy as np

from jeopardice.analysis.race_laws import TurnMoments
from jeopardice.types import Floats


def first_player_chance(law: Floats) -> float:
    """Return P_w, the chance that the first of two independent racers with this law of turns wins."""
    return 0.5 * (1 + float(law @ law))


def first_player_constant(variance_rate: float) -> float:
    """Return c with P_w ~ (1 + c/sqrt(n))/2, given s^2 = lim V(n)/n: c = 1/(2 sqrt(pi) s)."""
    return 1 / (2 * math.sqrt(math.pi * variance_rate))


def first_player_estimate(moments: TurnMoments) -> float:
    """Return P_w from the moments of the law alone: (1 + (1 + g2/16)/(2 sqrt(pi) sd))/2."""
    return 0.5 * (1 + (1 + moments.kurtosis / 16) * first_player_constant(moments.variance))


def edgeworth(turns: Floats, moments: TurnMoments, *, order: int = 2) -> Floats:
    """Return the corrected normal curve at `turns`; order 0 is the normal curve, 1 adds skewness, 2 all terms."""
    deviation = math.sqrt(moments.variance)
    z = (turns - moments.mean) / deviation
    correction = np.ones_like(z)
    if order >= 1:
        correction += moments.skewness / 6 * (z**3 - 3 * z)
    if order >= 2:
        correction += moments.kurtosis / 24 * (z**4 - 6 * z**2 + 3)
        correction += moments.skewness**2 / 72 * (z**6 - 15 * z**4 + 45 * z**2 - 15)
    curve: Floats = np.exp(-z * z / 2) / (deviation * math.sqrt(2 * math.pi)) * correction
    return curve
