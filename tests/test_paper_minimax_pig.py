"""What the minimax paper says about Pig to 200, checked exactly."""

from fractions import Fraction

import numpy as np
import pytest

from jeopardice import Pig, Race, solve
from jeopardice.analysis.decision_maps import roll_gains
from jeopardice.analysis.head_to_head import head_to_head
from jeopardice.papers.minimax_pig import claims, printed, race, solution, turn_chances
from jeopardice.points.strategy import BestPlay


def maps(variant, theirs):
    return roll_gains(solution(variant), theirs)


def test_always_roll_from_187_on_and_not_before():
    """Section 3.2. Exact, with the certified bound to spare."""
    bound = solution("reach").error_bound
    for theirs in range(187, 200):
        gains = maps("reach", theirs)
        assert np.nanmin(gains) > 2 * bound
    assert np.nanmin(maps("reach", 186)) < -2 * bound
    assert int((maps("reach", 186) <= 0).sum()) == 244


def test_at_the_start_one_still_rolls_at_20():
    """Section 3.2 says stop at 20; it is 21, by more than the error bound, in all three variants."""
    for variant in ("reach", "exact", "margin"):
        gains = maps(variant, 0)[0]
        assert gains[20] > 2 * solution(variant).error_bound
        assert gains[21] < -2 * solution(variant).error_bound


def test_best_play_wins_52_percent_against_the_fewest_turns():
    """Section 3.2: 52 % of 10 000 000 simulated games, the first player drawn by lot."""
    best, fewest = BestPlay(solution()), BestPlay(solve(Race(Pig(), 200)), "fewest-turns")
    first = head_to_head(race(), best, fewest).value
    second = 1 - head_to_head(race(), fewest, best).value
    assert first == pytest.approx(0.5421085548, abs=1e-10)
    assert second == pytest.approx(0.4980941471, abs=1e-10)
    assert round(100 * (first + second) / 2) == int(printed()["claims"]["haigh_roters"]["printed"])


def test_a_turn_to_land_exactly_wins_with_more_than_a_sixth():
    """Section 4.1 says at most 1/6. From 194: a 6, or smaller steps that add up to 6."""

    def hit(lacking):
        if lacking == 0:
            return Fraction(1)
        return sum(hit(lacking - face) for face in range(2, 7) if face <= lacking) / Fraction(6)

    assert hit(6) == Fraction(55, 216)
    assert turn_chances()[194, 0] == pytest.approx(float(hit(6)), abs=1e-15)
    assert [200 - n for n in range(12, 0, -1) if hit(n) > Fraction(1, 6)] == [192, 194, 195, 196]


def test_the_zone_to_roll_lies_at_193_not_at_194():
    """Section 4.1."""

    def most(theirs, score):
        gains = maps("exact", theirs)
        return max((tau for tau in range(1, score + 1) if gains[score - tau, tau] > 0), default=0)

    assert [most(theirs, 193) for theirs in (0, 150, 180, 198)] == [25, 30, 37, 46]
    assert [most(theirs, 194) for theirs in (0, 150, 180, 198)] == [0, 0, 0, 6]


def test_nobody_stops_one_short_when_the_target_must_be_hit():
    """Section 4.1: 199 is a trap, since no face scores one point; from 199:199 nobody wins."""
    for theirs in (0, 100, 198, 199):
        gains = maps("exact", theirs)
        assert all(gains[199 - tau, tau] > 0 for tau in range(1, 199))
    assert solution("exact").at(199, 199) == 0.5
    assert solution("exact").at(199, 198) == pytest.approx(0, abs=1e-12)


def test_for_the_margin_one_rolls_when_close_to_winning():
    """Section 4.2, and how it differs from the classical game."""

    def most(variant, theirs):
        gains = maps(variant, theirs)
        return max(tau for tau in range(1, 200) if gains[199 - tau, tau] > 0)

    assert [most("margin", theirs) for theirs in (0, 100, 180, 199)] == [55, 54, 47, 9]
    assert most("reach", 0) == 22


@pytest.mark.slow
def test_every_observation_has_its_verdict():
    verdicts = {claim.name: claim.verdict for claim in claims()}
    assert set(verdicts) == set(printed()["claims"])
    assert {name for name, verdict in verdicts.items() if verdict == "false"} == {
        "exact_sixth",
        "exact_194",
        "exact_ends",
    }
    assert {name for name, verdict in verdicts.items() if verdict == "roughly true"} == {
        "threshold", "riskier", "margin_close"
    }  # fmt: skip
