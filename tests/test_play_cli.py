"""`jeopardice play`: whole games from a script, every key, and polite endings."""

import io
import json

import pytest

from jeopardice.cli import main


@pytest.mark.parametrize(
    "arguments",
    [
        "play pig duel --target 30 --opponent stop-at-20",
        "play pig --target 30 --opponent optimal --second",
        "play pig alone --target 30",
        "play pig alone --target 30 --within 6",
        "play pig --target 30 --payoff margin --opponent casual",
        "play ten-thousand duel --target 1000 --opponent errs-0.1",
        "play ten-thousand alone --target 1000",
        "play pig --target 20 --opponent friend",
        "play pig --sides 8 --target 20",
    ],
)
def test_a_whole_game_is_played_by_script_and_the_report_adds_up(typed, arguments):
    code, out, err = typed(f"{arguments} --seed 7 --json", ["r", "r", "s"] * 400)
    assert code == 0
    game = json.loads(out)
    report = game["report"]
    assert report["is_over"] and "> r" in err
    assert report["final"] - report["initial"] == pytest.approx(sum(report["luck"]) + sum(report["skill"]), abs=1e-9)
    assert game["seed"] == 7 and game["events"][0] == {"seat": 0, "play": "roll"}
    assert len(game["players"]) == len(report["luck"])
    again = json.loads(typed(f"{arguments} --seed 7 --json", ["r", "r", "s"] * 400)[1])
    assert again == game


def test_the_game_reads_well_at_eighty_columns(typed):
    code, out, _ = typed("play ten-thousand --target 2000 --seed 5 --hints --full", ["r", "r", "s", "n"] * 200)
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    assert "\x1b" not in out
    assert "Luck and skill in points of your win chance:" in out and "--seed 5" in out


def test_keys(typed):
    keys = ["x", "", "?", "h", "jump", "9", "1", "u", "2", "q"]
    code, out, _ = typed("play pig --seed 5 --opponent stop-at-20", ["s", "r", *keys])
    assert code == 0
    assert "Type r; h for a hint, ? for help. That was 's'." in out
    assert "Type r or s or a number from 1 to 2; h for a hint, ? for help. That was 'jump'." in out
    assert "best" in out and "loses" in out
    assert "Undone; the dice stay the same." in out
    assert "Game left unfinished." in out


def test_enter_rolls_where_nothing_else_can_be_done_and_full_words_are_plays(typed):
    _, out, _ = typed("play ten-thousand --seed 5 --json --target 2000", ["", "set aside 5, roll 4 dice", "q"])
    plays = [event["play"] for event in json.loads(out)["events"] if "play" in event]
    assert plays == ["roll", "set aside 5, roll 4 dice"]


def test_undo_before_any_choice_says_so(typed):
    assert "There is nothing to undo." in typed("play pig --seed 5", ["u"])[1]


def test_the_tutor_warns_and_lets_one_choose_again(typed):
    lines = ["r", "s", "n", "s", "y", "q"]
    _, out, _ = typed("play pig --seed 5 --tutor", lines)
    assert out.count("points of win chance. Sure? y/n >") == 2
    assert "Then choose again; h shows what is best." in out
    assert "stop" in out.partition("decisions:")[2]
    _, calm, _ = typed("play pig --seed 5 --tutor", ["r", "r", "q"])
    assert "Sure?" not in calm


def test_mistakes_can_be_tried_again_before_the_report(typed):
    _, out, _ = typed("play pig alone --target 20 --seed 5", ["r", "s"] * 30)
    assert "Try again before the answers are shown? y/n >" in out
    played = out[: out.index("Try again")].count(" > ")
    lines = (["r", "s"] * 30)[:played]
    _, out, _ = typed("play pig alone --target 20 --seed 5", [*lines, "y", "r", "huh", "s"])
    after = out.partition("answers are shown?")[2]
    assert "Best: roll" in after and "Type r or s" in after
    assert after.index("Best: roll") < after.index("Your decisions")


def test_end_of_input_and_interrupt_end_politely(typed, monkeypatch):
    code, out, err = typed("play pig --seed 1", [])
    assert code == 0 and "Game left unfinished." in out and err == ""

    class Interrupted(io.StringIO):
        def readline(self, *_):
            raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", Interrupted())
    assert main(["play", "pig", "--seed", "1"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("play pig rate", "after the game comes duel, alone, race, turn or simultaneous, got 'rate'"),
        ("play pig turn --opponent optimal", "--opponent needs a second player"),
        ("play pig --opponent nobody", "an opponent is one of optimal, friend"),
        ("play pig alone --opponent optimal", "--opponent needs a second player"),
        ("play", "a game is needed"),
        ("play chess", "there is no game 'chess'"),
    ],
)
def test_mistakes_of_the_user_are_one_line(typed, arguments, message):
    code, out, err = typed(arguments, [])
    assert code == 2 and out == ""
    assert message in err and err.count("\n") == 1


def test_a_drill_asks_grades_and_counts(typed):
    code, out, _ = typed("drill pig --count 4 --seed 2", ["huh", "r", "s", "r", "s"])
    assert code == 0
    assert "1 of 4. " in out and "4 of 4. " in out and "of 4 best" in out
    assert "or q to quit. That was 'huh'." in out
    assert max(map(len, out.splitlines())) <= 80
    code, out, err = typed("drill ten-thousand alone --target 3000 --count 3 --kind close --json", ["1", "2", "q"])
    told = json.loads(out)
    assert code == 0 and told["asked"] == 3 and len(told["grades"]) == 2 and "3 of 3" in err
    assert {graded["kind"] for graded in told["grades"]} == {"close"}
    assert all(0 <= graded["score"] <= 1 for graded in told["grades"])
    assert typed("drill pig --kind hard", [])[0] == 2
