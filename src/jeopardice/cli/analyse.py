"""`jeopardice analyse`: the exact law of a turn or a race under a strategy."""

from typing import Any

import click

from jeopardice.cli.goals import Asked, goal_command
from jeopardice.cli.show import goal_fields, json_option, number, print_json, table


@goal_command()
@click.option("--stop-at", type=int, help="The strategy: stop with so many points at risk.")
@click.option("--rolls", type=int, help="The strategy: roll exactly so many times.")
@click.option("--exact", is_flag=True, help="Also print the fractions.")
@json_option
def command(asked: Asked, stop_at: int | None, rolls: int | None, exact: bool, as_json: bool) -> None:
    """Give the exact law of a turn of GAME; without a strategy, under best play.

    \b
    jeopardice analyse pig turn --stop-at 20
    jeopardice analyse ten-thousand turn
    """
    from jeopardice.analysis.turn_law import turn_law

    strategy = parse_strategy(asked, stop_at, rolls)
    law = turn_law(asked.goal.game, strategy)
    figures = {
        "mean score": law.mean, "variance of the score": law.variance, "bust chance": law.bust_chance,
        "mean rolls": law.mean_rolls, "variance of the rolls": law.variance_rolls, "covariance of score and rolls": law.covariance,
    }  # fmt: skip
    if as_json:
        laws = {"score": {str(k): v for k, v in law.score.items()}, "rolls": {str(k): v for k, v in law.rolls.items()}}
        print_json(
            {
                "strategy": strategy.name,
                "value": law.mean,
                **figures,
                "correlation": law.correlation,
                **laws,
                **goal_fields(asked),
            }
        )
        return
    rows = [[name, number(value), *([str(value)] if exact else [])] for name, value in figures.items()]
    rows.append(["correlation of score and rolls", number(law.correlation), *([""] if exact else [])])
    table(f"one turn under {strategy.name}", ["", "value", *(["exactly"] if exact else [])], rows)
    shown = [[str(points), number(chance, 8)] for points, chance in law.score.items()]
    table(
        "law of the score",
        ["points", "chance"],
        shown if len(shown) <= 60 else [*shown[:30], ["...", ""], *shown[-30:]],
    )
    table(
        "law of the number of rolls",
        ["rolls", "chance"],
        [[str(r), number(chance, 8)] for r, chance in law.rolls.items()],
    )


def parse_strategy(asked: Asked, stop_at: int | None, rolls: int | None) -> Any:
    """Return the strategy that the options name; best play without any."""
    from jeopardice.solver import solve
    from jeopardice.strategy import BestPlay, RollTimes, StopAt

    if stop_at is not None and rolls is not None:
        raise click.UsageError("--stop-at and --rolls are two strategies; give one of them")
    for name, given in (("--stop-at", stop_at), ("--rolls", rolls)):
        if given is not None and given < 1:
            raise click.UsageError(f"{name} is at least 1, got {given}")
    if stop_at is not None:
        return StopAt(stop_at)
    if rolls is not None:
        return RollTimes(rolls)
    solution: Any = solve(asked.goal, exact=True)
    return BestPlay(solution)
