"""`jeopardice thumb`: best play as a few numbers that a person can remember."""

import time

import click

from jeopardice.cli.goals import Asked, goal_command
from jeopardice.cli.output import goal_fields, json_option, number, print_json, progress_bar, say, table


@goal_command(kinds=("turn", "rate", "duel"))
@click.option("--most", type=click.IntRange(1, 12), default=6, show_default=True, help="The most numbers to remember.")
@click.option("--threads", type=int, help="How many threads to use (default: one per core); the result is the same.")
@json_option
def command(asked: Asked, most: int, threads: int | None, as_json: bool) -> None:
    """Turn best play of GAME into a rule with a few whole numbers, and show what each number gains.

    For one number, two numbers and so on: the best rule found, its value, and the exact loss against best play: in points
    of a turn or a rate; for two, the chance to win above one half of the best response to the rule, a coin deciding who begins.

    \b
    jeopardice thumb pig
    jeopardice thumb --named zilch rate
    jeopardice thumb ten-thousand duel --target 2000
    """
    from jeopardice.analysis.thumb import best_thumbs
    from jeopardice.family import shape_of

    if shape_of(asked.goal.game) != "points":
        raise click.UsageError("thumb is for points games: pig, ten-thousand, farkle, hog or a rules file of your own")
    started = time.perf_counter()
    with progress_bar("looking for rules of thumb") as progress:
        rows = best_thumbs(asked.goal, most=most, threads=threads, progress=progress)
    took = time.perf_counter() - started
    best = rows[-1].value + rows[-1].loss
    if as_json:
        listed = [{"integers": r.integers, "rule": r.words, "value": r.value, "loss": r.loss} for r in rows]
        print_json({"rules": listed, "best": best, "seconds": took, **goal_fields(asked)})
        return
    for row in rows:
        say(f"{row.integers}: {row.words}.")
    duel = asked.kind == "duel"
    digits = 6 if duel else 3
    shown = [[str(r.integers), number(r.value, digits), number(r.loss, digits), f"{r.loss / best:.2%}"] for r in rows]
    what = "at least this chance to win" if duel else "points a turn"
    note = f"best play: {number(best, digits)} ({took:.1f} s)"
    table("what it costs to remember less", ["numbers", what, "loss", "of best play"], shown, note=note)
