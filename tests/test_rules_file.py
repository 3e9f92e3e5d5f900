"""Rules files: what they describe is solved like any game, what cannot be is refused in one line that names the key."""

import json
import runpy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jeopardice import Farkle, Pig, Race, RulesError, Turn, solve
from jeopardice.analysis.turn_law import turn_law
from jeopardice.games.faces import Face, FaceGame
from jeopardice.points.strategy import BestPlay, StopAt
from jeopardice.rules.files import game_from, read_rules

EXAMPLES = Path(__file__).parents[1] / "examples"
PIG = {"name": "Pig", "faces": [{"face": 1, "effect": "bust"}, *({"face": n, "points": n} for n in range(2, 7))]}


def test_pig_from_a_file_is_pig() -> None:
    game = game_from(PIG)
    for goal in (Turn, lambda g: Race(g, target=30), lambda g: Race(g, target=10, players=2)):
        assert solve(goal(game), exact=True).value == solve(goal(Pig()), exact=True).value
    assert solve(Turn(game)).advise(at_risk=10, roll=(5,)).best.points == 15


def test_every_example_solves_and_is_hashable() -> None:
    files = sorted([*EXAMPLES.glob("*.toml"), *EXAMPLES.glob("*.json")])
    assert len(files) >= 6
    for file in files:
        game = read_rules(file)
        assert hash(game) == hash(read_rules(file))
        solution = solve(Turn(game))
        assert solution.value > 0
        if isinstance(game, FaceGame):
            assert turn_law(game, BestPlay(solution), exact=False).mean == pytest.approx(solution.value, abs=1e-9)


def test_repr_of_a_game_from_a_file_names_it_completely() -> None:
    from jeopardice.games.faces import Combination

    game = read_rules(EXAMPLES / "pass_the_pigs.toml")
    names = {"FaceGame": FaceGame, "Face": Face, "Combination": Combination}
    assert eval(repr(game), names) == game


def test_piglet_to_ten() -> None:
    """A coin: a turn that stops after one head wins half a point on average; alone, 20 turns to 10 by single steps."""
    game = read_rules(EXAMPLES / "piglet.toml")
    assert solve(Turn(game), exact=True).value == Fraction(1, 2)
    assert solve(Race(game), exact=True).value == 20


def test_two_dice_pig_against_the_sum_over_all_throws() -> None:
    """Stop at 18 or more, solved by plain recursion over the 36 throws."""

    def mean(at_risk: int) -> Fraction:
        if at_risk >= 18:
            return Fraction(at_risk)
        throws = [(a, b) for a in range(2, 7) for b in range(2, 7)]
        return sum((mean(at_risk + a + b) for a, b in throws), Fraction(0)) / 36

    game = read_rules(EXAMPLES / "two_dice_pig.toml")
    assert turn_law(game, StopAt(18)).mean == mean(0)
    assert solve(Turn(game), exact=True).value >= mean(0)


def test_big_pig_s_doubles() -> None:
    game = read_rules(EXAMPLES / "big_pig.toml")
    assert [play.points for play in game.plays(0, (1, 1))] == [25]
    assert [play.points for play in game.plays(0, (5, 5))] == [20]
    assert [play.points for play in game.plays(0, (2, 5))] == [7]
    assert game.plays(0, (1, 5)) == []
    assert game.rolls(0)[1, 5] == 2


def test_pigs_fall_as_often_as_two_of_them_do() -> None:
    game = read_rules(EXAMPLES / "pass_the_pigs.toml")
    rolls = game.rolls(0)
    assert rolls["dot", "no dot"] == 2 * 3490 * 3020
    assert sum(rolls.values()) == (3490 + 3020 + 2240 + 880 + 300 + 61) ** 2
    assert game.plays(0, ("dot", "no dot")) == []
    assert [play.points for play in game.plays(0, ("snouter", "trotter"))] == [15]
    advice = solve(Turn(game)).advise(at_risk=3, roll=("trotter", "snouter"))
    assert advice.best.points == 18


def test_a_face_may_bank_and_end_the_turn() -> None:
    faces = (
        {"face": "in", "points": 3},
        {"face": "home", "points": 1, "effect": "bank"},
        {"face": "out", "effect": "bust"},
    )
    game = game_from({"name": "Spinner", "faces": list(faces)})
    (play,) = game.plays(0, "home")
    assert play.mode is None
    stop_after_one = Fraction(3 + 1, 3)
    assert solve(Turn(game), exact=True).value >= stop_after_one


def test_farkle_with_rules_of_one_s_own(tmp_path: Path) -> None:
    rules = {"game": "farkle", "like": "cardgames_io", "straight": 2000, "short_straights": [500, 750]}
    (tmp_path / "mine.json").write_text(json.dumps(rules))
    game = read_rules(tmp_path / "mine.json")
    assert isinstance(game, Farkle)
    assert (game.straight, game.short_straights, game.two_triplets) == (2000, (500, 750), 0)
    loaded = game_from({"game": "farkle", "dice": 2, "weights": [[1, 1, 1, 1, 1, 1], [2, 1, 1, 1, 1, 1]]})
    assert loaded.opening == (0, 1)


def test_the_python_example_runs() -> None:
    game = runpy.run_path(str(EXAMPLES / "growing_pig.py"))["GrowingPig"]()
    assert solve(Turn(game)).value == pytest.approx(float(solve(Turn(game), exact=True).value), abs=1e-12)


BUST, ONE = {"face": "a", "effect": "bust"}, {"face": "b", "points": 1}


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ([], "a rules file holds keys"),
        ({"name": "x"}, "the key 'faces' is needed"),
        ({"faces": [BUST, ONE]}, "the key 'name' is needed"),
        (
            {"name": "x", "faces": [BUST, ONE], "__import__": "os"},
            "the key '__import__' is unknown; the keys are name, about",
        ),
        ({"name": "x", "faces": [BUST, ONE | {"colour": 1}]}, "the key 'colour' of entry 2 in faces is unknown"),
        ({"name": "x", "faces": [BUST, {"points": 1}]}, "the key 'face' of entry 2 in faces is needed"),
        ({"name": "x", "faces": "12"}, "faces is a list of entries"),
        ({"name": "x", "faces": []}, "faces lists at least two"),
        ({"name": 3, "faces": [BUST, ONE]}, "name is what the game is called"),
        ({"name": "x", "faces": [BUST, ONE], "about": 1}, "about is a text"),
        ({"name": "x", "faces": [BUST, ONE], "target": 0}, "target is a whole number from 1, got target=0"),
        ({"name": "x", "faces": [BUST, ONE], "dice": 1.5}, "dice is a whole number from 1, got dice=1.5"),
        ({"name": "x", "faces": [BUST, ONE], "dice": 10**6}, "1000001 ways"),
        (
            {"name": "x", "faces": [BUST, ONE | {"weight": -1}]},
            "weight of face 'b' is a whole number from 0, got weight=-1",
        ),
        ({"name": "x", "faces": [BUST, ONE | {"weight": 0.5}]}, "weight of face 'b' is a whole number from 0"),
        ({"name": "x", "faces": [BUST, ONE | {"weight": True}]}, "weight of face 'b'"),
        ({"name": "x", "faces": [BUST | {"weight": 0}, ONE | {"weight": 0}]}, "weight is 0 for every face"),
        ({"name": "x", "faces": [BUST, ONE | {"points": -1}]}, "points of face 'b' are a whole number from 0"),
        ({"name": "x", "faces": [BUST | {"points": 2}, ONE]}, "points of face 'a' are lost"),
        ({"name": "x", "faces": [BUST, ONE | {"effect": "explode"}]}, "effect of face 'b' is one of score, bust, bank"),
        ({"name": "x", "faces": [BUST, ONE, ONE]}, "face 'b' is listed twice"),
        ({"name": "x", "faces": [BUST, ONE | {"face": 2}]}, "face is a name or a whole number, all of one sort"),
        ({"name": "x", "faces": [BUST, ONE | {"face": [2]}]}, "face is a name or a whole number"),
        ({"name": "x", "faces": [ONE]}, "no roll busts.* faces"),
        ({"name": "x", "faces": [BUST]}, "no throw scores.* faces"),
        ({"name": "x", "faces": [BUST | {"weight": 0}, ONE]}, "no roll busts"),
        ({"name": "x", "faces": [BUST, ONE, {"face": "c"}]}, "throw 'c' neither scores nor ends"),
        ({"name": "x", "faces": [BUST, ONE], "combinations": [{"faces": ["a", "b"]}]}, "are the 1 faces of a throw"),
        ({"name": "x", "faces": [BUST, ONE], "combinations": [{"faces": [["a"]]}]}, "faces of a combination lists"),
        ({"name": "x", "faces": [BUST, ONE], "combinations": [{"faces": ["z"]}]}, "are the 1 faces of a throw"),
        ({"name": "x", "faces": [BUST, ONE], "combinations": [{"faces": ["a"], "points": 1}] * 2}, "listed twice"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"game": 3}, "game is the name of a game"),
        ({"game": "pig", "side": 8}, "the key 'side' is unknown; the keys are game, about, like, sides, bust, dice"),
        ({"game": "pig", "sides": 8.5}, "sides is a whole number, got sides=8.5"),
        ({"game": "farkle", "like": ["zilch"]}, "no rules of Farkle are called"),
        ({"game": "farkle", "four_and_pair": 1}, "four_and_pair is true or false"),
        ({"game": "farkle", "weights": "loaded"}, "weights are six whole numbers"),
        ({"game": "farkle", "dice": "loaded"}, "no die is called 'loaded'"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line_with_the_key(rules: Any, message: str) -> None:
    with pytest.raises(RulesError, match=message) as error:
        game_from(rules)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.toml", "name = ", "a.toml is not TOML: "),
        ("a.json", "{", "a.json is not JSON: "),
        ("a.json", "[" * 100_000, "a.json is not JSON: "),
        ("a.json", '{"name": "x", "faces": [{"face": 1, "weight": NaN}]}', "a.json: weight of face 1"),
        ("a.py", "print()", "ends in .toml or .json"),
        ("a.toml", "#" * 1_000_001, "at most 1,000,000"),
    ],
)
def test_files_that_are_no_rules(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(RulesError, match=message) as error:
        read_rules(tmp_path / name)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no rules file"):
        read_rules(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RulesError, match="is not TOML"):
        read_rules(tmp_path / "bytes.toml")


entries = st.fixed_dictionaries(
    {"face": st.integers(0, 5)},
    optional={
        "weight": st.integers(-1, 4),
        "points": st.integers(-1, 5),
        "effect": st.sampled_from(["score", "bust", "bank", "?"]),
    },
)


@settings(deadline=None, max_examples=150)
@given(st.lists(entries, max_size=5), st.integers(0, 3))
def test_random_rules_solve_or_are_refused(faces: list[dict[str, Any]], dice: int) -> None:
    rules = {"name": "random", "faces": faces, "dice": dice}
    try:
        game = game_from(rules)
    except RulesError as refusal:
        refused = str(refusal)
    else:
        total = sum(face.get("weight", 1) for face in faces)
        assert sum(game.rolls(0).values()) == total**dice
        assert solve(Turn(game), exact=True).value > 0
        return
    assert refused
    assert "\n" not in refused


values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None, max_examples=200)
@given(st.dictionaries(st.sampled_from(["name", "about", "target", "dice", "faces", "combinations", "?"]), values))
def test_no_content_of_a_file_does_more_than_raise_a_rules_error(rules: dict[str, Any]) -> None:
    with pytest.raises(RulesError) as error:
        game_from(rules | {"faces": rules.get("faces", [{"face": 1}])})
    assert str(error.value)


def test_the_command_line_takes_a_rules_file(capsys: pytest.CaptureFixture[str]) -> None:
    from jeopardice.cli import main

    assert main(["solve", "--game", str(EXAMPLES / "piglet.toml"), "alone", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == pytest.approx(20, abs=1e-12)
    pigs = str(EXAMPLES / "pass_the_pigs.toml")
    assert main(["advise", pigs, "turn", "--at-risk", "3", "--roll", "trotter,snouter", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["best"] == "roll"


def test_the_command_line_names_the_key_that_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from jeopardice.cli import main

    (tmp_path / "bad.json").write_text(json.dumps(PIG | {"dice": 0}))
    assert main(["solve", "--game", str(tmp_path / "bad.json")]) == 2
    told = capsys.readouterr().err
    assert told.strip() == "jeopardice: bad.json: dice is a whole number from 1, got dice=0"


def test_a_named_rule_set_gives_game_and_goal_and_options_override_it(capsys: pytest.CaptureFixture[str]) -> None:
    from jeopardice.cli import main

    assert main(["solve", "farkle", "turn", "--named", "zilch", "--bank-from", "0", "--json"]) == 0
    free = json.loads(capsys.readouterr().out)
    assert free["value"] == pytest.approx(623.0175, abs=1e-4)
    assert main(["solve", "--named", "zilch", "turn", "--json"]) == 0
    named = json.loads(capsys.readouterr().out)
    assert "bank_from=300" in named["goal"] and named["value"] <= free["value"]
    assert main(["solve", "farkle", "alone", "--named", "kingdom_come", "--straight", "2000", "--json"]) == 0
    assert "straight=2000" in (goal := json.loads(capsys.readouterr().out)["goal"]) and "target=4000" in goal
    assert main(["solve", "ten-thousand", "--named", "zilch"]) == 2
    assert "ten-thousand has none" in capsys.readouterr().err


def test_a_solved_rules_file_is_stored_and_loaded(tmp_path: Path) -> None:
    from jeopardice import load

    solution: Any = solve(Race(read_rules(EXAMPLES / "big_pig.toml")))
    solution.save(tmp_path / "big")
    loaded = load(tmp_path / "big")
    assert loaded.value == solution.value
    assert loaded.goal == solution.goal
