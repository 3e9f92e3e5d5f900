"""Loaded dice: against brute force over all faces with the dice told apart by their place, and the same by every way in."""

import json
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jeopardice import Dice, Farkle, Hog, Pig, Play, Race, RulesError, TenThousand, Turn, load, solve
from jeopardice.cli import main
from jeopardice.dice import checked_dice, known_dice
from jeopardice.points.tables import lay_out
from jeopardice.rules.files import game_from
from jeopardice.rules.text import brief, read_game, value_words
from jeopardice.web.catalog import GAMES
from jeopardice.web.limits import Limits
from tests.reference import race_value

weights = st.lists(st.integers(0, 9), min_size=6, max_size=6).filter(any).map(tuple)
FAIR = (1,) * 6


def worth(faces):
    """Points of kept faces where only singles and triples score; None if a die is left over."""
    total = 0
    for face in set(faces):
        triples, rest = divmod(faces.count(face), 3)
        if rest and face not in (1, 5):
            return None
        total += triples * (1000 if face == 1 else 100 * face) + rest * {1: 100, 5: 50}.get(face, 0)
    return total


@dataclass(frozen=True)
class ByPlace:
    """Singles and triples with dice that are told apart by their place: the mode is which places are left."""

    dice: tuple[tuple[int, ...], ...]

    @property
    def opening(self):
        return tuple(range(len(self.dice)))

    def rolls(self, mode):
        ways = {}
        for faces in product(range(1, 7), repeat=len(mode)):
            weight = prod(self.dice[place][face - 1] for place, face in zip(mode, faces, strict=True))
            if weight:
                ways[faces] = weight
        return ways

    def plays(self, mode, roll):
        found = []
        for size in range(1, len(mode) + 1):
            for kept in combinations(range(len(mode)), size):
                points = worth([roll[place] for place in kept])
                if points:
                    left = tuple(p for place, p in enumerate(mode) if place not in kept)
                    found.append(Play(points, left or self.opening))
        return found


def best_mean(game, cut=1500):
    """The best mean score of a turn in fractions; from `cut` points on one stops."""

    @cache
    def value(t, mode):
        if t >= cut:
            return Fraction(t)
        rolls = game.rolls(mode)
        total = sum(
            weight * max((value(t + p.points, p.mode) for p in game.plays(mode, roll)), default=Fraction(0))
            for roll, weight in rolls.items()
        )
        return max(Fraction(t), total / sum(rolls.values()))

    return value(0, game.opening)


def singles_and_triples(dice):
    return Farkle(dice=dice, more_of_a_kind="none", straight=0, three_pairs=0, four_and_pair=False, two_triplets=0)


MIXTURES = [
    (FAIR, FAIR, (6, 1, 2, 3, 4, 6)),
    ((0, 1, 0, 3, 0, 2), (1, 2, 1, 2, 1, 2), (1, 2, 1, 2, 1, 2)),
    ((1, 9, 9, 9, 9, 9), FAIR, (3, 1, 4, 1, 5, 9)),
]


@pytest.mark.parametrize("dice", MIXTURES)
def test_a_turn_with_loaded_dice_is_worth_what_brute_force_finds(dice):
    assert solve(Turn(singles_and_triples(Dice(dice))), exact=True).value == best_mean(ByPlace(dice))


@pytest.mark.parametrize("dice", MIXTURES[:2])
def test_a_race_with_loaded_dice_lies_between_the_bounds_of_a_solver_written_from_the_rules(dice):
    lower, upper = race_value(ByPlace(dice[1:]), 300, sweeps=30)
    value = solve(Race(singles_and_triples(Dice(dice[1:])), 300, players=2)).value
    assert lower - 1e-9 <= value <= upper + 1e-9 and upper - lower < 1e-3


@settings(deadline=None, max_examples=20)
@given(st.lists(weights, min_size=1, max_size=3), st.data())
def test_ten_thousand_and_farkle_agree_on_loaded_dice(dice, data):
    ours, theirs = TenThousand(dice=Dice(tuple(dice))), singles_and_triples(Dice(tuple(dice)))
    for mode in {ours.opening, data.draw(st.sampled_from(list(theirs_modes(theirs))))}:
        assert dict(ours.rolls(mode)) == dict(theirs.rolls(mode))
        for roll in ours.rolls(mode):
            plays, others = ours.plays(mode, roll), theirs.plays(mode, roll)
            if any(len(play.kept) == len(roll) for play in others):
                others = [play for play in others if len(play.kept) == len(roll)]  # Ten Thousand takes hot dice whole
            assert set(plays) == set(others)


def theirs_modes(game):
    try:
        return lay_out(game).modes
    except RulesError:
        return [game.opening]


@settings(deadline=None, max_examples=40)
@given(st.lists(weights, min_size=1, max_size=4))
def test_dice_do_not_depend_on_their_order_or_a_common_factor(dice):
    made = Dice(tuple(dice))
    assert made == Dice(tuple(tuple(3 * w for w in die) for die in reversed(dice)))
    assert hash(made) == hash(Dice(tuple(reversed(dice))))
    assert sum(made.rolls(made.opening).values()) == prod(map(sum, made.weights))
    assert Dice.read(str(made)) == made
    kept = checked_dice(made, "Farkle")
    assert Farkle(dice=made) == read_game("farkle", {"dice": value_words(kept)})


@settings(deadline=None, max_examples=30)
@given(st.lists(weights, min_size=1, max_size=3), st.sets(st.integers(1, 6), max_size=3))
def test_pig_s_dice_fall_as_all_faces_do(dice, bust):
    if any(not any(w for f, w in enumerate(die, 1) if f not in bust) for die in dice):
        with pytest.raises(RulesError, match="always bust"):
            Pig(bust=tuple(bust), dice=Dice(tuple(dice)))
        return
    game = Pig(bust=tuple(bust), dice=Dice(tuple(dice)))
    ways: dict = {}
    for faces in product(range(1, 7), repeat=len(dice)):
        points = None if set(faces) & bust else sum(faces)
        weight = prod(die[face - 1] for die, face in zip(dice, faces, strict=True))
        ways[points] = ways.get(points, 0) + weight
    found: dict = {}
    for roll, weight in game.rolls(0).items():
        points = next((play.points for play in game.plays(0, roll)), None)
        found[points] = found.get(points, 0) + weight
    whole, sought = sum(found.values()), sum(ways.values())
    assert {p: Fraction(w, whole) for p, w in found.items()} == {p: Fraction(w, sought) for p, w in ways.items() if w}


def test_hog_s_loaded_dice_fall_as_all_faces_do():
    die = (2, 0, 1, 3, 1, 1)
    game = Hog(dice_limit=3, dice=Dice((die,)))
    for count in (1, 2, 3):
        ways: dict = {}
        for faces in product(range(1, 7), repeat=count):
            key = (1,) if 1 in faces else (sum(faces),)
            ways[key] = ways.get(key, 0) + prod(die[face - 1] for face in faces)
        assert game.rolls(count) == {key: weight for key, weight in sorted(ways.items()) if weight}


def test_fair_dice_are_only_counted():
    for game in (Farkle, TenThousand):
        assert game(dice=Dice.fair(4)) == game(dice=4) and game(dice=Dice.read("4x fair")).opening == 4
    assert Pig(dice=Dice.fair(1, 8)) == Pig(sides=8) and Hog(dice=Dice.fair(1, 8)) == Hog(sides=8)
    assert repr(Pig()) == "Pig(sides=6, bust=(1,))" and repr(Hog()) == "Hog(dice_limit=30, sides=6, on_one='nothing')"
    assert eval(repr(Pig(dice=2))) == Pig(dice=2) and eval(repr(Hog(dice=Dice.read("lucky")))).dice == Dice.read(
        "lucky"
    )


def test_named_dice_are_weights_from_the_lists():
    """The chances that lists print: the lucky die 27.3, 4.5, 9.1, 13.6, 18.2, 27.3 per cent, and so on."""
    printed = {
        "lucky": (27.3, 4.5, 9.1, 13.6, 18.2, 27.3),
        "odd": (26.7, 6.7, 26.7, 6.7, 26.7, 6.7),
        "favourable": (33.3, 0, 5.6, 5.6, 33.3, 22.2),
        "heavenly-kingdom": (36.8, 10.5, 10.5, 10.5, 10.5, 21.1),
        "cautious-cheater": (23.8, 14.3, 9.5, 14.3, 23.8, 14.3),
        "sad-greaser": (26.1, 26.1, 4.3, 4.3, 26.1, 13.0),
        "misfortune": (4.5, 22.7, 22.7, 22.7, 22.7, 4.5),
    }
    for name, chances in printed.items():
        die = known_dice()[name]
        assert [round(100 * w / sum(die), 1) for w in die] == list(chances)
    assert Dice.read("Lucky die, cautious cheater").names == ("cautious-cheater", "lucky")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3x fare", "no die is called 'fare'"),
        ("", "dice are written as in"),
        ("0x fair", "dice are written as in"),
        ("fair,,fair", "dice are written as in"),
        ("mine=0,0,0,0,0,0", "not all 0"),
        ("mine=1", "at least two whole numbers"),
        ("9999x fair", "at most 1000 dice"),
        ("mine=1,2,3", "six-sided dice"),
        ("13x lucky", "1 to 12 dice"),
        ("mine=-1,2,1,1,1,1", "dice are written as in"),
    ],
)
def test_dice_that_cannot_be_are_refused_in_one_line(text, message, capsys):
    assert main(["solve", "farkle", "turn", "--dice", text]) == 2
    said = capsys.readouterr().err
    assert message in said and said.count("\n") == 1


@pytest.mark.parametrize(
    "game",
    [Farkle(dice=Dice.read("fair, lucky")), TenThousand(dice=Dice.read("2x odd")), Pig(dice=Dice.read("odd")),
     Hog(dice_limit=3, dice=Dice.read("mine=1,2,3,4"))],
)  # fmt: skip
def test_loaded_games_are_kept_and_loaded(game, tmp_path):
    solution = solve(Race(game, 100, players=2))
    solution.save(tmp_path / "kept")
    assert load(tmp_path / "kept").value == solution.value
    assert load(tmp_path / "kept").goal == solution.goal
    assert load(tmp_path / "kept", solution.goal).goal == solution.goal
    assert "Dice.read(" in brief(game)


def test_rules_files_and_links_carry_dice():
    wanted = Farkle.named("kingdom_come")
    wanted = read_game("farkle", {"dice": "3x fair, 2x lucky, odd=1,2,1,2,1,2"}, "kingdom_come")
    said = {"game": "farkle", "like": "kingdom_come", "dice": "3x fair, 2x lucky, odd=1,2,1,2,1,2"}
    assert game_from(said) == wanted
    assert GAMES["farkle"].game("dice:3x fair, 2x lucky, odd=1,2,1,2,1,2", Limits(), "kingdom_come") == wanted
    assert GAMES["hog"].game("dice:lucky;dice_limit:5", Limits()).dice == Dice.read("lucky")
    with pytest.raises(ValueError, match="dice"):
        GAMES["farkle"].game("dice:12x lucky", Limits())
    with pytest.raises(RulesError, match="no die is called"):
        game_from({"game": "farkle", "dice": "six"})


def test_advice_names_the_dice_that_are_left(capsys):
    words = ["advise", "farkle", "turn", "--dice", "2x fair, lucky", "--at-risk", "200"]
    assert main([*words, "--roll", "5a,6a,5b", "--json"]) == 0
    plays = [option["play"] for option in json.loads(capsys.readouterr().out)["options"]]
    assert len(plays) == len(set(plays)) == 5 and "set aside 5, roll fair, lucky" in plays
    assert main([*words, "--mode", "ab", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["best"] in ("stop", "roll fair, lucky")
    assert main([*words, "--mode", "bb"]) == 2
    assert "a, aa, aab, ab, b, got bb" in capsys.readouterr().err


@settings(max_examples=30, derandomize=True)
@given(
    st.lists(st.lists(st.integers(0, 9), min_size=6, max_size=6).filter(any), min_size=1, max_size=3),
    st.lists(st.integers(0, 2), min_size=1, max_size=4),
    st.fixed_dictionaries({}, optional={
        "take": st.sampled_from(["any", "all if hot", "all"]), "nothing": st.sampled_from([0, 500]),
        "short_straights": st.just((500, 0)), "hot_dice": st.just("may"),
    }),
    st.sampled_from([1, 10**30]),
)  # fmt: skip
def test_rolls_that_offer_the_same_plays_may_be_merged(kinds, which, rules, factor):
    dice = Dice(tuple(tuple(w * factor if i % 2 else w for i, w in enumerate(kinds[k % len(kinds)])) for k in which))
    for game in (Farkle(dice=dice, **rules), TenThousand(dice), TenThousand(dice, resign=("5",))):
        modes, waiting = set(), [game.opening]
        while waiting:
            mode = waiting.pop()
            if mode in modes:
                continue
            modes.add(mode)
            every, merged = Counter(), Counter()
            for rolls, weights in ((game.rolls, every), (game.merged_rolls, merged)):
                for roll, weight in rolls(mode).items():
                    plays = game.plays(mode, roll)
                    if weight:
                        weights[frozenset((play.points, play.mode) for play in plays)] += weight
                    waiting += [play.mode for play in plays]
            assert every == merged
