"""Ten Thousand for two: when to stop, by dice left and by both scores, beside the solitaire strategy.

Any points game whose modes are numbers of dice will do. The threshold is the least number of points at risk from which
one stops for good; with a choice of plays it does not say everything, `Solution.advise` does.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jeopardice.analysis.decision_maps import rolled
from jeopardice.analysis.head_to_head import head_to_head
from jeopardice.points.solution import AloneSolution, DuelSolution
from jeopardice.points.strategy import BestPlay
from jeopardice.rules.game import Mode
from jeopardice.rules.goal import Race
from jeopardice.solver import solve


@dataclass(frozen=True)
class Departure:
    """Stopping points by dice left at one pair of scores: best play against an opponent, and the fewest turns alone."""

    mine: int
    theirs: int
    duel: dict[Mode, int]
    alone: dict[Mode, int]


def thresholds_by_dice(solution: DuelSolution | AloneSolution, mine: int, theirs: int = 0) -> dict[Mode, int]:
    """Return for every mode the least points at risk from which one stops for good, or the points to go."""
    view = solution.view(mine, theirs) if isinstance(solution, DuelSolution) else solution.view(mine)
    table, goal = view.table, int(view.goal or 0)
    bank = np.array([float(view.bank(t)) for t in range(goal)])
    found: dict[Mode, int] = {}
    for index, mode in enumerate(table.modes):
        gains: NDArray[np.float64] = rolled(view, index, goal) - bank
        rolls = np.flatnonzero(gains[1:] > 0)
        found[mode] = int(rolls[-1] + 2 if len(rolls) else 1) * table.unit
    return dict(sorted(found.items(), key=lambda item: repr(item[0])))


def departures(goal: Race, scores: Sequence[tuple[int, int]]) -> list[Departure]:
    """Return both strategies' stopping points at the given pairs of scores."""
    duel, alone = solve(goal), solve(Race(goal.game, goal.target, finish=goal.finish))
    assert isinstance(duel, DuelSolution)
    assert isinstance(alone, AloneSolution)
    return [
        Departure(mine, theirs, thresholds_by_dice(duel, mine, theirs), thresholds_by_dice(alone, mine))
        for mine, theirs in scores
    ]


def worth_of_watching(goal: Race) -> tuple[float, float]:
    """Return how often best play beats the fewest-turns strategy, playing first and playing second."""
    duel, alone = solve(goal), solve(Race(goal.game, goal.target, finish=goal.finish))
    assert isinstance(duel, DuelSolution)
    assert isinstance(alone, AloneSolution)
    best, fewest = BestPlay(duel), BestPlay(alone, "fewest-turns")
    return head_to_head(goal, best, fewest).value, 1 - head_to_head(goal, fewest, best).value
