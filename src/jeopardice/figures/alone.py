"""Figures of races alone: thresholds, mean and variance by points to go, the law of the number of turns.

Each function paints one panel, a matplotlib `Axes`, from plain arrays; `draw_alone` puts the panels of a report together.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from jeopardice.analysis.alone_report import AloneReport
from jeopardice.analysis.edgeworth import edgeworth
from jeopardice.analysis.race_laws import TurnMoments
from jeopardice.rules.game import game_name
from jeopardice.types import Floats, Ints

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, RED, GREEN, GREY = "#1f5fa8", "#c23b2e", "#2f7d4f", "#8a8a8a"


def paint_thresholds(panel: "Axes", thresholds: Ints, *, first: int = 1) -> None:
    """Paint the best threshold k̄(n) for n = first, first + 1, ..."""
    n = np.arange(first, first + len(thresholds))
    panel.plot(n, thresholds, ".", color=BLUE, markersize=3)
    panel.set(xlabel="points to go, n", ylabel="best threshold, points at risk")
    panel.grid(alpha=0.25)


def paint_lines(panel: "Axes", n: Floats, lines: Mapping[str, Floats], *, ylabel: str) -> None:
    """Paint quantities by points to go, the first in blue, the others in red and green."""
    for (label, values), colour, style in zip(lines.items(), (BLUE, RED, GREEN), ("-", "--", ":"), strict=False):
        panel.plot(n, values, style, color=colour, linewidth=1.3, label=label)
    panel.set(xlabel="points to go, n", ylabel=ylabel)
    panel.grid(alpha=0.25)
    if len(lines) > 1:
        panel.legend(frameon=False, loc="upper left")


def paint_law(panel: "Axes", law: Floats, curves: Mapping[str, Floats]) -> None:
    """Paint the law of the number of turns as circles and curves over the same numbers as lines."""
    turns = np.arange(len(law))
    shown = law > law.max() * 1e-4
    panel.plot(
        turns[shown], law[shown], "o", markersize=3.5, markerfacecolor="none", color="black", label="exact chance"
    )
    for (label, values), colour, style in zip(curves.items(), (RED, GREEN, BLUE), ("-", "--", ":"), strict=False):
        panel.plot(turns[shown], values[shown], style, color=colour, linewidth=1.3, label=label)
    panel.set(xlabel="number of turns, j", ylabel="chance of exactly j turns")
    panel.set_ylim(top=1.36 * float(law.max()))  # room for the legend above the curves
    panel.grid(alpha=0.25)
    panel.legend(frameon=False, loc="upper right")


def paint_residual(panel: "Axes", law: Floats, curves: Mapping[str, Floats]) -> None:
    """Paint what the law has above each curve, number of turns by number of turns."""
    turns = np.arange(len(law))
    shown = law > law.max() * 1e-4
    panel.axhline(0, color="black", linewidth=0.6)
    rests = [(law - values)[shown] for values in curves.values()]
    for label, rest, colour, style in zip(curves, rests, (RED, GREEN, BLUE), ("-", "--", ":"), strict=False):
        panel.plot(turns[shown], rest, style, color=colour, linewidth=1.3, label=label)
    panel.set(xlabel="number of turns, j", ylabel="exact chance less the curve")
    panel.set_ylim(top=1.9 * max(float(np.abs(rest).max()) for rest in rests))  # room for the legend above the curves
    panel.grid(alpha=0.25)
    panel.legend(frameon=False, loc="upper right")


def normal_and_edgeworth(law: Floats, moments: TurnMoments) -> dict[str, Floats]:
    """Return the normal curve with the law's mean and variance, and the one corrected by skewness and kurtosis."""
    turns = np.arange(len(law), dtype=float)
    return {
        "normal, same mean and variance": edgeworth(turns, moments, order=0),
        "with skewness and kurtosis (Edgeworth)": edgeworth(turns, moments, order=2),
    }


def _thresholds(panel: "Axes", report: AloneReport) -> None:
    thresholds = report.thresholds
    if thresholds is None:
        raise ValueError(f"thresholds need a game of roll or stop without house rules, got {report.goal!r}")
    paint_thresholds(panel, thresholds.thresholds[1:])
    panel.set(title="best threshold by points to go")


def _excess(panel: "Axes", report: AloneReport) -> None:
    n, far = _to_go(report), report.far
    excess = report.race.mean - n / far.points_per_turn
    paint_lines(panel, n[1:], {"": excess[1:]}, ylabel="turns")
    panel.set(title=f"mean turns less n / {far.points_per_turn:.6g} points per turn")


def _variance(panel: "Axes", report: AloneReport) -> None:
    n, far = _to_go(report), report.far
    lines: dict[str, Floats] = {"variance": report.race.variance, f"{far.variance_rate:.4g} n": n * far.variance_rate}
    paint_lines(panel, n, lines, ylabel="variance, turns squared")
    panel.set(title="variance of the number of turns")


def _law(panel: "Axes", report: AloneReport) -> None:
    paint_law(panel, report.law, normal_and_edgeworth(report.law, report.moments))
    panel.set(title=f"number of turns to {report.goal.target}")


def _residual(panel: "Axes", report: AloneReport) -> None:
    paint_residual(panel, report.law, normal_and_edgeworth(report.law, report.moments))
    panel.set(title="what the curves leave unexplained")


def _to_go(report: AloneReport) -> Floats:
    to_go: Floats = np.arange(0, len(report.race.mean) * report.race.unit, report.race.unit, dtype=np.float64)
    return to_go


PANELS: dict[str, Callable[[Any, AloneReport], None]] = {
    "thresholds": _thresholds,
    "excess": _excess,
    "variance": _variance,
    "law": _law,
    "residual": _residual,
}
"""What can be drawn of a race alone, by name."""


def draw_alone(figure: "Figure", report: AloneReport, which: str | None = None) -> None:
    """Draw one panel of a report, or all that the game has."""
    if which is not None and which not in PANELS:
        raise ValueError(f"a figure of a race alone is one of {', '.join(PANELS)}, got {which!r}")
    names = [which] if which else [name for name in PANELS if name != "thresholds" or report.thresholds is not None]
    columns = 1 if len(names) == 1 else 2
    panels = figure.subplots(-(-len(names) // columns), columns, squeeze=False).ravel()
    for panel in panels[len(names) :]:
        panel.set_visible(False)
    for panel, name in zip(panels, names, strict=False):
        PANELS[name](panel, report)
    game = game_name(report.goal.game)
    figure.suptitle(f"{game} alone to {report.goal.target}, {report.strategy.name}")
