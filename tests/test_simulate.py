"""Play with random dice agrees with what was solved, and depends on the seed alone."""

from collections import Counter
from zlib import crc32

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from jeopardice import Pig, Race, TenThousand, Turn, solve
from jeopardice.analysis.head_to_head import head_to_head
from jeopardice.points.simulate import alias_table, simulate
from jeopardice.points.strategy import BestPlay, KeepPace, Moment, RollTimes, Rule, StopAt, Thresholds
from jeopardice.points.tables import lay_out
from tests.conftest import ugly_games
from tests.reference import turns_under, wins_under

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


def _whim(moment: Moment, sides: int) -> int:
    return crc32(repr((moment.at_risk, moment.mode, moment.mine, moment.theirs)).encode()) % sides


WHIM = Rule("whim", lambda m: m.at_risk >= 6 or _whim(m, 3) == 0, lambda m, plays: plays[_whim(m, len(plays))])
FOLLOWED = (WHIM, StopAt(2), StopAt(3, strict=True), KeepPace(race=2, pace=2, share=2),
            Thresholds(dict.fromkeys(range(1, 50), 2)))  # fmt: skip


@settings(max_examples=40, derandomize=True, deadline=None)
@given(
    ugly_games(modes=2), ugly_games(modes=1), st.integers(1, 6), st.integers(0, 3), st.booleans(), st.booleans(),
    st.sampled_from(FOLLOWED), st.sampled_from(FOLLOWED), st.sampled_from([1, 2]),
)  # fmt: skip
def test_games_follow_the_rules_and_the_strategies(
    game, rival, target, least, must_hit, own_game, first, second, players
):
    """The reference asks both strategies at every moment of every turn; it knows no plan."""
    games = (game, rival if own_game else game)
    try:
        unit = lay_out(game, drop_dominated=False).unit * lay_out(games[1], drop_dominated=False).unit
        race = Race(game, target * unit, players=players, finish="exact" if must_hit else "reach",
                    bank_from=least * unit, opponent=rival if own_game and players == 2 else None)  # fmt: skip
        rules = {"must_hit": must_hit, "bank_from": race.bank_from}
        if players == 1:
            expected = turns_under(game, race.target, first, Moment, **rules)
        else:
            expected = wins_under(games, race.target, (first, second), Moment, **rules)
    except (ValueError, ZeroDivisionError):
        assume(False)
    assume(expected is not None and (players == 2 or expected < 50))
    seated = (first, second)[:players]
    played = simulate(race, *seated, games=4_000, seed=1)
    assume(played.unfinished == 0)
    estimate = played.mean_turns if players == 1 else played.wins
    assert estimate.is_near(expected, errors=5) or abs(estimate.mean - expected) < 5 / 4_000
    if players == 2:
        assert head_to_head(race, *seated).value == pytest.approx(expected, abs=1e-9)
