"""Can't Stop for two at the table: exact on small boards, estimates that say so on large ones, draws found at once."""

import io
import json

import pytest

from jeopardice import CantStop, Race, solve
from jeopardice.cli import main
from jeopardice.columns.match import ColumnsSpot
from jeopardice.tutor import Session, advance, bot_named, judge_of, judge_to_play, report


@pytest.fixture(scope="module", params=[True, False], ids=["closed", "open"])
def judge(request):
    return judge_of(solve(Race(CantStop(2, 2, closed_to_both=request.param), players=2)))


def test_small_boards_have_exact_values(judge):
    assert judge.measure.name == "win chance"
    value = solve(judge.goal).value
    assert judge.values_at(judge.match.start()) == pytest.approx((value, 1 - value), abs=1e-12)


def test_the_dice_are_fair_and_choices_only_lose(judge):
    """A spot before a roll is worth the mean of what follows; a spot before a choice the best of its choices."""
    game, match = Session.new(judge, seed=5), judge.match
    for _ in range(40):
        if game.phase == "over":
            break
        if game.phase == "roll":
            rolls = match.rolls(game.spot)
            mean = sum(w * judge.values_at(match.after_roll(game.spot, roll))[0] for roll, w in rolls.items())
            assert mean / sum(rolls.values()) == pytest.approx(game.value, abs=1e-10)
            game = game.roll()
        else:
            for option in game.options:
                after = judge.values_at(match.after_play(game.spot, option.match_play))[game.seat]
                assert after == pytest.approx(option.value, abs=1e-10)
            assert game.ranked[0].value == pytest.approx(judge.values_at(game.spot)[game.seat], abs=1e-12)
            game = game.choose(game.options[len(game.steps) % len(game.options)])


@pytest.mark.parametrize("name", ["optimal", "rule-of-28", "beginner"])
def test_reports_add_up(judge, name):
    bots = (bot_named("optimal", judge), bot_named(name, judge))
    for seed in range(4):
        told = report(advance(Session.new(judge, seed=seed), bots))
        assert told.is_over and told.remainder() == pytest.approx(0, abs=1e-9)
        assert told.loss(0) == pytest.approx(0, abs=1e-9) and told.loss(1) >= 0


def test_a_game_that_nobody_can_win_is_over_and_drawn():
    judge, spot = judge_of(solve(Race(CantStop(2, 2), players=2))), ColumnsSpot(((2, 0, 0), (0, 0, 2)))
    assert judge.match.is_over(spot) and judge.match.returns(spot) == (0.5, 0.5) == judge.values_at(spot)
    free = judge_of(solve(Race(CantStop(2, 2, closed_to_both=False), players=2)))
    assert not free.match.is_over(spot)


def test_the_official_board_has_estimates_and_says_so():
    judge = judge_to_play(Race(CantStop(), players=2))
    assert judge.measure.is_estimate and judge.measure.name == "estimated win chance"
    bots = (bot_named("rule-of-28", judge), bot_named("glenn-aloi", judge))
    played = advance(Session.new(judge, seed=1), bots)
    assert played.phase == "over" and played.winners in ((0,), (1,))
    assert not judge_to_play(Race(CantStop(2, 1), players=2)).measure.is_estimate


@pytest.mark.parametrize("arguments", ["", "alone", "--opponent rule-of-28 --closed-to-both no"])
def test_whole_games_in_the_terminal(arguments, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("r\n1\n2\n" * 400))
    assert main(f"play cant-stop --sides 2 --shortest 2 --seed 7 --json {arguments}".split()) == 0
    game = json.loads(capsys.readouterr().out)
    told = game["report"]
    assert told["is_over"]
    assert told["final"] - told["initial"] == pytest.approx(sum(told["luck"]) + sum(told["skill"]), abs=1e-9)
