"""Every value of a solution as rows of plain numbers, for files and tables."""

from typing import Any

from jeopardice.card.solution import CardSolution
from jeopardice.columns.solution import BoardDuelSolution, BoardSolution
from jeopardice.points.simultaneous_solution import MixedSolution
from jeopardice.points.solution import AloneSolution, DuelSolution, TurnSolution


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
        named_rows = list(solution.rows())
        return list(named_rows[0]), [list(row.values()) for row in named_rows]
    raise TypeError(f"a solution is needed, as solve returns it, got {type(solution)!r}")
