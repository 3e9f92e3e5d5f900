"""Races alone under any strategy: the law of turns agrees with solved values and with threshold races."""

import math

import numpy as np
import pytest

from jeopardice import Pig, Race, TenThousand, solve
from jeopardice.analysis.die_laws import PointsDie
from jeopardice.analysis.strategy_race import strategy_race
from jeopardice.analysis.thresholds import best_thresholds
from jeopardice.points.strategy import BestPlay, RollTimes, Rule


def test_best_play_has_the_solved_mean_and_a_law_that_sums_to_one():
    solution = solve(Race(Pig(), 60))
    race = strategy_race(Pig(), BestPlay(solution), 60)
    assert race.mean[60] == pytest.approx(solution.value, rel=1e-12)
    assert race.law.sum(axis=0) == pytest.approx(np.ones(61), abs=1e-12)
    assert np.arange(len(race.law)) @ race.law == pytest.approx(race.mean, rel=1e-12)


def test_best_play_of_ten_thousand_has_the_solved_mean():
    solution = solve(Race(TenThousand(), 1000))
    race = strategy_race(TenThousand(), BestPlay(solution), 1000)
    assert race.mean[20] == pytest.approx(solution.value, rel=1e-12)


def test_best_thresholds_as_a_strategy_give_the_threshold_race():
    best = best_thresholds(PointsDie.of_game(Pig()), 60)
    rule = Rule("thresholds", lambda moment: moment.at_risk >= best.thresholds[60 - moment.mine])
    assert strategy_race(Pig(), rule, 60).mean == pytest.approx(best.mean, rel=1e-12)


def test_the_true_optimum_leaves_the_thresholds_at_53_and_75_only():
    """Haigh and Roters; values are those of the table in the notes on the dice-race paper."""
    solution = solve(Race(Pig(), 120))
    best = best_thresholds(PointsDie.of_game(Pig()), 120)
    odd = []
    for n in range(1, 121):
        view = solution.view(120 - n)
        reached, stops, rolls = {0}, [], []
        for t in range(n):
            if t in reached and (t == 0 or view.bank(t) < view.roll_worth(t, 0)):
                rolls.append(t)
                reached.update(range(t + 2, t + 7))
            elif t in reached:
                stops.append(t)
        if stops and max(rolls) > min(stops):
            odd.append((n, stops, [t for t in rolls if t > min(stops)]))
    assert [n for n, _, _ in odd] == [53, 75]
    assert odd[0][2] == [22, 24, 25]  # 23 would roll as well, but no roll of two or more leads there
    assert odd[1][2] == [21, 22, 23]
    assert solution.at(120 - 53) == pytest.approx(6.845775708, abs=5e-10)
    assert solution.at(120 - 75) == pytest.approx(9.520864589, abs=5e-10)
    assert (best.mean[53], best.mean[75]) == pytest.approx((6.846500612, 9.523352695), abs=5e-10)


def test_rolls_of_a_race_agree_with_simulation():
    generator = np.random.default_rng(7)
    race = strategy_race(Pig(), RollTimes(3), 20)
    rolls = []
    for _ in range(4000):
        togo, count = 20, 0
        while togo > 0:
            at_risk = 0
            for _ in range(3):
                face = int(generator.integers(1, 7))
                count += 1
                at_risk = 0 if face == 1 else at_risk + face
                if face == 1 or at_risk >= togo:
                    break
            togo -= at_risk
        rolls.append(count)
    mean, variance = race.rolls
    assert abs(np.mean(rolls) - mean[20]) < 4 * math.sqrt(variance[20] / 4000)
    assert np.var(rolls) == pytest.approx(variance[20], rel=0.15)
