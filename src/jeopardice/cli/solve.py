"""`jeopardice solve`: a game's value and its best strategy."""

import time
from pathlib import Path
from typing import Any

import click

from jeopardice.cli.boards import is_board, say_estimate, say_interrupted, show_plan
from jeopardice.cli.goals import Asked, goal_command
from jeopardice.cli.output import certify_with_progress, goal_fields, json_option, print_json, progress_bar, say
from jeopardice.cli.seats import other_words, say_work, several_fields
from jeopardice.cli.solved import mixture_fields, show_solution


@goal_command()
@click.option("--exact", is_flag=True, help="Solve in rational numbers, where that can finish.")
@click.option("--threads", type=int, help="How many threads to use (default: one per core); the result is the same.")
@click.option("--table", "full_table", is_flag=True, help="Show the value of every moment (turn) or standing (race).")
@click.option(
    "--others", is_flag=True, help="Three and more: also look for other equilibria; takes about six times as long."
)
@click.option("--mine", type=int, help="Simultaneous: my score; the mixtures against every score of theirs.")
@click.option("--save", metavar="DIR", help="Save the solution in a directory; load it with jeopardice.load(DIR).")
@click.option(
    "--checkpoint", metavar="DIR", help="Can't Stop: save the progress in DIR; the same command resumes from there."
)
@click.option("--cluster", metavar="local|ADDRESS", help="Can't Stop alone: let a Ray cluster solve the boards.")
@click.option("--plan", is_flag=True, help="Can't Stop alone: only say what a run takes, from a timed sample.")
@click.option(
    "--dtype",
    type=click.Choice(["float64", "float32"]),
    default="float64",
    show_choices=False,
    help="Can't Stop alone: float32 halves the memory of very large boards.",
)
@json_option
def command(
    asked: Asked,
    exact: bool,
    threads: int | None,
    full_table: bool,
    others: bool,
    mine: int | None,
    save: str | None,
    checkpoint: str | None,
    cluster: str | None,
    plan: bool,
    dtype: str,
    as_json: bool,
) -> None:
    """Solve GAME for one turn, a race of 1 to 8 players, the best rate, or a race where both choose at the same time.

    \b
    jeopardice solve ten-thousand turn
    jeopardice solve pig alone --target 100
    jeopardice solve pig duel --target 100 --sides 8
    jeopardice solve pig race --players 3 --target 50
    jeopardice solve farkle duel --named cardgames_io --bank-from 300
    jeopardice solve yahtzee
    jeopardice solve hog simultaneous --mine 80
    jeopardice solve cant-stop --sides 5 --shortest 3 --checkpoint cant-stop-5-3
    """
    from jeopardice.cache import cache_solution, solve_cached
    from jeopardice.solver import solve

    simultaneous = asked.kind == "simultaneous"
    unit = ("boards" if asked.kind == "alone" else "pairs") if is_board(asked) else ""
    if mine is not None and not simultaneous:
        raise click.UsageError(f"--mine belongs to simultaneous, not to {asked.kind}")
    target = int(asked.goal.target or 0)
    if mine is not None and not 0 <= mine < target:
        raise click.UsageError(f"--mine lies between 0 and {target - 1}, got {mine}")
    if others and (unit or asked.goal.players < 3):
        raise click.UsageError("--others needs a race of points games for three and more players; say --players 3")
    if unit and full_table:
        raise click.UsageError("--table is for points games; the boards go to a file: jeopardice export cant-stop")
    if plan:
        show_plan(asked, dtype, as_json)
        return
    if save is not None:
        check_save(save, checkpoint)
    row = 0 if mine is None and full_table else mine
    started = time.perf_counter()
    several = asked.kind == "race" and not unit
    if unit:
        say_estimate(asked, threads, dtype)
    if several:
        say_work(asked, threads)
    try:
        with progress_bar(f"solving {asked.game} {asked.kind}", unit=unit) as progress:
            is_usual = not (exact or unit or several) and checkpoint is None is cluster and dtype == "float64"
            solution: Any = solve_cached(asked.goal, threads=threads, progress=progress) if is_usual else solve(
                asked.goal, exact=exact, threads=threads, progress=progress, checkpoint=checkpoint, dtype=dtype,
                cluster=cluster,
            )  # fmt: skip
        seconds = time.perf_counter() - started
        is_new = is_usual and solution.certificate is None
        certify_with_progress(solution, threads=threads)
        found = solution.others(threads=threads) if others else None
        if is_new:
            cache_solution(solution)
    except KeyboardInterrupt:
        if not unit:
            raise
        say_interrupted(asked, checkpoint)
        raise click.exceptions.Exit(130) from None
    if as_json:
        result = {"value": solution.value, "values": solution.values}
        result |= {"error_bound": solution.error_bound, "seconds": seconds}
        more = (
            {"positions": mixture_fields(solution, row)}
            if simultaneous
            else several_fields(solution)
            if several
            else {}
        )
        more |= {"others": found._asdict()} if found else {}
        print_json({**result, **more, **goal_fields(asked)})
    else:
        show_solution(asked, solution, seconds, full_table, row)
        if found:
            say(other_words(found))
    if save:  # after the answer, which a full disk does not lose
        solution.save(save)
        click.echo(f"saved in {save}", err=as_json)


def check_save(save: str, checkpoint: str | None) -> None:
    """Refuse a place for the solution before the work begins."""
    from jeopardice.store import check_free

    within = Path(checkpoint).resolve() if checkpoint is not None else Path()
    if checkpoint is not None and Path(save).resolve() in (within, *within.parents):
        raise click.UsageError(f"--save and --checkpoint need a directory each, got {save} and {checkpoint}")
    check_free(save)
