"""Exact play for push-your-luck dice games.

    >>> from jeopardice import Pig, Race, TenThousand, Turn, solve
    >>> solve(Turn(TenThousand())).value                        # best mean score of one turn
    293.600945923...
    >>> solve(Race(Pig(), target=100, players=2)).value         # chance that the first player wins
    0.530592725273...

Names are loaded when first used, so that the command line starts at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "Advice": "moments",
    "CantStop": "games.cant_stop",
    "Farkle": "games.farkle",
    "GameGraph": "solvers.game_graph",
    "Hog": "games.hog",
    "Option": "moments",
    "Pig": "games.pig",
    "Play": "game",
    "PointsGame": "game",
    "PositionError": "errors",
    "Race": "goal",
    "RulesError": "errors",
    "Simultaneous": "goal",
    "Solution": "solution",
    "StaleSolution": "errors",
    "StochasticGame": "solvers.stochastic",
    "TenThousand": "games.ten_thousand",
    "TooLargeError": "errors",
    "Turn": "goal",
    "Yahtzee": "games.yahtzee",
    "house_goal": "house_rules",
    "load": "solver",
    "read_rules": "rules_file",
    "roll_dice": "dice",
    "roll_loaded": "dice",
    "solve": "solver",
    "solve_matrix_game": "solvers.matrix_game",
    "solve_simultaneous": "solvers.simultaneous",
    "solve_stochastic_game": "solvers.strategy_iteration",
    "solve_yahtzee": "solvers.yahtzee",
}

__all__ = sorted(_HOME)

if TYPE_CHECKING:
    from jeopardice.dice import roll_dice as roll_dice
    from jeopardice.dice import roll_loaded as roll_loaded
    from jeopardice.errors import PositionError as PositionError
    from jeopardice.errors import RulesError as RulesError
    from jeopardice.errors import StaleSolution as StaleSolution
    from jeopardice.errors import TooLargeError as TooLargeError
    from jeopardice.game import Play as Play
    from jeopardice.game import PointsGame as PointsGame
    from jeopardice.games.cant_stop import CantStop as CantStop
    from jeopardice.games.farkle import Farkle as Farkle
    from jeopardice.games.hog import Hog as Hog
    from jeopardice.games.pig import Pig as Pig
    from jeopardice.games.ten_thousand import TenThousand as TenThousand
    from jeopardice.games.yahtzee import Yahtzee as Yahtzee
    from jeopardice.goal import Race as Race
    from jeopardice.goal import Simultaneous as Simultaneous
    from jeopardice.goal import Turn as Turn
    from jeopardice.house_rules import house_goal as house_goal
    from jeopardice.moments import Advice as Advice
    from jeopardice.moments import Option as Option
    from jeopardice.rules_file import read_rules as read_rules
    from jeopardice.solution import Solution as Solution
    from jeopardice.solver import load as load
    from jeopardice.solver import solve as solve
    from jeopardice.solvers.game_graph import GameGraph as GameGraph
    from jeopardice.solvers.matrix_game import solve_matrix_game as solve_matrix_game
    from jeopardice.solvers.simultaneous import solve_simultaneous as solve_simultaneous
    from jeopardice.solvers.stochastic import StochasticGame as StochasticGame
    from jeopardice.solvers.strategy_iteration import solve_stochastic_game as solve_stochastic_game
    from jeopardice.solvers.yahtzee import solve_yahtzee as solve_yahtzee


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'jeopardice' has no attribute {name!r}")
    found = getattr(import_module(f"jeopardice.{_HOME[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
