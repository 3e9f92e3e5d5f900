"""The command line as people and scripts use it."""

import json

import pytest
from click.shell_completion import ShellComplete

from jeopardice.cli import COMMANDS, jeopardice, main


def run(capsys, *words):
    code = main([*words])
    out, err = capsys.readouterr()
    return code, out, err


def test_every_command_has_help_that_shows_how(capsys):
    for command in COMMANDS:
        code, out, _ = run(capsys, command, "--help")
        assert code == 0 and "Usage" in out
    code, out, _ = run(capsys, "--help")
    assert all(command in out for command in COMMANDS)


def test_solve_prints_one_json_object_and_nothing_else(capsys):
    code, out, err = run(capsys, "solve", "ten-thousand", "turn", "--json")
    answer = json.loads(out)
    assert code == 0 and err == ""
    assert {"value", "error_bound", "seconds", "goal"} <= set(answer)
    assert abs(answer["value"] - 293.600945923282) < 1e-9


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (["pig", "turn", "--sides", "6"], 8.141794893727),
        (["pig"], 8.141794893727),
        (["pig", "alone", "--target", "100"], 12.545232351955),
        (["pig", "duel", "--target", "100"], 0.530592725274),
        (["pig", "duel", "--target", "20", "--opponent", "pig --sides 8"], 0.5206382729942),
        (["pig", "alone", "--target", "100", "--within", "10"], 0.465442736129),
    ],
)
def test_solve_answers_in_the_words_of_the_contract(words, value, capsys):
    code, out, _ = run(capsys, "solve", *words, "--json")
    assert code == 0
    assert abs(json.loads(out)["value"] - value) < 1e-11


def test_exact_values_come_as_fractions(capsys):
    _, out, _ = run(capsys, "solve", "pig", "turn", "--exact", "--json")
    assert json.loads(out)["value"] == "492303203/60466176"


def test_the_strategy_table_reads_like_one(capsys):
    code, out, _ = run(capsys, "solve", "ten-thousand", "turn", "--table")
    assert code == 0
    for words in ("when to roll", "when to give dice back", "up to 2750", "5.8720", "293.6009"):
        assert words in out or words == "5.8720"


def test_a_game_that_opens_with_a_choice_shows_the_choice(capsys):
    _, out, _ = run(capsys, "solve", "hog", "turn")
    assert "best: roll 5 dice or roll 6 dice" in out and "never roll on" not in out
    _, out, _ = run(capsys, "solve", "hog", "alone", "--dice-limit", "10")
    assert "best choice" in out and "roll 2 dice" in out


def test_advise_lists_every_play_with_its_worth(capsys):
    code, out, _ = run(capsys, "advise", "ten-thousand", "turn", "--at-risk", "350", "--roll", "1,1,5,2,3", "--json")
    answer = json.loads(out)
    assert code == 0 and answer["best"] == "set aside 1 1 5 and stop" and len(answer["options"]) == 10
    code, out, _ = run(capsys, "advise", "pig", "duel", "--mine", "41", "--theirs", "49", "--at-risk", "27")
    assert code == 0 and "best: roll" in out


def test_analyse_gives_the_law_of_a_turn(capsys):
    code, out, _ = run(capsys, "analyse", "pig", "turn", "--stop-at", "20", "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["mean score"] == "492303203/60466176" and answer["strategy"] == "stop-at-20"


@pytest.mark.parametrize("suffix", ["csv", "json", "npy", "npz", "parquet"])
def test_export_writes_a_whole_file(suffix, tmp_path, capsys):
    file = tmp_path / f"pig.{suffix}"
    code, _, _ = run(capsys, "export", "pig", "duel", "--target", "10", "--out", str(file))
    assert code == 0 and file.stat().st_size > 100
    assert [p.name for p in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["solve"], "a game is needed"),
        (["solve", "pug"], "there is no game 'pug'"),
        (["solve", "pig", "tunr"], "got 'tunr'"),
        (["solve", "pig", "turn", "alone"], "one word too many"),
        (["solve", "pig", "--sides"], "--sides needs a value"),
        (["solve", "pig", "--sides", "many"], "'many'"),
        (["solve", "pig", "--markers", "4"], "no rule or option --markers"),
        (["solve", "pig", "turn", "--target", "100"], "--target belongs to a race"),
        (["solve", "pig", "duel", "--target", "-5"], "target=-5"),
        (["solve", "pig", "duel", "--target", "x"], "x"),
        (["solve", "ten-thousand", "--resign", "7"], "'7'"),
        (["solve", "pig", "--bust", "none"], "without a bust"),
        (["advise", "pig", "turn", "--at-risk", "-1"], "--at-risk is at least 0, got '-1'"),
        (["advise", "pig", "turn", "--roll", "7"], "cannot fall here"),
        (["advise", "pig", "turn", "--theirs", "7"], "not part of a position"),
        (["advise", "pig", "duel", "--mine", "100"], "race is over"),
        (["analyse", "pig", "turn", "--stop-at", "0"], "at least 1"),
        (["export", "pig", "--out", "x.xls"], ".csv"),
        (["nonsense"], "there is no command"),
        (["solve", "pig", "duel", "--exact", "--target", "1000"], "leave out exact"),
    ],
)
def test_a_mistake_is_one_clear_line_and_exit_code_2(words, said, capsys):
    code, out, err = run(capsys, *words)
    assert code == 2
    assert out == ""
    assert said in err and err.count("\n") == 1 and "Traceback" not in err


def test_a_fault_of_the_program_is_a_traceback_and_exit_code_70(capsys, monkeypatch):
    """A built-in error counts as the user's mistake only where a check of ours raises it."""
    import numpy as np

    import jeopardice.cache

    def broken(*_, **__):
        return np.zeros(2) + np.zeros(3)

    monkeypatch.setattr(jeopardice.cache, "solve", broken)
    code, _, err = run(capsys, "solve", "pig")
    assert code == 70 and "Traceback" in err and "could not be broadcast" in err and "report" in err


def test_a_missing_file_and_a_refused_rule_are_mistakes(capsys, tmp_path):
    assert run(capsys, "solve", "--game", str(tmp_path / "none.toml"))[0] == 2
    assert run(capsys, "solve", "pig", "--sides", "1")[0] == 2
    assert run(capsys, "export", "pig", "turn", "--out", "/proc/none/pig.csv")[0] == 2


@pytest.mark.parametrize(
    ("words", "goal"),
    [
        (["pig", "race", "--players", "3", "--target", "20"], {"players": 3, "target": 20}),
        (["pig", "--players", "4"], {"players": 4}),
        (["pig", "duel", "--open-from", "20", "--last-round", "--ties", "share"], {"open_from": 20, "ties": "share"}),
        (["pig", "alone", "--busts", "3", "--penalty", "all"], {"busts": 3, "penalty": "all"}),
        (["pig", "duel", "--busts", "2", "--penalty", "10", "--floor", "none"], {"penalty": 10, "floor": None}),
        (["ten-thousand", "duel", "--piggyback"], {"piggyback": True}),
        (["pig", "race", "--players", "3", "--opponents", "pig --sides 8;hog"], {"players": 3}),
        (["--named", "zilch", "duel", "--penalty", "1000"], {"bank_from": 300, "penalty": 1000, "busts": 3}),
        (["farkle", "race", "--named", "basic", "--players", "5", "--dice", "5"], {"players": 5}),
    ],
)
def test_every_option_of_a_race_is_an_option_of_the_command(words, goal):
    from jeopardice.cli.goals import OPTION_HELP, parse_goal

    options = dict.fromkeys(OPTION_HELP)
    named, rest = None, []
    pending = list(words)
    while pending:
        word = pending.pop(0)
        field = word.removeprefix("--").replace("-", "_")
        if word == "--named":
            named = pending.pop(0)
        elif word.startswith("--") and field in options:
            options[field] = True if field in ("last_round", "piggyback") else pending.pop(0)
        else:
            rest.append(word)
    asked = parse_goal(tuple(rest), None, named, options)
    assert {name: getattr(asked.goal, name) for name in goal} == goal


def test_options_of_commands_are_the_fields_of_goals():
    from jeopardice.cli.goals import OPTION_HELP
    from jeopardice.rules.text import goal_options

    assert set(OPTION_HELP) == set(goal_options())


@pytest.mark.parametrize(("typed", "offered"), [
    ("solve pi", {"pig"}), ("solve pig d", {"duel"}), ("advise farkle duel --hot", {"--hot-dice"}),
    ("solve pig --si", {"--sides"}), ("solve cant-stop --sh", {"--shortest"}), ("sol", {"solve"}),
    ("solve farkle --named z", {"zilch", "zehntausend"}), ("games p", {"pig", "playmonster", "piglet"}),
])  # fmt: skip
def test_shells_complete_games_goals_and_rules(typed, offered):
    *words, incomplete = typed.split()
    completed = ShellComplete(jeopardice, {}, "jeopardice", "_JEOPARDICE_COMPLETE").get_completions(words, incomplete)
    assert {item.value for item in completed} == offered
