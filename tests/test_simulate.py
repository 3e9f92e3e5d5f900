"""Play with random dice agrees with what was solved, and depends on the seed alone."""

from collections import Counter

import numpy as np
import pytest

from jeopardice import Pig, Race, TenThousand, Turn, solve
from jeopardice.analysis.head_to_head import head_to_head
from jeopardice.points.simulate import alias_table, simulate
from jeopardice.points.strategy import BestPlay, KeepPace, RollTimes, StopAt

RACES = {
    "reach": Race(Pig(), 60, players=2),
    "exact": Race(Pig(), 60, players=2, finish="exact"),
    "opponent": Race(Pig(), 60, players=2, opponent=Pig(sides=10, bust=(1, 2))),
    "ten-thousand": Race(TenThousand(), 3000, players=2),
}


@pytest.mark.parametrize("name", RACES)
def test_duels_agree_with_the_exact_chance_and_laws(name):
    race = RACES[name]
    points = 350 if name == "ten-thousand" else 20
    best, rival = BestPlay(solve(race)), StopAt(points, strict=name != "exact")
    played = simulate(race, best, rival, games=200_000, seed=11)
    match = head_to_head(race, best, rival)
    assert played.unfinished == 0
    assert played.wins.is_near(match.value)
    assert played.mean_turns.is_near(match.laws.turns().mean)
    assert played.mean_busts.is_near(match.laws.busts().mean)
    unit = match.plans[1].table.unit
    mean = sum(score * chance for score, chance in match.laws.loser_scores()[0].items()) / match.value
    scores = np.arange(len(played.losers[0])) * unit
    won = played.losers[0]
    average = (scores @ won) / won.sum()
    assert abs(average - mean) <= 4 * np.sqrt(((scores - average) ** 2 @ won) / won.sum() ** 2)


def test_margins_agree():
    race = Race(Pig(), 50, players=2, payoff="margin")
    best = BestPlay(solve(race))
    played = simulate(race, best, KeepPace(), games=200_000, seed=3)
    assert played.margin(50).is_near(head_to_head(race, best, KeepPace()).value)


def test_turns_and_races_alone_agree_with_their_solutions():
    turn = solve(Turn(TenThousand()))
    assert simulate(Turn(TenThousand()), BestPlay(turn), games=300_000, seed=5).mean_score.is_near(turn.value)
    race = Race(Pig(), 100)
    alone = solve(race)
    assert simulate(race, BestPlay(alone), games=100_000, seed=5).mean_turns.is_near(alone.value)
    five = simulate(Turn(Pig()), RollTimes(5), games=300_000, seed=5)
    assert five.mean_score.is_near((5 / 6) ** 5 * 20)
    assert five.busts.is_near(1 - (5 / 6) ** 5)


def test_the_same_for_any_number_of_threads_and_other_for_another_seed():
    race, best = RACES["reach"], StopAt(20)
    runs = [simulate(race, best, KeepPace(), games=20_000, seed=2, threads=threads) for threads in (1, 2, 5)]
    for run in runs[1:]:
        assert np.array_equal(run.turns, runs[0].turns)
        assert np.array_equal(run.busts, runs[0].busts)
        assert run.rolls == runs[0].rolls
    other = simulate(race, best, KeepPace(), games=20_000, seed=3)
    assert not np.array_equal(other.turns, runs[0].turns)


def test_a_race_that_never_ends_is_given_up(monkeypatch):
    monkeypatch.setattr("jeopardice.points.simulate.MOST_TURNS", 50)
    played = simulate(Race(Pig(), 3, players=2, finish="exact"), StopAt(2), StopAt(2), games=1000, seed=1)
    assert 0 < played.unfinished < 1000
    assert played.unfinished + played.turns.sum() == 1000


@pytest.mark.parametrize("weights", [[1], [1, 3], [1, 1, 1], [5, 0, 2], list(range(1, 40))])
def test_the_alias_table_gives_every_weight(weights):
    keep, alias = alias_table(weights)
    n, total = len(weights), sum(weights)
    shares = Counter()
    for column in range(n):
        shares[column] += (keep[column] + 1) / 2**64 / n
        shares[alias[column]] += (1 - (keep[column] + 1) / 2**64) / n
    for column, weight in enumerate(weights):
        assert shares[column] == pytest.approx(weight / total, abs=1e-15)


def test_wrong_numbers_are_refused():
    with pytest.raises(ValueError, match="one strategy per player: 2 needed, got 1"):
        simulate(RACES["reach"], StopAt(20), games=10)
    with pytest.raises(ValueError, match="games lies between 1"):
        simulate(Turn(Pig()), StopAt(20), games=0)
