"""Any goal of a points game: solved, or read again from what was saved."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from jeopardice.errors import StaleSolution
from jeopardice.goal import Race, Turn
from jeopardice.kernels import Progress
from jeopardice.solution.alone import AloneSolution, solve_alone
from jeopardice.solution.duel import DuelSolution, solve_for_two
from jeopardice.solution.turn import TurnSolution, solve_one_turn
from jeopardice.solvers import turn as turns
from jeopardice.turn_table import lay_out

Goal = Turn | Race


def solve_points(
    goal: Goal, *, exactly: bool = False, threads: int | None = None, progress: Progress | None = None
) -> TurnSolution | AloneSolution | DuelSolution:
    """Solve any goal of a points game."""
    if isinstance(goal, Turn):
        return solve_one_turn(goal, lay_out(goal.game), exactly)
    if goal.target is None:
        raise ValueError(f"a race needs a target, and {goal.game!r} names no usual one; say target=...")
    table = lay_out(goal.game, drop_dominated=goal.finish == "reach")
    if goal.players == 2:
        other = lay_out(goal.opponent, drop_dominated=goal.finish == "reach") if goal.opponent is not None else table
        return solve_for_two(goal, (table, other), exactly, threads, progress)
    return solve_alone(goal, table, exactly, progress)


def load_points(
    goal: Goal, blocks: Mapping[str, NDArray[np.float64]], digests: Sequence[str], where: str
) -> TurnSolution | AloneSolution | DuelSolution:
    """Return the solution that these blocks hold; refused if the goal's rules no longer give the tables it was solved on."""
    loaded = _loaded(goal, blocks)
    tables = loaded.tables if isinstance(loaded, DuelSolution) else (loaded.table,)
    if [table.digest for table in tables] != list(digests):
        raise StaleSolution(f"{where} was solved for other rules of the same name; solve and save again")
    return loaded


def _loaded(goal: Goal, blocks: Mapping[str, NDArray[np.float64]]) -> TurnSolution | AloneSolution | DuelSolution:
    if isinstance(goal, Turn):
        table = lay_out(goal.game)
        return TurnSolution(goal, table, turns.edge_of_turn(table, -(-goal.bank_from // table.unit)), blocks["rows"])
    table = lay_out(goal.game, drop_dominated=goal.finish == "reach")
    if goal.players == 1:
        return AloneSolution(goal, table, blocks["worth"])
    other = lay_out(goal.opponent, drop_dominated=goal.finish == "reach") if goal.opponent is not None else table
    return DuelSolution(goal, (table, other), (blocks["first"], blocks.get("second", blocks["first"])))
