"""The long run of any strategy in any points game: points per turn, variance, rolls, and the constant that remains.

A strategy that plays every turn alike is a renewal process. With X the points and R the rolls of a turn, m = E X and
d the unit in which points come,

    turns to n points:  mean n/m + K,   variance n Var(X)/m^3 + ...,   K = (E X^2 - d m) / (2 m^2)
    rolls to n points:  mean n E(R)/m,  variance n Var(R - X E(R)/m)/m + ...

K is the constant of a player who does not even look at the target; one who does stops as soon as it is reached, or
plays differently near it, and pays less. `far_play` therefore reads the far end of a race that has been worked out: if
all its turns there earn the same mean, m is exact and E(n) - n/m is what remains.
"""

from typing import NamedTuple

import numpy as np

from jeopardice.analysis.strategy_race import StrategyRace
from jeopardice.analysis.turn_law import turn_law
from jeopardice.points.strategy import Strategy
from jeopardice.points.tables import lay_out
from jeopardice.rules.game import PointsGame
from jeopardice.types import Floats


class LongRun(NamedTuple):
    """What a strategy does per turn and per point when every turn is played alike."""

    points_per_turn: float
    bust_chance: float
    variance_rate: float
    renewal_constant: float
    rolls_per_point: float
    rolls_variance_rate: float


def long_run(game: PointsGame, strategy: Strategy) -> LongRun:
    """Return the long run of a strategy that needs no target.

    >>> from jeopardice import Pig
    >>> from jeopardice.points.strategy import StopAt
    >>> figures = long_run(Pig(), StopAt(20))
    >>> print(f"{figures.points_per_turn:.9f} {figures.variance_rate:.9f} {figures.rolls_per_point:.9f}")
    8.141794894 0.205798108 0.460248023
    """
    law = turn_law(game, strategy, exact=False)
    mean, slope = law.mean, law.mean_rolls / law.mean
    squares = law.variance + mean**2
    rolls = law.variance_rolls - 2 * slope * law.covariance + slope**2 * law.variance
    constant = (squares - lay_out(game).unit * mean) / (2 * mean**2)
    return LongRun(mean, law.bust_chance, law.variance / mean**3, constant, slope, rolls / mean)


class FarPlay(NamedTuple):
    """A race at its far end, the farther half of the units to go.

    `points_per_turn` is exact if `is_settled` (all turns there earn the same mean), else the slope of the mean
    by least squares;
    `is_alike` says that all turns there are one and the same, so that `variance_rate` is exact as well, else it is the
    slope of the variance. `excess` holds least and most E(n) - n/m over the last eighth of the race.
    """

    points_per_turn: float
    variance_rate: float
    rolls_per_point: float
    excess: tuple[float, float]
    is_settled: bool
    is_alike: bool


def far_play(race: StrategyRace, *, tolerance: float = 1e-9) -> FarPlay:
    """Return what the far end of a race tells about still longer ones."""
    last = len(race.choice) - 1
    half = last // 2
    points = np.arange(race.tables.chance.shape[1]) * race.unit
    means = race.tables.chance @ points
    laws = np.unique(race.choice[half + 1 :])
    far = race.tables.chance[laws]
    is_settled = bool(np.ptp(means[laws]) <= tolerance * means[laws].max())
    is_alike = bool((np.ptp(far, axis=0) <= tolerance).all())
    rate, spread = float(means[race.choice[last]]), _slope(race.variance, half) / race.unit
    if not is_settled:
        rate = race.unit / _slope(race.mean, half)
    if is_alike:
        spread = float(far[0] @ points**2 - rate**2) / rate**3
    excess = race.mean - np.arange(last + 1) * race.unit / rate
    end = excess[last - last // 8 :]
    rolls = _slope(race.rolls[0], half) / race.unit
    return FarPlay(rate, spread, rolls, (float(end.min()), float(end.max())), is_settled, is_alike)


def _slope(values: Floats, start: int) -> float:
    """Return the growth per unit from `start` on, by least squares: waves around the line cancel."""
    n = np.arange(start, len(values), dtype=float)
    around = n - n.mean()
    return float(around @ values[start:] / (around @ around)) if len(n) > 1 else float(values[-1])
