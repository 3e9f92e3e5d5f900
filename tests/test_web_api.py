"""The web's answers are the package's answers, and nothing but plain questions from this machine gets one."""

import asyncio
import json
import random
import re
import sqlite3
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("fastapi", reason="the web page needs: pip install 'jeopardice[web]'")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # newer Starlettes would like another HTTP client, but take this one
    from fastapi.testclient import TestClient

from jeopardice import Pig, Race, TenThousand, Turn, Yahtzee, solve
from jeopardice.analysis.law_of_turns import law_of_turns, turn_chain
from jeopardice.analysis.rest_of_turn import next_rolls, rest_of_turn
from jeopardice.analysis.turn_arrays import TurnArrays
from jeopardice.columns.strategy import BoardMoment, rule_of
from jeopardice.errors import RulesError, StaleSolution
from jeopardice.games.cant_stop import CantStop
from jeopardice.tutor import BestBot, Session, advance, judge_of
from jeopardice.web import create_app
from jeopardice.web.catalog import GAMES, read_goal
from jeopardice.web.limits import NOUNS, LimitError, Limits
from jeopardice.web.own_dice import OwnDice
from jeopardice.web.records import VERSION, Records, data_file
from jeopardice.web.serve import is_loopback

API = "/api/v1"
HERE = "http://127.0.0.1:8123"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    app = create_app(records=tmp_path_factory.mktemp("web") / "records.sqlite")
    with TestClient(app, base_url=HERE) as asked:
        yield asked


def ask(client: TestClient, path: str, **query: Any) -> Any:
    answer = client.get(f"{API}/{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def post(client: TestClient, path: str, **body: Any) -> Any:
    answer = client.post(f"{API}/{path}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(client: TestClient, path: str, **query: Any) -> Any:
    answer = client.get(f"{API}/{path}", params=query)
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.json()["error"].count("\n") == 0
    return answer.json()


# --- the answers


def test_games_are_listed_with_their_fields_usual_values_and_limits(client: TestClient) -> None:
    answer = ask(client, "games")
    listed = {game["name"]: game for game in answer["games"]}
    assert {*listed, *(game["name"] for game in answer["more_games"])} == set(GAMES)
    pig = {field["name"]: field for field in listed["pig"]["fields"]}
    assert pig["sides"] | {"help": ""} == {
        "name": "sides", "kind": "whole", "usual": "6", "choices": [], "optional": False, "most": 100, "help": "",
        "title": "Sides of the die", "group": "The dice", "choice_words": {}, "seen": ["6"],
    }  # fmt: skip
    farkle = {field["name"]: field for field in listed["farkle"]["fields"]}
    assert farkle["straight"]["title"] == "1-2-3-4-5-6" and {"1500", "2500"} <= set(farkle["straight"]["seen"])
    assert pig["bust"]["usual"] == "1" and listed["ten-thousand"]["target"] == 10_000


def test_advice_is_the_packages_advice(client: TestClient) -> None:
    """At 41:49 one rolls at 27 at risk (the strategy is no threshold)."""
    answer = ask(client, "advise", game="pig", mine=41, theirs=49, at_risk=27)
    advice = solve(Race(Pig(), players=2)).advise(mine=41, theirs=49, at_risk=27)
    assert [(o["play"], o["value"]) for o in answer["options"]] == [(o.play, o.value) for o in advice.options]
    assert answer["best"] == "roll" and answer["options"][1]["loss"] == pytest.approx(
        advice.options[0].value - advice.options[1].value
    )


def test_the_fast_lane_and_the_usual_road_say_the_same(client: TestClient) -> None:
    plain = client.get(f"{API}/advise?game=pig&goal=alone&mine=30&at_risk=12&why=true")
    usual = client.get(f"{API}/advise?game=pig&goal=alone&mine=30&at_risk=12&why=1")
    assert plain.status_code == usual.status_code == 200
    assert plain.json() == usual.json()


def test_why_adds_up_to_the_worth_of_rolling(client: TestClient) -> None:
    goal = {"game": "ten-thousand", "goal": "turn"}
    answer = ask(client, "advise", **goal, at_risk=100, roll="1,2,5,6,6", why=True)
    why = answer["why"]
    assert sum(r["chance"] for r in why["next_rolls"]) == pytest.approx(1, abs=1e-12)
    assert sum(r["chance"] * r["value"] for r in why["next_rolls"]) == pytest.approx(why["value"], abs=1e-9)
    assert sum(chance for _, chance in why["banked"]) + why["bust_chance"] == pytest.approx(1, abs=1e-12)
    assert sum(points * chance for points, chance in why["banked"]) == pytest.approx(why["value"], abs=1e-9)


def test_the_law_of_what_follows_has_the_solved_bust_chance() -> None:
    for game in (Pig(), TenThousand()):
        solution: Any = solve(Turn(game))
        rest = rest_of_turn(solution.view(), 0, game.opening)
        assert rest.bust_chance == pytest.approx(solution.bust_chance, abs=1e-13)
        assert sum(points * chance for points, chance in rest.banked.items()) == pytest.approx(solution.value, abs=1e-9)


def test_an_overshoot_of_an_exact_finish_counts_as_a_bust() -> None:
    solution: Any = solve(Race(Pig(), target=10, finish="exact"))
    view = solution.view(6)
    rolls = next_rolls(view, 0, 0)
    assert sum(roll.chance for roll in rolls if roll.busts) == pytest.approx(3 / 6)  # 1, 5 and 6
    rest = rest_of_turn(view, 0, 0)
    assert set(rest.banked) <= {2, 3, 4} and sum(rest.banked.values()) + rest.bust_chance == pytest.approx(1)


def test_the_mean_of_the_law_of_turns_is_the_solved_value() -> None:
    for game, target in ((Pig(), 60), (TenThousand(), 3000)):
        solution: Any = solve(Race(game, target=target))
        law = law_of_turns(solution)
        assert sum(n * chance for n, chance in enumerate(law, 1)) == pytest.approx(solution.value, abs=1e-8)
        assert turn_chain(solution).sum(axis=1) == pytest.approx(1.0, abs=1e-12)


def test_turn_arrays_agree_with_advice_moment_by_moment() -> None:
    solution: Any = solve(Race(TenThousand(), target=2000, players=2))
    view = solution.view(500, 1000)
    arrays = TurnArrays(view, view.goal)
    for at_risk in range(50, 1500, 50):
        for mode in (1, 3, 5):
            advice = view.advise(at_risk, mode)
            t, m = at_risk // 50, view.mode_index(mode)
            assert bool(arrays.stops[t, m]) == advice.best.stops
            assert max(arrays.bank[t], arrays.roll[t, m]) == pytest.approx(advice.value, abs=1e-12)


def test_solve_answers_quick_goals_at_once(client: TestClient) -> None:
    answer = post(client, "solve", game="pig", goal="turn")
    assert answer["job"]["state"] == "done"
    assert answer["solution"]["value"] == pytest.approx(8.141794893727, abs=1e-10)
    assert answer["solution"]["error_bound"] < 1e-12 and answer["solution"]["threshold"] == 20


def test_a_long_solve_is_a_job_with_progress_and_can_be_cancelled(client: TestClient) -> None:
    asked = {"game": "pig", "target": 1900}
    assert client.get(f"{API}/advise", params=asked).status_code == 409
    job = post(client, "solve", **asked)["job"]
    assert job["state"] in ("waiting", "running")
    again = post(client, "solve", **asked)["job"]
    assert again["id"] == job["id"]
    seen: list[tuple[str, Any]] = []
    with client.stream("GET", f"{API}/jobs/{job['id']}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        client.post(f"{API}/jobs/{job['id']}/cancel")
        for line in stream.iter_lines():
            if line.startswith("event: "):
                seen.append((line.removeprefix("event: "), None))
            elif line.startswith("data: "):
                seen[-1] = (seen[-1][0], json.loads(line.removeprefix("data: ")))
    assert seen[-1][0] == "end" and seen[-1][1]["job"]["state"] == "cancelled"
    assert seen[-1][1]["solution"] is None


def test_jobs_are_limited_in_number(tmp_path: Path) -> None:
    app = create_app(records=tmp_path / "r.sqlite", limits=Limits(jobs=1))
    with TestClient(app, base_url=HERE) as client:
        first = post(client, "solve", game="pig", target=1900)["job"]
        answer = client.post(f"{API}/solve", json={"game": "pig", "target": 1901})
        assert answer.status_code == 429 and "at most 1 solves" in answer.json()["error"]
        client.post(f"{API}/jobs/{first['id']}/cancel")


def test_a_job_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    app = create_app(records=tmp_path / "r.sqlite", limits=Limits(job_seconds=0))
    with TestClient(app, base_url=HERE) as client:
        job = post(client, "solve", game="pig", target=1500)["job"]
        while job["state"] in ("waiting", "running"):
            time.sleep(0.05)
            job = ask(client, f"jobs/{job['id']}")["job"]
        assert job["state"] == "failed" and "the time of a solve in seconds is at most 0" in job["error"]


def test_maps_say_where_the_strategy_rolls(client: TestClient) -> None:
    drawn = ask(client, "map", game="pig", theirs=49)
    solution: Any = solve(Race(Pig(), players=2))
    column = drawn["x"].index(41)
    rolls = [y for y, row in zip(drawn["y"], drawn["gain"], strict=True) if row[column] is not None and row[column] > 0]
    wanted = [t for t in range(1, 59) if not solution.advise(mine=41, theirs=49, at_risk=t).best.stops]
    assert rolls == wanted
    assert 27 in rolls and 26 not in rolls and 28 not in rolls


def test_maps_of_one_turn_and_surfaces_and_curves(client: TestClient) -> None:
    turn = ask(client, "map", game="ten-thousand", goal="turn")
    assert turn["x_name"] == "mode" and sorted(turn["x"]) == [1, 2, 3, 4, 5]
    surface = ask(client, "surface", game="pig", of="value")
    solution: Any = solve(Race(Pig(), players=2))
    assert surface["height"][0][0] == pytest.approx(solution.value, abs=1e-9)
    stop = ask(client, "surface", game="pig", of="stop")
    assert stop["height"][0][0] == 21  # from 0:0 one stops at 21 or more
    curve = ask(client, "curves", game="pig", theirs=[0, 50])
    assert curve["curves"][1]["y"][10] == pytest.approx(solution.at(10, 50))
    law = ask(client, "law", game="pig", mine=0, theirs=0)
    assert sum(law["turns"]) == pytest.approx(1) and law["bust_chance"] == pytest.approx(0.6411596653, abs=1e-9)


def test_hog_maps_its_dice(client: TestClient) -> None:
    drawn = ask(client, "choices", game="hog", target=30, rules="dice_limit:10")
    solution: Any = solve(Race(GAMES["hog"].make(dice_limit=10), target=30, players=2))
    best = solution.view(5, 7).advise(0, "how many dice?", ()).best.mode
    assert drawn["best"][drawn["theirs"].index(7)][drawn["mine"].index(5)] == best
    assert "does not open with a choice" in refused(client, "choices", game="pig")["error"]


def test_strategies_meet_exactly(client: TestClient) -> None:
    answer = ask(client, "compare", game="pig", strategies=["optimal", "stop-at-20"])
    assert answer["first"][0][0] == pytest.approx(0.5305927252737, abs=1e-10)
    assert answer["even"][0][1] + answer["even"][1][0] == pytest.approx(1)
    assert answer["even"][0][1] > 0.5


# --- Can't Stop

BOARD = {"game": "cant-stop", "goal": "alone", "rules": "sides:3"}


def test_cant_stop_values_are_those_of_the_solved_board(client: TestClient) -> None:
    """On board (3, 2) the middle column first is worse than the start (the literature's surprise)."""
    board = ask(client, "board", **BOARD)
    assert board["value"] == pytest.approx(1.7224007847, abs=1e-9)
    middle = next(column for column in board["columns"] if column["column"] == 4)
    assert middle["worth"][0] < 0 < middle["worth"][5]
    assert next(t for t in board["triples"] if t["columns"] == [2, 4, 6])["bust"] == 0
    for three in board["triples"]:
        weight = CantStop(sides=3).success_weight(frozenset(three["columns"]))
        assert three["bust"] == pytest.approx(1 - weight / 81)


def test_cant_stop_advice_orders_every_play(client: TestClient) -> None:
    answer = ask(client, "advise", **BOARD, roll="1,2,3,3")
    assert answer["best"] == answer["options"][0]["play"] == "move 4 5, roll"
    assert answer["options"][0]["value"] == pytest.approx(1.6964788398568, abs=1e-9)
    assert ask(client, "advise", **BOARD, board="3:1", markers="4:2")["best"] in ("roll", "stop")
    assert "a marker stands above" in refused(client, "advise", **BOARD, board="4:2", markers="4:1")["error"]
    assert "column:spaces" in refused(client, "advise", **BOARD, board="four")["error"]
    official = refused(client, "value", **BOARD | {"rules": "sides:6;shortest:3"})["error"]
    assert "takes a while" in official, "its bracket is made by a job"
    assert "games of points" in refused(client, "map", **BOARD)["error"]


def test_cant_stop_under_best_play_takes_the_solved_number_of_turns() -> None:
    judge = judge_of(solve(Race(CantStop(sides=3, shortest=2))))
    games = [advance(Session.new(judge, seed=seed), [BestBot()]) for seed in range(400)]
    turns = [game.spot.turn for game in games]
    mean, spread = sum(turns) / 400, (sum(t * t for t in turns) / 400 - (sum(turns) / 400) ** 2) ** 0.5
    assert abs(mean - 1.7224007847) < 4 * spread / 20
    spots = [step.spot for step in games[0].steps if step.option is not None]
    assert all(judge.match.from_json(judge.match.to_json(spot)) == spot for spot in spots)


def test_the_race_on_the_official_board_says_that_it_is_an_estimate(client: TestClient) -> None:
    answer = post(client, "solve", game="cant-stop-race")["solution"]
    assert answer["is_estimate"] and answer["error_bound"] is None and len(answer["lengths"]) == 11
    asked = {"game": "cant-stop-race", "markers": "7:3", "roll": "1,2,3,4"}
    advice = ask(client, "advise", **asked)
    assert advice["is_estimate"] and advice["note"].startswith("estimates") and advice["spread"] == 0.08
    three = ask(client, "advise", game="cant-stop-race", markers="6:2,7:2,8:2", why=True)
    assert re.search(r"busts with chance 8%.* So (roll|stop)\.$", three["reason"])
    state = post(client, "play", game="cant-stop-race", seed=2)
    state = post(client, f"play/{state['id']}/act", play="roll")
    assert state["measure"] == "estimated win chance" and len(state["choices"]) >= 2
    assert state["opponent"] == "look-ahead" and post(client, "play", game="pig", seed=2)["opponent"] == "optimal"
    perfect = client.post(f"{API}/play", json={"game": "cant-stop-race", "opponent": "optimal"})
    assert perfect.status_code == 422 and "take look-ahead" in perfect.json()["error"]
    exercise = post(client, "drill", game="cant-stop-race", count=1)["exercises"][0]
    asked = {"kind": exercise["kind"], "position": exercise["position"], "play": exercise["choices"][0]["play"]}
    assert "by estimate: " in post(client, "drill/grade", game="cant-stop-race", **asked)["words"]


@settings(max_examples=60, deadline=None)
@given(
    parts=st.dictionaries(
        st.sampled_from(["standings", "standing", "boards", "seat", "markers", "roll", "mode", "at_risk", "turn"]),
        st.recursive(
            st.none() | st.integers(-3, 9) | st.floats(-2, 2) | st.text(max_size=2), lambda x: st.lists(x, max_size=3)
        ),
    ),
    game=st.sampled_from([{"game": "pig"}, BOARD, {"game": "cant-stop-race", "rules": "sides:2;shortest:1"}]),
)
def test_no_position_breaks_the_server(client: TestClient, parts: Any, game: Any) -> None:
    begun = post(client, "play", **game, seed=1)["position"]
    for position in (parts, begun | {name: part for name, part in parts.items() if name in begun}):
        answer = client.post(f"{API}/drill/grade", json={**game, "position": position, "play": "roll"})
        assert answer.status_code in (200, 422), answer.text


def test_the_rule_of_28_counts_as_it_was_published() -> None:
    """Keller: columns 7, 6/8, ... count 1, 2, ...; +2 all odd, -2 all even, +4 all on one side of the middle."""
    game = CantStop()
    score = lambda markers: rule_of(game).score(BoardMoment(game, (game.opening,), 0, markers))  # noqa: E731
    assert score(((2, 1), (12, 1))) == 24
    assert score(((3, 1), (5, 1), (7, 1))) == 2 * 5 + 2 * 3 + 2 * 1 + 2 + 4
    assert score(((4, 1), (6, 1), (8, 1))) == 2 * 4 + 2 * 2 + 2 * 2 - 2


# --- play, report, drill


def play_out(client: TestClient, stop_at: int, **body: Any) -> Any:
    state = post(client, "play", **body)
    while state["phase"] != "over":
        points = max(choice["points"] for choice in state["choices"])
        offered = sorted(state["choices"], key=lambda c: (c["stops"] != (points >= stop_at), -c["points"]))
        state = post(client, f"play/{state['id']}/act", play=offered[0]["play"], steps=state["steps"])
    return state


@pytest.mark.parametrize(
    ("body", "stop_at"),
    [
        ({"game": "pig"}, 20),
        ({"game": "pig", "seat": "second", "opponent": "casual"}, 5),
        ({"game": "pig", "goal": "alone", "target": 50}, 12),
        ({"game": "ten-thousand", "target": 2000, "opponent": "stop-at-300"}, 300),
        ({"game": "farkle", "target": 2000, "goal": "alone"}, 400),
        ({"game": "hog", "target": 30, "rules": "dice_limit:6"}, 1),
        ({"game": "own-dice", "target": 30, "rules": "faces:bust,2,3*2,bank7"}, 9),
        ({"game": "cant-stop", "goal": "alone", "rules": "sides:3"}, 3),
        ({"game": "cant-stop-race", "rules": "sides:3;shortest:2", "opponent": "rule-of-28"}, 3),
    ],
)
def test_a_game_is_played_to_its_end_and_its_report_adds_up(client: TestClient, body: Any, stop_at: int) -> None:
    state = play_out(client, stop_at, **body, seed=11)
    told = post(client, "report", **body, seed=11, acts=state["acts"])
    change = told["final"] - told["initial"]
    assert abs(change - sum(told["luck"]) - sum(told["skill"])) < 1e-9
    assert abs(told["remainder"]) < 1e-9 and told["is_over"]
    assert told["final"] == (told["game"]["position"]["turn"] if len(told["luck"]) == 1 else float(told["winner"] == 0))
    assert sum(roll["luck"] for roll in told["rolls"]) == pytest.approx(sum(told["luck"]), abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**40), stop_at=st.integers(1, 40), opponent=st.sampled_from(["optimal", "beginner"]))
def test_luck_and_skill_are_all_there_is(client: TestClient, seed: int, stop_at: int, opponent: str) -> None:
    body = {"game": "pig", "target": 40, "opponent": opponent, "seed": seed}
    state = play_out(client, stop_at, **body)
    told = post(client, "report", **body, acts=state["acts"])
    assert abs(told["final"] - told["initial"] - sum(told["luck"]) - sum(told["skill"])) < 1e-9
    assert all(roll["luck"] == roll["after"] - roll["before"] for roll in told["rolls"])


def test_opponents_who_err_err_alike_when_a_game_without_a_seed_is_played_again_from_its_link(
    client: TestClient,
) -> None:
    for _ in range(4):
        state = post(client, "play", game="hog", opponent="beginner")
        for _ in range(6):
            if state["phase"] != "over":
                state = post(client, f"play/{state['id']}/act", play="roll 3 dice")
        again = post(client, "play", game="hog", opponent="beginner", seed=state["seed"], acts=state["acts"])
        assert again["position"] == state["position"] and again["news"][-1] == state["news"][-1]


def test_a_link_holds_the_whole_game_and_undo_goes_back(client: TestClient) -> None:
    state = post(client, "play", game="pig", seed=3)
    for _ in range(6):
        state = post(client, f"play/{state['id']}/act", play="roll", steps=state["steps"])
    again = post(client, "play", game="pig", seed=3, acts=state["acts"])
    for key in ("acts", "position", "value", "choices", "steps"):
        assert again[key] == state[key]
    before = post(client, f"play/{state['id']}/undo", steps=state["steps"])
    assert before["acts"] == state["acts"].rpartition(".")[0]
    redone = post(client, f"play/{state['id']}/act", play="roll", steps=before["steps"])
    assert redone["position"] == state["position"]  # the same dice fall again


def test_hints_and_the_tutor_tell_the_loss(client: TestClient) -> None:
    state = post(client, "play", game="pig", seed=1)
    while len(state["choices"]) < 2:
        state = post(client, f"play/{state['id']}/act", play="roll")
    choices = ask(client, f"play/{state['id']}/hint")["choices"]
    assert choices[0]["loss"] == 0 and choices[1]["loss"] > 0 and choices[0]["value"] > choices[1]["value"]
    warned = post(client, f"play/{state['id']}/act", play="stop", tutor=True)
    assert warned["warning"]["mark"] and warned["acts"] == state["acts"]
    played = post(client, f"play/{state['id']}/act", play="stop")
    assert played["warning"] is None and played["acts"] != state["acts"]


def test_two_tabs_do_not_overwrite_each_other(client: TestClient) -> None:
    state = post(client, "play", game="pig", seed=5)
    post(client, f"play/{state['id']}/act", play="roll", steps=state["steps"])
    late = client.post(f"{API}/play/{state['id']}/act", json={"play": "roll", "steps": state["steps"]})
    assert late.status_code == 409 and "another tab" in late.json()["error"]


def test_finished_games_and_drills_are_kept_exported_and_deleted(client: TestClient) -> None:
    state = play_out(client, 20, game="pig", target=30, seed=8)
    kept = next(game for game in ask(client, "records")["games"] if game["id"] == state["id"])
    assert kept["record"]["acts"] == state["acts"] and kept["won"] == (state["winner"] == 0)
    drill = post(client, "drill", game="pig", count=3, seed=2)
    first = drill["exercises"][0]
    assert len(drill["exercises"]) == 3 and "value" not in first["choices"][0]
    play = first["choices"][0]["play"]
    grade = post(client, "drill/grade", game="pig", kind=first["kind"], position=first["position"], play=play)
    assert grade["is_best"] == (grade["loss"] < 1e-9) and grade["choices"][0]["play"] == grade["best"]["play"]
    exported = ask(client, "records/export")
    assert exported["format"] == VERSION and exported["games"] and exported["drills"][0]["play"] == play
    gone = client.delete(f"{API}/records").json()
    assert gone["games"] == len(exported["games"]) and gone["drills"] == len(exported["drills"])
    assert ask(client, "records") == {"games": [], "drills": [], "ratings": {}}


def test_impossible_questions_are_refused_in_one_line(client: TestClient) -> None:
    assert "no rule called 'size'" in refused(client, "advise", rules="size:3")["error"]
    assert "game is one of" in refused(client, "advise", game="poker")["error"]
    assert "at_risk is at most" in refused(client, "advise", at_risk=5000)["error"]
    assert "lies below the target" in refused(client, "advise", mine=100)["error"]
    assert "cannot fall here" in refused(client, "advise", game="ten-thousand", goal="alone", roll="7,7")["error"]
    assert "these dice always bust" in refused(client, "value", rules="sides:2;bust:1,2")["error"]
    assert "choice 7 of this link" in client.post(f"{API}/play", json={"seed": 1, "acts": "7"}).json()["error"]
    for game, rule in (("cant-stop-race", "stop-at-20"), ("pig", "rule-of-28")):
        answer = client.post(f"{API}/play", json={"game": game, "opponent": rule, "target": None})
        assert answer.status_code == 422 and "an opponent is one of" in answer.json()["error"]
    assert "an opponent is one of" in client.post(f"{API}/play", json={"opponent": "god"}).json()["error"]
    assert client.get(f"{API}/play/none").status_code == 404
    assert client.get(f"{API}/jobs/none").status_code == 404
    assert client.get(f"{API}/nowhere").status_code == 404


def test_no_strategy_name_is_opened_or_imported(client: TestClient) -> None:
    for name in ("table:/etc/hostname", "os:getcwd", "module:function"):
        assert "a strategy is one of" in refused(client, "compare", strategies=[name])["error"]


@pytest.mark.parametrize(
    ("limit", "query"),
    [
        ("target", {"target": 100_001}),
        ("sides", {"rules": "sides:101"}),
        ("dice", {"game": "ten-thousand", "rules": "dice:9"}),
        ("faces", {"game": "own-dice", "rules": "faces:bust," + ",".join(map(str, range(1, 50)))}),
        ("face_weight", {"game": "own-dice", "rules": "faces:bust,2*1001"}),
        ("face_points", {"game": "own-dice", "rules": "faces:bust,10001"}),
        ("rolls", {"game": "own-dice", "rules": "faces:bust," + ",".join(map(str, range(1, 30))) + ";dice:8"}),
        ("anchors", {"target": 5000}),
        ("solve_steps", {"target": 2900, "rules": "sides:90"}),
        ("hog_dice", {"game": "hog", "rules": "dice_limit:41"}),
        ("points", {"game": "farkle", "rules": "one:1000000"}),
    ],
)
def test_each_limit_is_named(client: TestClient, limit: str, query: Any) -> None:
    answer = client.get(f"{API}/value", params=query)
    assert answer.status_code == 422
    assert answer.json()["limit"] == limit and f"{NOUNS[limit]} is at most" in answer.json()["error"]


# --- safety


def test_only_our_own_host_is_answered(client: TestClient) -> None:
    """A name that DNS rebinding points here is not ours."""
    for host in ("evil.example", "evil.example:8123", "127.0.0.1.evil.example", "", "localhost.evil"):
        answer = client.get(f"{API}/games", headers={"Host": host})
        assert answer.status_code == 421, host
    for host in ("localhost:8123", "127.0.0.1", "[::1]:8123", "LOCALHOST"):
        assert client.get(f"{API}/games", headers={"Host": host}).status_code == 200


def test_posts_from_other_sites_are_refused(client: TestClient) -> None:
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        assert client.post(f"{API}/solve", json={}, headers=headers).status_code == 403
        assert client.delete(f"{API}/records", headers=headers).status_code == 403
    ours = {"Origin": HERE, "Sec-Fetch-Site": "same-origin"}
    assert client.post(f"{API}/solve", json={}, headers=ours).status_code == 200
    form = client.post(f"{API}/solve", content='{"game": "pig"}', headers={"Content-Type": "text/plain"})
    assert form.status_code == 422


def test_a_token_is_needed_beyond_loopback(tmp_path: Path) -> None:
    app = create_app(records=tmp_path / "r.sqlite", token="s3cret", any_address=True)
    with TestClient(app, base_url="http://192.0.2.7:8123", follow_redirects=False) as client:
        assert client.get("/").status_code == 401
        assert client.get("/?token=wrong").status_code == 401
        assert client.get(f"{API}/games", headers={"Authorization": "Bearer wrong"}).status_code == 401
        assert client.get(f"{API}/games", headers={"Authorization": "Bearer s3cret"}).status_code == 200
        welcome = client.get("/advise?mine=3&token=s3cret")
        assert welcome.status_code == 303 and welcome.headers["location"] == "/advise?mine=3"
        cookie = welcome.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
        assert client.get("/", headers={"Cookie": cookie.partition(";")[0]}).status_code == 200
        assert client.get("/", headers={"Host": "evil.example"}).status_code == 421


def test_every_answer_carries_the_policy(client: TestClient) -> None:
    for path in ("/", "/explore", f"{API}/games", f"{API}/nowhere", "/static/style.css", "/plotly.js"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"


def test_nothing_large_is_read(client: TestClient) -> None:
    answer = client.post(f"{API}/solve", content=b"x" * 70_000)
    assert answer.status_code == 413 and "a request has at most 65,536 bytes" in answer.json()["error"]
    chunks = client.post(f"{API}/solve", content=iter([b"x" * 40_000] * 3))
    assert chunks.status_code == 413
    assert client.get(f"{API}/advise?rules={'x' * 9000}").status_code == 414


def test_no_path_of_a_request_is_opened(client: TestClient) -> None:
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/hostname", "/static/pages/../../app.py"):
        assert client.get(path).status_code == 404
    for page in ("/", "/report", "/advise", "/explore", "/drill", "/rules", "/api"):
        answer = client.get(page)
        assert answer.status_code == 200 and "{{" not in answer.text
        assert "<style" not in answer.text and " style=" not in answer.text and "<script>" not in answer.text
        assert "http://" not in answer.text and "https://" not in answer.text


def test_loopback_is_known_by_its_address() -> None:
    assert is_loopback("127.0.0.1") and is_loopback("::1") and is_loopback("localhost")
    assert not is_loopback("0.0.0.0") and not is_loopback("192.168.1.2") and not is_loopback("example.org")


# --- catalog and records


def test_rules_in_a_link_are_the_fields_of_the_game() -> None:
    goal = read_goal("pig", "duel", "sides:8;bust:1,2", "", (("target", 50),), Limits())
    assert goal == Race(Pig(sides=8, bust=(1, 2)), target=50, players=2)
    with pytest.raises(LimitError, match="target is at most"):
        read_goal("pig", "duel", "", "", (("target", 10**6),), Limits())
    with pytest.raises(RulesError, match="sides takes whole numbers"):
        read_goal("pig", "duel", "sides:x", "", (), Limits())


def test_every_rule_between_turns_can_be_named_in_a_link() -> None:
    options = (
        ("players", 3),
        ("open_from", 20),
        ("busts", 3),
        ("penalty", "all"),
        ("last_round", True),
        ("ties", "share"),
    )
    goal = read_goal("pig", "race", "", "", (("target", 50), *options), Limits())
    assert goal == Race(Pig(), 50, 3, open_from=20, busts=3, penalty="all", last_round=True, ties="share")
    zilch = read_goal("farkle", "duel", "straight:2000", "zilch", (("penalty", "1000"),), Limits())
    assert (zilch.bank_from, zilch.penalty, zilch.game.straight) == (300, 1000, 2000)


def test_yahtzee_and_play_at_the_same_time_answer_too(client: TestClient) -> None:
    card = {"game": "yahtzee", "goal": "alone", "rules": "boxes:ones,yahtzee,chance"}
    value = post(client, "solve", **card)["solution"]["value"]
    assert value == pytest.approx(solve(Race(Yahtzee(boxes=("ones", "yahtzee", "chance")))).value, abs=1e-12)
    advice = ask(client, "advise", **card, card="ones:3", roll="1,1,5,5,6", rolls_left=1)
    assert advice["kind"] == "points" and advice["best"].startswith("set aside")
    both = {"game": "hog", "goal": "simultaneous", "target": 12, "rules": "dice_limit:4"}
    advice = ask(client, "advise", **both, mine=3, theirs=5)
    assert advice["options"][0]["share"] > 0 or advice["options"][0]["play"].startswith("roll")
    for goal in (card, both):
        state = post(client, "play", **goal, seed=3)
        for _ in range(60):
            if state["phase"] == "over":
                break
            state = post(client, f"play/{state['id']}/act", play=state["choices"][0]["play"])
        assert state["phase"] == "over"
        told = post(client, "report", **goal, seed=3, acts=state["acts"], opponent=state.get("opponent", ""))
        assert told["is_over"] and abs(told["remainder"]) < 1e-9


def test_pictures_of_three_players_come_from_their_solution(client: TestClient) -> None:
    solution = solve(Race(Pig(), target=20, players=3))
    asked = {"game": "pig", "goal": "race", "players": 3, "target": 20}
    drawn = ask(client, "map", **asked, others="3,12")
    row, column = drawn["y"].index(6), drawn["x"].index(5)
    stop, roll = (
        next(o.value for o in solution.advise(mine=5, theirs=(3, 12), at_risk=6).options if o.stops is stops)
        for stops in (True, False)
    )
    assert drawn["gain"][row][column] == pytest.approx(roll - stop, abs=1e-9) and drawn["theirs"] == [3, 12]
    curves = ask(client, "curves", **asked, theirs=[4])["curves"][0]["y"]
    assert curves[7] == pytest.approx(solution.at(7, (4, 4)))
    law = ask(client, "law", **asked, mine=5, others="3,12")
    assert law["bust_chance"] + sum(chance for _, chance in law["banked"]) == pytest.approx(1)
    assert "busts with chance" in ask(client, "advise", **asked, mine=5, others="3,12", at_risk=6)["reason"]
    assert "others" in refused(client, "map", **asked, others="3,x")["error"]
    both = ask(client, "advise", game="cant-stop-race", board="7:3", others="8:5", markers="6:2", roll="1,2,3,4")
    alone = ask(client, "advise", game="cant-stop-race", board="7:3", markers="6:2", roll="1,2,3,4")
    assert both["value"] < alone["value"]


def test_dice_of_ones_own_are_pig_when_they_look_like_it() -> None:
    own = solve(Race(OwnDice().game(), target=60, players=2)).value
    assert own == pytest.approx(solve(Race(Pig(), target=60, players=2)).value, abs=1e-12)
    with pytest.raises(RulesError, match="a face is bust"):
        OwnDice("bust,two").game()


def test_records_survive_and_refuse_a_newer_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "deep" / "records.sqlite"
    Records(path).add_drill("pig", "goal", {"mine": 1}, "roll", "stop", 0.1, False)
    assert Records(path).drills()[0]["position"] == {"mine": 1}
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    db.close()
    with pytest.raises(StaleSolution, match="written by a newer jeopardice"):
        Records(path)
    monkeypatch.setenv("JEOPARDICE_DATA", str(tmp_path))
    assert data_file() == tmp_path / "records.sqlite"


def test_damaged_records_are_set_aside(tmp_path: Path) -> None:
    """Whichever byte of the schema or the header is damaged, the records answer, from this file or from a new one."""
    whole = tmp_path / "whole.sqlite"
    Records(whole).add_drill("pig", "goal", {"mine": 1}, "roll", "stop", 0.1, False)
    with sqlite3.connect(whole) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    good, chance = whole.read_bytes(), random.Random(7)
    for trial in range(60):
        damaged = bytearray(good)
        for _ in range(chance.randint(1, 8)):
            damaged[chance.choice([chance.randrange(100), chance.randrange(len(good))])] = chance.randrange(256)
        path = tmp_path / f"{trial}.sqlite"
        path.write_bytes(damaged)
        try:
            records = Records(path)
        except StaleSolution:
            continue  # the damage made its version a newer one
        records.add_drill("pig", "goal", {"mine": 2}, "roll", "stop", 0.1, False)
        assert records.drills()


def test_many_tabs_write_at_once(tmp_path: Path) -> None:
    records = Records(tmp_path / "r.sqlite")

    async def write() -> None:
        add = lambda n: records.add_drill("pig", "goal", {"n": n}, "roll", "roll", 0.0, True)  # noqa: E731
        await asyncio.gather(*(asyncio.to_thread(add, n) for n in range(40)))

    asyncio.run(write())
    assert sorted(row["position"]["n"] for row in records.drills()) == list(range(40))


# --- the description


def test_the_api_describes_itself(client: TestClient) -> None:
    described = client.get(f"{API}/openapi.json").json()
    for path in ("games", "solve", "advise", "play", "report", "compare", "map", "drill", "records"):
        assert f"{API}/{path}" in described["paths"]


@pytest.mark.filterwarnings("default")
def test_nothing_that_fits_the_description_breaks_the_server(tmp_path: Path) -> None:
    """Schemathesis asks whatever the description allows; every answer is in the description, and none is a 5xx."""
    schemathesis = pytest.importorskip("schemathesis")
    limits = Limits(target=300, solve_steps=30_000_000, anchors=90_000, steps_at_once=30_000_000, rolls=300)
    app = create_app(records=tmp_path / "r.sqlite", limits=limits)
    schema = schemathesis.openapi.from_asgi(f"{API}/openapi.json", app, headers={"Host": "127.0.0.1"})
    operations = [result.ok() for result in schema.get_all_operations()]
    assert len(operations) > 15
    for operation in operations:
        if operation.path.endswith("/events"):
            continue

        @settings(max_examples=6, deadline=None, database=None, derandomize=True)
        @given(case=operation.as_strategy())
        def no_server_error(case: Any) -> None:
            answer = case.call(headers={"Host": "127.0.0.1"}, timeout=600)
            assert answer.status_code < 500, (case.path, answer.text)
            described = case.operation.definition.raw["responses"][str(answer.status_code)]
            assert answer.headers["content-type"][0].split(";")[0] in described["content"], case.path

        no_server_error()
    app.state.shelf.close()


def test_a_text_too_long_for_a_qr_code_is_refused_in_our_words(client: TestClient) -> None:
    """The limit is in bytes, so that a text of few characters may be over it; a link that is too long is described."""
    answer = client.get(f"{API}/qr", params={"text": "\N{GAME DIE}" * 650})
    assert answer.status_code == 422
    assert answer.json()["error"] == "a QR code holds at most 2,331 bytes, got 2,600; shorten the text"
    described = client.get(f"{API}/openapi.json").json()["paths"][f"{API}/qr"]["get"]["responses"]
    assert client.get(f"{API}/qr", params={"text": "\N{GAME DIE}" * 700}).status_code == 414 and "414" in described
    assert list(described["200"]["content"]) == ["image/svg+xml"]


def test_advice_for_three_takes_the_others_in_the_order_of_play(client: TestClient) -> None:
    own = solve(Race(Pig(), target=20, players=3)).advise(mine=5, theirs=(3, 12), at_risk=4)
    answer = ask(client, "advise", game="pig", goal="race", players=3, target=20, mine=5, others="3,12", at_risk=4)
    assert [(o["play"], o["value"]) for o in answer["options"]] == [(o.play, o.value) for o in own.options]


def test_a_link_says_what_players_do_who_do_not_care(client: TestClient) -> None:
    asked = {"game": "pig", "goal": "race", "players": 3, "target": 12, "mine": 5, "others": "3,9", "at_risk": 4}
    own = solve(Race(Pig(), target=12, players=3, indifferent="roll")).advise(mine=5, theirs=(3, 9), at_risk=4)
    answer = ask(client, "advise", **asked, indifferent="roll")
    assert [(o["play"], o["value"]) for o in answer["options"]] == [(o.play, o.value) for o in own.options]
    assert client.get("/api/v1/advise", params={**asked, "goal": "duel", "indifferent": "roll"}).status_code == 422
