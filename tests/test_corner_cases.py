"""Rules at their corners: forced banks, targets out of reach, minimums near the target, dice that hardly ever score.

Most of these cases once had a wrong answer. The random ones are compared with rationals and with a race written from the
rules alone (`turns_under`), which asks the strategy itself at every moment.
"""

from fractions import Fraction
from math import inf

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from jeopardice import Hog, Pig, Race, RulesError, StaleSolution, Turn, load, solve
from jeopardice.analysis.head_to_head import best_response, head_to_head, response_value
from jeopardice.analysis.strategy_race import goal_race
from jeopardice.cli import main
from jeopardice.points.match import PointsSpot
from jeopardice.points.simulate import simulate
from jeopardice.points.strategy import BestPlay, KeepPace, Moment, Rule, StopAt, Thresholds
from jeopardice.points.tables import lay_out
from jeopardice.rules.house import Record
from tests.conftest import Listed, ugly_games
from tests.reference import turns_under

FORCED = Listed((((1, ((2, None),)), (1, ())),))
SLOW, FAST = ((1, ((4, None),)), (10**4, ())), ((10**6, ((4, None),)), (1, ((3, None),)))
CHOOSING = Listed((((1, ((0, 1), (0, 2))),), SLOW, FAST))


def test_a_forced_bank_counts_below_the_minimum():
    """No choice in this game: each turn banks 2 or busts, and two banks win. The first to move wins 16 of 27."""
    goal = Race(FORCED, 4, players=2, finish="exact", bank_from=3)
    assert solve(goal, exact=True).value == Fraction(16, 27)
    assert (
        abs(Fraction(solve(goal).value) - Fraction(16, 27)) <= Fraction(solve(goal).error_bound) < Fraction(1, 10**12)
    )
    best = BestPlay(solve(goal))
    assert head_to_head(goal, best, best).value == pytest.approx(16 / 27, abs=1e-14)
    assert simulate(goal, best, best, games=100_000, seed=1).wins.is_near(16 / 27)
    assert goal_race(Race(FORCED, 4, finish="exact", bank_from=3), StopAt(3)).mean[-1] == pytest.approx(4.0)
    assert solve(Turn(FORCED, bank_from=3)).value == 1.0 and solve(Turn(FORCED, bank_from=3)).bust_chance == 0.5


@pytest.mark.parametrize("exact", [True, False])
def test_a_margin_counts_to_the_target_itself(exact):
    """A coin banks 2 or nothing, to 3 points: with 2 each, who wins gets 3 - 2 = 1, not 4 - 2; the mover wins 2 of 3."""
    coin = Listed((((1, ((2, None),)), (1, ())),))
    solution = solve(Race(coin, 3, players=2, payoff="margin"), exact=exact)
    assert solution.at(2, 2) == pytest.approx(Fraction(1, 3), abs=1e-14)
    assert solution.match.returns(PointsSpot((4, 2), (Record(), Record()), finisher=0)) == (1, -1)


def test_a_standing_out_of_reach_is_forbidden_not_expensive():
    goal = Race(CHOOSING, 4, finish="exact")
    assert solve(goal, exact=True).value == 10001
    assert solve(goal).value == pytest.approx(10001, abs=solve(goal).error_bound + 1e-9)


@pytest.mark.parametrize("exact", [True, False])
def test_what_never_ends_is_infinite(exact):
    """With 19 of 20 points Pig cannot land on 20: a 1 is a bust."""
    solution = solve(Race(Pig(), 20, finish="exact"), exact=exact)
    assert solution.at(19) == inf
    roll, stop = solution.advise(at_risk=19).options
    assert (roll.play, stop.play, stop.value) == ("roll", "stop", inf) and 7.9 < roll.value < 7.91
    (only,) = solution.advise(mine=19).options
    assert only.value == inf


def test_what_never_ends_is_called_so(capsys):
    assert main(["advise", "pig", "alone", "--target", "20", "--finish", "exact", "--mine", "19"]) == 0
    out = capsys.readouterr().out
    assert "never" in out and "inf" not in out and "nan" not in out


def test_a_threshold_is_no_way_around_the_minimum():
    """Played from the rules, 200,000 races took 3.273 turns on average."""
    goal, rule = Race(Pig(), 20, bank_from=10), Rule("three", lambda moment: moment.at_risk >= 3)
    assert goal_race(goal, StopAt(3)).mean[20] == pytest.approx(3.272956736833, abs=1e-9)
    assert goal_race(goal, rule).mean[20] == pytest.approx(3.272956736833, abs=1e-9)
    assert simulate(goal, StopAt(3), games=100_000, seed=4).mean_turns.is_near(3.272956736833)


def test_a_target_that_no_points_hit_is_refused_for_strategies_too():
    """Every bank is 4 points, so nobody lands on 3; counted in units of 4 both would."""
    rules = {"finish": "exact"}
    game = Listed((((1, ((4, None),)), (1, ())),))
    for ask in (
        lambda: head_to_head(Race(game, 3, players=2, **rules), StopAt(1), StopAt(1)),
        lambda: simulate(Race(game, 3, players=2, **rules), StopAt(1), StopAt(1), games=10),
        lambda: best_response(Race(game, 3, players=2, **rules), StopAt(1)),
        lambda: goal_race(Race(game, 3, **rules), StopAt(1)),
    ):
        with pytest.raises(RulesError, match="multiple of 4"):
            ask()


STRATEGIES = (StopAt(1), StopAt(3), StopAt(2, strict=True), KeepPace(race=2, pace=2, share=2),
              Thresholds(dict.fromkeys(range(1, 50), 2)))  # fmt: skip


@settings(max_examples=60, derandomize=True)
@given(ugly_games(modes=2), st.integers(1, 5), st.integers(0, 4), st.booleans(), st.sampled_from(STRATEGIES))
def test_strategies_follow_the_rules_between_turns(game, target, least, must_hit, strategy):
    try:
        unit = lay_out(game, drop_dominated=False).unit
        goal = Race(game, target * unit, finish="exact" if must_hit else "reach", bank_from=least * unit)
        race = goal_race(goal, strategy)
    except (RulesError, ValueError):
        assume(False)
    turns = turns_under(game, goal.target, strategy, Moment, must_hit=must_hit, bank_from=goal.bank_from)
    assert race.mean[-1] == pytest.approx(turns, rel=1e-9)


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("exact", [True, False])
def test_a_race_without_progress_is_refused(players, exact):
    stuck = Listed((((1, ((5, 1),)), (1, ())), ((1, ()),)))
    with pytest.raises(RulesError, match="lower bank_from"):
        solve(Race(stuck, 20, players=players, bank_from=10), exact=exact)


@pytest.mark.parametrize("weights", [(1, 4), (2**53 + 1, 2**60 + 7)])
def test_bounds_hold_after_points_are_made_of_units(weights):
    score, bust = weights
    game = Listed((((score, ((3, None),)), (bust, ())),))
    for goal in (Turn(game), Race(game, 9), Race(game, 6, players=2)):
        floats, exact = solve(goal), solve(goal, exact=True)
        assert abs(Fraction(floats.value) - exact.value) <= Fraction(floats.error_bound)


@pytest.mark.parametrize("bust", [10**7, 10**15])
@pytest.mark.parametrize("players", [1, 2])
def test_dice_that_hardly_ever_score_have_a_bound_or_a_reason(bust, players):
    game = Listed((((1, ((1, 0),)), (bust, ())),))
    goal = Race(game, 3, players=players)
    floats, exact = solve(goal), solve(goal, exact=True)
    if floats.error_bound is None:
        assert players == 2 and bust == 10**15 and "almost every turn" in floats.certificate.reason
    else:
        assert abs(Fraction(floats.value) - exact.value) <= Fraction(floats.error_bound) <= exact.value / 10**6


@pytest.mark.parametrize("weight", [10**9, 10**12, 10**15])
@pytest.mark.parametrize("more", [(), ((3, 1),)])
def test_standings_that_best_play_avoids_do_not_hide_the_value(weight, more):
    """Two banks of 3 land on 6 and half of all turns are busts: about 4 turns. From 4 points it takes weight**2 turns."""
    opening = ((1, ((4, None), *more, (1, 0))), (weight, ((3, None), (0, 2))), (weight, ()))
    game = Listed((opening, ((2, ((2, 1), (4, 1))), (2, ())), ((1, ()),)))
    goal = Race(game, 6, finish="exact", bank_from=3)
    solution = solve(goal)
    assert solution.value == pytest.approx(4.0, abs=1e-8)
    assert solution.value == pytest.approx(float(solve(goal, exact=True).value), abs=1e-14)
    assert solution.error_bound is None and "so many turns" in solution.certificate.reason


@pytest.mark.parametrize("weight", [10**3, 10**7, 10**12])
def test_a_value_next_to_a_draw_is_no_draw(weight):
    """With 2 to 4 points the mover wins almost half of the time, and the other one surely at the next turn."""
    last = ((weight, ((0, None),)), (weight, ((3, 2), (2, 1))), (1, ((1, 1), (4, 2))))
    goal = Race(Listed((((1, ((1, 2),)),), ((1, ()),), last)), 5, players=2, finish="exact")
    floats, exact = solve(goal), solve(goal, exact=True)
    assert floats.at(4, 2) == exact.at(4, 2) == 1
    assert abs(Fraction(floats.value) - exact.value) <= Fraction(floats.error_bound) < Fraction(1, 10**13)


def test_exact_duels_of_hog_are_certified():
    assert solve(Race(Hog(), 30, players=2, finish="exact")).error_bound < 1e-12


def test_a_best_response_ends_the_race():
    """Stop-at-1 takes 2 of 1 or 2 points and never lands on 1: both a 1 and a bust are worth a win, but only one of them wins."""
    goal = Race(Listed((((1, ((1, None), (2, None))),),)), 1, players=2, finish="exact")
    response = best_response(goal, StopAt(1))
    assert response_value(response) == head_to_head(goal, response, StopAt(1)).value == 1.0
    moment = Moment(0, 0, target=1)
    assert response.choose(moment, sorted(goal.game.plays(0, 0), key=lambda play: -play.points)).points == 1


@settings(max_examples=60, derandomize=True)
@given(ugly_games(modes=2), st.integers(1, 5), st.booleans(), st.sampled_from(STRATEGIES), st.integers(0, 1))
def test_a_best_response_gets_what_it_says(game, target, must_hit, strategy, seat):
    try:
        goal = Race(
            game, target * lay_out(game, drop_dominated=False).unit, players=2, finish="exact" if must_hit else "reach"
        )
        response = best_response(goal, strategy, seat=seat)
        pair = (response, strategy) if seat == 0 else (strategy, response)
        match = head_to_head(goal, *pair)
    except (RulesError, ValueError):
        assume(False)
    value = match.value if seat == 0 else 1 - match.value
    assert value == pytest.approx(response_value(response), abs=1e-9)


COMPARE = ["compare", "hog", "duel", "--dice-limit", "3", "--target", "10", "--finish", "exact", "optimal"]


def test_best_play_is_compared_where_landing_is_not_sure(capsys):
    assert main([*COMPARE, "stop-at-3"]) == 0
    assert "0.603279" in capsys.readouterr().out
    assert main([*COMPARE, "fewest-turns"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "fewest-turns does not exist" in error


@settings(max_examples=60, derandomize=True)
@given(st.one_of(st.just(Hog(dice_limit=3)), ugly_games(modes=2)), st.integers(1, 10), st.booleans())
def test_best_play_against_itself_gets_what_was_solved(game, target, must_hit):
    try:
        goal = Race(game, target * lay_out(game).unit, players=2, finish="exact" if must_hit else "reach")
        best = BestPlay(solve(goal))
    except (RulesError, ValueError):
        assume(False)
    assert head_to_head(goal, best, best).value == pytest.approx(best.solution.value, abs=1e-11)
    for roll in game.rolls(game.opening):
        if plays := game.plays(game.opening, roll):
            chosen = best.choose(Moment(0, game.opening, target=goal.target), plays)
            advised = best.solution.advise(roll=roll).options
            assert max(o.value for o in advised if o.points == chosen.points) >= advised[0].value - 1e-11


@settings(max_examples=60, derandomize=True)
@given(
    ugly_games(modes=3),
    st.integers(1, 5),
    st.integers(0, 3),
    st.booleans(),
    st.sampled_from([1, 2]),
    ugly_games(modes=1),
)
def test_every_option_shown_lies_within_its_bound(game, target, least, must_hit, players, rival):
    try:
        unit, other = (lay_out(each, drop_dominated=False).unit for each in (game, rival))
        options = {"opponent": rival} if players == 2 else {}
        goal = Race(game, target * unit * other, players=players, finish="exact" if must_hit else "reach",
                    bank_from=least * unit, **options)  # fmt: skip
        exact, floats = solve(goal, exact=True), solve(goal)
    except ValueError:
        assume(False)
    for roll in (None, *game.rolls(0)):
        if roll is not None and not game.plays(0, roll):
            continue
        shown, true = (
            floats.advise(roll=roll),
            {option.play: option.value for option in exact.advise(roll=roll).options},
        )
        for option in shown.options:
            if shown.error_bound is not None and abs(true[option.play]) != inf:
                assert abs(Fraction(option.value) - true[option.play]) <= Fraction(shown.error_bound)
    if floats.error_bound is not None:
        assert abs(Fraction(floats.value) - exact.value) <= Fraction(floats.error_bound)


@pytest.mark.parametrize("goal", [Turn(Pig()), Race(Pig(), 20), Race(Pig(), 20, players=2), Race(Pig(), 20, within=3)])
def test_tables_of_another_shape_are_refused(goal, tmp_path, monkeypatch):
    solution = solve(goal)
    short = {name: block[:-1] for name, block in solution.blocks().items()}
    monkeypatch.setattr(type(solution), "blocks", lambda self: short)
    path = solution.save(tmp_path / "short")
    with pytest.raises(StaleSolution, match="another race"):
        load(path)
