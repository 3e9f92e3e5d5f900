"""Figures 1 to 15 of the dice-race paper, drawn from computed numbers; each takes a matplotlib figure."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from jeopardice.analysis.asymptotics import excess_range, residue_chain
from jeopardice.analysis.edgeworth import edgeworth
from jeopardice.analysis.race_laws import TurnMoments, turn_moments
from jeopardice.figures.alone import paint_law, paint_lines, paint_residual, paint_thresholds
from jeopardice.figures.duel import paint_surface
from jeopardice.papers.dice_race.means import near_1000
from jeopardice.papers.dice_race.races import (
    PATTERN,
    TARGET,
    FixedRace,
    best_mean,
    decided,
    duel,
    mixed_rates,
    printed,
    races,
    thresholds,
    variance_per_point,
)
from jeopardice.papers.dice_race.variances import variance_rate, wave_fit
from jeopardice.types import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure

N = np.arange(TARGET + 1, dtype=float)
EXCESS, VARIANCE = "E(n) - n/m, turns", "variance, turns²"


def _panel(figure: "Figure", title: str) -> Any:
    panel = figure.subplots()
    panel.set_title(title, fontsize=10.5)
    return panel


def figure_1(figure: "Figure") -> None:
    """k̄(n)."""
    panel = _panel(figure, "Figure 1: the best threshold k̄(n) settles on 20 and 21")
    paint_thresholds(panel, thresholds().thresholds[1:])


def figure_2(figure: "Figure") -> None:
    """E(n) and n/m."""
    panel = _panel(figure, "Figure 2: the mean number of turns E(n) runs along n/m, a little above it")
    paint_lines(panel, N, {"n/m": N / best_mean(), "E(n)": races().best.mean}, ylabel="mean number of turns")


def figure_3(figure: "Figure") -> None:
    """E(n) - n/m, all n."""
    (proven,) = excess_range(decided())
    panel = _panel(figure, f"Figure 3: E(n) - n/m swings ever less on its way to K₁ = {float(proven.ball):.5f}")
    paint_lines(panel, N[1:], {"": races().best.excess[1:]}, ylabel=EXCESS)


def figure_4(figure: "Figure") -> None:
    """E(n) - n/m near 1000."""
    low, high = near_1000(races().best)
    _near_the_end(figure, f"Figure 4: near n = 1000 E(n) - n/m still swings, by {high - low:.4f}", races().best)


def figure_5(figure: "Figure") -> None:
    """Strategy 3 near 1000."""
    title = f"Figure 5: Strategy 3, fixed periods from n = 55 on, costs {_dearer(races().strategy_3):.4f} turns more"
    _near_the_end(figure, title, races().strategy_3)


def _dearer(race: FixedRace) -> float:
    """Return how many turns more a race takes than the best thresholds, on average over the last 22 values of n."""
    return float((race.mean - races().best.mean)[-22:].mean())


def _near_the_end(figure: "Figure", title: str, race: FixedRace, first: int = 890) -> None:
    paint_lines(_panel(figure, title), N[first:], {"": race.excess[first:]}, ylabel=EXCESS)


def figure_6(figure: "Figure") -> None:
    """V(n) and n s₁²."""
    _along(figure, "Figure 6: the variance V(n) waves along n s₁²", "n s₁²", mixed_rates()[0])


def figure_7(figure: "Figure") -> None:
    """V(n) - n s₁²."""
    title = "Figure 7: V(n) - n s₁² swings by ±2 and drifts above 0: s₁² is too small"
    _rest(figure, title, "V(n) - n s₁²", races().best, mixed_rates()[0])


def figure_8(figure: "Figure") -> None:
    """V(n) and n s₂²."""
    _along(figure, "Figure 8: the variance V(n) waves along n s₂²", "n s₂²", mixed_rates()[1])


def figure_9(figure: "Figure") -> None:
    """V(n) - n s₂²."""
    title = f"Figure 9: V(n) - n s₂² drifts less, for s₂² is nearer to the true rate {variance_rate():.5f}"
    _rest(figure, title, "V(n) - n s₂²", races().best, mixed_rates()[1])


def _along(figure: "Figure", title: str, label: str, rate: float) -> None:
    paint_lines(_panel(figure, title), N, {"V(n)": races().best.variance, label: rate * N}, ylabel=VARIANCE)


def _rest(figure: "Figure", title: str, label: str, race: FixedRace, rate: float, first: int = 1) -> None:
    panel = _panel(figure, title)
    panel.axhline(0, color="black", linewidth=0.6)
    paint_lines(panel, N[first:], {"": (race.variance - rate * N)[first:]}, ylabel=f"{label}, turns²")


def figure_10(figure: "Figure") -> None:
    """Strategy 4 near 1000."""
    title = f"Figure 10: Strategy 4, always 20 from n = 251 on, costs {_dearer(races().strategy_4):.4f} turns more"
    _near_the_end(figure, title, races().strategy_4)


def figure_11(figure: "Figure") -> None:
    """V(n) - n Ṽ(20)/m³ for Strategy 4, all n."""
    title = "Figure 11: Strategy 4: from n = 251 on, with one threshold, the waves of V(n) fade"
    _rest(figure, title, "V(n) - nṼ(20)/m³", races().strategy_4, variance_per_point(20))


def figure_12(figure: "Figure") -> None:
    """V(n) - n Ṽ(20)/m³ for Strategy 4, near 1000."""
    title = "Figure 12: Strategy 4: near n = 1000 little is left of the waves of V(n)"
    panel = _panel(figure, title)
    rest = races().strategy_4.variance - variance_per_point(20) * N
    paint_lines(panel, N[890:], {"": rest[890:]}, ylabel="V(n) - nṼ(20)/m³, turns²")


def figure_13(figure: "Figure") -> None:
    """V(n) - n s₃² and U(n)."""
    fit, rate = wave_fit(), float(printed()["variance"]["rate_fit"])
    wave: Floats = residue_chain(races().table, PATTERN).wave[(N.astype(int) + fit.phase) % 22]
    panel = _panel(figure, "Figure 13: U(n) has the shape and height of the waves of V(n), not quite their period")
    lines = {"U(n), pattern 12/10": wave[890:], "V(n) - n s₃², s₃² = 0.2137": (races().best.variance - rate * N)[890:]}
    paint_lines(panel, N[890:], lines, ylabel=VARIANCE)
    panel.set_ylim(top=3.2)  # room for the legend above the waves


def _curves(law: Floats) -> dict[str, Floats]:
    turns = np.arange(len(law), dtype=float)
    rate = residue_chain(races().table, PATTERN).variance_rate
    printed_moments = TurnMoments(TARGET / best_mean(), TARGET * rate, 0, 0)
    return {
        "normal, mean 1000/m, variance 1000 s² (paper)": edgeworth(turns, printed_moments, order=0),
        "with skewness and kurtosis (Edgeworth, ours)": edgeworth(turns, turn_moments(law), order=2),
    }


def figure_14(figure: "Figure") -> None:
    """Π(1000, j) and normal curves."""
    law = races().best.law
    panel = _panel(figure, "Figure 14: Π(1000, j) leans to the left of the normal curve; skewness explains it")
    paint_law(panel, law, _curves(law))


def open_problem_3(figure: "Figure") -> None:
    """What the curves of Figure 14 leave of Π(1000, j); ours, not in the paper."""
    law = races().best.law
    panel = _panel(figure, "Open problem 3: Edgeworth's terms remove nearly all of the discrepancy")
    paint_residual(panel, law, _curves(law))


def figure_15(figure: "Figure") -> None:
    """The surface between rolling and stopping, two players."""
    title = "Figure 15: Pig to 100 for two: roll below the surface, stop on it"
    paint_surface(figure, duel(), title)


FIGURES: tuple[tuple[str, Callable[["Figure"], None]], ...] = (
    ("k̄(n)", figure_1),
    ("E(n) and n/m", figure_2),
    ("E(n) - n/m", figure_3),
    ("E(n) - n/m near n = 1000", figure_4),
    ("E(n) - n/m near n = 1000, Strategy 3", figure_5),
    ("V(n) and n s₁²", figure_6),
    ("V(n) - n s₁²", figure_7),
    ("V(n) and n s₂²", figure_8),
    ("V(n) - n s₂²", figure_9),
    ("E(n) - n/m near n = 1000, Strategy 4", figure_10),
    ("V(n) - nṼ(20)/m³, Strategy 4", figure_11),
    ("V(n) - nṼ(20)/m³ near n = 1000, Strategy 4", figure_12),
    ("V(n) - n s₃² and U(n)", figure_13),
    ("Π(1000, j) and the normal curve", figure_14),
    ("two players: where to roll and where to stop", figure_15),
)
"""What each figure shows, in order of print."""
