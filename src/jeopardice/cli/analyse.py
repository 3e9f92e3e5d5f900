"""`jeopardice analyse`: the exact distribution of a turn or of a race alone under a strategy."""

from collections.abc import Callable
from typing import Any

import click

from jeopardice.cli.analysed import alone_fields, show_alone, show_turn, turn_fields
from jeopardice.cli.boards import analyse_board, is_board, refuse_stored
from jeopardice.cli.cards import analyse_card
from jeopardice.cli.goals import Asked, goal_command
from jeopardice.cli.output import goal_fields, json_option, print_json, progress_bar
from jeopardice.cli.solutions import solution_option
from jeopardice.family import shape_of
from jeopardice.types import JsonObject


@goal_command()
@click.option("--strategy", help="A strategy by name: optimal, most-points, louchard, stop-at-20, roll-5-times, ...")
@click.option("--stop-at", type=int, help="The strategy: stop with this number of points at risk.")
@click.option("--rolls", type=int, help="The strategy: roll exactly this number of times.")
@click.option("--exact", is_flag=True, help="A turn: also print the fractions.")
@click.option("--games", type=int, help="Can't Stop, Yahtzee: simulate this number of games.")
@click.option("--seed", type=int, default=0, help="Can't Stop, Yahtzee: another seed simulates other games.")
@click.option("--table", "full_table", is_flag=True, help="Can't Stop: show the bust chance of every set of columns.")
@solution_option
@json_option
def command(
    asked: Asked,
    strategy: str | None,
    stop_at: int | None,
    rolls: int | None,
    exact: bool,
    games: int | None,
    seed: int,
    full_table: bool,
    stored: str | None,
    as_json: bool,
) -> None:
    """Give the exact distribution of a turn of GAME or of a race alone; without a strategy, under best play.

    A race alone: mean, variance and distribution of the number of turns, rolls, the long run; with --within, the chance to finish
    in time beside the best possible one; for games of roll or stop, the best thresholds beside the true optimum.

    \b
    jeopardice analyse pig turn --stop-at 20
    jeopardice analyse ten-thousand turn
    jeopardice analyse pig alone --target 1000 --strategy louchard
    jeopardice analyse cant-stop --sides 3 --shortest 2
    """
    if is_board(asked):
        if exact:
            raise click.UsageError("--exact is for a turn of a points game; leave it out for cant-stop")
        analyse_board(asked, parse_strategy(strategy, stop_at, rolls), games, seed, full_table, stored, as_json)
        return
    if shape_of(asked.goal.game) == "card":
        analyse_card(asked, parse_strategy(strategy, stop_at, rolls), games, seed, stored, as_json)
        return
    refuse_stored(stored)
    if games is not None or full_table:
        raise click.UsageError("--games and --table are for cant-stop; the distributions of points games are exact")
    shown: dict[str, tuple[Callable[[Any], JsonObject], Callable[[Any, bool], None]]]
    shown = {"turn": (turn_fields, show_turn), "alone": (alone_fields, show_alone)}
    if asked.kind not in shown:
        raise click.UsageError("analyse takes turn or alone; for two and more players see compare")
    fields, show = shown[asked.kind]
    with progress_bar("analysing"):
        result = analysed(asked, parse_strategy(strategy, stop_at, rolls))
    if as_json:
        print_json({**fields(result), **goal_fields(asked)})
    else:
        show(result, exact)


def analysed(asked: Asked, strategy: str | None) -> Any:
    """Return the strategy and its distribution of a turn, or the report on a race alone."""
    if asked.kind == "alone":
        from jeopardice.analysis.alone_report import alone_report

        return alone_report(asked.race, strategy or "optimal")
    from jeopardice.analysis.turn_law import turn_law
    from jeopardice.points.named_strategies import named_strategy
    from jeopardice.points.plan import must_roll_on
    from jeopardice.points.strategy import BestPlay
    from jeopardice.solver import solve

    exact = not must_roll_on(asked.goal)
    solution: Any = None if strategy else solve(asked.goal, exact=exact)
    played = named_strategy(strategy, asked.goal) if strategy else BestPlay(solution)
    return played, turn_law(asked.goal.game, played, house=asked.goal.house, exact=exact)


def parse_strategy(strategy: str | None, stop_at: int | None, rolls: int | None) -> str | None:
    """Return the name of the strategy that the options give; None without any."""
    named = [("--strategy", strategy), ("--stop-at", stop_at), ("--rolls", rolls)]
    given = [(option, value) for option, value in named if value is not None]
    if len(given) > 1:
        raise click.UsageError(f"{given[0][0]} and {given[1][0]} are two strategies; give one of them")
    for option, value in given:
        if isinstance(value, int) and value < 1:
            raise click.UsageError(f"{option} is at least 1, got {value}")
    return strategy or (f"stop-at-{stop_at}" if stop_at else f"roll-{rolls}-times" if rolls else None)
