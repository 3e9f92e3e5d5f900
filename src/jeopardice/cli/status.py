"""`jeopardice status`: how far a run with a checkpoint has come, from another terminal."""

from datetime import datetime
from pathlib import Path

import click

from jeopardice.cli.output import json_option, print_json, table


@click.command()
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@json_option
def command(directory: Path, as_json: bool) -> None:
    """Show how far the run that saves its progress in DIR has come.

    \b
    jeopardice status cant-stop-5-3
    """
    from jeopardice.columns.checkpoint import status_of

    status = status_of(directory)
    if as_json:
        print_json(status)
        return
    saved = datetime.fromtimestamp(status["saved_at"]).isoformat(" ", "seconds")
    rows = [
        ["rows done", f"{status['finished']:,} of {status['rows']:,}"],
        ["rows certified", f"{status['certified']:,} of {status['rows']:,}"],
        ["bytes on disk", f"{status['bytes']:,}"],
        ["saved last", saved],
        ["at work now", "yes" if status["is_running"] else "no"],
    ]
    table(status["game"], ["", ""], rows)
