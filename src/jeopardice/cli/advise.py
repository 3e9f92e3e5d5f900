"""`jeopardice advise`: what to do now, and what everything else is worth."""

from dataclasses import replace
from typing import Any

import click

from jeopardice.cli.found import found_solution, solution_option
from jeopardice.cli.goals import (
    ALL_KINDS,
    Asked,
    goal_command,
    has_boxes,
    has_columns,
    parse_card,
    parse_roll,
    parse_standing,
)
from jeopardice.cli.show import goal_fields, json_option, number, print_json, table
from jeopardice.cli.solved import bound_words


@goal_command(kinds=ALL_KINDS)
@click.option("--mine", help="The points of the player who has the dice; Can't Stop: columns climbed, such as 7:3,8:2.")
@click.option("--theirs", help="The same of the other player.")
@click.option("--at-risk", type=int, help="The points at risk, before the roll if one is given.")
@click.option("--roll", metavar="1,1,5", help="The roll just made; without it: roll or stop?")
@click.option("--dice", type=int, help="The dice left to roll (Ten Thousand); Can't Stop: how many are rolled.")
@click.option(
    "--markers", metavar="6:1,7:4", help="Can't Stop: the spaces the markers stand on; one number: how many there are."
)
@click.option("--mode", help="The mode, for games of your own that have any.")
@click.option("--card", metavar="ones:3,twos:6", help="Yahtzee: the boxes filled, with the points written there.")
@click.option("--rolls-left", type=int, help="Yahtzee: how often dice may still be rolled this turn (default: 0).")
@click.option("--turns-left", type=int, help="With --within: the turns left, this one counted.")
@solution_option
@json_option
def command(asked: Asked, stored: str | None, as_json: bool, **position: Any) -> None:
    """Advise at a moment of GAME: every option, best first.

    \b
    jeopardice advise ten-thousand turn --at-risk 350 --roll 1,1,5,2,3
    jeopardice advise pig duel --mine 41 --theirs 49 --at-risk 27
    jeopardice advise cant-stop --sides 4 --mine 5:2 --markers 4:1,5:3 --roll 1,2,3,4
    jeopardice advise cant-stop --sides 5 --shortest 3 --solution cant-stop-5-3 --mine 6:4
    jeopardice advise yahtzee --card ones:3,twos:6 --roll 1,1,5,5,6 --rolls-left 1
    jeopardice advise hog simultaneous --mine 80 --theirs 90
    """
    for name in ("mine", "theirs", "markers"):
        position[name] = parse_standing(f"--{name}", position[name])
    position["card"], position["roll"] = parse_card(position["card"]), parse_roll(position["roll"])
    if has_columns(asked.goal.game):
        asked = with_rules(asked, position)
    refuse_foreign(asked, position)
    given = {name: value for name, value in position.items() if value is not None}
    if has_columns(asked.goal.game):
        check_board(asked, given)
    advice = found_solution(asked, stored, quiet=as_json, certified=True).advise(**given)
    if as_json:
        options = [{"play": o.play, "value": o.value, "loss": abs(o.value - advice.value)} for o in advice.options]
        best = {"best": advice.best.play, "value": advice.value, "error_bound": advice.error_bound}
        print_json({**best, "options": options, **goal_fields(asked)})
        return
    ties = {o.play for o in advice.ties} if len(advice.ties) > 1 else set()
    rows = [
        [
            o.play + (" (tie)" if o.play in ties else ""),
            number(float(o.value), 6),
            number(abs(float(o.value - advice.value)), 6),
        ]
        for o in advice.options
    ]
    table(f"best: {advice.best.play}", ["play", "worth", "loss"], rows, note=f"worth{bound_words(advice)}")


def with_rules(asked: Asked, position: dict[str, Any]) -> Asked:
    """Return the board with the rules that share their names with parts of a position: --dice 3, --markers 2."""
    rules = {name: position[name] for name in ("dice", "markers") if isinstance(position[name], int)}
    for name in rules:
        position[name] = None
    return replace(asked, goal=replace(asked.goal, game=replace(asked.goal.game, **rules)))


def check_board(asked: Asked, given: dict[str, Any]) -> None:
    """Refuse a position that the board does not have before it is solved."""
    game = asked.goal.game
    for name in ("mine", "theirs"):
        game.standing(given.get(name, {}))
    game.placed(game.standing(given.get("mine", {})), given.get("markers", {}))
    if "roll" in given:
        game.roll(given["roll"])


def refuse_foreign(asked: Asked, position: dict[str, Any]) -> None:
    """Say so where a part of the position does not belong to the goal."""
    if has_columns(asked.goal.game):
        allowed = {"mine", "markers", "roll"} | ({"theirs"} if asked.kind == "duel" else set())
    elif has_boxes(asked.goal.game):
        allowed = {"card", "roll", "rolls_left"}
    else:
        in_turn = {"at_risk", "dice", "mode", "roll"}
        allowed = {
            "turn": in_turn,
            "alone": in_turn | {"mine", "turns_left"},
            "duel": in_turn | {"mine", "theirs"},
            "simultaneous": {"mine", "theirs"},
        }[asked.kind]
    for name, value in position.items():
        if value is not None and name not in allowed:
            raise click.UsageError(f"--{name.replace('_', '-')} is not part of a position of {asked.game} {asked.kind}")
