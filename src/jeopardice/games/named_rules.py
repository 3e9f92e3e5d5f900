"""Rule sets of Farkle that go by a name: their scoring and what they say about banking, data in `named_rules.toml`."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any

from jeopardice.errors import RulesError


@lru_cache(maxsize=1)
def all_named_rules() -> dict[str, dict[str, Any]]:
    """Return every rule set by its name: `about`, `scoring` (fields of Farkle), `goal` (fields of Race)."""
    return tomllib.loads((files("jeopardice") / "games" / "named_rules.toml").read_text("utf-8"))


def named_rules(name: str) -> dict[str, Any]:
    """Return one rule set, or say which there are.

    >>> named_rules("zilch")["scoring"]["nothing"]
    500
    """
    known = all_named_rules()
    if not isinstance(name, str) or name not in known:
        raise RulesError(f"no rules of Farkle are called {name!r}; choose one of {', '.join(known)}")
    return known[name]
