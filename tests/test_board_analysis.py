"""Laws of boards and what the commands say about Can't Stop."""

import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from itertools import combinations, product

import pytest

from jeopardice import CantStop, Race, TooLargeError, solve
from jeopardice.cli import main
from jeopardice.columns.column_sets import bust_chances
from jeopardice.columns.law import board_law
from jeopardice.columns.strategy import BestBoardPlay, rule_of


def test_bust_chances_of_all_triples_by_brute_force():
    missed = dict.fromkeys(combinations(range(2, 13), 3), 0)
    for roll in product(range(1, 7), repeat=4):
        sums = {a + b for a, b in combinations(roll, 2)}
        for columns in missed:
            missed[columns] += not sums.intersection(columns)
    found = bust_chances(CantStop())
    assert len(found) == 165
    assert found == {columns: Fraction(count, 1296) for columns, count in missed.items()}
    assert found[6, 7, 8] == 1 - Fraction(1192, 1296) and found[2, 3, 12] == 1 - Fraction(568, 1296)
    assert list(found.values()) == sorted(found.values())


def test_the_law_adds_up():
    game = CantStop(3, 1)
    law = board_law(game, BestBoardPlay(solve(Race(game))))
    assert sum(law.turns.values()) == pytest.approx(1, abs=1e-12)
    assert sum(n * chance for n, chance in law.turns.items()) == pytest.approx(law.mean_turns, abs=1e-10)
    assert sum(law.won.values()) == pytest.approx(game.columns_to_win, abs=1e-12)
    assert law.variance_turns > 0 and law.mean_busts < law.mean_turns < law.mean_rolls
    for column in game.columns:
        assert law.chosen[column] >= law.won[column] * -(-game.length(column) // 2) - 1e-12


def test_one_turn_that_wins_or_busts_gives_a_geometric_law():
    """On (2,1) best play never stops, so every turn wins with the same chance."""
    law = board_law(CantStop(2, 1), BestBoardPlay(solve(Race(CantStop(2, 1)))))
    p = 1 / law.mean_turns
    for n in (1, 2, 5):
        assert law.turns[n] == pytest.approx(p * (1 - p) ** (n - 1), abs=1e-12)


def test_large_boards_are_refused():
    with pytest.raises(TooLargeError, match="simulate"):
        board_law(CantStop(), rule_of(CantStop()))


@pytest.fixture
def told(capsys):
    """Run a command; return its exit code, stdout and stderr."""

    def run(arguments):
        code = main(arguments.split())
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_solve_and_advise_for_two(told):
    code, out, _ = told("solve cant-stop duel --sides 2 --shortest 1 --json")
    answer = json.loads(out)
    assert code == 0 and answer["value"] == pytest.approx(0.8133035493, abs=1e-9) and answer["error_bound"] < 1e-10
    code, out, _ = told("solve cant-stop duel --sides 2 --shortest 2 --closed-to-both no")
    assert code == 0 and "chance that the first player wins: 0.79506119" in out
    code, out, _ = told(
        "advise cant-stop duel --sides 2 --shortest 2 --theirs 3:2 --roll 1,1,2,2 --closed-to-both no --json"
    )
    assert code == 0 and json.loads(out)["best"] == "move 2 4, roll"
    code, _, err = told("advise cant-stop alone --sides 2 --shortest 2 --theirs 3:2")
    assert code == 2 and "--theirs is not part" in err
    code, _, err = told("solve cant-stop duel")
    assert code == 2 and "hours" in err and len(err.splitlines()) == 1


def test_analyse(told):
    code, out, _ = told("analyse cant-stop --sides 2 --shortest 2 --json")
    answer = json.loads(out)
    assert code == 0 and answer["how"] == "exact" and answer["strategy"] == "optimal"
    assert answer["value"] == pytest.approx(solve(Race(CantStop(2, 2))).value, abs=1e-12)
    code, out, _ = told("analyse cant-stop --strategy rule-of-28 --games 3000 --json")
    answer = json.loads(out)
    assert code == 0 and answer["how"] == "simulated, 3,000 games, seed 0" and len(answer["bust_chances"]) == 165
    code, out, _ = told("analyse cant-stop --sides 2 --shortest 1 --rolls 3")
    assert code == 0 and "under roll-3-times: exact" in out and "1.77329415" in out
    for wrong, words in (
        ("analyse cant-stop duel", "simulate cant-stop duel"),
        ("analyse cant-stop --stop-at 3", "rule-of-28"),
        ("analyse pig turn --games 5", "for cant-stop"),
    ):
        code, _, err = told(wrong)
        assert code == 2 and words in err


def test_simulate_and_compare(told):
    code, out, _ = told("simulate cant-stop duel rule-of-28 glenn-aloi --games 2000 --seed 4 --json")
    answer = json.loads(out)
    assert code == 0 and answer["games"] == 2000 and 0.3 < answer["value"] < 0.55
    code, out, _ = told("simulate cant-stop --sides 2 --shortest 1 --games 200")
    assert code == 0 and "cant-stop alone: optimal" in out
    code, out, _ = told("compare cant-stop duel rule-of-28 roll-4-times --games 2000 --json")
    answer = json.loads(out)
    assert code == 0 and answer["how"] == "simulated" and answer["first"][0][1] > 0.55 > 0.52 > answer["first"][1][0]
    code, _, err = told("simulate cant-stop duel rule-of-28")
    assert code == 2 and "one strategy per player" in err


def test_float32_is_for_boards_alone(told):
    code, out, _ = told("solve cant-stop --sides 3 --shortest 2 --dtype float32 --json")
    answer = json.loads(out)
    assert code == 0 and abs(answer["value"] - 1.7224007847) < answer["error_bound"] < 1e-5
    for wrong in ("solve pig turn --dtype float32", "solve cant-stop duel --sides 2 --dtype float32"):
        assert told(wrong)[0] == 2


def test_a_long_solve_says_what_it_takes_and_how_it_goes_on(tmp_path):
    words = ["solve", "cant-stop", "--sides", "6", "--shortest", "1", "--checkpoint", str(tmp_path / "half")]
    code = (
        "import sys; from jeopardice.cli import main; from jeopardice.columns import rows; rows.SAVE_SECONDS = 0.0\n"
        f"sys.exit(main({words!r}))"
    )
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True) as run:
        assert run.stderr is not None
        first = run.stderr.readline()
        while not (tmp_path / "half" / "manifest.json").exists():
            assert run.poll() is None
            time.sleep(0.01)
        os.kill(run.pid, signal.SIGINT)
        rest = run.stderr.read()
    assert run.returncode == 130
    assert "boards, about" in first and "of memory" in first
    assert "the same command goes on from there" in rest and (tmp_path / "half" / "manifest.json").exists()
