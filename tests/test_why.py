"""The reasons a tutor gives: their numbers are those of the solution, worked out again from the rules."""

import random
import re
from typing import Any

import pytest

from jeopardice import CantStop, Farkle, Hog, Pig, Race, TenThousand, Turn, Yahtzee, solve
from jeopardice.tutor import Session, judge_of, judge_to_play, why
from jeopardice.tutor.why import next_roll

GOALS = [
    Race(Pig(), target=60, players=2),
    Race(Pig(sides=8, bust=(1, 8)), target=50),
    Race(Farkle(), target=1000, players=2),
    Race(Hog(dice_limit=6), target=30, players=2),
    Race(CantStop(sides=3, shortest=2)),
    Race(CantStop(sides=3, shortest=1), players=2),
    Race(Yahtzee(boxes=("ones", "chance"))),
    Turn(TenThousand()),
]


def decisions(goal: Any, seed: int, most: int = 12) -> list[Session]:
    """Sessions at the first real decisions of a game in which any play may be chosen."""
    session, found, pick = Session.new(judge_to_play(goal), seed=seed), [], random.Random(seed)
    while session.phase != "over" and len(found) < most:
        if session.phase == "roll":
            session = session.roll()
            continue
        if len(session.options) > 1:
            found.append(session)
        session = session.choose(pick.choice(session.ranked[:3]))
    return found


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: f"{type(goal.game).__name__}-{getattr(goal, 'players', 0)}")
def test_the_two_parts_of_a_roll_make_its_value_and_every_family_has_reasons(goal: Any) -> None:
    sessions = [session for seed in (1, 2) for session in decisions(goal, seed)]
    assert sessions
    rolled = 0
    for session in sessions:
        for option in session.ranked[:3]:
            ahead = next_roll(session.judge, session.spot, option)
            if ahead is None:
                continue
            rolled += 1
            parts = ((ahead.bust_chance, ahead.after_bust), (1 - ahead.bust_chance, ahead.otherwise))
            mean = sum(chance * value for chance, value in parts if value is not None)
            after = session.match.after_play(session.spot, option.match_play)
            assert mean == pytest.approx(float(session.judge.values_at(after)[session.seat]), abs=1e-9)
        for option in (None, *session.ranked[:4]):
            words = why(session, option)
            assert words and words[-1] == "." and "None" not in words and "nan" not in words
    assert rolled or goal.game == Yahtzee(boxes=("ones", "chance"))


def test_the_sentence_of_pig_is_worked_out_from_the_values_of_the_positions() -> None:
    """Written from the rules: a 1 passes the dice, any other face adds to the turn, the other side then moves."""
    target = 60
    solution = solve(Race(Pig(), target=target, players=2))
    judge = judge_of(solution)
    for session in decisions(Race(Pig(), target=target, players=2), 5, 30):
        spot = session.spot
        mine, theirs = spot.standings[spot.seat], spot.standings[1 - spot.seat]
        at_risk = session.ranked[0].points
        if mine + at_risk >= target:
            continue
        stopped = 1 - solution.at(mine=theirs, theirs=mine + at_risk)
        busted = 1 - solution.at(mine=theirs, theirs=mine)
        after = []
        for face in range(2, 7):
            points = at_risk + face
            over = mine + points >= target
            after.append(1.0 if over else solution.advise(mine=mine, theirs=theirs, at_risk=points).best.value)
        cost, gain = stopped - busted, sum(after) / 5 - stopped
        words = why(Session(judge, 0, spot))
        if at_risk == 0:
            continue
        assert words.startswith(f"A roll busts with chance 17% and then costs {100 * cost:.1f} points of win chance")
        numbers = [float(number) for number in re.findall(r"\d+\.\d+", words)]
        wanted = [cost, gain, cost / 6, 5 * gain / 6, 1 - stopped, 1 - busted]
        assert numbers == pytest.approx([100 * number for number in wanted], abs=0.051)
        assert words.endswith("So roll." if 5 * gain > cost else "So stop.")


def test_advice_on_the_page_gives_the_same_reason_as_the_tutor() -> None:
    pytest.importorskip("fastapi", reason="the web page needs: pip install 'jeopardice[web]'")
    from jeopardice.web import answers
    from jeopardice.web.shelf import Shelved

    for goal in (Race(Pig(), target=60, players=2), Race(Farkle(), target=1000, players=2), Race(Pig(), target=50)):
        shelved = Shelved(goal, solve(goal))
        for session in decisions(goal, 4):
            spot = session.spot
            mine, theirs = spot.standings[spot.seat], spot.standings[spot.seat - 1] if goal.players == 2 else 0
            roll, mode, at_risk = spot.roll, str(spot.mode), spot.at_risk
            if isinstance(goal.game, Pig):
                roll, at_risk = None, session.ranked[0].points
            advice = answers.advise(shelved, mine, theirs, at_risk, mode, roll, why=True)
            assert advice["best"] == session.ranked[0].play and advice["reason"] == why(session)


def test_advice_on_a_board_gives_the_same_reason_as_the_tutor() -> None:
    pytest.importorskip("fastapi", reason="the web page needs: pip install 'jeopardice[web]'")
    from jeopardice.web import answers
    from jeopardice.web.shelf import Shelved

    goal = Race(CantStop(sides=3, shortest=2))
    shelved = Shelved(goal, solve(goal))
    for session in decisions(goal, 6):
        place = session.match.to_json(session.spot)
        columns = ",".join(f"{i + 2}:{spaces}" for i, spaces in enumerate(place["standing"]) if spaces)
        markers = ",".join(f"{column}:{space}" for column, space in place["markers"])
        texts = {"mine": columns, "markers": markers, "roll": ",".join(map(str, place["roll"] or ()))}
        advice = answers.family_advice(shelved, {name: text for name, text in texts.items() if text})
        assert advice["best"] == session.ranked[0].play and advice["reason"] == why(session)
