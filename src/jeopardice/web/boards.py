"""Can't Stop on the page: solved boards behind the same questions as every other solution."""

from itertools import combinations
from typing import TYPE_CHECKING, Any

from jeopardice.columns.bracket_solution import BracketSolution
from jeopardice.columns.estimate import EstimatedDuel
from jeopardice.columns.estimated import EstimatedSolution
from jeopardice.columns.graph import board_count
from jeopardice.columns.judge import ColumnsJudge
from jeopardice.columns.ready import is_bounded, is_ready
from jeopardice.columns.solution import BoardSolution
from jeopardice.columns.work import estimate, uses_kernel
from jeopardice.family import family_of, shape_of
from jeopardice.rules.goal import Goal, Race, race_of
from jeopardice.rules.text import counted
from jeopardice.solution import Advice, Judge, Option
from jeopardice.tutor.why import Facts, NextRoll, falling
from jeopardice.types import Game, JsonObject, Keywords
from jeopardice.web.limits import STEPS_A_SECOND, LimitError, Limits

if TYPE_CHECKING:
    from jeopardice.web.shelf import Shelved

READY_SECONDS = 90
"""About how long the bracket of a large board takes on first use."""


def is_estimated(limits: Limits, goal: Goal) -> bool:
    """Whether a board is played by estimates: for two, where a player would have to wait for the solution."""
    return bool(goal.players == 2 and _duel_steps(goal) > limits.steps_at_once)


def estimating_judge(goal: Goal) -> Judge:
    """Return the judge that estimates a board for two."""
    return ColumnsJudge(EstimatedDuel(race_of(goal)))


ROLLOUTS = 400
"""Games played from a position to show its chance with an error bar: half a second."""


def estimated_advice(goal: Goal, keywords: Keywords) -> Advice:
    """Return every option of a board for two that is not solved, with estimated chances; a note says how sure they are."""
    return EstimatedSolution(race_of(goal)).advise(**keywords, games=ROLLOUTS)


def _duel_steps(goal: Goal) -> int:
    return int(family_of(goal.game).work(goal, 1).seconds * STEPS_A_SECOND)


def check_board(limits: Limits, goal: Race) -> int:
    """Return the estimated steps of a solve, in the units of the other limits, or refuse it."""
    game = goal.game
    if goal.players == 2:
        return 1 if is_estimated(limits, goal) else _duel_steps(goal)
    if not uses_kernel(game):
        raise LimitError("sides", 6, f"{game.sides} with {game.dice} dice and {game.markers} markers")
    if is_bounded(goal, limits.boards):
        return 1 if is_ready(goal) else int(READY_SECONDS * STEPS_A_SECOND)
    boards = board_count(game)
    return int(estimate(game, threads=1, sample=20).seconds * STEPS_A_SECOND) if boards > 20_000 else boards * 1000


def board_json(solution: BoardSolution | BracketSolution) -> JsonObject:
    """Return the board with what each column is worth and the bust chance of every three columns; by upper bounds, if any."""
    game = solution.goal.game
    bounds = (solution.lower, solution.upper) if isinstance(solution, BracketSolution) else None
    value = solution.value if bounds is None else bounds[1]

    def after(column: int, spaces: int) -> float:
        board = {column: spaces}
        return solution.bounds(board)[1] if isinstance(solution, BracketSolution) else solution.at(board)

    return {
        "kind": "turns",
        "value": value,
        "bounds": bounds,
        "columns": [
            {
                "column": column,
                "length": game.length(column),
                "worth": [value - after(column, spaces) for spaces in range(1, game.length(column) + 1)],
            }
            for column in game.columns
        ],
        "triples": bust_chances(game),
    }


def bust_chances(game: Game) -> list[JsonObject]:
    """Return how often a roll busts once the markers stand on these columns, for all such sets of columns."""
    whole = game.sides**game.dice
    return [
        {"columns": list(columns), "bust": 1 - game.success_weight(frozenset(columns)) / whole}
        for columns in combinations(game.columns, min(3, game.markers))
    ]


def board_facts(shelved: "Shelved", advice: Advice, keywords: Keywords) -> Facts | None:
    """Return what a reason for the best play on a board is made from; None for other games, and where only bounds are known."""
    goal, judge = shelved.goal, shelved.judge
    if shape_of(goal.game) != "columns" or isinstance(shelved.solution, BracketSolution):
        return None
    climbed = [keywords.get(name) or {} for name in ("mine", "theirs")[: goal.players]]
    boards = [[board.get(column, 0) for column in goal.game.columns] for board in climbed]
    position = {"standing": boards[0]} if goal.players == 1 else {"boards": boards, "seat": 0}

    def ahead(option: Option) -> NextRoll | None:
        if option.stops:
            return None
        placed: Any = option.mode
        markers = [list(marker) for marker in placed]
        return falling(judge, judge.match.from_json({**position, "markers": markers, "rolling": True}))

    def stake(option: Option) -> str:
        return f"{'banks' if option.stops else 'risks'} {counted(option.points, 'space')}" if option.points else ""

    return Facts(judge.measure, goal.players, judge.tie, advice.options, lambda stop: float(stop.value), ahead, stake)
