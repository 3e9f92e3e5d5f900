"""Ratings of drills: the formula by hand, and a person of known strength who ends up near it."""

import random

import pytest

from jeopardice import Pig, Race, solve
from jeopardice.tutor import drill, judge_of
from jeopardice.tutor.rating import EASIEST, HARDEST, difficulty, expected_score, rating_after


def test_expected_scores_are_odds_of_ten_for_400_points() -> None:
    for gap in (-400, 0, 400, 800):
        chance = expected_score(1500 + gap, 1500)
        assert chance / (1 - chance) == pytest.approx(10 ** (gap / 400))


def test_a_rating_moves_by_what_was_not_expected() -> None:
    first = 1200 + 64 * (1 - 1 / (1 + 10 ** (100 / 400)))
    second = first - 64 / (1 + 10 ** ((1250 - first) / 400))
    assert rating_after([]) == 1200
    assert rating_after([(1300, True), (1250, False)]) == pytest.approx(second)


def test_a_person_who_answers_as_rated_is_rated_so() -> None:
    pick, strength = random.Random(3), 1650.0
    rated = []
    for _ in range(40):
        exercises = [pick.uniform(1200, 2100) for _ in range(400)]
        rated.append(rating_after((e, pick.random() < expected_score(strength, e)) for e in exercises))
    mean = sum(rated) / len(rated)
    error = (sum((one - mean) ** 2 for one in rated) / len(rated) / (len(rated) - 1)) ** 0.5
    assert abs(mean - strength) < 4 * error + 1


def test_closer_calls_are_harder() -> None:
    exercises = drill(judge_of(solve(Race(Pig(), target=100, players=2))), count=20, kind="close", seed=2)
    ranked = sorted(exercises, key=lambda e: -(e.session.ranked[0].value - e.session.ranked[1].value))
    ratings = [difficulty(exercise) for exercise in ranked]
    assert ratings == sorted(ratings) and EASIEST <= ratings[0] < ratings[-1] <= HARDEST
