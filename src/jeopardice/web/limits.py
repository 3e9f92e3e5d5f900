"""What one request may ask for: each limit has a name, and a refusal says the name, the limit and what came.

The cost of a solve is estimated before it starts, from the table: anchors x (walks per anchor) x (moments per walk) x
(plays). The estimate is rough, so a job is also stopped by the clock.
"""

from dataclasses import dataclass, fields
from typing import Any

from jeopardice.goal import Race, Turn
from jeopardice.solvers.turn import edge_of_turn
from jeopardice.turn_table import lay_out

WALKS = 3


class LimitError(ValueError):
    """A request for more than the server does; `limit` names what to make smaller."""

    def __init__(self, limit: str, most: int, got: object) -> None:
        super().__init__(
            f"{limit} is at most {most:,} here, got {got}; ask for less, or solve it with the command line"
        )
        self.limit = limit
        self.most = most


class BusyError(ValueError):
    """Too many jobs at once: wait or cancel one."""


@dataclass(frozen=True)
class Limits:
    """The most that a request may ask for; `solve_steps` is about 2e9 a second on one core."""

    target: int = 100_000
    sides: int = 100
    dice: int = 8
    farkle_dice: int = 7
    hog_dice: int = 40
    hog_sides: int = 20
    points: int = 100_000
    faces: int = 40
    face_weight: int = 1_000
    face_points: int = 10_000
    rolls: int = 20_000
    anchors: int = 9_000_000
    boards: int = 1_000_000
    board_sides: int = 6
    board_length: int = 13
    solve_steps: int = 100_000_000_000
    steps_at_once: int = 1_000_000_000
    job_seconds: int = 180
    jobs: int = 8
    sessions: int = 200
    body_bytes: int = 65_536
    query_bytes: int = 8_192
    solutions: int = 32

    def check(self, name: str, got: int) -> None:
        """Refuse more than the limit of this name."""
        most = getattr(self, name)
        if got > most:
            raise LimitError(name, most, f"{got:,}")

    def as_json(self) -> dict[str, int]:
        """Return every limit by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def check_goal(limits: Limits, goal: Any) -> int:
    """Return the estimated steps of a solve, or refuse it. The rules must have been checked before."""
    table = lay_out(goal.game, drop_dominated=isinstance(goal, Turn) or goal.finish == "reach")
    plays = max(1, len(table.arrays["offset"]))
    threshold = edge_of_turn(table).threshold
    if isinstance(goal, Turn):
        limits.check("anchors", threshold + table.max_points)
        return threshold * plays
    assert isinstance(goal, Race)
    limits.check("target", int(goal.target or 0))
    target = -(-int(goal.target or 0) // table.unit)
    anchors = target**goal.players * (goal.within or 1)
    limits.check("anchors", anchors)
    walk = target if goal.finish == "exact" or goal.within else min(target, 4 * threshold)
    steps = int(anchors * WALKS * walk * plays)
    limits.check("solve_steps", steps)
    return steps
