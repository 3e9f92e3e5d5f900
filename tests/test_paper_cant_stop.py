"""Algorithm 3 of the cant-stop paper, counted by the kernel and by hand, and Table 2 beside print."""

import numpy as np
import pytest

from jeopardice.columns.alone import solve_cant_stop
from jeopardice.games.cant_stop import CantStop
from jeopardice.papers import cant_stop as paper
from jeopardice.papers.cant_stop_newton import counted, iteration_counts, secant_counted, turn_worth


def worth_by_rules(game, values, standing, x, markers=()):
    """F(x) and its slope, moment by moment from the rules; the turn itself is not counted."""
    worth = slope = 0.0
    weights = game.rolls()
    for roll, weight in weights.items():
        best = None
        for after in game.plays(standing, markers, roll):
            if game.is_won(standing, after):
                options = [(0.0, 0.0)]
            else:
                banked = game.bank(standing, after)
                stop = values[tuple(np.subtract(game.lengths, banked))]
                options = [(stop, 0.0), worth_by_rules(game, values, standing, x, after)]
            best = min([*options, *([best] if best else [])], key=lambda option: option[0])
        worth += (best or (x, 1.0))[0] * weight / sum(weights.values())
        slope += (best or (x, 1.0))[1] * weight / sum(weights.values())
    return worth, slope


def iterations_by_rules(game, values, standing, *, secant):
    x, last = 1.0, None
    for count in range(1, 50):
        worth, slope = worth_by_rules(game, values, standing, x)
        miss = 1 + worth - x
        if abs(miss) <= 1e-13:
            return count
        if secant:
            slope = 0.0 if last is None else (worth - last[1]) / (x - last[0])
        last = x, worth
        x += miss / (1 - slope)
    return None


@pytest.mark.parametrize("secant", [False, True])
@pytest.mark.parametrize("board", [(2, 1), (2, 2)])
def test_iterations_are_counted_as_by_hand(board, secant):
    game = CantStop(*board)
    values = solve_cant_stop(game)
    standings = [standing for standing in game.standings() if not game.is_won(standing)]
    by_hand = [iterations_by_rules(game, values, s, secant=secant) for s in standings if s <= s[::-1]]
    found = iteration_counts(values, secant=secant)[1]
    assert sorted(found) == sorted(by_hand)
    worth, slope = worth_by_rules(game, values, game.opening, 1.2)
    assert turn_worth(values, game.lengths, 1.2) == pytest.approx((1 + worth, slope), abs=1e-14)


def test_a_secant_takes_longer_than_newton():
    newton, secant = counted(3, 3)[1].astype(int), secant_counted(3, 3)[1].astype(int)
    assert (secant >= newton).all() and (secant - newton).mean() > 0.5


@pytest.mark.slow
def test_table_2_lies_between_newton_and_a_little_above_the_secant():
    claims = {claim.what: claim for claim in paper.table_2()}
    states = [claim for what, claim in claims.items() if "states" in what]
    assert [claim.verdict for claim in states].count("agrees") == 16
    assert {claim.what for claim in states if claim.verdict == "misprint"} == {
        "value from 1.2 up to 1.3: states", "total: states",
    }  # fmt: skip
    means = [claim for what, claim in claims.items() if "iterations" in what]
    assert len(means) == 16
    for claim in means:
        secant = float(claim.note.rsplit(maxsplit=1)[1])
        assert float(claim.ours) < secant < float(claim.printed) < secant + 0.6
