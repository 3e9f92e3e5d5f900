"""Pictures of the Ten Thousand paper's tables, in chips of 50 points; the paper itself prints none."""

from typing import TYPE_CHECKING

from .algorithms import algorithm_4_1, chained, stop_bound, threshold
from .algorithms import iteration as iterated
from .pig import other_solution, pig_threshold, pig_values
from .rules import MOVES
from .strategy import roll_value, solved, value
from .tables import printed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#4477aa", "#228833", "#ccbb44", "#ee6677", "#aa3377")
"""For one to five dice."""
GREY = "#777777"
AT_RISK = "chips at risk τ (1 chip = 50 points)"


def thresholds(figure: "Figure") -> None:
    """Draw what one more roll gains over stopping, for each number of dice."""
    axes = figure.subplots()
    taus = range(0, 62)
    for n in range(1, 6):
        gain = [float(roll_value(tau, n)) - tau for tau in taus]
        axes.plot(
            taus,
            gain,
            color=COLOURS[n - 1],
            label=f"{n} {'die' if n == 1 else 'dice'} (bound {float(stop_bound(n)):.2f})",
        )
        axes.plot([float(stop_bound(n))], [0], "o", color=COLOURS[n - 1])
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set(
        title="Section 4: above the line rolling pays; from the dots on, one roll and a stop does not\n"
        "(with fewer than five dice the hope for five fresh ones moves the crossing)",
        xlabel=AT_RISK, ylabel="worth of rolling minus τ (chips)", ylim=(-12, 11), xlim=(0, 61),
    )  # fmt: skip
    axes.legend(title="dice to roll")


def iteration_from_zero(figure: "Figure") -> None:
    """Draw how Wₖ at the start of the turn rises to the value."""
    axes = figure.subplots()
    iteration = iterated()
    missing = [float(iteration.solved.start - start) for start in iteration.starts]
    steps = range(1, len(missing) + 1)
    above = [(k, gap) for k, gap in zip(steps, missing, strict=True) if gap > 0]
    axes.semilogy([k for k, _ in above], [gap for _, gap in above], "o-", color=COLOURS[0])
    axes.set(
        title=f"Equation (3.6): Wₖ rises to the value {float(iteration.solved.start):.6f} and reaches it exactly at k = "
        f"{len(above) + 1}",
        xlabel="iteration k", ylabel="V* − Wₖ at the start of the turn (chips)", xticks=range(1, len(missing) + 1, 2),
    )  # fmt: skip
    axes.grid(axis="y", color="#dddddd")


def few_dice(figure: "Figure") -> None:
    """Draw the value minus what stopping gives, for the columns of Table 5."""
    panels = figure.subplots(1, 3, sharey=True)
    table = printed()["journal"]["few"]
    for axes, n in zip(panels, (2, 3, 4), strict=True):
        for number, column in enumerate(c for c in table["columns"] if c["n"] == n):
            named = column["configurations"]
            shape = [1, 0, 0] if isinstance(named, str) else named[0]
            taus = [tau for tau in range(sum(shape) or 1, 24) if tau >= 1]
            label = f"{named} i" if isinstance(named, str) else " ".join(map(str, named))
            gain = [float(value(tau, shape, n)) - tau for tau in taus]
            axes.plot(taus, gain, "o-", markersize=3, color=COLOURS[number], label=label)
        axes.axhline(0, color="black", linewidth=0.8)
        axes.set(title=f"{n} dice left", xlabel="chips at risk τ")
        axes.legend(fontsize=8)
    panels[0].set_ylabel("V(τ, i, n) − τ (chips)")
    figure.suptitle(
        "Table 5: where the line is above zero, going on beats stopping (i: last configuration)", fontsize=11
    )


def five_dice(figure: "Figure") -> None:
    """Draw the value with five dice against the stop line, and their difference."""
    left, right = figure.subplots(1, 2)
    taus = range(0, threshold() + 6)
    worth = [float(solved().start if tau == 0 else value(tau, (5, 0, 0), 5)) for tau in taus]
    left.plot(taus, worth, color=COLOURS[4], label="V(τ, i, 5)")
    left.plot(taus, taus, color="black", linestyle="--", linewidth=1, label="stop: τ")
    left.set(title="Value with five dice left, and stopping", xlabel=AT_RISK, ylabel="chips")
    left.legend()
    right.plot(taus, [w - tau for w, tau in zip(worth, taus, strict=True)], "o-", markersize=3, color=COLOURS[4])
    right.axhline(0, color="black", linewidth=0.8)
    right.axvline(threshold(), color=GREY, linestyle=":")
    right.annotate(f"τ* = {threshold()}", (threshold(), 2), xytext=(-6, 0), textcoords="offset points", ha="right")
    right.set(title="What rolling adds", xlabel=AT_RISK, ylabel="V − τ (chips)")
    figure.suptitle("Table 6: with five dice one rolls up to 55 chips (2750 points)", fontsize=11)


def restricted(figure: "Figure") -> None:
    """Draw the values of games with fewer moves, print beside ours, moves followed by moves or not."""
    axes = figure.subplots()
    rows = printed()["journal"]["restricted"]["rows"]
    allowed = [tuple(MOVES) if named == ["all"] else tuple(named) for _, named, _ in rows]
    places = range(len(rows))
    axes.plot(
        [float(algorithm_4_1(a).start) for a in allowed], places, "o", color=COLOURS[0], markersize=9, label="ours"
    )
    axes.plot([float(algorithm_4_1(tuple(chained(a))).start) for a in allowed], places, "|", color=COLOURS[3],
              markersize=16, label="ours, if a move may follow a move")  # fmt: skip
    axes.plot([float(row[2]) for row in rows], places, "x", color="black", markersize=9, label="printed")
    labels = ["all 13 moves" if len(a) == len(MOVES) else ", ".join(a) or "stop or roll" for a in allowed]
    axes.set_yticks(places, labels)
    axes.invert_yaxis()
    axes.set(
        title="Table 7: four moves earn all that thirteen can; m5 alone earns three quarters of it",
        xlabel="value of the game (chips; one chip is 50 points)",
    )
    axes.grid(axis="x", color="#dddddd")
    axes.legend()


def pig(figure: "Figure") -> None:
    """Draw Pig's value, the stop line and a larger solution of the same equation."""
    axes = figure.subplots()
    values, other, last = pig_values(), other_solution(), 45
    taus = range(last)
    axes.plot(taus, [float(other(tau)) for tau in taus], color=COLOURS[3],
              label=f"another solution: {float(other(0)):.3f} · {float(other.rate):.5f}^τ")  # fmt: skip
    axes.plot(taus, [float(values[tau]) if tau < len(values) else tau for tau in taus], color=COLOURS[0], linewidth=2,
              label=f"value V(τ), V(0) = {float(values[0]):.4f}")  # fmt: skip
    axes.plot(taus, taus, "--", color="black", linewidth=1, label="stop: τ")
    axes.axvline(pig_threshold(), color=GREY, linestyle=":")
    axes.annotate(
        f"stop from τ* = {pig_threshold()} on", (pig_threshold(), 3), xytext=(6, 0), textcoords="offset points"
    )
    axes.set(
        title="Section 5.2, Pig: two solutions of equation (5.1); the value of the game is the smallest",
        xlabel="points at risk τ", ylabel="points", xlim=(0, last - 1), ylim=(0, None),
    )  # fmt: skip
    axes.legend()
