"""A game of one's own: three answers, nothing inherited, and everything in the package works with it."""

import csv
import io
import json
import random
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jeopardice import Play, Race, Turn, load, read_rules, solve
from jeopardice.analysis.alone_report import alone_report
from jeopardice.analysis.head_to_head import best_response, compare, exploitability, head_to_head, response_value
from jeopardice.analysis.strategy_race import goal_race, strategy_race
from jeopardice.analysis.turn_law import turn_law
from jeopardice.analysis.values import value_rows
from jeopardice.cli import main
from jeopardice.figures import draw_maps, draw_surface, new_figure, save_figure
from jeopardice.figures.alone import draw_alone
from jeopardice.points.named_strategies import named_strategy
from jeopardice.points.simulate import simulate
from jeopardice.points.strategy import BestPlay, RollTimes, Rule, StopAt
from jeopardice.tutor import Session, advance, bot_named, drill, grade, judge_of, report

EXAMPLES = Path(__file__).parents[1] / "examples"


@dataclass(frozen=True)
class Storm:
    """A spinner: sun 2, gold 5 and a choice, cloud busts when it storms; from calm into the storm for more points."""

    gold: int = 5
    opening = "calm"
    usual_target = 30

    def rolls(self, mode):
        return {"sun": 4, "gold": 2, "cloud": 1} if mode == "calm" else {"sun": 1, "gold": 3, "cloud": 3}

    def plays(self, mode, roll):
        if roll == "cloud":
            return []
        if roll == "gold":
            return [Play(self.gold, "calm"), Play(2 * self.gold - 2, "storm")]
        return [Play(2, "calm") if mode == "calm" else Play(3, "storm")]


GAMES = {"own": Storm(), "file": read_rules(EXAMPLES / "two_dice_pig.toml")}
GOALS = {
    "turn": lambda game: Turn(game),
    "alone": lambda game: Race(game, 30),
    "rolls": lambda game: Race(game, 30, cost="rolls"),
    "within": lambda game: Race(game, 30, within=4),
    "exact": lambda game: Race(game, 30, finish="exact"),
    "bank from": lambda game: Race(game, 30, bank_from=10),
    "duel": lambda game: Race(game, 30, players=2),
    "duel exact": lambda game: Race(game, 30, players=2, finish="exact"),
    "margin": lambda game: Race(game, 30, players=2, payoff="margin"),
    "opponent": lambda game: Race(game, 30, players=2, opponent=Storm(gold=6)),
}


@cache
def solved(name: str, wanted: str) -> Any:
    return solve(GOALS[wanted](GAMES[name]))


games = pytest.mark.parametrize("name", GAMES)


@games
@pytest.mark.parametrize("wanted", GOALS)
def test_every_goal_is_solved_certified_stored_exported_and_agrees_with_fractions(name, wanted, tmp_path):
    solution = solved(name, wanted)
    small = (
        solution.goal
        if wanted == "turn"
        else replace(solution.goal, target=14, bank_from=min(4, solution.goal.bank_from))
    )
    floats, exact = solve(small), solve(small, exact=True)
    assert abs(float(exact.value) - floats.value) <= floats.error_bound + 1e-15 * abs(floats.value)
    assert solution.error_bound < 1e-9
    again = load(solution.save(tmp_path / "kept"), solution.goal)
    assert again.value == solution.value and again.goal == solution.goal
    columns, rows = value_rows(solution)
    assert columns[-1].startswith("value") and all(len(row) == len(columns) for row in rows)
    advice = solution.advise(at_risk=8)
    assert {option.play for option in advice.options} <= {"stop", "roll"}
    assert again.advise(at_risk=8) == advice


@games
def test_advice_after_every_roll_averages_to_the_worth_of_rolling(name):
    solution, game = solved(name, "duel"), GAMES[name]
    rolls = game.rolls(game.opening)
    lost = 1 - solution.at(20, 15)
    worth = 0.0
    for roll, weight in rolls.items():
        after = (
            solution.advise(mine=15, theirs=20, at_risk=6, roll=roll).value if game.plays(game.opening, roll) else lost
        )
        worth += weight * after / sum(rolls.values())
    advice = solution.advise(mine=15, theirs=20, at_risk=6)
    assert next(o for o in advice.options if o.play == "roll").value == pytest.approx(worth, abs=1e-12)


@games
def test_strategies_by_name_and_own_rules_have_laws_that_simulation_confirms(name):
    game, goal = GAMES[name], GOALS["turn"](GAMES[name])
    own = Rule("until-nine", stop=lambda moment: moment.at_risk >= 9, pick=lambda moment, plays: plays[-1])
    for strategy in (named_strategy("optimal", goal), named_strategy("stop-at-12", goal), RollTimes(3), own):
        law = turn_law(game, strategy)
        assert sum(law.score.values()) == 1
        played = simulate(goal, strategy, games=20_000, seed=5)
        assert played.mean_score.is_near(float(law.mean)) and played.busts.is_near(float(law.bust_chance))
    assert float(turn_law(game, named_strategy("most-points", goal)).mean) == pytest.approx(solved(name, "turn").value)


@games
def test_races_alone_under_a_strategy(name):
    goal, best = GOALS["alone"](GAMES[name]), BestPlay(solved(name, "alone"))
    race = strategy_race(GAMES[name], StopAt(10), 30)
    assert goal_race(goal, best).mean[-1] == pytest.approx(solved(name, "alone").value)
    assert race.mean[-1] >= solved(name, "alone").value
    assert race.law[:, -1].sum() == pytest.approx(1)
    played = simulate(goal, StopAt(10), games=20_000, seed=6)
    assert played.mean_turns.is_near(race.mean[-1])
    for wanted in ("alone", "within", "exact"):
        assert alone_report(GOALS[wanted](GAMES[name]), "fewest-turns").mean > 0


@games
@pytest.mark.parametrize("wanted", ["duel", "duel exact", "margin", "opponent"])
def test_duels_of_strategies(name, wanted):
    goal, solution = GOALS[wanted](GAMES[name]), solved(name, wanted)
    total = solution.total
    first, second = (named_strategy("optimal", goal, seat) for seat in (0, 1))
    assert head_to_head(goal, first, second).value == pytest.approx(solution.value)
    rivals = [named_strategy(n, goal, 1) for n in ("optimal", "stop-at-12", "fewest-turns", "keep-pace")]
    found = compare(goal, [first, StopAt(12)], seconds=rivals[:2])
    assert np.asarray(found.first).shape == (2, 2) and found.first[0][0] == pytest.approx(solution.value)
    for rival in rivals:
        assert head_to_head(goal, first, rival).value >= solution.value - 1e-9
    answer = best_response(goal, StopAt(12))
    assert response_value(answer) >= solution.value - 1e-9
    if goal.opponent is None:
        assert exploitability(goal, first) == pytest.approx(0, abs=1e-9) and total in (0, 1)
    if goal.payoff == "win":
        played = simulate(goal, first, StopAt(12), games=20_000, seed=9)
        assert played.wins.is_near(head_to_head(goal, first, StopAt(12)).value)


@games
def test_figures(name, tmp_path):
    solution = solved(name, "duel")
    figure = new_figure(11, 11)
    draw_alone(figure, alone_report(GOALS["alone"](GAMES[name]), "optimal"), None)
    for file in (
        draw_maps(solution, [0, 20], tmp_path / "maps.png"),
        draw_surface(solution, tmp_path / "surface.png"),
        save_figure(figure, tmp_path / "alone.png"),
    ):
        assert file.read_bytes().startswith(b"\x89PNG")


@games
@pytest.mark.parametrize("wanted", [w for w in GOALS if w != "turn"])
def test_a_whole_game_with_the_tutor(name, wanted):
    referee = judge_of(solved(name, wanted))
    bots = [bot_named("stop-at-12", referee), bot_named("optimal", referee)][: referee.match.players]
    session = advance(Session.new(referee, seed=3), bots)
    assert session.phase == "over"
    told = report(session)
    assert told.final[0] - told.initial[0] == pytest.approx(told.luck_of(0) + told.skill_of(0), abs=1e-9)
    assert Session.replay(referee, json.loads(json.dumps(session.record()))["events"], seed=3) == session


@games
def test_exercises(name):
    for exercise in drill(judge_of(solved(name, "duel")), count=3, seed=2):
        grades = [grade(exercise, choice.play) for choice in exercise.session.options]
        assert any(g.is_best for g in grades)


def test_a_game_that_is_no_dataclass_and_remembers_nothing():
    class Coin:
        opening = "toss"

        def rolls(self, mode):
            return {"heads": 1, "tails": 1}

        def plays(self, mode, roll):
            return [Play(1, mode)] if roll == "heads" else []

    assert solve(Race(Coin(), 10, players=2)).value == pytest.approx(solve(Race(GAMES_PIGLET, 10, players=2)).value)
    assert solve(Turn(Coin()), exact=True).value == 0.5


GAMES_PIGLET = read_rules(EXAMPLES / "piglet.toml")


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a command with these lines typed; return its exit code and what it printed."""

    def call(*words, lines=()):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code = main([str(word) for word in words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


FILES = sorted(file for file in EXAMPLES.iterdir() if file.suffix in (".toml", ".json"))
QUICK = ("piglet.toml", "loaded_pig.json")


@pytest.mark.parametrize(
    "file",
    [pytest.param(file, marks=[] if file.name in QUICK else pytest.mark.slow) for file in FILES],
    ids=lambda file: file.name,
)
def test_every_command_takes_a_rules_file(run, file, tmp_path):
    target = 1000 if "farkle" in file.name else 40
    race = ["--game", file, "--target", target]
    points = target // 5
    commands = [
        ["solve", "--game", file, "turn"],
        ["solve", *race, "alone"],
        ["solve", *race, "alone", "--within", 4],
        ["solve", *race, "duel"],
        ["solve", *race, "duel", "--finish", "exact"],
        ["solve", *race, "duel", "--payoff", "margin"],
        ["solve", *race, "duel", "--opponent", "pig", "--save", tmp_path / "kept"],
        ["advise", *race, "duel", "--mine", points, "--theirs", 2 * points, "--at-risk", points],
        ["analyse", "--game", file, "turn"],
        ["analyse", *race, "alone", "--strategy", f"stop-at-{points}"],
        ["compare", *race, "duel", "optimal", f"stop-at-{points}"],
        ["simulate", *race, "duel", "optimal", f"stop-at-{points}", "--games", 1000],
        ["plot", *race, "duel", "--theirs", points, "--out", tmp_path / "duel.png"],
        ["plot", *race, "alone", "--out", tmp_path / "alone.png"],
        ["export", *race, "duel", "--out", tmp_path / "values.csv"],
    ]
    for words in commands:
        code, out, err = run(*words, "--json")
        assert code == 0, (words, err)
        assert json.loads(out)["kind"] in ("turn", "alone", "duel")
        if words[0] in ("solve", "advise", "analyse", "compare"):
            code, out, err = run(*words)
            assert code == 0 and out.strip(), (words, err)
    assert (tmp_path / "duel.png").read_bytes().startswith(b"\x89PNG")
    assert load(tmp_path / "kept").goal.game == read_rules(file)
    with (tmp_path / "values.csv").open(newline="") as lines:
        first = list(csv.reader(lines))[1]
    assert float(first[-1]) == solve(Race(read_rules(file), target, players=2)).value
    code, out, err = run("play", *race, "duel", "--seed", 2, "--json", lines=["r", "s", "1"] * 300)
    assert code == 0 and json.loads(out)["report"]["is_over"], err
    assert read_rules(file).name in err if "farkle" not in file.name else "Farkle" in err
    code, out, err = run("drill", *race, "duel", "--count", 2, "--json", lines=["1"] * 4)
    assert code == 0 and len(json.loads(out)["grades"]) == json.loads(out)["asked"], err


DIE = [{"face": 1, "effect": "bust"}, {"face": 2, "points": 2}]


@pytest.mark.parametrize(
    ("rules", "key"),
    [
        ({"name": "X", "faces": DIE, "colour": "red"}, "colour"),
        ({"name": "X", "faces": [*DIE, {"face": 3, "points": 3, "wieght": 2}]}, "wieght"),
        ({"name": "X", "faces": [*DIE, {"face": 3, "points": 3, "weight": -1}]}, "weight"),
        ({"name": "X", "faces": [*DIE, {"face": 3, "points": 3, "weight": 1.5}]}, "weight"),
        ({"name": "X", "faces": [*DIE, {"face": 3, "points": -3}]}, "points"),
        ({"name": "X", "faces": DIE[1:]}, "bust"),
        ({"name": "X", "faces": DIE[:1]}, "points"),
        ({"name": "X", "faces": [*DIE, {"face": 3, "effect": "__import__('os')"}]}, "effect"),
        ({"name": "X", "faces": DIE, "dice": 0}, "dice"),
        ({"faces": DIE}, "name"),
        ({"name": "X", "faces": DIE, "target": 0.5}, "target"),
        ({"game": "pig", "sides": "six"}, "sides"),
        ({"game": "pig", "side": 6}, "side"),
    ],
)
def test_a_wrong_rules_file_is_one_line_with_the_key_and_exit_code_2(run, tmp_path, rules, key):
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(rules))
    for words in (
        ["solve", "--game", file, "turn"],
        ["play", "--game", file, "duel"],
        ["compare", "--game", file, "duel"],
    ):
        code, out, err = run(*words)
        assert code == 2 and out == "" and err.count("\n") == 1
        assert key in err and "mine.json" in err and "Traceback" not in err


def test_random_play_of_one_s_own_game_meets_only_moments_that_have_advice():
    game, solution, dice = Storm(), solved("own", "duel"), random.Random(8)
    for _ in range(200):
        at_risk, mode, mine, theirs = 0, game.opening, dice.randrange(30), dice.randrange(30)
        while mine + at_risk < 30:
            rolls = game.rolls(mode)
            (roll,) = dice.choices(list(rolls), list(rolls.values()))
            if not game.plays(mode, roll):
                break
            options = solution.advise(mine=mine, theirs=theirs, at_risk=at_risk, mode=mode, roll=roll).options
            chosen = dice.choice(options)
            assert 0 <= chosen.value <= 1
            if chosen.stops:
                break
            at_risk, mode = chosen.points, chosen.mode


def test_against_an_opponent_who_has_lost_best_play_still_finishes():
    """To hit 30 from 25 needs gold counted once; counted twice it overshoots, and the win would wait for ever."""
    solution = solved("own", "duel exact")
    assert solution.at(25, 27) == 1 and solution.at(27, 27) == 0.5
    advice = solution.advise(mine=25, theirs=27, roll="gold")
    assert advice.best.points == 5 and len(advice.ties) == 2
    best = BestPlay(solution)
    match = head_to_head(solution.goal, best, BestPlay(solution, seat=1))
    assert all(match.at(i, j) == pytest.approx(solution.at(i, j), abs=1e-9) for i in range(30) for j in range(30))
