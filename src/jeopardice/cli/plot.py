"""`jeopardice plot`: the strategy of a duel as maps, a race alone as curves, mixtures as shares."""

from pathlib import Path
from typing import Any

import click

from jeopardice.cli.boards import plot_board
from jeopardice.cli.cards import plot_card
from jeopardice.cli.goals import Asked, goal_command
from jeopardice.cli.output import goal_fields, json_option, print_json, progress_bar
from jeopardice.family import shape_of
from jeopardice.types import Given, Number

FORMATS = (".png", ".svg", ".pdf", ".html")


@goal_command()
@click.option("--theirs", metavar="A,B,...", help="For two: the opponent's scores, one map each.")
@click.option(
    "--surface", is_flag=True, help="Duel: draw the surface that separates rolling from stopping, over both scores."
)
@click.option("--mode", help="Duel: which mode to draw, such as the dice left (default: as a turn begins).")
@click.option("--strategy", help="Alone: a strategy by name (default: optimal); see analyse.")
@click.option(
    "--what", help="Alone: thresholds, excess, variance, law (the distribution of turns) or residual; default: all."
)
@click.option("--out", metavar="FILE", help="PNG, SVG or PDF; HTML for a surface that turns (default: GAME-KIND.png).")
@json_option
def command(asked: Asked, out: str | None, as_json: bool, **options: Given) -> None:
    """Draw the best strategy of a duel (grey: roll, black: stop), a race alone, or the mixtures of simultaneous play.

    \b
    jeopardice plot pig duel --target 200 --theirs 0,150,185 --out figure-3.png
    jeopardice plot pig duel --surface --out surface.html
    jeopardice plot pig alone --target 1000 --what law --out law.svg
    jeopardice plot hog simultaneous --out mixture.png
    jeopardice plot cant-stop --sides 3 --shortest 2
    """
    from jeopardice.store import check_writable

    drawn = _DRAWN.get((shape_of(asked.goal.game), asked.kind))
    if drawn is None:
        raise click.UsageError(f"plot is for a race, alone or for two: jeopardice plot {asked.game} alone")
    draw, own = drawn
    for name, value in options.items():
        if value and name not in own:
            raise click.UsageError(f"--{name} does not belong to plot {asked.game} {asked.kind}")
    usual = f"{Path(asked.game).stem}-{asked.kind}{'-surface' if options['surface'] else ''}.png"
    path = usual if out is None else out
    if Path(path).suffix.lower() not in FORMATS:
        raise click.UsageError(f"--out ends in one of {', '.join(FORMATS)}, got {out!r}")
    check_writable(Path(path))
    value = draw(asked, path, **{name: options[name] for name in own})
    if as_json:
        print_json({"file": path, "value": value, **goal_fields(asked)})
    else:
        click.echo(f"drawn in {path}")


def plot_duel(asked: Asked, path: str, *, theirs: str | None, surface: bool, mode: str | None) -> Number:
    """Draw a duel and return its value."""
    from jeopardice.errors import PositionError
    from jeopardice.figures import draw_maps, draw_surface
    from jeopardice.points.solution import DuelSolution
    from jeopardice.solver import solve

    if path.endswith(".html") and not surface:
        raise click.UsageError("maps are drawn as PNG, SVG or PDF; HTML is for --surface")
    with progress_bar("solving") as progress:
        solution = solve(asked.goal, progress=progress)
    if not isinstance(solution, DuelSolution):
        raise PositionError(
            "plots show when to stop by the points at risk; with piggyback that depends on the dice left too"
        )
    chosen = next((m for m in solution.tables[0].modes if str(m) == mode), None)
    if mode is not None and chosen is None:
        known = ", ".join(sorted(map(str, solution.tables[0].modes)))
        raise PositionError(f"--mode is one of {known}, got {mode!r}")
    with progress_bar("drawing"):
        if surface:
            draw_surface(solution, path, mode=chosen)
        else:
            draw_maps(solution, _scores(theirs, int(asked.goal.target or 0)), path, mode=chosen)
    return solution.value


def plot_alone(asked: Asked, path: str, *, strategy: str | None, what: str | None) -> Number:
    """Draw a race alone and return its mean number of turns."""
    from jeopardice.analysis.alone_report import alone_report
    from jeopardice.figures import new_figure, save_figure
    from jeopardice.figures.alone import draw_alone

    with progress_bar("drawing"):
        report = alone_report(asked.race, strategy or "optimal")
        figure = new_figure() if what else new_figure(11, 11 if report.thresholds else 8)
        draw_alone(figure, report, what)
        save_figure(figure, path)
    return report.mean


def plot_simultaneous(asked: Asked, path: str, *, theirs: str | None) -> Number:
    """Draw the mixtures of a race where both choose at the same time and return its value."""
    from jeopardice.figures import new_figure, save_figure
    from jeopardice.figures.mixture import draw_mixtures
    from jeopardice.points.simultaneous_solution import MixedSolution
    from jeopardice.solver import solve

    with progress_bar("solving") as progress:
        solution = solve(asked.goal, progress=progress)
    assert isinstance(solution, MixedSolution)
    target = int(asked.goal.target or 0)
    scores = _scores(theirs, target) if theirs else sorted({target // 2, 4 * target // 5, 9 * target // 10, target - 1})
    figure = new_figure(11, 4.4 + 2.6 * -(-len(scores) // 2))
    with progress_bar("drawing"):
        draw_mixtures(figure, solution, scores)
        save_figure(figure, path)
    return solution.value


_DRAWN: dict[tuple[str, str], tuple[Any, tuple[str, ...]]] = {
    ("points", "duel"): (plot_duel, ("theirs", "surface", "mode")),
    ("points", "simultaneous"): (plot_simultaneous, ("theirs",)),
    ("points", "alone"): (plot_alone, ("strategy", "what")),
    ("columns", "alone"): (plot_board, ()),
    ("columns", "duel"): (plot_board, ()),
    ("card", "alone"): (plot_card, ()),
}


def _scores(text: str | None, target: int) -> list[int]:
    if text is None:
        return [0, target // 2, 3 * target // 4, 9 * target // 10]
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise click.UsageError(f"--theirs takes scores such as 0,150,180, got {text!r}") from None
