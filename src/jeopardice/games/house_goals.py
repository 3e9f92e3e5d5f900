"""The named rule sets as games and goals: their dice and points, and what they say about banking, busts and winning.

`Farkle.named` knows the dice; a minimum to bank, a penalty or the target are part of the race. Explicit arguments
override what the set says.
"""

from typing import Any

from jeopardice.games import game_class
from jeopardice.games.faces import Combination, Face, FaceGame
from jeopardice.games.named_rules import named_rules
from jeopardice.rules.goal import Race
from jeopardice.types import JsonObject

NEEDS_OTHERS = ("last_round", "ties", "piggyback", "payoff")
"""Rules that a race alone has no use for."""


def named_game(name: str) -> Any:
    """Return the game of a rule set: its dice and its points.

    >>> named_game("big_pig").plays(mode=0, roll=(1, 1))
    [Play(points=25, mode=0)]
    """
    rules = named_rules(name)
    if "faces" not in rules:
        return game_class(rules["game"])(**rules["scoring"])
    said = rules["faces"]
    return FaceGame(
        name=said["name"],
        faces=tuple(Face(**face) for face in said["faces"]),
        dice=said.get("dice", 1),
        combinations=tuple(Combination(**combination) for combination in said.get("combinations", ())),
        usual_target=rules["goal"]["target"],
    )


def said_between_turns(name: str, players: int) -> JsonObject:
    """Return what a rule set says about banking, busts and winning, for this many players.

    >>> said_between_turns("greed", players=1)
    {'target': 3000, 'open_from': 300}
    """
    return {
        rule: None if value == "none" else value
        for rule, value in named_rules(name)["goal"].items()
        if players > 1 or rule not in NEEDS_OTHERS
    }


def house_goal(name: str, *, players: int = 2, **rules: Any) -> Race:
    """Return the race of a rule set with all its rules; `rules` are options of `Race` that override it.

    >>> zilch = house_goal("zilch")
    >>> zilch.bank_from, zilch.busts, zilch.penalty
    (300, 3, 500)
    >>> house_goal("kingdom_come", players=1, target=2000).target
    2000
    """
    given = {rule: value for rule, value in rules.items() if value is not None or rule == "floor"}
    return Race(named_game(name), players=players, **(said_between_turns(name, players) | given))
