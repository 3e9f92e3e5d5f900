"""Which referee knows which solution; a new game family adds itself here and can then be played everywhere."""

from typing import Any

from jeopardice.board_solution import BoardDuelSolution, BoardSolution
from jeopardice.game import game_name
from jeopardice.games.cant_stop import CantStop
from jeopardice.kernels import Progress
from jeopardice.solution import AloneSolution, DuelSolution
from jeopardice.solver import solve
from jeopardice.solvers.board_duel import duel_seconds
from jeopardice.tutor.cant_stop import CantStopReferee
from jeopardice.tutor.cant_stop_race import BoardRaceReferee
from jeopardice.tutor.points import PointsReferee
from jeopardice.tutor.referee import Referee

QUICK_SECONDS = 30.0
"""Boards for two that take no longer, on one core, are solved before a game."""


def referee_for(solution: Any) -> Referee:
    """Return the referee of the game that was solved."""
    if isinstance(solution, AloneSolution | DuelSolution):
        return PointsReferee(solution)
    if isinstance(solution, BoardSolution):
        return CantStopReferee(solution)
    if isinstance(solution, BoardDuelSolution):
        return BoardRaceReferee(solution.goal, solution)
    got = f"a {type(solution).__name__} of {game_name(solution.goal.game)}"
    raise TypeError(f"one plays a solved race, alone or for two, such as solve(Race(...)); got {got}")


def referee_to_play(goal: Any, *, progress: Progress | None = None) -> Referee:
    """Return the referee of a race, solved first; boards for two that are not solved quickly get one that estimates."""
    if isinstance(goal.game, CantStop) and goal.players == 2 and duel_seconds(goal.game) > QUICK_SECONDS:
        return BoardRaceReferee(goal)
    return referee_for(solve(goal, progress=progress))
