"""The games that come with the package, by the name one types."""

from dataclasses import MISSING, fields
from importlib import import_module
from typing import Any

from jeopardice.errors import RulesError
from jeopardice.types import JsonObject

GAMES = {
    "pig": "jeopardice.games.pig:Pig",
    "ten-thousand": "jeopardice.games.ten_thousand:TenThousand",
    "farkle": "jeopardice.games.farkle:Farkle",
    "hog": "jeopardice.games.hog:Hog",
    "yahtzee": "jeopardice.games.yahtzee:Yahtzee",
    "cant-stop": "jeopardice.games.cant_stop:CantStop",
}


def game_class(name: str) -> Any:
    """Return the class of the game called `name`."""
    if name not in GAMES:
        raise RulesError(f"there is no game {name!r}; the games are {', '.join(GAMES)} (see: jeopardice games)")
    module, _, class_name = GAMES[name].partition(":")
    return getattr(import_module(module), class_name)


def idea_of(game: Any) -> str:
    """Return the first line about a game of the package, from its module; nothing for a game of one's own.

    >>> idea_of(game_class("pig")())
    'Pig: roll one die, add it up, and stop before a 1 takes it all.'
    """
    home = type(game)
    if f"{home.__module__}:{home.__name__}" not in GAMES.values():
        return ""
    return (import_module(home.__module__).__doc__ or "").partition("\n")[0]


def rules_of(game: Any) -> JsonObject:
    """Return the rules of a game class that can be set, each with its usual value."""
    usual = {}
    for f in fields(game):
        usual[f.name] = f.default if f.default_factory is MISSING else f.default_factory()
    return usual
