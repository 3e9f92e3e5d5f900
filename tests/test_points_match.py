"""The match of points games: the rules between turns, played out from the rules alone."""

import json
import random
from fractions import Fraction

import pytest

from jeopardice import Pig, Play, PositionError, Race, TenThousand, Turn, solve
from jeopardice.points.judge import PointsJudge
from jeopardice.points.match import match_of
from jeopardice.rules.house import Record


def stop(match, spot):
    return match.after_play(spot, next(play for play in match.plays(spot) if play.stops))


def roll(match, spot, *faces):
    """Roll these faces one after the other, rolling on after each."""
    for face in faces:
        if not spot.rolling:
            spot = match.after_play(spot, next(play for play in match.plays(spot) if not play.stops))
        spot = match.after_roll(spot, (face,))
    return spot


def turn(match, spot, *faces):
    """Roll these faces and stop, or bust with the last one."""
    before, spot = spot.turn, roll(match, spot, *faces)
    return spot if spot.turn > before else stop(match, spot)


def test_the_dice_go_round_the_table_and_a_bust_loses_what_was_at_risk():
    match = match_of(Race(Pig(), target=20, players=3))
    spot = turn(match, match.start(), 5, 6)
    assert (spot.standings, spot.seat, spot.turn) == ((11, 0, 0), 1, 1)
    spot = turn(match, spot, 5, 1)
    assert (spot.standings, spot.seat) == ((11, 0, 0), 2)
    spot = turn(match, turn(match, spot, 4), 6, 3)
    assert match.is_over(spot) and spot.standings == (20, 0, 4) and match.returns(spot) == (1, 0, 0)
    assert match.plays(spot) == () and match.rolls(spot) == {}


def test_a_minimum_restricts_the_choice_to_stop_unless_the_target_is_reached():
    match = match_of(Race(Pig(), target=12, players=2, bank_from=4, open_from=8))
    spot = roll(match, match.start(), 6)
    assert [play.stops for play in match.plays(spot)] == [False]
    spot = stop(match, roll(match, spot, 3))
    assert spot.standings == (9, 0) and spot.records == (Record(True), Record(False))
    spot = roll(match, turn(match, spot, 1), 2)
    assert [play.stops for play in match.plays(spot)] == [False]
    spot = roll(match, spot, 2)
    assert [play.stops for play in match.plays(spot)] == [True], "13 reaches the target, so nobody rolls on"
    near = match.from_json({"standings": [9, 0], "records": [[True, 0], [False, 0]]})
    assert [play.stops for play in match.plays(roll(match, near, 3))] == [True], "3 points reach the target"


def test_a_third_bust_in_a_row_costs_the_penalty_down_to_the_floor_and_a_bank_forgets_busts():
    match = match_of(Race(Pig(), target=50, players=1, busts=2, penalty=7))
    spot = turn(match, match.start(), 5)
    spot = turn(match, turn(match, spot, 1), 6)
    assert (spot.standings, spot.records) == ((11,), (Record(True, 0),))
    spot = turn(match, spot, 1)
    assert (spot.standings, spot.records) == ((11,), (Record(True, 1),))
    spot = turn(match, spot, 1)
    assert (spot.standings, spot.records) == ((4,), (Record(True, 0),))
    assert turn(match, turn(match, spot, 1), 1).standings == (0,)
    below = match_of(Race(Pig(), target=50, busts=1, penalty=7, floor=None))
    assert turn(below, below.start(), 1).standings == (-7,)
    all_of_it = match_of(Race(Pig(), target=50, busts=1, penalty="all"))
    assert turn(all_of_it, turn(all_of_it, all_of_it.start(), 5), 1).standings == (0,)


@pytest.mark.parametrize(("ties", "returns"), [("first", (1, 0, 0)), ("share", (0.5, 0, 0.5)), ("last", (0, 0, 1))])
def test_after_the_target_everyone_else_has_one_more_turn(ties, returns):
    match = match_of(Race(Pig(), target=10, players=3, last_round=True, ties=ties))
    spot = roll(match, match.start(), 6, 5)
    assert [play.stops for play in match.plays(spot)] == [True, False], "a higher score may be wanted"
    spot = turn(match, stop(match, spot), 6, 1)
    assert not match.is_over(spot) and spot.finisher == 0
    assert json.loads(json.dumps(match.to_json(spot)))["finisher"] == 0
    spot = turn(match, spot, 6, 5)
    assert match.is_over(spot) and spot.standings == (11, 0, 11)
    assert match.returns(spot) == returns


def test_an_overshoot_of_a_target_that_must_be_hit_is_a_bust():
    match = match_of(Race(Pig(), target=10, players=2, finish="exact", busts=2, penalty=3))
    spot = turn(match, turn(match, match.start(), 6), 4)
    spot = turn(match, spot, 5)
    assert (spot.standings, spot.records[0], match.is_over(spot)) == ((6, 4), Record(True, 1), False)
    assert match.returns(turn(match, turn(match, spot, 2), 4)) == (1, 0)


class EndsAtOnce:
    """A roll that may bank nothing, or 2 points whatever the minimum."""

    opening = 0

    def rolls(self, mode):
        return {"none": 1, "two": 1, "bust": 1}

    def plays(self, mode, roll):
        return {"none": [Play(0, None)], "two": [Play(2, None)], "bust": []}[roll]


def test_a_play_that_ends_the_turn_banks_whatever_the_minimum_and_banking_nothing_is_a_bust():
    match = match_of(Race(EndsAtOnce(), target=10, bank_from=5, busts=2, penalty=1))
    rolling = match.after_play(match.start(), match.plays(match.start())[0])
    assert stop(match, match.after_roll(rolling, "two")).standings == (2,)
    assert stop(match, match.after_roll(rolling, "none")).records == (Record(True, 1),)


class MustRoll(Pig):
    """A 6 has to be rolled on."""

    def plays(self, mode, roll):
        return [Play(play.points, "again" if roll == (6,) else 0) for play in super().plays(mode, roll)]

    def may_stop(self, mode):
        return mode != "again"


def test_a_game_may_forbid_a_stop_even_at_the_target():
    match = match_of(Race(MustRoll(), target=10, players=2))
    assert [play.stops for play in match.plays(roll(match, match.start(), 6))] == [False]
    assert [play.stops for play in match.plays(roll(match, match.start(), 5, 6))] == [False]
    assert [play.stops for play in match.plays(roll(match, match.start(), 6, 4))] == [True]


def test_the_next_player_may_take_over_dice_and_points():
    match = match_of(Race(TenThousand(), target=1000, players=2, piggyback=True))
    spot = match.after_play(match.start(), match.plays(match.start())[0])
    spot = match.after_roll(spot, (1, 1, 2, 3, 4))
    both = next(play for play in match.plays(spot) if play.stops and play.points == 200)
    offered = match.after_play(spot, both)
    assert offered.offer == (200, 3) and offered.standings == (200, 0)
    fresh, taken = match.plays(offered)
    assert (fresh.points, taken.points, taken.mode, taken.takes_over) == (0, 200, 3, True)
    assert match.after_play(offered, taken).at_risk == 200 and match.after_play(offered, fresh).mode == 5
    assert match.from_json(json.loads(json.dumps(match.to_json(offered)))) == offered


def test_one_turn_is_over_after_its_bank_or_bust():
    match = match_of(Turn(Pig(), bank_from=8))
    spot = roll(match, match.start(), 5)
    assert [play.stops for play in match.plays(spot)] == [False]
    over = stop(match, roll(match, spot, 4))
    assert match.is_over(over) and match.returns(over) == (9,)
    assert match.returns(turn(match, match.start(), 1)) == (0,)


RACES = {
    "duel": Race(Pig(), 15, players=2),
    "margin": Race(Pig(sides=4), 8, players=2, payoff="margin"),
    "must hit": Race(Pig(), 10, players=2, finish="exact"),
    "alone": Race(Pig(), 15, bank_from=4),
    "rolls": Race(Pig(), 12, cost="rolls"),
    "within": Race(Pig(), 15, within=3),
    "two games": Race(Pig(), 12, players=2, opponent=Pig(sides=8)),
    "dice": Race(TenThousand(), 600, players=2),
    "turn": Turn(TenThousand()),
    "last round": Race(Pig(), 10, players=2, last_round=True),
    "last round, shared": Race(TenThousand(), 400, players=2, last_round=True, ties="share"),
    "last round, ties to the last": Race(Pig(sides=4), 8, players=2, last_round=True, ties="last"),
    "penalty": Race(Pig(), 12, players=2, busts=2, penalty=5),
    "penalty alone": Race(Pig(), 12, busts=2, penalty="all"),
    "open": Race(Pig(), 15, players=2, open_from=8, bank_from=3),
    "open, last round": Race(Pig(sides=4), 8, players=2, open_from=4, last_round=True),
}


@pytest.mark.parametrize("name", RACES)
def test_values_are_means_over_rolls_and_best_over_plays_and_positions_can_be_written_down(name):
    judge = PointsJudge(solve(RACES[name]))
    match, dice = judge.match, random.Random(name)
    sign = -1 if judge.measure.prefers_less else 1
    assert judge.values_at(match.start())[0] == pytest.approx(float(judge.solution.value), abs=1e-12)
    for _ in range(6):
        spot = match.start()
        for _ in range(30):
            values = judge.values_at(spot)
            if match.is_over(spot):
                assert values == match.returns(spot)
                break
            assert match.from_json(json.loads(json.dumps(match.to_json(spot)))) == spot
            if rolls := match.rolls(spot):
                after = [(weight, judge.values_at(match.after_roll(spot, r))) for r, weight in rolls.items()]
                for seat, value in enumerate(values):
                    mean = sum(weight * float(each[seat]) for weight, each in after) / sum(rolls.values())
                    assert value == pytest.approx(mean, abs=1e-9)
                spot = match.after_roll(spot, dice.choices(list(rolls), list(rolls.values()))[0])
                continue
            options = judge.options_at(spot)
            assert {option.match_play for option in options} == set(match.plays(spot))
            assert len({option.play for option in options}) == len(options)
            mine = [judge.values_at(match.after_play(spot, o.match_play))[match.seat(spot)] for o in options]
            assert [sign * float(value) for value in mine] == sorted([sign * float(v) for v in mine], reverse=True)
            assert values[match.seat(spot)] == pytest.approx(float(mine[0]), abs=1e-9)
            spot = match.after_play(spot, dice.choice(options).match_play)


def test_values_of_an_exact_solution_are_fractions():
    judge = PointsJudge(solve(Race(Pig(sides=3), 4, players=2), exact=True))
    assert all(isinstance(value, Fraction) for value in judge.values_at(judge.match.start()))


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ({"standings": [3]}, "standings has 2 scores"),
        ({"seat": 2}, "seat lies below 2"),
        ({"standings": [20, 0]}, "that race is over"),
        ({"at_risk": 15}, "at_risk lies below 15"),
        ({"roll": [7]}, "cannot occur here"),
        ({"roll": [1]}, "is a bust"),
        ({"roll": [4], "rolling": True}, "either the dice fall next"),
        ({"turn": -1}, "turn is a whole number from 0"),
        ({"offer": [3, 0]}, "where piggyback is played"),
        ({"finisher": 0}, "before a last round"),
        ({"records": [[True, 4], [True, 0]]}, "record=.* cannot occur here"),
        ({"cards": 1}, "got 'cards'"),
    ],
)
def test_a_position_that_cannot_occur_is_refused(position, words):
    match = match_of(RACES["duel"])
    with pytest.raises(PositionError, match=words):
        match.from_json(position)
