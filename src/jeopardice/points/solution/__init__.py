"""Solutions of points games and the questions one asks of them.

A solution holds the anchors' values, the goal they belong to and, once asked, a certificate. `turn.py`, `alone.py`,
`duel.py`, `many.py` and `piggyback.py` answer for one goal each, and `points.py` solves or reads any of them.
"""

from jeopardice.points.solution.alone import AloneSolution as AloneSolution
from jeopardice.points.solution.duel import DuelSolution as DuelSolution
from jeopardice.points.solution.many import ManySolution as ManySolution
from jeopardice.points.solution.piggyback import PiggybackSolution as PiggybackSolution
from jeopardice.points.solution.points import load_points as load_points
from jeopardice.points.solution.points import solve_points as solve_points
from jeopardice.points.solution.turn import TurnSolution as TurnSolution
