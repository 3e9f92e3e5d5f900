"""Bars side by side: what columns or boxes are worth, how often a game takes a number of turns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Bars:
    """One panel: a bar for each label."""

    title: str
    axis: str
    height: str
    labels: Sequence[str]
    values: Sequence[float]


def draw_bars(figure: "Figure", panels: Sequence[Bars]) -> None:
    """Draw the panels one below the other on an empty figure."""
    for axes, bars in zip(figure.subplots(len(panels), 1, squeeze=False)[:, 0], panels, strict=True):
        axes.bar(range(len(bars.values)), bars.values, color="0.45")
        axes.set_xticks(range(len(bars.labels)), bars.labels, rotation=45 if max(map(len, bars.labels)) > 4 else 0)
        axes.set(title=bars.title, xlabel=bars.axis, ylabel=bars.height)
