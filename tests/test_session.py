"""Sessions, referees and bots: games that can be undone, replayed and played by anybody."""

import json
import random
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jeopardice import Pig, Play, PositionError, Race, solve
from jeopardice.games.hog import Hog
from jeopardice.points.strategy import BestPlay, RollTimes, StopAt
from jeopardice.tutor import BestBot, ErringBot, RuleBot, Session, advance, bot_named, judge_of
from tests.sessions import RACES, judged, random_game


@dataclass(frozen=True)
class Pick:
    """Choose one of two dice each turn, roll it once and bank: plays without points or dice to name them by."""

    opening = "pick"

    def rolls(self, mode):
        return {(): 1} if mode == "pick" else dict.fromkeys(range(6 if mode == "small" else 20), 1)

    def plays(self, mode, roll):
        if mode == "pick":
            return [Play(0, "small"), Play(0, "large")]
        return [Play(roll + 1, None)] if roll else []


GOALS = RACES | {
    "pick duel": Race(Pick(), target=40, players=2),
    "pick rolls": Race(Pick(), target=40, cost="rolls"),
}


def referee(name):
    return judged(GOALS[name])


names = st.sampled_from(sorted(GOALS))
seeds = st.integers(0, 10**6)


@settings(deadline=None, max_examples=40)
@given(names, seeds, st.integers(1, 60))
def test_undo_restores_exactly(name, seed, steps):
    session = random_game(referee(name), seed, steps)
    for back in (1, len(session.steps)):
        undone = session.undo(back)
        assert undone == random_game(referee(name), seed, len(session.steps) - back)
        again = undone
        for step in session.steps[len(undone.steps) :]:
            again = again.choose(step.option) if step.option else again.roll()
        assert again == session


@settings(deadline=None, max_examples=40)
@given(names, seeds)
def test_a_replay_of_the_stored_events_is_the_same_session(name, seed):
    session = random_game(referee(name), seed, 80)
    stored = json.loads(json.dumps(session.record()))
    assert Session.replay(session.judge, stored["events"], seed=stored["seed"]) == session
    middle = session.undo(len(session.steps) // 2)
    position = json.loads(json.dumps(session.match.to_json(middle.spot)))
    if middle.phase != "over":
        assert session.match.from_json(position) == middle.spot


@pytest.mark.parametrize("name", sorted(GOALS))
def test_the_worth_of_every_spot_is_the_mean_over_its_rolls_or_its_best_choice(name):
    """The equations of a game tree hold along a game, whatever the goal counts: luck has mean 0."""
    session = Session.new(referee(name), seed=4)
    dice, ref, match = random.Random(4), session.judge, session.match
    assert session.value == pytest.approx(float(ref.solution.value), abs=1e-12)
    for _ in range(25):
        if session.phase == "over":
            break
        if session.phase == "roll":
            rolls = match.rolls(session.spot)
            after = [(weight, ref.values_at(match.after_roll(session.spot, roll))[0]) for roll, weight in rolls.items()]
            mean = sum(weight * value for weight, value in after) / sum(rolls.values())
            assert session.value == pytest.approx(mean, abs=1e-10)
            session = session.roll()
        else:
            best = session.ranked[0].value
            for option in session.options:
                after = ref.values_at(match.after_play(session.spot, option.match_play))[session.seat]
                assert abs(after - session.values[session.seat]) == pytest.approx(abs(best - option.value), abs=1e-10)
            worths = [option.value for option in session.ranked]
            assert worths == sorted(worths, reverse=not ref.measure.prefers_less)
            session = session.choose(dice.choice(session.options))


def test_the_exact_value_of_the_start_is_a_fraction():
    session = Session.new(judge_of(solve(Race(Pig(sides=3), target=4, players=2), exact=True)), seed=1)
    assert isinstance(session.value, Fraction)
    assert session.choose("roll").value == session.value


def test_seeded_dice_fall_by_their_weights_and_undoing_buys_no_better_ones():
    session = Session.new(referee("pig duel"), seed="a").choose("roll")
    assert session.roll() == session.roll().undo().roll()
    fallen = Counter(Session.new(referee("pig duel"), seed=n).choose("roll").roll().steps[-1].roll for n in range(3000))
    assert len(fallen) == 6
    assert all(abs(count - 500) <= 4 * (3000 * 5 / 36) ** 0.5 for count in fallen.values())


def test_dice_may_be_given_in_any_order_and_must_be_possible():
    session = Session.new(referee("ten thousand duel"), seed=1).choose("roll")
    assert session.roll([5, 3, 1, 4, 4]).steps[-1].roll == (1, 3, 4, 4, 5)
    with pytest.raises(PositionError, match="cannot occur here; for example"):
        session.roll([7, 1, 1, 1, 1])
    with pytest.raises(PositionError, match="the dice fall next"):
        session.choose("stop")
    with pytest.raises(PositionError, match="the plays here are: stop; roll, got the play 'jump'"):
        Session.new(referee("pig duel"), seed=1).choose("roll").roll([3]).choose("jump")
    with pytest.raises(PositionError, match="got a roll"):
        Session.new(referee("pig duel"), seed=1).roll()


def test_plays_without_dice_are_told_apart_by_words():
    session = Session.new(referee("pick duel"), seed=1)
    assert [choice.play for choice in session.options] == ["roll in mode small", "roll in mode large"]
    assert len({choice.play for choice in session.options}) == 2
    rolled = session.choose("roll in mode large").roll(19)
    assert rolled.options[0].stops and rolled.options[0].points == 20
    assert advance(rolled, [None, BestBot()]).spot.standings[0] == 20


def test_a_turn_of_hog_opens_with_the_choice_of_dice():
    ref = judge_of(solve(Race(Hog(dice_limit=4), target=30, players=2)))
    session = Session.new(ref, seed=3)
    assert [choice.play for choice in session.options] == ["roll 1 die", "roll 2 dice", "roll 3 dice", "roll 4 dice"]
    session = advance(session.choose("roll 4 dice"), [BestBot(), BestBot()])
    assert session.phase == "over"


def test_stop_and_bust_pass_the_dice_and_an_overshoot_of_an_exact_finish_banks_nothing():
    session = Session.new(referee("pig exact finish"), position={"standings": [23, 0]})
    session = session.choose("roll").roll([4])
    assert [choice.play for choice in session.options] == ["stop"]
    stopped = session.choose("stop")
    assert stopped.spot.standings == (23, 0) and stopped.seat == 1
    assert Session.new(referee("pig exact finish"), position={"standings": [23, 0]}).choose("roll").roll([6]).seat == 1
    won = (
        Session.new(referee("pig exact finish"), position={"standings": [23, 0]})
        .choose("roll")
        .roll([2])
        .choose("stop")
    )
    assert won.phase == "over" and won.value == 1 and won.winners == (0,)


def test_an_undone_choice_is_the_last_real_one_of_the_person():
    session = Session.new(referee("pig duel"), seed=11).choose("roll").roll([5]).choose("stop")
    session = advance(session, [None, BestBot()])
    assert session.seat == 0
    undone = session.undo_choice([0])
    assert undone.steps[-1].roll == (5,) and undone.seat == 0
    assert undone.undo_choice([0]).steps == ()


@settings(deadline=None, max_examples=15)
@given(names, seeds)
def test_the_optimum_plays_only_best_choices_and_ends_the_game(name, seed):
    session = advance(Session.new(referee(name), seed=seed), [BestBot()] * referee(name).match.players)
    assert session.phase == "over"
    assert all(step.loss == 0 for step in session.steps)
    assert all(step.change(0) == 0 for step in session.steps if step.option)


@pytest.mark.parametrize("name", ["pig duel", "ten thousand duel"])
def test_best_play_as_a_strategy_agrees_with_the_optimum(name):
    """Two ways to the same play: the strategy's own walk and the best of the choices."""
    ref = referee(name)
    session = advance(Session.new(ref, seed=2), [RuleBot(BestPlay(ref.solution, seat=seat)) for seat in (0, 1)])
    assert max(step.loss for step in session.steps) <= 1e-12


def test_rules_of_thumb_keep_their_rule():
    twenty = advance(Session.new(referee("pig alone"), seed=6), [RuleBot(StopAt(20))])
    stops = [step for step in twenty.steps if step.option and step.option.stops]
    assert all(s.option.points >= 20 or s.spot.standings[0] + s.option.points >= 40 for s in stops)
    assert all(s.option.points < 20 for s in twenty.steps if s.option and not s.option.stops)
    thrice = advance(Session.new(referee("pig alone"), seed=6), [RuleBot(RollTimes(3))])
    assert all(s.spot.rolls == 3 or s.is_forced for s in thrice.steps if s.option and s.option.stops)
    kept = advance(Session.new(referee("ten thousand duel"), seed=6), [RuleBot(StopAt(300))] * 2)
    assert all(s.option.points == max(c.points for c in s.options) for s in kept.steps if s.option)


def test_the_erring_bot_errs_more_the_hotter_and_the_same_way_again():
    def lost(temperature):
        bots = [ErringBot(temperature, 1), ErringBot(temperature, 2)]
        games = [advance(Session.new(referee("pig duel"), seed=seed), bots) for seed in range(10)]
        assert games[3] == advance(Session.new(referee("pig duel"), seed=3), bots)
        steps = [step for game in games for step in game.steps if step.option]
        return sum(step.loss for step in steps) / len(steps)

    assert lost(0.001) < lost(0.02) < lost(0.2)
    with pytest.raises(ValueError, match="temperature lies above 0"):
        ErringBot(0)


def test_bots_have_names():
    ref = referee("pig duel")
    for name in ("optimal", "stop-at-20", "strict-stop-at-25", "roll-4-times", "errs-0.05", "casual"):
        assert bot_named(name, ref).name == name
    assert bot_named("friend", ref) is None
    with pytest.raises(ValueError, match="an opponent is one of optimal, friend"):
        bot_named("stop-at-x", ref)


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"standings": [0]}, "standings has 2 scores"),
        ({"standings": [40, 0]}, "that race is over"),
        ({"seat": 2}, "seat lies below 2"),
        ({"at_risk": 40}, "at_risk lies below 40"),
        ({"roll": [7]}, "cannot occur here"),
        ({"mode": 3}, "cannot occur here"),
        ({"roll": [1]}, "is a bust"),
        ({"roll": [2], "rolling": True}, "either the dice fall next or"),
        ({"colour": 3}, "got 'colour'"),
        ({"turn": -1}, "turn is a whole number"),
    ],
)
def test_positions_that_cannot_occur_are_refused(position, message):
    with pytest.raises(PositionError, match=message):
        referee("pig duel").match.from_json(position)


def test_events_need_a_play_or_a_roll():
    assert judge_of(solve(Race(Pig(), target=5))).match.players == 1
    with pytest.raises(PositionError, match="event 1 has either a play or a roll"):
        Session.replay(referee("pig duel"), [{"seat": 0}])
    with pytest.raises(PositionError, match="event 2 names the roll"):
        Session.replay(referee("pig duel"), [{"play": "roll"}, {"roll": None}])
    with pytest.raises(ValueError, match="there are 2 seats"):
        advance(Session.new(referee("pig duel")), [None])
    with pytest.raises(PositionError, match="not ended after 5 more steps"):
        advance(Session.new(referee("pig duel"), seed=1), [BestBot(), BestBot()], most_steps=5)


def test_a_snapshot_tells_values_only_if_asked():
    session = Session.new(referee("ten thousand duel"), seed=1).choose("roll").roll([1, 2, 3, 4, 5])
    blind, told = session.snapshot(), json.loads(json.dumps(session.snapshot(with_values=True)))
    assert all("value" not in choice for choice in blind["choices"])
    assert told["choices"][0]["rank"] == 0
    assert told["choices"][0]["value"] == pytest.approx(blind["value"])
    assert blind["phase"] == "choose" and blind["position"]["roll"] == [1, 2, 3, 4, 5]


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=6,
)
parts = st.sampled_from(["standings", "seat", "at_risk", "mode", "roll", "rolling", "rolls", "turn", "rolls_made"])


@settings(deadline=None, max_examples=150)
@given(
    st.sampled_from(["pig duel", "pig within", "ten thousand alone", "pick duel"]),
    st.dictionaries(parts, junk | st.lists(st.integers(0, 6), max_size=5), max_size=4),
    st.lists(junk | st.fixed_dictionaries({"roll": junk}) | st.fixed_dictionaries({"play": junk}), max_size=3),
)
def test_whatever_comes_from_outside_is_taken_or_refused_as_a_position(name, position, events):
    ref = referee(name)
    spot = answer(lambda: ref.match.from_json(position))
    assert spot
    if not isinstance(spot, str):
        assert ref.match.from_json(json.loads(json.dumps(ref.match.to_json(spot)))) == spot
        assert all(0 <= value < float("inf") for value in ref.values_at(spot))
    played = answer(lambda: Session.replay(ref, events, seed=1))
    assert played if isinstance(played, str) else len(played.steps) == len(events)


def answer(ask):
    """Return the answer, or the words of the refusal."""
    try:
        return ask()
    except PositionError as refused:
        return str(refused)
