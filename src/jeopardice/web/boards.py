"""Can't Stop on the page: solved boards behind the same questions as every other solution."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar

from jeopardice.board_solution import BoardSolution, solve_board
from jeopardice.errors import PositionError
from jeopardice.games.cant_stop import CantStop
from jeopardice.goal import Race
from jeopardice.kernels import Progress
from jeopardice.solvers.cant_stop import estimate, uses_kernel
from jeopardice.solvers.cant_stop_graph import board_count
from jeopardice.tutor.cant_stop import CantStopReferee
from jeopardice.tutor.cant_stop_race import BoardRaceReferee
from jeopardice.tutor.referee import plain
from jeopardice.web.limits import LimitError, Limits

STEPS_A_SECOND = 2e9
"""What the limits of other solves count in a second."""


@dataclass(frozen=True, eq=False)
class BoardRace:
    """Can't Stop for two, which the page does not solve: its values are estimates, and have no bound."""

    goal: Race
    is_estimate: ClassVar[bool] = True

    @property
    def value(self) -> float:
        """The estimated chance of the first player."""
        return self.referee.value(self.referee.start())

    @cached_property
    def referee(self) -> BoardRaceReferee:
        """The referee of this board."""
        return BoardRaceReferee(self.goal)


def solve_or_estimate(goal: Race, threads: int, progress: Progress | None) -> BoardSolution | BoardRace:
    """Solve Can't Stop alone; for two there is only an estimate."""
    return BoardRace(goal) if goal.players == 2 else solve_board(goal, threads=threads, progress=progress)


def check_board(limits: Limits, goal: Race) -> int:
    """Return the estimated steps of a solve, in the units of the other limits, or refuse it."""
    game: CantStop = goal.game
    if goal.players == 2:
        return 1
    if not uses_kernel(game):
        raise LimitError("sides", 6, f"{game!r}, which only the command line solves")
    boards = board_count(game)
    limits.check("boards", boards)
    return int(estimate(game, threads=1, sample=20).seconds * STEPS_A_SECOND) if boards > 20_000 else boards * 1000


def board_json(solution: BoardSolution) -> dict[str, Any]:
    """Return the board with what each column is worth and the bust chance of every three columns."""
    game, values = solution.goal.game, solution.values
    full = tuple(game.lengths)

    def after(column: int, spaces: int) -> float:
        return values[tuple(n - spaces * (c == column) for c, n in zip(game.columns, full, strict=True))]

    whole = game.sides**game.dice
    return {
        "kind": "turns",
        "value": solution.value,
        "columns": [
            {
                "column": column,
                "length": game.length(column),
                "worth": [solution.value - after(column, spaces) for spaces in range(1, game.length(column) + 1)],
            }
            for column in game.columns
        ],
        "triples": [
            {"columns": list(three), "bust": 1 - game.success_weight(frozenset(three)) / whole}
            for three in combinations(game.columns, min(3, game.markers))
        ],
    }


def read_columns(text: str | None, name: str) -> dict[int, int]:
    """Return spaces by column, written 2:1,7:4."""
    found: dict[int, int] = {}
    for part in filter(None, (text or "").split(",")):
        column, colon, spaces = part.partition(":")
        if not (
            colon and column.isascii() and column.isdigit() and spaces.isascii() and spaces.isdigit() and len(part) < 9
        ):
            raise PositionError(f"{name} is written column:spaces,column:spaces like 2:1,7:4, got {text!r}")
        found[int(column)] = int(spaces)
    return found


def board_position(game: CantStop, board: str | None, markers: str | None, roll: Any) -> dict[str, Any]:
    """Return a position from its parts in a link."""
    standing = game.standing(read_columns(board, "board"))
    placed = [list(marker) for marker in read_columns(markers, "markers").items()]
    return {"standing": list(standing), "markers": placed, "roll": None if roll is None else list(roll)}


def board_advice(referee: CantStopReferee, position: dict[str, Any]) -> dict[str, Any]:
    """Return every option at a position, best first."""
    spot = referee.spot_at(position)
    if spot.roll is None and spot.markers:
        worth = referee.worth(spot.standing, spot.markers)
        pairs = sorted(
            [("stop", 1 + worth.stop, True), ("roll", 1 + worth.roll, False)], key=lambda o: (o[1], not o[2])
        )
        options: list[dict[str, Any]] = [
            {"play": play, "value": value, "stops": stops, "mode": plain(spot.markers)} for play, value, stops in pairs
        ]
    else:
        choices = sorted(referee.choices(spot), key=lambda choice: choice.rank)
        options = [choice.as_json(with_value=True) for choice in choices]
    if not options:
        raise PositionError("there is nothing to choose here")
    best = float(options[0]["value"])
    for option in options:
        option["loss"] = float(option["value"]) - best
        option["tie"] = option["loss"] <= 1e-11
        option["kept"] = []
    return {"kind": "turns", "value": best, "best": options[0]["play"], "options": options, "error_bound": None}
