"""Where the solution of a command comes from: a directory that `solve --save` wrote, or a solve behind a progress bar."""

from typing import Any

import click

from jeopardice.cli.goals import Asked
from jeopardice.cli.show import certify_with_progress, progress_bar

solution_option = click.option(
    "--solution", "stored", metavar="DIR", help="Take the solution that solve --save kept in DIR; do not solve again."
)


def found_solution(asked: Asked, stored: str | None, *, quiet: bool, certified: bool = False) -> Any:
    """Return the solution of what was asked, with its error bound computed if it will be wanted."""
    from jeopardice.cli.boards import is_board, say_estimate
    from jeopardice.solver import load, solve

    if stored is not None:
        solution: Any = load(stored, asked.goal)
    else:
        if is_board(asked):
            say_estimate(asked)
        with progress_bar(f"solving {asked.game} {asked.kind}", quiet=quiet) as progress:
            solution = solve(asked.goal, progress=progress)
    if certified:
        certify_with_progress(solution, quiet=quiet)
    return solution
