"""Every family through every command: a game is solved, advised, saved, exported, played, drilled, compared, drawn."""

import json
from dataclasses import dataclass

import pytest

from jeopardice import CantStop, Hog, Pig, Race, Simultaneous, Yahtzee, load, solve
from jeopardice.family import FAMILIES, How, family_of
from jeopardice.tutor import Session, advance, bot_named, judge_of, judge_to_play, report


@dataclass(frozen=True)
class Row:
    """A small game of a family: as Python says it, as one types it, a position, and strategies that fit."""

    goal: object
    words: str
    position: str
    strategies: str
    seats: int = 1


ROWS = {
    "points alone": Row(Race(Pig(), 20), "pig alone --target 20", "--mine 5 --at-risk 8", "stop-at-10"),
    "points duel": Row(
        Race(Pig(), 20, players=2), "pig duel --target 20", "--mine 5 --theirs 9 --at-risk 8", "optimal stop-at-10", 2
    ),
    "simultaneous": Row(
        Simultaneous(Hog(dice_limit=4), 12), "hog simultaneous --dice-limit 4 --target 12", "--mine 3 --theirs 5", "", 2
    ),
    "columns alone": Row(
        Race(CantStop(2, 2)), "cant-stop alone --sides 2 --shortest 2", "--mine 2:1 --roll 1,1,2,2", "rule-of-28"
    ),
    "columns duel": Row(
        Race(CantStop(2, 1), players=2),
        "cant-stop duel --sides 2 --shortest 1",
        "--theirs 3:1",
        "optimal rule-of-28",
        2,
    ),
    "card": Row(
        Race(Yahtzee(boxes=("ones", "yahtzee", "chance"))),
        "yahtzee alone --boxes ones,yahtzee,chance",
        "--card ones:3 --roll 1,1,5,5,6 --rolls-left 1",
        "greedy",
    ),
}
rows = pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
REFUSED = {
    ("simultaneous", "compare"): "after the game comes duel",
    ("simultaneous", "simulate"): "after the game comes turn, alone, duel or race",
    ("simultaneous", "analyse"): "",
    ("points alone", "compare"): "strategies meet in a duel",
    ("columns alone", "compare"): "strategies meet in a duel",
    ("points duel", "analyse"): "",
    ("columns duel", "analyse"): "",
}


def test_every_family_has_a_row():
    assert {family_of(row.goal.game).shape for row in ROWS.values()} == set(FAMILIES)


@rows
def test_a_solution_answers_every_question(row, tmp_path):
    solution = solve(row.goal)
    assert solution.goal == row.goal and solution.error_bound >= 0
    assert load(solution.save(tmp_path / "saved")).value == solution.value
    family = family_of(row.goal.game)
    family.check(row.goal)
    work = family.work(row.goal)
    assert work.anchors > 0 and work.seconds >= 0 and work.bytes > 0
    assert family.match(row.goal).players == row.seats
    assert "optimal" in family.strategies(row.goal)
    judge = judge_of(solution)
    assert judge.values_at(judge.match.start())[0] == pytest.approx(float(solution.value), abs=1e-9)


@rows
def test_values_are_means_over_rolls_and_best_over_plays(row):
    judge = family_of(row.goal.game).judge_to_play(row.goal, How())
    match, measure = judge.match, judge.measure
    session = Session.new(judge, seed=7)
    for _ in range(60):
        if session.phase == "over":
            break
        spot, values = session.spot, judge.values_at(session.spot)
        assert len(values) == row.seats
        if session.phase == "roll":
            after = [
                (weight, judge.values_at(match.after_roll(spot, roll))) for roll, weight in match.rolls(spot).items()
            ]
            for seat, value in enumerate(values):
                mean = sum(weight * float(each[seat]) for weight, each in after) / sum(weight for weight, _ in after)
                assert value == pytest.approx(mean, abs=1e-9)
            session = session.roll()
        else:
            best = [judge.values_at(match.after_play(spot, o.match_play))[session.seat] for o in session.ranked]
            if not isinstance(row.goal, Simultaneous):
                assert values[session.seat] == pytest.approx((min if measure.prefers_less else max)(best), abs=1e-9)
            session = session.choose(session.options[len(session.steps) % len(session.options)])


@rows
def test_a_game_is_played_reported_and_read_back(row):
    judge = judge_to_play(row.goal)
    names = ["optimal", "beginner"][: row.seats]
    played = advance(Session.new(judge, seed=2), [bot_named(name, judge) for name in names])
    assert played.phase == "over"
    assert played.match.returns(played.spot) == pytest.approx([float(value) for value in played.values])
    told = report(played)
    assert all(abs(told.remainder(seat)) < 1e-9 for seat in range(row.seats))
    assert told.loss(0) == pytest.approx(0, abs=1e-8)
    record = json.loads(json.dumps(played.record()))
    again = Session.replay(judge, record["events"], seed=record["seed"])
    assert again.spot == played.spot
    for step in played.steps[:12]:
        position = json.loads(json.dumps(played.match.to_json(step.spot)))
        if not isinstance(row.goal, Simultaneous):
            assert played.match.from_json(position) == step.spot


COMMANDS = {
    "solve": "",
    "advise": "POSITION",
    "export": "--out FILE.csv",
    "play": "--seed 1",
    "drill": "--count 2 --kind close",
    "compare": "STRATEGIES",
    "simulate": "STRATEGIES --games 20",
    "analyse": "",
    "plot": "--out FILE.svg",
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ROWS)
def test_every_command_answers_or_says_in_one_line_why_not(name, command, typed, tmp_path):
    row = ROWS[name]
    options = COMMANDS[command].replace("POSITION", row.position).replace("FILE", str(tmp_path / "out"))
    words = f"{command} {row.words} {options.replace('STRATEGIES', row.strategies)} --json"
    code, out, err = typed(words, ["1"] * 60 + ["q"])
    refusal = REFUSED.get((name, command))
    if refusal is not None:
        assert code == 2 and refusal in err and err.count("\n") == 1 and out == ""
    elif command == "drill" and code == 2:
        assert "nothing to practise" in err
    else:
        assert code == 0, err
        assert json.loads(out)["goal"]
