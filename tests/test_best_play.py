"""Every solution hands out its own best play as a strategy."""

import pytest

from jeopardice import CantStop, Farkle, Hog, Pig, Race, Rate, Simultaneous, Turn, Yahtzee, simulate, solve
from jeopardice.errors import RulesError
from jeopardice.family import family_of

GOALS = [
    Turn(Pig()),
    Race(Pig(), 30),
    Race(Pig(), 30, players=2),
    Race(Pig(), 30, players=2, opponent=Pig(sides=8)),
    Race(Pig(), 12, players=3),
    Race(CantStop(3, 2)),
    Race(CantStop(2, 2), players=2),
    Race(Yahtzee()),
]


@pytest.mark.parametrize("goal", GOALS, ids=repr)
def test_best_play_takes_the_first_option_of_the_judge(goal):
    """The first choices of a game agree with the judge of the same solution, for every seat."""
    solution, family = solve(goal), family_of(goal.game)
    judge, match = family.judge(solution), solution.match
    for seat in range(len(solution.values)):
        strategy, compared, spot = solution.strategy(seat), 0, match.start()
        while not match.is_over(spot) and compared < 40:
            if rolls := match.rolls(spot):
                spot = match.after_roll(spot, list(rolls)[compared % len(rolls)])
                continue
            best = judge.options_at(spot)[0]
            if match.seat(spot) == seat:
                play = family.play_of(strategy, match, spot)
                value = next(option.value for option in judge.options_at(spot) if option.match_play == play)
                assert value == pytest.approx(best.value, abs=1e-9)
            compared += 1
            spot = match.after_play(spot, best.match_play)
        assert compared > 0


def test_best_play_of_both_seats_wins_as_often_as_the_solution_says():
    duel = solve(Race(Pig(), 30, players=2, opponent=Pig(sides=8)))
    played = simulate(duel.goal, duel.strategy(0), duel.strategy(1), games=40_000, seed=3)
    assert played.wins.is_near(duel.value)


def test_goals_without_a_plain_best_strategy_say_so():
    with pytest.raises(RulesError, match="my_busts"):
        solve(Rate(Farkle.named("basic"), busts=3, penalty=500)).strategy()
    with pytest.raises(RulesError, match="mixture"):
        solve(Simultaneous(Hog(dice_limit=2), 10)).strategy()


def test_a_seat_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="between 0 and 1, got seat=2"):
        solve(Race(Pig(), 20, players=2)).strategy(2)
