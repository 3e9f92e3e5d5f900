"""`jeopardice games`: what can be played, the rules that can be changed, and the rule sets that have names."""

import click

from jeopardice.cli.output import json_option, print_json, say, table
from jeopardice.errors import RulesError
from jeopardice.games import GAMES, game_class, rules_of
from jeopardice.games.named_rules import all_named_rules, sets_of
from jeopardice.games.rule_words import wording
from jeopardice.rules.game import default_target
from jeopardice.rules.text import value_words
from jeopardice.types import JsonObject


def complete_name(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the games and rule sets that a shell may offer."""
    return [name for name in (*GAMES, *all_named_rules()) if name.startswith(incomplete)]


@click.command()
@click.argument("names", nargs=-1, metavar="[GAME|RULESET ...]", shell_complete=complete_name)
@json_option
def command(names: tuple[str, ...], as_json: bool) -> None:
    """List the games, their rules and their named rule sets; or explain a rule set in sentences.

    Each rule is an option of solve, advise and the rest; a rule set is chosen there with --named.

    \b
    jeopardice games
    jeopardice games farkle
    jeopardice games zilch
    """
    named = all_named_rules()
    for name in names:
        if name not in GAMES and name not in named:
            listed = f"the games are {', '.join(GAMES)}; the rule sets {', '.join(named)}"
            raise RulesError(f"there is no game or rule set {name!r}; {listed}")
    games = {name: _described(name) for name in names or GAMES if name in GAMES}
    sets = {name: _taught(name) for name in names if name in named}
    if as_json:
        print_json({"games": games, "rule_sets": sets})
        return
    for name, game in games.items():
        rows = [
            [f"--{rule.replace('_', '-')}", value_words(usual), _meaning(name, rule)]
            for rule, usual in game["rules"].items()
        ]
        target = f"; usual target {game['usual_target']}" if game["usual_target"] else ""
        heads = ["rule", "default", "meaning"]
        table(f"{name}: {game['summary']}{target}", heads, rows, note=game["about"] if names else "", left=True)
        if names and game["rule_sets"]:
            rows = [[rule_set, about] for rule_set, about in game["rule_sets"].items()]
            table(f"rule sets of {name}: --named", ["name", "how it differs"], rows, left=True)
        elif game["rule_sets"]:
            say(f"rule sets: {', '.join(game['rule_sets'])}")
    for name, rule_set in sets.items():
        say(f"\n{name}: {rule_set['about']}.\n")
        for sentence in rule_set["sentences"]:
            say(sentence)
        say(f"\nSource: {rule_set['source']}.")


def _described(name: str) -> JsonObject:
    game = game_class(name)
    module = __import__(game.__module__, fromlist=["__doc__"])
    summary, _, about = (module.__doc__ or "").strip().partition("\n")
    summary = summary.rstrip(".")
    return {
        "about": " ".join(about.strip().partition("\n\n")[0].split()),
        "summary": summary.partition(": ")[2] or summary,
        "rules": rules_of(game),
        "usual_target": default_target(game),
        "rule_sets": sets_of(name),
    }


def _meaning(name: str, rule: str) -> str:
    said = wording(name, rule)
    choices = "; ".join(f"{value}: {words}" for value, words in said.choices if value != words)
    return f"{said.title} ({choices})" if choices else said.title


def _taught(name: str) -> JsonObject:
    from jeopardice.games.house_goals import house_goal
    from jeopardice.games.sentences import taught

    rules, goal = all_named_rules()[name], house_goal(name)
    said = {part: rules[part] for part in ("game", "about", "source")}
    return {**said, "sentences": taught(goal), "goal": repr(goal)}
