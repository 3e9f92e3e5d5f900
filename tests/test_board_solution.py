"""Can't Stop asked through the same goals as every other game."""

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from jeopardice import CantStop, PositionError, Race, TooLargeError, Turn, load, solve
from jeopardice.analysis.values import value_rows
from jeopardice.cli import main
from jeopardice.cli.output import print_json


@pytest.mark.parametrize(
    "game", [CantStop(2, 1), CantStop(3, 1), CantStop(2, 1, markers=2), CantStop(2, 1, columns_to_win=2, dice=5)]
)
def test_values_lie_within_a_certified_bound_and_the_start_is_the_value(game):
    solution = solve(Race(game))
    assert solution.at({}) == solution.value
    assert 0 < solution.error_bound < 1e-10
    assert solution.advise().value == pytest.approx(solution.value, abs=1e-12)


def test_table_1_to_its_digits():
    """cant-stop Table 1: (2,1) 1.298, (2,2) 1.347, (2,3) 1.400, (3,1) 1.480, (3,2) 1.722, (3,3) 1.890, (4,1) 2.187."""
    printed = {(2, 1): 1.298, (2, 2): 1.347, (2, 3): 1.400, (3, 1): 1.480, (3, 2): 1.722, (3, 3): 1.890, (4, 1): 2.187}
    for (sides, shortest), turns in printed.items():
        assert round(solve(Race(CantStop(sides, shortest))).value, 3) == turns


def test_advice_is_best_first_and_agrees_with_the_moment_it_leads_to():
    solution = solve(Race(CantStop(3, 2)))
    advice = solution.advise(mine={4: 1}, markers={3: 1}, roll=(1, 2, 2, 3))
    assert [o.value for o in advice.options] == sorted(o.value for o in advice.options)
    plays = dict.fromkeys(CantStop(3, 2).plays((0, 0, 1, 0, 0), ((3, 1),), (1, 2, 2, 3)), 2)
    assert Counter(option.mode for option in advice.options) == plays  # each play with a stop and with a roll
    for option in advice.options:
        after = {o.stops: o.value for o in solution.advise(mine={4: 1}, markers=dict(option.mode)).options}
        assert after[option.stops] == pytest.approx(option.value, abs=1e-12)


def test_a_solved_board_comes_back_as_it_was(tmp_path):
    solution = solve(Race(CantStop(3, 1)))
    again = load(solution.save(tmp_path / "board"))
    assert again.goal == solution.goal and again.value == solution.value
    assert again.advise(markers={4: 1}).options == solution.advise(markers={4: 1}).options


@pytest.mark.parametrize(("ask", "said"), [
    (lambda: solve(Turn(CantStop())), "is a race"),
    (lambda: solve(Race(CantStop(2, 1), target=5)), "columns_to_win"),
    (lambda: solve(Race(CantStop(2, 1), within=3)), "points games"),
    (lambda: solve(Race(CantStop(2, 1)), exact=True), "leave out exact"),
    (lambda: solve(Race(CantStop(2, 1))).advise(mine={9: 1}), "column 9"),
    (lambda: solve(Race(CantStop(2, 1))).advise(markers={3: 7}), "got 7"),
    (lambda: solve(Race(CantStop(2, 1))).advise(roll=(1, 2)), "a roll is 4 dice"),
])  # fmt: skip
def test_what_cannot_be_asked_is_refused_in_one_line(ask, said):
    with pytest.raises((TypeError, ValueError, PositionError, TooLargeError), match=said) as refused:
        ask()
    assert "\n" not in str(refused.value)


def test_a_loaded_board_keeps_the_bound_it_was_certified_with(tmp_path, monkeypatch):
    solution = solve(Race(CantStop(3, 1)))
    again = load(solution.save(tmp_path / "board"))
    monkeypatch.setattr("jeopardice.columns.solution.certify_cant_stop", None)  # would fail if it were asked
    assert again.error_bound == solution.error_bound
    assert len(again.advise(markers={4: 1}).ties) == 1


def test_commands_answer_from_a_kept_solution(tmp_path, capsys, monkeypatch):
    board = ["cant-stop", "--sides", "3", "--shortest", "1"]
    assert main(["solve", *board, "--save", str(tmp_path / "board"), "--json"]) == 0
    monkeypatch.setattr("jeopardice.columns.family.solve_cant_stop", None)
    kept = ["--solution", str(tmp_path / "board"), "--json"]
    capsys.readouterr()
    assert main(["advise", *board, *kept, "--mine", "4:2", "--roll", "1,1,2,3"]) == 0
    assert json.loads(capsys.readouterr().out)["error_bound"] < 1e-13
    assert main(["simulate", *board, "optimal", *kept, "--games", "50"]) == 0
    assert json.loads(capsys.readouterr().out)["strategies"] == ["optimal"]
    assert main(["analyse", *board, *kept]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == pytest.approx(1.4802534193, abs=1e-10)
    assert main(["advise", "cant-stop", "--sides", "2", *kept]) == 2
    assert "was solved for" in capsys.readouterr().err
    assert main(["simulate", "pig", "turn", *kept]) == 2
    assert "leave it out" in capsys.readouterr().err


@pytest.mark.parametrize("players", [1, 2])
def test_boards_are_exported_row_by_row(players):
    solution = solve(Race(CantStop(2, 1), players=players))
    names, rows = value_rows(solution)
    assert len(rows) == {1: 15, 2: 129}[players]  # for two: 225 less those where both have completed the same column
    for *spaces, value in rows:
        boards = [dict(zip((2, 3, 4), spaces[first : first + 3], strict=True)) for first in range(0, 3 * players, 3)]
        assert solution.at(*boards) == value
    assert names[-1] == "value" and len(names) == 3 * players + 1
    with pytest.raises(TooLargeError, match="--save DIR"):
        value_rows(replace(solution, goal=replace(solution.goal, game=CantStop(5, 3))))


@pytest.mark.parametrize(("words", "said"), [
    ("solve cant-stop turn", "alone or duel"),
    ("solve cant-stop simultaneous", "alone or duel"),
    ("simulate cant-stop turn rule-of-28", "alone or duel"),
    ("solve cant-stop --sides 2 --shortest 1 --table", "export"),
    ("solve cant-stop --sides 2 --shortest 1 --threads 100000", "from 1 to 256"),
    ("solve cant-stop --sides 2 --shortest 1000000000", "from 1 to 200"),
    ("solve cant-stop --sides 200", "from 2 to 20"),
    ("solve cant-stop --sides 2 --dice 30", "from 2 to 8"),
    ("solve cant-stop --sides 7", "up to six sides"),
    ("solve cant-stop duel --sides 20", "hours"),
    ("solve cant-stop --sides 2 --shortest 1 --markers 2 --checkpoint x", "leave them out"),
    ("solve cant-stop --sides 2 --shortest 1 --save x --checkpoint x", "a directory each"),
    ("analyse cant-stop --sides 2 --exact", "leave it out"),
    ("simulate cant-stop rule-of-28 --target 3", "columns_to_win"),
    ("simulate cant-stop rule-of-28 --solution x", "optimal"),
    ("simulate cant-stop roll-99999999999999999999-times", "1,000,000"),
    ("simulate cant-stop rule-of-100 --columns-to-win 4 --games 20", "another strategy"),
    ("advise cant-stop --sides 3 --mine 5", "column:spaces"),
    ("advise cant-stop --sides 3 --mine 4:1,4:3", "twice"),
    ("advise cant-stop --sides 5 --shortest 3 --mine 99:1", "column 99"),
    ("advise cant-stop --sides 5 --shortest 3 --roll 1,1,2,7", "faces 1 to 5"),
    ("advise cant-stop --sides 2 --shortest 1 --mine 2:1,3:3,4:1", "won"),
])  # fmt: skip
def test_bad_commands_are_refused_in_one_line_before_the_work(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(words.split()) == 2
    out, err = capsys.readouterr()
    assert out == "" and said in err and err.splitlines()[-1].startswith("jeopardice: ")
    assert not list(tmp_path.iterdir())


def test_rules_that_share_a_name_with_the_position_are_rules_where_they_are_numbers(capsys):
    assert (
        main(
            [
                "advise",
                "cant-stop",
                "--sides",
                "2",
                "--shortest",
                "1",
                "--markers",
                "2",
                "--dice",
                "5",
                "--mine",
                "3:1",
                "--json",
            ]
        )
        == 0
    )
    found = json.loads(capsys.readouterr().out)
    game = CantStop(2, 1, markers=2, dice=5)
    assert found["game"] == repr(game)
    assert found["value"] == pytest.approx(solve(Race(game)).at({3: 1}), abs=1e-12)


def exact_turn(game, anchors, standing, markers=()):
    """What rolling on is worth in fractions, moment by moment from the rules; the turn itself is not counted."""
    worth = Fraction(0)
    for roll, weight in game.rolls().items():
        plays = [
            Fraction(0) if game.is_won(standing, after)
            else min(anchors[game.bank(standing, after)], exact_turn(game, anchors, standing, after))
            for after in game.plays(standing, markers, roll)
        ]  # fmt: skip
        worth += weight * min(plays, default=anchors[standing])
    return worth / game.sides**game.dice


def test_advice_lies_within_the_bound_it_names():
    """The anchors of (2,1) are fractions small enough to be found again from their floats, and then proven."""
    game = CantStop(2, 1)
    solution = solve(Race(game))
    boards = [standing for standing in game.standings() if not game.is_won(standing)]
    climbed = {board: dict(zip(game.columns, board, strict=True)) for board in boards}
    anchors = {board: Fraction(solution.at(climbed[board])).limit_denominator(10**7) for board in boards}
    assert all(1 + exact_turn(game, anchors, board) == anchors[board] for board in boards)
    asked = 0
    for board in boards:
        for markers in {after for roll in game.rolls() for after in game.plays(board, (), roll)}:
            advice = solution.advise(mine=climbed[board], markers=dict(markers))
            if game.is_won(board, markers):
                continue
            wanted = {
                "stop": 1 + anchors[game.bank(board, markers)],
                "roll": 1 + exact_turn(game, anchors, board, markers),
            }
            assert all(abs(option.value - wanted[option.play]) <= advice.error_bound for option in advice.options)
            asked += 1
    assert asked > 30 and advice.error_bound < 1e-12


def test_numbers_of_numpy_are_numbers():
    three = np.int64(3)
    assert CantStop(three, np.int32(1)) == CantStop(3, 1)
    for players in (1, 2):
        solution = solve(Race(CantStop(2, 1), players=players))
        assert solution.at({three: np.int8(1)}) == solution.at({3: 1})
    for space in (1.5, "1", None, True):
        with pytest.raises(PositionError, match="column 3 has spaces"):
            solution.at({3: space})


def test_json_has_no_numbers_that_json_does_not_have(capsys):
    print_json({"value": float("nan"), "bounds": [1.5, float("inf")]})
    assert json.loads(capsys.readouterr().out) == {"value": None, "bounds": [1.5, None]}
