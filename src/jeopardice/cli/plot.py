"""`jeopardice plot`: where to roll and where to stop in a duel."""

import click

from jeopardice.cli.goals import Asked, goal_command
from jeopardice.cli.show import goal_fields, json_option, print_json, progress_bar


@goal_command()
@click.option(
    "--theirs", metavar="A,B,...", help="The opponent's scores, one map each (default: 0 and three later ones)."
)
@click.option("--surface", is_flag=True, help="Draw the surface between rolling and stopping over both scores instead.")
@click.option("--mode", help="Which mode to draw, such as the number of dice left (default: as a turn begins).")
@click.option("--out", metavar="FILE", help="PNG, SVG or PDF; HTML for a surface that turns. default GAME-duel.png")
@json_option
def command(asked: Asked, theirs: str | None, surface: bool, mode: str | None, out: str | None, as_json: bool) -> None:
    """Draw the best strategy of a duel: grey where one rolls, black where one stops.

    \b
    jeopardice plot pig duel --target 200 --theirs 0,150,180,185 --out figure-3.png
    jeopardice plot pig duel --surface --out surface.html
    """
    from jeopardice.errors import PositionError
    from jeopardice.figures import draw_maps, draw_surface
    from jeopardice.solution import DuelSolution
    from jeopardice.solver import solve

    if asked.kind != "duel":
        raise click.UsageError(f"plot is for a duel, such as: jeopardice plot {asked.game} duel")
    path = out or f"{asked.game}-duel{'-surface' if surface else ''}.png"
    if path.endswith(".html") and not surface:
        raise click.UsageError("maps are drawn as PNG, SVG or PDF; HTML is for --surface")
    with progress_bar("solving", quiet=as_json) as progress:
        solution = solve(asked.goal, progress=progress)
    assert isinstance(solution, DuelSolution)
    found = next((m for m in solution.tables[0].modes if str(m) == mode), None)
    if mode is not None and found is None:
        known = ", ".join(sorted(map(str, solution.tables[0].modes)))
        raise PositionError(f"--mode is one of {known}, got {mode!r}")
    if surface:
        draw_surface(solution, path, mode=found)
    else:
        draw_maps(solution, _scores(theirs, int(asked.goal.target)), path, mode=found)
    if as_json:
        print_json({"file": path, "value": solution.value, **goal_fields(asked)})
    else:
        click.echo(f"drawn in {path}")


def _scores(text: str | None, target: int) -> list[int]:
    if text is None:
        return [0, target // 2, 3 * target // 4, 9 * target // 10]
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise click.UsageError(f"--theirs takes scores such as 0,150,180, got {text!r}") from None
