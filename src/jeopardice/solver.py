"""`solve`: one function for every goal."""

from pathlib import Path
from typing import Any

from jeopardice.board_solution import BoardSolution, solve_board
from jeopardice.errors import StaleSolution, TooLargeError
from jeopardice.game import PointsGame
from jeopardice.games.cant_stop import CantStop
from jeopardice.goal import Race, Turn
from jeopardice.kernels import Progress
from jeopardice.solution import Solution, load_points, solve_points
from jeopardice.solvers.cant_stop_values import BoardValues
from jeopardice.store import goal_from_json, read_blocks


def solve(
    goal: Any,
    *,
    exact: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
) -> Solution:
    """Return the solution of a goal: its value, the best play at every moment, the worth of every other play.

    `exact` gives Fractions instead of certified floats where that can finish; `threads` defaults to the cores there are and
    changes no bit of the result; `progress(done, total)` is called now and then; `checkpoint` names a directory from which
    a long Can't Stop run resumes.

    >>> from jeopardice import Pig, Turn
    >>> solve(Turn(Pig()), exact=True).value
    Fraction(492303203, 60466176)
    """
    if not isinstance(goal, Turn | Race):
        raise TypeError(f"solve takes a goal such as Turn(Pig()) or Race(Pig(), target=100), got {goal!r}")
    if isinstance(goal.game, CantStop):
        if isinstance(goal, Turn):
            raise TypeError("Can't Stop has no points to collect in one turn; ask for Race(CantStop(...)), or alone")
        if exact:
            raise TooLargeError("exact fractions are for points games; leave out exact for a certified float")
        return solve_board(goal, threads=threads, progress=progress, checkpoint=checkpoint)
    if checkpoint is not None:
        raise ValueError("checkpoint is for long runs of Can't Stop; points games are solved in one go")
    if not isinstance(goal.game, PointsGame):
        raise TypeError(f"a game answers opening, rolls(mode) and plays(mode, roll); {goal.game!r} does not")
    return solve_points(goal, exactly=exact, threads=threads, progress=progress)


def load(path: str | Path, goal: Any = None) -> Solution:
    """Return the solution stored in a directory, every digest checked.

    `goal` is needed for a game of one's own; otherwise it checks that the directory holds what is wanted.
    """
    about, blocks = read_blocks(path)
    if goal is None:
        goal = goal_from_json(about["goal"], str(path))
    elif repr(goal) != about["goal_repr"]:
        raise StaleSolution(f"{path} was solved for {about['goal_repr']}, not for {goal!r}; solve it again")
    if isinstance(goal.game, CantStop):
        return BoardSolution(goal, BoardValues(goal.game, blocks["boards"]))
    return load_points(goal, blocks)
