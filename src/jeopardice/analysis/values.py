"""Every value of a solution as rows of plain numbers, for files and tables."""

from typing import Any

from jeopardice.board_solution import BoardDuelSolution, BoardSolution
from jeopardice.card_solution import CardSolution
from jeopardice.errors import TooLargeError
from jeopardice.mixed_solution import MixedSolution
from jeopardice.solution import AloneSolution, DuelSolution, TurnSolution
from jeopardice.solvers.cant_stop_graph import board_count

MOST_ROWS = 5_000_000


def value_rows(solution: Any) -> tuple[list[str], list[list[Any]]]:
    """Return the column names and the rows of a solution's values."""
    if isinstance(solution, TurnSolution):
        view, unit = solution.view(), solution.table.unit
        rows = [
            [t * unit, number, view.shown(view.worth(t, number)), view.shown(view.roll_worth(t, number))]
            for t in range(solution.edge.threshold + 1)
            for number in range(len(solution.table.modes))
        ]
        return ["at_risk", "mode", "value", "value_of_rolling"], [
            [r[0], solution.table.modes[r[1]], *r[2:]] for r in rows
        ]
    if isinstance(solution, AloneSolution):
        unit = solution.table.unit
        return ["mine", "value"], [[i * unit, solution.at(i * unit)] for i in range(solution.target)]
    if isinstance(solution, DuelSolution):
        units = [table.unit for table in solution.tables]
        seats = (0,) if solution.worths[0] is solution.worths[1] else (0, 1)
        return ["seat", "mine", "theirs", "value"], [
            [seat, i * units[seat], j * units[1 - seat], solution.at(i * units[seat], j * units[1 - seat], seat=seat)]
            for seat in seats
            for i in range(solution.targets[seat])
            for j in range(solution.targets[1 - seat])
        ]
    if isinstance(solution, MixedSolution):
        race = solution.race
        return ["mine", "theirs", "value", *(f"chance_of_{choice}" for choice in race.choices)], [
            [i, j, float(race.values[i, j]), *race.weights[i, j].tolist()]
            for i in range(race.target)
            for j in range(race.target)
        ]
    if isinstance(solution, CardSolution):
        return ["boxes_filled", "yahtzee_box_scored", "upper_total", "value"], solution.cards.rows()
    if isinstance(solution, BoardSolution | BoardDuelSolution):
        return _board_rows(solution)
    raise TypeError(f"a solution is needed, as solve returns it, got {type(solution)!r}")


def _board_rows(solution: BoardSolution | BoardDuelSolution) -> tuple[list[str], list[list[Any]]]:
    """Return the boards not yet won, as spaces climbed column by column, with their values."""
    game = solution.goal.game
    count = board_count(game) ** solution.goal.players
    if count > MOST_ROWS:
        raise TooLargeError(
            f"{game} has {count:,} boards, and a file of rows takes at most {MOST_ROWS:,}; keep the whole table with "
            "jeopardice solve cant-stop ... --save DIR instead"
        )
    boards = [standing for standing in game.standings() if not game.is_won(standing)]
    if isinstance(solution, BoardSolution):
        remaining = [tuple(map(int.__sub__, game.lengths, board)) for board in boards]
        rows = [[*board, solution.values[left]] for board, left in zip(boards, remaining, strict=True)]
        return [*map(str, game.columns), "value"], rows
    closed = {board: solution.values.boards.closed_by(board) for board in boards}
    names = [f"{who}_{column}" for who in ("mine", "theirs") for column in game.columns]
    return [*names, "value"], [
        [*mine, *theirs, solution.values.at(mine, theirs)]
        for mine in boards
        for theirs in boards
        if not closed[mine] & closed[theirs]
    ]
