"""The named rule sets of Farkle as goals: their dice and points, and what they say about banking.

`Farkle.named` knows the dice; a minimum to bank or the target are part of the race. A rule that no goal models yet (a
penalty for the third bust in a row) is never dropped in silence: whoever wants the race without it says so.

Not modelled yet by any goal: a minimum to open, a penalty for busts in a row, hot dice that must be rolled, one more
turn for the others after the target is reached; and by the dice: a joker face.
"""

from collections.abc import Iterable

from jeopardice.errors import RulesError
from jeopardice.games.farkle import Farkle
from jeopardice.games.named_rules import all_named_rules, named_rules
from jeopardice.goal import Race


def house_names() -> dict[str, str]:
    """Return the names of the rule sets, each with a line about it.

    >>> list(house_names())
    ['crocce_mordecki', 'basic', 'zilch', 'cardgames_io', 'common', 'kingdom_come', 'facebook']
    """
    return {name: str(rules["about"]) for name, rules in all_named_rules().items()}


def left_out(name: str) -> dict[str, str]:
    """Return the rules of a set that no goal models yet, each with what it says.

    >>> left_out("zilch")
    {'three_busts': 'a third bust in a row costs 500 points'}
    """
    return dict(named_rules(name)["left_out"])


def not_in_the_dice(name: str) -> list[str]:
    """Return what a rule set says beyond dice and points, a line each: whoever takes the dice alone should know.

    >>> not_in_the_dice("facebook")[0]
    'facebook banks from 300 points on: set bank_from=300 (--bank-from 300)'
    """
    bank_from = named_rules(name)["goal"].get("bank_from")
    banking = f"{name} banks from {bank_from} points on: set bank_from={bank_from} (--bank-from {bank_from})"
    missing = [f"in {name} {rule}, which is not modelled yet" for rule in left_out(name).values()]
    return [*([banking] if bank_from else []), *missing]


def house_goal(name: str, *, players: int = 2, target: int | None = None, without: Iterable[str] = ()) -> Race:
    """Return the race of a rule set, with its minimum to bank; `without` names the rules that one agrees to leave out.

    >>> house_goal("zilch", without=["three_busts"]).bank_from
    300
    >>> house_goal("zilch")
    Traceback (most recent call last):
    jeopardice.errors.RulesError: in zilch a third bust in a row costs 500 points, which no goal models yet; to play
    without this rule, say without=['three_busts']
    """
    rules, missing, agreed = named_rules(name), left_out(name), set(without)
    if unknown := sorted(agreed - set(missing)):
        known = ", ".join(missing) or "nothing"
        raise RulesError(f"{unknown[0]!r} is not a rule that {name} leaves out; those are: {known}")
    if unsaid := sorted(set(missing) - agreed):
        raise RulesError(
            f"in {name} {missing[unsaid[0]]}, which no goal models yet; "
            f"to play without this rule, say without={unsaid!r}"
        )
    goal = dict(rules["goal"])
    if target is not None:
        goal["target"] = target
    return Race(Farkle.named(name), players=players, **goal)
