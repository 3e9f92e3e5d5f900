"""Drills: exercises are legal, keep their answers, and are graded by the loss."""

import json
from functools import cache

import pytest

from jeopardice import Pig, PositionError, Race, TenThousand, solve
from jeopardice.games.hog import Hog
from jeopardice.points.named_strategies import usual_habits
from jeopardice.points.strategy import StopAt
from jeopardice.tutor import RuleBot, Session, advance, drill, exercise_at, grade, judge_of, mistakes

GOALS = {
    "pig duel": Race(Pig(), target=100, players=2),
    "pig alone": Race(Pig(), target=100),
    "ten thousand duel": Race(TenThousand(), target=2000, players=2),
    "ten thousand alone": Race(TenThousand(), target=10_000),
}


@cache
def referee(name):
    return judge_of(solve(GOALS[name]))


@pytest.mark.parametrize("name", sorted(GOALS))
def test_exercises_are_legal_seeded_and_of_their_kind(name):
    ref = referee(name)
    exercises = drill(ref, count=8, seed=3)
    assert len(exercises) == 8
    assert exercises == drill(ref, count=8, seed=3)
    assert len({exercise.spot for exercise in exercises}) == 8
    assert {exercise.kind for exercise in exercises} == {"close", "habit"}
    for exercise in exercises:
        asked = json.loads(json.dumps(exercise.as_json()))
        assert ref.match.from_json(asked["position"]) == exercise.spot
        assert "value" not in asked["choices"][0] and "habit" not in asked
        grades = [grade(exercise, choice.play) for choice in exercise.session.options]
        assert sum(g.is_best for g in grades) >= 1
        if exercise.kind == "habit":
            _, _, habitual = exercise.habit.partition(": ")
            assert grade(exercise, habitual).loss >= ref.measure.inaccuracy
        else:
            assert sorted(g.loss for g in grades)[1] <= ref.measure.inaccuracy


def test_other_seeds_and_kinds_give_other_exercises():
    ref = referee("pig duel")
    assert drill(ref, seed=1) != drill(ref, seed=2)
    assert {e.kind for e in drill(ref, kind="close", seed=1)} == {"close"}
    assert {e.kind for e in drill(ref, kind="habit", seed=1)} == {"habit"}
    low = drill(ref, kind="habit", habits=[StopAt(5)], count=3)
    assert all(e.habit == "stop-at-5: stop" for e in low)
    assert drill(ref, kind="habit", habits=[], count=3)[0].kind == "close"
    with pytest.raises(ValueError, match="at least one exercise"):
        drill(ref, count=0)
    with pytest.raises(ValueError, match="close, habit or mixed"):
        drill(ref, kind="hard")


def test_the_usual_habit_of_pig_is_to_stop_at_20():
    """Knizia's rule; both habits are the same there."""
    most, twenty = usual_habits(GOALS["pig duel"])
    assert twenty == StopAt(20)
    ref = referee("pig duel")
    for at_risk in range(1, 40):
        session = Session.new(ref, position={"standings": [30, 30], "at_risk": at_risk})
        assert (
            RuleBot(most).choose(session).play
            == RuleBot(twenty).choose(session).play
            == ("stop" if at_risk >= 20 else "roll")
        )


def test_games_without_stops_and_seats_with_other_games_have_drills_too():
    hog = judge_of(solve(Race(Hog(dice_limit=8), target=50, players=2)))
    assert [habit.name for habit in usual_habits(hog.goal)] == ["most points a turn"]
    assert all(len(exercise.session.options) == 8 for exercise in drill(hog, count=4))
    mixed = judge_of(solve(Race(Pig(), target=100, players=2, opponent=Hog(dice_limit=6))))
    exercises = drill(mixed, count=6, seed=1)
    assert all(exercise.session.seat == 0 for exercise in exercises if exercise.kind == "habit")
    assert exercises


def test_a_grade_follows_the_loss():
    exercise = exercise_at(referee("pig duel"), {"standings": [90, 99], "at_risk": 6})
    good, bad = grade(exercise, "roll"), grade(exercise, "stop")
    assert good.is_best and good.score == 1 and good.mark is None
    assert bad.mark == "blunder" and bad.score == 0 and bad.best.play == "roll"
    assert "A blunder: stop is worth" in bad.words and "Best: roll" in good.words
    assert json.loads(json.dumps(bad.as_json()))["loss"] == pytest.approx(bad.loss)
    with pytest.raises(PositionError, match="the plays here are"):
        grade(exercise, "wait")
    with pytest.raises(PositionError, match="nothing to choose"):
        exercise_at(referee("pig duel"), {"standings": [90, 99]})
    habit = exercise_at(referee("pig duel"), {"standings": [67, 63], "at_risk": 25, "seat": 1}, "habit")
    assert grade(habit, "roll").habit is not None


def test_mistakes_of_a_game_come_back_as_exercises():
    session = advance(Session.new(referee("pig duel"), seed=2), [RuleBot(StopAt(6)), RuleBot(StopAt(20))])
    exercises = mistakes(session, [0])
    assert len(exercises) >= 3
    for exercise in exercises:
        assert exercise.kind == "mistake" and exercise.session.seat == 0
        step = next(step for step in session.steps if step.spot == exercise.spot)
        assert grade(exercise, step.option.play).mark is not None
        assert grade(exercise, step.options[0].play).is_best
