"""The six figures of the minimax paper: three diagrams of transitions, three sets of maps of where to roll and to stop.

States are drawn as the paper draws them: a circle when player one has the dice, a square when player two has; the big
letter is the score of the player who has the dice, below it the other's, above it the points at risk.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from jeopardice.analysis.decision_maps import roll_gains
from jeopardice.papers.minimax_pig import TARGET, Variant, printed, solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROLL, STOP = "#b0b0b0", "#000000"
TITLES = {
    "reach": "Figure 3: to win, a player far behind takes more and more risk",
    "exact": "Figure 5: when 200 must be hit exactly, the strategy stays calm, but for stripes near the end",
    "margin": "Figure 6: for the margin, one rolls near the end, behind or ahead",
}


def maps(figure: "Figure", variant: Variant) -> None:
    """Draw for some scores β of the opponent where to roll (grey) and where to stop (black)."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    figure.set_size_inches(8.0, 7.2)
    panels = figure.subplots(2, 2, sharex=True, sharey=True)
    for axes, beta in zip(panels.flat, printed()["panels"][variant], strict=True):
        gains = roll_gains(solution(variant), beta)
        shown = np.ma.masked_invalid(np.where(np.isnan(gains), np.nan, gains <= 0))
        axes.imshow(
            shown.T, origin="lower", cmap=ListedColormap([ROLL, STOP]), vmin=0, vmax=1, interpolation="nearest",
            aspect="equal", extent=(-0.5, TARGET - 0.5, -0.5, TARGET - 0.5),
        )  # fmt: skip
        axes.set_title(f"opponent's score β = {beta}")
        axes.set(xticks=range(0, 201, 50), yticks=range(0, 201, 50))
    for axes in panels[:, 0]:
        axes.set_ylabel("points at risk τ")
    for axes in panels[1]:
        axes.set_xlabel("own score α")
    figure.suptitle(TITLES[variant], fontsize=11)
    figure.legend(
        handles=[Patch(color=ROLL, label="roll"), Patch(color=STOP, label="stop")], loc="outside lower center", ncols=2
    )


def transitions(figure: "Figure") -> None:
    """Draw where a state of player one leads when he stops and when he rolls."""
    axes = _sheet(figure, "Figure 1: below 200, a stop hands the dice over and a roll busts with chance 1/6")
    start = _state(axes, 0, 0, r"$\alpha_{\beta}^{\tau}$")
    _arrow(axes, start, _state(axes, -4, 0, r"$\beta_{\alpha+\tau}^{0}$", player=2), "stop: 1")
    _arrow(axes, start, _state(axes, 4, 2.9, r"$\beta_{\alpha}^{0}$", player=2), "a 1: ⅙", along=0.65)
    for k in range(2, 7):
        to = _state(axes, 4, 2.9 - 1.16 * (k - 1), rf"$\alpha_{{\beta}}^{{\tau+{k}}}$")
        _arrow(axes, start, to, f"a {k}: ⅙", along=0.65)
    axes.text(1.1, 2.5, "roll", fontsize=11, style="italic", ha="center")
    _key(axes, -4, -2.9)


def ends(figure: "Figure") -> None:
    """Draw the first state, which tosses a coin, and the last, which nothing leaves."""
    axes = _sheet(figure, "Figure 2: a coin decides who begins; a target reached ends the game for good")
    first = _state(axes, -4, 0.6, r"$s_i$", player=0)
    _arrow(axes, first, _state(axes, -1, 2, r"$0_{0}^{0}$"), "½")
    _arrow(axes, first, _state(axes, -1, -0.8, r"$0_{0}^{0}$", player=2), "½")
    won = _state(axes, 1.6, 0.6, r"$\alpha_{\beta}^{\tau}$")
    last = _state(axes, 4.6, 0.6, r"$s_f$", player=0)
    _arrow(axes, won, last, "1")
    axes.text(1.6, -0.35, r"$\alpha + \tau \geq 200$", ha="center")
    axes.annotate("", (4.4, 1.25), (4.85, 1.25), arrowprops={
        "arrowstyle": "-|>", "color": "black", "connectionstyle": "arc3,rad=1.6", "shrinkA": 0, "shrinkB": 0})  # fmt: skip
    axes.text(4.62, 1.95, "1", ha="center", va="bottom")
    _key(axes, -4, -2.9)


def exact_transitions(figure: "Figure") -> None:
    """Draw where 180 points with 16 at risk lead when 200 must be hit."""
    axes = _sheet(figure, "Figure 4: to land exactly, with 180 and 16 at risk, a 5 or 6 loses the turn like a 1")
    start = _state(axes, 0, 0, r"$180_{\beta}^{16}$")
    _arrow(axes, start, _state(axes, -4, 0, r"$\beta_{196}^{0}$", player=2), "stop: 1")
    _arrow(axes, start, _state(axes, 4, 2.4, r"$\beta_{180}^{0}$", player=2), "a 1, 5 or 6: ½", along=0.6)
    for k in (2, 3, 4):
        to = _state(axes, 4, 2.4 - 1.6 * (k - 1), rf"$180_{{\beta}}^{{{16 + k}}}$")
        _arrow(axes, start, to, f"a {k}: ⅙" + (", wins" if k == 4 else ""), along=0.6)
    axes.text(1.1, 2.2, "roll", fontsize=11, style="italic", ha="center")
    _key(axes, -4, -2.9)


def _sheet(figure: "Figure", title: str) -> Any:
    axes = figure.subplots()
    axes.set(xlim=(-5.6, 5.6), ylim=(-3.7, 3.6), aspect="equal", title=title)
    axes.axis("off")
    return axes


def _state(axes: "Axes", x: float, y: float, name: str, player: int = 1) -> tuple[float, float, float]:
    """Draw a state and return its place and how much room it takes."""
    from matplotlib.patches import Circle, FancyBboxPatch

    size = 0.55
    if player == 2:
        shape: Any = FancyBboxPatch(
            (x - 0.8 * size, y - 0.8 * size), 1.6 * size, 1.6 * size, boxstyle="square,pad=0", fc="#eef3f8", ec="black"
        )
    else:
        shape = Circle((x, y), size, fc="#f8f3ee" if player else "#eeeeee", ec="black")
    axes.add_patch(shape)
    axes.text(x, y, name, ha="center", va="center", fontsize=13)
    return x, y, size


def _arrow(
    axes: "Axes", start: tuple[float, float, float], end: tuple[float, float, float], label: str, along: float = 0.5
) -> None:
    (x, y, room), (to_x, to_y, to_room) = start, end
    length = float(np.hypot(to_x - x, to_y - y))
    across, up = (to_x - x) / length, (to_y - y) / length
    tail, head = (x + room * across, y + room * up), (to_x - to_room * across, to_y - to_room * up)
    axes.annotate("", head, tail, arrowprops={"arrowstyle": "-|>", "color": "black", "shrinkA": 0, "shrinkB": 0})
    place = (tail[0] + along * (head[0] - tail[0]), tail[1] + along * (head[1] - tail[1]))
    axes.text(*place, label, ha="center", va="center", fontsize=9, bbox={"fc": "white", "ec": "none", "pad": 1.0})


def _key(axes: "Axes", x: float, y: float) -> None:
    key = "circle: player one has the dice; square: player two.\nLarge: score of who has them; below: the other's;\n"
    key += "above: points at risk. On the arrows: the chance."
    axes.text(x - 1.2, y - 0.4, key, fontsize=8, color="#444444", va="center")
