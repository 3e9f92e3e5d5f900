"""The result and the questions one asks of it.

A solution holds the anchors' values, the goal they belong to and, once asked, a certified bound of their error. It answers
what any moment and any option is worth; it never prints or draws. `questions.py` says what every solution answers;
`turn.py`, `alone.py` and `duel.py` answer it for one goal of points games each, and `points.py` solves or reads any of them.
"""

from jeopardice.solution.alone import AloneSolution as AloneSolution
from jeopardice.solution.duel import DuelSolution as DuelSolution
from jeopardice.solution.points import load_points as load_points
from jeopardice.solution.points import solve_points as solve_points
from jeopardice.solution.questions import Solution as Solution
from jeopardice.solution.turn import TurnSolution as TurnSolution
