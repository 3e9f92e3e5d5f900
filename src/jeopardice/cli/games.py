"""`jeopardice games`: what can be played, and the rules that can be changed."""

from typing import Any

import click

from jeopardice.cli.show import json_option, print_json, table
from jeopardice.games import GAMES, game_class, rules_of
from jeopardice.rules.text import value_words


@click.command()
@click.argument("names", nargs=-1, metavar="[GAME ...]")
@json_option
def command(names: tuple[str, ...], as_json: bool) -> None:
    """List the games and their rules; each rule is an option of solve, advise and the rest."""
    found = {name: _described(game_class(name)) for name in names or GAMES}
    if as_json:
        print_json({"games": found})
        return
    for name, game in found.items():
        rows = [[f"--{rule.replace('_', '-')}", value_words(usual)] for rule, usual in game["rules"].items()]
        target = f"; usual target {game['usual_target']}" if game["usual_target"] else ""
        table(f"{name}: {game['summary']}{target}", ["rule", "usual value"], rows, note=game["about"] if names else "")


def _described(game: Any) -> dict[str, Any]:
    module = __import__(game.__module__, fromlist=["__doc__"])
    summary, _, about = (module.__doc__ or "").strip().partition("\n")
    summary = summary.rstrip(".")
    return {
        "about": " ".join(about.strip().partition("\n\n")[0].split()),
        "summary": summary.partition(": ")[2] or summary,
        "rules": rules_of(game),
        "usual_target": getattr(game, "usual_target", None),
    }
