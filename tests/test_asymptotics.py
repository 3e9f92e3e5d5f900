"""The long run of a threshold race: proven constants, patterns, variances, and the normal curve corrected."""

import math
from collections import Counter

import numpy as np
import pytest

from jeopardice.analysis.asymptotics import (
    best_laws,
    excess_range,
    residue_chain,
    runs,
    variance_slope,
)
from jeopardice.analysis.decided import decide, decide_thresholds
from jeopardice.analysis.die_laws import (
    PointsDie,
    as_float,
    joint_moments,
    law_table,
    points_and_rolls,
    threshold_laws,
)
from jeopardice.analysis.edgeworth import (
    edgeworth,
    first_player_chance,
    first_player_constant,
    first_player_estimate,
)
from jeopardice.analysis.limit_pattern import limit_pattern, window_shape
from jeopardice.analysis.race_laws import (
    TurnMoments,
    mean_and_variance_rolls,
    mean_turns,
    roll_tables,
    turn_moments,
    turn_steps,
    turns_law,
    variance_turns,
)
from jeopardice.analysis.thresholds import best_rules, continued

PIG = PointsDie.of({2: 1, 3: 1, 4: 1, 5: 1, 6: 1}, bust=1)
LAWS = threshold_laws(PIG, 40)
TABLE = law_table(LAWS)
RATE = as_float(LAWS[19].mean)
TWELVE_TEN = np.array([19] * 12 + [20] * 10)


@pytest.fixture(scope="module")
def race():
    return best_rules(TABLE, 1000)


@pytest.fixture(scope="module")
def decided():
    return decide_thresholds(PIG, 6000)


@pytest.fixture(scope="module")
def law_1000(race):
    return turns_law(turn_steps(TABLE, race.choice))[:, 1000]


# -- the constant


def test_near_1000_the_excess_is_in_the_printed_range(race):
    """Section 3: 0.22275 < K1 < 0.22295 (read off a figure near n = 1000)."""
    excess = race.mean - np.arange(1001) / RATE
    assert 0.22274 < excess[970:].min() < excess[970:].max() < 0.22295


def test_the_constant_is_proven_to_15_digits(decided):
    (excess,) = excess_range(decided)
    assert float(excess.ball.rad()) < 1e-15
    assert float(excess.ball) == pytest.approx(0.222762532626168, abs=1e-15)


def test_a_shorter_race_encloses_a_longer_one(decided):
    (short,) = excess_range(decide_thresholds(PIG, 1500))
    (long,) = excess_range(decided)
    assert short.ball.contains(long.ball)
    for n in range(short.since, 3000, 7):
        assert short.ball.contains(decided.mean[n] - n / long.ball.__class__(LAWS[19].mean))


def test_the_constants_of_strategies_3_and_4_are_ordered(race):
    """Section 3 and 4.3: K1 < K2 < K3; K3 as printed, K2 (0.22645, 0.22680) not: no phase of the pattern gives it."""

    def near_1000(choice):
        excess = mean_turns(turn_steps(TABLE, choice)) - np.arange(1001) / RATE
        return excess[979:].min(), excess[979:].max()

    low3, high3 = near_1000(continued(race, 54, TWELVE_TEN))
    low4, high4 = near_1000(continued(race, 250, np.array([19])))
    assert (low3, high3) == pytest.approx((0.22732, 0.22781), abs=1e-5)
    assert (low4, high4) == pytest.approx((0.2291, 0.2300), abs=6e-5)
    assert 0.2229408 < low3 < high3 < low4 < high4
    lowest = min(near_1000(continued(race, 54, np.roll(TWELVE_TEN, shift)))[0] for shift in range(22))
    assert lowest > 0.2273


def test_each_residue_of_a_die_with_even_points_has_its_own_constant():
    die = PointsDie.of({2: 2, 4: 1}, bust=1)
    odd, even = sorted(excess_range(decide_thresholds(die, 400, most_bits=512)), key=lambda e: -e.residue)
    assert (even.residue, odd.residue) == (0, 1)
    # E(2i) = E(2i - 1), so the two constants differ by the mean turns of one point
    rate = as_float(max(law.mean for law in threshold_laws(die, 20)))
    assert float(odd.ball) - float(even.ball) == pytest.approx(1 / rate, abs=1e-6)


def test_a_race_too_short_for_a_proof_is_refused():
    with pytest.raises(ValueError, match="longer race"):
        excess_range(decide_thresholds(PIG, 30))


def test_a_single_law_has_the_constant_of_renewal_theory():
    """Always threshold 20: the lattice renewal theorem gives E(n) - n/m -> (E[X^2] - m)/(2 m^2)."""
    law = threshold_laws(PIG, 20)[19]
    (excess,) = excess_range(decide([law], 6000), truncated=False)
    mean, second = as_float(law.mean), as_float(law.variance + law.mean**2)
    assert float(excess.ball) == pytest.approx((second - mean) / (2 * mean**2), abs=1e-9)


# -- the pattern


def test_the_pattern_is_not_12_and_10(decided):
    """Section 3, open problem 1: to n = 1000 already five runs of other lengths occur after the first 12, 10."""
    lengths = Counter((run.choice + 1, run.length) for run in runs(decided.choice, 600))
    assert set(lengths) == {(20, 12), (20, 11), (21, 10), (21, 11)}
    first = next(n for n in range(230, 1000) if [r.length for r in runs(decided.choice[:1001], n)[:2]] == [12, 10])
    other = [run for run in runs(decided.choice[:1001], first) if run.length == 11]
    assert len(other) >= 4


def test_the_limit_map_makes_the_decided_choices(decided):
    pattern = limit_pattern(decided.laws, window_shape(decided, 1500), 4500)
    assert (pattern.choice == decided.choice[1501:]).all()
    assert pattern.decay == pytest.approx(0.99356, abs=2e-5)


@pytest.mark.slow
def test_the_pattern_to_100_000_is_decided_and_agrees_with_the_limit_map():
    rules = decide_thresholds(PIG, 100_000)
    assert not rules.ties
    assert 285 <= rules.digits.max() <= 295
    lengths = Counter((run.choice + 1, run.length) for run in runs(rules.choice, 600))
    assert lengths == {(20, 12): 4035, (21, 10): 3194, (21, 11): 1285, (20, 11): 445}
    pattern = limit_pattern(rules.laws, window_shape(rules, 3000), 97_000)
    assert (pattern.choice == rules.choice[3001:]).all()
    assert set(rules.choice[600:].tolist()) == {19, 20} == set(best_laws(rules.laws))


# -- the variance


def test_the_printed_averages_of_variances():
    """Section 4.1; the last two digits printed for s2 are 42, the rational number begins 0.21334218440."""
    v20, v21 = as_float(LAWS[19].variance), as_float(LAWS[20].variance)
    assert (12 * v20 + 10 * v21) / (22 * RATE**3) == pytest.approx(0.2126563592, abs=1e-10)
    assert (v20 + v21) / (2 * RATE**3) == pytest.approx(0.2133421842, abs=3e-10)


def test_the_chain_of_residues_gives_the_printed_variance_and_shares():
    """Sections 4.2 and 4.4 print s2 = 0.2112800054 and 0.2112800055...: the second is right."""
    chain = residue_chain(TABLE, TWELVE_TEN)
    assert chain.variance_rate == pytest.approx(0.2112800055, abs=1e-10)
    assert chain.variance_rate == pytest.approx(0.2112800054, abs=2e-10)
    assert chain.stationary[12:].sum() == pytest.approx(0.3633246365, abs=1e-10)
    assert chain.stationary[:12].sum() == pytest.approx(0.6366753635, abs=1e-10)
    assert chain.stationary.sum() == pytest.approx(1, abs=1e-12)
    assert chain.points_per_turn == pytest.approx(RATE, rel=1e-12)


def test_the_wave_is_the_periodic_part_of_a_long_race():
    """Section 4.4: V(n) = n s2 + U(n) + constant for a race that always plays the pattern."""
    n = np.arange(6001)
    steps = turn_steps(TABLE, TWELVE_TEN[n % 22])
    mean = mean_turns(steps)
    chain = residue_chain(TABLE, TWELVE_TEN)
    rest = variance_turns(steps, mean) - n * chain.variance_rate - chain.wave[n % 22]
    assert np.ptp(rest[-220:]) < 1e-6
    assert chain.wave.sum() == pytest.approx(0, abs=1e-9)


def test_the_chain_handles_laws_of_different_means():
    pattern = np.array([4, 20, 9])
    n = np.arange(4001)
    steps = turn_steps(TABLE, pattern[n % 3])
    mean = mean_turns(steps)
    variance = variance_turns(steps, mean)
    chain = residue_chain(TABLE, pattern)
    assert (mean[4000] - mean[1000]) / 3000 == pytest.approx(1 / chain.points_per_turn, rel=1e-9)
    assert variance_slope(variance, 1000, 3) == pytest.approx(chain.variance_rate, rel=1e-9)
    with pytest.raises(ValueError, match="whole period"):
        variance_slope(variance, 3999, 3)


def test_the_true_variance_rate_is_not_that_of_the_pattern(decided):
    """The paper's own best fit, 0.2137 (section 4.4), is near the truth, 0.21358; its theory says 0.21128."""
    steps = turn_steps(TABLE, decided.choice)
    variance = variance_turns(steps, mean_turns(steps))
    slope = variance_slope(variance, 1000, 355)
    assert slope == pytest.approx(0.21358, abs=2e-5)
    assert slope == pytest.approx(residue_chain(TABLE, decided.choice[1000:1355]).variance_rate, abs=2e-6)


# -- the law


def test_the_first_players_chance_is_as_printed(law_1000):
    """Section 6: P_w(1000) = 0.5097043; the constant 0.613713 and 0.5097037 follow from s2 = 0.21128."""
    assert first_player_chance(law_1000) == pytest.approx(0.5097043, abs=5e-8)
    constant = first_player_constant(0.2112800054)
    assert constant == pytest.approx(0.613713, abs=1e-6)
    assert (1 + constant / math.sqrt(1000)) / 2 == pytest.approx(0.5097037, abs=5e-8)


def test_kurtosis_explains_the_first_players_chance(law_1000):
    moments = turn_moments(law_1000)
    flat = (1 + first_player_constant(moments.variance)) / 2
    exact = first_player_chance(law_1000)
    assert abs(first_player_estimate(moments) - exact) < 2e-6 < 8e-5 < exact - flat


def test_skewness_and_kurtosis_explain_the_gap_to_the_normal_curve(law_1000):
    """Section 6, open problem 3."""
    moments = turn_moments(law_1000)
    assert (moments.skewness, moments.kurtosis) == pytest.approx((0.30904, 0.14182), abs=1e-5)
    turns = np.arange(len(law_1000), dtype=float)
    printed = edgeworth(turns, TurnMoments(1000 / RATE, 211.2800054, 0, 0), order=0)
    gaps = [np.abs(law_1000 - edgeworth(turns, moments, order=order)).max() for order in (0, 1, 2)]
    assert np.abs(law_1000 - printed).max() == pytest.approx(0.00179, abs=1e-5)
    assert gaps == pytest.approx([0.00210, 0.00020, 0.00004], abs=5e-6)


def test_rolls_and_turns_of_a_race_are_negatively_tied():
    """Section 5 ties its normal variables by +C(20); with -C(20) the variance of the number of rolls comes out."""
    joint = points_and_rolls(PIG, 20)
    turn = joint_moments(joint)
    _, variance = mean_and_variance_rolls(roll_tables([joint]), np.zeros(3001, dtype=np.int64))
    slope = (variance[3000] - variance[2000]) / 1000
    per_point = turn.mean_rolls / turn.mean_points
    apart = turn.variance_rolls + per_point**2 * turn.variance_points
    together = 2 * per_point * turn.correlation * math.sqrt(turn.variance_rolls * turn.variance_points)
    assert slope == pytest.approx((apart - together) / turn.mean_points, rel=1e-4)
    assert (apart + together) / turn.mean_points > 2.5 * slope
