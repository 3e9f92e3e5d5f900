"""A last round for three and more: the values, the certificate, and the play of the last turns."""

import random
from fractions import Fraction

import numpy as np
import pytest

from jeopardice import Hog, Pig, PositionError, Race, RulesError, TenThousand, load, solve
from jeopardice.analysis.several import seat_chances
from jeopardice.points.many import ManyTables, certify_many, solve_many
from jeopardice.points.match import match_of
from jeopardice.points.race_table import race_tables
from jeopardice.points.strategy import StopAt
from jeopardice.tutor import judge_of
from tests.conftest import Coin, Listed
from tests.many_reference import reply_values, settled_values

LATE = {"players": 3, "finish": "exact", "last_round": True, "ties": "last"}
FORCED = Listed((((3, ((2, 1), (2, None), (4, 1))), (5, ((4, None),)), (1, ())), ((1, ()),)))
EITHER = Listed((((2, ((0, 1), (2, 1), (1, None))), (1, ())), ((5, ((1, None),)), (3, ()))))
LAST_WAITS = Race(FORCED, 2, opponents=(EITHER, FORCED), **LATE)
"""Seat 2 gets 2/9 by a stop and by a bust alike, and must bust: the rule for the indifferent finds no equilibrium."""
SELDOM_FIRST = Race(
    Listed((((3, ((2, None), (0, None))), (1, ((2, 1),)), (3, ((2, None), (1, None), (0, None))), (3, ())),
            ((4, ((1, None),)), (1, ())))), 3, open_from=3, opponents=(
        Listed((((3, ((1, 1), (1, 2), (2, None))), (1, ())),
                ((1, ((1, 2), (0, 2), (2, 2))), (4, ((1, None), (2, None), (1, 2))), (2, ())),
                ((6, ((2, None),)), (3, ((1, None),)), (3, ())))),
        Listed((((1, ((0, 1), (2, None), (2, 1))), (5, ((0, 1),)), (3, ())), ((1, ((2, None),)), (1, ())))),
    ), **LATE)  # fmt: skip
"""Two players mix, one of them with a share of 0.035: Newton from the middle leaves all chances."""
TWICE_TIED = Listed((((3, ((0, 1), (0, None), (1, 1))), (2, ((2, None), (2, 1), (0, 1))), (4, ((0, None), (2, None))), (1, ())),
                     ((9, ((1, None),)), (5, ((1, None), (2, None))), (2, ()))))  # fmt: skip
TWO_TIES = Race(TWICE_TIED, 1, opponents=(
    Listed((((2, ((1, 1), (0, 1))), (1, ((2, None), (1, None))), (5, ((0, 1), (2, None))), (2, ())),
            ((5, ((2, None),)), (2, ())))), TWICE_TIED), **LATE)  # fmt: skip
"""A turn may come to two ties one after the other: shares of plans are not shares of each moment."""


@pytest.mark.parametrize("ties", ["first", "share", "last"])
@pytest.mark.parametrize(("game", "target", "finish"), [(TenThousand(), 1000, "reach"), (Pig(sides=4), 12, "exact")])
def test_two_players_are_the_pair_engine(game, target, finish, ties):
    goal = Race(game, target, players=2, last_round=True, ties=ties, finish=finish)
    many, pair = ManyTables(race_tables(goal), ending=goal.ending), solve(goal)
    values = solve_many(many)
    worst = np.abs(values.worths[0][..., 0] - pair.worths[0]).max()
    assert worst < 1e-12
    assert sum(certify_many(many, values)) < 1e-11


@pytest.mark.parametrize(
    ("game", "target", "players", "ties", "cap"),
    [
        (Coin(), 2, 3, "first", 6),
        (Coin(), 2, 3, "share", 6),
        (Coin(), 2, 3, "last", 6),
        (Coin(), 1, 4, "share", 3),
        (Pig(sides=3, bust=(1, 2)), 4, 3, "last", 13),
    ],
)
def test_values_are_those_of_a_sweep_over_the_match(game, target, players, ties, cap):
    """Every position, also within the last round, as far from the cap as best play stays."""
    goal = Race(game, target, players=players, last_round=True, ties=ties)
    solution, reference = solve(goal), settled_values(match_of(goal), cap=cap)
    assert solution.error_bound < 1e-11
    for spot, chances in reference.items():
        if max(spot.standings) <= target + 1:
            order = [(spot.seat + j) % players for j in range(players)]
            mine, *theirs = (spot.standings[seat] for seat in order)
            values = solution.values_at(mine, tuple(theirs), seat=spot.seat)
            assert values == pytest.approx([chances[seat] for seat in order], abs=1e-12)


@pytest.mark.parametrize(
    ("goal", "cap"),
    [
        (Race(Coin(), 2, players=3, last_round=True, ties="last"), 5),
        (Race(Coin(), 2, players=3, last_round=True, ties="share", opponents=(Pig(sides=2), Pig(sides=3))), 5),
        (Race(Pig(sides=3), 4, players=3, last_round=True, ties="share", finish="exact", open_from=2), 6),
        (Race(Hog(dice_limit=2, sides=3), 3, players=3, last_round=True, bank_from=2), 9),
        (LAST_WAITS, 6),
        (SELDOM_FIRST, 7),
        (TWO_TIES, 5),
    ],
)
def test_nobody_gains_by_another_strategy(goal, cap):
    """The play that the judge gives, mixtures included, written out over the match against a best response."""
    solution = solve(goal)
    assert not solution.solved.unsettled and solution.error_bound < 1e-10
    judge = judge_of(solution)

    def choose(spot):
        options = judge.options_at(spot)
        if options[0].share is None:
            return [(options[0].match_play, 1.0)]
        return [(o.match_play, o.share) for o in options if o.share]

    own, best = reply_values(judge.match, choose, 1, cap=cap)
    assert own == pytest.approx(solution.values, abs=1e-9)
    assert best[1] <= solution.values[1] + 1e-9


def test_who_can_bust_for_ever_where_nobody_else_banks_gains_a_draw():
    """The others land past the target with every turn: busting for ever is worth 1/3, more than the play found."""
    game = Listed(
        (((1, ((2, 1),)), (1, ((4, 1),)), (2, ((2, None), (4, None))), (3, ())), ((2, ((4, None), (2, None))), (2, ())))
    )
    others = (
        Listed((((5, ((2, None), (1, None))), (3, ())), ((3, ((2, None),)), (5, ((1, None), (2, None))), (2, ())))),
        Listed((((3, ((2, None), (0, 1))), (4, ((4, 1), (0, None))), (1, ())),
                ((5, ((4, None),)), (1, ((2, None), (4, None))), (1, ())))),
    )  # fmt: skip
    solution = solve(Race(game, 2, bank_from=3, opponents=others, **LATE))
    assert solution.deviation_gain > 0.09 and solution.error_bound is None


def test_the_smallest_mixed_example_by_hand():
    """Worked out by hand in docs/more-players.md."""
    die = Listed((((5, ((1, 0),)), (7, ())),))
    solution = solve(Race(die, 1, players=3, finish="exact", last_round=True, ties="last"))
    assert solution.values == pytest.approx([49 / 144, 46 / 144, 49 / 144], abs=1e-15)
    assert [place.share for place in solution.mixed] == pytest.approx([18 / 35], abs=1e-12)


@pytest.mark.parametrize("ties", ["first", "share", "last"])
def test_values_are_fair_through_games_and_games_come_out_as_it_says(ties):
    solution = solve(Race(Pig(), 12, players=3, last_round=True, ties=ties))
    judge = judge_of(solution)
    match, dice, games, won = judge.match, random.Random(3), 800, [Fraction(0)] * 3
    for number in range(games):
        spot = match.start()
        while not match.is_over(spot):
            if spot.rolling:
                rolls = match.rolls(spot)
                if number < 12:
                    after = [(w, judge.values_at(match.after_roll(spot, roll))) for roll, w in rolls.items()]
                    mean = [sum(w * v[seat] for w, v in after) / sum(rolls.values()) for seat in range(3)]
                    assert judge.values_at(spot) == pytest.approx(mean, abs=1e-12)
                spot = match.after_roll(spot, dice.choices(list(rolls), list(rolls.values()))[0])
            else:
                options = judge.options_at(spot)
                shares = [o.share or 0.0 for o in options]
                best = dice.choices(options, shares)[0] if any(shares) else options[0]
                spot = match.after_play(spot, best.match_play)
        won = [a + b for a, b in zip(won, match.returns(spot), strict=True)]
    for seat, chance in enumerate(solution.values):
        assert abs(float(won[seat]) / games - chance) < 4 * (chance * (1 - chance) / games) ** 0.5


def test_advice_within_the_last_round():
    """Pig to 20, a tie goes to the first: 22 behind 21 wins for the last; the one before looks at who is to come."""
    solution = solve(Race(Pig(), 20, players=3, last_round=True))
    last = {"mine": 15, "theirs": (21, 4)}
    assert solution.advise(**last, at_risk=6).best.play == "roll"
    (stop,) = [o for o in solution.advise(**last, at_risk=7).options if o.stops]
    assert stop.value == 1
    assert solution.values_at(15, (21, 30))[1] == 0 and solution.values_at(15, (21, 21))[2] == 0
    ahead = solution.advise(mine=15, theirs=(18, 21), at_risk=7)
    assert ahead.best.play == "roll" and 0 < ahead.best.value < 1
    assert sum(solution.values_at(15, (18, 21))) == pytest.approx(1, abs=1e-13)


def test_saved_and_loaded(tmp_path):
    goal = Race(Pig(), 8, players=3, last_round=True, ties="share", opponents=(Pig(sides=8), Pig()))
    solution = solve(goal, indifferent="roll")
    again = load(solution.save(tmp_path / "saved"))
    assert again.values == solution.values and again.error_bound == solution.error_bound
    for position in ({"mine": 5, "theirs": (0, 7)}, {"mine": 5, "theirs": (6, 9), "at_risk": 4}):
        assert again.advise(**position, seat=1).options == solution.advise(**position, seat=1).options


def test_refused():
    goal = Race(Pig(), 8, players=3, last_round=True)
    with pytest.raises(RulesError, match="last_round"):
        seat_chances(goal, None, StopAt(5), StopAt(5))
    solution = solve(goal)
    with pytest.raises(PositionError, match="other 2 players"):
        solution.values_at(3, (9,))
    with pytest.raises(PositionError, match="below the target"):
        solution.values_at(9, (9, 0))
