"""`jeopardice reproduce`: what the papers print beside what comes out."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jeopardice.cli.output import json_option, print_json

if TYPE_CHECKING:
    from jeopardice.papers.reproduction import Reproduction

VERDICTS = ("agrees", "misprint", "unclear", "differs")
STYLES = {"agrees": "green", "misprint": "yellow", "unclear": "magenta", "differs": "bold red"}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("papers", nargs=-1, metavar="[PAPER]...")
@click.option("--out", metavar="DIR", help="Write a report here: index.html, every figure as PNG and SVG, and JSON.")
@click.option("--long", is_flag=True, help="Include what takes minutes, such as Can't Stop (4,3) and (5,1).")
@click.option("--all", "every_row", is_flag=True, help="Show every claim, not only those that do not agree.")
@click.option("--fresh", is_flag=True, help="Compute everything again; use no cached results.")
@click.option("--readme", metavar="FILE", hidden=True, help="Write the table of results between the marks of a file.")
@json_option
def command(
    papers: tuple[str, ...],
    out: str | None,
    long: bool,
    every_row: bool,
    fresh: bool,
    readme: str | None,
    as_json: bool,
) -> int:
    """Compute the numbers of PAPERs again and compare: ten-thousand, cant-stop, dice-race, minimax-pig (default: all).

    Exit code 1 if something differs from print without being a known misprint. Results are cached until the code
    changes.

    \b
    jeopardice reproduce ten-thousand
    jeopardice reproduce --out report --long
    """
    from jeopardice.papers.reproduction import reproduce
    from jeopardice.papers.reproduction_cache import ResultCache
    from jeopardice.store import check_writable

    if out == "":
        raise click.UsageError("--out names a directory, got ''")
    if out is not None:
        check_writable(Path(out) / "index.html")
    with _progress() as report:
        reproduction = reproduce(
            papers, long=long, figures=out is not None, cache=ResultCache(fresh=fresh), report=report
        )
    if out is not None:
        from jeopardice.papers.report import write_report

        page = write_report(reproduction, Path(out))[0]
        click.echo(f"report: {page}", err=True)
    if readme is not None:
        from jeopardice.papers.results_table import write_results

        write_results(reproduction, Path(readme))
    if as_json:
        print_json(reproduction.as_dict())
    else:
        _show(reproduction, every_row)
    return 0 if reproduction.holds else 1


def _show(reproduction: "Reproduction", every_row: bool) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False, markup=False)
    for paper in reproduction.papers:
        summary = Table("exhibit", *VERDICTS, "seconds", box=SIMPLE_HEAD)
        for column in summary.columns[1:]:
            column.justify = "right"
        for e in reproduction.of(paper.name):
            counts = (Text(str(e.counts[v]) if e.counts[v] else "", STYLES[v]) for v in VERDICTS)
            summary.add_row(e.name, *counts, f"{e.seconds:.1f}" + (" cached" if e.was_kept else ""))
        console.print(f"\n{paper.name}: {paper.reference}", style="bold")
        console.print(summary)
        _show_rows(
            console,
            [(e, c) for e in reproduction.of(paper.name) for c in e.claims if every_row or c.verdict != "agrees"],
        )
    console.print(
        ", ".join(f"{reproduction.counts[v]:,} {v}" for v in VERDICTS)
        + f"; {reproduction.printed_numbers:,} printed numbers"
    )
    if reproduction.left_out:
        names = ", ".join(f"{paper} {name}" for paper, name in reproduction.left_out)
        console.print(f"left out (ask with --long): {names}", style="dim")


def _show_rows(console: Any, claims: list[tuple[Any, Any]]) -> None:
    """Print claims as a table, each distinct note once below it."""
    from rich.box import SIMPLE_HEAD
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    if not claims:
        return
    rows = Table("claim", "printed", "ours", "verdict", "note", box=SIMPLE_HEAD)
    numbers: dict[str, int] = {}
    named = None
    for exhibit, claim in claims:
        if exhibit is not named:
            rows.add_row(Text(exhibit.name, "bold"))
            named = exhibit
        note = str(numbers.setdefault(claim.note, len(numbers) + 1)) if claim.note else ""
        verdict = Text(claim.verdict, STYLES[claim.verdict])
        rows.add_row(claim.what, claim.printed, claim.ours, verdict, note)
    console.print(rows)
    for note, number in numbers.items():
        console.print(Padding(Text(f"{number}  {note}", "dim"), (0, 2)))


@contextmanager
def _progress() -> Iterator[Any]:
    """Show which exhibit is computed and the time left, as earlier runs took, on stderr."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:32}"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.fields[left]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, left="")

        def report(name: str, behind: float, whole: float) -> None:
            bar.update(task, description=name, completed=behind, total=whole, left=f"about {whole - behind:.0f} s left")

        yield report
