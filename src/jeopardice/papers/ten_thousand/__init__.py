"""Crocce & Mordecki, "A finite exact algorithm to solve a dice game", J. Appl. Prob. 53 (2016), and its preprint.

The paper's own rules, algorithms and tables, independent of the engine: they are its check. Chips of 50 points,
rational numbers (python-flint inside, `Fraction` outside).

- `rules`: configurations and moves, Tables 1, 2 and 4;
- `algorithms`: Algorithm 4.1, the preprint's appendix algorithm, the iteration from 0;
- `strategy`: value and best actions of any state;
- `pig`: section 5.2;
- `tables`: every printed figure beside ours.
"""

from .algorithms import (
    Iterated,
    Solved,
    algorithm_4_1,
    all_states,
    appendix_algorithm,
    chained,
    iteration,
    stop_bound,
    threshold,
)
from .pig import growth_rate, other_solution, pig_iteration, pig_threshold, pig_values
from .rules import ACTIONS, MOVES, Configuration, State, configurations, frequencies, moves, table_2
from .strategy import action_values, best_actions, longest_turn, reachable_states, roll_value, solved, value
from .tables import Cell, comparison, misprints, printed

__all__ = [
    "ACTIONS",
    "MOVES",
    "Cell",
    "Configuration",
    "Iterated",
    "Solved",
    "State",
    "action_values",
    "algorithm_4_1",
    "all_states",
    "appendix_algorithm",
    "best_actions",
    "chained",
    "comparison",
    "configurations",
    "frequencies",
    "growth_rate",
    "iteration",
    "longest_turn",
    "misprints",
    "moves",
    "other_solution",
    "pig_iteration",
    "pig_threshold",
    "pig_values",
    "printed",
    "reachable_states",
    "roll_value",
    "solved",
    "stop_bound",
    "table_2",
    "threshold",
    "value",
]
