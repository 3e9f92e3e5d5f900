"""The named rule sets: complete, the same by every way they are asked for, taught in sentences, and worth what the rules say."""

import json
from dataclasses import replace
from fractions import Fraction
from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jeopardice import CantStop, Farkle, Hog, Race, RulesError, TenThousand, Turn, Yahtzee, house_goal, solve
from jeopardice.cli import main
from jeopardice.games.faces import FaceGame
from jeopardice.games.farkle import combination_points
from jeopardice.games.house_goals import named_game
from jeopardice.games.named_rules import all_named_rules, named_rules, sets_of
from jeopardice.games.sentences import house_sentences, taught, turn_sentences
from jeopardice.rules.files import game_from
from jeopardice.rules.house import House
from jeopardice.rules.text import read_game, read_goal
from jeopardice.web.catalog import GAMES
from tests.reference import race_value
from tests.test_farkle import rule_sets

NAMES = list(all_named_rules())


def run(capsys, *words):
    code = main([*words])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("name", NAMES)
def test_a_set_is_the_same_by_every_way_it_is_asked_for(name):
    rules = all_named_rules()[name]
    game = read_game(rules["game"], {}, name)
    assert game == named_game(name) == house_goal(name).game
    assert game_from({"game": rules["game"], "like": name}) == game
    for players, kind in ((1, "alone"), (2, "duel"), (3, "race")):
        options = {"players": 3} if players == 3 else {}
        assert read_goal(kind, game, options, name) == house_goal(name, players=players)
    if rules["game"] == "farkle":
        assert Farkle.named(name) == game


@pytest.mark.parametrize("name", NAMES)
def test_a_set_says_everything_about_itself(name):
    rules = all_named_rules()[name]
    assert set(rules) <= {"game", "about", "source", "scoring", "faces", "goal"}
    assert rules["source"] and rules["about"][0].isupper() and not rules["about"].endswith(".")
    assert rules["goal"]["target"] == house_goal(name).target


@pytest.mark.parametrize("name", NAMES)
def test_every_set_can_be_solved_for_one_turn_and_for_two(name):
    goal = house_goal(name)
    assert solve(Turn(goal.game, goal.bank_from)).value > 0
    little = replace(goal, target=1000 if goal.target >= 3000 else 20, busts=0, penalty=0, floor=0)
    solution = solve(little)
    assert 0.5 < solution.value < 0.75
    assert sum(solution.values) == pytest.approx(1)


def test_the_french_set_is_worth_what_a_solver_written_from_the_rules_finds():
    lower, upper = race_value(named_game("cinq_mille"), 600, open_from=750, sweeps=12)
    assert lower - 1e-9 <= solve(replace(house_goal("cinq_mille"), target=600)).value <= upper + 1e-9


def test_greed_is_ten_thousand_where_nothing_is_given_back():
    greed, plain = named_game("greed"), TenThousand(resign=())
    assert solve(Turn(greed), exact=True).value == solve(Turn(plain), exact=True).value
    ours, theirs = (Race(game, 600, players=2, open_from=300, last_round=True) for game in (greed, plain))
    assert solve(ours).value == pytest.approx(solve(theirs).value, abs=1e-12)


def test_big_pig_s_turn_by_hand():
    """Best mean of a turn: v(t) = max(t, sum over both dice of v(t + points) / 36), one 1 alone being a bust."""
    worth = [Fraction(t) for t in range(400)]
    for t in range(250, -1, -1):
        rolled = Fraction(0)
        for a in range(1, 7):
            for b in range(1, 7):
                if a == b:
                    rolled += worth[t + (25 if a == 1 else 4 * a)]
                elif 1 not in (a, b):
                    rolled += worth[t + a + b]
        worth[t] = max(worth[t], rolled / 36) if t else rolled / 36
    assert solve(Turn(named_game("big_pig")), exact=True).value == worth[0]


def test_piglet_and_berkeley_s_hog_are_the_games_they_vary():
    coin = named_game("piglet")
    assert isinstance(coin, FaceGame) and coin.usual_target == 10
    heads = solve(Race(coin, 10, players=2), exact=False).value
    twice = solve(Race(read_game("pig", {"sides": "2"}), 20, players=2)).value
    assert heads == pytest.approx(twice, abs=1e-12)
    assert named_game("berkeley_hog") == Hog(dice_limit=10, on_one="one point")


def test_sets_belong_to_their_game():
    assert list(sets_of("hog")) == ["berkeley_hog"] and sets_of("yahtzee") == {}
    with pytest.raises(RulesError, match="no rules of Farkle are called 'big_pig'; choose one of crocce_mordecki"):
        named_rules("big_pig", "farkle")
    with pytest.raises(RulesError, match="yahtzee has none"):
        read_game("yahtzee", {}, "zilch")
    with pytest.raises(RulesError, match="big_pig has no rule or option --sides"):
        read_game("pig", {"sides": "8"}, "big_pig")


@pytest.mark.parametrize("name", NAMES)
def test_sentences_are_sentences(name):
    for sentence in taught(house_goal(name)):
        assert sentence.startswith("- ") or (sentence[0].isupper() or sentence[0].isdigit() or name == "piglet")
        assert sentence[-1] in ".:" or sentence.startswith("- ")
        assert len(sentence) < 200 and "None" not in sentence and "_" not in sentence


@pytest.mark.parametrize("players", [1, 2])
def test_boards_and_score_sheets_are_taught_by_their_own_rules(players):
    """Nobody is told to reach 0 points."""
    board = taught(Race(CantStop(shortest=2), players=players))
    assert any("pairs" in sentence for sentence in board) and "three columns" in board[-1]
    sheet = taught(Race(Yahtzee()))
    assert [line for line in sheet if line.startswith("- full house: 25")]
    assert len([line for line in sheet if line.startswith("- ")]) == 13
    assert not any(" 0 points" in sentence for sentence in board + sheet)


@settings(deadline=None, max_examples=150)
@given(rule_sets, rule_sets, st.sampled_from(["may", "must"]))
def test_rules_that_differ_read_differently(one, other, hot_dice):
    try:
        other = replace(other, hot_dice=hot_dice)
    except RulesError:
        return

    def rules(game):
        return game.dice, game.take, game.hot_dice, game.nothing, combination_points(game)

    if rules(one) != rules(other):
        assert turn_sentences(one) != turn_sentences(other)


houses = st.builds(
    lambda bank, opening, busts, penalty, floor: House(
        bank, opening, busts, penalty if busts else 0, floor if busts else 0
    ),
    st.sampled_from([0, 300, 500]), st.sampled_from([0, 350, 1000]), st.sampled_from([0, 1, 3]),
    st.sampled_from([500, 1000, "all"]), st.sampled_from([0, None, -500]),
)  # fmt: skip


@settings(deadline=None)
@given(houses, houses)
def test_house_rules_that_differ_read_differently(one, other):
    def rules(house):
        opens = house.open_from if house.open_from > house.bank_from else 0
        return house.bank_from, opens, house.busts, house.penalty, None if house.penalty == "all" else house.floor

    if rules(one) != rules(other):
        assert house_sentences(one) != house_sentences(other)


def test_games_lists_the_sets_and_teaches_them(capsys):
    _, out, _ = run(capsys, "games", "farkle")
    assert all(name in out for name in sets_of("farkle"))
    code, out, _ = run(capsys, "games", "zilch")
    assert code == 0
    for words in ("Three busts in a row cost you 500 points", "300 points or more", "10,000", "Source: zilch.playr"):
        assert words in out
    _, out, _ = run(capsys, "games", "--json", "pig", "greed")
    answer = json.loads(out)
    assert list(answer["games"]["pig"]["rule_sets"]) == ["big_pig", "piglet"]
    assert answer["rule_sets"]["greed"]["sentences"] == taught(house_goal("greed"))
    code, _, err = run(capsys, "games", "farkel")
    assert code == 2 and "no game or rule set 'farkel'" in err and err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["solve", "turn"],
        ["solve", "pig", "duel", "--target", "20"],
        ["advise", "turn", "--at-risk", "20"],
        ["simulate", "turn", "--games", "1000"],
        ["analyse", "turn"],
        ["compare", "duel", "stop-at-20", "stop-at-25", "--target", "30"],
        ["drill", "duel", "--target", "60"],
    ],
)
def test_named_is_an_option_of_every_command(words, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", StringIO("q\n"))
    code, out, err = run(capsys, *words, "--named", "big_pig", "--json")
    assert code == 0, err
    assert "Big Pig" in json.loads(out)["goal"]


def test_the_page_s_menu_has_a_sentence_for_each_set():
    for game in ("farkle", "pig", "hog"):
        presets = GAMES[game].presets
        assert [one["named"] for one in presets] == list(sets_of(game))
        assert all(one["about"] and one["sentences"] and one["source"] for one in presets)
    zilch = next(one for one in GAMES["farkle"].presets if one["named"] == "zilch")
    assert zilch["goal"] == {"target": 10_000, "bank_from": 300, "busts": 3, "penalty": 500}
