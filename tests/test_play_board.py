"""`jeopardice play cant-stop` and `drill`: the board is seen, names are honest, keys never choose for the player."""

import json

import pytest

from jeopardice import CantStop, Pig, Race, solve
from jeopardice.columns.words import WORDS, board_lines
from jeopardice.games.hog import Hog
from jeopardice.tutor import Session, advance, best_name, bot_named, judge_of, judge_to_play, report
from jeopardice.tutor.bots import opponents
from jeopardice.tutor.report_words import report_lines
from jeopardice.tutor.words import turn_lines

GAMES = {
    "pig": lambda: judge_of(solve(Race(Pig(), target=40, players=2))),
    "hog": lambda: judge_of(solve(Race(Hog(dice_limit=3), target=20, players=2))),
    "small board": lambda: judge_of(solve(Race(CantStop(3, 1), players=2))),
    "official board": lambda: judge_to_play(Race(CantStop(), players=2)),
    "one column of it": lambda: judge_to_play(Race(CantStop(columns_to_win=1), players=2)),
}


@pytest.mark.parametrize("name", sorted(GAMES.keys() - {"official board"}))
def test_every_opponent_that_is_listed_plays_a_whole_game(name):
    judge = GAMES[name]()
    for opponent in set(opponents(judge)) - {"friend"}:
        bot = bot_named(opponent, judge)
        assert bot.name == opponent
        assert advance(Session.new(judge, seed=4), [bot, bot]).phase == "over"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--sides 3 --shortest 1 --opponent glenn-aloi", "weights are for six-sided dice, got sides=3; use rule-of-28"),
        ("--sides 3 --shortest 1 --opponent stop-at-20", "beginner, rule-of-28, roll-4-times, random, errs-0.05"),
        (
            "--sides 3 --shortest 1 --opponent roll-0-times",
            "a turn has at least one roll",
        ),
        ("--opponent nobody", "look-ahead, friend, club, casual, beginner, rule-of-28, glenn-aloi, roll-4-times"),
        (
            "--opponent optimal",
            "this game is not solved, so there is no best play for it, got 'optimal'; take look-ahead",
        ),
        ("--sides 2 --shortest 1 --opponent look-ahead", "an opponent is one of optimal, friend"),
    ],
)
def test_an_opponent_that_does_not_fit_is_refused_in_a_line_before_the_game(typed, arguments, message):
    code, out, err = typed(f"play cant-stop {arguments}", ["r"] * 9)
    assert code == 2 and out == ""
    assert message in err and err.count("\n") == 1


def test_roll_n_times_rolls_so_often_on_a_board():
    judge = GAMES["small board"]()
    game = advance(Session.new(judge, seed=3), [bot_named("roll-2-times", judge)] * 2)
    stops = [step for step in game.steps if step.option is not None and step.option.stops]
    assert stops[:-1] and all(step.spot.rolls == 2 for step in stops[:-1])


def test_a_board_that_is_not_solved_is_never_called_optimal(typed):
    code, out, _ = typed("play cant-stop --seed 5 --hints", ["r", "1", "r", "1", "q"])
    assert code == 0
    assert "you against look-ahead" in out and "chances and grades are estimates" in out
    assert "best by estimate" in out and "points of your estimated win chance" in out
    assert "optimal" not in out.lower() and max(map(len, out.splitlines())) <= 80
    assert best_name(GAMES["official board"]()) == "look-ahead" and best_name(GAMES["small board"]()) == "optimal"


def test_the_board_is_drawn_with_what_is_climbed_at_risk_done_and_closed():
    game = CantStop(sides=3, shortest=2)
    boards = ((2, 1, 0, 0, 0), (0, 0, 3, 0, 1))
    assert board_lines(game, ["you", "they"], boards, ((3, 3), (6, 2)), seat=0) == [
        " col  you      they",
        "   2  ## done  -- closed",
        "   3  #++.     ....",
        "   4  ......   ###...",
        "   5  ....     ....",
        "   6  ++ top   #.",
    ]
    open_to_both = CantStop(sides=3, shortest=2, closed_to_both=False)
    assert "   2  ## done  .." in board_lines(open_to_both, ["you", "they"], boards)


def test_a_board_too_long_to_be_drawn_is_written_in_numbers():
    lines = board_lines(CantStop(sides=2, shortest=40), ["you", "they"], ((3, 0, 0), (0, 0, 40)), ((2, 5),))
    assert lines[1] == "   2  3+2 of 40       0 of 40"
    assert lines[3] == "   4  0 of 40 closed  40 of 40 done"


def test_the_board_is_seen_at_each_turn_and_when_markers_move(typed):
    _, out, _ = typed("play cant-stop alone --sides 3 --shortest 2 --seed 5", ["r", "2", "q"])
    assert out.count(" col  you") == 2
    first, second = (drawn.splitlines() for drawn in out.split(" col  you\n")[1:])
    assert first[1] == "   3  ...." and second[1] == "   3  +..."
    assert "0 of 3 columns. Expected in all: " in out


def test_a_turn_tells_which_columns_it_moved_and_where_it_stopped():
    judge = GAMES["official board"]()
    game = Session.new(judge, seed=1).choose("roll").roll([1, 1, 1, 3]).choose("move 2 4, roll").roll([3, 5, 6, 6])
    game = game.choose("move 11 and stop")
    assert turn_lines(judge, game.steps, ["look-ahead", "you"]) == [
        "Look-ahead rolls 1 1 1 3, moves 2 4, rolls 3 5 6 6, moves 11 and stops with 3",
        "    spaces: column 2 on 1 of 3, 4 on 1 of 7, 11 on 1 of 5.",
    ]


def test_r_and_s_never_choose_between_plays_of_a_board(typed):
    arguments = "play cant-stop alone --sides 3 --shortest 2 --seed 5"
    _, out, _ = typed(f"{arguments} --json", ["r", "r", "s", "4", "q"])
    plays = [event["play"] for event in json.loads(out)["events"] if "play" in event]
    assert plays == ["roll", "move 4 5, roll"]
    _, out, _ = typed(arguments, ["r", "r", "jump", "q"])
    assert "Type a number, as r could mean 2 plays; h for a hint" in out
    assert "Type a number from 1 to 4; h for a hint" in out
    assert "points" not in out.partition("Your decisions")[0] and "banks 2 spaces" in out


def test_r_asks_for_a_number_where_points_do_not_decide(typed):
    _, out, _ = typed("play hog --dice-limit 3 --target 20 --seed 5", ["r", "q"])
    assert "Type a number, as r could mean 3 plays" in out


def test_the_report_shows_whole_plays_and_says_how_positions_are_written():
    judge = GAMES["official board"]()
    bots = [bot_named("beginner", judge, seed=1), bot_named("roll-3-times", judge)]
    game = advance(Session.new(judge, seed=6), bots)
    lines = report_lines(game, report(game), ["you", "roll-3-times"], full=True)
    text = " ".join(" ".join(lines).split())
    made = [decision for decision in report(game).decisions if decision.seat == 0]
    assert len(made) > 10 and all(f"{_short(game, decision)} " in text for decision in made)
    assert any(len(game.words.short_spot(game.match, game.steps[decision.step].spot)) > 30 for decision in made)
    assert WORDS.notation in lines and max(map(len, lines)) <= 80
    assert "best by estimate" in text


def _short(game, decision):
    return game.words.short_play(game.judge.goal.game, decision.chosen.match_play)


def test_one_of_a_thing_is_not_called_many(typed):
    _, out, _ = typed("play cant-stop alone --sides 2 --shortest 1 --columns-to-win 1 --seed 1", ["r", "1"])
    assert "Can't Stop: alone, for the fewest turns" in out and "Cant Stop" not in out
    assert "Done with 1 turn: 1 of 1 column." in out


def test_a_drill_without_positions_or_answers_says_so(typed):
    code, out, err = typed("drill cant-stop --sides 2 --shortest 1", [])
    assert code == 2 and out == "" and err.count("\n") == 1
    assert "no close decisions or errors of habit" in err and "ask for a larger board (--sides, --shortest)" in err
    code, out, _ = typed("drill cant-stop alone --sides 3 --shortest 2 --count 2", [])
    assert code == 0 and "Nothing was answered. Type r, s or a number" in out and "0 of 0" not in out
    assert " col  you" in out and max(map(len, out.splitlines())) <= 80


def test_a_kept_solution_is_played_without_solving_again(typed, tmp_path, monkeypatch):
    kept = solve(Race(CantStop(2, 2))).save(tmp_path / "kept")
    monkeypatch.setattr("jeopardice.cache.solve", lambda *_, **__: pytest.fail("solved again"))
    rules = "cant-stop alone --sides 2 --shortest 2"
    code, out, _ = typed(f"play {rules} --solution {kept} --seed 3", ["r", "q"])
    assert code == 0 and "Expected in all: " in out
    assert typed(f"drill {rules} --solution {kept} --count 1", ["1"])[0] == 0
    for wrong, message in (
        (f"play cant-stop --sides 2 --shortest 2 --solution {kept}", "was solved for Race("),
        (f"play {rules} --solution {tmp_path}", "holds no solution"),
    ):
        code, out, err = typed(wrong, ["r"])
        assert code == 2 and out == "" and message in err and err.count("\n") == 1
