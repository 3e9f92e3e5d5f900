"""Advice on boards for two that are too large to solve: estimates of every play, and rollouts with an error bar.

The estimate of a play looks one roll ahead (`estimate.py`). As a turn begins, games are played from the position by
look-ahead on both sides as well, and the share that the player wins is told with its standard error: the chance among
equals, not under best play.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from jeopardice.columns.estimate import EstimatedDuel
from jeopardice.columns.simulate import rollout_chance
from jeopardice.columns.solution import advice
from jeopardice.columns.strategy import LookAhead
from jeopardice.dice import Roll
from jeopardice.engine.tally import Estimate
from jeopardice.kernels import Progress
from jeopardice.rules.goal import Race
from jeopardice.solution import Advice, Certificate

NOTE = "estimates, looking one roll ahead"


@dataclass(frozen=True, eq=False)
class EstimatedSolution:
    """A board for two that nobody has solved."""

    goal: Race
    values: EstimatedDuel = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", EstimatedDuel(self.goal))

    @property
    def certificate(self) -> Certificate:
        """There is none."""
        return Certificate(None, "estimates have no proven bound")

    def certify(self, progress: Progress | None = None, threads: int | None = None) -> Self:
        """Return the estimate as it is."""
        return self

    def advise(
        self,
        *,
        mine: Mapping[int, int] | None = None,
        theirs: Mapping[int, int] | None = None,
        markers: Mapping[int, int] | None = None,
        roll: Roll | None = None,
        games: int = 2000,
    ) -> Advice:
        """Return every option with its estimated chance; as a turn begins the note has the chance by rollouts of `games`."""
        boards, note = (mine or {}, theirs or {}), NOTE
        shown = advice(self.values, boards, markers, roll, lambda: None, note)
        if markers or roll:
            return shown
        chance = self.rollouts(mine=mine, theirs=theirs, games=games)
        note += f"; {100 * chance.mean:.1f} % ± {100 * chance.standard_error:.1f} % of games won if both look ahead"
        return Advice(shown.options, lambda: None, note)

    def rollouts(
        self,
        *,
        mine: Mapping[int, int] | None = None,
        theirs: Mapping[int, int] | None = None,
        games: int = 2000,
        seed: int = 0,
    ) -> Estimate:
        """Return the share of games that the player about to roll wins, both looking ahead, with its standard error."""
        game = self.goal.game
        standings = (game.standing(mine or {}), game.standing(theirs or {}))
        return rollout_chance(self.goal, LookAhead(self.values), standings, games=games, seed=seed)
