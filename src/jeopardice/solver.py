"""`solve`: one function for every goal."""

from pathlib import Path
from typing import Any, TypeVar

from jeopardice.board_solution import (
    BoardDuelSolution,
    BoardSolution,
    check_board_goal,
    solve_board,
    solve_board_for_two,
)
from jeopardice.card_solution import CardSolution, solve_card
from jeopardice.errors import StaleSolution, TooLargeError
from jeopardice.game import PointsGame
from jeopardice.games.cant_stop import CantStop
from jeopardice.games.yahtzee import Yahtzee
from jeopardice.goal import Race, Simultaneous, Turn
from jeopardice.kernels import Progress, thread_count
from jeopardice.mixed_solution import MixedSolution, solve_mixed
from jeopardice.solution import Solution, load_points, solve_points
from jeopardice.solvers.board_duel import DuelBoards, DuelValues
from jeopardice.solvers.cant_stop import table_shape
from jeopardice.solvers.cant_stop_values import BoardValues
from jeopardice.solvers.simultaneous import SimultaneousSolution, turn_laws
from jeopardice.solvers.yahtzee import YahtzeeSolution
from jeopardice.store import goal_from_json, goal_words, read_blocks

Board = TypeVar("Board", BoardSolution, BoardDuelSolution)


def solve(
    goal: Any,
    *,
    exact: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
    dtype: str = "float64",
) -> Solution:
    """Return the solution of a goal: its value, the best play at every moment, the worth of every other play.

    `exact` gives Fractions instead of certified floats where that can finish; `threads` defaults to the cores there are and
    changes no bit of the result; `progress(done, total)` is called now and then; `checkpoint` names a directory from which
    a long Can't Stop run resumes, `dtype="float32"` halves the memory of one.

    >>> from jeopardice import Pig, Turn
    >>> solve(Turn(Pig()), exact=True).value
    Fraction(492303203, 60466176)
    """
    if not isinstance(goal, Turn | Race | Simultaneous):
        raise TypeError(f"solve takes a goal such as Turn(Pig()) or Race(Pig(), target=100), got {goal!r}")
    thread_count(threads)
    if isinstance(goal.game, CantStop):
        race = check_board_goal(goal)
        if exact:
            raise TooLargeError("exact fractions are for points games; leave out exact for a certified float")
        if race.players == 2:
            if checkpoint is not None or dtype != "float64":
                raise ValueError(
                    "checkpoint and dtype are for Can't Stop alone; boards for two are small: leave them out"
                )
            return solve_board_for_two(race, threads=threads, progress=progress)
        return solve_board(race, threads=threads, progress=progress, checkpoint=checkpoint, dtype=dtype)
    if dtype != "float64":
        raise ValueError(f"dtype is for boards of Can't Stop; leave it out for points games, got dtype={dtype!r}")
    if checkpoint is not None:
        raise ValueError("checkpoint is for long runs of Can't Stop; points games are solved in one go")
    if exact and (isinstance(goal, Simultaneous) or isinstance(goal.game, Yahtzee)):
        raise TooLargeError("exact fractions are for points games in turns; leave out exact for a certified float")
    if isinstance(goal.game, Yahtzee):
        if not isinstance(goal, Race):
            raise TypeError("Yahtzee is solved alone, for the most points of a whole card; ask for Race(Yahtzee())")
        return solve_card(goal, threads=threads, progress=progress)
    for game in (goal.game, getattr(goal, "opponent", None) or goal.game):
        if isinstance(game, type | CantStop) or not isinstance(game, PointsGame):
            raise TypeError(f"a game answers opening, rolls(mode) and plays(mode, roll); {game!r} does not")
    if isinstance(goal, Simultaneous):
        return solve_mixed(goal, progress=progress)
    return solve_points(goal, exactly=exact, threads=threads, progress=progress)


def load(path: str | Path, goal: Any = None) -> Solution:
    """Return the solution stored in a directory, every digest checked.

    `goal` is needed for a game of one's own; otherwise it checks that the directory holds what is wanted.
    """
    about, blocks = read_blocks(path)
    if goal is None:
        goal = goal_from_json(about.get("goal"), str(path))
    elif goal_words(goal) != about.get("goal_repr"):
        raise StaleSolution(f"{path} was solved for {about.get('goal_repr')}, not for {goal!r}; solve it again")
    try:
        return _held(goal, about, blocks, str(path))
    except (AttributeError, KeyError):
        raise StaleSolution(f"{path} does not hold all parts of a solution; solve and save again") from None


def _held(goal: Any, about: dict[str, Any], blocks: dict[str, Any], where: str) -> Solution:
    if isinstance(goal.game, CantStop):
        if goal.players == 2:
            boards = DuelBoards(goal.game)
            positions = _shaped(blocks["positions"], (len(boards.boards),) * 2, where)
            return _bounded(BoardDuelSolution(goal, DuelValues(boards, positions)), about)
        table = _shaped(blocks["boards"], table_shape(goal.game), where)
        return _bounded(BoardSolution(goal, BoardValues(goal.game, table)), about)
    if isinstance(goal.game, Yahtzee):
        return CardSolution(goal, YahtzeeSolution(goal.game, blocks["cards"]))
    if isinstance(goal, Simultaneous):
        tables = (blocks["values"], blocks["bounds"], blocks["weights"])
        return MixedSolution(goal, SimultaneousSolution(tuple(turn_laws(goal.game)), int(goal.target or 0), *tables))
    return load_points(goal, blocks, about["tables"], where)


def _shaped(block: Any, shape: tuple[int, ...], where: str) -> Any:
    if block.shape != shape or block.dtype not in ("float64", "float32"):
        raise StaleSolution(f"{where} holds numbers for another board; solve and save again")
    return block


def _bounded(solution: Board, about: dict[str, Any]) -> Board:
    """Give a solution the certified bound it was stored with: computing it takes about as long as solving did."""
    bound = about["error_bound"]
    if isinstance(bound, float) and bound >= 0:
        vars(solution)["error_bound"] = bound
    return solution
