"""The part that all adapters share: a match in numbers, rewards, and policies for the seats that are not learning."""

from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

from jeopardice.analysis.policy import OPTIMAL, Policy, drawn, policy_of
from jeopardice.family import family_of
from jeopardice.rules.coding import Coding
from jeopardice.rules.goal import Goal
from jeopardice.rules.match import Match
from jeopardice.types import Spot


@dataclass(eq=False)
class Referee:
    """Knows the rules of a goal, and best play once it is asked for (the goal is solved then).

    `solution` spares solving where it is at hand.
    """

    goal: Goal
    solution: Any = None
    coding: Coding = field(init=False)

    def __post_init__(self) -> None:
        family = family_of(self.goal.game)
        family.check(self.goal)
        self.coding = family.coding(self.goal)

    def __deepcopy__(self, memo: Any) -> "Referee":
        return self  # nothing in it changes during a game, and libraries copy their states often

    def __reduce__(self) -> Any:
        return Referee, (self.goal, self.solution)

    @property
    def match(self) -> Match:
        """The game as a tree of spots."""
        return self.coding.match

    @cached_property
    def best(self) -> Policy:
        """Best play: the baseline that every learner can be measured against."""
        return policy_of(self.goal, self.solution if self.solution is not None else OPTIMAL)

    def best_number(self, spot: Spot, dice: Random) -> int:
        """Return the number of the best play."""
        return self.coding.number(drawn(self.best(spot), dice))

    def policy(self, given: Any, seat: int) -> Policy:
        """Return the policy of a seat, as `policy_of` reads it."""
        is_best = isinstance(given, str) and given == OPTIMAL
        return self.best if is_best else policy_of(self.goal, given, seat=seat)

    def fall(self, spot: Spot, dice: Random) -> Any:
        """Return the spot after all rolls that fall before somebody chooses or the game is over."""
        while rolls := self.match.rolls(spot):
            spot = self.match.after_roll(spot, drawn(rolls, dice))
        return spot

    def standing(self, spot: Spot) -> list[float]:
        """Return what every seat has got so far; rewards are its differences and sum to what the game brings.

        Alone this counts from the first turn on (costs are negative), for several players only at the end.
        """
        if self.match.players > 1 and not self.match.is_over(spot):
            return [0.0] * self.match.players
        sign = -1.0 if self.coding.prefers_less else 1.0
        return [sign * float(value) for value in self.match.returns(spot)]

    def words(self, spot: Spot) -> str:
        """Return the spot in words, for people."""
        names = [f"seat {seat}" for seat in range(self.match.players)]
        family = family_of(self.goal.game)
        lines = [*family.words.picture(self.match, spot, names), family.words.scores(self.match, spot, names)]
        if not self.match.is_over(spot):
            lines.append(f"{names[self.match.seat(spot)]} {family.words.moment(self.match, spot)}".rstrip())
        return "\n".join(lines)
