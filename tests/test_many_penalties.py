"""Penalties for busts in a row with three and more players: the values, the certificate, and everything one asks."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from jeopardice import Pig, PositionError, Race, RulesError, TenThousand, load, solve
from jeopardice.analysis.several import simulate_seats
from jeopardice.points.many import ManyTables
from jeopardice.points.match import match_of
from jeopardice.points.race_table import race_tables
from jeopardice.points.strategy import BestPlay
from jeopardice.points.swept_many import prove_many, sweep_many
from jeopardice.tutor import judge_of
from tests.conftest import Coin, ugly_games
from tests.many_reference import reply_values, settled_values


def shares_of(judge):
    """Return the play that a judge gives, as (play, share)."""

    def choose(spot):
        options = judge.options_at(spot)
        if options[0].share is None:
            return [(options[0].match_play, 1.0)]
        return [(o.match_play, o.share) for o in options if o.share]

    return choose


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        (Pig(), {"target": 30, "busts": 2, "penalty": 10}),
        (Pig(), {"target": 20, "busts": 1, "penalty": "all"}),
        (Pig(sides=4, bust=(1, 2)), {"target": 12, "busts": 3, "penalty": 4, "floor": -8, "open_from": 5}),
        (TenThousand(), {"target": 800, "busts": 2, "penalty": 300, "last_round": True, "ties": "share"}),
    ],
)
def test_two_players_are_the_pair_engine(game, rules):
    goal = Race(game, players=2, **rules)
    many, pair = ManyTables(race_tables(goal), ending=goal.ending), solve(goal)
    values = sweep_many(many)
    reached = np.ix_(*(table.reached.reshape(-1) for table in many.tables))
    worst = np.abs(values.worths[0][..., 0] - pair.worths[0])[reached].max()
    assert worst <= pair.error_bound + prove_many(many, values)
    assert prove_many(many, values) < 1e-11


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        (Coin(), {"target": 3, "players": 3, "busts": 2, "penalty": 1}),
        (Coin(), {"target": 4, "players": 3, "busts": 1, "penalty": 1}),
        (Coin(), {"target": 2, "players": 3, "busts": 2, "penalty": 1, "floor": -1}),
        (Coin(), {"target": 3, "players": 3, "busts": 2, "penalty": "all", "open_from": 2}),
        (Coin(), {"target": 2, "players": 4, "busts": 2, "penalty": 1}),
        (Pig(sides=3), {"target": 4, "players": 3, "busts": 2, "penalty": 2, "bank_from": 3}),
        (Coin(), {"target": 3, "players": 3, "busts": 2, "penalty": 1, "opponents": (Pig(sides=3), Coin())}),
    ],
)
def test_values_are_those_of_a_sweep_over_the_match(game, rules):
    """Every position of the match, with all records."""
    goal = Race(game, **rules)
    solution, reference = solve(goal), settled_values(match_of(goal), cap=goal.target)
    assert solution.error_bound < 1e-11
    judge = judge_of(solution)
    assert len(reference) > 50
    for spot, chances in reference.items():
        assert judge.values_at(spot) == pytest.approx(chances, abs=1e-12)


@given(
    game=ugly_games(modes=2, most_points=3), target=st.integers(2, 5), busts=st.integers(1, 2),
    penalty=st.sampled_from([1, 2, "all"]), bank_from=st.sampled_from([0, 0, 2]), open_from=st.sampled_from([0, 0, 2]),
    indifferent=st.sampled_from(["stop", "roll"]),
)  # fmt: skip
@settings(
    max_examples=12,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
def test_nobody_gains_by_another_strategy_in_random_games(
    game, target, busts, penalty, bank_from, open_from, indifferent
):
    """The play that the solution gives, written out from the rules, against the best reply of every seat."""
    assume(max(weight for mode in game.offers for weight, _ in mode) <= 5)
    try:
        goal = Race(game, target, players=3, busts=busts, penalty=penalty, bank_from=bank_from, open_from=open_from)
        assume(ManyTables(race_tables(goal)).positions <= 250)
        solution = solve(goal, indifferent=indifferent)
    except RulesError:
        assume(False)
    assume(solution.error_bound is not None)
    assert not solution.solved.unsettled
    assert sum(solution.values) == pytest.approx(1, abs=1e-12)
    assert solution.error_bound < 1e-9
    judge = judge_of(solution)
    own, best = reply_values(judge.match, shares_of(judge), 1, cap=target)
    assert own == pytest.approx(solution.values, abs=1e-8)
    assert best[1] <= solution.values[1] + 1e-8


def test_the_certificate_notices_a_wrong_value():
    solution = solve(Race(Pig(), 12, players=3, busts=2, penalty=5))
    assert solution.error_bound < 1e-12
    broken = solution.solved.worths[0].copy()
    broken[6, 8, 10] += [1e-6, -1e-6, 0]
    again = replace(solution, solved=replace(solution.solved, worths=(broken,)), certificate=None, gain=None)
    assert again.error_bound > 5e-7


def test_the_same_bits_for_any_number_of_threads():
    goal = Race(Pig(), 16, players=3, busts=2, penalty=8)
    one, two = solve(goal, threads=1), solve(goal, threads=3)
    assert (one.solved.worths[0] == two.solved.worths[0]).all()


def test_a_second_bust_in_a_row_costs_the_points():
    solution = solve(Race(Pig(), 20, players=3, busts=2, penalty="all"))
    place = {"mine": 12, "theirs": (5, 7), "their_busts": (0, 1)}
    for busts, after in ((0, (12, 1)), (1, (0, 0))):
        later = solution.values_at(5, (7, after[0]), my_busts=0, their_busts=(1, after[1]))
        assert solution.turn(**place, my_busts=busts).bust == pytest.approx((later[2], later[0], later[1]), abs=0)
    first, second = (solution.values_at(**place, my_busts=busts) for busts in (0, 1))
    assert first[0] > second[0] + 0.01 and sum(second) == pytest.approx(1, abs=1e-13)


def test_saved_and_loaded(tmp_path):
    goal = Race(Pig(), 12, players=3, busts=2, penalty=4, opponents=(Pig(sides=8), Pig()), floor=-4)
    solution = solve(goal, indifferent="roll")
    again = load(solution.save(tmp_path / "saved"))
    assert again.values == solution.values and again.error_bound == solution.error_bound < 1e-11
    position = {"mine": -2, "theirs": (0, 7), "at_risk": 4, "seat": 1, "my_busts": 1, "their_busts": (0, 1)}
    assert again.advise(**position).options == solution.advise(**position).options
    rows = list(again.rows())
    assert {"mine", "my_busts", "busts_1", "busts_2", "value", "value_2"} <= rows[0].keys()


def test_games_played_by_the_solution_come_out_as_it_says():
    goal = Race(Pig(), 15, players=3, busts=2, penalty=6)
    solution = solve(goal)
    played = simulate_seats(goal, *(BestPlay(solution, seat=seat) for seat in range(3)), games=2000, seed=8)
    assert all(estimate.is_near(value) for estimate, value in zip(played.wins, solution.values, strict=True))


def test_values_are_fair_through_a_game():
    solution = solve(Race(Pig(), 20, players=3, busts=2, penalty=8))
    judge, dice = judge_of(solution), random.Random(4)
    match, spot, looked = judge.match, judge.match.start(), 0
    while not match.is_over(spot):
        values = judge.values_at(spot)
        if spot.rolling:
            rolls = match.rolls(spot)
            after = [(weight, judge.values_at(match.after_roll(spot, roll))) for roll, weight in rolls.items()]
            mean = [sum(w * v[seat] for w, v in after) / sum(rolls.values()) for seat in range(3)]
            assert values == pytest.approx(mean, abs=1e-12)
            spot = match.after_roll(spot, dice.choice(list(rolls)))
        else:
            spot = match.after_play(spot, dice.choice(judge.options_at(spot)).match_play)
        looked += 1
    assert looked > 20


def test_scores_below_zero_in_a_last_round():
    solution = solve(Race(Coin(), 2, players=3, busts=1, penalty=1, floor=-1, last_round=True))
    assert solution.values_at(-1, (2, 0)) == pytest.approx([1 / 16, 15 / 16, 0], abs=1e-15)
    assert solution.values_at(0, (-1, 2)) == pytest.approx([31 / 256, 15 / 256, 210 / 256], abs=1e-15)


def test_refused():
    goal = Race(Pig(), 10, players=3, busts=2, penalty=4)
    with pytest.raises(RulesError, match="floor=-16"):
        solve(replace(goal, floor=None))
    with pytest.raises(RulesError, match="at most 7 players"):
        solve(Race(Coin(), 2, players=8, busts=2, penalty=1))
    solution = solve(goal)
    with pytest.raises(RulesError, match="without penalties"):
        solution.others()
    with pytest.raises(PositionError, match="my_busts"):
        solution.advise(my_busts=2)
    with pytest.raises(PositionError, match="their_busts has 2 answers"):
        solution.advise(their_busts=(1,))


def test_commands(typed):
    race = "pig race --players 3 --target 12 --busts 2 --penalty 4"
    code, out, err = typed(f"advise {race} --mine 3 --theirs 9,4 --my-busts 1 --their-busts 0,1 --at-risk 5", [])
    assert (code, err) == (0, "")
    assert "roll" in out
    code, out, _ = typed(f"simulate {race} --games 50 --json", [])
    assert code == 0
    code, out, _ = typed(f"play {race} --seed 2 --opponent stop-at-4,optimal --json", ["r", "s", "q"])
    assert code == 0
