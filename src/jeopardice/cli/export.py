"""`jeopardice export`: the values of a solved game in a file other programs read."""

import csv
import io
import json
import os
from math import isfinite
from pathlib import Path
from typing import Any

import click

from jeopardice.cli.found import found_solution, solution_option
from jeopardice.cli.goals import Asked, goal_command
from jeopardice.cli.show import goal_fields, json_option, print_json

BYTES_PER_ROW = 400
"""A row of a table before it is written, about."""


@goal_command()
@click.option("--out", required=True, metavar="FILE", help="The file to write: .csv, .json or .npy.")
@solution_option
@json_option
def command(asked: Asked, out: str, stored: str | None, as_json: bool) -> None:
    """Solve GAME and write the value of every moment (turn), standing or board (race) to a file.

    \b
    jeopardice export pig duel --target 100 --out pig.csv
    jeopardice export cant-stop --sides 3 --shortest 2 --out boards.csv
    """
    from jeopardice.analysis.values import value_rows

    path = Path(out)
    if path.suffix not in (".csv", ".json", ".npy"):
        raise click.UsageError(f"--out ends in .csv, .json or .npy, got {out!r}")
    check_rows(asked, stored)
    columns, rows = value_rows(found_solution(asked, stored, quiet=as_json))
    write_whole(path, rendered(path.suffix, columns, rows, goal_fields(asked)))
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


def rendered(suffix: str, columns: list[str], rows: list[list[Any]], about: dict[str, Any]) -> bytes:
    """Return the content of the file."""
    if suffix == ".npy":
        import numpy as np

        content = io.BytesIO()
        np.save(content, np.array([[float(cell) for cell in row] for row in rows]), allow_pickle=False)
        return content.getvalue()
    if suffix == ".json":
        finite = [[None if isinstance(cell, float) and not isfinite(cell) else cell for cell in row] for row in rows]
        return json.dumps({**about, "columns": columns, "rows": finite}, default=str).encode()
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([columns, *rows])
    return text.getvalue().encode()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under a temporary name and rename it: it is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
