"""Which of my dice to play with: every choice solved, best first.

All choices are tried (equal dice make equal choices, so ten dice of four kinds give a few dozen, not 210), each is solved
exactly, and what one gains over fair dice is the difference of two exact values. More of a good die is not always better:
dice must fit each other, so no choice is left out by a bound.
"""

from dataclasses import dataclass, replace
from itertools import combinations
from math import comb

from jeopardice.dice import Dice, pool
from jeopardice.errors import RulesError
from jeopardice.kernels import Progress
from jeopardice.rules.game import has_dice_to_change
from jeopardice.rules.goal import Goal, Rate, Turn, race_of
from jeopardice.solver import solve
from jeopardice.types import Game

MOST_WAYS = 1_000_000
"""More ways to take dice from a bag are not even counted."""


@dataclass(frozen=True)
class DiceChoice:
    """Some of the dice, what the goal is worth with them, and what that gains over fair dice."""

    dice: Dice
    value: float
    gain: float


def choices_from(bag: Dice, count: int) -> list[Dice]:
    """Return every different choice of this many dice.

    >>> [str(choice) for choice in choices_from(Dice.read("2x fair, lucky"), 2)]
    ['2x fair', 'fair, lucky']
    """
    if bag.count < count:
        raise RulesError(f"the game is played with {count} dice, got {bag.count}: {bag}")
    if comb(bag.count, count) > MOST_WAYS:
        raise RulesError(f"{count} of {bag.count} dice can be taken in more than {MOST_WAYS:,} ways; name fewer dice")
    dice = list(zip(bag.weights, bag.names, strict=True))
    taken = dict.fromkeys(tuple(chosen) for chosen in combinations(dice, count))
    return list(dict.fromkeys(Dice(tuple(d for d, _ in t), tuple(n for _, n in t)) for t in taken))


def dice_played(game: Game) -> int:
    """Return how many dice a game is played with; a Hog's dice are all like one."""
    if not has_dice_to_change(game):
        raise RulesError("dice are chosen for Pig, Ten Thousand, Farkle or Hog; this game has no dice to change")
    return 1 if game.dice is None else pool(game.dice).count


def best_dice(
    goal: Goal, bag: Dice, *, threads: int | None = None, progress: Progress | None = None
) -> list[DiceChoice]:
    """Return all choices of dice from a bag, best first; a race is for two, and the other seat keeps its dice.

    For a race the value is the chance to win when a coin decides who begins.

    >>> from jeopardice import Pig
    >>> [str(choice.dice) for choice in best_dice(Turn(Pig()), Dice.read("fair, odd, misfortune"))]
    ['misfortune', 'fair', 'odd']
    """
    count = dice_played(goal.game)
    choices = choices_from(bag, count)
    fair = _worth(goal, Dice.fair(count, getattr(goal.game, "sides", 6)), threads)
    found = []
    for done, dice in enumerate(choices):
        if progress is not None:
            progress(done, len(choices))
        worth = _worth(goal, dice, threads)
        found.append(DiceChoice(dice, worth, worth - fair))
    return sorted(found, key=lambda choice: -choice.value)


def _worth(goal: Goal, dice: Dice, threads: int | None) -> float:
    mine = replace(goal, game=replace(goal.game, dice=dice))
    if isinstance(mine, Turn | Rate):
        return float(solve(mine, threads=threads).value)
    solution = solve(replace(race_of(mine), opponent=race_of(goal).opponent or goal.game), threads=threads)
    return float(solution.value + 1 - solution.at(mine=0, theirs=0, seat=1)) / 2
