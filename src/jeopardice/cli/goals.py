"""What most commands begin with: a game, its rules as options, and a goal.

    jeopardice COMMAND GAME [turn|alone|duel|race|rate|simultaneous] [--named RULESET] [--target N] [--RULE VALUE ...]

Every field of a game and every field of a goal is an option of its name, read by `rules/text.py`: a new game or a new
house rule needs at most a line of help here.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from jeopardice.games import GAMES, game_class, rules_of
from jeopardice.rules.goal import Goal, Race, race_of
from jeopardice.types import Game, Given, JsonObject

KINDS = ("turn", "alone", "duel", "race", "rate", "simultaneous")
EXTRA = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": ["-h", "--help"]}


@dataclass(frozen=True)
class Asked:
    """The goal that a command line asked for, and the words it was asked in."""

    goal: Goal
    game: str
    kind: str
    words: tuple[str, ...] = ()

    @property
    def race(self) -> Race:
        """The goal of a command whose kinds of goal are all races."""
        return race_of(self.goal)


def goal_command(
    *,
    words_mean: str = "",
    kinds: tuple[str, ...] = KINDS,
    usual: str | None = None,
    has_races: bool = True,
    **settings: Given,
) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command whose function takes `asked: Asked` first, then its own options.

    `words_mean` names what further words after the goal are, if the command takes any (they are in `asked.words`);
    `kinds` are the goals it can be asked for, `usual` is the one meant if none is named (None: it depends on the game).
    Without `has_races` the help leaves out the rules between turns, which the command then refuses.
    """

    def decorate(function: Callable[..., Any]) -> click.Command:
        taken = {param.name for param in getattr(function, "__click_params__", [])}

        @functools.wraps(function)
        def run(
            words: tuple[str, ...], game_file: str | None, named: str | None, no_cache: bool = False, **options: Given
        ) -> Any:
            own = {name: options.pop(name) for name in list(options) if name in taken}
            asked = parse_goal(words, game_file, named, options, takes_words=bool(words_mean), kinds=kinds, usual=usual)
            if not no_cache:
                return function(asked, **own)
            from jeopardice.cache import without_cache

            with without_cache():
                return function(asked, **own)

        command: Any = click.pass_context(lambda ctx, **options: run(**options))
        command.__name__ = function.__name__
        command.__doc__ = function.__doc__
        command.__click_params__ = getattr(function, "__click_params__", [])
        for option in reversed(_options(taken, hidden=not has_races)):
            command = option(command)
        metavar = f"GAME [{'|'.join(kinds)}] {words_mean}".strip() if has_races else "GAME"
        command = click.argument(
            "words", nargs=-1, type=click.UNPROCESSED, metavar=metavar, shell_complete=complete_word
        )(command)
        made: click.Command = click.command(cls=GoalCommand, context_settings=EXTRA, **settings)(command)
        return made

    return decorate


def complete_word(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the words that a shell may offer: the games, then the goals."""
    typed = [word for word in ctx.params.get("words") or () if not word.startswith("--")]
    return [word for word in (KINDS if typed else GAMES) if word.startswith(incomplete)]


def complete_rule_set(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the names of rule sets that a shell may offer."""
    from jeopardice.games.named_rules import all_named_rules

    return [name for name in all_named_rules() if name.startswith(incomplete)]


class GoalCommand(click.Command):
    """A command that lists the games in its help, and the rules of a game where a shell completes options."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer the rules of the game that was typed, beside the options of the command."""
        items = super().shell_complete(ctx, incomplete)
        game = next((word for word in ctx.params.get("words") or () if word in GAMES), None)
        if game is not None and incomplete.startswith("-"):
            known = {item.value for item in items}
            rules = [f"--{name.replace('_', '-')}" for name in rules_of(game_class(game))]
            items += [CompletionItem(rule) for rule in rules if rule.startswith(incomplete) and rule not in known]
        return items

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Say which games there are and how their rules are set."""
        with formatter.section("Games"):
            formatter.write_text(", ".join(GAMES))
            formatter.write_text(
                "Rules of a game are options too, such as --sides 8 --bust 1,2 for pig: see jeopardice games."
            )


OPTION_HELP = {
    "target": "The score to reach (default: the game's usual one).",
    "players": "A race: how many play, 1 to 8 (default: 2).",
    "finish": "reach, or exact: an overshoot ends the turn with nothing.",
    "payoff": "For two: win, or margin (target minus the loser's score).",
    "cost": "Alone: count turns or rolls.",
    "within": "Alone: the best chance to finish within this number of turns.",
    "bank_from": "The least points a player may bank.",
    "open_from": "The least points of a player's first bank.",
    "busts": "After this number of busts in a row a player pays the penalty.",
    "penalty": "The points lost then; all: the whole score.",
    "floor": "The score that a penalty does not go below (default: 0); none: it may.",
    "last_round": "Once somebody reaches the target, everyone else has one more turn.",
    "ties": "With a last round: first, share or last, who wins a tie.",
    "piggyback": "For two: the next player may take over the dice left and the points just banked.",
    "indifferent": "Three and more: stop or roll, where both are worth the same to a player.",
    "both_reach": "Simultaneous: if both reach the target at once, the higher score wins, or share.",
    "opponent": "For two: the second player's game, such as 'pig --sides 8'.",
    "opponents": "The games of all other players, with semicolons between them.",
}
FLAGS = ("last_round", "piggyback")


def _options(taken: set[str | None], hidden: bool) -> list[Any]:
    """Return the options of games and goals, without those that the command uses for something of its own."""
    options = [
        click.option(
            f"--{name.replace('_', '-')}",
            name,
            help=text,
            is_flag=name in FLAGS,
            default=None if name not in FLAGS else False,
            hidden=hidden,
        )
        for name, text in OPTION_HELP.items()
        if name not in taken
    ]
    return [
        *options,
        click.option(
            "--named",
            metavar="RULESET",
            help="A named rule set, such as zilch: see jeopardice games farkle.",
            hidden=hidden,
            shell_complete=complete_rule_set,
        ),
        click.option("--no-cache", is_flag=True, help="Solve again and save nothing: see jeopardice cache."),
        click.option("--game", "game_file", help="A rules file of your own (TOML or JSON) instead of GAME."),
    ]


def parse_goal(
    words: tuple[str, ...],
    game_file: str | None,
    named: str | None,
    options: JsonObject,
    *,
    takes_words: bool = False,
    kinds: tuple[str, ...] = KINDS,
    usual: str | None = None,
) -> Asked:
    """Return the goal that the words and options name, or say what was wrong with them."""
    from jeopardice.rules.text import kind_of, read_goal

    plain, rules = split_words(words)
    name = game_file or _game_word(plain, named)
    game = parse_game(name, rules, named, is_file=game_file is not None)
    given = {option: value for option, value in options.items() if value not in (None, False)}
    names_kind = plain and (plain[0] in KINDS or not takes_words)
    kind = plain.pop(0) if names_kind else "race" if "players" in given else usual_kind(game, usual)
    if kind not in kinds:
        listed = " or ".join(filter(None, (", ".join(kinds[:-1]), kinds[-1])))
        raise click.UsageError(f"after the game comes {listed}, got {kind!r}")
    if plain and not takes_words:
        raise click.UsageError(f"{plain[0]!r} is one word too many after {name} {kind}")
    for option in ("opponent", "opponents"):
        if option in given:
            games = tuple(_other_game(text, option) for text in given[option].split(";"))
            given[option] = games if option == "opponents" else games[0]
    goal = read_goal(kind, game, given, named)
    return Asked(goal, name, kind_of(goal), tuple(plain))


def _game_word(plain: list[str], named: str | None) -> str:
    if named is not None and (not plain or plain[0] not in GAMES):
        from jeopardice.games.named_rules import named_rules

        return str(named_rules(named)["game"])
    if not plain:
        raise click.UsageError(f"a game is needed, such as pig; the games are {', '.join(GAMES)}")
    return plain.pop(0)


def _other_game(text: str, option: str) -> Game:
    words, rules = split_words(tuple(text.split()))
    if len(words) != 1:
        raise click.UsageError(f"--{option} takes a game and its rules, such as 'pig --sides 8', got {text!r}")
    return parse_game(words[0], rules)


def usual_kind(game: Game, usual: str | None) -> str:
    """Return the goal meant when none is named: the command's usual one, one turn of a points game, else a game alone."""
    from jeopardice.family import shape_of

    shape = shape_of(game)
    return "alone" if shape == "card" else usual or ("turn" if shape == "points" else "alone")


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


def parse_game(name: str, rules: dict[str, str], named: str | None = None, *, is_file: bool = False) -> Game:
    """Return the game of that name with these rules."""
    from jeopardice.rules.text import read_game

    if is_file or Path(name).suffix in (".toml", ".json"):
        from jeopardice.rules.files import read_rules

        if rules or named:
            option = next(iter(rules), "named")
            raise click.UsageError(f"--{option} is not an option; the rules of {name} are in the file")
        return read_rules(Path(name))
    return read_game(name, rules, rules.pop("named", None) or named)
