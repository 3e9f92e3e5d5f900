"""Strategies of Yahtzee, and games played by them with random dice.

`optimal` plays by the solved cards. `greedy` plays each turn for the most points it can write now, as if the game ended
with it: the habit of people who forget that a box is used up.
"""

import random
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jeopardice.card.judge import CardJudge, best_play
from jeopardice.card.match import CardMatch, CardPlay, CardSpot
from jeopardice.card.solution import CardSolution
from jeopardice.card.yahtzee import LANES, MOST_COUNTED, YahtzeeSolution, solve_yahtzee
from jeopardice.engine.tally import Estimate, check_asked, mean_of
from jeopardice.errors import UnknownName
from jeopardice.kernels import Progress
from jeopardice.rules.goal import Race

STRATEGIES = {
    "optimal": "best play for the most points of the whole game",
    "greedy": "each turn for the most points that it can write at once",
}


@dataclass(frozen=True, eq=False)
class CardStrategy:
    """Plays the best option by the values of a solution."""

    name: str
    solution: CardSolution

    def play(self, match: CardMatch, spot: CardSpot) -> CardPlay:
        """Return the play at a spot."""
        return best_play(self._judge, spot)

    @cached_property
    def _judge(self) -> CardJudge:
        return CardJudge(self.solution)


def card_strategy(name: str, goal: Race, solution: CardSolution | None = None) -> CardStrategy:
    """Return the strategy of a name; `solution` spares solving for the optimal one."""
    check_name(name)
    if name == "optimal":
        return CardStrategy(name, solution or CardSolution(goal, solve_yahtzee(goal.game)))
    shape = table_shape(goal)
    return CardStrategy(name, CardSolution(goal, YahtzeeSolution(goal.game, np.zeros(shape))))


def check_name(name: str) -> None:
    """Refuse a name that no strategy has."""
    if name not in STRATEGIES:
        raise UnknownName(f"a strategy of Yahtzee is one of {', '.join(STRATEGIES)}, got {name!r}")


def table_shape(goal: Race) -> tuple[int, int, int]:
    """Return the shape of the table of cards."""
    return 2 ** len(goal.game.boxes), 2, goal.game.upper_goal + 1 + MOST_COUNTED + LANES


@dataclass(frozen=True)
class PlayedCards:
    """Scores of games with random dice: how often each fell, and by box the mean points written."""

    scores: Counter[int]
    boxes: dict[str, float]

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.scores.total()

    @property
    def mean_score(self) -> Estimate:
        """The mean score with its standard error."""
        counts = np.zeros(max(self.scores) + 1, np.int64)
        counts[list(self.scores)] = list(self.scores.values())
        return mean_of(counts)


def simulate_cards(
    goal: Race, strategy: Any, *, games: int, seed: int = 0, progress: Progress | None = None
) -> PlayedCards:
    """Play games by a strategy; the same seed plays the same games."""
    check_asked(1, 1, games, seed)
    match, scores, boxes = CardMatch(goal.game), Counter[int](), Counter[str]()
    for number in range(games):
        spot = _played(match, strategy, random.Random(f"{seed}/{number}"))
        scores[int(match.returns(spot)[0])] += 1
        boxes.update(dict(spot.card))
        if progress is not None:
            progress(number + 1, games)
    return PlayedCards(scores, {box: boxes[box] / games for box in goal.game.boxes})


def _played(match: CardMatch, strategy: Any, dice: random.Random) -> CardSpot:
    spot = match.start()
    while not match.is_over(spot):
        if spot.rolling:
            fallen = tuple(sorted(dice.randint(1, 6) for _ in range(5 - len(spot.aside))))
            spot = match.after_roll(spot, fallen)
        else:
            spot = match.after_play(spot, strategy.play(match, spot))
    return spot
