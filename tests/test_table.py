"""What a table needs beyond the rules: a judge at once, seats with names, dice to pick, and the scoring card."""

import random
import time
import warnings
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

pytest.importorskip("fastapi", reason="the web page needs: pip install 'jeopardice[web]'")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # newer Starlettes would like another HTTP client, but take this one
    from fastapi.testclient import TestClient

from jeopardice import CantStop, Farkle, Hog, Pig, Race, TenThousand, Turn, Yahtzee, cache, house_goal, solve
from jeopardice.errors import PositionError
from jeopardice.family import family_of
from jeopardice.games.farkle import combination_points
from jeopardice.points.turn_judge import TurnJudge
from jeopardice.tutor import Session, advance, bot_named, judge_of, report
from jeopardice.web import create_app, shelf
from jeopardice.web.catalog import named_goals, read_goal
from jeopardice.web.limits import Limits
from jeopardice.web.seats import is_portable, opponent_names, seat_names


def at_once(goal):
    return family_of(goal.game).judge_at_once(goal)


def by_turns(goal):
    return TurnJudge(goal, tuple(solve(Turn(game)) for game in goal.games))


RACES = [
    Race(Pig(), target=40, players=3),
    Race(Pig(sides=5, bust=(2, 3)), target=25, players=2, bank_from=6, busts=2, penalty=5),
    Race(TenThousand(dice=3), target=2000, players=4, last_round=True),
    Race(Farkle.named("zilch"), target=2000, players=2, open_from=500),
    Race(Hog(dice_limit=5), target=40, players=3),
    Race(Pig(), target=30),
]


def check_mean(judge, spot, values):
    """The values before a roll are the mean of those after it, unless a roll can win: a bank at the target is preferred."""
    match = judge.match
    rolls = match.rolls(spot)
    after = {roll: match.after_roll(spot, roll) for roll in rolls}
    options = [o for fallen in after.values() if fallen.seat == spot.seat for o in judge.options_at(fallen)]
    if any(o.stops and spot.standings[spot.seat] + o.points >= match.target for o in options):
        return
    known = {roll: judge.values_at(fallen) for roll, fallen in after.items()}
    total = sum(rolls.values())
    means = [sum(weight * known[roll][seat] for roll, weight in rolls.items()) / total for seat in range(match.players)]
    assert means == pytest.approx(values, abs=1e-6)


@pytest.mark.parametrize("goal", RACES, ids=range(len(RACES)))
def test_values_judged_by_turns_are_fair_games(goal):
    """Before a roll the values are the mean over the rolls, before a choice those after the best play that is no win."""
    judge = by_turns(goal)
    match, dice = judge.match, random.Random(3)
    session = Session.new(judge, seed=4)
    for _ in range(60):
        if session.phase == "over":
            break
        spot, values = session.spot, judge.values_at(session.spot)
        if session.phase == "roll":
            if not (goal.busts or goal.open_from or goal.bank_from):
                check_mean(judge, spot, values)
            session = session.roll()
        else:
            assert {o.match_play for o in judge.options_at(spot)} == set(match.plays(spot))
            best = match.after_play(spot, judge.options_at(spot)[0].match_play)
            assert judge.values_at(best) == pytest.approx(values, abs=1e-6)
            session = session.choose(dice.choice(session.options))


def test_a_turn_judge_plays_each_turn_as_the_solved_turn_does():
    """In a race too long to be won the best play is that of one turn for the most points, whose mean Pig has in closed form."""
    judge = by_turns(Race(Pig(), target=10**6, players=3))
    turn = solve(Turn(Pig()))
    for at_risk, pips in product((0, 7, 13, 17, 19), (2, 4, 6)):
        spot = judge.match.from_json({"standings": [5, 9, 2], "at_risk": at_risk, "mode": 0, "roll": [pips]})
        assert [o.play for o in judge.options_at(spot)][:1] == [turn.advise(at_risk=at_risk + pips).best.play]
        stop, roll = (next(o.value for o in judge.options_at(spot) if o.stops == stops) for stops in (True, False))
        assert stop == at_risk + pips
        if at_risk + pips >= 20:  # one roll and stop: 5/6 of the points and of a mean face of 4
            assert roll == pytest.approx(float(Fraction(5, 6) * (at_risk + pips + 4)))


def test_a_game_of_several_bots_is_reported_without_a_remainder():
    judge = by_turns(Race(Farkle(), target=3000, players=3))
    bots = [bot_named(name, judge, seat=seat) for seat, name in enumerate(("most-points", "beginner", "look-ahead"))]
    session = advance(Session.new(judge, seed=3), bots)
    assert session.winners and abs(report(session).remainder()) < 1e-6


def test_other_families_have_a_judge_at_once_where_they_can():
    assert at_once(Race(CantStop(), players=2)).measure.is_estimate
    assert at_once(Race(CantStop(sides=3))) is None
    assert at_once(Race(Yahtzee())).options_at(at_once(Race(Yahtzee())).match.start())


@pytest.mark.parametrize("name", ["basic", "zilch", "common", "kingdom_come"])
def test_the_scoring_card_lists_every_combination_once_and_lights_what_the_dice_hold(name):
    game = Farkle.named(name)
    lines = game.scoring()
    listed = Counter(faces for line in lines for faces, _ in line.sets)
    assert listed == Counter(dict.fromkeys(combination_points(game), 1))
    dice = random.Random(name)
    for _ in range(200):
        roll = tuple(sorted(dice.choices(range(1, 7), k=6)))
        scores = any(line.lit(roll) is not None for line in lines)
        assert scores == bool(game.plays(6, roll)) or game.nothing


def test_dice_that_are_the_same_play_can_all_be_picked():
    """With 1 2 2 2 5 5 on the table 1 5 5 and 2 2 2 both bring 200 and leave three dice: one play, two ways to pick it."""
    judge = at_once(Race(Farkle(), target=10_000, players=2))
    spot = judge.match.from_json({"standings": [0, 0], "mode": 6, "roll": [1, 2, 2, 2, 5, 5]})
    plays = judge.match.plays(spot)
    words = family_of(Farkle()).words
    buttons = words.buttons(judge.match, spot, plays)
    picks = [
        tuple(dice)
        for play, button in zip(plays, buttons, strict=True)
        if play.stops
        for dice in button["pick"]["dice"]
    ]
    assert len(picks) == len(set(picks))
    assert sorted(picks) == sorted(faces for faces, _, _ in Farkle().sets_aside(6, (1, 2, 2, 2, 5, 5)))


def test_seats_have_names():
    assert opponent_names("", 3) == ["", ""]
    assert opponent_names("club,friend", 3) == ["club", "friend"]
    with pytest.raises(PositionError, match="1 other player, got 2 opponents"):
        opponent_names("club,friend", 2)
    judge = judge_of(solve(Race(Pig(), target=20, players=2)))
    assert seat_names((None, bot_named("optimal", judge)), 0) == ["You", "Perfect player"]
    beginner = bot_named("beginner", judge)
    assert seat_names((beginner, None, beginner), 1) == ["Beginner 1", "You", "Beginner 2"]
    assert is_portable(["friend", "most-points"]) and not is_portable(["club"])


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    app = create_app(records=tmp_path_factory.mktemp("table") / "records.sqlite")
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client


def test_a_game_for_three_is_played_and_comes_back_from_its_link(client):
    begun = client.post(
        "/api/v1/play", json={"goal": "race", "players": 3, "target": 30, "opponent": "club,friend", "seed": 5}
    ).json()
    assert begun["names"] == ["You", "Club player", "Friend"] and begun["people"] == [0, 2]
    state = begun
    for _ in range(300):
        if state["phase"] == "over":
            break
        choice = state["choices"][0]
        state = client.post(f"/api/v1/play/{state['id']}/act", json={"play": choice["play"]}).json()
    assert state["outcome"].endswith(("wins.", "win!")) and state["winner"] is not None
    words = {key: state[key] for key in ("goal", "players", "target", "opponent", "by", "seed", "acts")}
    again = client.post("/api/v1/play", json=words).json()
    assert (again["phase"], again["position"]) == ("over", state["position"])
    told = client.post("/api/v1/report", json=words).json()
    assert abs(told["remainder"]) < 1e-6


def test_a_game_begun_before_it_is_solved_is_judged_by_the_solution_afterwards(client, monkeypatch):
    monkeypatch.setattr(shelf, "AT_ONCE_SECONDS", 0.0)
    monkeypatch.setattr(cache, "solve", _slowly)
    body = {"game": "ten-thousand", "target": 1500, "seed": 8}
    state = client.post("/api/v1/play", json=body).json()
    assert state["job"] is not None and state["opponent"] == "most-points" and state["by"] == ""
    for _ in range(3):
        state = client.post(f"/api/v1/play/{state['id']}/act", json={"play": state["choices"][0]["play"]}).json()
    assert state["measure"] == "estimated win chance" and state["spread"] > 0
    client.post("/api/v1/solve", json={"game": "ten-thousand", "target": 1500})
    while client.get("/api/v1/jobs").json()["jobs"][-1]["state"] not in ("done", "failed"):
        pass
    solved = client.post(f"/api/v1/play/{state['id']}/solved").json()
    assert solved["measure"] == "win chance" and solved["position"] == state["position"]
    assert [step["seat"] for step in solved["news"]] and sum(solved["values"]) == pytest.approx(1)
    again = client.post("/api/v1/play", json={**body, "opponent": "most-points", "acts": state["acts"]}).json()
    assert again["position"] == state["position"]


def test_a_link_played_on_a_solution_waits_for_it_and_every_seat_keeps_its_opponent(client, monkeypatch):
    monkeypatch.setattr(shelf, "AT_ONCE_SECONDS", 0.0)
    monkeypatch.setattr(cache, "solve", _slowly)
    link = {"game": "ten-thousand", "target": 1450, "seed": 8, "acts": "0"}
    refusal = client.post("/api/v1/play", json=link)
    assert refusal.status_code == 409 and "solve it first" in refusal.json()["error"]
    seated = {"goal": "race", "players": 4, "target": 20, "opponent": "club,friend,club", "by": "turn", "seed": 3}
    state = client.post("/api/v1/play", json=seated).json()
    assert state["names"] == ["You", "Club player 1", "Friend", "Club player 2"]
    assert (state["opponent"], state["by"]) == ("club,friend,club", "turn")


def _slowly(goal, **how):
    time.sleep(0.3)
    return solve(goal, **how)


def test_a_warning_and_a_hint_say_why(client):
    state = client.post("/api/v1/play", json={"seed": 1}).json()
    state = client.post(f"/api/v1/play/{state['id']}/act", json={"play": "roll"}).json()
    warned = client.post(f"/api/v1/play/{state['id']}/act", json={"play": "stop", "tutor": True}).json()["warning"]
    hint = client.get(f"/api/v1/play/{state['id']}/hint").json()
    assert "busts with chance 17%" in warned["why"] and warned["why"] == hint["why"]
    assert hint["choices"][0]["play"] == "roll"


def test_what_was_solved_once_is_there_at_once_the_next_time(tmp_path, monkeypatch):
    goal = Race(TenThousand(), target=1500, players=2)
    monkeypatch.setenv("JEOPARDICE_CACHE", str(tmp_path))
    monkeypatch.setattr(cache, "WORTH_CACHING", 0.0)
    first = shelf.Shelf(Limits(), cache=True)
    value, bound = first.solved(goal).value, first.solved(goal).error_bound
    monkeypatch.setattr(cache, "solve", None)
    again = shelf.Shelf(Limits(), cache=True)
    assert again.solved(goal).value == value == solve(goal).value
    assert again.solved(goal).error_bound == bound == solve(goal).error_bound
    first.close(), again.close()


def test_named_rule_sets_are_solved_beforehand(tmp_path, monkeypatch):
    goals = [house_goal("kingdom_come", players=2), house_goal("greed", players=2)]
    asked = [read_goal("farkle", "duel", "", name, (), Limits()) for name in ("kingdom_come", "greed")]
    assert goals == asked and all(goal in list(named_goals()) for goal in goals)
    monkeypatch.setenv("JEOPARDICE_CACHE", str(tmp_path))
    monkeypatch.setattr(shelf, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(shelf, "_step_back", lambda niceness=0: None)  # all later tests of this process would be slow
    ahead = shelf.Shelf(Limits(), cache=True)
    ahead._prepare(goals)
    monkeypatch.setattr(cache, "solve", None)
    assert ahead.solved(goals[0]).error_bound is not None
    assert set(cache.cached_solutions()) == {*map(cache.place_of, goals)}
    ahead.close()
    ahead._prepare([house_goal("crocce_mordecki", players=2)])  # nothing is begun any more
