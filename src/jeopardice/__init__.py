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

__version__ = "0.2.0"

_HOME = {
    "Advice": "solution",
    "BestPlay": "points.strategy",
    "CantStop": "games.cant_stop",
    "Dice": "dice",
    "Farkle": "games.farkle",
    "GameGraph": "graphs.game_graph",
    "Hog": "games.hog",
    "Moment": "points.strategy",
    "Option": "solution",
    "Pig": "games.pig",
    "Play": "rules.game",
    "PointsGame": "rules.game",
    "PositionError": "errors",
    "Race": "rules.goal",
    "Rate": "rules.goal",
    "Rule": "points.strategy",
    "RulesError": "errors",
    "Simultaneous": "rules.goal",
    "Solution": "solution",
    "StaleSolution": "errors",
    "StochasticGame": "graphs.stochastic",
    "StopAt": "points.strategy",
    "TenThousand": "games.ten_thousand",
    "TooLargeError": "errors",
    "Turn": "rules.goal",
    "Yahtzee": "games.yahtzee",
    "best_dice": "analysis.dice_choice",
    "best_response": "analysis.head_to_head",
    "best_thumbs": "analysis.thumb",
    "exploitability": "analysis.distance",
    "head_to_head": "analysis.head_to_head",
    "house_goal": "games.house_goals",
    "load": "solver",
    "loss_per_decision": "analysis.distance",
    "read_rules": "rules.files",
    "roll_dice": "dice",
    "roll_loaded": "dice",
    "seat_chances": "analysis.several",
    "simulate": "points.simulate",
    "solve": "solver",
    "solve_game_graph": "graphs.graph",
    "solve_matrix_game": "graphs.matrix_game",
    "solve_stochastic_game": "graphs.strategy_iteration",
    "turn_law": "analysis.turn_law",
}

_ALSO = {
    "solve_simultaneous": "points.simultaneous",
    "solve_yahtzee": "card.yahtzee",
}
"""Importable as before; `solve` answers the same."""

__all__ = sorted(_HOME)

if TYPE_CHECKING:
    from jeopardice.analysis.dice_choice import best_dice as best_dice
    from jeopardice.analysis.distance import exploitability as exploitability
    from jeopardice.analysis.distance import loss_per_decision as loss_per_decision
    from jeopardice.analysis.head_to_head import best_response as best_response
    from jeopardice.analysis.head_to_head import head_to_head as head_to_head
    from jeopardice.analysis.several import seat_chances as seat_chances
    from jeopardice.analysis.thumb import best_thumbs as best_thumbs
    from jeopardice.analysis.turn_law import turn_law as turn_law
    from jeopardice.card.yahtzee import solve_yahtzee as solve_yahtzee
    from jeopardice.dice import Dice as Dice
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
    from jeopardice.graphs.graph import solve_game_graph as solve_game_graph
    from jeopardice.graphs.matrix_game import solve_matrix_game as solve_matrix_game
    from jeopardice.graphs.stochastic import StochasticGame as StochasticGame
    from jeopardice.graphs.strategy_iteration import solve_stochastic_game as solve_stochastic_game
    from jeopardice.points.simulate import simulate as simulate
    from jeopardice.points.simultaneous import solve_simultaneous as solve_simultaneous
    from jeopardice.points.strategy import BestPlay as BestPlay
    from jeopardice.points.strategy import Moment as Moment
    from jeopardice.points.strategy import Rule as Rule
    from jeopardice.points.strategy import StopAt as StopAt
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
    home = _HOME.get(name) or _ALSO.get(name)
    if home is None:
        raise AttributeError(f"module 'jeopardice' has no attribute {name!r}")
    value = getattr(import_module(f"jeopardice.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
