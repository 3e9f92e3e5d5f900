"""One turn: the engine against the paper, against rationals, and against brute force over all strategies."""

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given

from jeopardice import Pig, PositionError, RulesError, TenThousand, Turn, solve
from jeopardice.papers import ten_thousand as paper
from jeopardice.points.tables import lay_out
from jeopardice.points.turn import edge_of_turn
from tests.conftest import Coin, Listed, listed_games


def best_by_recursion(game, cap):
    """The turn's worth by plain recursion on the rules in Fractions, everyone made to stop from `cap` points on."""

    @cache
    def worth(at_risk, mode):
        if mode is None or at_risk >= cap:
            return Fraction(at_risk)
        rolls = game.rolls(mode)
        mean = sum(
            (weight * max((worth(at_risk + p.points, p.mode) for p in game.plays(mode, roll)), default=0))
            for roll, weight in rolls.items()
        )
        rolled = Fraction(mean) / sum(rolls.values())
        return max(Fraction(at_risk), rolled) if at_risk else rolled

    return worth(0, game.opening)


def test_ten_thousand_is_worth_what_theorem_4_1_prints():
    """V = 5.8720189185 chips (Table 7), threshold 56 chips."""
    solution = solve(Turn(TenThousand()))
    assert round(solution.value / 50, 10) == 5.8720189185
    assert solution.threshold == 56 * 50
    assert solution.error_bound < 1e-10
    exact = solve(Turn(TenThousand()), exact=True)
    assert exact.value / 50 == Fraction(
        121641015674847448340982258132218446206307, 20715365083774675788592339525763025862656
    )
    assert abs(Fraction(solution.value) - exact.value) <= Fraction(solution.error_bound)


def test_every_state_of_ten_thousand_agrees_with_the_papers_algorithm_4_1_exactly():
    view = solve(Turn(TenThousand()), exact=True).view()
    compared = 0
    for tau in range(0, 60):
        for dice in range(1, 6):
            ours = view.roll_worth(tau, view.mode_index(dice))
            assert ours == paper.roll_value(tau, dice)
            compared += 1
    assert compared == 300


@pytest.mark.parametrize(
    ("resign", "value"),
    [
        ((), "5.5763262782"),
        (("5", "1"), "5.8153340639"),
        (("5", "1", "55"), "5.8707484326"),
        (("5", "1", "55", "51"), "5.8720189185"),
        (None, "5.8720189185"),
    ],
)
def test_restricted_games_are_worth_what_table_7_prints(resign, value):
    assert f"{solve(Turn(TenThousand(resign=resign))).value / 50:.10f}" == value


def test_the_second_row_of_table_7_is_a_misprint():
    """Printed 5.8012180037; in rationals the game with s, r and m5 is worth 5.8011800370 chips."""
    assert f"{float(solve(Turn(TenThousand(resign=('5',))), exact=True).value / 50):.10f}" == "5.8011800370"


def test_pig_stops_at_20_and_is_worth_492303203_over_60466176():
    """Roters; dice-race section 2.1."""
    solution = solve(Turn(Pig()), exact=True)
    assert solution.value == Fraction(492303203, 60466176)
    assert solution.threshold == 20
    assert solution.advise(at_risk=20).best.play == "stop"
    assert len(solution.advise(at_risk=20).ties) == 2
    assert [solution.advise(at_risk=t).best.play for t in (1, 19, 21)] == ["roll", "roll", "stop"]


CASES = [
    Pig(sides=4),
    Pig(sides=10),
    Pig(sides=20, bust=(1, 2, 3)),
    Pig(sides=8, bust=(8,)),
    Coin(),
    TenThousand(dice=1),
    TenThousand(dice=2),
    TenThousand(dice=6),
    Listed((((1, ((3, 1), (1, 0))), (1, ())), ((2, ((1, 0),)), (5, ())))),
]


@pytest.mark.parametrize("game", CASES, ids=repr)
def test_the_same_engine_solves_other_dice_exactly_as_plain_recursion_does(game):
    solution = solve(Turn(game), exact=True)
    if solution.threshold <= 6000:
        assert solution.value == best_by_recursion(game, solution.threshold + 2 * solution.table.unit)
    assert abs(Fraction(solve(Turn(game)).value) - solution.value) <= Fraction(solve(Turn(game)).error_bound)


@given(listed_games())
def test_floats_lie_within_their_bound_of_the_rationals_and_a_higher_cap_changes_nothing(game):
    exact, floats = solve(Turn(game), exact=True), solve(Turn(game))
    assert abs(Fraction(floats.value) - exact.value) <= Fraction(floats.error_bound)
    assert exact.value == best_by_recursion(game, exact.threshold) == best_by_recursion(game, exact.threshold + 7)


def test_a_mode_that_cannot_bust_is_rolled_for_free():
    """A free roll of 2 points, then a coin for 1 point: by hand, 2 + the worth of the coin at 2."""
    free_then_coin = Listed((((1, ((2, 1),)),), ((1, ((1, 1),)), (1, ()))))
    assert solve(Turn(free_then_coin), exact=True).value == 2
    back_and_forth = Listed((((1, ((1, 1),)), (1, ((1, 0),))), ((1, ((1, 0),)), (3, ()))))
    edge = edge_of_turn(lay_out(back_and_forth))
    assert (edge.keep[0], edge.gain[0]) == (1, 2)
    view = solve(Turn(back_and_forth), exact=True).view()
    for t in range(edge.threshold + 5):
        assert view.worth(t, 0) == view.roll_worth(t, 0) > t
        assert view.worth(t, 1) == max(t if t else 0, view.roll_worth(t, 1))


@pytest.mark.parametrize(
    "game", [Pig(bust=()), Listed((((1, ((1, 0),)),),)), Listed((((1, ((1, 1),)),), ((1, ((1, 0),)),)))]
)
def test_dice_that_cannot_bust_have_no_threshold(game):
    with pytest.raises(RulesError, match="without a bust"):
        solve(Turn(game))


def test_a_least_bank_forces_rolling_on():
    solution = solve(Turn(Pig(), bank_from=25), exact=True)
    assert solution.value < solve(Turn(Pig()), exact=True).value
    assert [o.play for o in solution.advise(at_risk=24).options] == ["roll"]
    assert solution.advise(at_risk=25).best.play == "stop"


def test_advice_lists_every_option_best_first_with_its_worth():
    advice = solve(Turn(TenThousand())).advise(at_risk=350, roll=(1, 1, 5, 2, 3))
    assert advice.best.play == "set aside 1 1 5 and stop" and advice.value == 600
    assert [o.value for o in advice.options] == sorted((o.value for o in advice.options), reverse=True)
    assert {o.play for o in advice.options} >= {"set aside 1, roll 4 dice", "set aside 5, roll 4 dice"}
    assert len(advice.options) == 10


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"at_risk": -50}, "at_risk=-50"),
        ({"at_risk": 30}, "multiple of 50"),
        ({"dice": 9}, "got 9"),
        ({"roll": (1, 1, 7)}, "cannot fall here"),
        ({"roll": (2, 3, 4)}, "a bust"),
        ({"roll": (1, 2), "dice": 3}, "cannot fall here"),
        ({"theirs": 3}, "'theirs'"),
    ],
)
def test_positions_that_cannot_occur_are_refused_in_one_line(position, said):
    with pytest.raises(PositionError, match=said) as refused:
        solve(Turn(TenThousand())).advise(**position)
    assert "\n" not in str(refused.value)


def test_bust_and_bank_chances_of_best_play_add_up():
    for game in (Pig(), TenThousand(), Pig(sides=12, bust=(1, 12))):
        solution = solve(Turn(game), exact=True)
        assert 0 < solution.bust_chance < 1
        assert abs(float(solution.bust_chance) - solve(Turn(game)).bust_chance) < 1e-14
