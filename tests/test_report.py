"""The report: luck and skill add up, marks follow their thresholds, and its lines fit a terminal."""

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jeopardice import Pig, Race, TenThousand, solve
from jeopardice.tutor import BestBot, ErringBot, Session, advance, judge_of, report
from jeopardice.tutor.report_words import report_lines
from jeopardice.tutor.words import choice_lines, hint_lines, turn_lines
from tests.sessions import RACES, judged, random_game

SMALL = {
    "exact duel": Race(Pig(), target=14, players=2),
    "exact margin": Race(Pig(sides=4), target=12, players=2, payoff="margin"),
    "exact alone": Race(Pig(), target=25),
    "exact within": Race(Pig(), target=25, within=4),
}
names = st.sampled_from(sorted(RACES))
seeds = st.integers(0, 10**6)


def referee(name):
    return judged(SMALL[name], exact=True) if name in SMALL else judged(RACES[name])


@settings(deadline=None, max_examples=60)
@given(names, seeds, st.integers(0, 200))
def test_luck_and_skill_add_up_to_final_minus_initial(name, seed, steps):
    session = random_game(referee(name), seed, steps)
    told = report(session)
    sign = -1 if told.measure.prefers_less else 1
    for seat in range(session.match.players):
        assert abs(told.remainder(seat)) <= 1e-9
        change = told.final[seat] - told.initial[seat]
        assert change == pytest.approx(told.luck_of(seat) + told.skill_of(seat), abs=1e-9)
    for decision in told.decisions:
        assert decision.skill[decision.seat] == pytest.approx(-sign * decision.loss, abs=1e-11)
    if told.is_over and RACES[name].players == 2 and RACES[name].payoff == "win":
        assert told.final[0] == (told.winners == (0,))


@settings(deadline=None, max_examples=25)
@given(st.sampled_from(sorted(SMALL)), seeds)
def test_luck_and_skill_add_up_exactly_in_fractions(name, seed):
    told = report(random_game(referee(name), seed))
    assert all(told.remainder(seat) == 0 for seat in range(len(told.luck)))
    assert all(isinstance(luck, Fraction | int) for fall in told.falls for luck in fall.luck)


def test_alone_the_final_value_is_the_number_of_turns_or_rolls():
    turns = random_game(referee("pig alone"), 5, 10_000)
    assert turns.value == sum(step.bust or (step.option is not None and step.option.stops) for step in turns.steps)
    rolls = random_game(referee("pig rolls"), 5, 10_000)
    assert rolls.value == sum(step.option is None for step in rolls.steps)


def test_luck_has_mean_zero_over_many_games():
    """Under best play the final value is the initial one plus luck; its mean over games is the solved value."""
    ref = referee("pig duel")
    finals = [advance(Session.new(ref, seed=seed), [BestBot()] * 2).value for seed in range(300)]
    start = ref.solution.value
    assert abs(sum(finals) / 300 - start) <= 4 * (start * (1 - start) / 300) ** 0.5


def test_marks_begin_at_their_thresholds():
    measure = referee("pig duel").measure
    assert measure.thresholds() == {"inaccuracy": 0.005, "mistake": 0.02, "blunder": 0.05}
    assert [measure.mark(loss) for loss in (0.0049, 0.005, 0.02, 0.05)] == [None, "inaccuracy", "mistake", "blunder"]
    assert referee("pig alone").measure.mark(0.5) == "blunder"
    assert referee("pig margin").measure.blunder == pytest.approx(1.5)


def test_a_known_blunder_is_told():
    """A player who stops 4 short of the target while the other has 99 of 100 gives nearly the whole game away."""
    ref = judge_of(solve(Race(Pig(), target=100, players=2)))
    session = Session.new(ref, position={"standings": [90, 99], "at_risk": 6}).choose("stop")
    (decision,) = report(session).decisions
    assert (decision.chosen.play, decision.best.play, decision.mark) == ("stop", "roll", "blunder")
    advice = ref.solution.advise(mine=90, theirs=99, at_risk=6)
    assert decision.loss == pytest.approx(advice.options[0].value - advice.options[1].value)


def test_the_report_is_plain_data():
    told = report(random_game(referee("ten thousand duel"), 3))
    data = json.loads(json.dumps(told.as_json()))
    assert data["final"] - data["initial"] == pytest.approx(sum(data["luck"]) + sum(data["skill"]), abs=1e-9)
    assert sum(roll["luck"] for roll in data["rolls"]) == pytest.approx(sum(data["luck"]), abs=1e-9)
    assert sum(d["loss"] for d in data["decisions"] if d["seat"] == 1) == pytest.approx(data["loss"][1])
    assert data["decisions"][0]["choices"][0] == data["decisions"][0]["best"]


@pytest.mark.parametrize("name", sorted(RACES))
@pytest.mark.parametrize("seat", [0, 1])
def test_lines_fit_eighty_columns_and_show_every_lost_choice(name, seat):
    ref = referee(name)
    seat = seat if ref.match.players == 2 else 0
    bots = [ErringBot(ref.measure.blunder, n) for n in range(ref.match.players)]
    session = advance(Session.new(ref, seed=8), bots)
    told = report(session)
    players = ["you"] if ref.match.players == 1 else ["optimal", "you"] if seat else ["you", "optimal"]
    lines = report_lines(session, told, players, seat=seat)
    lost = [d for d in told.decisions if d.seat == seat and not d.is_best]
    assert sum(line.startswith(" ") and line.split()[0].isdigit() for line in lines) == len(lost)
    full = report_lines(session, told, players, seat=seat, full=True)
    best = [d for d in told.decisions if d.seat == seat and d.is_best]
    assert len(full) - len(lines) == len(best) + (not lost and bool(best))
    story = turn_lines(ref, session.steps, players)
    assert len(story) >= ref.match.players
    middle = session.undo(len(session.steps) - next(n for n, s in enumerate(session.steps) if s.option))
    asked = [*hint_lines(middle), *choice_lines(middle), *choice_lines(middle, columns=True)]
    talk = [*lines, *full, *story, *asked]
    assert max(map(len, talk)) <= 80


def test_ten_thousand_at_full_length_fits_too():
    ref = judge_of(solve(Race(TenThousand(), target=10_000)))
    session = advance(Session.new(ref, seed=1), [ErringBot(0.3)])
    lines = report_lines(session, report(session), ["you"], full=True)
    assert len(lines) > 50 and max(map(len, lines)) <= 80
