"""Ratings of exercises and of the person who solves them, as in chess (Elo).

An exercise is harder the closer its second best play comes to the best, and harder still where a common habit errs. Who
is rated as high as an exercise solves it in half of all cases; 400 points more make it ten times as likely as not. An
answer moves a rating by the difference between what happened and what was expected.
"""

from collections.abc import Iterable
from math import log2

from jeopardice.tutor.drill import Exercise, second_loss

START = 1200.0
EASIEST, MIDDLE, HARDEST = 600.0, 1400.0, 2400.0
HABIT = 300.0
"""How much harder an exercise is where a habit errs."""
HALVED = 250.0
"""How much harder an exercise becomes if its second best play loses half as much."""
FAST, SLOW, FIRST = 64.0, 24.0, 20
"""By how much an answer moves a rating at most: among the first answers, and later."""


def difficulty(exercise: Exercise) -> float:
    """Return the rating of an exercise: `MIDDLE` where the second best play just loses an inaccuracy."""
    loss = max(float(second_loss(exercise.session)), 1e-12)
    rating = MIDDLE - HALVED * log2(loss / exercise.judge.measure.inaccuracy)
    if exercise.habit is not None:
        rating += HABIT
    return round(min(HARDEST, max(EASIEST, rating)))


def expected_score(rating: float, difficulty: float) -> float:
    """Return the chance that somebody of a rating solves an exercise.

    >>> expected_score(1400, 1400), round(expected_score(1800, 1400), 3)
    (0.5, 0.909)
    """
    return float(1 / (1 + 10 ** ((difficulty - rating) / 400)))


def rating_after(answers: Iterable[tuple[float, bool]]) -> float:
    """Return the rating after answers, the oldest first: each the rating of its exercise, and whether it was right.

    >>> rating_after([(1200, True)])
    1232.0
    """
    rating = START
    for number, (difficulty, right) in enumerate(answers):
        step = FAST if number < FIRST else SLOW
        rating += step * (right - expected_score(rating, difficulty))
    return rating
