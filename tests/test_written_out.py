"""Strategies against each other under rules between turns, against chances worked out from the rules of Pig."""

from functools import cache

import numpy as np
import pytest

from jeopardice import Pig, Race, StopAt, solve
from jeopardice.analysis.distance import exploitability
from jeopardice.analysis.head_to_head import compare
from jeopardice.analysis.several import seat_chances
from jeopardice.points.strategy import BestPlay

TARGET = 8
HOUSE = {"open_from": 4, "busts": 2, "penalty": 3}


@cache
def turn(stop_at: int, to_go: int, least: int) -> dict[int, float]:
    """What a turn of Pig banks, with chances; 0 is a bust. One stops where one may, from `stop_at` or the target on."""
    banked: dict[int, float] = {0: 0.0}
    going = {0: 1.0}
    while going:
        at_risk, chance = going.popitem()
        banked[0] += chance / 6
        for face in range(2, 7):
            points = at_risk + face
            if points >= to_go or (points >= stop_at and points >= least):
                banked[points] = banked.get(points, 0.0) + chance / 6
            else:
                going[points] = going.get(points, 0.0) + chance / 6
    return banked


def wins_with_penalties(first: int, second: int) -> float:
    """The first player's chance under HOUSE, floor 0: the positions (score, opened, busts) of both, swept until they settle."""
    standings = [(s, opened, busts) for s in range(TARGET) for opened in (False, True) for busts in range(2)]
    value = {(mine, theirs, seat): 0.5 for mine in standings for theirs in standings for seat in (0, 1)}
    while True:
        change = 0.0
        for mine, theirs, seat in value:
            score, opened, busts = mine
            total = 0.0
            for points, chance in turn(
                (first, second)[seat], TARGET - score, 0 if opened else HOUSE["open_from"]
            ).items():
                if points == 0:
                    lost = busts + 1 == HOUSE["busts"]
                    after = (max(0, score - HOUSE["penalty"]), opened, 0) if lost else (score, opened, busts + 1)
                elif score + points >= TARGET:
                    total += chance
                    continue
                else:
                    after = (score + points, True, 0)
                total += chance * (1 - value[theirs, after, 1 - seat])
            change = max(change, abs(total - value[mine, theirs, seat]))
            value[mine, theirs, seat] = total
        if change < 1e-14:
            return value[(0, False, 0), (0, False, 0), 0]


def wins_with_last_round(first: int, second: int, tie: float) -> float:
    """The first player's chance; who comes first gets `tie` of a tie."""
    value = {(i, j, seat): 0.5 for i in range(TARGET) for j in range(TARGET) for seat in (0, 1)}
    while True:
        change = 0.0
        for mine, theirs, seat in value:
            total = 0.0
            for points, chance in turn((first, second)[seat], TARGET - mine, 0).items():
                if mine + points < TARGET:
                    total += chance * (1 - value[theirs, mine + points, 1 - seat])
                    continue
                for reply, likely in turn((second, first)[seat], TARGET - theirs, 0).items():
                    gap = mine + points - theirs - reply
                    total += chance * likely * (1.0 if gap > 0 else tie if gap == 0 else 0.0)
            change = max(change, abs(total - value[mine, theirs, seat]))
            value[mine, theirs, seat] = total
        if change < 1e-14:
            return value[0, 0, 0]


def test_penalties_and_a_minimum_to_open():
    goal = Race(Pig(), TARGET, players=2, **HOUSE)
    result = seat_chances(goal, StopAt(3), StopAt(5))
    assert result.error_bound < 1e-11
    assert result.values[0] == pytest.approx(wins_with_penalties(3, 5), abs=1e-12)
    assert sum(result.values) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("ties", "tie"), [("first", 1.0), ("share", 0.5), ("last", 0.0)])
def test_a_last_round(ties, tie):
    goal = Race(Pig(), TARGET, players=2, last_round=True, ties=ties)
    table = compare(goal, [StopAt(3), StopAt(5)])
    expected = [[wins_with_last_round(a, b, tie) for b in (3, 5)] for a in (3, 5)]
    assert np.allclose(table.first, expected, atol=1e-12, rtol=0)


@pytest.mark.parametrize("rules", [HOUSE, {"last_round": True, "ties": "share"}, {"piggyback": True}])
def test_best_play_of_both_seats_gets_the_solved_value(rules):
    goal = Race(Pig(), TARGET, players=2, **rules)
    solution = solve(goal)
    result = seat_chances(goal, BestPlay(solution), BestPlay(solution, seat=1))
    assert result.values == pytest.approx(solution.values, abs=1e-10)


def test_a_best_response_wins_at_least_what_best_play_wins():
    goal = Race(Pig(), TARGET, players=2, **HOUSE)
    solution = solve(goal)
    other = StopAt(5)
    best = seat_chances(goal, BestPlay(solution), other)
    response = seat_chances(goal, None, other)
    assert response.values[0] >= best.values[0] - 1e-12
    assert exploitability(goal, other) > 0.01
    own = seat_chances(goal, None, BestPlay(solution, seat=1))
    assert own.values[0] == pytest.approx(solution.value, abs=1e-10)


@pytest.mark.parametrize("rules", [{"last_round": True}, {"busts": 2, "penalty": 2}])
def test_three_players_share_what_there_is(rules):
    values = seat_chances(Race(Pig(), 5, players=3, **rules), *[StopAt(3)] * 3).values
    assert sum(values) == pytest.approx(1, abs=1e-12)
    assert values[0] > values[2]
