"""Can't Stop for two at the table: exact on small boards, estimates that say so on large ones, draws found at once."""

import io
import json

import pytest

from jeopardice import CantStop, Race, solve
from jeopardice.cli import main
from jeopardice.tutor import Session, advance, bot_named, referee_for, report
from jeopardice.tutor.cant_stop_race import RaceSpot
from jeopardice.tutor.families import referee_to_play


@pytest.fixture(scope="module", params=[True, False], ids=["closed", "open"])
def referee(request):
    return referee_for(solve(Race(CantStop(2, 2, closed_to_both=request.param), players=2)))


def test_small_boards_have_exact_values(referee):
    assert referee.measure.name == "win chance"
    assert referee.value(referee.start()) == pytest.approx(referee.solution.value, abs=1e-12)


def test_the_dice_are_fair_and_choices_only_lose(referee):
    """A spot before a roll is worth the mean of what follows; a spot before a choice the best of its choices."""
    game = Session.new(referee, seed=5)
    for _ in range(40):
        if game.phase == "over":
            break
        if game.phase == "roll":
            rolls = referee.rolls(game.spot)
            mean = sum(w * referee.value(referee.after_roll(game.spot, roll)[0]) for roll, w in rolls.items())
            assert mean / sum(rolls.values()) == pytest.approx(game.value, abs=1e-10)
            game = game.roll()
        else:
            best = game.hint[0]
            assert referee.running(game.spot, best.value) == pytest.approx(referee.value(game.spot), abs=1e-12)
            for choice in game.choices:
                after = referee.after_choice(game.spot, choice)
                assert referee.value(after) == pytest.approx(referee.running(game.spot, choice.value), abs=1e-10)
            game = game.choose(game.choices[len(game.steps) % len(game.choices)])


@pytest.mark.parametrize("name", ["optimal", "rule-of-28", "beginner"])
def test_reports_add_up(referee, name):
    bots = (bot_named("optimal", referee), bot_named(name, referee))
    for seed in range(4):
        told = report(advance(Session.new(referee, seed=seed), bots))
        assert told.is_over and told.remainder == pytest.approx(0, abs=1e-9)
        assert told.loss(0) == pytest.approx(0, abs=1e-9) and told.loss(1) >= 0


def test_a_game_that_nobody_can_win_is_over_and_drawn():
    referee = referee_for(solve(Race(CantStop(2, 2), players=2)))
    spot = RaceSpot(((2, 0, 0), (0, 0, 2)))
    assert referee.is_over(spot) and referee.winner(spot) is None and referee.value(spot) == 0.5
    free = referee_for(solve(Race(CantStop(2, 2, closed_to_both=False), players=2)))
    assert not free.is_over(spot)


def test_the_official_board_has_estimates_and_says_so():
    referee = referee_to_play(Race(CantStop(), players=2))
    assert referee.solution is None and referee.measure.name == "estimated win chance"
    bots = (bot_named("rule-of-28", referee), bot_named("glenn-aloi", referee))
    played = advance(Session.new(referee, seed=1), bots)
    assert played.phase == "over" and referee.winner(played.spot) in (0, 1)
    assert referee_to_play(Race(CantStop(2, 1), players=2)).solution is not None


@pytest.mark.parametrize("arguments", ["", "alone", "--opponent rule-of-28 --closed-to-both no"])
def test_whole_games_in_the_terminal(arguments, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("r\n1\n2\n" * 400))
    assert main(f"play cant-stop --sides 2 --shortest 2 --seed 7 --json {arguments}".split()) == 0
    game = json.loads(capsys.readouterr().out)
    told = game["report"]
    assert told["is_over"]
    assert told["final"] - told["initial"] == pytest.approx(sum(told["luck"]) + sum(told["skill"]), abs=1e-9)
