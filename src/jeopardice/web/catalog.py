"""The games the page knows, and how a game or a goal is written in a link.

The rules of a game are the fields of its dataclass, so the editor, the link and the API are all made from those fields:
`rules=sides:8;bust:1,2` is `Pig(sides=8, bust=(1, 2))`, and what is left out has its usual value.
"""

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields, replace
from functools import cached_property, lru_cache
from importlib import import_module
from math import comb
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from jeopardice.dice import NOTATION, Dice
from jeopardice.errors import RulesError
from jeopardice.family import family_of, shape_of
from jeopardice.games.house_goals import NEEDS_OTHERS, house_goal, named_game, said_between_turns
from jeopardice.games.named_rules import named_rules, sets_of
from jeopardice.games.rule_words import wording
from jeopardice.games.sentences import taught
from jeopardice.rules import text
from jeopardice.rules.game import default_target
from jeopardice.rules.goal import Goal, Race
from jeopardice.rules.text import read_value, value_words
from jeopardice.types import Game, Given, Json, JsonObject
from jeopardice.web.limits import Limits
from jeopardice.web.own_dice import ENDS, OwnDice
from jeopardice.web.seats import MOST_SEATS, offers

GOALS = ("duel", "alone", "turn")


def set_title(named: str) -> str:
    """Return what people call a named rule set.

    >>> set_title("kingdom_come"), set_title("cardgames_io")
    ('Kingdom Come', 'cardgames.io')
    """
    return named.replace("_io", ".io") if named.endswith("_io") else named.replace("_", " ").title()


@dataclass(frozen=True)
class RuleField:
    """One field of a game's rules: its name, its kind (whole, wholes, words, text, dice, choice, yesno) and its usual value."""

    name: str
    kind: str
    usual: Json
    choices: tuple[str, ...] = ()
    optional: bool = False
    limit: str | None = None
    help: str = ""


@dataclass(frozen=True)
class GameEntry:
    """A game by its name in links: where its class is, what people call it, and help for its fields."""

    name: str
    home: str
    title: str
    about: str
    help: tuple[tuple[str, str], ...] = ()
    limited: tuple[tuple[str, str], ...] = ()
    goals: tuple[str, ...] = GOALS
    usual: tuple[tuple[str, Given], ...] = ()
    left_out: tuple[str, ...] = ()
    only_played: bool = False
    on_page: bool = True

    @cached_property
    def make(self) -> Any:
        """The class with the rules."""
        module, _, name = self.home.rpartition(".")
        return getattr(import_module(f"jeopardice.{module}"), name)

    @cached_property
    def fields(self) -> tuple[RuleField, ...]:
        """The fields of the rules that a link can carry."""
        hints, helps, limited, usual = get_type_hints(self.make), dict(self.help), dict(self.limited), dict(self.usual)
        rule_fields = []
        for field in fields(self.make):
            kind = _kind(hints[field.name])
            if kind is not None and field.default is not MISSING and field.name not in self.left_out:
                name, choices, optional = kind
                rule_fields.append(
                    RuleField(
                        field.name,
                        name,
                        usual.get(field.name, field.default),
                        choices,
                        optional,
                        limited.get(field.name),
                        helps.get(field.name, ""),
                    )
                )
        return tuple(rule_fields)

    @property
    def all_goals(self) -> tuple[str, ...]:
        """The goals that the interface takes, beyond those that the page offers."""
        more = ("race", "rate", "simultaneous") if shape_of(self.make()) == "points" else ()
        return (*self.goals, *more)

    def game(self, rules: str, limits: Limits, named: str = "") -> Game:
        """Return the game that a link's rules describe, on top of a named set of rules, within the limits."""
        given = _pairs(rules)
        known = {field.name: field for field in self.fields}
        if unknown := set(given) - set(known):
            wanted = ", ".join(known) or "none"
            raise RulesError(f"{self.title} has no rule called {sorted(unknown)[0]!r}; its rules are {wanted}")
        hints = get_type_hints(self.make)
        values = {name: read_value(name, written, hints[name]) for name, written in given.items()}
        for name, value in values.items():
            field = known[name]
            if isinstance(value, Dice):
                limits.check(field.limit or "dice", value.count)
                limits.check("face_weight", max(map(max, value.kinds)))
                limits.check("faces", max(map(len, value.kinds)))
            elif isinstance(value, int) and not isinstance(value, bool):
                limits.check(field.limit or "points", value)
            elif isinstance(value, tuple):
                limits.check("faces", len(value))
                limits.check("points", max((part for part in value if isinstance(part, int)), default=0))
            elif field.limit == "faces":
                limits.check("faces", value.count(",") + 1)
        if named:
            named_rules(named, self.name)
            begun = named_game(named)
            if values and not isinstance(begun, self.make):
                raise RulesError(f"the rules of {named} cannot be changed here; leave out {sorted(values)[0]}")
            made = replace(begun, **values) if values else begun
        else:
            made = self.make(**{**dict(self.usual), **values})
        if not isinstance(made, OwnDice):
            return made
        _check_faces(made, limits)
        return made.game()

    def values_seen(self, field: RuleField) -> list[str]:
        """Return the values that the usual rules and the named rule sets have for a field, as links write them."""
        games = [house_goal(name).game for name in sets_of(self.name)]
        values = [field.usual, *(getattr(game, field.name) for game in games if isinstance(game, self.make))]
        return list(dict.fromkeys(map(value_words, values)))

    @cached_property
    def presets(self) -> tuple[JsonObject, ...]:
        """Rule sets that go by a name, for a menu: a sentence about each, its rules as links write them, and in full.

        `named` is what links and requests call the set; `rules` and `goal` are what it says about turns and races. A set
        whose dice are not made of this game's fields has rules "", and is played by its name alone.
        """
        sets = []
        for name, about in sets_of(self.name).items():
            goal = house_goal(name)
            unusual = [(f, getattr(goal.game, f.name)) for f in self.fields if isinstance(goal.game, self.make)]
            sets.append(
                {
                    "name": set_title(name),
                    "named": name,
                    "about": about,
                    "source": str(named_rules(name)["source"]),
                    "rules": ";".join(f"{f.name}:{value_words(value)}" for f, value in unusual if value != f.usual),
                    "goal": {key: "none" if v is None else v for key, v in said_between_turns(name, 2).items()},
                    "sentences": taught(goal),
                }
            )
        return tuple(sets)


GAMES: dict[str, GameEntry] = {
    entry.name: entry
    for entry in (
        GameEntry(
            "pig",
            "games.pig.Pig",
            "Pig",
            "Roll one die as often as you dare; a 1 loses the turn.",
            help=(
                ("sides", "how many sides the die has"),
                ("bust", "the faces that lose the turn"),
                ("dice", f"how many dice fall together, or loaded ones: {NOTATION}"),
            ),
            limited=(("sides", "sides"), ("dice", "dice")),
        ),
        GameEntry(
            "ten-thousand",
            "games.ten_thousand.TenThousand",
            "Ten Thousand",
            "Five dice; 1s, 5s and three of a kind score. Keep some, roll the rest, stop in time.",
            help=(
                ("dice", f"how many dice are rolled at first, or loaded ones: {NOTATION}"),
                ("resign", "sets of scoring dice that may be given back (like 5,1,55); any: all of them"),
            ),
            limited=(("dice", "dice"),),
        ),
        GameEntry(
            "farkle",
            "games.farkle.Farkle",
            "Farkle",
            "Six dice; 1s, 5s, three of a kind, straights and pairs score.",
            help=(
                ("dice", f"how many dice, or loaded ones: {NOTATION}"),
                ("one", "points of a single 1"),
                ("five", "points of a single 5"),
                ("three_ones", "points of three 1s"),
                ("three", "three of a kind score this times their face"),
                ("more_of_a_kind", "how four and more of a kind score"),
                ("flat", "points of 4, 5 and 6 of a kind, if flat"),
                ("straight", "points of 1-2-3-4-5-6"),
                ("short_straights", "points of 1-5 and of 2-6"),
                ("three_pairs", "points of three pairs"),
                ("four_and_pair", "four of a kind and a pair count as three pairs"),
                ("two_triplets", "points of two triplets"),
                ("full_house", "points of a full house beyond its triple"),
                ("nothing", "points of a first roll without any combination"),
                ("take", "whether everything that scores must be kept"),
            ),
            limited=(("dice", "farkle_dice"),),
        ),
        GameEntry(
            "hog",
            "games.hog.Hog",
            "Hog",
            "Say how many dice you roll, once a turn. All pips count, unless a 1 is among them.",
            help=(
                ("dice_limit", "the most dice one may roll"),
                ("sides", "how many sides a die has"),
                ("on_one", "what a roll with a 1 scores"),
                ("dice", "a loaded die that all are like, such as lucky or mine=1,2,2,2,2,1"),
            ),
            limited=(("dice_limit", "hog_dice"), ("sides", "hog_sides")),
        ),
        GameEntry(
            "cant-stop",
            "games.cant_stop.CantStop",
            "Can't Stop alone",
            "A small board: pair four dice, climb the columns of their sums, stop before a roll moves nothing.",
            help=(
                ("sides", "how many sides a die has (six: the official board, too large to solve here)"),
                ("shortest", "spaces of the shortest column (official: 3)"),
                ("columns_to_win", "columns to complete"),
            ),
            limited=(("sides", "board_sides"), ("shortest", "board_length"), ("columns_to_win", "board_length")),
            goals=("alone",),
            usual=(("sides", 4), ("shortest", 2)),
            left_out=("markers", "dice"),
        ),
        GameEntry(
            "cant-stop-race",
            "games.cant_stop.CantStop",
            "Can't Stop for two",
            "The official board: pair four dice, climb, stop in time. A completed column is closed to both.",
            limited=(("sides", "board_sides"), ("shortest", "board_length"), ("columns_to_win", "board_length")),
            goals=("duel",),
            left_out=("markers", "dice"),
            only_played=True,
        ),
        GameEntry(
            "yahtzee",
            "games.yahtzee.Yahtzee",
            "Yahtzee",
            "Five dice, three rolls a turn, thirteen boxes to fill: the most points alone.",
            help=(("joker", "what five equal dice may do once the Yahtzee box is full"), ("boxes", "the boxes played")),
            goals=("alone",),
            only_played=True,
        ),
        GameEntry(
            "own-dice",
            "web.own_dice.OwnDice",
            "Your own dice",
            "Pig with dice you design: say what each face does and how often it falls.",
            help=(("faces", "bust or points for each face, *n for weight"), ("dice", "how many fall together")),
            limited=(("faces", "faces"), ("dice", "dice")),
        ),
    )
}


@lru_cache(maxsize=1024)
def read_goal(
    game: str, goal: str, rules: str, named: str, options: tuple[tuple[str, Given], ...], limits: Limits
) -> Goal:
    """Return the goal that a request names; options that the goal has no use for are left out, as links carry them along."""
    entry = GAMES.get(game)
    if entry is None:
        raise RulesError(f"game is one of {', '.join(GAMES)}, got {game!r}")
    if goal not in entry.all_goals:
        raise RulesError(f"goal of {entry.title} is one of {', '.join(entry.all_goals)}, got {goal!r}")
    given = {name: value for name, value in options if name in option_names(goal)}
    limits.check("target", int(given.get("target") or 0))
    return text.read_goal(goal, entry.game(rules, limits, named), given, named or None)


def option_names(kind: str) -> set[str]:
    """Return the options that a goal has a use for."""
    names = {field.name for field in fields(text.KINDS[kind])} - {"game", "opponent", "opponents"}
    unused = {
        "alone": {"players", *NEEDS_OTHERS},
        "duel": {"players", "cost", "within"},
        "race": {"cost", "within"},
    }
    return names - unused.get(kind, set())


def named_goals() -> Iterator[Goal]:
    """Yield Yahtzee and the races for two of all named rule sets on the page, those that are solved soonest first."""
    shown = [game for game in GAMES.values() if game.on_page]
    goals = [house_goal(name, players=2) for game in shown for name in sets_of(game.name)]
    goals += [Race(game.make()) for game in shown if shape_of(game.make()) == "card"]
    yield from sorted(goals, key=lambda goal: family_of(goal.game).work(goal, 1).seconds)


def catalog(limits: Limits, *, on_page: bool = True) -> list[JsonObject]:
    """Return the games that the page offers, or the others, each with its fields, usual values and limits, as JSON."""
    return [
        {
            "name": entry.name,
            "title": entry.title,
            "about": entry.about,
            "goals": list(entry.goals),
            "all_goals": list(entry.all_goals),
            "target": default_target(entry.make()),
            "presets": list(entry.presets),
            "only_played": entry.only_played,
            "shape": shape_of(entry.make()),
            "opponents": offers(shape_of(entry.make())),
            "most_players": MOST_SEATS[shape_of(entry.make())] if "duel" in entry.goals else 1,
            "fields": [
                {
                    "name": field.name,
                    "title": wording(entry.name, field.name).title,
                    "group": wording(entry.name, field.name).group,
                    "choice_words": dict(wording(entry.name, field.name).choices),
                    "seen": entry.values_seen(field),
                    "kind": field.kind,
                    "usual": value_words(field.usual),
                    "choices": list(field.choices),
                    "optional": field.optional,
                    "most": getattr(limits, field.limit or "points") if field.kind == "whole" else None,
                    "help": field.help,
                }
                for field in entry.fields
            ],
        }
        for entry in GAMES.values()
        if entry.on_page == on_page
    ]


def _pairs(rules: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in rules.split(";"))):
        name, colon, value = part.partition(":")
        if not colon:
            raise RulesError(f"rules are written name:value;name:value, got {part!r}")
        pairs[name.strip()] = value
    return pairs


def _check_faces(own: OwnDice, limits: Limits) -> None:
    """Refuse more rolls, weights or points than the limits, before anything is laid out."""
    weights = own.weights
    limits.check("faces", len(weights))
    limits.check("face_weight", max(weights.values()))
    limits.check("face_points", max(face % ENDS for face in weights))
    if own.dice > 0:
        limits.check("rolls", comb(len(weights) + own.dice - 1, own.dice))


def _kind(hint: Any) -> tuple[str, tuple[str, ...], bool] | None:
    """Return the kind of a field by its type, its choices, and whether None is allowed."""
    if get_origin(hint) in (Union, UnionType):
        if Dice in get_args(hint):
            return "dice", (), NoneType in get_args(hint)
        rest = [part for part in get_args(hint) if part is not NoneType]
        inner = _kind(rest[0]) if len(rest) == 1 else None
        return None if inner is None else (inner[0], inner[1], True)
    if get_origin(hint) is Literal:
        return "choice", tuple(map(str, get_args(hint))), False
    kinds = {
        bool: "yesno",
        int: "whole",
        str: "text",
        tuple[int, ...]: "wholes",
        tuple[int, int]: "wholes",
        tuple[str, ...]: "words",
    }
    return (kinds[hint], (), False) if hint in kinds else None
