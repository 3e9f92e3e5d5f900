"""`jeopardice drill`: positions to practise, each graded at once."""

from typing import Any

import click

from jeopardice.cli.found import found_solution, solution_option
from jeopardice.cli.goals import EXTRA, Asked, GoalCommand
from jeopardice.cli.play import asked_race
from jeopardice.cli.show import goal_fields, json_option, print_json


@click.command(cls=GoalCommand, context_settings=EXTRA)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="GAME [alone|duel]")
@click.option("--count", type=int, default=10, help="How many positions.")
@click.option("--kind", default="mixed", help="close (near indifference), habit (where habits cost), or mixed.")
@click.option("--seed", type=int, default=0, help="Another number, other positions.")
@click.option("--target", type=int, help="The score to reach (default: the game's usual one).")
@click.option("--game", "game_file", help="A rules file of your own (TOML or JSON) instead of GAME.")
@solution_option
@json_option
def command(
    words: tuple[str, ...],
    game_file: str | None,
    target: int | None,
    count: int,
    kind: str,
    seed: int,
    stored: str | None,
    as_json: bool,
) -> None:
    """Practise GAME: what would you do here? Each answer is graded by what it loses.

    With --json answers are read from stdin, all talk goes to stderr, and the grades are printed at the end.

    \b
    jeopardice drill pig
    jeopardice drill ten-thousand alone --kind habit --count 5
    """
    from jeopardice.cli.keyboard import Keyboard
    from jeopardice.cli.playing import practise
    from jeopardice.tutor import drill, referee_for
    from jeopardice.tutor.board_picture import PICTURE_WORDS
    from jeopardice.tutor.words import title_lines

    usual: dict[str, Any] = {"finish": "reach", "payoff": "win", "cost": "turns", "within": None, "bank_from": 0}
    asked = asked_race(words, game_file, usual | {"target": target})
    referee = referee_for(found_solution(asked, stored, quiet=as_json))
    exercises = drill(referee, count=count, kind=kind, seed=seed)  # type: ignore[arg-type]
    if not exercises:
        raise ValueError(nothing_found(asked, kind))
    keyboard = Keyboard(to_stderr=as_json)
    keyboard.say(
        *title_lines(referee, ["you", "them"][: referee.players]),
        *([PICTURE_WORDS] if referee.counts == "spaces" else []),
        "What would you do? Answer with r, s or a number; q quits.",
    )
    grades = practise(keyboard, exercises)
    if as_json:
        done = [e.as_json() | g.as_json() for e, g in zip(exercises, grades, strict=False)]
        print_json({**goal_fields(asked), "seed": seed, "asked": len(exercises), "grades": done})


def nothing_found(asked: Asked, kind: str) -> str:
    """Return what to say where the games played in search of exercises hold none."""
    sort = (
        "close decisions or errors of habit"
        if kind == "mixed"
        else {"close": "close decisions"}.get(kind, "errors of habit")
    )
    larger = "a larger board (--sides, --shortest)" if asked.game == "cant-stop" else "a higher --target"
    other = "" if kind == "mixed" else " or --kind mixed"
    return f"{asked.game} {asked.kind} has no {sort} with these rules, so there is nothing to practise; ask for {larger}{other}"
