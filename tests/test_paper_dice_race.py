"""The dice-race paper: every printed number has a verdict, every figure shows something."""

import numpy as np
import pytest

from jeopardice.figures import new_figure, save_figure
from jeopardice.papers.claims import Claim
from jeopardice.papers.dice_race import PAPER
from jeopardice.papers.dice_race.races import duel, printed, races

CHECKED = {exhibit.name: exhibit for exhibit in PAPER.exhibits if exhibit.check is not None}
DRAWN = {exhibit.name: exhibit for exhibit in PAPER.exhibits if exhibit.draw is not None}


def claims(name: str) -> dict[str, Claim]:
    return {claim.what: claim for claim in CHECKED[name].check()}


@pytest.mark.parametrize("name", [name for name, exhibit in CHECKED.items() if not exhibit.long])
def test_no_printed_number_differs_without_a_reason(name):
    found = list(claims(name).values())
    assert found
    assert [claim for claim in found if claim.verdict == "differs"] == []
    assert all(claim.note for claim in found if claim.verdict in ("misprint", "unclear"))


@pytest.mark.slow
def test_strategy_6_is_better_at_53_and_75_only():
    (claim,) = CHECKED["Section 8, conjecture"].check()
    assert (claim.ours, claim.verdict) == ("53, 75", "agrees")


def test_the_numbers_that_must_hold_agree_with_the_print():
    """Sections 2 to 6 and 8: s1, p_I, P_w(1000), the loss of Strategy 7, K1; s2 and s2 of 4.2 to their last digit."""
    agreed = {
        "Section 4.1": ["s₁²"],
        "Section 4.2": ["p_I", "p_II"],
        "Section 4.4": ["s² of the pattern 12/10"],
        "Section 6": ["P_w(1000)"],
        "Section 8": ["J̄(20) - Ḡ(20)", "Ḡ(20)"],
        "Section 3": ["k̄(1..35)", "n with several best thresholds", "K₁ (open problem 2)"],
        "Section 7": ["P(i, j, 0) for i, j ≥ n - 2"],
    }
    for name, wanted in agreed.items():
        found = claims(name)
        assert {what: found[what].verdict for what in wanted} == dict.fromkeys(wanted, "agrees")
    assert float(claims("Section 4.1")["s₂²"].ours) == pytest.approx(0.2133421842, abs=3e-10)
    assert float(claims("Section 4.2")["s² of the pattern 12/10"].ours) == pytest.approx(0.2112800054, abs=3e-10)


def test_misprints_are_the_known_ones():
    """docs/errata.md; another list means that a printed number or ours has changed."""
    wrong = {
        name: [claim.what for claim in claims(name).values() if claim.verdict == "misprint"]
        for name in ("Section 2.2", "Section 2.3", "Section 3", "Section 8")
    }
    assert wrong == {
        "Section 2.2": ["R̄(20)", "R̄(21)", "recurrence of P_R(k, ℓ), ℓ > 1"],
        "Section 2.3": ["C(20)"],
        "Section 3": ["one round is tried", "successive n with k̄ = 20", "successive n with k̄ = 21", "period of k̄"],
        "Section 8": ["C at n = 75"],
    }


def test_every_section_and_figure_is_there():
    assert [name for name in DRAWN if name != "Open problem 3"] == [f"Figure {n}" for n in range(1, 16)]
    assert {"Equation (1)", "Equation (2)", "Equation (3)", "Equations (4), (5)"} <= set(CHECKED)
    assert all(isinstance(value, str | list) for part in printed().values() for value in part.values())


@pytest.mark.parametrize("name", DRAWN)
def test_every_figure_draws_something_and_says_what(name, tmp_path):
    figure = new_figure()
    DRAWN[name].draw(figure)
    (panel,) = figure.axes
    assert panel.get_title().startswith(f"{name}: ")
    assert panel.get_xlabel() and panel.get_ylabel()
    drawn = [np.asarray(line.get_ydata(), float) for line in panel.lines] or [panel.collections[0].get_array()]
    assert max(len(values) for values in drawn) > 50
    assert all(np.isfinite(values).all() for values in drawn)
    file = save_figure(figure, tmp_path / "figure.png")
    assert file.stat().st_size > 5000


def test_a_figure_in_another_format_is_refused(tmp_path):
    with pytest.raises(ValueError, match="png"):
        save_figure(new_figure(), tmp_path / "figure.doc")


def test_the_races_of_the_paper_are_ordered_and_the_duel_is_near_6_7_at_the_end():
    best, third, fourth = races()[1:]
    assert (best.mean <= third.mean + 1e-12).all() and (best.mean <= fourth.mean + 1e-12).all()
    assert duel().at(98, 99) == pytest.approx(6 / 7, abs=1e-12)
