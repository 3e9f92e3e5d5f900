"""What most commands begin with: a game, its rules as options, and a goal.

    jeopardice COMMAND GAME [turn|alone|duel|simultaneous] [--target N] [--RULE VALUE ...]

Every field of a game's dataclass is an option of its name, so a new game needs nothing here.
"""

import functools
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from jeopardice.games import GAMES, game_class, rules_of

KINDS = ("turn", "alone", "duel")
ALL_KINDS = (*KINDS, "simultaneous")
EXTRA = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": ["-h", "--help"]}


@dataclass(frozen=True)
class Asked:
    """The goal that a command line asked for, and the words it was asked in."""

    goal: Any
    game: str
    kind: str
    words: tuple[str, ...] = ()


def goal_command(
    *, words_mean: str = "", kinds: tuple[str, ...] = KINDS, **settings: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command whose function takes `asked: Asked` first, then its own options.

    `words_mean` names what further words after the goal are, if the command takes any (they are in `asked.words`);
    `kinds` are the goals it can be asked for.
    """

    def decorate(function: Callable[..., Any]) -> click.Command:
        @functools.wraps(function)
        def run(words: tuple[str, ...], game_file: str | None, **options: Any) -> Any:
            goal_options = {name: options.pop(name) for name in _GOAL_OPTIONS}
            asked = parse_goal(words, game_file, takes_words=bool(words_mean), kinds=kinds, **goal_options)
            return function(asked, **options)

        command: Any = click.pass_context(lambda ctx, **options: run(**options))
        command.__name__ = function.__name__
        command.__doc__ = function.__doc__
        command.__click_params__ = getattr(function, "__click_params__", [])
        for option in reversed(_OPTIONS):
            command = option(command)
        metavar = f"GAME [{'|'.join(kinds)}] {words_mean}".strip()
        command = click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar=metavar)(command)
        made: click.Command = click.command(cls=GoalCommand, context_settings=EXTRA, **settings)(command)
        return made

    return decorate


class GoalCommand(click.Command):
    """A command that lists the games in its help."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Say which games there are and how their rules are set."""
        with formatter.section("Games"):
            formatter.write_text(", ".join(GAMES))
            formatter.write_text(
                "Rules of a game are options too, such as --sides 8 --bust 1,2 for pig: see jeopardice games."
            )


_OPTIONS = [
    click.option("--target", type=int, help="The score to reach (default: the game's usual one)."),
    click.option("--finish", default="reach", help="reach, or exact: an overshoot ends the turn with nothing."),
    click.option("--payoff", default="win", help="For two: win, or margin (target minus the loser's score)."),
    click.option("--cost", default="turns", help="Alone: what is kept low, turns or rolls."),
    click.option("--within", type=int, help="Alone: the best chance to finish within so many turns."),
    click.option("--bank-from", type=int, default=0, help="The least one may bank."),
    click.option(
        "--both-reach", help="Simultaneous: if both reach the target at once, the higher score wins, or share."
    ),
    click.option("--opponent", help="For two: the second player's game, such as 'pig --sides 8'."),
    click.option("--game", "game_file", help="A rules file of your own (TOML or JSON) instead of GAME."),
]
_GOAL_OPTIONS = ("target", "finish", "payoff", "cost", "within", "bank_from", "both_reach", "opponent")


def parse_goal(
    words: tuple[str, ...],
    game_file: str | None,
    *,
    takes_words: bool = False,
    kinds: tuple[str, ...] = KINDS,
    **options: Any,
) -> Asked:
    """Return the goal that the words and options name, or say what was wrong with them."""
    from jeopardice.goal import Race, Simultaneous, Turn

    plain, rules = split_words(words)
    name = game_file or (plain.pop(0) if plain else None)
    if name is None:
        raise click.UsageError(f"a game is needed, such as pig; the games are {', '.join(GAMES)}")
    game = parse_game(name, rules, is_file=game_file is not None)
    names_kind = plain and (plain[0] in ALL_KINDS or not takes_words)
    kind = plain.pop(0) if names_kind else usual_kind(game)
    if kind not in kinds:
        listed = f"{', '.join(kinds[:-1])} or {kinds[-1]}"
        raise click.UsageError(f"after the game comes {listed}, got {kind!r}")
    if plain and not takes_words:
        raise click.UsageError(f"{plain[0]!r} is one word too many after {name} {kind}")
    opponent, both_reach = options.pop("opponent"), options.pop("both_reach", None)
    if kind == "simultaneous":
        if given := [o for o, usual in _TURNS_ONLY.items() if options[o] != usual] + ["opponent"] * bool(opponent):
            raise click.UsageError(
                f"--{given[0].replace('_', '-')} belongs to a race in turns; ask for duel instead of simultaneous"
            )
        return Asked(Simultaneous(game, options["target"], both_reach or "higher"), name, kind, tuple(plain))
    if both_reach is not None:
        raise click.UsageError(f"--both-reach belongs to simultaneous, not to {kind}")
    if kind == "turn":
        given = [f"--{o.replace('_', '-')}" for o, usual in _RACE_ONLY.items() if options[o] != usual]
        if given or opponent:
            raise click.UsageError(
                f"{(given or ['--opponent'])[0]} belongs to a race; ask for alone or duel instead of turn"
            )
        return Asked(Turn(game, bank_from=options["bank_from"]), name, kind, tuple(plain))
    if opponent is not None:
        other, other_rules = split_words(tuple(opponent.split()))
        if len(other) != 1:
            raise click.UsageError(f"--opponent takes a game and its rules, such as 'pig --sides 8', got {opponent!r}")
        options["opponent"] = parse_game(other[0], other_rules)
    return Asked(Race(game, players=2 if kind == "duel" else 1, **options), name, kind, tuple(plain))


_RACE_ONLY = {"target": None, "finish": "reach", "payoff": "win", "cost": "turns", "within": None}
_TURNS_ONLY = {"finish": "reach", "payoff": "win", "cost": "turns", "within": None, "bank_from": 0}


def usual_kind(game: Any) -> str:
    """Return the goal meant when none is named: one turn of a points game, a race alone of any other."""
    return "alone" if has_columns(game) or has_boxes(game) else "turn"


def has_columns(game: Any) -> bool:
    """Whether the game is won with columns, such as Can't Stop."""
    return hasattr(game, "columns_to_win")


def has_boxes(game: Any) -> bool:
    """Whether the game fills the boxes of a card, such as Yahtzee."""
    return hasattr(game, "boxes")


def split_words(words: tuple[str, ...]) -> tuple[list[str], dict[str, str]]:
    """Split words into plain ones and rules (--sides 8 or --sides=8)."""
    plain: list[str] = []
    rules: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            plain.append(word)
            continue
        name, equals, value = word[2:].partition("=")
        if not equals:
            if not rest:
                raise click.UsageError(f"--{name} needs a value; jeopardice games shows the usual ones")
            value = rest.pop(0)
        rules[name.replace("-", "_")] = value
    return plain, rules


def parse_game(name: str, rules: dict[str, str], *, is_file: bool = False) -> Any:
    """Return the game of that name with these rules."""
    if is_file or Path(name).suffix in (".toml", ".json"):
        from jeopardice.rules_file import read_rules

        if rules:
            raise click.UsageError(f"--{next(iter(rules))} is not an option; the rules of {name} stand in the file")
        return read_rules(Path(name))
    found = game_class(name)
    if "named" in rules and hasattr(found, "named"):
        if len(rules) > 1:
            raise click.UsageError("--named picks a whole set of rules; leave out the other rule options")
        from jeopardice.house_rules import not_in_the_dice

        for note in not_in_the_dice(rules["named"]):
            click.echo(f"jeopardice: {note}", err=True)
        return found.named(rules["named"])
    known = rules_of(found)
    for rule in rules:
        if rule not in known:
            listed = ", ".join(f"--{r.replace('_', '-')}" for r in known) or "none"
            raise click.UsageError(f"{name} has no rule or option --{rule.replace('_', '-')}; its rules are {listed}")
    hints = typing.get_type_hints(found)
    return found(**{rule: parse_value(rule, text, hints[rule]) for rule, text in rules.items()})


def parse_value(rule: str, text: str, hint: Any) -> Any:
    """Return the text of an option as the type its field has."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        if type(None) in arguments and text in ("any", "all", "default"):
            return None
        return parse_value(rule, text, next(a for a in arguments if a is not type(None)))
    if origin is tuple:
        parts = [] if text in ("none", "") else text.split(",")
        return tuple(parse_value(rule, part.strip(), arguments[0]) for part in parts)
    if origin is typing.Literal:
        if text not in arguments:
            raise click.UsageError(
                f"--{rule.replace('_', '-')} is one of {', '.join(map(str, arguments))}, got {text!r}"
            )
        return text
    if hint is bool:
        if text not in ("yes", "no", "true", "false"):
            raise click.UsageError(f"--{rule.replace('_', '-')} is yes or no, got {text!r}")
        return text in ("yes", "true")
    if hint is int:
        try:
            return int(text)
        except ValueError:
            raise click.UsageError(f"--{rule.replace('_', '-')} takes whole numbers, got {text!r}") from None
    return text


def parse_roll(text: str | None) -> tuple[int | str, ...] | str | None:
    """Return a roll such as 1,1,5 or heads,tails as faces; any other text is a roll's name."""
    if text is None:
        return None
    parts = text.replace(" ", ",").split(",")
    parts = [part for part in parts if part]
    if parts and all(part.isdigit() for part in parts):
        return tuple(int(part) for part in parts)
    return tuple(part.strip() for part in text.split(",")) if "," in text else text


def parse_card(text: str | None) -> dict[str, int] | None:
    """Return a card such as ones:3,full-house:25 as boxes with the points written there."""
    if text is None:
        return None
    try:
        pairs = [part.split(":") for part in text.split(",") if part.strip()]
        return {box.strip().lower().replace("-", " ").replace("_", " "): int(points) for box, points in pairs}
    except ValueError:
        raise click.UsageError(f"--card takes filled boxes such as ones:3,full-house:25, got {text!r}") from None


def parse_standing(option: str, text: str | None) -> int | dict[int, int] | None:
    """Return points such as 41, or climbed columns such as 7:3,8:2."""
    if text is None:
        return None
    try:
        if ":" not in text:
            return int(text)
        pairs = [
            (int(column), int(space)) for column, space in (p.split(":") for p in text.replace(" ", "").split(","))
        ]
        if len(dict(pairs)) < len(pairs):
            raise click.UsageError(f"{option} names a column twice, got {text!r}")
        return dict(pairs)
    except ValueError:
        raise click.UsageError(f"{option} takes points such as 41, or columns such as 7:3,8:2, got {text!r}") from None
