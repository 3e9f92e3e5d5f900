"""Rules of thumb: evaluated in two ways, never better than best play, and as good as those known from papers."""

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jeopardice import Farkle, Hog, Pig, Race, Rate, RulesError, TenThousand, Turn, exploitability, solve
from jeopardice.analysis.head_to_head import head_to_head
from jeopardice.analysis.thumb import TurnWalk, best_thumbs
from jeopardice.analysis.turn_law import turn_law
from jeopardice.cli import main
from jeopardice.points.plan import _asked, plan_of
from jeopardice.points.strategy import KeepPace, StopAt
from jeopardice.points.tables import lay_out
from jeopardice.points.thumb import RollSo, Thumb, thumb_words

GAMES = [TenThousand(dice=3), Farkle(dice=3, hot_dice="may"), Farkle.named("kingdom_come"), Pig(sides=8, bust=(1, 3))]
rules = st.builds(
    Thumb,
    st.lists(st.integers(1, 12).map(lambda n: 50 * n), min_size=3, max_size=3).map(lambda p: tuple(enumerate(p, 1))),
    st.sampled_from([0, 20, 60, 160]),
)


@settings(deadline=None, max_examples=30)
@given(st.sampled_from(GAMES[:3]), rules)
def test_the_walk_gives_the_mean_and_the_busts_of_the_exact_law(game, rule):
    mean, bust = TurnWalk(lay_out(game, drop_dominated=False)).worth(rule)
    law = turn_law(game, rule, exact=False)
    assert mean == pytest.approx(float(law.mean), abs=1e-8)
    assert bust == pytest.approx(float(law.bust_chance), abs=1e-10)


def test_a_rule_by_hand():
    """Two dice, only singles score; stop at 100: brute force over all rolls, in fractions."""
    game = Farkle(dice=2, three=0, three_ones=0)
    rule = Thumb(((1, 100), (2, 150)))

    def worth(t, dice):
        if t >= (100 if dice == 1 else 150):
            return Fraction(t)
        total = Fraction(0)
        for roll in product(range(1, 7), repeat=dice):
            kept = [{1: 100, 5: 50}[face] for face in roll if face in (1, 5)]
            total += worth(t + sum(kept), dice - len(kept) or 2) if kept else 0
        return total / 6**dice

    assert TurnWalk(lay_out(game, drop_dominated=False)).worth(rule)[0] == pytest.approx(float(worth(0, 2)), abs=1e-10)


def test_the_long_run_with_penalties_is_that_of_a_chain_of_busts():
    """Points per turn of a fixed rule by the stationary law of busts in a row, against the closed form of the search."""
    goal = Rate(Pig(), busts=3, penalty=20)
    (row,) = best_thumbs(goal)
    mean, bust = TurnWalk(lay_out(Pig(), drop_dominated=False)).worth(row.rule)
    moves = np.zeros((3, 3))
    for count in range(3):
        moves[count, 0] += 1 - bust
        moves[count, (count + 1) % 3] += bust
    law = np.linalg.matrix_power(moves, 400)[0]
    assert row.value == pytest.approx(mean - 20 * law[2] * bust, abs=1e-9)
    assert 0 <= row.loss < 0.5 and row.value <= solve(goal).value + 1e-9


@pytest.mark.parametrize("goal", [Turn(GAMES[0]), Turn(GAMES[1], bank_from=100), Rate(GAMES[0], 0, 2, 100)])
def test_more_numbers_lose_less_and_never_win(goal):
    rows = best_thumbs(goal)
    assert [row.integers for row in rows] == sorted({row.integers for row in rows})
    assert [row.loss for row in rows] == sorted((row.loss for row in rows), reverse=True)
    best = float(solve(goal).value)
    for row in rows:
        assert row.value <= best + 1e-9 and row.loss == pytest.approx(best - row.value, abs=1e-9)
        assert row.rule.integers == row.integers and row.words[0].isupper()


def test_the_best_single_number_is_the_best_of_all_numbers():
    game = TenThousand(dice=4)
    walk = TurnWalk(lay_out(game, drop_dominated=False))
    every = {points: walk.worth(Thumb(((4, points),), unit=50))[0] for points in range(50, 2000, 50)}
    row = best_thumbs(Turn(game))[0]
    assert row.integers == 1 and row.value == pytest.approx(max(every.values()), abs=1e-9)


def test_pig_and_hog_need_one_number_for_a_turn():
    (pig,) = best_thumbs(Turn(Pig()))
    assert (pig.words, pig.rule.stop_at) == ("Stop at 20", ((0, 20),)) and pig.loss < 1e-12
    (hog,) = best_thumbs(Turn(Hog(dice_limit=10)))
    assert hog.words == "Roll 5 dice" or hog.words == "Roll 6 dice"
    assert hog.loss < 1e-12 and isinstance(hog.rule, RollSo)


def test_keep_pace_is_a_thumb_of_three_numbers():
    """Neller & Presser's rule, written as a thumb, plays every standing as their strategy does."""
    goal = Race(Pig(), 100, players=2)
    thumb = Thumb(((0, 21),), catch_up=8, race=29)
    ours, theirs = plan_of(thumb, goal), plan_of(KeepPace(), goal)
    for mine, other in product(range(0, 100, 7), range(0, 100, 9)):
        assert len(ours.rows_at(mine, other)[0]) == len(theirs.rows_at(mine, other)[0])
    assert head_to_head(goal, thumb, StopAt(20)).value == head_to_head(goal, KeepPace(), StopAt(20)).value


@settings(deadline=None, max_examples=15)
@given(rules, st.integers(0, 5), st.integers(0, 5), st.sampled_from([0, 100, 200]), st.sampled_from([0, 2, 5]))
def test_a_plan_does_what_the_rule_says_when_asked_at_every_moment(rule, mine, theirs, race, catch_up):
    game = GAMES[1]
    rule = Thumb(rule.stop_at, rule.die_worth, catch_up, race, unit=50)
    goal = Race(game, 300, players=2)
    plan = plan_of(rule, goal)
    stop, chosen = plan.rows_at(mine, theirs)
    asked = _asked(rule, plan.table, 1, 0, 6 - mine, False, (50 * mine, 50 * theirs, 300))
    places = [(mode, g, c) for mode, groups in enumerate(plan.table.groups) for g, c in enumerate(groups)]
    entry = {(mode, g): number for number, (mode, g, _) in enumerate(p for p in places if len(p[2]) > 1)}
    reached = {(0, plan.table.opening)}
    for t in range(6 - mine):
        for mode in range(len(plan.table.modes)):
            if (t, mode) not in reached:
                continue
            rolls = [t < len(s) and not s[t, mode] for s in (stop, asked[0])]
            assert rolls[0] == rolls[1]
            if rolls[0]:
                for g, choices in enumerate(plan.table.groups[mode]):
                    points, to = choices[chosen[t, entry[mode, g]] if (mode, g) in entry else 0]
                    reached.add((t + points, to))
    assert exploitability(goal, rule) >= -1e-12


def test_for_two_the_loss_is_what_the_best_answer_wins():
    goal = Race(Pig(), 30, players=2)
    rows = best_thumbs(goal, most=2)
    assert rows[0].integers == 1 and rows[-1].loss <= rows[0].loss
    for row in rows:
        assert row.loss == pytest.approx(exploitability(goal, row.rule), abs=1e-12)


@pytest.mark.slow
def test_three_numbers_for_pig_are_at_least_as_good_as_keep_pace():
    goal = Race(Pig(), 100, players=2)
    rows = {row.integers: row for row in best_thumbs(goal)}
    assert rows[3].loss <= exploitability(goal, KeepPace())


def test_rules_read_like_advice():
    assert thumb_words(Thumb(((1, 300), (2, 250), (6, 500))), range(1, 7)) == (
        "With 1 die left stop at 300, with 2 at 250, with 3 to 6 at 500"
    )
    with pytest.raises(RulesError, match="two players"):
        best_thumbs(Race(Pig(), 100, players=3))


def test_the_command_shows_rules_and_what_they_cost(capsys):
    assert main(["thumb", "ten-thousand", "--dice", "3", "--most", "2", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [row["integers"] for row in answer["rules"]] == [1, 2]
    assert answer["best"] == pytest.approx(float(solve(Turn(TenThousand(dice=3))).value), abs=1e-9)
    assert main(["thumb", "--named", "big_pig"]) == 0
    out = capsys.readouterr().out
    assert "1: Stop at " in out and "what it costs to remember less" in out
    assert main(["thumb", "cant-stop", "turn"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
