"""Estimated win chances of the official board for two: they hold on played games, and look-ahead follows the rules."""

import random

import pytest

from jeopardice import CantStop, Race
from jeopardice.columns.estimate import EstimatedDuel, is_estimated
from jeopardice.columns.strategy import BoardMoment, glenn_aloi, rule_of

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
    """Of the positions judged below 30 %, 30 to 70 % and above, about so many are won; one number for all is worse."""
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
