"""Modes that must be rolled (hot dice): solver, advice, match and best play against the rules, played out by recursion."""

import json
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from jeopardice import (
    BestPlay,
    Farkle,
    Race,
    RulesError,
    StopAt,
    Turn,
    best_response,
    head_to_head,
    simulate,
    solve,
    turn_law,
)
from jeopardice.analysis.strategy_race import goal_race
from jeopardice.cli import main
from jeopardice.family import family_of
from jeopardice.points.tables import lay_out
from tests.conftest import Listed, ugly_games
from tests.reference import race_value
from tests.test_house_rules import HOUSES, race_of


@dataclass(frozen=True)
class Forced(Listed):
    """A game written out, some modes of which must be rolled."""

    forced: frozenset[int] = frozenset()

    def may_stop(self, mode: int) -> bool:
        return mode not in self.forced


@st.composite
def forced_games(draw, modes=2):
    game = draw(ugly_games(modes=modes))
    return Forced(game.offers, draw(st.frozensets(st.integers(0, len(game.offers) - 1), min_size=1)))


def solved(goal):
    try:
        return solve(goal)
    except RulesError:
        assume(False)


@settings(max_examples=60, derandomize=True)
@given(forced_games(), st.integers(1, 4), HOUSES)
def test_random_races_agree_with_a_solver_written_from_the_rules(game, target, house):
    goal, rules = race_of(game, target, house)
    solution = solved(goal)
    low, high = race_value(game, goal.target, **rules)
    bound = solution.error_bound or 0.0
    assert low - bound - 1e-10 <= solution.value <= high + bound + 1e-10


def chance_within(game, target, turns, deep=60):
    """Return bounds of the best chance to reach the target in this many turns, by recursion over all moments."""

    @cache
    def standing(score, left, hope):
        if score >= target:
            return Fraction(1)
        return moment(score, left, 0, game.opening, hope) if left else Fraction(0)

    @cache
    def moment(score, left, t, mode, hope):
        if mode is None:
            return standing(score + t if t else score, left - 1, hope)
        if t > deep:
            return Fraction(int(hope))
        rolls = game.rolls(mode)
        value = Fraction(0)
        for roll, weight in rolls.items():
            plays = game.plays(mode, roll)
            after = [moment(score, left, t + p.points, p.mode, hope) for p in plays]
            value += weight * max(after, default=standing(score, left - 1, hope))
        value /= sum(rolls.values())
        return max(value, standing(score + t, left - 1, hope)) if t and game.may_stop(mode) else value

    return standing(0, turns, False), standing(0, turns, True)


@settings(max_examples=40, derandomize=True)
@given(forced_games(), st.integers(1, 5), st.integers(1, 3))
def test_the_chance_to_be_there_in_time(game, target, turns):
    low, high = chance_within(game, target, turns)
    solution = solved(Race(game, target, within=turns))
    assert float(low) - 1e-12 <= solution.value <= float(high) + 1e-12


def turns_alone(game, target, sweeps=4000):
    """Return the fewest turns on average by value iteration over scores, moments by recursion; None if it is slow."""
    worth = dict.fromkeys(range(target), 0.0)
    for _ in range(sweeps):
        moved = 0.0
        for score in reversed(range(target)):

            @cache
            def moment(t, mode, score=score):
                left = 0.0 if score + t >= target else worth[score + t]
                if mode is None or t > 200:
                    return left if t else worth[score]
                rolls = game.rolls(mode)
                value = 0.0
                for roll, weight in rolls.items():
                    after = [moment(t + p.points, p.mode) for p in game.plays(mode, roll)]
                    value += weight / sum(rolls.values()) * min(after, default=worth[score])
                return min(value, left) if t and game.may_stop(mode) else value

            new = 1 + moment(0, game.opening)
            moved, worth[score] = max(moved, abs(new - worth[score])), new
        if moved < 1e-13:
            return worth[0]
    return None


@settings(max_examples=30, derandomize=True)
@given(forced_games(), st.integers(1, 4))
def test_the_fewest_turns_alone(game, target):
    solution = solved(Race(game, target))
    assume(solution.value < 60)
    expected = turns_alone(game, target)
    assume(expected is not None)
    assert solution.value == pytest.approx(expected, abs=1e-8)


def most_points(game, least=1, deep=400):
    """Return the best mean of one turn by recursion; beyond `deep` points at risk one gives up the turn."""

    @cache
    def moment(t, mode):
        if mode is None:
            return float(t)
        if t > deep:
            return 0.0
        rolls = game.rolls(mode)
        value = sum(
            w / sum(rolls.values()) * max((moment(t + p.points, p.mode) for p in game.plays(mode, r)), default=0.0)
            for r, w in rolls.items()
        )
        return max(value, float(t)) if t >= least and game.may_stop(mode) else value

    return moment(0, game.opening)


SMALL = Farkle(dice=2, hot_dice="must", three_pairs=0, two_triplets=0)


def test_hot_dice_that_must_be_rolled_in_one_turn():
    expected = most_points(Scaled(SMALL))
    assert solve(Turn(SMALL)).value == pytest.approx(50 * expected, rel=1e-9)
    assert solve(Turn(SMALL)).value < solve(Turn(replace(SMALL, hot_dice="may"))).value


@dataclass(frozen=True)
class Scaled:
    """Farkle with its points counted in fifties, so that recursion stays shallow."""

    game: Farkle

    @property
    def opening(self):
        return self.game.opening

    def rolls(self, mode):
        return self.game.rolls(mode)

    def plays(self, mode, roll):
        return [replace(play, points=play.points // 50) for play in self.game.plays(mode, roll)]

    def may_stop(self, mode):
        return self.game.may_stop(mode)


@pytest.mark.parametrize("last_round", [False, True])
def test_hot_dice_must_be_rolled_with_enough_for_the_target_too(last_round):
    goal = Race(SMALL, 300, players=2, last_round=last_round)
    low, high = race_value(Scaled(SMALL), 6, last_round=last_round)
    assert low - 1e-9 <= solve(goal).value <= high + 1e-9
    assert solve(goal).value != pytest.approx(solve(replace(goal, game=replace(SMALL, hot_dice="may"))).value, abs=1e-4)


def test_advice_match_and_best_play_roll_hot_dice_past_the_target():
    goal = Race(Farkle(hot_dice="must"), 1000, players=2)
    solution, family = solve(goal), family_of(goal.game)
    match, judge, best = family.match(goal), family.judge(solution), family.strategy(goal, "optimal")
    past = match.from_json({"standings": [0, 0], "at_risk": 1050, "mode": 6, "rolling": True})
    assert match.rolls(past)
    hot = match.from_json({"standings": [0, 0], "at_risk": 900, "mode": 2, "roll": [1, 5]})
    (forced,) = [play for play in match.plays(hot) if len(play.aside) == 2]
    assert not forced.stops
    values = {option.match_play: option.value for option in judge.options_at(hot)}
    assert set(values) == set(match.plays(hot))
    assert values[forced] == pytest.approx(judge.values_at(match.after_play(hot, forced))[0], abs=1e-13)
    assert 0.5 < values[forced] < 1.0
    chosen = family.play_of(best, match, hot)
    assert values[chosen] == max(values.values()) == 1.0
    said = {
        (o.stops, o.points, o.mode, o.kept): o.value for o in solution.advise(at_risk=900, dice=2, roll=(1, 5)).options
    }
    assert said == {(play.stops, play.points, play.mode, play.aside): value for play, value in values.items()}


def test_the_distribution_of_a_turn_rolls_hot_dice_too():
    game = Farkle(hot_dice="must")
    solution = solve(Turn(game))
    assert turn_law(game, BestPlay(solution), exact=False).mean == pytest.approx(solution.value, abs=1e-8)
    careful = turn_law(SMALL, StopAt(50), exact=False)
    roll = {points: weight / 36 for points, weight in ((50, 8), (100, 8), (None, 16))}  # two dice; 4 more are hot
    assert careful.score[50] == roll[50] and careful.score[100] == roll[100]
    assert careful.bust_chance == pytest.approx(roll[None] / (1 - 4 / 36), abs=1e-15)


def test_plans_are_refused_where_dice_must_be_rolled_on():
    """They stop from some points on; the races are played move by move."""
    alone, duel = Race(SMALL, 300), Race(SMALL, 300, players=2)
    for ask in (
        lambda: goal_race(alone, StopAt(100)),
        lambda: head_to_head(duel, StopAt(100), StopAt(100)),
        lambda: best_response(replace(duel, game=replace(SMALL, hot_dice="may"), opponent=SMALL), StopAt(100), seat=1),
        lambda: simulate(duel, StopAt(100), StopAt(100), games=10),
    ):
        with pytest.raises(RulesError, match="move by move"):
            ask()


def test_races_where_dice_must_be_rolled_on_are_played_move_by_move(capsys):
    command = "simulate farkle duel --dice 2 --hot-dice must --target 300 --games 1000 optimal optimal --json"
    assert main(command.split()) == 0
    played = json.loads(capsys.readouterr().out)
    solved = solve(Race(Farkle(dice=2, hot_dice="must"), 300, players=2)).value
    assert abs(played["value"] - solved) < 5 * played["standard_error"]


@pytest.mark.parametrize("options", [{"finish": "exact"}, {"cost": "rolls"}])
def test_what_no_method_covers_is_refused_before_the_work(options):
    with pytest.raises(RulesError, match="hot_dice='must'"):
        solve(Race(SMALL, 300, **options))


@pytest.mark.parametrize("rules", [{"dice": 1}, {"dice": 3, "one": 0, "five": 0}])
def test_rules_that_never_let_a_player_stop_are_refused_by_name(rules):
    with pytest.raises(RulesError, match="hot_dice='must' never lets a player stop"):
        Farkle(hot_dice="must", **rules)


def test_a_game_of_one_s_own_that_never_lets_a_player_stop_is_refused():
    with pytest.raises(RulesError, match="may_stop"):
        lay_out(Forced((((1, ((2, 0),)), (1, ())),), frozenset({0})))
