"""Where the solution of a command comes from: a directory that `solve --save` wrote, or a solve behind a progress bar."""

from typing import Any

import click

from jeopardice.cli.goals import Asked
from jeopardice.cli.output import certify_with_progress, progress_bar

solution_option = click.option(
    "--solution", "stored", metavar="DIR", help="Use the solution that solve --save wrote to DIR; do not solve again."
)


def solution_for(asked: Asked, stored: str | None, *, certified: bool = False) -> Any:
    """Return the solution of what was asked, with its error bound computed if it will be wanted."""
    from jeopardice.cache import cache_solution, solve_cached
    from jeopardice.cli.boards import is_board, say_estimate
    from jeopardice.solver import load

    if stored is not None:
        solution: Any = load(stored, asked.goal)
    elif is_board(asked) and is_bounded_board(asked):
        solution = bounded_solution(asked)
    else:
        if is_board(asked):
            say_estimate(asked)
        with progress_bar(f"solving {asked.game} {asked.kind}") as progress:
            solution = solve_cached(asked.goal, progress=progress)
    if certified and solution.certificate is None:
        certify_with_progress(solution)
        cache_solution(solution)
    return solution


def is_bounded_board(asked: Asked) -> bool:
    """Is this a board too large to solve on the way to an answer?"""
    from jeopardice.columns.ready import is_bounded
    from jeopardice.family import family_of

    family_of(asked.goal.game).check(asked.goal)
    return is_bounded(asked.race)


def bounded_solution(asked: Asked) -> Any:
    """Return the cached bracket of a board, made on first use behind a progress bar; say on stderr what it is."""
    from jeopardice.columns.ready import cached_at, is_ready, ready_bracket

    if not is_ready(asked.race):
        place = cached_at(asked.race)
        click.echo(f"jeopardice: first use of this board: its bounds are made now and cached in {place}", err=True)
    with progress_bar(f"bounding {asked.game}", unit="cells") as progress:
        solution = ready_bracket(asked.race, progress=progress)
    click.echo(
        "jeopardice: this board is not solved; answers come from proven bounds, "
        f"{solution.lower:.4f} to {solution.upper:.4f} turns from the start",
        err=True,
    )
    return solution
