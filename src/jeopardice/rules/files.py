"""Games from a file: rules as data, in TOML or JSON. Nothing in a file is ever executed.

A file describes dice with an effect per face (`jeopardice.games.faces`):

    name = "Two-dice Pig"
    target = 100
    dice = 2

    [[faces]]
    face = 1
    effect = "bust"

    [[faces]]
    face = 2
    points = 2

and so on; `weight` loads the die, `[[combinations]]` says what a whole throw does. Or it names a game of the package
and the rules that are changed; `like` begins with one of the named rule sets:

    game = "farkle"
    like = "cardgames_io"
    straight = 2000
    dice = "3x fair, 2x lucky, odd=1,2,1,2,1,2"

What cannot be is refused in one line that names the key.
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args, get_type_hints

from jeopardice.dice import Dice
from jeopardice.errors import RulesError
from jeopardice.games import GAMES, game_class, rules_of
from jeopardice.games.faces import Combination, Face, FaceGame
from jeopardice.games.house_goals import named_game
from jeopardice.games.named_rules import named_rules, sets_of
from jeopardice.rules.game import changed_fields, fields_of
from jeopardice.rules.goal import Goal
from jeopardice.rules.text import kind_of, option_name, read_value, value_words
from jeopardice.types import Game, Json, Keywords

KEYS = ("name", "about", "target", "dice", "faces", "combinations")
MOST_BYTES = 1_000_000
SORTS = {int: "a whole number", bool: "true or false", str: "a word", tuple: "a list"}


def read_rules(rules: str | Path | Keywords) -> Game:
    """Return the game that a TOML or JSON file describes; or the same keys and values in a dict.

    >>> read_rules({"game": "pig", "sides": 8})
    Pig(sides=8, bust=(1,))
    """
    if isinstance(rules, Mapping):
        return game_from(rules)
    path = Path(rules)
    readers = {".toml": tomllib.loads, ".json": json.loads}
    if path.suffix not in readers:
        raise RulesError(f"a rules file ends in .toml or .json, got {path.name!r}")
    if not path.is_file():
        raise FileNotFoundError(f"there is no rules file {str(path)!r}")
    if path.stat().st_size > MOST_BYTES:
        raise RulesError(f"{path.name} has {path.stat().st_size:,} bytes; a rules file has at most {MOST_BYTES:,}")
    try:
        return game_from(readers[path.suffix](path.read_text("utf-8")))
    except RulesError as error:
        raise RulesError(f"{path.name}: {error}") from None
    except (ValueError, RecursionError) as error:  # both parsers' errors and a wrong encoding are ValueErrors
        raise RulesError(f"{path.name} is not {path.suffix[1:].upper()}: {' '.join(str(error).split())}") from None


def game_from(rules: Json) -> Game:
    """Return the game that the content of a rules file describes."""
    if not isinstance(rules, Mapping):
        raise RulesError(f"a rules file holds keys with values, got {rules!r}")
    if "game" in rules:
        return _known_game(rules)
    _check_keys(rules, KEYS, "")
    for key in ("name", "faces"):
        if key not in rules:
            raise RulesError(f"the key {key!r} is needed and missing")
    if not isinstance(rules.get("about", ""), str):
        raise RulesError(f"about is a text, got about={rules['about']!r}")
    return FaceGame(
        name=rules["name"],
        faces=tuple(Face(**entry) for entry in _entries(rules, "faces", Face._fields, "face")),
        dice=rules.get("dice", 1),
        combinations=tuple(
            Combination(**entry) for entry in _entries(rules, "combinations", Combination._fields, "faces")
        ),
        usual_target=rules.get("target"),
    )


def _known_game(rules: Keywords) -> Game:
    """Return a game of the package with some of its rules changed."""
    if not isinstance(rules["game"], str):
        raise RulesError(f"game is the name of a game, got game={rules['game']!r}")
    found = game_class(rules["game"])
    starts = ("game", "about", "like") if sets_of(rules["game"]) else ("game", "about")
    begun = _begun(rules)
    known = rules_of(found) if begun is None or isinstance(begun, found) else {}
    known |= {"weights": None} if known and hasattr(found, "weights") else {}
    _check_keys(rules, (*starts, *known), "")
    hints = get_type_hints(found)
    changed = {key: _as_value(key, value, hints) for key, value in rules.items() if key not in starts}
    for key, value in changed.items():
        if not isinstance(value, Dice) and known[key] is not None and type(value) is not type(known[key]):
            raise RulesError(f"{key} is {SORTS[type(known[key])]}, got {key}={rules[key]!r}")
    return found(**changed) if begun is None else replace(begun, **changed)


def _begun(rules: Keywords) -> Game:
    """Return the rule set that a file begins with, if it names one."""
    if "like" not in rules:
        return None
    named_rules(rules["like"], rules["game"])
    return named_game(rules["like"])


def _entries(rules: Keywords, key: str, fields: tuple[str, ...], needed: str) -> list[Keywords]:
    entries = rules.get(key, [])
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise RulesError(f"{key} is a list of entries, such as [[{key}]] in TOML, got {key}={entries!r}")
    for number, entry in enumerate(entries, start=1):
        where = f" of entry {number} in {key}"
        _check_keys(entry, fields, where)
        if needed not in entry:
            raise RulesError(f"the key {needed!r}{where} is needed and missing")
    return entries


def _check_keys(entry: Keywords, known: tuple[str, ...], where: str) -> None:
    for key in entry:
        if key not in known:
            raise RulesError(f"the key {key!r}{where} is unknown; the keys are {', '.join(known)}")


def _as_value(key: str, value: Any, hints: Keywords) -> Any:
    """Return the value of a rule: lists are tuples, and dice may be written as on the command line."""
    takes_dice = Dice in get_args(hints.get(key))
    return read_value(key, value, hints[key]) if takes_dice and isinstance(value, str) else _as_tuples(value)


def _as_tuples(value: Json) -> Json:
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


def written_rules(game: Game) -> str:
    """Return a game as the content of a rules file: `read_rules` reads the same game back.

    >>> from jeopardice import Pig
    >>> print(written_rules(Pig(sides=8, bust=(1, 2))), end="")
    game = "pig"
    sides = 8
    bust = [1, 2]
    """
    if isinstance(game, FaceGame):
        return _written_faces(game)
    name = next((name for name in GAMES if isinstance(game, game_class(name))), None)
    if name is None:
        raise RulesError(f"a rules file holds games of the package or dice with an effect per face, got {game!r}")
    usual = rules_of(type(game))
    changed = {rule: value for rule, value in fields_of(game).items() if rule in usual and value != usual[rule]}
    return _lines({"game": name} | {rule: value for rule, value in changed.items() if value is not None})


def _written_faces(game: FaceGame) -> str:
    parts = [
        _lines({"name": game.name, "dice": game.dice} | ({"target": game.usual_target} if game.usual_target else {}))
    ]
    parts += [f"\n[[faces]]\n{_lines(face._asdict())}" for face in game.faces]
    parts += [f"\n[[combinations]]\n{_lines(one._asdict())}" for one in game.combinations]
    return "".join(parts)


def _lines(values: Keywords) -> str:
    return "".join(f"{key} = {_toml(value)}\n" for key, value in values.items())


def _toml(value: Json) -> str:
    """Return a value as TOML writes it; texts, numbers and truth as JSON does."""
    if isinstance(value, Dice):
        return json.dumps(str(value))
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value)


def command_options(goal: Goal) -> str:
    """Return a goal as one types it after the game: its kind, and its options that are not the usual ones.

    >>> from jeopardice import Pig, Race
    >>> command_options(Race(Pig(), target=50, players=2, busts=3, penalty="all", last_round=True))
    'duel --target 50 --busts 3 --penalty all --last-round'
    """
    kind, words = kind_of(goal), []
    for name, value in changed_fields(goal).items():
        if name in ("game", "opponent", "opponents") or (name == "players" and kind != "race"):
            continue
        words.append(option_name(name) if value is True else f"{option_name(name)} {value_words(value)}")
    return " ".join([kind, *words])
