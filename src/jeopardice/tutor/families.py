"""Which referee knows which solution; a new game family adds itself here and can then be played everywhere."""

from typing import Any

from jeopardice.solution import AloneSolution, DuelSolution
from jeopardice.tutor.points import PointsReferee
from jeopardice.tutor.referee import Referee


def referee_for(solution: Any) -> Referee:
    """Return the referee of the game that was solved."""
    if isinstance(solution, AloneSolution | DuelSolution):
        return PointsReferee(solution)
    raise TypeError(f"one plays a solved race, alone or for two, such as solve(Race(...)); got {solution!r}")
