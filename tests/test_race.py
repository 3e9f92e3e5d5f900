"""Races alone and for two: every anchor against its own equation, rationals and plain value iteration."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jeopardice import Pig, PositionError, Race, RulesError, TenThousand, TooLargeError, solve
from jeopardice.points.rational import Leaves, walk
from jeopardice.points.tables import lay_out
from tests.conftest import Coin, listed_games


def equations_hold(solution, tolerance):
    """Every anchor of a race alone satisfies x = cost + F(x), walked again in plain Python floats."""
    table, goal = solution.table, solution.goal
    turn_cost, roll_cost = (1, 0) if goal.cost == "turns" else (0, 1)
    for to_go in range(1, solution.target + 1):
        worth = solution.worth[to_go]
        if not np.isfinite(worth):
            continue
        bank = [*solution.worth[to_go:0:-1], *[0.0] * (table.max_points + 1)]
        lost = to_go + 1 if goal.finish == "exact" else None
        leaves = Leaves(bank.__getitem__, worth, to_go, 1, to_go, lost, roll_cost)
        value, slope = walk(table, leaves, float)[0][table.opening]
        assert abs(value - turn_cost - worth) <= tolerance
        assert 0 <= slope < 1
    return True


@pytest.mark.parametrize("goal", [
    Race(Pig(), 100), Race(Pig(), 60, cost="rolls"), Race(Pig(), 60, finish="exact"), Race(TenThousand(), 2000),
    Race(Pig(sides=10, bust=(1, 5)), 80), Race(Coin(), 20),
], ids=repr)  # fmt: skip
def test_values_satisfy_their_own_equations(goal):
    assert equations_hold(solve(goal), 1e-12)


@pytest.mark.parametrize("goal", [
    Race(Pig(), 60), Race(Pig(), 30, cost="rolls"), Race(Pig(), 30, finish="exact"), Race(TenThousand(), 1000),
    Race(Pig(), 40, within=4), Race(Coin(), 8), Race(Pig(sides=4, bust=(1, 3)), 25), Race(Pig(), 40, bank_from=10),
], ids=repr)  # fmt: skip
def test_floats_alone_lie_within_their_bound_of_the_rationals(goal):
    floats, exact = solve(goal), solve(goal, exact=True)
    assert 0 <= floats.error_bound < 1e-11
    assert abs(Fraction(floats.value) - exact.value) <= Fraction(floats.error_bound)


def test_pig_alone_to_100_takes_what_haigh_and_roters_found():
    """E(100) = 12.545 (Haigh & Roters 2000 give 12.545)."""
    assert round(solve(Race(Pig(), 100)).value, 3) == 12.545


def test_a_coin_alone_by_hand():
    """Heads adds 1: two in a row, or one at a time at 2 turns each: to 1 it takes 2 turns; to 2 it takes 4 either way."""
    assert solve(Race(Coin(), 1), exact=True).value == 2
    assert solve(Race(Coin(), 2), exact=True).value == 4


def test_fewest_rolls_with_pig_are_found_by_stopping_at_once():
    """dice-race section 5: the least rolls per point are 0.3, with k = 1; near the target one does better or worse."""
    value = solve(Race(Pig(), 1000, cost="rolls")).value
    assert abs(value / 1000 - 0.3) < 0.003


def test_within_is_a_growing_chance_and_one_turn_is_a_plain_product():
    coin = [solve(Race(Coin(), 3, within=j), exact=True).value for j in range(1, 7)]
    assert coin[0] == Fraction(1, 8)
    assert coin == sorted(coin)
    pig = solve(Race(Pig(), 100, within=30))
    assert all(pig.at(0, turns_left=j) <= pig.at(0, turns_left=j + 1) for j in range(1, 30))


def test_exact_finish_knows_where_the_target_is_out_of_reach():
    solution = solve(Race(Pig(), 50, finish="exact"))
    assert solution.at(49) == float("inf")
    assert solution.advise(mine=30, at_risk=19).best.play == "roll"
    with pytest.raises(RulesError, match="exactly on 1"):
        solve(Race(Pig(), 1, finish="exact"))


def test_long_races_are_linear_in_memory_and_grow_at_the_rate_of_a_turn():
    """The slope of E(n) is 1 / 8.1418, the best mean of a turn."""
    solution = solve(Race(Pig(), 20_000))
    assert solution.worth.shape == (20_001,)
    rate = (solution.at(0) - solution.at(10_000)) / 10_000
    assert abs(rate - 60466176 / 492303203) < 1e-9


@given(
    listed_games(),
    st.integers(2, 10),
    st.sampled_from(["reach", "exact"]),
    st.sampled_from(["turns", "rolls"]),
    st.integers(0, 5),
)
def test_random_games_alone_agree_with_rationals(game, target, finish, cost, bank_from):
    goal = Race(game, target * lay_out(game).unit, finish=finish, cost=cost, bank_from=bank_from)
    try:
        exact = solve(goal, exact=True)
    except RulesError:
        with pytest.raises(RulesError, match="exactly"):
            solve(goal)
        return
    floats = solve(goal)
    assert abs(Fraction(floats.value) - exact.value) <= Fraction(floats.error_bound)


@given(
    listed_games(modes=2), st.integers(2, 5), st.sampled_from(["win", "margin"]), st.sampled_from(["reach", "exact"])
)
def test_random_duels_agree_with_rationals(game, target, payoff, finish):
    goal = Race(game, target * lay_out(game).unit, players=2, payoff=payoff, finish=finish)
    try:
        exact = solve(goal, exact=True)
    except RulesError:
        with pytest.raises(RulesError, match="exactly"):
            solve(goal)
        return
    floats = solve(goal)
    assert abs(Fraction(floats.value) - exact.value) <= Fraction(floats.error_bound)


def test_the_cut_of_a_turn_changes_no_value():
    """With the target hit exactly or not, no bound cuts the turn; a target beyond reach of one turn makes both the same."""
    table = lay_out(Pig())
    solution = solve(Race(Pig(), 120))
    for to_go in (37, 80, 120):
        bank = [*solution.worth[to_go:0:-1], *[0.0] * (table.max_points + 1)]
        leaves = Leaves(bank.__getitem__, solution.worth[to_go], to_go, 1, to_go)
        full, _ = walk(table, leaves, float)[0][0]
        assert abs(full - 1 - solution.worth[to_go]) < 1e-13


def test_a_race_needs_a_target_and_a_position_below_it():
    with pytest.raises(ValueError, match="target"):
        solve(Race(Coin()))
    with pytest.raises(PositionError, match="that race is over"):
        solve(Race(Pig(), 100)).advise(mine=100)
    with pytest.raises(TooLargeError, match="leave out exact"):
        solve(Race(Pig(), 1000, players=2), exact=True)


@pytest.mark.parametrize(("options", "said"), [
    ({"target": 0}, "target=0"), ({"target": 2.5}, "target=2.5"), ({"players": 9}, "players=9"),
    ({"finish": "land"}, "finish='land'"), ({"payoff": "margin"}, "players=2"), ({"players": 2, "cost": "rolls"}, "players=1"),
    ({"within": 0}, "within=0"), ({"bank_from": -1}, "bank_from=-1"),
])  # fmt: skip
def test_impossible_goals_are_refused_in_one_line(options, said):
    with pytest.raises(ValueError, match=said) as refused:
        Race(Pig(), **options)
    assert "\n" not in str(refused.value)


def test_value_iteration_over_all_moments_agrees():
    """Another algorithm: sweeps over every moment of Pig for two, as the papers do it."""
    assert abs(_swept_pig(40) - solve(Race(Pig(), 40, players=2)).value) < 1e-10


def _swept_pig(target: int) -> float:
    chance, change = np.full((target, target), 0.5), 1.0  # [mine, theirs], of the player about to roll
    while change > 1e-12:
        fresh, worth = np.empty_like(chance), np.empty((target + 7, target))
        for mine in range(target):
            bust, goal = 1 - chance[:, mine], target - mine
            worth[goal : goal + 7] = 1.0
            for at_risk in range(goal - 1, 0, -1):
                roll = (bust + worth[at_risk + 2 : at_risk + 7].sum(axis=0)) / 6
                worth[at_risk] = np.maximum(roll, 1 - chance[:, mine + at_risk])
            fresh[mine] = (bust + worth[2:7].sum(axis=0)) / 6
        chance, change = fresh, float(np.abs(fresh - chance).max())
    return float(chance[0, 0])
