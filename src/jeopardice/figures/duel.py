"""Figures of a duel: maps of where to roll and where to stop, and the surface between them.

Maps look like those of the minimax paper: the score across, the points at risk upwards, grey where one rolls, black
where one stops; white where the goal is reached. The surface shows, over both scores, the least points at risk from which
one stops for good (dice-race, Figure 15). matplotlib draws PNG and SVG, plotly a page that turns and works offline.
"""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.analysis.decision_maps import roll_gains
from jeopardice.points.solution import DuelSolution
from jeopardice.rules.game import Mode, game_name, mode_word
from jeopardice.store import write_whole
from jeopardice.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GREY, BLACK = "#b9b9b9", "#000000"


def draw_maps(solution: DuelSolution, theirs: Sequence[int], path: str | Path, *, mode: Mode = None) -> Path:
    """Draw one map for each of the opponent's scores and write them to a PNG, SVG or PDF file."""
    from matplotlib.colors import ListedColormap
    from matplotlib.figure import Figure

    unit, target = solution.tables[0].unit, solution.targets[0] * solution.tables[0].unit
    columns = min(2, len(theirs))
    lines = -(-len(theirs) // columns)
    figure = Figure(figsize=(4.2 * columns, 3.9 * lines), layout="constrained")
    panels = np.atleast_1d(figure.subplots(lines, columns, squeeze=False)).ravel()
    for panel in panels[len(theirs) :]:
        panel.set_visible(False)
    for panel, score in zip(panels, theirs, strict=False):
        gains = roll_gains(solution, score, mode=mode)
        stops = np.ma.masked_invalid(np.where(np.isnan(gains), np.nan, gains <= 0))
        panel.imshow(
            stops.T, origin="lower", cmap=ListedColormap([GREY, BLACK]), vmin=0, vmax=1, interpolation="nearest",
            extent=(-unit / 2, target - unit / 2, -unit / 2, target - unit / 2),
        )  # fmt: skip
        panel.set(title=f"opponent at {score}", xlabel="my score", ylabel="points at risk")
    figure.suptitle(f"{_title(solution, mode)}: roll (grey), stop (black)")
    return write_figure(figure, path)


def stop_surface(solution: DuelSolution, *, mode: Mode = None) -> tuple[Array, Array, NDArray[np.float64]]:
    """Return my scores, their scores and [mine, theirs] the least points at risk with which one first stops."""
    unit, other = solution.tables[0].unit, solution.tables[1].unit
    mine, theirs = np.arange(solution.targets[0]) * unit, np.arange(solution.targets[1]) * other
    heights = np.zeros((len(mine), len(theirs)))
    for j, score in enumerate(theirs.tolist()):
        stops = roll_gains(solution, score, mode=mode) <= 0
        heights[:, j] = np.where(stops.any(axis=1), stops.argmax(axis=1), len(mine) - np.arange(len(mine))) * unit
    return mine, theirs, heights


def write_figure(figure: "Figure", path: str | Path) -> Path:
    """Write a figure to a file of the kind that its ending names, whole or not at all."""
    content = BytesIO()
    figure.savefig(content, format=Path(path).suffix[1:].lower(), dpi=150)
    write_whole(Path(path), content.getvalue())
    return Path(path)


def draw_surface(solution: DuelSolution, path: str | Path, *, mode: Mode = None) -> Path:
    """Draw the surface between rolling (below) and stopping (above); a name that ends in .html makes it turn."""
    title = f"{_title(solution, mode)}: where one first stops"
    if Path(path).suffix == ".html":
        from plotly.graph_objects import Figure as Page
        from plotly.graph_objects import Surface

        mine, theirs, heights = stop_surface(solution, mode=mode)
        labels = ("opponent's score", "my score", "points at risk")
        page = Page(Surface(x=theirs, y=mine, z=heights, colorscale="Viridis"))
        axes = dict(zip(("xaxis_title", "yaxis_title", "zaxis_title"), labels, strict=True))
        page.update_layout(title=title, scene=axes)
        write_whole(Path(path), page.to_html(include_plotlyjs=True).encode())
        return Path(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 6.5))
    paint_surface(figure, solution, title, mode=mode)
    figure.subplots_adjust(left=0.0, right=1.0, bottom=0.02, top=0.93)
    return write_figure(figure, path)


def paint_surface(figure: "Figure", solution: DuelSolution, title: str, *, mode: Mode = None) -> None:
    """Draw the surface on a matplotlib figure."""
    mine, theirs, heights = stop_surface(solution, mode=mode)
    space: Any = figure.add_subplot(projection="3d")
    step = max(1, len(mine) // 100)
    space.plot_surface(
        *np.meshgrid(theirs, mine), heights, cmap="viridis", rstride=step, cstride=step, linewidth=0, antialiased=False
    )
    space.set(xlabel="opponent's score", ylabel="my score", zlabel="points at risk", title=title)
    space.view_init(elev=28, azim=-128)
    space.set_box_aspect(None, zoom=0.95)


def _title(solution: DuelSolution, mode: Mode) -> str:
    goal = solution.goal
    words = [game_name(goal.game), f"to {goal.target}"]
    words += ["exactly"] if goal.finish == "exact" else []
    words += ["for the margin"] if goal.payoff == "margin" else []
    words += [f"({mode_word(goal.game)} {mode})"] if mode is not None else []
    return " ".join(words)
