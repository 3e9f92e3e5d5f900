"""How a solution of a points game is written: its blocks, and the digests of the tables it was solved on."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from jeopardice.solution.questions import Solution
from jeopardice.store import goal_as_json, goal_words, write_blocks
from jeopardice.turn_table import TurnTable


def save_points(
    solution: Solution, tables: Sequence[TurnTable], blocks: Mapping[str, NDArray[np.float64]], path: str | Path
) -> Path:
    """Write a float solution of a points game to a directory."""
    if isinstance(solution.value, Fraction):
        raise ValueError("exact solutions are not stored; solve without exact to save, or export the fractions")
    about = {"goal": goal_as_json(solution.goal), "goal_repr": goal_words(solution.goal)}
    about["tables"] = [table.digest for table in tables]
    return write_blocks(path, about | {"value": solution.value, "error_bound": solution.error_bound}, blocks)
