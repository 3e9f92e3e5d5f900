"""Turns and races played by thresholds: equations, the dice-race paper's numbers, brute force, simulation."""

import math
from collections import defaultdict
from itertools import product

import numpy as np
import pytest
from flint import ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from jeopardice.analysis.decided import decide, decide_thresholds
from jeopardice.analysis.die_laws import (
    PointsDie,
    as_float,
    joint_moments,
    law_table,
    points_and_rolls,
    rolls_law,
    stretched_law,
    threshold_laws,
)
from jeopardice.analysis.race_laws import (
    mean_and_variance_rolls,
    mean_cost,
    mean_turns,
    roll_tables,
    turn_moments,
    turn_steps,
    turns_law,
    variance_turns,
)
from jeopardice.analysis.thresholds import (
    best_roll_counts,
    best_rules,
    best_thresholds,
    continued,
    enough_thresholds,
    stretch_gains,
    threshold_class,
    turns_with,
)
from jeopardice.errors import RulesError
from jeopardice.games.pig import Pig
from jeopardice.games.ten_thousand import TenThousand
from tests.conftest import turns_of_pig

PIG = PointsDie.of_game(Pig())


@st.composite
def dice(draw):
    points = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3, unique=True))
    return PointsDie.of({p: draw(st.integers(1, 3)) for p in points}, bust=draw(st.integers(1, 3)))


# -- equations


@settings(deadline=None, max_examples=30)
@given(dice(), st.integers(1, 12), st.integers(1, 4))
def test_every_law_sums_to_one_exactly(die, k, c):
    laws = [*threshold_laws(die, k), rolls_law(die, c), stretched_law(die, k, c)]
    assert all(law.bust + sum(law.bank.values(), fmpq(0)) == 1 for law in laws)
    assert sum(points_and_rolls(die, k).values(), fmpq(0)) == 1


@settings(deadline=None, max_examples=30)
@given(dice(), st.integers(5, 30))
def test_best_thresholds_satisfy_their_equation(die, target):
    race = best_thresholds(die, target)
    laws = threshold_class(die, target)
    for n in range(1, target + 1):
        turns = [turns_with(law, race.mean, n) for law in laws]
        assert min(turns) == pytest.approx(race.mean[n], rel=1e-13)
        assert turns[race.thresholds[n] - 1] == pytest.approx(race.mean[n], rel=1e-13)


@settings(deadline=None, max_examples=20)
@given(dice(), st.integers(5, 30))
def test_the_law_of_turns_sums_to_one_and_has_the_solved_mean_and_variance(die, target):
    rules = best_rules(law_table(threshold_class(die, target)), target)
    steps = turn_steps(rules.table, rules.choice)
    mean = mean_turns(steps)
    assert mean == pytest.approx(rules.mean, rel=1e-12)
    variance = variance_turns(steps, mean)
    law = turns_law(steps, tail=1e-20)
    assert law.sum(axis=0) == pytest.approx(np.ones(target + 1), abs=1e-12)
    for n in range(target + 1):
        if variance[n] > 0:
            moments = turn_moments(law[:, n])
            assert moments.mean == pytest.approx(mean[n], rel=1e-12)
            assert moments.variance == pytest.approx(variance[n], rel=1e-10)


def test_the_mean_turn_peaks_where_one_more_roll_is_a_fair_bet():
    means = [law.mean for law in threshold_laws(PIG, 60)]
    assert PIG.best_thresholds == (20, 21)
    assert means[19] == means[20] == max(means)
    assert all(means[k] > means[k + 1] for k in range(20, 59))


# -- the dice-race paper


def test_one_turn_has_the_printed_mean_and_variances():
    """Section 2.1."""
    laws = threshold_laws(PIG, 21)
    assert laws[19].mean == fmpq(492303203, 60466176)
    assert as_float(laws[19].variance) == pytest.approx(111.0712987, abs=1e-7)
    assert as_float(laws[20].variance) == pytest.approx(119.2145260, abs=1e-7)


def test_the_number_of_rolls_has_the_printed_moments():
    """Sections 2.2 and 2.3; the last digits printed for 20, 21 and the correlation are 2 units too high."""
    twenty, twenty_one = (joint_moments(points_and_rolls(PIG, k)) for k in (20, 21))
    assert twenty.mean_rolls == pytest.approx(3.747245007, abs=2.1e-9)
    assert twenty_one.mean_rolls == pytest.approx(3.846957993, abs=2.1e-9)
    assert twenty.variance_rolls == pytest.approx(3.25139253, abs=1e-8)
    assert twenty.correlation == pytest.approx(0.6764271127, abs=2.1e-10)


def test_a_fixed_number_of_rolls_is_best_at_five_or_six():
    """Section 2.4."""
    means = [rolls_law(PIG, rolls).mean for rolls in range(1, 10)]
    assert means[4] == means[5] == max(means) == fmpq(15625, 1944)


def test_thresholds_to_35_are_as_printed_and_unique_but_for_one_and_two():
    """Section 3: k̄(1..35), unique apart from n = 1, 2, where thresholds 1 and 2 are one law."""
    printed = [1, 1, *range(3, 30), 14, 15, 15, 16, 16, 17]
    rules = decide_thresholds(PIG, 35)
    assert (rules.choice[1:] + 1).tolist() == printed
    assert not rules.ties
    assert rules.laws[0].bank == rules.laws[1].bank
    mean = best_thresholds(PIG, 35).mean
    turns = [[turns_with(law, mean, n) for law in rules.laws] for n in range(1, 36)]
    equal = [sum(t < min(row) + 1e-9 for t in row) for row in turns]
    assert equal == [2, 2, *[1] * 33]


def test_strategy_6_pays_at_53_and_75_only_and_not_with_the_printed_stretch_at_75():
    """Section 8 prints C = 4 at n = 53 (right) and C = 5 at n = 75, where 5 loses and 1 or 2 (the same law) is best."""
    race = best_thresholds(PIG, 1000)
    best = {n: stretch_gains(PIG, race, n, 12)[0] for n in (*range(30, 120), 200, 500, 1000)}
    assert [n for n, found in best.items() if found.gain > 1e-9] == [53, 75]
    assert (race.thresholds[53], best[53].stretch) == (17, 4)
    assert (race.thresholds[75], best[75].stretch) == (18, 1)
    at_75 = {found.stretch: found.gain for found in stretch_gains(PIG, race, 75, 12)}
    assert at_75[1] == at_75[2] == pytest.approx(0.000695, abs=1e-6)
    assert at_75[5] == pytest.approx(-0.001555, abs=1e-6)


@pytest.mark.slow
def test_strategy_6_pays_nowhere_else_to_1000():
    race = best_thresholds(PIG, 1000)
    assert [n for n in range(1, 1001) if stretch_gains(PIG, race, n, 30)[0].gain > 1e-9] == [53, 75]


def test_strategy_7_is_worse_than_a_threshold_in_the_mean():
    """Section 8: the best (k, C) is (20, 1), and it earns 0.014310439 less than threshold 20."""
    means = {(k, c): stretched_law(PIG, k, c).mean for k in range(14, 27) for c in range(1, 9)}
    assert max(means, key=lambda pair: means[pair]) == (20, 1)
    assert as_float(means[20, 1]) == pytest.approx(8.127484455, abs=1e-9)
    assert as_float(threshold_laws(PIG, 20)[19].mean - means[20, 1]) == pytest.approx(0.014310439, abs=1e-9)


def test_the_least_mean_number_of_rolls_per_point_is_three_tenths():
    """Section 5: with a constant threshold, fewest rolls come from threshold 1: 0.3 n."""
    per_point = []
    for k in range(1, 30):
        moments = joint_moments(points_and_rolls(PIG, k))
        per_point.append(moments.mean_rolls / moments.mean_points)
    assert min(per_point) == per_point[0] == pytest.approx(0.3, rel=1e-14)


# -- another way


def brute_force_law(die, threshold):
    """Every sequence of rolls, one by one."""
    faces = [*zip(die.points, die.weights, strict=True), (0, die.bust)]
    done = defaultdict(fmpq)

    def roll_on(total, rolls, chance):
        for points, weight in faces:
            after = total + points if points else 0
            if points and after < threshold:
                roll_on(after, rolls + 1, chance * fmpq(weight, die.total))
            else:
                done[after, rolls + 1] += chance * fmpq(weight, die.total)

    roll_on(0, 0, fmpq(1))
    return done


@settings(deadline=None, max_examples=20)
@given(dice(), st.integers(1, 6))
def test_threshold_laws_agree_with_every_sequence_of_rolls(die, threshold):
    joint = brute_force_law(die, threshold)
    assert points_and_rolls(die, threshold) == joint
    law = threshold_laws(die, threshold)[-1]
    bank = defaultdict(fmpq)
    for (points, _), chance in joint.items():
        bank[points] += chance
    assert law.bust == bank.pop(0)
    assert law.bank == bank


@settings(deadline=None, max_examples=15)
@given(dice())
def test_the_best_thresholds_beat_every_table_of_thresholds(die):
    target = 4
    table = law_table(threshold_laws(die, target))
    race = best_thresholds(die, target)
    least = min(
        mean_turns(turn_steps(table, np.array([0, *choice])))[target]
        for choice in product(range(target), repeat=target)
    )
    assert race.mean[target] == pytest.approx(least, rel=1e-12)


@settings(deadline=None, max_examples=10)
@given(dice(), st.integers(5, 25))
def test_decided_balls_hold_the_rational_mean(die, target):
    laws = threshold_class(die, target)
    rules = decide(laws, target, most_bits=512)
    mean = [fmpq(0)]
    for n in range(1, target + 1):
        turns = [
            (1 + sum((p * mean[n - j] for j, p in law.bank.items() if j < n), fmpq(0))) / (1 - law.bust) for law in laws
        ]
        mean.append(min(turns))
        assert turns[rules.choice[n]] == mean[n]
        with ctx.workprec(2000):
            assert rules.mean[n].contains(mean[n])


def test_decided_thresholds_agree_with_floats_where_floats_suffice():
    rules = decide_thresholds(PIG, 1000)
    race = best_thresholds(PIG, 1000)
    assert (rules.choice[1:] + 1 == race.thresholds[1:]).all()
    assert [float(mean) for mean in rules.mean] == pytest.approx(race.mean.tolist(), rel=1e-13)
    assert rules.digits[1:].max() < 16


def test_more_bits_change_nothing_and_few_bits_are_raised():
    few, many = decide_thresholds(PIG, 14_000), decide_thresholds(PIG, 14_000, bits=512)
    assert few.bits == 256
    assert many.bits == 512
    assert (few.choice == many.choice).all()
    assert (few.digits == many.digits).all()
    assert few.digits[10_000:].max() - few.digits[:4001].max() == pytest.approx(0.0028 * 10_000, abs=2)


def test_simulated_races_agree():
    generator = np.random.default_rng(20160313)
    race = best_thresholds(PIG, 60)
    games = 4000
    turns = [turns_of_pig(generator, 60, race.thresholds.__getitem__) for _ in range(games)]
    error = np.std(turns) / math.sqrt(games)
    assert abs(np.mean(turns) - race.mean[60]) < 4 * error


def test_the_number_of_rolls_of_a_race_has_its_mean_by_two_ways():
    joints = [points_and_rolls(PIG, k) for k in range(1, 30)]
    tables = roll_tables(joints)
    race = best_thresholds(PIG, 28)
    choice = np.maximum(race.thresholds - 1, 0)
    mean, variance = mean_and_variance_rolls(tables, choice)
    costs = np.array([joint_moments(joint).mean_rolls for joint in joints])
    assert mean == pytest.approx(mean_cost(turn_steps(tables.chance, choice), costs[choice]), rel=1e-12)
    # one point to go: the race is a number of single rolls, until the first that is no bust
    assert (mean[1], variance[1]) == pytest.approx((6 / 5, 6 / 25), rel=1e-12)


def test_continuing_a_table_keeps_its_start_and_repeats_the_pattern():
    rules = best_rules(law_table(threshold_laws(PIG, 40)), 100)
    choice = continued(rules, 54, np.array([19] * 12 + [20] * 10))
    assert (choice[:55] == rules.choice[:55]).all()
    assert choice[55:].tolist() == ([19] * 12 + [20] * 10) * 2 + [19] * 2


def test_fixed_roll_counts_are_worse_than_thresholds_for_a_far_target():
    rolls, thresholds = best_roll_counts(PIG, 200, 30), best_thresholds(PIG, 200)
    assert rolls.mean[200] > thresholds.mean[200]


@settings(deadline=None, max_examples=20)
@given(dice(), st.integers(1, 40))
def test_no_threshold_beyond_the_class_is_better(die, target):
    enough = enough_thresholds(die, target)
    race = best_thresholds(die, target)
    beyond = threshold_laws(die, enough + 3)[enough:]
    assert all(turns_with(law, race.mean, target) > race.mean[target] for law in beyond)


# -- what is refused


def test_impossible_dice_and_games_are_refused_in_a_line():
    with pytest.raises(RulesError, match="bust weight"):
        PointsDie.of({1: 1}, bust=0)
    with pytest.raises(RulesError, match="points of 1 or more"):
        PointsDie.of({0: 1}, bust=1)
    with pytest.raises(RulesError, match="one mode"):
        PointsDie.of_game(TenThousand())
    with pytest.raises(ValueError, match="target"):
        best_thresholds(PIG, 0)
    with pytest.raises(ValueError, match="128 <= bits"):
        decide_thresholds(PIG, 10, bits=64)
