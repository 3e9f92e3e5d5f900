"""Races of three and more players: an equilibrium, its certificate, and everything one asks of it."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from jeopardice import Hog, Pig, PositionError, Race, RulesError, TenThousand, load, solve
from jeopardice.errors import TooLargeError
from jeopardice.points.many import ManyTables, certify_many, solve_many
from jeopardice.points.race_table import race_tables
from jeopardice.tutor import judge_of
from tests.conftest import Coin, ugly_games
from tests.many_reference import best_reply_gain, simple_values


def test_piglet_to_3_for_three_by_hand():
    """Worked out by hand in docs/more-players.md."""
    values = solve(Race(Coin(), 3, players=3)).values
    assert values == pytest.approx([64 / 169, 56 / 169, 49 / 169], abs=1e-15)


def test_pig_to_20_for_three_by_brute_force():
    solution = solve(Race(Pig(), 20, players=3))
    assert solution.values == pytest.approx([0.496378401396, 0.310008580887, 0.193613017717], abs=5e-13)
    assert sum(solution.values) == pytest.approx(1, abs=solution.error_bound)


@pytest.mark.parametrize(
    ("game", "target", "players"),
    [(Pig(), 9, 3), (Coin(), 4, 3), (Coin(), 3, 4), (Pig(sides=3), 5, 4), (Pig(bust=(1, 2)), 8, 3)],
)
def test_values_are_those_of_a_sweep_over_the_rules(game, target, players):
    assert solve(Race(game, target, players=players)).values == pytest.approx(
        simple_values(game, target, players), abs=1e-12
    )


@pytest.mark.parametrize("game", [Pig(), TenThousand(), Hog(), Pig(sides=4, bust=(1, 2))])
@pytest.mark.parametrize("rules", [{}, {"bank_from": 5}, {"finish": "exact"}, {"open_from": 6}])
def test_two_players_are_the_pair_engine(game, rules):
    target = 1000 if game == TenThousand() else 25
    scale = {name: value * 50 if target == 1000 and isinstance(value, int) else value for name, value in rules.items()}
    pair = solve(Race(game, target, players=2, **scale))
    goal = Race(game, target, players=2, **scale)
    many = ManyTables(race_tables(goal))
    values = solve_many(many)
    worst = np.abs(values.worths[0][..., 0] - pair.worths[0])[many.tables[0].reached.reshape(-1)]
    reached = many.tables[0].reached.reshape(-1)
    assert worst[:, reached].max() <= pair.error_bound + sum(certify_many(many, values))


@given(
    game=ugly_games(), target=st.integers(2, 5), players=st.integers(3, 4), finish=st.sampled_from(["reach", "exact"]),
    bank_from=st.sampled_from([0, 0, 2]), indifferent=st.sampled_from(["stop", "roll"]),
)  # fmt: skip
@settings(
    max_examples=15,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
def test_nobody_gains_by_another_strategy_in_random_games(game, target, players, finish, bank_from, indifferent):
    """The play that the solution gives, written out from the rules, against the best response of every seat."""
    heavy = max(weight for mode in game.offers for weight, _ in mode) > 5
    assume(not heavy)
    try:
        goal = Race(game, target, players=players, finish=finish, bank_from=bank_from)
        solution = solve(goal, indifferent=indifferent)
    except RulesError:
        assume(False)
    assume(solution.many.positions <= 300)
    assert not solution.solved.unsettled
    assert sum(solution.values) == pytest.approx(1, abs=1e-12)
    assert solution.error_bound is not None
    assert solution.deviation_gain < 1e-10
    judge = judge_of(solution)

    def choose(spot):
        options = judge.options_at(spot)
        if options[0].share is None:
            return [(options[0].match_play, 1.0)]
        return [(o.match_play, o.share) for o in options if o.share]

    own, best = best_reply_gain(judge.match, choose, seat=1, sweeps=400)
    if finish == "reach":
        assert own == pytest.approx(solution.values[1], abs=1e-9)
    assert best <= solution.values[1] + 1e-9


@given(
    games=st.lists(ugly_games(most_points=3), min_size=3, max_size=4), target=st.integers(2, 6),
    finish=st.sampled_from(["reach", "exact"]), open_from=st.sampled_from([0, 2]),
)  # fmt: skip
@settings(max_examples=60)
def test_every_cycle_settles_with_unequal_players(games, target, finish, open_from):
    try:
        goal = Race(games[0], target, players=len(games), opponents=games[1:], finish=finish, open_from=open_from)
        solution = solve(goal)
    except RulesError:
        assume(False)
    assert not solution.solved.unsettled
    for seat, place in product(range(len(games)), [0]):
        values = solution.values_at(place, (place,) * (len(games) - 1), seat=seat)
        assert sum(values) == pytest.approx(1, abs=1e-9)
        assert min(values) >= -1e-12


def test_equal_players_stored_apart_are_the_same():
    """The general layout, with a copy of the same game for each seat, finds what the symmetric one finds."""
    goal = Race(Pig(), 12, players=3)
    table = race_tables(goal)[0]
    apart = ManyTables((table, replace(table), replace(table)))
    assert not apart.symmetric
    values, once = solve_many(apart), solve(goal)
    for seat in range(3):
        assert np.abs(values.worths[seat] - once.solved.worths[0]).max() < 1e-13


@pytest.fixture(scope="module")
def pig_for_three():
    return solve(Race(Pig(), 60, players=3))


def test_the_same_bits_for_any_number_of_threads(pig_for_three):
    again = solve(pig_for_three.goal, threads=3)
    assert (again.solved.worths[0] == pig_for_three.solved.worths[0]).all()
    assert again.solved.mixed == pig_for_three.solved.mixed


def test_the_certificate_notices_a_wrong_value():
    solution = solve(Race(Pig(), 12, players=3))
    assert solution.error_bound < 1e-11
    broken = [worth.copy() for worth in solution.solved.worths]
    broken[0][3, 4, 5] += [1e-6, -1e-6, 0]
    again = replace(solution, solved=replace(solution.solved, worths=tuple(broken)), certificate=None, gain=None)
    assert again.error_bound > 5e-7


def test_mixed_play_is_advised_with_shares_and_nobody_gains():
    """Pig to 100 for three has mixed positions at scores near each other; at a kink both plans are worth the same."""
    solution = solve(Race(Pig(), 100, players=3))
    assert solution.values == pytest.approx([0.365593539675, 0.331855534347, 0.302550925977], abs=5e-12)
    assert solution.error_bound < 1e-10
    assert 50 < len(solution.mixed) < 120
    place = solution.mixed[0]
    shared = []
    for at_risk in range(2, 100 - place.mine):
        advice = solution.advise(mine=place.mine, theirs=place.theirs, at_risk=at_risk)
        shared += [advice] if advice.options[0].share is not None else []
    assert shared
    for advice in shared:
        assert sum(option.share for option in advice.options) == pytest.approx(1)
        assert {option.share for option in advice.options} & {place.share}
        assert advice.options[0].value == pytest.approx(advice.options[1].value, abs=1e-13)
        assert "mixed" in advice.note


def test_the_smallest_mixed_example_of_the_documentation():
    """Pig with a three-sided die to 14: with 5 points at risk stop and roll are worth the same, in one mixture only."""
    solution = solve(Race(Pig(sides=3), 14, players=3))
    (place,) = solution.mixed
    assert (place.mine, place.theirs) == (0, (0, 0)) and place.share == pytest.approx(0.162821712874, abs=1e-9)
    stop, roll = sorted(solution.advise(at_risk=5).options, key=lambda option: option.play, reverse=True)
    assert (stop.share, roll.share) == pytest.approx((place.share, 1 - place.share))
    turn = solution.turn()
    last = []
    for _, _, rows in turn.plans:  # everybody cautious, then everybody bold: what the last player gets
        *bank, _, leave = rows[0, turn.table.opening]
        stay = 1 - leave
        last.append((bank[2] + stay * bank[1] + stay**2 * bank[0]) / (1 - stay**3))
    assert last[1] < turn.bust[0] < last[0]


def test_other_equilibria_are_counted_and_hardly_matter_at_the_start(pig_for_three):
    others = pig_for_three.others()
    assert others.cycles == 0 or others.apart > 1e-9
    assert others.apart_at_start < 1e-6


def test_values_of_all_seats_are_fair_through_a_game(pig_for_three):
    """What a spot is worth to every seat is the mean over the rolls, and what the best play leads to."""
    judge = judge_of(pig_for_three)
    match, dice = judge.match, random.Random(5)
    spot, looked = match.start(), 0
    while not match.is_over(spot):
        values = judge.values_at(spot)
        if spot.rolling:
            rolls = match.rolls(spot)
            after = [(weight, judge.values_at(match.after_roll(spot, roll))) for roll, weight in rolls.items()]
            mean = [sum(w * v[seat] for w, v in after) / sum(rolls.values()) for seat in range(3)]
            assert values == pytest.approx(mean, abs=1e-12)
            spot = match.after_roll(spot, dice.choices(list(rolls), list(rolls.values()))[0])
        else:
            options = judge.options_at(spot)
            assert values == pytest.approx(judge.values_at(match.after_play(spot, options[0].match_play)), abs=1e-12)
            spot = match.after_play(spot, dice.choice(options).match_play)
        looked += 1
    assert looked > 20


def test_games_played_by_the_solution_come_out_as_it_says():
    solution = solve(Race(Pig(), 15, players=3))
    judge = judge_of(solution)
    match, dice, wins, games = judge.match, random.Random(11), [0, 0, 0], 3000
    for _ in range(games):
        spot = match.start()
        while not match.is_over(spot):
            if spot.rolling:
                rolls = match.rolls(spot)
                spot = match.after_roll(spot, dice.choices(list(rolls), list(rolls.values()))[0])
            else:
                spot = match.after_play(spot, judge.options_at(spot)[0].match_play)
        wins[match.returns(spot).index(Fraction(1))] += 1
    for seat, chance in enumerate(solution.values):
        assert abs(wins[seat] / games - chance) < 4 * (chance * (1 - chance) / games) ** 0.5


def test_a_race_nobody_can_end_is_a_draw():
    solution = solve(Race(Pig(sides=2), 4, players=3, finish="exact"))
    assert sum(solution.values) == pytest.approx(1)
    odd = Pig(sides=3, bust=(1,))  # adds 2 or 3: from 1 below the target nobody lands
    solution = solve(Race(odd, 6, players=3, finish="exact"))
    assert solution.values_at(5, (5, 5)) == pytest.approx([1 / 3] * 3, abs=1e-15)
    assert solution.values_at(5, (4, 5)) == pytest.approx([0, 1, 0], abs=1e-12)


def test_saved_and_loaded(tmp_path):
    goal = Race(Pig(), 14, players=3, opponents=(Pig(sides=8), Pig()), open_from=4)
    solution = solve(goal, indifferent="roll")
    again = load(solution.save(tmp_path / "saved"))
    assert again.values == solution.values and again.error_bound == solution.error_bound
    assert again.indifferent == "roll"
    position = {"mine": 5, "theirs": (0, 7), "at_risk": 4, "roll": (3,), "seat": 1}
    assert again.advise(**position).options == solution.advise(**position).options
    rows = list(again.rows())
    assert rows[0]["value"] == solution.values[0] and rows[0]["seat"] == 0
    assert {"theirs_1", "theirs_2", "opened_2", "value_2"} <= rows[0].keys()


@pytest.mark.parametrize(
    ("goal", "error", "words"),
    [
        (Race(Pig(), 100, players=3, busts=3, penalty=20, floor=None), RulesError, "penalties"),
        (Race(Pig(), 1000, players=4), TooLargeError, "GB of memory"),
        (Race(Pig(), 20, players=8), TooLargeError, "GB of memory"),
    ],
)
def test_refused_before_the_work(goal, error, words):
    with pytest.raises(error, match=words):
        solve(goal)


def test_positions_that_do_not_fit_are_refused():
    solution = solve(Race(Pig(), 10, players=3))
    for position, words in (
        ({"theirs": 3}, "other 2 players"),
        ({"theirs": (1, 2, 3)}, "other 2 players"),
        ({"theirs": (3, 10)}, "below the target"),
        ({"theirs": (0, 0), "seat": 3}, "seat"),
    ):
        with pytest.raises(PositionError, match=words):
            solution.advise(**position)
    with pytest.raises(ValueError, match="'stop' or 'roll'"):
        solve(Race(Pig(), 10, players=3), indifferent="fold")
    with pytest.raises(ValueError, match="players=3 or more"):
        solve(Race(Pig(), 10, players=2), indifferent="roll")


RANDOM_GAMES = given(
    game=ugly_games(), target=st.integers(2, 8), players=st.integers(3, 4),
    finish=st.sampled_from(["reach", "exact"]), bank_from=st.sampled_from([0, 0, 2, 3]),
    indifferent=st.sampled_from(["stop", "roll"]),
)  # fmt: skip


def check_that_nobody_gains(game, target, players, finish, bank_from, indifferent):
    """Where almost every turn is a bust, chances cannot be written more precisely than such a turn shows."""
    try:
        goal = Race(game, target, players=players, finish=finish, bank_from=bank_from)
        solution = solve(goal, indifferent=indifferent)
    except RulesError:
        assume(False)
    assert not solution.solved.unsettled
    heavy = max(weight for mode in game.offers for weight, _ in mode) > 5
    assert solution.error_bound is not None and solution.error_bound < (1e-6 if heavy else 1e-10)


@RANDOM_GAMES
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_nobody_gains_more_than_the_bound_in_random_games(**rules):
    check_that_nobody_gains(**rules)


@pytest.mark.slow
@RANDOM_GAMES
@settings(max_examples=1000)
def test_nobody_gains_more_than_the_bound_in_a_thousand_random_games(**rules):
    check_that_nobody_gains(**rules)
