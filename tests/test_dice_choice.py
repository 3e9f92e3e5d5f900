"""Choosing dice: every choice is there, each is worth what a solve of its own finds, and the gain is exact."""

import json
from itertools import product

import pytest

from jeopardice import Dice, Farkle, Hog, Pig, Race, Rate, RulesError, Turn, solve
from jeopardice.analysis.dice_choice import best_dice, choices_from
from jeopardice.analysis.head_to_head import head_to_head
from jeopardice.cli import main
from jeopardice.points.strategy import BestPlay


def test_choices_are_all_multisets_of_the_bag():
    bag = Dice.read("3x fair, 2x lucky, odd")
    found = choices_from(bag, 3)
    counts = [c for c in product(range(4), range(3), range(2)) if sum(c) == 3]
    assert len(found) == len(set(found)) == len(counts)
    assert all(choice.count == 3 for choice in found)
    with pytest.raises(RulesError, match="played with 7 dice, got 6"):
        choices_from(bag, 7)
    with pytest.raises(RulesError, match="more than 1,000,000 ways"):
        choices_from(Dice.read("40x fair"), 20)


def test_dice_are_ranked_by_the_exact_worth_of_a_turn():
    game = Farkle(dice=2)
    found = best_dice(Turn(game), Dice.read("2x fair, lucky, unlucky"))
    assert [c.value for c in found] == sorted((c.value for c in found), reverse=True)
    fair = solve(Turn(game)).value
    for choice in found:
        assert choice.value == pytest.approx(float(solve(Turn(Farkle(dice=choice.dice)), exact=True).value), abs=1e-9)
        assert choice.gain == pytest.approx(choice.value - fair, abs=1e-12)
    assert str(found[0].dice) == "fair, lucky" and str(found[-1].dice) == "fair, unlucky"


def test_pig_s_best_die_busts_least_here():
    """A die that shows a 1 once in 22 throws is the best of three for Pig, by brute force over stopping points too."""
    dice = {"fair": (1,) * 6, "odd": (4, 1, 4, 1, 4, 1), "misfortune": (1, 5, 5, 5, 5, 1)}

    def best_stop(die):
        def mean(stop):
            worth = [0.0] * (stop + 10)
            for t in range(stop + 9, -1, -1):
                worth[t] = t if t >= stop else sum(w * worth[t + f] for f, w in enumerate(die, 1) if f > 1) / sum(die)
            return worth[0]

        return max(mean(stop) for stop in range(1, 150))

    by_hand = {name: best_stop(die) for name, die in dice.items()}
    found = best_dice(Turn(Pig()), Dice(tuple(dice.values()), tuple(dice)))
    for choice in found:
        assert choice.value == pytest.approx(by_hand[str(choice.dice)], abs=1e-9)
    assert str(found[0].dice) == max(by_hand, key=by_hand.__getitem__)


def test_against_an_opponent_the_worth_is_that_of_best_play_by_both_on_a_coin_toss():
    mine, theirs = Pig(dice=Dice.read("misfortune")), Pig()
    (found,) = best_dice(Race(Pig(), 30, players=2), Dice.read("misfortune"))
    first = Race(mine, 30, players=2, opponent=theirs)
    second = Race(theirs, 30, players=2, opponent=mine)
    assert found.value == pytest.approx((solve(first).value + 1 - solve(second).value) / 2, abs=1e-11)
    plays = [BestPlay(solve(first), seat=seat) for seat in (0, 1)]
    assert head_to_head(first, *plays).value == pytest.approx(solve(first).value, abs=1e-9)
    assert found.gain == pytest.approx(found.value - 0.5, abs=1e-11)


def test_rates_and_hogs_choose_too():
    assert str(best_dice(Rate(Pig()), Dice.read("odd, fair"))[0].dice) == "fair"
    assert str(best_dice(Turn(Hog(dice_limit=5)), Dice.read("misfortune, odd"))[0].dice) == "misfortune"


def test_the_command_says_what_is_best_and_how_it_was_found(capsys):
    words = ["dice-choice", "pig", "--from", "fair, odd, misfortune"]
    assert main([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["best"] == "misfortune" and answer["method"] == "exhaustive" and len(answer["choices"]) == 3
    assert main([*words, "duel", "--target", "20", "--against", "odd"]) == 0
    assert "best dice: misfortune" in capsys.readouterr().out
    for wrong, said in (
        ([*words, "--against", "odd"], "--against needs a second player"),
        (["dice-choice", "farkle", "--from", "2x fair"], "played with 6 dice, got 2"),
        (["dice-choice", "cant-stop", "--from", "fair"], "dice"),
    ):
        assert main(wrong) == 2
        message = capsys.readouterr().err
        assert said in message and message.count("\n") == 1
