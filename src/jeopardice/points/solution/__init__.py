"""Solutions of points games and the questions one asks of them.

A solution holds the anchors' values, the goal they belong to and, once asked, a certificate. `turn.py`, `alone.py`,
`duel.py`, `many.py` and `piggyback.py` answer for one goal each, and `points.py` solves or reads any of them. Names are
loaded when first used: a race for two needs nothing of the others.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jeopardice.points.solution.alone import AloneSolution as AloneSolution
    from jeopardice.points.solution.duel import DuelSolution as DuelSolution
    from jeopardice.points.solution.many import ManySolution as ManySolution
    from jeopardice.points.solution.piggyback import PiggybackSolution as PiggybackSolution
    from jeopardice.points.solution.points import load_points as load_points
    from jeopardice.points.solution.points import solve_points as solve_points
    from jeopardice.points.solution.turn import TurnSolution as TurnSolution

_HOME = {
    "AloneSolution": "alone",
    "DuelSolution": "duel",
    "ManySolution": "many",
    "PiggybackSolution": "piggyback",
    "TurnSolution": "turn",
    "load_points": "points",
    "solve_points": "points",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value
