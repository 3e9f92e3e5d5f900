"""Pictures for the Can't Stop paper: its graph, how its algorithms converge, and the sizes of its boards."""

import itertools
from typing import TYPE_CHECKING

import numpy as np

from jeopardice.papers.cant_stop_newton import counted, guesses, secant_counted, solved, turn_worth

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BLUE, RED, GREEN, GREY = "#4477aa", "#cc3311", "#228833", "#777777"


def figure_1(figure: "Figure") -> None:
    """Draw the graph of Figure 1 with its values: circles are rolls, squares are moves."""
    from matplotlib.patches import Circle, Rectangle

    axes = figure.subplots()
    places = {"u1": (0, 0), "v1": (2.2, 0), "u2": (4.4, 0), "v2": (2.2, -2), "v3": (6.6, 0), "u3": (8.8, 0)}
    worth = {"u1": 2, "v1": 1, "u2": 1, "v2": 2, "v3": 0, "u3": 0}
    edges = [
        ("u1", "v1", "1"),
        ("v1", "u2", ""),
        ("u2", "v2", "½"),
        ("u2", "v3", "½"),
        ("v2", "u1", ""),
        ("v3", "u3", ""),
    ]
    for start, end, chance in edges:
        (x, y), (to_x, to_y) = places[start], places[end]
        axes.annotate(
            "", (to_x, to_y), (x, y), arrowprops={"arrowstyle": "-|>", "color": "black", "shrinkA": 24, "shrinkB": 24}
        )
        axes.text((x + to_x) / 2, (y + to_y) / 2 + 0.25, chance, ha="center")
    for name, (x, y) in places.items():
        is_roll = name.startswith("u")
        shape = (
            Circle((x, y), 0.6, fc="#f8f3ee", ec="black")
            if is_roll
            else Rectangle((x - 0.5, y - 0.5), 1, 1, fc="#eef3f8", ec="black")
        )
        axes.add_patch(shape)
        axes.text(x, y, f"${name[0]}_{name[1]}$\n$f={worth[name]}$", ha="center", va="center", fontsize=10)
    axes.text(0, 0.85, "turn begins, cost 1", ha="center", fontsize=9)
    axes.text(8.8, 0.85, "three columns", ha="center", fontsize=9)
    axes.text(2.2, -2.85, "falls back", ha="center", fontsize=9)
    axes.set(xlim=(-1.2, 10), ylim=(-3.3, 1.8), aspect="equal",
             title="Figure 1: the last stage of a game; half of the rolls win, half fall back to where the turn began")  # fmt: skip
    axes.axis("off")


def naive(figure: "Figure") -> None:
    """Draw F(x) of the opening board of (4, 1), and the stairs of Algorithm 2 beside the tangents of Algorithm 3."""
    axes = figure.subplots()
    values = solved(4, 1)
    board = values.game.lengths
    xs = np.linspace(1, 2.8, 121)
    axes.plot(
        xs,
        [turn_worth(values, board, x)[0] for x in xs],
        color=BLUE,
        linewidth=2,
        label="F(x): a turn whose bust is worth x",
    )
    axes.plot(xs, xs, color="black", linewidth=0.8, label="x")
    steps = guesses(values, board, newton=False)[:9]
    stairs = [(a, b) for x, after in itertools.pairwise(steps) for a, b in ((x, after), (after, after))]
    axes.plot(
        [1, *(a for a, _ in stairs)], [1, *(b for _, b in stairs)], color=RED, linewidth=1, label="Algorithm 2: stairs"
    )
    path = guesses(values, board, newton=True)[:4]
    for x, after in itertools.pairwise(path):
        axes.plot([x, after], [turn_worth(values, board, x)[0], after], color=GREEN, linewidth=1.4)
        axes.plot([after, after], [after, turn_worth(values, board, after)[0]], color=GREEN, linewidth=1, linestyle=":")
    axes.plot([], [], color=GREEN, label="Algorithm 3: tangents")
    axes.plot([values.start], [values.start], "o", color="black")
    axes.annotate(f"f = {values.start:.6f}", (values.start, values.start), xytext=(8, -14), textcoords="offset points")
    axes.set(title="Algorithm 2 climbs to the solution of x = F(x) in stairs (opening board of (4,1))",
             xlabel="guess x for the anchor, turns", ylabel="turns")  # fmt: skip
    axes.legend()


def convergence(figure: "Figure") -> None:
    """Draw the errors of Algorithms 2 and 3 by iteration, on the opening boards of three games."""
    axes = figure.subplots()
    for (n, k), shade in zip(((3, 3), (4, 1), (4, 2)), (0.45, 0.7, 1.0), strict=True):
        values = solved(n, k)
        for newton, colour, name in ((False, RED, "Algorithm 2, linear"), (True, BLUE, "Algorithm 3, Newton")):
            path = guesses(values, values.game.lengths, newton=newton)
            errors = [max(abs(x - values.start), 1e-16) for x in path]
            axes.semilogy(
                range(len(errors)), errors, "o-", markersize=3, color=colour, alpha=shade, label=f"{name}, ({n},{k})"
            )
    axes.set(
        title="Algorithms 2 and 3: naive sweeps gain a constant factor per iteration,\nNewton's method ends after a few",
        xlabel="iteration", ylabel="error of the value of the opening board, turns", xlim=(-0.5, 40), ylim=(3e-16, 3),
    )  # fmt: skip
    axes.grid(axis="y", color="#dddddd")
    axes.legend(fontsize=8)


def sizes(figure: "Figure") -> None:
    """Draw the fewest turns of the quick boards against their number of vertices."""
    from jeopardice.papers.cant_stop import LONG, printed

    axes = figure.subplots()
    for n, k, _, vertices, _, turns in printed()["table_1"]:
        size = int(vertices)
        if (n, k) not in LONG:
            axes.semilogx(
                [size], [solved(n, k).start], "o", markersize=9, color=BLUE, label="ours" if (n, k) == (2, 1) else None
            )
        axes.semilogx(
            [size], [float(turns)], "x", markersize=9, color="black", label="printed" if (n, k) == (2, 1) else None
        )
        axes.annotate(
            f"({n},{k})", (size, float(turns)), xytext=(0, 9), textcoords="offset points", ha="center", fontsize=9
        )
    axes.set(title="Table 1: fewest expected turns by size of the game graph ((4,3) and (5,1): with --long)",
             xlabel="vertices of the game graph", ylabel="expected turns", ylim=(1.1, 3.1))  # fmt: skip
    axes.legend(loc="lower right")


def iterations(figure: "Figure") -> None:
    """Draw states and mean iterations of (4, 3) by value, print beside ours."""
    from jeopardice.papers.cant_stop import printed

    values, counts = counted(4, 3)
    place = np.floor(10 * values + 1e-9).astype(int)
    top, bottom = figure.subplots(2, 1, sharex=True)
    rows = printed()["table_2"]
    lows = [round(10 * float(low)) for low, _, _ in rows]
    middle = [low / 10 + 0.05 for low in lows]
    top.bar(middle, [int((place == low).sum()) for low in lows], width=0.09, color=BLUE, label="ours")
    top.plot(middle, [int(states) for _, states, _ in rows], "x", color="black", label="printed")
    top.set(
        ylabel="boards up to symmetry",
        title="Table 2, (4,3): every range of boards agrees but the third;\n"
        "Newton's method as written needs fewer iterations, a secant about as many",
    )
    top.legend()
    for found, colour, name in (
        (counts, BLUE, "ours: Algorithm 3 from 1.0, to 1e-13"),
        (secant_counted(4, 3)[1], GREEN, "secant method, to the last bit"),
    ):
        bottom.plot(middle, [float(found[place == low].mean()) for low in lows], "o-", color=colour, label=name)
    shown = [(m, float(mean)) for m, (_, _, mean) in zip(middle, rows, strict=True) if mean]
    bottom.plot([m for m, _ in shown], [mean for _, mean in shown], "x", color="black", label="printed")
    bottom.set(xlabel="value of the board, turns", ylabel="mean iterations", ylim=(0, None))
    bottom.legend()
