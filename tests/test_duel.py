"""Races for two: known values, the equations, rationals, and games that differ between the seats."""

from fractions import Fraction

import numpy as np
import pytest

from jeopardice import Hog, Pig, Race, TenThousand, solve
from jeopardice.analysis.decision_maps import all_roll_gains, roll_gains
from jeopardice.analysis.ten_thousand_duel import thresholds_by_dice
from tests.conftest import Coin


@pytest.fixture(scope="module")
def hundred():
    return solve(Race(Pig(), 100, players=2))


def test_pig_to_100_and_200_have_their_known_values(hundred):
    """Dice-race section 7 and Neller & Presser: 0.530592725274 to 100; to 200 0.521529324244."""
    assert hundred.value == pytest.approx(0.530592725274, abs=5e-13)
    assert hundred.error_bound < 1e-12
    assert solve(Race(Pig(), 200, players=2)).value == pytest.approx(0.521529324244, abs=5e-13)


def test_near_the_end_the_chance_is_six_sevenths(hundred):
    """With at most two points to go on both sides any roll but a 1 wins: x = 5/6 + (1 - x)/6."""
    for mine in (98, 99):
        for theirs in (98, 99):
            assert hundred.at(mine, theirs) == pytest.approx(6 / 7, abs=1e-15)
    assert solve(Race(Pig(), 2, players=2), exact=True).value == Fraction(6, 7)


def test_a_threshold_is_not_enough_at_41_to_49(hundred):
    """Neller & Presser: at 41:49 stop at 22 to 26, roll at 27, stop from 28."""
    gains = roll_gains(hundred, 49)[41]
    assert [t for t in range(1, 40) if gains[t] > 0] == [*range(1, 22), 27]
    for at_risk in (21, 22, 26, 27, 28):
        best = hundred.advise(mine=41, theirs=49, at_risk=at_risk).best
        assert best.stops == (at_risk not in (21, 27))


def test_piglet_in_rationals():
    """Piglet: 4/7 to 2 and 6/11 to 3."""
    assert solve(Race(Coin(), 2, players=2), exact=True).value == Fraction(4, 7)
    assert solve(Race(Coin(), 3, players=2), exact=True).value == Fraction(6, 11)


RACES = {
    "reach": Race(Pig(), 30, players=2),
    "exact": Race(Pig(), 30, players=2, finish="exact"),
    "margin": Race(Pig(), 30, players=2, payoff="margin"),
    "opponent": Race(Pig(), 30, players=2, opponent=Pig(sides=4, bust=(2,))),
    "bank_from": Race(Pig(), 30, players=2, bank_from=8),
}


def walked(race, worths, seat, i, j):
    """One turn, again, in plain Python: its worth given the values of all positions."""
    game = race.opponent if seat and race.opponent else race.game
    total = 1 if race.payoff == "win" else 0
    prize = 1 if race.payoff == "win" else race.target - j
    bust = total - worths[1 - seat][j, i]
    goal = race.target - i
    worth = {}
    for t in reversed(range(goal + game.sides + 1)):
        if t >= goal:
            worth[t] = bust if race.finish == "exact" and t > goal else prize
            continue
        faces = range(1, game.sides + 1)
        roll = sum(bust if face in game.bust else worth[t + face] for face in faces) / game.sides
        stop = total - worths[1 - seat][j, i + t] if t else -1e9
        worth[t] = max(roll, stop) if t >= max(race.bank_from, 1) else roll
    return worth[0]


@pytest.mark.parametrize("name", RACES)
def test_values_satisfy_their_own_equations(name):
    race = RACES[name]
    solution = solve(race)
    scale = race.target if race.payoff == "margin" else 1
    for seat in (0, 1):
        for i in range(race.target):
            for j in range(race.target):
                if name == "exact" and i == j == race.target - 1:
                    continue  # nobody can win there: a draw by definition
                again = walked(race, solution.worths, seat, i, j)
                assert solution.worths[seat][i, j] == pytest.approx(again, abs=1e-13 * scale)


@pytest.mark.parametrize("name", RACES)
def test_rationals_lie_within_the_bound_of_the_floats(name):
    race = Race(**{**RACES[name].__dict__, "target": 14})
    floats, rationals = solve(race), solve(race, exact=True)
    bound = floats.error_bound
    assert bound < 1e-11
    for i in range(14):
        for j in range(14):
            for seat in (0, 1):
                assert abs(Fraction(floats.at(i, j, seat=seat)) - rationals.at(i, j, seat=seat)) <= bound


@pytest.mark.parametrize("race", [Race(Pig(), 200, players=2), Race(TenThousand(), 4000, players=2)], ids=repr)
def test_threads_do_not_change_a_bit(race):
    one, two, five = (solve(race, threads=threads).worths[0] for threads in (1, 2, 5))
    assert np.array_equal(one, two)
    assert np.array_equal(one, five)


def test_the_better_die_wins_more_from_both_seats():
    race = Race(Pig(), 60, players=2, opponent=Pig(sides=10))
    weak, strong = solve(race), solve(Race(Pig(sides=10), 60, players=2, opponent=Pig()))
    assert weak.value < solve(Race(Pig(), 60, players=2)).value < strong.value
    assert weak.at(0, 0, seat=1) == pytest.approx(strong.value, abs=1e-13)


def test_maps_agree_with_advice(hundred):
    gains = roll_gains(hundred, 80)
    for mine, at_risk in ((0, 20), (70, 12), (90, 9), (30, 45)):
        advice = hundred.advise(mine=mine, theirs=80, at_risk=at_risk)
        worth = {option.stops: option.value for option in advice.options}
        assert gains[mine, at_risk] == pytest.approx(worth[False] - worth[True], abs=1e-14)
    small = solve(Race(Pig(), 12, players=2))
    assert np.array_equal(all_roll_gains(small)[:, 5], roll_gains(small, 5), equal_nan=True)


def test_ten_thousand_for_two_departs_from_solitaire_near_the_end():
    level, behind = (thresholds_by_dice(solve(Race(TenThousand(), 2000, players=2)), 0, theirs) for theirs in (0, 1900))
    assert all(behind[dice] >= level[dice] for dice in level)
    assert any(behind[dice] > level[dice] for dice in level)


def test_busting_for_ever_on_purpose_does_not_win():
    """Seat 0 needs 2 with faces from 3 on: it cannot win. Seat 1 needs 3 with one to three dice whose 1s bust: a 3 wins,
    a 2 leaves 1 to go, which nobody can throw: a draw. Many dice only overshoot. So 1/2 + 1/4, however long one waits."""
    goal = Race(Pig(8, (1, 2)), 5, players=2, finish="exact", opponent=Hog(dice_limit=3, sides=4), bank_from=2)
    for exact in (False, True):
        solved = solve(goal, exact=exact)
        assert solved.at(2, 3, seat=1) == pytest.approx(0.75, abs=1e-14)
        assert solved.at(3, 2) == pytest.approx(0.25, abs=1e-14)
        assert solved.at(0, 3, seat=1) == pytest.approx(5 / 6, abs=1e-14)
