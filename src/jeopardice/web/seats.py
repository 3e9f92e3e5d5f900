"""Who sits where: opponents by name, what people call them, and how a game is told in words.

A link names the opponents in the order of play, with commas between them; the last name serves for all further seats.
"""

from collections import Counter
from collections.abc import Sequence

from jeopardice.errors import PositionError
from jeopardice.rules.goal import Goal
from jeopardice.rules.text import counted
from jeopardice.solution import Judge
from jeopardice.tutor import Bot, Session, best_name, bot_named
from jeopardice.tutor.bots import FRIEND, LOOK_AHEAD, OPTIMAL
from jeopardice.types import JsonObject

MEANWHILE = "most-points"
"""Who plays while a game is being solved: a strategy that needs no solution, so the same game can be judged later."""

NAMES = {
    OPTIMAL: "Perfect player",
    LOOK_AHEAD: "Computer",
    "club": "Club player",
    "casual": "Casual player",
    "beginner": "Beginner",
    MEANWHILE: "Point hunter",
    "rule-of-28": "Rule of 28",
    FRIEND: "Friend",
}
ABOUT = {
    OPTIMAL: "never errs",
    LOOK_AHEAD: "our best here, not perfect",
    "club": "errs in close calls",
    "casual": "errs now and then",
    "beginner": "errs often",
    MEANWHILE: "wants the most points each turn",
    "rule-of-28": "counts to 28, then stops",
    FRIEND: "at the same screen",
}
OFFERED = {
    "points": (OPTIMAL, "club", "casual", "beginner", MEANWHILE, FRIEND),
    "columns": (LOOK_AHEAD, "rule-of-28", "casual", "beginner", FRIEND),
    "card": (),
}
"""The opponents that a page offers, by the shape of the game; the first is the best."""

MOST_SEATS = {"points": 6, "columns": 2, "card": 1}
"""The most players that a page seats."""


def offers(shape: str) -> list[dict[str, str]]:
    """Return the opponents that a page offers, the best first; it goes without a name in links."""
    return [
        {"name": "" if n == 0 else name, "title": NAMES[name], "about": ABOUT[name]}
        for n, name in enumerate(OFFERED[shape])
    ]


def opponent_names(text: str, players: int) -> list[str]:
    """Return the opponents that a link names, one for each other seat; an empty name is the strongest one.

    >>> opponent_names("club,friend", 4)
    ['club', 'friend', 'friend']
    """
    names = text.split(",")
    if len(names) > max(1, players - 1):
        raise PositionError(
            f"there are {counted(players - 1, 'other player')}, got {len(names)} opponents in {text!r}; name fewer"
        )
    return (names + names[-1:] * players)[: players - 1]


def is_portable(names: Sequence[str]) -> bool:
    """Whether these opponents choose alike with every judge: friends, and strategies that need no values."""
    return all(name == FRIEND or name.startswith(("most-points", "stop-at", "strict-stop", "roll-")) for name in names)


def seats(judge: Judge, opponent: str, you: int, seed: int) -> tuple[tuple[Bot | None, ...], int]:
    """Return who plays for each seat (None: a person), and the player's seat; by default the best opponent plays."""
    players = judge.match.players
    you = min(you, players - 1)
    others = iter(opponent_names(opponent, players))
    bots = [
        None if seat == you else bot_named(next(others) or best_name(judge), judge, seat=seat, seed=seed)
        for seat in range(players)
    ]
    return tuple(bots), you


def seat_names(bots: Sequence[Bot | None], you: int) -> list[str]:
    """Return what everybody is called: You, opponents by their kind, people at the same screen by number.

    >>> seat_names((None, None), 0)
    ['Player 1', 'Player 2']
    """
    if len(bots) > 1 and all(bot is None for bot in bots):
        return [f"Player {seat + 1}" for seat in range(len(bots))]
    names = ["You" if n == you else NAMES.get(bot.name, bot.name) if bot else "Friend" for n, bot in enumerate(bots)]
    seen: Counter[str] = Counter()
    numbered = []
    for name in names:
        seen[name] += 1
        numbered.append(f"{name} {seen[name]}" if names.count(name) > 1 else name)
    return numbered


def step_words(session: Session, number: int, name: str) -> str:
    """Return what happened in a step, told of somebody: You rolled 1 5 5; Beginner stops with 12."""
    step, words = session.steps[number], session.words
    game, person = session.match.game(step.spot), name == "You"
    if step.option is None:
        dice = words.roll(game, step.roll)
        if step.bust:
            return f"{name} bust{'' if person else 's'}! The turn is lost."
        return f"{name} rolled {dice}."
    deeds = [deed if person else _third(deed) for deed in words.deeds(game, step.option.match_play)]
    return f"{name} {' and '.join(deeds)}." if deeds else f"{name} {'roll' if person else 'rolls'}…"


def _third(deed: str) -> str:
    verb, space, rest = deed.partition(" ")
    return f"{verb}s{space}{rest}"


def outcome_words(session: Session, names: Sequence[str]) -> str:
    """Return how a game ended, in a sentence; nothing before that."""
    if session.phase != "over":
        return ""
    winners = [names[seat] for seat in session.winners]
    if len(names) > 1:
        if len(winners) == 1:
            return "You win!" if winners == ["You"] else f"{winners[0]} wins."
        return f"{' and '.join(winners)} share the win." if winners else "Nobody wins: a draw."
    measure, (returned,) = session.judge.measure, session.match.returns(session.spot)
    if measure.is_chance:
        return "Made it in time!" if returned else "Not in time."
    return f"Done: {counted(int(returned), measure.name.removesuffix('s'))}."


def aim_words(goal: Goal, table: JsonObject, players: int) -> str:
    """Return what is played for, in a sentence, from what lies on the table."""
    target = table.get("target")
    if table["kind"] == "card":
        return f"Fill {counted(len(table['boxes']), 'box')} for the most points."
    if table["kind"] == "board":
        columns = counted(target or 0, "column")
        return (
            f"First to complete {columns} wins." if players > 1 else f"Complete {columns} in as few turns as you can."
        )
    if players == 1:
        within, cost = getattr(goal, "within", None), getattr(goal, "cost", "turns")
        return (
            f"Reach {target:,} within {within} turns." if within else f"Reach {target:,} in as few {cost} as you can."
        )
    exactly = "hit exactly" if goal.ending.must_hit else "to"
    if goal.ending.last_round:
        return f"Once somebody has {target:,} everybody else has one more turn; most points win."
    return f"First {exactly} {target:,} wins."
