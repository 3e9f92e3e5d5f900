"""Any goal of a points game: solved, or read again from what was saved; each kind of goal loads its own module only."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.errors import StaleSolution
from jeopardice.kernels import Progress
from jeopardice.points.race_table import race_tables
from jeopardice.points.tables import lay_out
from jeopardice.points.turn import edge_of_turn
from jeopardice.rules.goal import Goal, Rate, Turn, race_of
from jeopardice.solution import Certificate
from jeopardice.types import Blocks, Keywords


def solve_points(
    goal: Goal, *, exactly: bool = False, threads: int | None = None, progress: Progress | None = None
) -> Any:
    """Solve any goal of a points game."""
    if isinstance(goal, Turn):
        from jeopardice.points.solution.turn import solve_one_turn

        return solve_one_turn(goal, lay_out(goal.game), exactly, progress)
    if isinstance(goal, Rate):
        from jeopardice.points.solution.rate import solve_rate

        return solve_rate(goal, exactly)
    goal = race_of(goal)
    if goal.piggyback:
        from jeopardice.points.solution.piggyback import solve_with_piggyback

        return solve_with_piggyback(goal, exactly, threads, progress)
    tables = race_tables(goal)
    if goal.players == 1:
        from jeopardice.points.solution.alone import solve_alone

        return solve_alone(goal, tables[0], exactly, progress)
    if goal.players > 2:
        from jeopardice.points.solution.many import solve_for_many

        return solve_for_many(goal, tables, exactly, threads, progress)

    from jeopardice.points.solution.duel import solve_for_two

    return solve_for_two(goal, (tables[0], tables[1]), exactly, threads, progress)


def load_points(goal: Goal, blocks: Mapping[str, NDArray[np.float64]], about: Keywords) -> Any:
    """Return the solution that these blocks hold; refused if the goal's rules no longer give the tables it was solved on."""
    certificate = Certificate(about["error_bound"], about.get("why_not_certified", ""))
    digests: Sequence[str] = about["tables"]
    if isinstance(goal, Turn):
        from jeopardice.points.solution.turn import TurnSolution

        table = lay_out(goal.game)
        edge = edge_of_turn(table, goal.house.least_units(table.unit))
        shape = (edge.threshold + table.max_points + 1, len(table.modes) + 1, 2)
        _check(about, digests, [table.digest], {"rows": shape}, blocks)
        return TurnSolution(goal, table, edge, blocks["rows"], certificate=certificate)
    if isinstance(goal, Rate):
        from jeopardice.points.solution.rate import solve_rate

        return solve_rate(goal, False)
    goal = race_of(goal)
    if goal.piggyback:
        from jeopardice.points.piggyback import piggyback_tables
        from jeopardice.points.solution.piggyback import stored_piggyback

        race = piggyback_tables(goal)
        _check(about, digests, [race.table.turn.digest], race.shapes, blocks)
        return stored_piggyback(goal, race, blocks, certificate)
    tables = race_tables(goal)
    if goal.players == 1:
        from jeopardice.points.solution.alone import AloneSolution

        turns, seat = () if goal.within is None else (goal.within + 1,), tables[0]
        while not turns and seat.is_cut_off and seat.standings < blocks["worth"].size:
            seat = replace(seat, depth=2 * seat.depth)
        _check(about, digests, [seat.turn.digest], {"worth": (*turns, seat.standings)}, blocks)
        return AloneSolution(goal, seat, blocks["worth"], certificate=certificate)
    if goal.players > 2:
        from jeopardice.points.solution.many import stored_many

        _check(about, digests, [table.turn.digest for table in tables], {}, blocks)
        return stored_many(goal, tables, blocks, certificate)

    from jeopardice.points.race import duel_tables
    from jeopardice.points.solution.duel import DuelSolution, stored_values

    duel = duel_tables((tables[0], tables[1]), goal)
    shapes = {"first": duel.shape} if duel.symmetric else {"first": duel.shape, "second": duel.shape[::-1]}
    _check(about, digests, [table.turn.digest for table in tables], shapes, blocks)
    return DuelSolution(goal, duel, stored_values(duel, blocks), certificate=certificate)


def _check(
    about: Keywords, digests: Sequence[str], expected: list[str], shapes: Mapping[str, tuple[int, ...]],
    blocks: Blocks,
) -> None:  # fmt: skip
    if list(digests) != expected:
        raise StaleSolution(f"{about['where']} was solved for other rules of the same name; solve and save again")
    for name, shape in shapes.items():
        if blocks[name].shape != shape or blocks[name].dtype != np.float64:
            raise StaleSolution(f"{about['where']} holds numbers for another race; solve and save again")
