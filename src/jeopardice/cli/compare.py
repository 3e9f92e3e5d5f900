"""`jeopardice compare`: strategies against each other, exactly."""

import time

import click

from jeopardice.cli.boards import compare_boards, is_board
from jeopardice.cli.cards import compare_cards
from jeopardice.cli.goals import Asked, goal_command
from jeopardice.cli.output import goal_fields, json_option, number, print_json, progress_bar, table
from jeopardice.cli.seats import compare_seats
from jeopardice.family import shape_of


@goal_command(words_mean="STRATEGY ...", kinds=("duel", "alone", "race"), usual="duel")
@click.option("--exploit", is_flag=True, help="Also find the best response to each strategy.")
@click.option("--games", type=int, help="Can't Stop, Yahtzee: simulate this number of games.")
@click.option("--seed", type=int, default=0, help="Can't Stop, Yahtzee: another seed plays other games.")
@json_option
def command(asked: Asked, exploit: bool, games: int | None, seed: int, as_json: bool) -> None:
    """Play strategies of a duel against each other, exactly: every pair, both seats. Of a race of more: one for each seat.

    \b
    jeopardice compare pig duel optimal stop-at-20 keep-pace
    jeopardice compare ten-thousand duel optimal most-points --exploit
    jeopardice compare pig --players 3 --target 50 optimal stop-at-20 stop-at-25
    jeopardice compare cant-stop duel rule-of-28 glenn-aloi
    jeopardice compare yahtzee optimal greedy

    A strategy is optimal, fewest-turns, fewest-rolls, most-points, louchard, keep-pace, stop-at-N, strict-stop-at-N,
    roll-N-times, your own MODULE:FUNCTION, or table:FILE.
    """
    from jeopardice.analysis.distance import exploitability
    from jeopardice.analysis.head_to_head import compare
    from jeopardice.points.named_strategies import named_strategies

    if shape_of(asked.goal.game) == "card":
        compare_cards(asked, games, seed, as_json)
        return
    if asked.kind == "race" and not is_board(asked) and games is None:
        compare_seats(asked, exploit, as_json)
        return
    if asked.kind == "alone":
        raise click.UsageError(f"strategies meet in a duel: jeopardice compare {asked.game} duel optimal stop-at-20")
    if is_board(asked):
        compare_boards(asked, games, seed, as_json)
        return
    if games is not None:
        raise click.UsageError("--games is for cant-stop and yahtzee; points games are compared exactly")
    names = asked.words or ("optimal", "fewest-turns", "most-points")
    started = time.perf_counter()
    with progress_bar(f"comparing in {asked.game}") as progress:
        both = named_strategies([(name, seat) for seat in (0, 1) for name in names], asked.goal)
        strategies, seconds = both[: len(names)], both[len(names) :]
        responses, lost = strategies if exploit else [], []

        def step(done: int, total: int) -> None:
            if progress is not None:
                progress(done, total + len(responses))

        result = compare(asked.race, strategies, seconds=seconds, progress=step)
        for strategy in responses:
            lost.append(exploitability(asked.race, strategy))
            step(result.first.size + len(lost), result.first.size)
    took = time.perf_counter() - started
    if as_json:
        answer = {"strategies": names, "first": result.first, "even": result.even, "seconds": took}
        print_json({**answer, **({"exploitability": lost} if exploit else {}), **goal_fields(asked)})
        return
    what = "chance to win" if asked.race.payoff == "win" else "mean margin"
    rows = [[name, *(number(float(value), 6) for value in row)] for name, row in zip(names, result.first, strict=True)]
    table(f"{what} of the row's strategy playing first against the column's", ["", *names], rows)
    if asked.race.opponent is None:
        rows = [[name, *(number(float(v), 6) for v in row)] for name, row in zip(names, result.even, strict=True)]
        table("the same when a coin decides who plays first", ["", *names], rows)
    if exploit:
        rows = [[name, number(value, 6)] for name, value in zip(names, lost, strict=True)]
        table("what a best response wins above an equal share", ["strategy", "at most"], rows)
