"""Races alone: `analyse` and `plot` on the command line, the reports behind them, and long runs."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jeopardice import Pig, Race, RulesError, TenThousand, TooLargeError, Turn, solve
from jeopardice.analysis.alone_report import alone_report
from jeopardice.analysis.long_run import far_play, long_run
from jeopardice.analysis.off_thresholds import off_thresholds, rolling_again
from jeopardice.analysis.plan_laws import plan_tables
from jeopardice.analysis.strategy_race import goal_race, strategy_race
from jeopardice.analysis.turn_law import turn_law
from jeopardice.cli import main
from jeopardice.points.plan import plan_of
from jeopardice.points.strategy import BestPlay, RollTimes, Rule, StopAt
from tests.conftest import Listed, listed_games, turns_of_pig


def run(capsys, *words):
    code = main([*words])
    out, err = capsys.readouterr()
    return code, out, err


def answer(capsys, *words):
    code, out, err = run(capsys, *words, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


# -- equations


@pytest.mark.parametrize(
    ("goal", "strategy"),
    [
        (Race(Pig(), 100), "optimal"),
        (Race(Pig(), 100), "louchard"),
        (Race(Pig(), 60), "roll-5-times"),
        (Race(Pig(), 30, finish="exact"), "optimal"),
        (Race(Pig(), 50, bank_from=10), "optimal"),
        (Race(TenThousand(), 10000), "optimal"),
    ],
)
def test_the_law_of_turns_sums_to_one_and_has_the_solved_mean(goal, strategy):
    report = alone_report(goal, strategy)
    assert report.law.sum() == pytest.approx(1, abs=1e-12)
    assert report.moments.mean == pytest.approx(report.mean, rel=1e-12)
    assert report.moments.variance == pytest.approx(report.variance, rel=1e-10)
    if strategy == "optimal":
        assert report.mean == pytest.approx(solve(goal).value, rel=1e-12)


def test_the_law_at_the_target_is_the_last_column_of_all_laws():
    report = alone_report(Race(Pig(), 90))
    both = report.race.law[: len(report.law), -1]
    assert (report.law == both).all()
    assert report.race.law[len(report.law) :, -1].sum() < 1e-15


def test_a_law_that_would_take_minutes_is_refused(monkeypatch):
    monkeypatch.setattr("jeopardice.analysis.alone_report._MOST_CHANCES", 100)
    with pytest.raises(TooLargeError, match="smaller target"):
        alone_report(Race(Pig(), 50)).chance_within(9)


def test_fewest_rolls_have_the_solved_mean_too():
    goal = Race(Pig(), 80, cost="rolls")
    assert alone_report(goal).mean_rolls == pytest.approx(solve(goal).value, rel=1e-12)


@settings(max_examples=25)
@given(listed_games(), st.integers(1, 12))
def test_all_plans_at_once_give_the_laws_of_single_turns(game: Listed, points):
    """Another way: `turn_law` carries one turn roll by roll, `plan_tables` all turns unit by unit."""
    strategy, target = StopAt(points), 15
    race = strategy_race(game, strategy, target)
    for n in range(1, len(race.choice)):
        mine = (len(race.choice) - 1 - n) * race.unit
        law = turn_law(game, strategy, mine=mine, target=(len(race.choice) - 1) * race.unit, exact=False)
        row = race.choice[n]
        score = {j * race.unit: p for j, p in enumerate(race.tables.chance[row]) if p}
        assert score == pytest.approx(law.score, abs=1e-14)
        assert race.tables.rolls[row].sum() == pytest.approx(law.mean_rolls, rel=1e-13)
        assert race.tables.squares[row].sum() == pytest.approx(law.variance_rolls + law.mean_rolls**2, rel=1e-13)


def test_plans_taken_in_parts_give_the_same_laws(monkeypatch):
    plan = plan_of(BestPlay(solve(Race(Pig(), 40))), Race(Pig(), 40))
    whole = plan_tables(plan)
    monkeypatch.setattr("jeopardice.analysis.plan_laws._AT_ONCE", 1)
    assert all((one == other).all() for one, other in zip(whole, plan_tables(plan), strict=True))


def test_an_exact_finish_that_cannot_be_reached_is_refused():
    """With one point to go, no roll of a die whose 1 busts hits the target."""
    with pytest.raises(RulesError, match="1 points to go"):
        goal_race(Race(Pig(), 13, finish="exact"), RollTimes(2))


# -- the true optimum against thresholds


def test_best_play_leaves_thresholds_at_53_and_75_only():
    """Haigh and Roters, n up to 1000, in the sense of moments that best play comes to and of turns saved.

    Against the best threshold at n with best play later, something is gained at 53 and 75 and nowhere else.
    """
    solution = solve(Race(Pig(), 1000))
    found = off_thresholds(solution)
    assert [(off.to_go, off.threshold) for off in found] == [(53, 17), (75, 18)]
    assert [off.gain for off in found] == pytest.approx([0.000724903648, 0.002419278641], abs=1e-11)
    assert [off.rolls_on for off in found] == [(22, 24, 25), (21, 22, 23)]
    everywhere = off_thresholds(solution, least_gain=-1.0)
    assert len(everywhere) == 1000
    assert max(abs(off.gain) for off in everywhere if off.to_go not in (53, 75)) < 1e-12
    assert [off.to_go for off in everywhere if off.rolls_on] == [53, 75]


def test_moments_that_best_play_never_comes_to_look_different():
    """A player who has nearly all missing points at risk rolls on: at n = 30..56, too, but best play stops before."""
    solution = solve(Race(Pig(), 200))
    odd = [n for n in range(1, 201) if rolling_again(solution.view(200 - n), n, all_moments=True)]
    assert odd == [*range(30, 57), 75]


# -- the long run


def test_the_long_run_of_ten_thousand_is_the_growth_of_its_race():
    """Far from the target a race plays the best turn: its rate and variance rate are those of that turn alone."""
    game = TenThousand()
    turn = long_run(game, BestPlay(solve(Turn(game))))
    assert turn.points_per_turn == pytest.approx(solve(Turn(game)).value, rel=1e-12)
    race = solve(Race(game, 10000))
    assert (race.at(0) - race.at(3000)) * turn.points_per_turn == pytest.approx(3000, rel=1e-9)
    far = far_play(goal_race(Race(game, 10000), BestPlay(race)))
    assert far.is_settled and far.is_alike
    assert far.points_per_turn == pytest.approx(turn.points_per_turn, rel=1e-12)
    assert far.variance_rate == pytest.approx(turn.variance_rate, rel=1e-11)
    assert far.rolls_per_point == pytest.approx(turn.rolls_per_point, rel=1e-6)
    assert far.excess == pytest.approx((0.7105311177, 0.7105311177), abs=1e-9)


def test_a_player_who_never_looks_at_the_target_has_the_renewal_constant():
    found = long_run(Pig(), StopAt(20, strict=True))
    race = strategy_race(Pig(), StopAt(20, strict=True), 6000)
    assert race.mean[6000] - 6000 / found.points_per_turn == pytest.approx(found.renewal_constant, abs=1e-9)
    assert far_play(race).variance_rate == pytest.approx(found.variance_rate, rel=1e-12)
    variance = race.rolls[1]
    assert (variance[3000] - variance[2000]) / 1000 == pytest.approx(found.rolls_variance_rate, rel=1e-4)


def test_a_short_race_is_not_settled():
    assert not far_play(strategy_race(Pig(), BestPlay(solve(Race(Pig(), 50))), 50)).is_settled


# -- simulation from the rules alone


def test_simulated_races_agree_with_the_law():
    generator = np.random.default_rng(11)
    report = alone_report(Race(Pig(), 40), "stop-at-15")
    games = 5000
    turns = [turns_of_pig(generator, 40, lambda togo: min(15, togo)) for _ in range(games)]
    assert abs(np.mean(turns) - report.mean) < 4 * math.sqrt(report.variance / games)
    for j in (3, 5, 8):
        chance = report.chance_within(j)
        assert abs(np.mean(np.array(turns) <= j) - chance) < 4 * math.sqrt(chance * (1 - chance) / games)


def test_simulated_ten_thousand_agrees_with_the_report():
    """Play as a human would: the most points of every roll, stop at 300."""
    generator = np.random.default_rng(5)
    game, target, games = TenThousand(), 1500, 2000
    report = alone_report(Race(game, target), "stop-at-300")
    counts = []
    for _ in range(games):
        togo, count = target, 0
        while togo > 0:
            count += 1
            at_risk, dice = 0, game.opening
            while at_risk < min(300, togo):
                roll = tuple(sorted(generator.integers(1, 7, dice).tolist()))
                plays = game.plays(dice, roll)
                if not plays:
                    at_risk = 0
                    break
                best = max(plays, key=lambda play: play.points)
                at_risk, dice = at_risk + best.points, best.mode
            togo -= at_risk
        counts.append(count)
    assert abs(np.mean(counts) - report.mean) < 4 * math.sqrt(report.variance / games)


# -- the command line


def test_analyse_alone_gives_law_long_run_and_thresholds(capsys):
    found = answer(capsys, "analyse", "pig", "alone", "--target", "100", "--within", "10")
    assert found["value"] == pytest.approx(12.545232351955, abs=1e-11)
    assert found["best chance within"] == pytest.approx(0.465442736129, abs=1e-11)
    assert found["chance within"] < found["best chance within"]
    assert sum(found["turns"].values()) == pytest.approx(1, abs=1e-12)
    assert found["thresholds"]["thresholds"][:35] == [1, 1, *range(3, 30), 14, 15, 15, 16, 16, 17]
    assert found["thresholds"]["value"] > found["thresholds"]["best"] == pytest.approx(found["value"], rel=1e-12)
    assert [off["to_go"] for off in found["thresholds"]["off"]] == [53, 75]
    constant = found["thresholds"]["constant"]
    assert abs(constant["value"] - 0.222762532626168) <= constant["error"] < 1e-9


def test_analyse_alone_reads_like_a_report(capsys):
    code, out, _ = run(capsys, "analyse", "pig", "alone", "--target", "400", "--strategy", "louchard")
    assert code == 0
    for words in (
        "race under louchard",
        "distribution of the number of turns",
        "points per turn",
        "8.1417948937",
        "75 points to go",
    ):
        assert words in out
    code, out, _ = run(capsys, "analyse", "ten-thousand", "alone", "--target", "2000", "--stop-at", "300")
    assert code == 0 and "race under stop-at-300" in out and "thresholds" not in out


def test_a_strategy_by_name_is_the_same_as_by_option(capsys):
    one = answer(capsys, "analyse", "pig", "turn", "--strategy", "roll-5-times")
    assert one == answer(capsys, "analyse", "pig", "turn", "--rolls", "5")
    assert one["value"] == "15625/1944"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["analyse", "pig", "duel"], "see compare"),
        (["analyse", "pig", "alone", "--stop-at", "20", "--rolls", "5"], "two strategies"),
        (["analyse", "pig", "alone", "--strategy", "stopp"], "a strategy is one of"),
        (["analyse", "pig", "alone", "--exact"], "--exact is for a turn"),
        (["plot", "pig", "turn"], "plot is for a race"),
        (["plot", "pig", "alone", "--surface"], "--surface does not belong"),
        (["plot", "pig", "duel", "--what", "law"], "--what does not belong"),
        (["plot", "pig", "alone", "--target", "30", "--what", "pie"], "thresholds, excess, variance, law"),
        (["plot", "ten-thousand", "alone", "--target", "500", "--what", "thresholds"], "roll or stop"),
        (["plot", "pig", "alone", "--target", "30", "--out", "x.doc"], ".png"),
    ],
)
def test_a_mistake_is_one_clear_line(words, said, capsys):
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert said in err and err.count("\n") == 1


@pytest.mark.parametrize("what", [None, "thresholds", "excess", "variance", "law", "residual"])
def test_plot_alone_draws_a_file(what, tmp_path, capsys):
    file = tmp_path / ("figure.svg" if what == "law" else "figure.png")
    words = ["plot", "pig", "alone", "--target", "120", "--out", str(file), *(["--what", what] if what else [])]
    assert answer(capsys, *words)["value"] == pytest.approx(solve(Race(Pig(), 120)).value, rel=1e-12)
    assert file.stat().st_size > 5000


def test_a_rule_of_ones_own_has_a_report():
    rule = Rule("all-or-nothing", lambda moment: moment.to_go == 0)
    report = alone_report(Race(Pig(), 12), rule)
    assert report.mean == pytest.approx(1 / (1 - report.race.steps.bust[12]), rel=1e-12)
    # this rule is the best threshold of so short a race; the two means are summed in different orders
    assert report.thresholds is not None and report.thresholds.best[12] == pytest.approx(report.mean, rel=1e-14)
