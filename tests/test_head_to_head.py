"""Strategies against each other, exactly."""

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jeopardice import Pig, Race, TenThousand, Turn, solve
from jeopardice.analysis.head_to_head import best_response, compare, exploitability, head_to_head, response_value
from jeopardice.points.named_strategies import best_thresholds, named_strategy, strategy_names
from jeopardice.points.plan import plan_of
from jeopardice.points.strategy import BestPlay, KeepPace, Moment, RollTimes, Rule, StopAt, Thresholds
from tests.conftest import Coin

HUNDRED = Race(Pig(), 100, players=2)


@pytest.fixture(scope="module")
def optimal():
    return BestPlay(solve(HUNDRED))


def test_known_matches_to_100(optimal):
    """Neller & Presser's figures: best play against stop at 20 or the goal, and stop at 20 against itself."""
    assert head_to_head(HUNDRED, optimal, StopAt(20)).value == pytest.approx(0.571498, abs=5e-7)
    assert 1 - head_to_head(HUNDRED, StopAt(20), optimal).value == pytest.approx(0.508342, abs=5e-7)
    assert head_to_head(HUNDRED, StopAt(20), StopAt(20)).value == pytest.approx(0.5347, abs=5e-5)


@pytest.mark.parametrize(
    "race",
    [
        HUNDRED,
        Race(Pig(), 60, players=2, finish="exact"),
        Race(Pig(), 60, players=2, payoff="margin"),
        Race(Pig(), 60, players=2, bank_from=15),
        Race(TenThousand(), 2000, players=2),
        Race(Pig(), 60, players=2, opponent=Pig(sides=8)),
    ],
    ids=["reach", "exact", "margin", "bank_from", "ten-thousand", "opponent"],
)
def test_best_play_against_itself_has_the_solved_value_everywhere(race):
    solution = solve(race)
    match = head_to_head(race, BestPlay(solution, seat=0), BestPlay(solution, seat=1))
    scale = 60 if race.payoff == "margin" else 1
    for found, solved in zip(match.worths, solution.worths, strict=True):
        np.testing.assert_allclose(found, solved, atol=2e-13 * scale)


def test_nobody_beats_best_play_and_a_best_response_attains_its_value(optimal):
    assert exploitability(HUNDRED, optimal) == pytest.approx(0, abs=1e-12)
    for rival in (StopAt(20), KeepPace(), StopAt(25, strict=True)):
        for seat in (0, 1):
            answer = best_response(HUNDRED, rival, seat=seat)
            match = head_to_head(HUNDRED, *((answer, rival) if seat == 0 else (rival, answer)))
            mine = match.value if seat == 0 else 1 - match.value
            assert mine == pytest.approx(response_value(answer), abs=1e-13)
            best = head_to_head(HUNDRED, *((optimal, rival) if seat == 0 else (rival, optimal))).value
            assert mine >= (best if seat == 0 else 1 - best) - 1e-12
        assert exploitability(HUNDRED, rival) > 0.01


def tables(target):
    """All plans of Piglet: for each pair of scores the number of heads at which to stop."""
    pairs = list(product(range(target), repeat=2))
    for stops in product(*(range(1, target - mine + 1) for mine, _ in pairs)):
        yield dict(zip(pairs, stops, strict=True))


def rule(table):
    return Rule("table", lambda moment: moment.at_risk >= table[moment.mine, moment.theirs])


@pytest.mark.parametrize(("target", "value"), [(2, Fraction(4, 7)), (3, Fraction(6, 11))])
def test_piglet_exactly_and_by_brute_force_over_all_strategies(target, value):
    """Piglet (Neller & Presser): 4/7 to 2 and 6/11 to 3. The best of all plans against best play gets just that."""
    race = Race(Coin(), target, players=2)
    assert solve(race, exact=True).value == value
    optimal = BestPlay(solve(race))
    every = list(tables(target))[:: 1 if target == 2 else 7]
    values = [head_to_head(race, rule(table), optimal).value for table in every]
    assert max(values) <= float(value) + 1e-13
    if target == 2:
        assert max(values) == pytest.approx(float(value), abs=1e-13)
        worst = min(max(head_to_head(race, rule(a), rule(b)).value for a in every) for b in every)
        assert worst == pytest.approx(float(value), abs=1e-13)


def by_hand(target, first, second):
    """The chance of `first`, by iterating the equations of a turn of Pig in plain Python."""
    chance = {(s, i, j): 0.5 for s in (0, 1) for i in range(target) for j in range(target)}
    strategies = (first, second)
    for _ in range(300):
        fresh = {}
        for s, i, j in chance:

            @cache
            def worth(t, s=s, i=i, j=j, chance=chance):
                moment = Moment(t, 0, 0, i, j, target)
                if t and strategies[s].stops(moment):
                    return 1.0 if i + t >= target else 1 - chance[1 - s, j, i + t]
                return (1 - chance[1 - s, j, i] + sum(worth(t + k) for k in range(2, 7))) / 6

            fresh[s, i, j] = worth(0)
        if max(abs(fresh[k] - chance[k]) for k in chance) < 1e-15:
            break
        chance = fresh
    return chance[0, 0, 0]


@pytest.mark.parametrize(
    ("first", "second"),
    [(StopAt(4), StopAt(6, strict=True)), (StopAt(12, strict=True), KeepPace(race=3, pace=5)), (StopAt(1), StopAt(9))],
)
def test_matches_agree_with_plain_iteration_strict_ones_past_the_goal_too(first, second):
    race = Race(Pig(), 9, players=2)
    assert head_to_head(race, first, second).value == pytest.approx(by_hand(9, first, second), abs=1e-12)


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 30), st.integers(5, 40), st.booleans(), st.sampled_from(["reach", "exact"]))
def test_a_threshold_is_the_same_written_as_a_rule(points, target, strict, finish):
    race = Race(Pig(), target, players=2, finish=finish)
    direct, other = StopAt(points, strict), StopAt(8)
    asked = Rule("asked", direct.stops)
    assert head_to_head(race, direct, other).value == head_to_head(race, asked, other).value


def test_best_play_is_decided_alike_by_the_kernel_and_moment_by_moment():
    race = Race(TenThousand(), 600, players=2)
    for best in (BestPlay(solve(race)), BestPlay(solve(Race(TenThousand(), 600)), "fewest-turns")):
        asked = Rule("asked", best.stops, best.choose)
        np.testing.assert_allclose(
            head_to_head(race, best, StopAt(350)).worths[0],
            head_to_head(race, asked, StopAt(350)).worths[0],
            atol=1e-14,
        )


def test_rolls_are_counted():
    race = Race(Pig(), 30, players=2)
    own = Rule("own", lambda m: m.rolls >= 3 or m.to_go == 0, remembers_rolls=3)
    assert head_to_head(race, RollTimes(3), StopAt(9)).value == head_to_head(race, own, StopAt(9)).value
    assert head_to_head(race, RollTimes(1), RollTimes(1)).value == head_to_head(race, StopAt(1), StopAt(1)).value


@pytest.mark.parametrize("finish", ["reach", "exact"])
def test_strategies_that_ignore_the_score_are_asked_once_and_play_the_same(finish):
    race = Race(TenThousand(), 600, players=2, finish=finish)
    for strategy in (BestPlay(solve(Turn(TenThousand())), "most-points"), RollTimes(2)):
        asked = Rule("asked", strategy.stops, strategy.choose, remembers_rolls=getattr(strategy, "remembers_rolls", 0))
        assert head_to_head(race, strategy, StopAt(300)).value == head_to_head(race, asked, StopAt(300)).value


def test_laws_sum_to_one_and_agree_with_each_other(optimal):
    match = head_to_head(HUNDRED, optimal, StopAt(20))
    turns, busts, (first, second) = match.laws.turns(), match.laws.busts(), match.laws.loser_scores()
    for law in (turns, busts):
        assert law.tail < 1e-12
        assert law.chance.sum() == pytest.approx(1, abs=1e-12)
        assert law.won[0].sum() == pytest.approx(match.value, abs=1e-12)
    assert sum(first.values()) == pytest.approx(match.value, abs=1e-12)
    assert sum(second.values()) == pytest.approx(1 - match.value, abs=1e-12)
    assert turns.won[0][::2].sum() == 0  # the first player wins in an odd turn
    margin = Race(Pig(), 100, players=2, payoff="margin")
    mean = sum((100 - s) * p for s, p in first.items()) - sum((100 - s) * p for s, p in second.items())
    assert head_to_head(margin, optimal, StopAt(20)).value == pytest.approx(mean, abs=1e-9)


def test_the_law_of_a_race_of_one_roll_each_is_known():
    """To 2 with a coin that must show two heads in one turn: chance 1/4 a turn, a geometric law."""
    race = Race(Coin(), 2, players=2)
    law = head_to_head(race, StopAt(2), StopAt(2)).laws.turns()
    n = np.arange(1, 40)
    np.testing.assert_allclose(law.chance[1:40], 0.25 * 0.75 ** (n - 1), atol=1e-15)
    assert head_to_head(race, StopAt(2), StopAt(2)).value == pytest.approx(4 / 7, abs=1e-15)


def test_threads_do_not_change_a_bit(optimal):
    one, three = (head_to_head(HUNDRED, optimal, KeepPace(), threads=n).worths for n in (1, 3))
    assert all(np.array_equal(a, b) for a, b in zip(one, three, strict=True))
    a, b = (best_response(HUNDRED, KeepPace(), threads=n).solution.worths[0] for n in (1, 2))
    assert np.array_equal(a, b)


def test_a_race_that_nobody_ends_is_a_draw():
    race = Race(Pig(), 3, players=2, finish="exact")
    never = Rule("two", lambda moment: moment.at_risk == 2)
    match = head_to_head(race, never, never)
    assert match.at(2, 2) == 0.5
    assert 0 < match.value < 1


def test_compare_agrees_with_single_matches_and_differs_by_seat(optimal):
    found = compare(HUNDRED, [optimal, StopAt(20), KeepPace()])
    assert found.names == ("optimal", "stop-at-20", "keep-pace")
    assert found.first[1, 2] == head_to_head(HUNDRED, StopAt(20), KeepPace()).value
    np.testing.assert_allclose(found.even + found.even.T, 1, atol=1e-15)
    assert (found.even[0] >= 0.5 - 1e-12).all()


def test_keep_pace_follows_its_words():
    pace = KeepPace()
    assert pace.threshold(0, 0, 100) == 21
    assert pace.threshold(0, 40, 100) == 26
    assert pace.threshold(40, 0, 100) == 16
    assert pace.threshold(71, 0, 100) == 29
    assert pace.threshold(0, 71, 100) == 100


def test_names_are_read_and_unknown_ones_refused(tmp_path, monkeypatch):
    for name in (*strategy_names(), "stop-at-20", "strict-stop-at-20", "roll-5-times"):
        strategy = named_strategy(name, Race(Pig(), 40, players=2))
        assert strategy.name == name
        assert 0 < head_to_head(Race(Pig(), 40, players=2), strategy, StopAt(20)).value < 1
    table = tmp_path / "thresholds.csv"
    table.write_text("\n".join(f"{n},{min(n, 20)}" for n in range(1, 41)))
    race = Race(Pig(), 40, players=2)
    own = named_strategy(f"table:{table}", race)
    assert head_to_head(race, own, StopAt(25)).value == head_to_head(race, StopAt(20), StopAt(25)).value
    (tmp_path / "my_rules.py").write_text("def cautious(moment):\n    return moment.at_risk >= 2\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert named_strategy("my_rules:cautious", race).stops(Moment(2, 0))
    with pytest.raises(ValueError, match=r"one of optimal, .*stop-at-N.*got 'nonsense'"):
        named_strategy("nonsense", race)
    with pytest.raises(ValueError, match="needs a race"):
        named_strategy("fewest-turns", Turn(Pig()))


def test_louchards_thresholds():
    """Dice-race section 3: k̄ follows n up to 29, then 14, 15, 15, 16, 16, 17."""
    best = best_thresholds(Pig(), 60)
    assert [best[n] for n in range(28, 36)] == [28, 29, 14, 15, 15, 16, 16, 17]
    race = Race(Pig(), 60, players=2)
    assert head_to_head(race, Thresholds(best), StopAt(20)).value > head_to_head(race, StopAt(20), StopAt(20)).value


def test_plans_share_their_rows():
    plan = plan_of(StopAt(20), HUNDRED)
    assert len(plan.first_row) - 1 == 20
    assert len(plan.rows_at(0, 0)[0]) == 20
    assert len(plan.rows_at(95, 7)[0]) == 5
