"""What one request may ask for: each limit has a name, and a refusal says the name, the limit and what came.

The cost of a solve is estimated by the game's family before it starts. The estimate is rough, so a job is also stopped by
the clock, and so is every answer that takes work.
"""

from dataclasses import dataclass

from jeopardice.family import family_of
from jeopardice.rules.game import fields_of
from jeopardice.rules.goal import Goal

STEPS_A_SECOND = 2e9
BYTES_PER_ANCHOR = 16


NOUNS = {
    "target": "the target",
    "sides": "the number of sides",
    "dice": "the number of dice",
    "farkle_dice": "the number of dice",
    "hog_dice": "the number of dice",
    "hog_sides": "the number of sides",
    "points": "a number in the rules",
    "faces": "the number of faces",
    "face_weight": "how often a face falls",
    "face_points": "the points of a face",
    "rolls": "the number of different rolls",
    "anchors": "the number of positions to solve",
    "boards": "the number of boards to solve",
    "board_sides": "the number of sides",
    "board_length": "the number of spaces or columns",
    "solve_steps": "the number of steps of a solve",
    "job_seconds": "the time of a solve in seconds",
    "answer_seconds": "the time of an answer in seconds",
    "answer_steps": "the number of steps of a comparison",
    "strategy_rolls": "the number of rolls of a strategy",
}
"""What each limit bounds, in the words of the person who is refused."""


class LimitError(ValueError):
    """A request for more than the server does; `limit` names what to make smaller."""

    def __init__(self, limit: str, most: int, got: object) -> None:
        super().__init__(
            f"{NOUNS.get(limit, limit)} is at most {most:,} here, got {got}; "
            "ask for less, or use the command line, which has no such limit"
        )
        self.limit = limit
        self.most = most


class BusyError(ValueError):
    """Too much at once: wait for something to end; `limit` names what there is too much of."""

    def __init__(self, words: str, limit: str = "jobs") -> None:
        super().__init__(words)
        self.limit = limit


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
    solve_steps: int = 300_000_000_000
    steps_at_once: int = 1_000_000_000
    job_seconds: int = 180
    jobs: int = 8
    answer_seconds: int = 20
    answers: int = 64
    answers_at_once: int = 4
    head_seconds: int = 10
    body_seconds: int = 10
    answer_steps: int = 40_000_000_000
    strategy_rolls: int = 200
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
        return fields_of(self)


def check_goal(limits: Limits, goal: Goal) -> int:
    """Return the estimated steps of a solve on one core, or refuse it. The rules must have been checked before."""
    limits.check("target", int(goal.target or 0))
    work = family_of(goal.game).work(goal, 1)
    limits.check("anchors", max(work.anchors, work.bytes // BYTES_PER_ANCHOR))
    steps = int(work.seconds * STEPS_A_SECOND)
    limits.check("solve_steps", steps)
    return steps
