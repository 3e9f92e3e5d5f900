"""`jeopardice bench`: how long things take on this machine, ours beside value iteration."""

import time
from collections.abc import Callable
from typing import Any

import click

from jeopardice.cli.output import json_option, print_json, progress_bar, table
from jeopardice.rules.goal import Goal
from jeopardice.types import JsonObject


@click.command()
@click.option("--long", "with_long", is_flag=True, help="Include the cases that take more than a few seconds.")
@json_option
def command(with_long: bool, as_json: bool) -> None:
    """Time the solvers (best of several runs) and value iteration beside them."""
    rows: list[JsonObject] = []
    cases = _cases(with_long)
    with progress_bar("timing") as progress:
        for name, times, run in cases:
            if progress is not None:
                progress(len(rows), len(cases))
            seconds, value = _best_of(times, run)
            rows.append({"what": name, "seconds": seconds, "value": value})
    if as_json:
        print_json({"benchmarks": rows})
        return
    shown = [[r["what"], f"{r['seconds'] * 1000:.3f}", f"{r['value']:.12g}"] for r in rows]
    table("best of several runs", ["what", "milliseconds", "value"], shown)


def _cases(with_long: bool) -> list[tuple[str, int, Callable[[], float]]]:
    from jeopardice import CantStop, Farkle, Pig, Race, TenThousand, Turn, solve

    goals: list[tuple[str, int, Goal]] = [
        ("one turn of Ten Thousand", 20, Turn(TenThousand())),
        ("Pig alone to 100", 20, Race(Pig(), 100)),
        ("Pig alone to 1000", 10, Race(Pig(), 1000)),
        ("Pig alone to 100,000", 2, Race(Pig(), 100_000)),
        ("Ten Thousand alone to 10,000", 5, Race(TenThousand(), 10_000)),
        ("Pig for two to 100", 5, Race(Pig(), 100, players=2)),
        ("Pig for two to 200", 3, Race(Pig(), 200, players=2)),
        ("Ten Thousand for two to 10,000", 2, Race(TenThousand(), 10_000, players=2)),
        ("Can't Stop (3,2) alone", 5, Race(CantStop(3, 2))),
        ("Can't Stop (4,1) alone", 3, Race(CantStop(4, 1))),
        ("Can't Stop (4,2) alone", 2, Race(CantStop(4, 2))),
    ]
    if with_long:
        goals += [
            ("Pig for two to 1000", 1, Race(Pig(), 1000, players=2)),
            ("Farkle (cardgames_io) for two", 1, Race(Farkle.named("cardgames_io"), players=2)),
            ("Can't Stop (4,3) alone", 1, Race(CantStop(4, 3))),
            ("Can't Stop (5,1) alone", 1, Race(CantStop(5, 1))),
        ]
    return [(name, times, _value(solve, goal)) for name, times, goal in goals]


def _value(solve: Any, goal: Goal) -> Callable[[], float]:
    return lambda: float(solve(goal).value)


def _best_of(times: int, run: Callable[[], float]) -> tuple[float, float]:
    least, value = float("inf"), 0.0
    for _ in range(times):
        started = time.perf_counter()
        value = run()
        least = min(least, time.perf_counter() - started)
    return least, value
