"""`jeopardice dice-choice`: which of my dice are best."""

import time
from dataclasses import replace

import click

from jeopardice.cli.goals import Asked, goal_command
from jeopardice.cli.output import goal_fields, json_option, number, print_json, progress_bar, table
from jeopardice.cli.solved import value_name
from jeopardice.dice import NOTATION


@goal_command(kinds=("turn", "rate", "duel"))
@click.option("--from", "bag", metavar="DICE", required=True, help=f"All the dice you have, such as '{NOTATION}'.")
@click.option("--against", metavar="DICE", help="For two: the dice of the other player (default: fair ones).")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="How many choices to show.")
@click.option("--threads", type=int, help="How many threads to use (default: one per core); the result is the same.")
@json_option
def command(asked: Asked, bag: str, against: str | None, top: int, threads: int | None, as_json: bool) -> None:
    """Choose the best dice for GAME from those you have: for points per turn, or against an opponent's dice.

    Every choice is solved exactly, none is left out; with many different dice that takes a while.

    \b
    jeopardice dice-choice --named kingdom_come --from "6x fair, 3x lucky, 2x odd"
    jeopardice dice-choice pig duel --from "fair, odd" --against fair
    jeopardice dice-choice pig --from "fair, odd, misfortune"
    """
    from jeopardice.analysis.dice_choice import best_dice
    from jeopardice.dice import Dice

    goal = asked.goal
    if against is not None:
        if asked.kind != "duel":
            raise click.UsageError(f"--against needs a second player; ask for duel instead of {asked.kind}")
        goal = replace(goal, opponent=replace(goal.game, dice=Dice.read(against)))
    started = time.perf_counter()
    with progress_bar("trying dice") as progress:
        found = best_dice(goal, Dice.read(bag), threads=threads, progress=progress)
    took = time.perf_counter() - started
    if as_json:
        listed = [{"dice": str(c.dice), "value": c.value, "gain": c.gain} for c in found]
        best = {"best": str(found[0].dice), "value": found[0].value, "gain": found[0].gain}
        print_json({**best, "choices": listed, "method": "exhaustive", "seconds": took, **goal_fields(asked)})
        return
    digits = 6 if asked.kind == "duel" else 4
    rows = [[str(c.dice), number(c.value, digits), f"{c.gain:+.{digits}f}"] for c in found[:top]]
    what = "chance to win, a coin deciding who begins" if asked.kind == "duel" else value_name(goal)
    note = f"all {len(found)} choices were solved ({took:.1f} s)"
    table(f"best dice: {found[0].dice}", ["dice", what, "more than fair dice"], rows, note=note)
