"""How many turns a race alone takes under best play: the law, from any standing.

Each standing's turn banks points with known chances (`rest_of_turn`), so the standings form a chain that only moves up. The
chance to be home after n turns is carried forward turn by turn until less than `rest` is still on the way.
"""

from typing import Any

import numpy as np

from jeopardice.analysis.rest_of_turn import rest_of_turn
from jeopardice.kernels.stopping import check_wanted
from jeopardice.points.solution import AloneSolution

MOST_TURNS = 100_000


def turn_chain(solution: AloneSolution, mine: int = 0) -> Any:
    """Return the chances to go from one standing to another in a turn, in units from `mine` to the target (the last row).

    The matrix is sparse: a turn does not lead far.
    """
    from scipy.sparse import csr_array

    table, target = solution.table, solution.target
    first = mine // table.unit
    opening: Any = table.modes[table.opening]
    steps = [(target - first, target - first, 1.0)]
    for i in range(first, target):
        check_wanted()
        rest = rest_of_turn(solution.view(i * table.unit), 0, opening)
        steps.append((i - first, i - first, rest.bust_chance))
        for points, chance in rest.banked.items():
            steps.append((i - first, min(i + points // table.unit, target) - first, chance))
    start, end, chances = map(np.array, zip(*steps, strict=True))
    return csr_array((chances, (start, end)))  # steps between the same two are added up


def law_of_turns(solution: AloneSolution, mine: int = 0, *, rest: float = 1e-12) -> list[float]:
    """Return the chance that the race takes 1, 2, 3, ... turns from a standing.

    >>> from jeopardice import Pig, Race, solve
    >>> law = law_of_turns(solve(Race(Pig(), target=100)))
    >>> round(sum(n * chance for n, chance in enumerate(law, 1)), 6)
    12.545232
    """
    solution.at(mine)
    chain = turn_chain(solution, mine)
    at = np.zeros(chain.shape[0])
    at[0] = 1.0
    law: list[float] = []
    home = 0.0
    while 1.0 - home > rest and len(law) < MOST_TURNS:
        check_wanted()
        at = at @ chain
        law.append(float(at[-1]) - home)
        home = float(at[-1])
    return law
