"""`jeopardice advise`: what to do now, and the value of every other option."""

from dataclasses import replace
from typing import Any

import click

from jeopardice.cli.boards import is_board
from jeopardice.cli.goals import Asked, goal_command
from jeopardice.cli.output import goal_fields, json_option, number, print_json, table
from jeopardice.cli.solutions import solution_for, solution_option
from jeopardice.cli.solved import bound_words
from jeopardice.rules.game import has_dice_to_change
from jeopardice.types import Given, JsonObject


@goal_command()
@click.option("--mine", help="The points of the player who has the dice; Can't Stop: columns climbed, such as 7:3,8:2.")
@click.option("--theirs", help="The same for the other player; for several, with commas, in the order of play.")
@click.option("--at-risk", help="The points at risk, before the roll if one is given.")
@click.option("--roll", metavar="1,1,5", help="The roll just made; without it: roll or stop?")
@click.option("--dice", help="The dice left to roll (Ten Thousand); or loaded dice; Can't Stop: how many are rolled.")
@click.option(
    "--markers", metavar="6:1,7:4", help="Can't Stop: the spaces the markers stand on; one number: how many there are."
)
@click.option("--mode", help="Which dice are left where they differ, such as aab; the mode of a game of your own.")
@click.option("--card", metavar="ones:3,twos:6", help="Yahtzee: the boxes filled, with the points written there.")
@click.option("--rolls-left", help="Yahtzee: how often dice may still be rolled this turn (default: 0).")
@click.option("--turns-left", help="With --within: the turns left, this one counted.")
@click.option("--my-busts", help="With --busts: how many busts in a row the player who has the dice has made.")
@click.option("--their-busts", help="The same of the other player; of several, in the order of play: 0,1.")
@click.option("--my-opened", help="With --open-from: whether the player who has the dice has opened, yes or no.")
@click.option("--their-opened", help="The same of the other player; of several, in the order of play: yes,no.")
@click.option(
    "--offer", metavar="300,2", help="With --piggyback: the points just banked by the other, and the dice left."
)
@click.option("--seat", help="For unequal players: who has the dice, 0 (plays first) or more.")
@solution_option
@json_option
def command(asked: Asked, stored: str | None, as_json: bool, **position: Given) -> None:
    """Advise at a moment of GAME: every option, best first.

    \b
    jeopardice advise ten-thousand turn --at-risk 350 --roll 1,1,5,2,3
    jeopardice advise pig duel --mine 41 --theirs 49 --at-risk 27
    jeopardice advise cant-stop --sides 4 --mine 5:2 --markers 4:1 --roll 1,2,3,4
    jeopardice advise cant-stop --sides 5 --solution cant-stop-5-3 --mine 6:4
    jeopardice advise yahtzee --card ones:3,twos:6 --roll 1,1,5,5,6 --rolls-left 1
    jeopardice advise hog simultaneous --mine 80 --theirs 90
    """
    from jeopardice.family import family_of

    given = {name: text for name, text in position.items() if text is not None}
    asked = with_rules(asked, given)
    family = family_of(asked.goal.game)
    family.check(asked.goal)
    keywords = family.words.parse_position(asked.goal, given)
    advice = advising_solution(asked, stored).advise(**keywords)
    if as_json:
        options = [
            {"play": o.play, "value": o.value, "loss": abs(o.value - advice.value)}
            | ({} if o.share is None else {"share": o.share})
            for o in advice.options
        ]
        best = {"best": advice.best.play, "value": advice.value, "error_bound": advice.error_bound}
        print_json({**best, "options": options, "note": advice.note, **goal_fields(asked)})
        return
    ties = {o.play for o in advice.ties} if len(advice.ties) > 1 else set()
    rows = [
        [
            o.play + (f" ({o.share:.1%} of the time)" if o.share else " (tie)" if o.play in ties else ""),
            number(float(o.value), 6),
            number(abs(float(o.value - advice.value)), 6),
        ]
        for o in advice.options
    ]
    note = f"value{bound_words(advice)}{f'; {advice.note}' if advice.note else ''}"
    table(f"best: {advice.best.play}", ["play", "value", "loss"], rows, note=note)


def advising_solution(asked: Asked, stored: str | None) -> Any:
    """Return what gives the advice: a solution, or an estimate of a board for two that nobody has solved."""
    if stored is None and is_board(asked):
        from jeopardice.columns.estimate import is_estimated
        from jeopardice.columns.estimated import EstimatedSolution

        if is_estimated(asked.race):
            return EstimatedSolution(asked.race)
    return solution_for(asked, stored, certified=True)


def with_rules(asked: Asked, given: dict[str, str]) -> Asked:
    """Return the goal with the rules that share their names with parts of a position.

    A number for --dice or --markers is a rule of a board and a part of a position elsewhere; dice in words are a rule.
    """
    from jeopardice.dice import Dice
    from jeopardice.family import shape_of

    rules: JsonObject = {}
    if shape_of(asked.goal.game) == "columns":
        rules = {name: int(given.pop(name)) for name in ("dice", "markers") if given.get(name, "").isdecimal()}
    elif not given.get("dice", "0").strip().isdecimal() and has_dice_to_change(asked.goal.game):
        rules = {"dice": Dice.read(given.pop("dice"))}
    return replace(asked, goal=replace(asked.goal, game=replace(asked.goal.game, **rules))) if rules else asked
