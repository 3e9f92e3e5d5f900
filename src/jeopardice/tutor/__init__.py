"""Playing with a tutor: games to step through, opponents, what each choice cost, and positions to practise.

`session.py` plays a match by its judge, `bots.py` sits at the other seats, `report.py` divides the result into luck and
skill, `drill.py` asks instead of telling, and `why.py` gives the reasons. Nothing here knows a game, reads a key or prints
a line: rules come from the match, values from the judge, words from the game's family; the terminal and the web page use
the same functions.
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
from jeopardice.tutor.judges import judge_of as judge_of
from jeopardice.tutor.judges import judge_to_play as judge_to_play
from jeopardice.tutor.report import Report as Report
from jeopardice.tutor.report import report as report
from jeopardice.tutor.session import Session as Session
from jeopardice.tutor.session import advance as advance
from jeopardice.tutor.why import why as why
