"""Rule sets that go by a name: their dice and points and what they say about banking, data in `named_rules.toml`."""

import tomllib
from functools import lru_cache
from importlib.resources import files

from jeopardice.errors import RulesError
from jeopardice.types import JsonObject


@lru_cache(maxsize=1)
def all_named_rules() -> dict[str, JsonObject]:
    """Return every rule set by its name: `game`, `about`, `source`, `scoring` or `faces`, `goal` (fields of Race)."""
    sets = tomllib.loads((files("jeopardice") / "games" / "named_rules.toml").read_text("utf-8"))
    return {name: {"game": "farkle", "scoring": {}, **rules} for name, rules in sets.items()}


def named_rules(name: str, game: str | None = None) -> JsonObject:
    """Return one rule set, of the game that is wanted if one is; or name those that exist.

    >>> named_rules("zilch")["scoring"]["nothing"]
    500
    """
    known = {key: rules for key, rules in all_named_rules().items() if game in (None, rules["game"])}
    if not known:
        raise RulesError(f"--named is for games with named rule sets, such as farkle; {game} has none")
    if not isinstance(name, str) or name not in known:
        wanted = f"no rules of {game.replace('-', ' ').title()}" if game else "no rules"
        raise RulesError(f"{wanted} are called {name!r}; choose one of {', '.join(known)}")
    return known[name]


def sets_of(game: str) -> dict[str, str]:
    """Return the rule sets of a game, each with the sentence that tells it from others.

    >>> list(sets_of("hog"))
    ['berkeley_hog']
    """
    return {name: str(rules["about"]) for name, rules in all_named_rules().items() if rules["game"] == game}
