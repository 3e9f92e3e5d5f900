"""The family of card games: Yahtzee alone, for the most points. Each answer has its own module."""

from collections.abc import Sequence
from typing import Any

from jeopardice.card.coding import card_coding
from jeopardice.card.judge import CardJudge
from jeopardice.card.match import CardMatch, CardPlay, CardSpot
from jeopardice.card.solution import CardSolution, check_card_goal, solve_card
from jeopardice.card.strategy import STRATEGIES, CardStrategy, card_strategy, table_shape
from jeopardice.card.words import WORDS
from jeopardice.card.yahtzee import YahtzeeSolution
from jeopardice.engine.work import Work
from jeopardice.errors import StaleSolution, TooLargeError
from jeopardice.family import How
from jeopardice.kernels import thread_count
from jeopardice.rules.coding import Coding
from jeopardice.rules.goal import Goal, race_of
from jeopardice.types import Blocks, Keywords

SECONDS_PER_BOXES = 3e-4
"""One core, for each set of boxes filled (8,192 of them in the full game)."""


class CardFamily:
    """What the family answers."""

    shape = "card"
    words = WORDS

    def check(self, goal: Goal) -> None:
        """Refuse goals other than a game alone for the most points."""
        check_card_goal(goal)

    def work(self, goal: Goal, threads: int | None = None) -> Work:
        """Count the sets of boxes that can be filled."""
        sets, flags, totals = table_shape(race_of(goal))
        return Work(sets, sets * SECONDS_PER_BOXES / thread_count(threads), 8 * sets * flags * totals)

    def match(self, goal: Goal) -> CardMatch:
        """Return the game as a tree of spots."""
        check_card_goal(goal)
        return CardMatch(goal.game)

    def coding(self, goal: Goal) -> Coding:
        """Return the game in numbers."""
        return card_coding(self.match(goal))

    def solve(self, goal: Goal, how: How) -> CardSolution:
        """Solve the game alone."""
        check_card_goal(goal)
        if how.exact:
            raise TooLargeError("exact fractions are for points games in turns; leave out exact for a certified float")
        if how.checkpoint is not None:
            raise ValueError("checkpoint is for long runs of Can't Stop; Yahtzee is solved in one go")
        for name, value in how.options.items():
            raise ValueError(f"{name} is for boards of Can't Stop; leave it out for Yahtzee, got {name}={value!r}")
        return solve_card(race_of(goal), threads=how.threads, progress=how.progress)

    def load(self, goal: Goal, blocks: Blocks, about: Keywords) -> CardSolution:
        """Return the solution that was saved."""
        check_card_goal(goal)
        if blocks["cards"].shape != table_shape(race_of(goal)) or blocks["cards"].dtype != "float64":
            raise StaleSolution(f"{about['where']} holds numbers for another card; solve and save again")
        return CardSolution(race_of(goal), YahtzeeSolution(goal.game, blocks["cards"]))

    def judge(self, solution: Any) -> CardJudge:
        """Return the judge that knows a solution's values."""
        return CardJudge(solution)

    def judge_to_play(self, goal: Goal, how: How) -> CardJudge:
        """Solve the game and return its judge."""
        return CardJudge(self.solve(goal, how))

    def judge_at_once(self, goal: Goal) -> CardJudge | None:
        """Return a judge that plays each turn for the most points."""
        return CardJudge(card_strategy("greedy", race_of(goal)).solution)

    def strategies(self, goal: Goal) -> dict[str, str]:
        """Return the names of the strategies."""
        return dict(STRATEGIES)

    def strategy(self, goal: Goal, name: str, seat: int = 0) -> CardStrategy:
        """Return the strategy of a name."""
        return card_strategy(name, race_of(goal))

    def play_of(self, strategy: CardStrategy, match: CardMatch, spot: CardSpot) -> CardPlay:
        """Return the strategy's play at a spot."""
        return strategy.play(match, spot)

    def habits(self, goal: Goal) -> Sequence[CardStrategy]:
        """Return what people do who forget that boxes are used up."""
        return (card_strategy("greedy", race_of(goal)),)


FAMILY = CardFamily()
