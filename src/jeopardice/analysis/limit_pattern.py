"""The pattern of choices infinitely far from the target, when several laws earn the same mean.

Once only laws with the highest mean m are left, g(n) = E(n) - n/m is the least of several averages of earlier g's.
Such a map commutes with adding a constant and with scaling by a positive number, so the *choices* depend only on the
shape of the last window: subtract its last value, blow it up to height 1, and go on. In floats this runs for as long
as one likes, while g itself sinks below any number of digits. What it loses is proof: a choice whose two averages
agree to rounding may fall either way. Started from a decided window it can be checked against decided choices.

`decay` is the factor by which the height of g shrinks per point; -log10(decay) digits per point is what telling
the laws apart costs.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from flint import arb, ctx

from jeopardice.analysis.asymptotics import best_laws, best_mean
from jeopardice.analysis.decided import DecidedRules
from jeopardice.analysis.die_laws import BankLaw, as_float
from jeopardice.types import Floats, Ints

_RESCALE_EVERY = 64


class LimitPattern(NamedTuple):
    """Choices of the limit, `choice[i]` for the i-th n after the window, and the decay of g per point."""

    choice: Ints
    decay: float


def window_shape(rules: DecidedRules, end: int) -> Floats:
    """Return the last values of g up to n = end that the best laws see, moved to end in 0, scaled to height 1."""
    before, ctx.prec = ctx.prec, rules.bits
    try:
        rate = arb(best_mean(rules.laws))
        width = max(rules.laws[i].most for i in best_laws(rules.laws))
        last = rules.mean[end] - end / rate
        differences = [rules.mean[n] - n / rate - last for n in range(end - width + 1, end + 1)]
        height = max(abs(x.mid()) for x in differences)
        return np.array([float(x / height) for x in differences])
    finally:
        ctx.prec = before


def limit_pattern(laws: Sequence[BankLaw], window: Floats, steps: int) -> LimitPattern:
    """Return the next `steps` choices of the limit map among the best of `laws`, started from a window of g."""
    best = best_laws(laws)
    averages = [
        (index, [(-j, as_float(p / (1 - laws[index].bust))) for j, p in laws[index].bank.items()]) for index in best
    ]
    width = len(window)
    choice = np.zeros(steps, dtype=np.int64)
    values = [float(x) for x in window]
    shrunk = 0.0
    for i in range(steps):
        least, law = math.inf, 0
        for index, average in averages:
            value = 0.0
            for back, chance in average:
                value += chance * values[back]
            if value < least:
                least, law = value, index
        values.append(least)
        choice[i] = law
        if i % _RESCALE_EVERY == 0:
            last, recent = values[-1], values[-width:]
            height = max(recent) - min(recent)
            values = [(x - last) / height for x in recent]
            shrunk += math.log(height) if i else 0.0
    return LimitPattern(choice, math.exp(shrunk / max(1, _RESCALE_EVERY * ((steps - 1) // _RESCALE_EVERY))))
