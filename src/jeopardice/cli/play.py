"""`jeopardice play`: a game at the keyboard, with a tutor if wanted and the report at the end."""

from typing import TYPE_CHECKING, Any

import click

from jeopardice.cli.boards import is_board
from jeopardice.cli.goals import Asked, goal_command
from jeopardice.cli.output import goal_fields, json_option, print_json, progress_bar
from jeopardice.cli.solutions import bounded_solution, is_bounded_board, solution_option

if TYPE_CHECKING:
    from jeopardice.solution import Judge

PLAYED = ("duel", "alone", "race", "turn", "simultaneous")
OPPONENTS = (
    "optimal (the default), friend, club, casual, beginner, errs-0.05, roll-5-times; points: stop-at-20; Can't Stop: "
    "rule-of-28, glenn-aloi, and look-ahead, the default on boards too large to be solved for two."
)


@goal_command(kinds=PLAYED, usual="duel")
@click.option("--opponent", help=OPPONENTS)
@click.option("--second", is_flag=True, help="The opponent begins.")
@click.option("--tutor", is_flag=True, help="Warn before a costly play.")
@click.option("--hints", is_flag=True, help="Show the value of every play before you choose.")
@click.option("--seed", type=int, help="The same seed plays with the same dice again.")
@click.option("--full", is_flag=True, help="List every decision in the report, not only those that lost something.")
@solution_option
@json_option
def command(
    asked: Asked,
    opponent: str | None,
    second: bool,
    tutor: bool,
    hints: bool,
    seed: int | None,
    full: bool,
    stored: str | None,
    as_json: bool,
) -> None:
    """Play GAME against the optimum, a rule of thumb or a friend; or alone, for the fewest turns.

    Can't Stop for two is solved on small boards only. On others chances and grades are estimates, and the opponent that
    goes by them is called look-ahead.

    With --json the game is read from stdin, a key or play on each line, all talk goes to stderr, and the game with its
    report is printed at the end as one JSON object.

    \b
    jeopardice play pig
    jeopardice play ten-thousand duel --target 3000 --opponent stop-at-300 --tutor
    jeopardice play pig alone --hints
    jeopardice play cant-stop alone --sides 5 --shortest 3 --solution solved-53
    """
    from jeopardice.cli.keyboard import Keyboard
    from jeopardice.cli.playing import Sitting
    from jeopardice.tutor import Session

    if asked.kind in ("alone", "turn") and (opponent or second):
        raise click.UsageError(
            f"{'--opponent' if opponent else '--second'} needs a second player; ask for duel instead of {asked.kind}"
        )
    judge = playing_judge(asked, stored)
    bots = seated(judge, opponent, 1 if second else 0)
    sitting = Sitting(Keyboard(to_stderr=as_json), Session.new(judge, seed=seed), bots, tutor=tutor, hints=hints)
    result = sitting.play()
    if as_json:
        print_json(
            {
                **goal_fields(asked),
                **sitting.session.record(),
                "players": list(sitting.names),
                "report": result.as_json(),
            }
        )
    else:
        sitting.show_report(result, full=full)


def playing_judge(asked: Asked, stored: str | None) -> "Judge":
    """Return the judge of the race: by a saved solution, by a solve, or by an estimate."""
    from jeopardice.cache import belongs_in_cache, solve_cached
    from jeopardice.solver import load
    from jeopardice.tutor import judge_of, judge_to_play

    if stored is not None:
        return judge_of(load(stored, asked.goal))
    if is_board(asked) and is_bounded_board(asked):
        return judge_of(bounded_solution(asked))
    with progress_bar(f"solving {asked.game} {asked.kind}") as progress:
        if belongs_in_cache(asked.goal):
            return judge_of(solve_cached(asked.goal, progress=progress))
        return judge_to_play(asked.goal, progress=progress)


def seated(judge: "Judge", opponent: str | None, person: int) -> tuple[Any, ...]:
    """Return who plays for each seat, None for a person; several opponents are named with commas between them."""
    from jeopardice.tutor import best_name, bot_named

    others = judge.match.players - 1
    if others == 0:
        return (None,)
    names = (opponent or best_name(judge)).split(",")
    names = names * others if len(names) == 1 else names
    if len(names) != others:
        raise click.UsageError(f"--opponent names one opponent, or {others} with commas between, got {opponent!r}")
    seats = [seat for seat in range(others + 1) if seat != person]
    bots = {seat: bot_named(name, judge, seat=seat) for seat, name in zip(seats, names, strict=True)}
    return tuple(bots.get(seat) for seat in range(others + 1))
