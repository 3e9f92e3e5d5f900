"""How results look: one JSON object on stdout, or tables for people; progress on stderr."""

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import isfinite, isinf
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

from jeopardice.kernels import Progress
from jeopardice.types import JsonObject, Number

if TYPE_CHECKING:
    from jeopardice.cli.goals import Asked
    from jeopardice.solution import Solution

SILENT_SECONDS = 1.0
"""How long work goes on before a bar is shown."""
REPORT_SECONDS = 0.1
"""How often a bar takes new numbers."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")


def say(text: str, *, err: bool = False) -> None:
    """Print a line of words, broken where it is wider than the terminal (80 columns where there is none)."""
    width = get_terminal_size().columns
    for line in text.split("\n"):
        parts = wrap(line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        click.echo("\n".join(parts) if len(line) > width else line, err=err)


def print_json(result: JsonObject) -> None:
    """Print one JSON object; Fractions become strings such as '3/7', numbers that JSON does not have null."""
    try:
        click.echo(json.dumps(result, default=_plain, ensure_ascii=False, allow_nan=False))
    except ValueError:
        loose = json.dumps(result, default=_plain)
        known = json.loads(loose, parse_constant=lambda name: None)
        click.echo(json.dumps(known, ensure_ascii=False))


def _plain(value: Number) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    return repr(value)


def table(title: str, columns: list[str], rows: list[list[str]], *, note: str = "", left: bool = False) -> None:
    """Print a table that reads well at 80 columns, with or without colour; `left` is for columns of words."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    made = Table(box=SIMPLE_HEAD)
    for number, column in enumerate(columns):
        made.add_column(column, justify="left" if left or number == 0 else "right")
    for row in rows:
        made.add_row(*row)
    console = Console(highlight=False)
    console.print(f"\n{title}", style="bold", markup=False)
    console.print(made)
    if note:
        console.print(note, markup=False)


def number(value: Number, digits: int = 10) -> str:
    """Return a value as one reads it: Fractions as decimals, and `never` for turns that do not end."""
    if isinstance(value, float) and not isfinite(value):
        return "never" if isinf(value) else "-"
    if isinstance(value, Fraction):
        return f"{float(value):.{digits}f}"
    return f"{value:.{digits}f}" if isinstance(value, float) else str(value)


def goal_fields(asked: "Asked") -> JsonObject:
    """Return what every JSON answer says about the goal."""
    return {"goal": repr(asked.goal), "game": repr(asked.goal.game), "kind": asked.kind}


@contextmanager
def progress_bar(what: str, *, unit: str = "") -> Iterator[Progress | None]:
    """Show a bar with the time left on stderr once the work has taken a second; nothing if stderr is not a terminal.

    The bar moves from then on, even before the work has reported anything. With a `unit` such as "boards" it also says
    how many are done in a second.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    bar = Bar(
        TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn(),
        *([TextColumn("{task.fields[rate]}")] if unit else []),
        console=Console(stderr=True), transient=True,
    )  # fmt: skip
    task = bar.add_task(what, total=None, rate="")
    alarm = threading.Timer(SILENT_SECONDS, bar.start)
    alarm.daemon = True
    alarm.start()
    begun: list[tuple[int, float]] = []
    shown = 0.0

    def report(done: int, total: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - shown < REPORT_SECONDS and done < total:
            return
        begun.append((done, now)) if not begun else None
        shown, (first, since) = now, begun[0]
        rate = (done - first) / max(now - since, 1e-9)
        bar.update(task, completed=done, total=total, rate=f"{rate:,.0f} {unit}/s")

    try:
        yield report
    finally:
        alarm.cancel()
        alarm.join()
        if bar.live.is_started:
            bar.stop()


def duration(seconds: float) -> str:
    """Return a time as one says it.

    >>> duration(4.26), duration(200), duration(349_000)
    ('4.3 s', '3 min', '97 hours')
    """
    for unit, length in (("days", 86400.0), ("hours", 3600.0), ("min", 60.0)):
        if seconds >= (2 if unit != "days" else 10) * length:
            return f"{seconds / length:,.0f} {unit}"
    return f"{seconds:.1f} s"


def certify_with_progress(solution: "Solution", *, threads: int | None = None) -> None:
    """Make a solution's certificate behind a progress bar, unless it has one."""
    if solution.certificate is None:
        with progress_bar("certifying") as progress:
            solution.certify(progress, threads=threads)
