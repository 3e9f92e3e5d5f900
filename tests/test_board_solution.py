"""Can't Stop asked through the same goals as every other game."""

import json
from dataclasses import replace

import pytest

from jeopardice import CantStop, PositionError, Race, TooLargeError, Turn, load, solve
from jeopardice.analysis.values import value_rows
from jeopardice.cli import main


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
    for option in advice.options:
        after = solution.advise(mine={4: 1}, markers=dict(option.mode))
        assert after.value == pytest.approx(option.value, abs=1e-12)
        assert option.play.endswith(after.best.play)


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
    monkeypatch.setattr("jeopardice.board_solution.certify_cant_stop", None)  # would fail if it were asked
    assert again.error_bound == solution.error_bound
    assert len(again.advise(markers={4: 1}).ties) == 1


def test_commands_answer_from_a_kept_solution(tmp_path, capsys, monkeypatch):
    board = ["cant-stop", "--sides", "3", "--shortest", "1"]
    assert main(["solve", *board, "--save", str(tmp_path / "board"), "--json"]) == 0
    monkeypatch.setattr("jeopardice.solver.solve_board", None)
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
