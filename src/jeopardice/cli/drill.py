"""`jeopardice drill`: positions to practise, each graded at once."""

import click

from jeopardice.cli.goals import Asked, goal_command
from jeopardice.cli.output import goal_fields, json_option, print_json, progress_bar
from jeopardice.cli.play import PLAYED
from jeopardice.cli.solutions import solution_for, solution_option


@goal_command(kinds=PLAYED, usual="duel")
@click.option("--count", type=int, default=10, help="How many positions.")
@click.option("--kind", default="mixed", help="close (two plays almost equal), habit (common mistakes), or mixed.")
@click.option("--seed", type=int, default=0, help="Another seed asks other positions.")
@solution_option
@json_option
def command(
    asked: Asked,
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
    from jeopardice.tutor import drill, judge_of
    from jeopardice.tutor.session import words_of
    from jeopardice.tutor.words import title_lines

    judge = judge_of(solution_for(asked, stored))
    with progress_bar("looking for positions"):
        exercises = drill(judge, count=count, kind=kind, seed=seed)  # type: ignore[arg-type]
    if not exercises:
        raise ValueError(nothing_found(asked, kind))
    keyboard = Keyboard(to_stderr=as_json)
    keyboard.say(
        *title_lines(judge, ["you", "them"] if judge.match.players == 2 else ["you"] * judge.match.players),
        *([words_of(judge).legend] if words_of(judge).legend else []),
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
