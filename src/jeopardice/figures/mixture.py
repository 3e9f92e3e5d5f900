"""The mixtures of a race in which both choose at the same time.

Above, over both scores: which choice is made most often, and how many are mixed. Below, against some scores of the
opponent: the chance of every choice, by my score.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from jeopardice.errors import PositionError
from jeopardice.points.simultaneous_solution import MixedSolution
from jeopardice.rules.game import game_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RARE = 1e-6
"""Chances below this are rounding and are not drawn."""


def draw_mixtures(figure: "Figure", solution: MixedSolution, theirs: Sequence[int]) -> None:
    """Draw the mixtures of a solution on an empty figure, with one panel of chances for each score of `theirs`."""
    from matplotlib import colormaps
    from matplotlib.colors import BoundaryNorm, ListedColormap

    weights = solution.race.weights
    for score in theirs:
        if not 0 <= score < len(weights):
            raise PositionError(f"the opponent's scores lie between 0 and {len(weights) - 1}, got {score!r}")
    used = np.flatnonzero((weights > RARE).any(axis=(0, 1)))
    names = [str(solution.race.choices[choice]) for choice in used]
    colours = colormaps["turbo"](np.linspace(0.05, 0.95, len(used)))
    lines = -(-len(theirs) // 2)
    [maps], [shares] = figure.subfigures(2, 1, squeeze=False, height_ratios=[4.4, 2.6 * lines])
    often, count = maps.subplots(1, 2)
    edges = np.arange(len(used) + 1) - 0.5
    shown = often.imshow(
        np.argmax(weights[:, :, used], axis=2), origin="lower", cmap=ListedColormap(colours),
        norm=BoundaryNorm(edges, len(used)), interpolation="nearest",
    )  # fmt: skip
    often.set(title="the most frequent choice", xlabel="their score", ylabel="my score")
    step = -(-len(used) // 16)
    bar = maps.colorbar(shown, ax=often, ticks=np.arange(0, len(used), step))
    bar.ax.set_yticklabels(names[::step])
    mixed = (weights > RARE).sum(axis=2)
    levels = np.arange(1, mixed.max() + 2) - 0.5
    greys = ListedColormap(colormaps["viridis"](np.linspace(0, 1, len(levels) - 1)))
    shown = count.imshow(
        mixed, origin="lower", cmap=greys, norm=BoundaryNorm(levels, len(levels) - 1), interpolation="nearest"
    )
    count.set(title="how many choices are mixed", xlabel="their score", ylabel="my score")
    maps.colorbar(shown, ax=count, ticks=np.arange(1, mixed.max() + 1))
    panels = np.atleast_1d(shares.subplots(lines, min(2, len(theirs)), squeeze=False, sharey=True)).ravel()
    for panel in panels[len(theirs) :]:
        panel.set_visible(False)
    mine = np.arange(len(weights))
    for panel, score in zip(panels, theirs, strict=False):
        bottom = np.zeros(len(weights))
        for choice, colour in zip(used, colours, strict=True):
            chance = weights[:, score, choice]
            panel.bar(mine, chance, bottom=bottom, width=1.0, color=colour)
            bottom += chance
        panel.set(title=f"opponent at {score}", xlabel="my score", ylabel="chance", xlim=(-0.5, len(weights) - 0.5))
    game = game_name(solution.goal.game)
    figure.suptitle(f"{game} to {solution.goal.target}, both choosing at the same time: best mixtures")
