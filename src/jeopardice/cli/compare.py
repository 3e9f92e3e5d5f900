"""`jeopardice compare`: strategies against each other, exactly."""

import time

import click

from jeopardice.cli.boards import is_board
from jeopardice.cli.goals import Asked, goal_command
from jeopardice.cli.show import goal_fields, json_option, number, print_json, progress_bar, table


@goal_command(words_mean="STRATEGY ...")
@click.option("--exploit", is_flag=True, help="Also find the best response to each strategy.")
@json_option
def command(asked: Asked, exploit: bool, as_json: bool) -> None:
    """Play strategies of a duel against each other, exactly: every pair, both seats.

    \b
    jeopardice compare pig duel optimal stop-at-20 keep-pace
    jeopardice compare ten-thousand duel optimal fewest-turns most-points --exploit

    A strategy is optimal, fewest-turns, fewest-rolls, most-points, louchard, keep-pace, stop-at-N, strict-stop-at-N,
    roll-N-times, your own MODULE:FUNCTION, or table:FILE.
    """
    from jeopardice.analysis.head_to_head import compare, exploitability
    from jeopardice.analysis.named_strategies import named_strategy

    if asked.kind != "duel":
        raise click.UsageError(
            f"compare is for a duel, such as: jeopardice compare {asked.game} duel optimal stop-at-20"
        )
    if is_board(asked):
        raise click.UsageError(
            "compare is for points games; for boards: jeopardice simulate cant-stop duel rule-of-28 glenn-aloi"
        )
    names = asked.words or ("optimal", "fewest-turns", "most-points")
    started = time.perf_counter()
    strategies, seconds = ([named_strategy(name, asked.goal, seat) for name in names] for seat in (0, 1))
    responses, lost = strategies if exploit else [], []
    with progress_bar(f"comparing in {asked.game}", quiet=as_json) as progress:

        def step(done: int, total: int) -> None:
            if progress is not None:
                progress(done, total + len(responses))

        found = compare(asked.goal, strategies, seconds=seconds, progress=step)
        for strategy in responses:
            lost.append(exploitability(asked.goal, strategy))
            step(found.first.size + len(lost), found.first.size)
    took = time.perf_counter() - started
    if as_json:
        result = {"strategies": names, "first": found.first, "even": found.even, "seconds": took}
        print_json({**result, **({"exploitability": lost} if exploit else {}), **goal_fields(asked)})
        return
    what = "chance to win" if asked.goal.payoff == "win" else "mean margin"
    rows = [[name, *(number(float(value), 6) for value in row)] for name, row in zip(names, found.first, strict=True)]
    table(f"{what} of the row's strategy playing first against the column's", ["", *names], rows)
    if asked.goal.opponent is None:
        rows = [[name, *(number(float(v), 6) for v in row)] for name, row in zip(names, found.even, strict=True)]
        table("the same when a coin decides who plays first", ["", *names], rows)
    if exploit:
        rows = [[name, number(value, 6)] for name, value in zip(names, lost, strict=True)]
        table("what a best response wins above an equal share", ["strategy", "at most"], rows)
