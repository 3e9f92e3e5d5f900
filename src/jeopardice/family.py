"""A family: everything that one shape of rules needs. Commands, web and tutor ask a family and name no game.

A game says its `shape` ("points" unless it says otherwise); the shape names the package that knows how such games are
solved, played and worded. A new family is a package with a `FAMILY` in its `family.py`, and one line below.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from jeopardice.engine.work import Work
from jeopardice.errors import RulesError
from jeopardice.rules.goal import Goal, Race
from jeopardice.rules.match import Match
from jeopardice.solution import Judge, Progress, Solution
from jeopardice.types import Blocks, Game, JsonObject, Keywords, MatchPlay, MatchRoll, Spot

if TYPE_CHECKING:
    from jeopardice.rules.coding import Coding

FAMILIES = {
    "points": "jeopardice.points.family",
    "columns": "jeopardice.columns.family",
    "card": "jeopardice.card.family",
}


class How(NamedTuple):
    """How a goal is to be solved."""

    exact: bool = False
    threads: int | None = None
    progress: Progress | None = None
    checkpoint: str | None = None
    options: Keywords = MappingProxyType({})


class Words(Protocol):
    """The words of a family: one wording per play, roll and standing, everywhere.

    `game` is the game of the seat that plays: `match.game(spot)`.
    """

    notation: str
    """A line that explains how `short_spot` is written; empty where it explains itself."""

    legend: str
    """A line that explains the pictures; empty where there are none."""

    keys: str
    """Lines that explain the keys of this family, for somebody at the keyboard."""

    def plays(self, game: Game, plays: Sequence[MatchPlay]) -> list[str]:
        """The plays of one spot as one says them, no two alike: `set aside 1 5 and stop`, `roll`."""
        ...

    def short_play(self, game: Game, play: MatchPlay) -> str:
        """A play in some ten characters: `15 stop`."""
        ...

    def deeds(self, game: Game, play: MatchPlay) -> list[str]:
        """The parts of a play that a story tells, each beginning with its verb: `set aside 1 5`, `stop with 350`.

        Nothing for a bare roll, which the dice tell by themselves.
        """
        ...

    def stake(self, game: Game, play: MatchPlay) -> str:
        """What a play banks or leaves at risk: `banks 350`, `risks 3 spaces`; empty where it is nothing."""
        ...

    def typed(self, game: Game, plays: Sequence[MatchPlay], key: str) -> list[MatchPlay]:
        """The plays that the key `r` or `s` may mean here; the key counts only where there is exactly one."""
        ...

    def roll(self, game: Game, roll: MatchRoll) -> str:
        """A roll as one reads it: `1 5 5`."""
        ...

    def short_spot(self, match: Match, spot: Spot) -> str:
        """A spot in some twenty characters, as the player who has the dice sees it: `42:57 +14 155`."""
        ...

    def moment(self, match: Match, spot: Spot) -> str:
        """What was rolled and what is at risk, after `You`: `rolled 1 5 5, 300 at risk before`; empty as a turn begins."""
        ...

    def scores(self, match: Match, spot: Spot, names: Sequence[str]) -> str:
        """Everybody's standing in one line: `you: 42, optimal: 57`."""
        ...

    def picture(self, match: Match, spot: Spot, names: Sequence[str]) -> list[str]:
        """The board or the card drawn in lines; none where `scores` says it all."""
        ...

    def table(self, match: Match, spot: Spot) -> JsonObject:
        """What a page draws on the table, as plain data: `kind` names the picture (points, board, card)."""
        ...

    def buttons(self, match: Match, spot: Spot, plays: Sequence[MatchPlay]) -> list[JsonObject]:
        """How a page offers each play of a spot: the `label` of its button, and what one points at to `pick` it.

        `pick` is nothing; or sets of `dice`, any of them; or `columns` of a board; or a `box` of a card; or a `count` of
        dice. Plays with the same pick differ in their label: stop or roll.
        """
        ...

    def parse_roll(self, game: Game, text: str) -> MatchRoll:
        """The roll that a text names, or one clear line."""
        ...

    def parse_position(self, goal: Goal, texts: Mapping[str, str]) -> JsonObject:
        """The keywords of `advise` that texts by name stand for; a name that the goal has no use for is refused."""
        ...


class Family(Protocol):
    """What a family answers."""

    shape: str
    words: Words

    def check(self, goal: Goal) -> None:
        """Refuse a goal that there is none of, in one clear line."""
        ...

    def work(self, goal: Goal, threads: int | None = None) -> Work:
        """The estimated work of a solve: estimates, limits and plans ask this."""
        ...

    def match(self, goal: Goal) -> Match:
        """The game as a tree of spots, without solving it."""
        ...

    def coding(self, goal: Goal) -> "Coding":
        """The plays and spots of the match in numbers, for programs that learn."""
        ...

    def solve(self, goal: Goal, how: How) -> Solution:
        """The solution of a goal."""
        ...

    def load(self, goal: Goal, blocks: Blocks, about: Keywords) -> Solution:
        """The solution that was saved."""
        ...

    def judge(self, solution: Solution) -> Judge:
        """The judge that knows the values of a solution; refuses one whose goal cannot be played, in one clear line."""
        ...

    def judge_to_play(self, goal: Goal, how: How) -> Judge:
        """The judge of a goal: by its solution, or by an estimate where a solve would keep a player waiting."""
        ...

    def judge_at_once(self, goal: Goal) -> Judge | None:
        """A judge that looks a turn or a roll ahead and needs no solution, to play with meanwhile; None: there is none."""
        ...

    def strategies(self, goal: Goal) -> Mapping[str, str]:
        """The names of the strategies that fit a goal, each with a sentence; a number in a name may be any number."""
        ...

    def strategy(self, goal: Goal, name: str, seat: int = 0) -> Any:
        """The strategy of a name, for command line, web and bots alike; or `UnknownName` with the names that fit.

        A stranger may choose the name, so nothing is read or run for it.
        """
        ...

    def play_of(self, strategy: Any, match: Match, spot: Spot) -> Any:
        """The play, one of `match.plays(spot)`, that a strategy makes at a spot."""
        ...

    def habits(self, goal: Goal) -> Sequence[Any]:
        """The strategies that people follow by habit, whose errors a drill looks for; may be none."""
        ...


def shape_of(game: Game) -> str:
    """Return the shape of a game's rules: points, unless the game says otherwise."""
    shape = getattr(game, "shape", "points")
    if shape not in FAMILIES:
        raise RulesError(f"the shape of a game is one of {', '.join(FAMILIES)}, got shape={shape!r}")
    return str(shape)


def counted(goal: Goal) -> str:
    """Return what the values of a goal count: points, chance, margin, turns or rolls.

    >>> from jeopardice import Pig, Race, Turn
    >>> counted(Turn(Pig())), counted(Race(Pig())), counted(Race(Pig(), players=2))
    ('points', 'turns', 'chance')
    """
    if not isinstance(goal, Race):
        return "chance" if goal.players > 1 else "points"
    if shape_of(goal.game) == "card":
        return "points"
    if goal.players > 1:
        return "margin" if goal.payoff == "margin" else "chance"
    return goal.cost if goal.within is None else "chance"


def family_of(game: Game) -> Family:
    """Return the family of a game, by its shape."""
    family: Family = import_module(FAMILIES[shape_of(game)]).FAMILY
    return family
