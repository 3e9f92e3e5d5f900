"""Chances before a race is solved: near the solved ones, and what the formula says."""

import random
from functools import cache
from math import prod

import numpy as np
import pytest

from jeopardice import Farkle, Hog, Pig, Race, solve
from jeopardice.family import family_of
from jeopardice.points.estimated import estimated_race
from jeopardice.tutor import Session, judge_of

RACES = [
    Race(Pig(), target=60, players=2),
    Race(Pig(), target=25, players=3),
    Race(Pig(), target=100, players=2, last_round=True, ties="share"),
    Race(Pig(sides=5, bust=(2, 3)), target=25, players=2, bank_from=6, busts=2, penalty=5),
    Race(Pig(), target=40, players=2, open_from=12, finish="exact"),
    Race(Pig(), target=40, players=2, opponent=Pig(sides=8)),
    Race(Hog(dice_limit=5), target=40, players=2),
    Race(Farkle.named("zilch"), target=2000, players=2, open_from=500, last_round=True),
]


def played(judge, games):
    """Spots of a few games in which any play is as likely as the others."""
    dice = random.Random(5)
    for seed in range(games):
        session = Session.new(judge, seed=seed)
        for _ in range(80):
            if session.phase == "over":
                break
            yield session.spot
            session = session.roll() if session.phase == "roll" else session.choose(dice.choice(session.options))


@pytest.mark.parametrize("goal", RACES, ids=range(len(RACES)))
def test_nine_of_ten_estimates_are_as_near_to_the_solved_chance_as_they_say(goal):
    judge, solved = family_of(goal.game).judge_at_once(goal), judge_of(solve(goal))
    assert judge.measure.is_estimate and judge.measure.spread
    off = []
    for spot in played(judge, games=12):
        values = judge.values_at(spot)
        assert sum(values) == pytest.approx(1) and min(values) >= 0
        off += [abs(value - right) for value, right in zip(values, solved.values_at(spot), strict=True)]
        if not spot.rolling:
            assert {o.play for o in judge.options_at(spot)} == {o.play for o in solved.options_at(spot)}
    assert np.quantile(off, 0.9) <= judge.measure.spread


def test_what_a_bank_is_worth_is_worked_out_from_the_rules_of_pig_alone():
    """Three play Pig to 12: each alone has the best chance F(n) of being home within n turns; then the formula."""
    target, rows = 12, len(estimated_race(Race(Pig(), target=12, players=3)).home[0])

    @cache
    def home(score, turns):
        if score >= target:
            return 1.0
        if turns == 0:
            return 0.0
        if turns == rows - 1:
            return 1.0

        @cache
        def worth(at_risk):
            if score + at_risk >= target:
                return 1.0
            roll = (home(score, turns - 1) + sum(worth(at_risk + face) for face in range(2, 7))) / 6
            return max(roll, home(score + at_risk, turns - 1)) if at_risk else roll

        return worth(0)

    def first(mine, others):
        return sum(
            (home(mine, n) - home(mine, n - 1)) * prod(1 - home(other, n) for other in others) for n in range(1, rows)
        )

    estimate = estimated_race(Race(Pig(), target=12, players=3))
    records = tuple(table.records[0] for table in estimate.tables)
    for standings in ((0, 0, 0), (3, 8, 11), (9, 2, 5)):
        view = estimate.view(standings, records, 1)
        others = (standings[2], standings[0])
        assert view.bust == pytest.approx(first(standings[1], others))
        banks = [first(standings[1] + t, others) for t in range(2, target - standings[1])]
        assert [view.bank(t) for t in range(2, target - standings[1])] == pytest.approx(banks)
        assert view.bank(target - standings[1]) == 1


def test_a_race_that_takes_long_even_to_estimate_is_judged_by_its_turns():
    assert estimated_race(Race(Farkle(), target=100_000, players=2)) is None
    assert family_of(Farkle()).judge_at_once(Race(Farkle(), target=100_000, players=2)).measure.name != "win chance"
