"""Exact laws of a turn: printed figures of dice-race section 2, and the solver met from the other side."""

from fractions import Fraction

import pytest
from hypothesis import given

from jeopardice import Pig, RulesError, TenThousand, Turn, solve
from jeopardice.analysis.rest_of_turn import next_rolls, rest_of_turn
from jeopardice.analysis.turn_law import turn_law
from jeopardice.points.strategy import BestPlay, RollTimes, Rule, StopAt
from jeopardice.rules.house import House
from tests.conftest import Listed, listed_games


def test_thresholds_20_and_21_tie_in_the_mean_but_not_in_the_variance():
    at_20, at_21 = turn_law(Pig(), StopAt(20)), turn_law(Pig(), StopAt(21))
    assert at_20.mean == at_21.mean == Fraction(492303203, 60466176)
    assert f"{float(at_20.variance):.7f}" == "111.0712987"
    assert f"{float(at_21.variance):.7f}" == "119.2145260"


def test_rolls_of_a_turn_as_printed_but_for_the_last_digits():
    """Section 2.2 prints 3.747245007 and 3.846957993; the exact values end in ...5005 and ...7992."""
    at_20, at_21 = turn_law(Pig(), StopAt(20)), turn_law(Pig(), StopAt(21))
    assert at_20.mean_rolls == Fraction(9440899, 2519424)
    assert f"{float(at_20.mean_rolls):.8f}" == "3.74724501"
    assert f"{float(at_21.mean_rolls):.8f}" == "3.84695799"
    assert f"{float(at_20.variance_rolls):.8f}" == "3.25139253"
    assert f"{at_20.correlation:.9f}" == "0.676427113"


def test_exactly_five_or_six_rolls_tie_at_15625_over_1944():
    assert turn_law(Pig(), RollTimes(5)).mean == turn_law(Pig(), RollTimes(6)).mean == Fraction(15625, 1944)
    assert turn_law(Pig(), RollTimes(4)).mean < Fraction(15625, 1944)


@pytest.mark.parametrize("game", [Pig(), Pig(sides=9, bust=(1, 2)), TenThousand(), TenThousand(dice=3)], ids=repr)
def test_the_law_of_best_play_has_the_solved_mean_and_bust_chance(game):
    solution = solve(Turn(game), exact=True)
    law = turn_law(game, BestPlay(solution))
    assert law.mean == solution.value
    assert law.bust_chance == solution.bust_chance
    assert sum(law.joint.values()) == 1


@given(listed_games())
def test_laws_of_random_games_sum_to_one_and_meet_the_solver(game):
    solution = solve(Turn(game), exact=True)
    law = turn_law(game, BestPlay(solution))
    assert sum(law.joint.values()) == 1
    assert law.mean == solution.value


def test_the_law_of_a_turn_follows_the_minimum():
    """Stop-at-3 may not stop below 10; and where the target is reached one always may."""
    at_3, at_10 = turn_law(Pig(), StopAt(3), house=House(bank_from=10)), turn_law(Pig(), StopAt(10))
    assert at_3.joint == at_10.joint != turn_law(Pig(), StopAt(3)).joint
    assert (
        min(
            points
            for points in turn_law(Pig(), StopAt(3), mine=94, target=100, house=House(bank_from=10)).score
            if points
        )
        == 6
    )


def test_a_turn_that_a_play_ends_with_nothing_is_a_bust():
    game = Listed((((1, ((0, None),)), (1, ((3, None), (2, 0))), (1, ())),))
    solution = solve(Turn(game), exact=True)
    assert solution.bust_chance == turn_law(game, BestPlay(solution)).bust_chance == Fraction(2, 3)
    rest = rest_of_turn(solution.view(), 0, 0)
    assert rest.bust_chance == pytest.approx(2 / 3, abs=1e-15) and set(rest.banked) == {3}
    assert sum(roll.chance for roll in next_rolls(solution.view(), 0, 0) if roll.busts) == pytest.approx(
        2 / 3, abs=1e-15
    )


def test_a_turn_of_ten_thousand_takes_at_most_57_rolls():
    """Theorem 4.1 bounds it by 57; the longest under best play is shorter."""
    law = turn_law(TenThousand(), BestPlay(solve(Turn(TenThousand()), exact=True)))
    assert max(law.rolls) == 16 <= 57


def test_a_rule_of_ones_own_is_a_strategy():
    own = Rule("even", lambda moment: moment.at_risk % 2 == 0 or moment.rolls == 9)
    law = turn_law(Pig(), own, exact=False)
    assert abs(sum(law.score.values()) - 1) < 1e-12
    assert all(points % 2 == 0 for (points, rolls) in law.joint if rolls < 9)


def test_a_strategy_that_never_stops_is_refused():
    sure = Pig(sides=6, bust=())
    with pytest.raises(RulesError, match="still rolling"):
        turn_law(sure, Rule("never", lambda moment: moment.rolls > 10**9), exact=False)
