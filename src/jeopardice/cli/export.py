"""`jeopardice export`: the values of a solved game in a file other programs read."""

from pathlib import Path

import click

from jeopardice.cli.goals import Asked, goal_command
from jeopardice.cli.output import certify_with_progress, goal_fields, json_option, print_json, progress_bar
from jeopardice.cli.solutions import solution_for, solution_option

BYTES_PER_ROW = 400
"""A row of a table before it is written, about."""


@goal_command()
@click.option("--out", required=True, metavar="FILE", help="The file to write: .csv, .json, .npy, .npz or .parquet.")
@solution_option
@json_option
def command(asked: Asked, out: str, stored: str | None, as_json: bool) -> None:
    """Solve GAME and write the value of every moment (turn), standing or board (race) to a file.

    \b
    jeopardice export pig duel --target 100 --out pig.csv
    jeopardice export cant-stop --sides 3 --shortest 2 --out boards.csv
    """
    from jeopardice import __version__
    from jeopardice.analysis.values import SUFFIXES, table_file, value_rows
    from jeopardice.store import check_writable, write_whole

    path = Path(out)
    if path.suffix not in SUFFIXES:
        raise click.UsageError(f"--out ends in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}, got {out!r}")
    check_writable(path)
    check_rows(asked, stored)
    solution = solution_for(asked, stored)
    certify_with_progress(solution)
    about = {"version": __version__, "value": solution.value, "error_bound": solution.error_bound, **goal_fields(asked)}
    with progress_bar("writing"):
        columns, rows = value_rows(solution)
        write_whole(path, table_file(path.suffix, columns, rows, about))
    if as_json:
        print_json({"file": out, "rows": len(rows), "columns": columns, **goal_fields(asked)})
    else:
        click.echo(f"wrote {len(rows)} rows ({', '.join(columns)}) to {out}")


def check_rows(asked: Asked, stored: str | None) -> None:
    """Refuse, before the work, a table with more rows than fit into memory."""
    from jeopardice.cli.boards import is_board
    from jeopardice.engine.work import check_memory
    from jeopardice.family import family_of

    if stored is None and not is_board(asked):
        rows = family_of(asked.goal.game).work(asked.goal).anchors
        check_memory(rows * BYTES_PER_ROW, f"a table of {rows:,} rows", "choose a smaller target, or use solve --save")
