"""Estimated win chances of the official board for two: they hold on played games, and look-ahead follows the rules."""

import json
import random

import numpy as np
import pytest

from jeopardice import CantStop, Race
from jeopardice.cli import main
from jeopardice.columns.estimate import EstimatedDuel, is_estimated
from jeopardice.columns.estimated import EstimatedSolution
from jeopardice.columns.simulate import seen_positions, simulate_boards
from jeopardice.columns.strategy import BestBoardPlay, BoardMoment, LookAhead, glenn_aloi, roll_times, rule_of

GAME = CantStop()
GOAL = Race(GAME, players=2)


def played(strategies, dice):
    """Return everybody's standings as each turn begins, with the seat to play, and the winner."""
    standings, positions = (GAME.opening, GAME.opening), []
    for turn in range(1000):
        seat = turn % 2
        positions.append((standings, seat))
        moment = BoardMoment(GAME, standings, seat)
        while plays := GAME.plays(moment.mine, moment.markers, tuple(dice.choices(range(1, 7), k=4)), moment.closed):
            moment = moment.after(strategies[seat].chosen(moment, plays)[0])
            if GAME.is_won(moment.mine, moment.markers) or strategies[seat].stop_chance(moment):
                mine = GAME.bank(moment.mine, moment.markers)
                standings = (mine, standings[1]) if seat == 0 else (standings[0], mine)
                break
        if GAME.is_won(standings[seat]):
            return positions, seat
    raise AssertionError("the game never ended")


def test_chances_hold_on_games_that_they_were_not_fitted_to():
    """Of the positions judged below 30 %, 30 to 70 % and above, about this many are won; one number for all is worse."""
    estimate, judged = EstimatedDuel(GOAL), []
    for number in range(150):
        positions, winner = played((glenn_aloi(GAME), rule_of(GAME)), random.Random(f"held out {number}"))
        judged += [(estimate.chance(standings, seat), float(seat == winner)) for standings, seat in positions]
    for low, high in ((0.0, 0.3), (0.3, 0.7), (0.7, 1.0)):
        part = [pair for pair in judged if low <= pair[0] < high]
        mean, wins = (sum(column) / len(part) for column in zip(*part, strict=True))
        assert len(part) > 100 and abs(mean - wins) < 0.08
    assert sum((chance - won) ** 2 for chance, won in judged) / len(judged) < 0.23


def test_rolling_is_the_mean_over_the_rolls_of_the_best_stop():
    """Written from the rules alone, roll by roll."""
    estimate = EstimatedDuel(GOAL)
    standings = (GAME.standing({6: 4, 7: 5, 2: 3}), GAME.standing({8: 9, 12: 3, 7: 2}))
    markers = ((6, 6), (7, 8))
    closed = GAME.closed_to(0, standings)
    assert closed == {12}
    total = 0.0
    for roll, weight in GAME.rolls().items():
        stops = [estimate.moment(standings, 0, after)[0] for after in GAME.plays(standings[0], markers, roll, closed)]
        total += weight * max(stops, default=1 - estimate.chance(standings, 1))
    assert estimate.moment(standings, 0, markers)[1] == pytest.approx(total / 6**4, abs=1e-12)


def test_chances_are_certain_at_the_end_and_even_where_nobody_can_win():
    estimate = EstimatedDuel(Race(CantStop(2, 2), players=2))
    assert estimate.chance(((2, 0, 0), (0, 0, 2)), 0) == 0.5
    assert is_estimated(GOAL) and not is_estimated(Race(CantStop(2, 1), players=2)) and not is_estimated(Race(GAME))
    nearly = (GAME.standing({2: 3, 12: 3, 7: 12}), GAME.opening)
    stop, _ = EstimatedDuel(GOAL).moment(nearly, 0, ((7, 13),))
    assert stop == 1.0


@pytest.mark.parametrize(("game", "games"), [(CantStop(2, 3), 500), (CantStop(3, 1, closed_to_both=False), 250)])
def test_the_simulator_looks_ahead_as_the_rules_in_python_do(game, games):
    """The kernel has the rules and the estimate a second time; games played by both have the same means."""
    goal = Race(game, players=2)
    quick, slow = LookAhead(EstimatedDuel(goal)), BestBoardPlay(EstimatedDuel(goal))
    many, few = (simulate_boards(goal, s, s, games=n) for s, n in ((quick, 20_000), (slow, games)))
    for name in ("wins", "mean_turns", "mean_busts"):
        one, two = getattr(many, name), getattr(few, name)
        assert abs(one.mean - two.mean) < 4 * (one.standard_error**2 + two.standard_error**2) ** 0.5


def test_positions_are_seen_as_they_come_up_and_do_not_depend_on_threads():
    goal = Race(CantStop(sides=2, shortest=2), players=2)
    plays = (rule_of(goal.game, 6), roll_times(goal.game, 2))
    one, two = (seen_positions(goal, *plays, games=3000, seed=5, threads=n) for n in (1, 3))
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
    assert set(one.won) <= {0.0, 0.5, 1.0} and not (one.mine == goal.game.lengths).all(axis=1).any()
    empty = (one.mine == 0).all(axis=1) & (one.theirs == 0).all(axis=1)
    assert 0.1 < empty.mean() < 0.9, "the start is one of the turns of every game"


def test_rollouts_come_with_an_error_bar():
    solution = EstimatedSolution(GOAL)
    chance = solution.rollouts(mine={7: 13, 6: 11, 8: 9}, games=500)
    assert chance.mean > 0.9 and 0 < chance.standard_error < 0.02
    near = solution.advise(mine={7: 13, 6: 11, 8: 9}, theirs={2: 2})
    assert "% of games won if both look ahead" in near.note and near.error_bound is None
    assert solution.advise(roll=(1, 2, 3, 4)).note == "estimates, looking one roll ahead"
    over = EstimatedSolution(Race(CantStop(2, 2), players=2)).rollouts(mine={2: 2}, theirs={4: 2}, games=50)
    assert over.mean == 0.5, "nobody can win: half a win for both"


def test_the_command_advises_by_estimates_on_the_official_board(capsys):
    position = ["--mine", "7:3", "--theirs", "8:2", "--roll", "1,2,3,4"]
    assert main(["advise", "cant-stop", "duel", *position, "--json"]) in (0, None)
    told = json.loads(capsys.readouterr().out)
    assert told["error_bound"] is None and "estimates" in told["note"] and 0 < told["value"] < 1
