"""How distributions of turns and races are shown: as fields of a JSON object, or as tables for people."""

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from jeopardice.cli.output import number, say, table
from jeopardice.rules.text import brief
from jeopardice.types import Floats, JsonObject

if TYPE_CHECKING:
    from jeopardice.analysis.alone_report import AloneReport
    from jeopardice.analysis.turn_law import TurnLaw
    from jeopardice.points.strategy import Strategy

_FIGURES = (
    ("mean score", "mean"), ("variance of the score", "variance"), ("bust chance", "bust_chance"),
    ("mean rolls", "mean_rolls"), ("variance of the rolls", "variance_rolls"),
    ("covariance of score and rolls", "covariance"),
)  # fmt: skip


def turn_fields(analysed: "tuple[Strategy, TurnLaw]") -> JsonObject:
    """Return what JSON says about a turn under a strategy."""
    strategy, law = analysed
    figures = {name: getattr(law, attribute) for name, attribute in _FIGURES}
    laws = {"score": {str(k): v for k, v in law.score.items()}, "rolls": {str(k): v for k, v in law.rolls.items()}}
    return {"strategy": strategy.name, "value": law.mean, **figures, "correlation": law.correlation, **laws}


def show_turn(analysed: "tuple[Strategy, TurnLaw]", exact: bool) -> None:
    """Print the distribution of a turn."""
    strategy, law = analysed
    figures = [(name, getattr(law, attribute)) for name, attribute in _FIGURES]
    rows = [[name, number(value), *([str(value)] if exact else [])] for name, value in figures]
    rows.append(["correlation of score and rolls", number(law.correlation), *([""] if exact else [])])
    table(f"one turn under {strategy.name}", ["", "value", *(["exactly"] if exact else [])], rows)
    shown = [[str(points), number(chance, 8)] for points, chance in law.score.items()]
    shown = shown if len(shown) <= 60 else [*shown[:30], ["...", ""], *shown[-30:]]
    table("distribution of the score", ["points", "chance"], shown)
    rolls = [[str(r), number(chance, 8)] for r, chance in law.rolls.items()]
    table("distribution of the number of rolls", ["rolls", "chance"], rolls)


def alone_fields(report: "AloneReport") -> JsonObject:
    """Return what JSON says about a race alone."""
    moments, far, law = report.moments, report.far, report.law
    fields: JsonObject = {
        "strategy": report.strategy.name,
        "value": report.mean,
        "mean turns": report.mean,
        "variance of the turns": report.variance,
        "skewness of the turns": moments.skewness,
        "excess kurtosis of the turns": moments.kurtosis,
        "mean rolls": report.mean_rolls,
        "variance of the rolls": report.variance_rolls,
        "turns": {str(j): float(chance) for j, chance in enumerate(law) if chance},
        "long run": far._asdict(),
    }
    if report.goal.within is not None:
        fields["within"] = report.goal.within
        fields["chance within"] = report.chance_within(report.goal.within)
        fields["best chance within"] = report.best_within
    if (thresholds := report.thresholds) is not None:
        fields["thresholds"] = {
            "value": float(thresholds.mean[-1]),
            "best": float(thresholds.best[-1]),
            "thresholds": thresholds.thresholds[1:].tolist(),
            "mean turns": thresholds.mean[1:].tolist(),
            "digits": thresholds.digits,
            "runs": [run._asdict() for run in thresholds.runs],
            "off": [off._asdict() for off in thresholds.off],
            "constant": _constant_fields(thresholds.constant),
        }
    return fields


def _constant_fields(constant: Any) -> dict[str, float] | None:
    return None if constant is None else {"value": float(constant.ball.mid()), "error": float(constant.ball.rad())}


def show_alone(report: "AloneReport", exact: bool) -> None:
    """Print mean, variance and distribution of a race alone, its long run and, where the game has them, its thresholds."""
    if exact:
        raise click.UsageError("--exact is for a turn; the distribution of a race alone comes in floats")
    say(brief(report.goal))
    figures: list[tuple[str, float | None]] = [
        ("mean turns", report.mean), ("variance of the turns", report.variance),
        ("skewness of the turns", report.moments.skewness), ("excess kurtosis of the turns", report.moments.kurtosis),
        ("mean rolls", report.mean_rolls), ("variance of the rolls", report.variance_rolls),
    ]  # fmt: skip
    if (within := report.goal.within) is not None:
        figures += [(f"chance to finish within {within}", report.chance_within(within))]
        figures += [(f"best chance to finish within {within}", report.best_within)]
    table(
        f"race under {report.strategy.name}",
        ["", "value"],
        [[name, number(value)] for name, value in figures if value is not None],
    )
    _show_law(report.law)
    _show_far(report.far)
    if report.thresholds is not None:
        _show_thresholds(report.thresholds)


def _show_law(law: Floats) -> None:
    sums = law.cumsum()
    rows = [[str(j), number(float(law[j]), 8), number(float(sums[j]), 8)] for j in range(len(law)) if law[j] >= 1e-4]
    step = max(1, len(rows) // 40)
    note = "Chances below 0.0001 are left out" + (f", and all but every {step}th row" if step > 1 else "")
    table(
        "distribution of the number of turns",
        ["turns", "chance", "within"],
        rows[::step],
        note=f"{note}; all with --json.",
    )


def _show_far(far: Any) -> None:
    if not far.is_settled:
        say("\nlong run: this race is too short, its turns still differ in their means far from the target")
        return
    about = "" if far.is_alike else " (slope)"
    rows = [
        ["points per turn", number(far.points_per_turn)],
        [f"variance of the turns per point{about}", number(far.variance_rate, 10 if far.is_alike else 4)],
        ["rolls per point (slope)", number(far.rolls_per_point, 6)],
        ["mean turns less points / points per turn", f"{far.excess[0]:.8f} to {far.excess[1]:.8f}"],
    ]
    table("long run", ["", "value"], rows)


def _show_thresholds(thresholds: Any) -> None:
    rows = [
        ["mean turns by the best thresholds", number(float(thresholds.mean[-1]))],
        ["mean turns by the best of all strategies", number(float(thresholds.best[-1]))],
        ["digits that decided the closest threshold", str(thresholds.digits)],
    ]
    if thresholds.constant is not None:
        rows.append(["K = lim mean turns - points / points per turn", str(thresholds.constant.ball.str(12))])
    table("thresholds", ["", "value"], rows)
    target = len(thresholds.thresholds) - 1
    step = max(1, target // 20)
    by_standing = [
        [
            str(n),
            str(thresholds.thresholds[n]),
            number(float(thresholds.mean[n]), 8),
            number(float(thresholds.best[n]), 8),
        ]
        for n in range(target, 0, -step)
    ]
    columns = ["points to go", "best threshold", "mean turns by thresholds", "by all strategies"]
    table("by points to go", columns, by_standing[::-1], note="" if step == 1 else "All of them with --json.")
    lengths = Counter((run.choice, run.length) for run in thresholds.runs if run.start > target // 2)
    if 0 < len(lengths) <= 8:
        words = [f"{count} x {length} of {choice}" for (choice, length), count in sorted(lengths.items())]
        say(f"runs of equal thresholds in the farther half: {', '.join(words)}")
    for off in thresholds.off:
        rolls = ", ".join(map(str, off.rolls_on))
        say(
            f"{off.to_go} points to go: best play also rolls at {rolls}, no threshold does; that saves {off.gain:.9f} turns"
        )
