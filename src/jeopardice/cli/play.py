"""`jeopardice play`: a game at the keyboard, with a tutor if wanted and the report at the end."""

from typing import Any

import click

from jeopardice.cli.found import solution_option
from jeopardice.cli.goals import EXTRA, Asked, GoalCommand, parse_goal, split_words
from jeopardice.cli.show import goal_fields, json_option, print_json, progress_bar

OPPONENTS = (
    "optimal (the default), friend, club, casual, beginner, errs-0.05, roll-5-times; points: stop-at-20; Can't Stop: "
    "rule-of-28, glenn-aloi, and look-ahead, the default on boards too large to be solved for two."
)


@click.command(cls=GoalCommand, context_settings=EXTRA)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="GAME [alone|duel]")
@click.option("--opponent", help=OPPONENTS)
@click.option("--second", is_flag=True, help="The opponent begins.")
@click.option("--tutor", is_flag=True, help="Warn before a costly play.")
@click.option("--hints", is_flag=True, help="Show what every play is worth before you choose.")
@click.option("--seed", type=int, help="Play with the dice of this number again.")
@click.option("--full", is_flag=True, help="List every decision in the report, not only those that lost something.")
@click.option("--target", type=int, help="The score to reach (default: the game's usual one).")
@click.option("--finish", default="reach", help="reach, or exact: an overshoot ends the turn with nothing.")
@click.option("--payoff", default="win", help="For two: win, or margin (target minus the loser's score).")
@click.option("--cost", default="turns", help="Alone: what is kept low, turns or rolls.")
@click.option("--within", type=int, help="Alone: the best chance to finish within so many turns.")
@click.option("--bank-from", type=int, default=0, help="The least one may bank.")
@click.option("--game", "game_file", help="A rules file of your own (TOML or JSON) instead of GAME.")
@solution_option
@json_option
def command(
    words: tuple[str, ...],
    game_file: str | None,
    opponent: str | None,
    second: bool,
    tutor: bool,
    hints: bool,
    seed: int | None,
    full: bool,
    stored: str | None,
    as_json: bool,
    **options: Any,
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
    from jeopardice.tutor import Session, best_name, bot_named

    asked = asked_race(words, game_file, options)
    if asked.kind == "alone" and (opponent or second):
        raise click.UsageError(
            f"{'--opponent' if opponent else '--second'} needs a second player; ask for duel instead of alone"
        )
    referee = found_referee(asked, stored, quiet=as_json)
    bots = (None,) if asked.kind == "alone" else _seated(bot_named(opponent or best_name(referee), referee), second)
    sitting = Sitting(Keyboard(to_stderr=as_json), Session.new(referee, seed=seed), bots, tutor=tutor, hints=hints)
    told = sitting.play()
    if as_json:
        print_json(
            {**goal_fields(asked), **sitting.session.record(), "players": list(sitting.names), "report": told.as_json()}
        )
    else:
        sitting.show_report(told, full=full)


def found_referee(asked: Asked, stored: str | None, *, quiet: bool) -> Any:
    """Return the referee of the race: by the solution kept in a directory, or by a solve or an estimate."""
    from jeopardice.solver import load
    from jeopardice.tutor.families import referee_for, referee_to_play

    if stored is not None:
        return referee_for(load(stored, asked.goal))
    with progress_bar(f"solving {asked.game} {asked.kind}", quiet=quiet) as progress:
        return referee_to_play(asked.goal, progress=progress)


def asked_race(words: tuple[str, ...], game_file: str | None, options: dict[str, Any]) -> Asked:
    """Return the race to play: a duel where nothing is said."""
    plain, _ = split_words(words)
    kinds = plain if game_file else plain[1:]
    if kinds == ["turn"]:
        raise click.UsageError("one plays a race, alone or duel; turn is for solve, advise and analyse")
    if plain and not kinds:
        words = (*words, "duel")
    elif game_file and not kinds:
        words = ("duel", *words)
    return parse_goal(words, game_file, opponent=None, **options)


def _seated(bot: Any, second: bool) -> tuple[Any, Any]:
    return (bot, None) if second else (None, bot)
