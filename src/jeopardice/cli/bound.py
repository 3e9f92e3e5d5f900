"""`jeopardice bound`: proven bounds for boards of Can't Stop that are too large to solve."""

import time

import click

from jeopardice.cli.goals import Asked, goal_command
from jeopardice.cli.output import goal_fields, json_option, print_json, progress_bar, table
from jeopardice.cli.solve import check_save
from jeopardice.family import shape_of
from jeopardice.rules.text import brief


@goal_command(has_races=False)
@click.option(
    "--started",
    type=int,
    default=3,
    help="Solve exactly all boards with at most this number of started columns (default: 3).",
)
@click.option("--width", type=float, help="Refine until the bounds are as close as this.")
@click.option("--hours", type=float, help="Refine for at most this number of hours.")
@click.option("--memory", type=float, metavar="GB", help="The most memory to use (default: all that is free).")
@click.option("--threads", type=int, help="How many threads to use (default: one per core); the result is the same.")
@click.option("--checkpoint", metavar="DIR", help="Save the progress here; the same command resumes from here.")
@click.option("--save", metavar="DIR", help="Save bounds and strategy in a directory, for advise --solution DIR.")
@json_option
def command(
    asked: Asked,
    started: int,
    width: float | None,
    hours: float | None,
    memory: float | None,
    threads: int | None,
    checkpoint: str | None,
    save: str | None,
    as_json: bool,
) -> None:
    """Bound the fewest expected turns of Can't Stop alone, from below and above, certified.

    \b
    jeopardice bound cant-stop --sides 5 --shortest 2 --started 4
    jeopardice bound cant-stop --hours 3 --checkpoint official --save strategy
    jeopardice advise cant-stop --solution strategy --mine 7:3
    """
    from jeopardice.columns.bracket import Limits
    from jeopardice.columns.bracket_solution import solve_bracket

    if shape_of(asked.goal.game) != "columns" or asked.kind != "alone":
        raise click.UsageError(f"bounds are for cant-stop alone, got {asked.game} {asked.kind}; try jeopardice solve")
    for name, given in (("width", width), ("hours", hours), ("memory", memory)):
        if given is not None and not given > 0:
            raise click.UsageError(f"--{name} is a number above 0, got {given}")
    if save is not None:
        check_save(save, checkpoint)
    limits = Limits(width, None if hours is None else 3600 * hours, None if memory is None else 1e9 * memory)
    begun = time.perf_counter()
    try:
        with progress_bar(f"bounding {asked.game}", unit="cells") as progress:
            solution = solve_bracket(
                asked.race, started, limits, threads=threads, progress=progress, checkpoint=checkpoint
            )
    except KeyboardInterrupt:
        resume = f"; the same command resumes from {checkpoint}" if checkpoint else "; --checkpoint DIR would save it"
        click.echo(f"\njeopardice: stopped{resume}", err=True)
        raise click.exceptions.Exit(130) from None
    except ArithmeticError as failure:
        click.echo(f"jeopardice: the check failed: {failure}", err=True)
        raise click.exceptions.Exit(1) from None
    if as_json:
        bounds = {"lower": solution.lower, "upper": solution.upper, "cells": solution.bracket.grid.cells}
        print_json({**bounds, "seconds": time.perf_counter() - begun, "started": started, **goal_fields(asked)})
    else:
        rows = [
            [
                f"{each.cells:,}",
                f"{each.lower:.10f}",
                f"{each.upper:.10f}",
                f"{each.upper - each.lower:.2g}",
                f"{each.seconds:,.1f}",
            ]
            for each in solution.bracket.rounds
        ]
        title = (
            f"{brief(asked.goal)}: expected turns between {solution.lower:.10f} and {solution.upper:.10f}, certified"
        )
        table(title, ["cells", "lower", "upper", "width", "seconds"], rows)
    if save:  # after the answer, which a full disk does not lose
        solution.save(save)
        click.echo(f"saved in {save}", err=as_json)
