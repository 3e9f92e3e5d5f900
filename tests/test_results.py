"""The published numbers and positions of results/: computed again, each within the two bounds."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from jeopardice import CantStop, Pig, Race, Rate, Turn, Yahtzee, solve
from jeopardice.cli import main
from jeopardice.family import How, family_of
from jeopardice.store import goal_from_json

RESULTS = Path(__file__).parent.parent / "results"
FILES = sorted(path for path in RESULTS.glob("*.json") if path.name != "positions.json")
NUMBERS = [entry for path in FILES for entry in json.loads(path.read_text("utf-8"))["numbers"]]
DOCUMENTED = (RESULTS.parent / "docs" / "cant-stop.md").read_text("utf-8")
GOLDEN = json.loads((RESULTS / "positions.json").read_text("utf-8"))["goals"]


def of_effort(effort):
    entries = [entry for entry in NUMBERS if entry["effort"] == effort]
    return pytest.mark.parametrize("entry", entries, ids=[entry["words"] for entry in entries])


def check(entry, capsys):
    program, *words = entry["command"].split()
    assert program == "jeopardice"
    assert main([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    value, known = (
        Fraction(number) if isinstance(number, str) else number for number in (answer["value"], entry["value"])
    )
    assert abs(value - known) <= answer["error_bound"] + entry["error_bound"]


def test_there_are_numbers_of_every_game():
    assert {path.stem for path in FILES} == {"pig", "ten-thousand", "farkle", "hog", "cant-stop", "yahtzee"}
    assert {entry["effort"] for entry in NUMBERS} == {"quick", "slow", "long"}
    assert all({"words", "command", "goal", "value", "error_bound"} <= entry.keys() for entry in NUMBERS)
    assert all(0 <= entry["error_bound"] < 1e-10 * max(1, float(Fraction(entry["value"]))) for entry in NUMBERS)
    assert len({entry["command"] for entry in NUMBERS}) == len(NUMBERS)


@of_effort("long")
def test_a_recorded_number_is_the_one_in_the_documentation(entry):
    """Long runs: their digits stand in a row of a table, and their bound covers the rounding to these digits."""
    size, digits = entry["words"].split()[2].strip(","), f"{entry['value']:.10f}"
    assert any(line.startswith(f"| {size} ") and f" {digits} " in line for line in DOCUMENTED.splitlines())
    assert 5e-11 <= entry["error_bound"] < 1e-10


def test_a_recorded_bracket_is_the_one_in_the_documentation():
    (bracket,) = json.loads((RESULTS / "cant-stop.json").read_text("utf-8"))["brackets"]
    pages = [
        (RESULTS.parent / page).read_text("utf-8") for page in ("README.md", "docs/cant-stop.md", "docs/brackets.md")
    ]
    assert all(f"{bracket[end]:.4f}" in page for end in ("lower", "upper") for page in pages)
    assert bracket["call"] in pages[-1]


@pytest.mark.parametrize(
    "goal",
    [
        Turn(Pig()),
        Race(Pig(), 8, within=2),
        Race(Pig(), 8, players=2, opponent=Pig(sides=4), open_from=4, busts=2, penalty=2),
        Race(Pig(), 6, players=3, open_from=4, busts=2, penalty=2),
        Rate(Pig(), busts=2, penalty=2),
        Race(CantStop(2, 1), players=2),
        Race(Yahtzee(boxes=("chance",))),
    ],
    ids=lambda goal: f"{goal.players} {type(goal.game).__name__}",
)
def test_every_column_of_an_export_is_documented(goal):
    """By its name; numbered ones by the first or second of them."""
    page = (RESULTS.parent / "docs" / "data.md").read_text("utf-8")
    for name in next(iter(solve(goal).rows())):
        assert any(f"`{re.sub('[0-9]+$', number, name)}`" in page for number in "12"), name


@of_effort("quick")
def test_a_number_is_found_again(entry, capsys):
    check(entry, capsys)


@pytest.mark.slow
@of_effort("slow")
def test_a_number_that_takes_minutes_is_found_again(entry, capsys):
    check(entry, capsys)


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_position_has_the_values_it_had(name):
    """Read from its plain JSON, as another program would meet it."""
    known = GOLDEN[name]
    goal = goal_from_json(known["goal_json"], "positions.json")
    judge = family_of(goal.game).judge_to_play(goal, How())
    assert judge.measure.name == known["counts"] and len(known["positions"]) == 10
    for entry in known["positions"]:
        spot = judge.match.from_json(entry["position"])
        values = {option.play: float(option.value) for option in judge.options_at(spot)}
        assert values == pytest.approx(entry["values"], abs=1e-9)
