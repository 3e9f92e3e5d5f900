"""Playing with a tutor: games one can step through, opponents, what each choice cost, and positions to practise.

`referee.py` is the seam: the few questions a game family answers. `points.py` answers them for every points game from a
solution. `session.py` plays a game by them, `bots.py` sits at the other side, `report.py` divides what happened into
luck and skill, and `drill.py` asks instead of telling. Nothing here reads a key or prints a line; the terminal and the
web page do that with the same functions.
"""

from jeopardice.tutor.bots import BestBot as BestBot
from jeopardice.tutor.bots import Bot as Bot
from jeopardice.tutor.bots import ErringBot as ErringBot
from jeopardice.tutor.bots import RuleBot as RuleBot
from jeopardice.tutor.bots import best_name as best_name
from jeopardice.tutor.bots import bot_named as bot_named
from jeopardice.tutor.drill import Exercise as Exercise
from jeopardice.tutor.drill import Grade as Grade
from jeopardice.tutor.drill import drill as drill
from jeopardice.tutor.drill import exercise_at as exercise_at
from jeopardice.tutor.drill import grade as grade
from jeopardice.tutor.drill import mistakes as mistakes
from jeopardice.tutor.families import referee_for as referee_for
from jeopardice.tutor.points import PointsReferee as PointsReferee
from jeopardice.tutor.referee import Choice as Choice
from jeopardice.tutor.referee import Measure as Measure
from jeopardice.tutor.referee import Referee as Referee
from jeopardice.tutor.report import Report as Report
from jeopardice.tutor.report import report as report
from jeopardice.tutor.session import Session as Session
from jeopardice.tutor.session import advance as advance
