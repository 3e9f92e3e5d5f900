"""The public names and signatures that other people's scripts rely on: adding or losing one is a decision, made here."""

import ast
from dataclasses import fields
from inspect import Parameter, signature
from pathlib import Path

import pytest

import jeopardice
from jeopardice import Farkle, Option, Race, Rate, Simultaneous, Turn, house_goal, load, solve

NAMES = {
    "Advice", "BestPlay", "CantStop", "Dice", "Farkle", "GameGraph", "Hog", "Moment", "Option", "Pig", "Play", "PointsGame",
    "PositionError", "Race", "Rate", "Rule", "RulesError", "Simultaneous", "Solution", "StaleSolution",
    "StochasticGame", "StopAt", "TenThousand", "TooLargeError", "Turn", "Yahtzee", "best_dice",
    "best_response", "best_thumbs", "exploitability", "head_to_head", "house_goal", "load", "loss_per_decision", "read_rules",
    "roll_dice", "roll_loaded", "seat_chances", "simulate", "solve", "solve_game_graph", "solve_matrix_game",
    "solve_stochastic_game", "turn_law",
}  # fmt: skip
ALSO = {"solve_simultaneous", "solve_yahtzee"}


def test_the_public_names_are_exactly_these():
    assert set(jeopardice.__all__) == NAMES
    assert set(dir(jeopardice)) == NAMES | {"__version__"}


@pytest.mark.parametrize("name", sorted(NAMES | ALSO))
def test_a_name_comes_from_where_type_checkers_are_told(name):
    """Names are loaded when first used; what mypy reads of them and what Python loads must be the same thing."""
    tree = ast.parse(Path(jeopardice.__file__).read_text())
    homes = {a.asname: node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for a in node.names}
    value = getattr(jeopardice, name)
    assert homes[name] == value.__module__ or homes[name] in ("jeopardice.solution",)
    assert value.__doc__


def test_the_reference_page_shows_every_name():
    page = (Path(__file__).parent.parent / "docs" / "reference.md").read_text("utf-8")
    shown = {line.rpartition(".")[2] for line in page.splitlines() if line.startswith(":::")}
    errors = {name for name in NAMES if getattr(jeopardice, name).__module__ == "jeopardice.errors"}
    assert "::: jeopardice.errors\n" in page and shown - {"errors"} == NAMES - errors


def test_what_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Chess'"):
        _ = jeopardice.Chess


def test_goals_keep_their_options_in_order():
    """Positional arguments of the contract; new options come after them."""
    race = ["game", "target", "players", "finish", "payoff", "cost", "within", "opponent", "bank_from", "open_from",
            "busts", "penalty", "floor", "last_round", "ties"]  # fmt: skip
    assert [field.name for field in fields(Race)][: len(race)] == race
    assert [field.name for field in fields(Turn)][:2] == ["game", "bank_from"]
    assert {field.name for field in fields(Rate)} >= {"game", "bank_from", "busts", "penalty"}
    assert {field.name for field in fields(Option)} >= {"play", "value", "stops", "points", "mode", "kept"}


def test_functions_keep_their_keywords():
    keywords = {name for name, p in signature(solve).parameters.items() if p.kind is Parameter.KEYWORD_ONLY}
    assert keywords >= {"exact", "threads", "progress", "checkpoint"}
    assert next(iter(signature(load).parameters)) == "path"
    assert signature(house_goal).parameters["players"].default == 2
    assert house_goal("zilch", players=2).game == Farkle.named("zilch")


def test_every_solution_answers_the_contract():
    for goal in (Simultaneous(jeopardice.Hog(dice_limit=3), 9), Race(jeopardice.CantStop(2, 1)),
                 Race(jeopardice.Yahtzee(boxes=("chance",))), Turn(jeopardice.Pig()), Race(jeopardice.Pig(), 9),
                 Race(jeopardice.Pig(), 9, players=2)):  # fmt: skip
        solution = solve(goal)
        assert solution.goal == goal and solution.value == solution.values[0] and solution.error_bound >= 0
        assert solution.certify() is solution and solution.certificate.bound == solution.error_bound
        assert solution.advise().best == solution.advise().options[0]
        assert solution.blocks() and len(list(solution.rows())) > 0 and solution.match.players == len(solution.values)
