"""`jeopardice export`: the values of a solved game in a file other programs read."""

import csv
import io
import json
import os
from pathlib import Path
from typing import Any

import click

from jeopardice.cli.found import found_solution, solution_option
from jeopardice.cli.goals import Asked, goal_command
from jeopardice.cli.show import goal_fields, json_option, print_json


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
    columns, rows = value_rows(found_solution(asked, stored, quiet=as_json))
    write_whole(path, rendered(path.suffix, columns, rows, goal_fields(asked)))
    if as_json:
        print_json({"file": out, "rows": len(rows), "columns": columns, **goal_fields(asked)})
    else:
        click.echo(f"wrote {len(rows)} rows ({', '.join(columns)}) to {out}")


def rendered(suffix: str, columns: list[str], rows: list[list[Any]], about: dict[str, Any]) -> bytes:
    """Return the content of the file."""
    if suffix == ".npy":
        import numpy as np

        content = io.BytesIO()
        np.save(content, np.array([[float(cell) for cell in row] for row in rows]), allow_pickle=False)
        return content.getvalue()
    if suffix == ".json":
        return json.dumps({**about, "columns": columns, "rows": rows}, default=str).encode()
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
