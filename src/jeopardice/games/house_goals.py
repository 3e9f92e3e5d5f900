"""The named rule sets as goals: their dice and points, and what they say about banking, busts and winning.

`Farkle.named` knows the dice; a minimum to bank, a penalty or the target are part of the race. Explicit arguments
override what the set says.
"""

from typing import Any

from jeopardice.games.farkle import Farkle
from jeopardice.games.named_rules import all_named_rules, named_rules
from jeopardice.rules.goal import Race


def house_names() -> dict[str, str]:
    """Return the names of the rule sets, each with a line about it.

    >>> list(house_names())
    ['crocce_mordecki', 'basic', 'zilch', 'cardgames_io', 'common', 'kingdom_come', 'facebook']
    """
    return {name: str(rules["about"]) for name, rules in all_named_rules().items()}


def house_goal(name: str, *, players: int = 2, **rules: Any) -> Race:
    """Return the race of a rule set with all its rules; `rules` are options of `Race` that override it.

    >>> zilch = house_goal("zilch")
    >>> zilch.bank_from, zilch.busts, zilch.penalty
    (300, 3, 500)
    >>> house_goal("kingdom_come", players=1, target=2000).target
    2000
    """
    said = {rule: None if value == "none" else value for rule, value in named_rules(name)["goal"].items()}
    alone = players == 1
    said = {rule: value for rule, value in said.items() if not (alone and rule in ("last_round", "ties"))}
    given = {rule: value for rule, value in rules.items() if value is not None or rule == "floor"}
    return Race(Farkle.named(name), players=players, **(said | given))
