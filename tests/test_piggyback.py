"""Races with piggyback: the next player may take over the dice left and the points just banked."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jeopardice
from jeopardice import Farkle, Hog, Pig, Play, TenThousand, solve
from jeopardice.analysis.several import simulate_seats
from jeopardice.errors import PositionError, RulesError, TooLargeError
from jeopardice.family import family_of
from jeopardice.points.match import match_of
from jeopardice.points.named_strategies import strategies_by_name
from jeopardice.points.simulate import simulate
from jeopardice.rules.goal import Race
from jeopardice.tutor.judges import judge_of
from tests.conftest import Coin, Listed, listed_games, ugly_games


@dataclass(frozen=True)
class Kept(Listed):
    """A game written out whose plays say which dice they set aside, and so which are left."""

    must_roll: tuple[int, ...] = ()

    def plays(self, mode, roll):
        offered = self.offers[mode][roll][1]
        return [Play(points, to, (number,)) for number, (points, to) in enumerate(offered)]

    def may_stop(self, mode):
        return mode not in self.must_roll


@dataclass(frozen=True)
class Quitter:
    """One may throw a turn away."""

    opening: ClassVar[int] = 0

    def rolls(self, mode):
        return {"heads": 1, "tails": 1}

    def plays(self, mode, roll):
        return [Play(1, 0), Play(0, None)] if roll == "heads" else []


def piggyback(game, target, **rules):
    return Race(game, target, players=2, piggyback=True, **rules)


def same_spot(spot, target):
    """Return a spot without its counts; points at risk beyond the target, with dice that must be rolled, are alike."""
    unit = 50 if target > 100 else 1
    enough = -((spot.standings[spot.seat] - target) // unit) * unit
    at_risk = min(spot.at_risk, enough) if enough > 0 else spot.at_risk
    return replace(spot, turn=0, rolls=0, rolls_made=0, at_risk=at_risk)


def swept(goal, sweeps=4000):
    """Return (lower, upper) values of every spot of the match, by value iteration over the rules alone."""
    match = match_of(goal)
    scale = 1 if goal.payoff == "win" else goal.target

    def plain(spot):
        return same_spot(spot, goal.target)

    start = plain(match.start())
    known, waiting = {start: None}, [start]
    after, first = {}, {}
    while waiting:
        spot = waiting.pop()
        if match.is_over(spot):
            first[spot] = float(match.returns(spot)[0])
            continue
        if rolls := match.rolls(spot):
            total = sum(rolls.values())
            after[spot] = [(weight / total, plain(match.after_roll(spot, roll))) for roll, weight in rolls.items()]
        else:
            after[spot] = [(None, plain(match.after_play(spot, play))) for play in match.plays(spot)]
        for _, later in after[spot]:
            if later not in known:
                known[later] = None
                waiting.append(later)
    order = sorted(after, key=lambda s: (sum(s.standings), s.at_risk, s.rolling, s.offer is None))[::-1]
    low, high = (dict.fromkeys(known, end) for end in ((0.0, 1.0) if scale == 1 else (-scale, scale)))
    for values in (low, high):
        values.update(first)
        for _ in range(sweeps):
            moved = 0.0
            for spot in order:
                if after[spot][0][0] is not None:
                    value = sum(chance * values[later] for chance, later in after[spot])
                else:
                    value = (max, min)[spot.seat](values[later] for _, later in after[spot])
                moved, values[spot] = max(moved, abs(value - values[spot])), value
            if moved < 1e-15 * scale:
                break
    return start, low, high


EVERY = [
    piggyback(Coin(), 4),
    piggyback(Pig(), 8),
    piggyback(Pig(sides=3), 7, payoff="margin"),
    piggyback(Pig(sides=3, bust=(2,)), 9, bank_from=4),
    piggyback(Pig(sides=3), 8, open_from=4),
    piggyback(TenThousand(dice=2), 250),
    piggyback(Farkle(dice=2, hot_dice="must"), 250),
    piggyback(Farkle(dice=2, hot_dice="must"), 220, payoff="margin"),
]


@pytest.mark.parametrize("goal", EVERY, ids=str)
def test_every_position_and_offer_is_worth_what_the_match_says(goal):
    """Value iteration over the spots of the match, from the rules, encloses every solved value."""
    solution, (start, low, high) = solve(goal), swept(goal)
    slack = solution.error_bound + 1e-11 * (1 if goal.payoff == "win" else goal.target)
    assert solution.error_bound < 1e-10
    assert low[start] - slack <= solution.value <= high[start] + slack
    assert high[start] - low[start] < 1e-9 * (1 if goal.payoff == "win" else goal.target)
    checked = 0
    for spot in low:
        if (
            spot.at_risk
            or spot.rolling
            or spot.rolls
            or (spot.roll is not None and spot.roll != ())
            or max(spot.standings) >= goal.target
        ):
            continue
        mine, theirs = spot.standings[spot.seat], spot.standings[1 - spot.seat]
        value = solution.at(mine, theirs, offer=spot.offer, seat=spot.seat)
        first = value if spot.seat == 0 else solution.total - value
        assert low[spot] - slack <= first <= high[spot] + slack
        checked += spot.offer is not None
    assert checked


@pytest.mark.parametrize("goal", EVERY[1:3] + EVERY[4:], ids=str)
def test_the_judge_agrees_with_the_match_at_every_spot(goal):
    """What `options_at` and `values_at` say of moments inside turns is what value iteration finds."""
    judge, (_, low, high) = judge_of(solve(goal)), swept(goal)
    match, slack = match_of(goal), 1e-9 * (1 if goal.payoff == "win" else goal.target)
    for number, spot in enumerate(low):
        if number % 7 and spot.offer is None:
            continue
        assert low[spot] - slack <= float(judge.values_at(spot)[0]) <= high[spot] + slack
        for option in judge.options_at(spot):
            after = same_spot(match.after_play(spot, option.match_play), goal.target)
            first = option.value if spot.seat == 0 else match.ending.total - option.value
            assert low[after] - slack <= float(first) <= high[after] + slack
        if not match.is_over(spot):
            assert match.from_json(match.to_json(spot)) == spot


@settings(max_examples=60)
@given(st.one_of(listed_games(), ugly_games()), st.integers(1, 7), st.integers(0, 4), st.booleans(), st.data())
def test_random_games_are_worth_what_the_match_says(listed, target, least, first_only, data):
    """Floats, fractions and value iteration agree for random games, ugly ones among them, or the race is refused."""
    must_roll = data.draw(st.sets(st.integers(1, 2))) if len(listed.offers) > 1 else ()
    rules = {"open_from": least} if first_only else {"bank_from": least}
    goal = piggyback(Kept(listed.offers, tuple(must_roll)), target, **rules)
    try:
        solution = solve(goal)
    except RulesError:
        return
    exact = solve(goal, exact=True)
    bound = solution.error_bound
    if bound is not None:
        assert abs(Fraction(solution.value) - exact.value) <= Fraction(bound)
    start, low, high = swept(goal, 400)
    assert low[start] - 1e-12 <= exact.value <= high[start] + 1e-12


def test_ten_thousand_to_1000():
    """The value that an independent program found."""
    solution = solve(piggyback(TenThousand(), 1000))
    assert solution.value == pytest.approx(0.570416232115, abs=5e-13)
    assert solution.values == (solution.value, 1 - solution.value)
    assert solution.error_bound < 1e-12


@pytest.mark.parametrize("goal", [piggyback(TenThousand(), 350), piggyback(Pig(), 15), EVERY[2], EVERY[6]], ids=str)
def test_floats_lie_within_their_bound_of_the_fractions(goal):
    solution, exact = solve(goal), solve(goal, exact=True)
    bound, table = Fraction(solution.error_bound), solution.race.table
    assert isinstance(exact.value, Fraction) and exact.error_bound == 0
    for mine in range(table.scores):
        for theirs in range(table.scores):
            found = Fraction(solution.solved.begun(mine, theirs))
            assert abs(found - exact.solved.begun(mine, theirs)) <= bound
            for units in range(1, theirs + 1):
                for mode in range(len(table.turn.modes)):
                    found = Fraction(solution.solved.taken(mine, theirs, units, mode))
                    assert abs(found - exact.solved.taken(mine, theirs, units, mode)) <= bound
    position = {"mine": 0, "theirs": table.unit * (table.scores - 1), "offer": (table.unit, table.turn.modes[0])}
    advice, exactly = solution.advise(**position), exact.advise(**position)
    for option in advice.options:
        same = next(o for o in exactly.options if o.match_play == option.match_play)
        assert abs(Fraction(option.value) - same.value) <= Fraction(advice.error_bound)


def test_any_number_of_threads_gives_the_same_bits():
    goal = piggyback(TenThousand(), 1500)
    one, two = solve(goal, threads=1), solve(goal, threads=3)
    assert (one.solved.worth == two.solved.worth).all() and (one.solved.rolled == two.solved.rolled).all()
    assert one.certify(threads=1).certificate == two.certify(threads=3).certificate


def test_offers_decide_the_advice():
    """A good offer is taken, a poor one is not; beyond the own target any roll that does not bust wins."""
    solution = solve(piggyback(TenThousand(), 1000))
    assert solution.advise(mine=500, theirs=600, offer=(300, 4)).best.play == "take over 300, roll 4 dice"
    assert solution.advise(mine=500, theirs=600, offer=(300, 2)).best.play == "roll"
    beyond = solution.advise(mine=900, theirs=600, offer=(600, 5)).best
    bust, miss = Fraction(1 - solution.at(600, 900)), Fraction(25, 324)
    assert beyond.value == pytest.approx(float(1 - miss + miss * bust), abs=1e-12)
    assert solution.at(900, 600, offer=(600, 5)) == beyond.value
    after = solution.advise(mine=900, theirs=600, at_risk=600, dice=2, roll=(1, 5))
    assert after.best.stops and after.value == 1
    assert solve(piggyback(Pig(), 20)).at(5, 9, offer=4) > 0


def test_a_saved_solution_is_the_same(tmp_path):
    solution = solve(piggyback(TenThousand(), 600))
    solution.save(tmp_path / "race")
    again = jeopardice.load(tmp_path / "race")
    position = {"mine": 200, "theirs": 400, "offer": (250, 3)}
    assert again.value == solution.value and again.error_bound == solution.error_bound
    assert again.advise(**position).options == solution.advise(**position).options
    assert len(list(again.rows())) == 144


def test_best_play_wins_as_often_as_solved():
    """Games played move by move, by the judge and by the strategy, within 4 standard errors."""
    goal = piggyback(Pig(), 20)
    solution, match = solve(goal), match_of(goal)
    strategies = strategies_by_name(("optimal", "optimal"), goal)
    played = simulate_seats(goal, *strategies, games=6000, seed=3)
    assert played.wins[0].is_near(solution.value)
    judge, family = judge_of(solution), family_of(goal.game)
    _, low, _ = swept(piggyback(Pig(), 9))
    for spot in low:
        if match.plays(spot):
            chosen = family.play_of(strategies[spot.seat], match, spot)
            worths = {option.match_play: option.value for option in judge.options_at(spot)}
            assert worths[chosen] == pytest.approx(max(worths.values()), abs=1e-12)


def test_nobody_does_better_than_best_play():
    goal = piggyback(Pig(), 30)
    best, thumb = strategies_by_name(("optimal", "stop-at-20"), goal)
    played = simulate_seats(goal, best, thumb, games=3000, seed=5)
    assert played.wins[0].mean > solve(goal).value - 4 * played.wins[0].standard_error


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        (piggyback(Pig(), 20, finish="exact"), "not solved together with finish='exact'"),
        (piggyback(Pig(), 20, last_round=True), "not solved together with last_round"),
        (piggyback(Pig(), 20, busts=3, penalty=5), "not solved together with busts"),
        (piggyback(Pig(), 20, opponent=Pig(sides=8)), "both seats need the same game"),
        (piggyback(Quitter(), 5), "lost on purpose"),
        (piggyback(Hog(), 20), "which dice are left"),
        (piggyback(Listed((((1, ((1, 0), (1, 1))), (1, ())), ((1, ((1, 0),)), (1, ())))), 5), "which dice are left"),
    ],
)
def test_rules_that_are_not_covered_are_refused(goal, words):
    with pytest.raises(RulesError, match=words) as refused:
        solve(goal)
    assert "\n" not in str(refused.value)


def test_large_races_are_refused_before_the_work():
    with pytest.raises(TooLargeError, match=r"memory|hours"):
        solve(piggyback(Pig(), 20_000))
    with pytest.raises(TooLargeError, match="exact piggyback"):
        solve(piggyback(TenThousand(), 10_000), exact=True)
    with pytest.raises(RulesError, match="simulate_seats"):
        simulate(piggyback(Pig(), 20), *strategies_by_name(("stop-at-20", "stop-at-20"), piggyback(Pig(), 20)), games=1)


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ({"offer": (300, 2)}, "was banked by the other"),
        ({"theirs": 600, "offer": (700, 2)}, "was banked by the other"),
        ({"theirs": 600, "offer": (0, 2)}, "was banked by the other"),
        ({"theirs": 600, "offer": (310, 2)}, "multiple of 50"),
        ({"theirs": 600, "offer": (300, 9)}, "cannot occur here"),
        ({"theirs": 600, "offer": 300}, "points, dice left"),
        ({"theirs": 600, "offer": (300, 2), "at_risk": 50}, "at the beginning of a turn"),
        ({"theirs": 600, "offer": (300, 2), "roll": (1, 5)}, "at the beginning of a turn"),
        ({"theirs": 1000}, "that race is over"),
        ({"seat": 2}, "seat is 0"),
    ],
)
def test_positions_that_cannot_occur_are_refused(position, words):
    with pytest.raises(PositionError, match=words):
        solve(piggyback(TenThousand(), 1000)).advise(**position)
