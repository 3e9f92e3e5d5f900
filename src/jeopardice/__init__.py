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
    "Advice": "solution",
    "CantStop": "games.cant_stop",
    "Farkle": "games.farkle",
    "GameGraph": "graphs.game_graph",
    "Hog": "games.hog",
    "Option": "solution",
    "Pig": "games.pig",
    "Play": "rules.game",
    "PointsGame": "rules.game",
    "PositionError": "errors",
    "Race": "rules.goal",
    "Rate": "rules.goal",
    "RulesError": "errors",
    "Simultaneous": "rules.goal",
    "Solution": "solution",
    "StaleSolution": "errors",
    "StochasticGame": "graphs.stochastic",
    "TenThousand": "games.ten_thousand",
    "TooLargeError": "errors",
    "Turn": "rules.goal",
    "Yahtzee": "games.yahtzee",
    "house_goal": "games.house_goals",
    "load": "solver",
    "read_rules": "rules.files",
    "roll_dice": "dice",
    "roll_loaded": "dice",
    "solve": "solver",
    "solve_matrix_game": "graphs.matrix_game",
    "solve_simultaneous": "points.simultaneous",
    "solve_stochastic_game": "graphs.strategy_iteration",
    "solve_yahtzee": "card.yahtzee",
}

__all__ = sorted(_HOME)

if TYPE_CHECKING:
    from jeopardice.card.yahtzee import solve_yahtzee as solve_yahtzee
    from jeopardice.dice import roll_dice as roll_dice
    from jeopardice.dice import roll_loaded as roll_loaded
    from jeopardice.errors import PositionError as PositionError
    from jeopardice.errors import RulesError as RulesError
    from jeopardice.errors import StaleSolution as StaleSolution
    from jeopardice.errors import TooLargeError as TooLargeError
    from jeopardice.games.cant_stop import CantStop as CantStop
    from jeopardice.games.farkle import Farkle as Farkle
    from jeopardice.games.hog import Hog as Hog
    from jeopardice.games.house_goals import house_goal as house_goal
    from jeopardice.games.pig import Pig as Pig
    from jeopardice.games.ten_thousand import TenThousand as TenThousand
    from jeopardice.games.yahtzee import Yahtzee as Yahtzee
    from jeopardice.graphs.game_graph import GameGraph as GameGraph
    from jeopardice.graphs.matrix_game import solve_matrix_game as solve_matrix_game
    from jeopardice.graphs.stochastic import StochasticGame as StochasticGame
    from jeopardice.graphs.strategy_iteration import solve_stochastic_game as solve_stochastic_game
    from jeopardice.points.simultaneous import solve_simultaneous as solve_simultaneous
    from jeopardice.rules.files import read_rules as read_rules
    from jeopardice.rules.game import Play as Play
    from jeopardice.rules.game import PointsGame as PointsGame
    from jeopardice.rules.goal import Race as Race
    from jeopardice.rules.goal import Rate as Rate
    from jeopardice.rules.goal import Simultaneous as Simultaneous
    from jeopardice.rules.goal import Turn as Turn
    from jeopardice.solution import Advice as Advice
    from jeopardice.solution import Option as Option
    from jeopardice.solution import Solution as Solution
    from jeopardice.solver import load as load
    from jeopardice.solver import solve as solve


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'jeopardice' has no attribute {name!r}")
    value = getattr(import_module(f"jeopardice.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
