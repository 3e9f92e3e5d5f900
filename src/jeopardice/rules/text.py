"""Texts and plain data that stand for rules, goals, rolls and positions: command line, web, files and links read the same.

The rules of a game and the options of a goal are the fields of a dataclass, so a text is read by the type of its field:
`sides` 8, `bust` 1,2, `four_and_pair` yes, `penalty` 500 or all, `floor` none. A goal is named by a word: turn, alone, duel,
race (any number of players), rate or simultaneous. A new game or a new house rule needs nothing here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from jeopardice.dice import Dice
from jeopardice.errors import PositionError, RulesError
from jeopardice.games import game_class, rules_of
from jeopardice.rules.game import Mode
from jeopardice.rules.goal import Goal, Race, Rate, Simultaneous, Turn
from jeopardice.types import Game, JsonObject, Keywords, MatchRoll

KINDS: JsonObject = {
    "turn": Turn, "alone": Race, "duel": Race, "race": Race, "rate": Rate, "simultaneous": Simultaneous,
}  # fmt: skip
"""The words for goals."""

PLAYERS = {"alone": 1, "duel": 2}
"""The words that say how many play."""

MOST_DIGITS = 12
FIRST_KIND, MOST_KINDS = ord("a"), 26


def plain(thing: Any) -> Any:
    """Return rolls and modes as JSON writes them: tuples become lists, whatever JSON lacks becomes its repr.

    >>> plain((1, (5, 5)))
    [1, [5, 5]]
    """
    if isinstance(thing, tuple | list):
        return [plain(part) for part in thing]
    return thing if thing is None or isinstance(thing, str | int | float | bool) else repr(thing)


def named_among(given: Any, known: Iterable[Any], name: str) -> Any:
    """Return the one of `known` that plain data stands for; dice may be given in any order.

    >>> named_among([5, 1], {(1, 1): 1, (1, 5): 2}, "roll")
    (1, 5)
    """
    wanted, things = plain(given), list(known)
    is_dice = isinstance(wanted, list) and all(isinstance(die, int) for die in wanted)
    for form in (wanted, sorted(wanted)) if is_dice else (wanted,):
        for thing in things:
            if plain(thing) == form:
                return thing
    raise PositionError(f"{name}={given!r} cannot occur here; for example {name}={plain(things[0])!r} can")


def dice_words(roll: MatchRoll, between: str = " ") -> str:
    """Return a roll as one reads it: 1 5 5; dice of different kinds have a letter for the kind.

    >>> dice_words((1, 5, 5)), dice_words((1, 5, 5), ""), dice_words(((0, 1), (1, 5)))
    ('1 5 5', '155', '1a 5b')
    """
    if not isinstance(roll, tuple | list):
        return str(roll)
    return between.join(f"{die[1]}{chr(FIRST_KIND + die[0])}" if isinstance(die, tuple) else str(die) for die in roll)


def mode_words(mode: Mode) -> str:
    """Return a mode as one types it; which dice are left is a letter for the kind of each.

    >>> mode_words((0, 0, 1)), mode_words(5)
    ('aab', '5')
    """
    if not isinstance(mode, tuple) or not all(isinstance(kind, int) and 0 <= kind < MOST_KINDS for kind in mode):
        return str(mode)
    return "".join(chr(FIRST_KIND + kind) for kind in mode)


def read_kinds(text: str) -> tuple[int, ...] | None:
    """Return which dice are left, from a letter for the kind of each; None for any other text.

    >>> read_kinds("aab"), read_kinds("5")
    ((0, 0, 1), None)
    """
    kinds = tuple(sorted(ord(letter) - FIRST_KIND for letter in text))
    return kinds if kinds and all(0 <= kind < MOST_KINDS for kind in kinds) else None


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "turn"), counted(3, "column"), counted(2, "box")
    ('1 turn', '3 columns', '2 boxes')
    """
    return f"{number} {noun}{'' if number == 1 else 'es' if noun.endswith('x') else 's'}"


def brief(value: Any) -> str:
    """Return a goal or game as Python writes it, without the fields that have their usual values.

    >>> from jeopardice import Pig, Race
    >>> brief(Race(Pig(sides=8), target=100))
    'Race(Pig(sides=8))'
    """
    if isinstance(value, Dice):
        return f"Dice.read({str(value)!r})"
    if not is_dataclass(value) or isinstance(value, type):
        return repr(value)
    if isinstance(getattr(value, "faces", None), tuple):
        return f"{type(value).__name__}({getattr(value, 'name', '')!r}, ...)"
    parts, game = [], getattr(value, "game", None)
    for field in fields(value):
        given = getattr(value, field.name)
        if field.name == "game":
            parts.append(brief(given))
        elif given != field.default and not (field.name == "target" and given == getattr(game, "usual_target", 0)):
            parts.append(f"{field.name}={brief(given)}")
    return f"{type(value).__name__}({', '.join(parts)})"


def value_words(value: Any) -> str:
    """Return the value of a rule as one types it.

    >>> value_words((1, 2)), value_words(None), value_words(True)
    ('1,2', 'any', 'yes')
    """
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "none"
    if value is None:
        return "any"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def read_value(label: str, text: Any, hint: Any) -> Any:
    """Return the text of a rule as the type of its field; anything but a text is taken as it is.

    >>> read_value("bust", "1,2", tuple[int, ...]), read_value("penalty", "all", int | Literal["all"])
    ((1, 2), 'all')
    >>> read_value("floor", "none", int | None), read_value("last_round", "yes", bool)
    (None, True)
    >>> print(read_value("dice", "3x fair, 2x lucky", int | Dice))
    3x fair, 2x lucky
    """
    if not isinstance(text, str):
        return text
    text, origin, arguments = text.strip(), get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):
        return _read_one_of(label, text, arguments)
    if origin is tuple:
        parts = [] if text in ("none", "") else [part for part in text.split(",") if part.strip()]
        return tuple(read_value(label, part, arguments[0]) for part in parts)
    if origin is Literal:
        if text not in arguments:
            raise RulesError(f"{label} is one of {', '.join(map(str, arguments))}, got {text!r}")
        return text
    if hint is bool:
        if text not in ("yes", "no", "true", "false"):
            raise RulesError(f"{label} is yes or no, got {text!r}")
        return text in ("yes", "true")
    return _whole(label, text) if hint is int else text


def _read_one_of(label: str, text: str, hints: tuple[Any, ...]) -> Any:
    if NoneType in hints and text in ("", "any", "all", "none", "default"):
        return None
    words = [word for hint in hints if get_origin(hint) is Literal for word in get_args(hint)]
    if text in words:
        return text
    if Dice in hints and not (int in hints and text.isdecimal()):
        return Dice.read(text)
    return read_value(label, text, next(hint for hint in hints if hint is not NoneType))


def _whole(label: str, text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
        raise RulesError(f"{label} takes whole numbers of at most {MOST_DIGITS} digits, got {text!r}")
    return int(text)


def read_scores(label: str, text: str, least: int = 0) -> int | tuple[int, ...]:
    """Return a score, or several with commas between them: those of the other players in the order of play.

    >>> read_scores("--theirs", "41"), read_scores("--theirs", "41,12")
    (41, (41, 12))
    """
    scores = tuple(_whole_position(label, part, least) for part in text.split(","))
    return scores[0] if len(scores) == 1 else scores


def read_counts(label: str, text: str) -> dict[str, int]:
    """Return numbers by name, such as 7:3,8:2 or ones:3,full-house:25.

    >>> read_counts("--card", "ones:3,full-house:25")
    {'ones': 3, 'full house': 25}
    """
    counts: dict[str, int] = {}
    for part in filter(str.strip, text.split(",")):
        name, colon, number = part.partition(":")
        name = name.strip().lower().replace("-", " ").replace("_", " ")
        if not colon or not number.strip().isdecimal() or len(number) > MOST_DIGITS:
            raise PositionError(f"{label} is written name:number,name:number, got {text!r}")
        if name in counts:
            raise PositionError(f"{label} names {name!r} twice, got {text!r}")
        counts[name] = int(number)
    return counts


def refuse_foreign(given: Iterable[str], allowed: Iterable[str], where: str) -> None:
    """Say so where a part of a position does not belong to the goal."""
    for name in given:
        if name not in allowed:
            raise PositionError(f"{option_name(name)} is not part of a position of {where}")


def _whole_position(label: str, text: str, least: int) -> int:
    try:
        number = _whole(label, text.strip())
    except RulesError as error:
        raise PositionError(str(error)) from None
    if number < least:
        raise PositionError(f"{label} is at least {least}, got {text!r}")
    return number


def kind_of(goal: Goal) -> str:
    """Return the word for a goal.

    >>> from jeopardice import Pig, Race
    >>> kind_of(Race(Pig(), players=2)), kind_of(Race(Pig(), players=3))
    ('duel', 'race')
    """
    if isinstance(goal, Race):
        return next((word for word, players in PLAYERS.items() if players == goal.players), "race")
    return next(word for word, made in KINDS.items() if isinstance(goal, made))


def option_name(field: str) -> str:
    """Return the option of a command that a field is set by.

    >>> option_name("bank_from")
    '--bank-from'
    """
    return f"--{field.replace('_', '-')}"


def read_game(name: str, rules: Mapping[str, str], named: str | None = None) -> Game:
    """Return the game of a name with these rules, on top of those of a named set.

    >>> read_game("pig", {"sides": "8"})
    Pig(sides=8, bust=(1,))
    """
    game, begun = game_class(name), None
    if named is not None:
        from jeopardice.games.house_goals import named_game
        from jeopardice.games.named_rules import named_rules

        named_rules(named, name)
        begun = named_game(named)
    known = rules_of(game) if begun is None or isinstance(begun, game) else {}
    for rule in rules:
        if rule not in known:
            listed = (
                f"its rules are {', '.join(map(option_name, known))}" if known else "its rules are fixed; leave it out"
            )
            raise RulesError(f"{named or name} has no rule or option {option_name(rule)}; {listed}")
    hints = get_type_hints(game)
    values = {rule: read_value(option_name(rule), text, hints[rule]) for rule, text in rules.items()}
    return game(**values) if begun is None else replace(begun, **values)


def read_goal(kind: str, game: Game, options: Keywords, named: str | None = None) -> Goal:
    """Return the goal of a word, with its options as texts or values; a named rule set says what is not given.

    >>> from jeopardice import Pig
    >>> read_goal("race", Pig(), {"players": "3", "busts": 3, "penalty": "all"}).players
    3
    """
    if kind not in KINDS:
        raise RulesError(f"the goal is one of {', '.join(KINDS)}, got {kind!r}")
    goal = KINDS[kind]
    hints = {field.name: hint for field, hint in _hints(goal)}
    for name in options:
        if name not in hints:
            raise RulesError(f"{option_name(name)} {_home_of(name, kind)}")
    values = {name: read_value(option_name(name), value, hints[name]) for name, value in options.items()}
    players = values.get("players", PLAYERS.get(kind, 2))
    if players != PLAYERS.get(kind, players):
        raise RulesError(f"{option_name('players')} {players} is a race; ask for race instead of {kind}")
    if named is not None:
        from jeopardice.games.house_goals import said_between_turns

        said = said_between_turns(named, int(players))
        values = {name: value for name, value in said.items() if name in hints} | values
    made: Goal = goal(game, **values, **({"players": players} if goal is Race and "players" not in values else {}))
    return made


def _hints(goal: Goal) -> list[tuple[Any, Any]]:
    hints = get_type_hints(goal)
    return [(field, hints[field.name]) for field in fields(goal) if field.name != "game"]


def _home_of(name: str, kind: str) -> str:
    """Return to which goals an option belongs that another goal does not have."""
    homes = [word for word, goal in KINDS.items() if name in {field.name for field, _ in _hints(goal)}]
    if homes == ["simultaneous"]:
        return f"belongs to simultaneous, not to {kind}"
    if kind == "simultaneous":
        return "belongs to a race in turns; ask for duel instead of simultaneous"
    return f"belongs to a race; ask for alone or duel instead of {kind}"


def goal_options() -> JsonObject:
    """Return every option that some goal has, with its type."""
    return {field.name: hint for goal in dict.fromkeys(KINDS.values()) for field, hint in _hints(goal)}
