"""What the spots of a race in which both choose at the same time are worth.

Best play is a mixture, so an option has a share; each of the mixed options is as good as the others against the other
side's mixture.
"""

from dataclasses import dataclass
from functools import cached_property

from jeopardice.points.simultaneous import choice_values
from jeopardice.points.simultaneous_match import HIDDEN, RoundSpot, SimultaneousMatch
from jeopardice.points.simultaneous_solution import MixedSolution
from jeopardice.points.words import WORDS
from jeopardice.rules.goal import Simultaneous, next_seat
from jeopardice.solution import CHANCE_MARKS, Measure, Option
from jeopardice.types import Number, Spot


@dataclass(frozen=True, eq=False)
class SimultaneousJudge:
    """Knows a race in which both choose at the same time by its solution."""

    solution: MixedSolution

    @property
    def goal(self) -> Simultaneous:
        """The goal that is played for."""
        return self.solution.goal

    @cached_property
    def match(self) -> SimultaneousMatch:
        """The race as a tree of spots."""
        return SimultaneousMatch(self.solution.goal)

    @property
    def measure(self) -> Measure:
        """The chance to win."""
        return Measure("win chance", *CHANCE_MARKS)

    @property
    def tie(self) -> float:
        """Mixed options are equal up to the error of the mixture."""
        return 1e-9 + 2 * self.solution.error_bound

    def options_at(self, spot: RoundSpot) -> tuple[Option, ...]:
        """Every choice, those of the mixture first, with its value against the other side's mixture."""
        plays = self.match.plays(spot)
        if not plays:
            return ()
        mine, theirs = self._scores(spot, self.match.seat(spot))
        values, shares = self._values(mine, theirs), self.solution.mixture(mine, theirs)
        words = WORDS.plays(self.match.rules, plays)
        options = [
            Option(word, values[p.mode], False, 0, p.mode, share=shares.get(p.mode, 0.0), match_play=p)
            for p, word in zip(plays, words, strict=True)
        ]
        return tuple(sorted(options, key=lambda option: (-(option.share or 0.0), -option.value)))

    def values_at(self, spot: RoundSpot) -> tuple[Number, ...]:
        """The chances of both: by mixtures, against the mixture of seat 1, or by the rolls still to fall."""
        if self.match.is_over(spot):
            return self.match.returns(spot)
        first = self._value(spot)
        return first, 1 - first

    def _value(self, spot: RoundSpot) -> float:
        mine, theirs = spot.standings
        if not spot.chosen or HIDDEN in spot.chosen:
            return self.solution.at(mine, theirs)
        if len(spot.chosen) == 1:
            return self._values(mine, theirs)[spot.chosen[0]]
        rolls = self.match.rolls(spot)
        after = ((weight, self.values_at(self.match.after_roll(spot, roll))[0]) for roll, weight in rolls.items())
        return sum(weight * float(value) for weight, value in after) / sum(rolls.values())

    def _values(self, mine: int, theirs: int) -> dict[Spot, float]:
        return choice_values(
            self.match.rules, self.solution.race, mine, theirs, both_reach=self.solution.goal.both_reach
        )

    def _scores(self, spot: RoundSpot, seat: int) -> tuple[int, int]:
        return spot.standings[seat], spot.standings[next_seat(seat, 2)]
