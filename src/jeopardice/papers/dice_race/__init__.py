"""Louchard, "Recent studies on the Dice Race Problem and its connections" (2016): every printed number beside ours.

The methods live in `jeopardice.analysis` and serve any die; here they meet what is printed.

- `races`: the races of the paper, computed once;
- `turns`: sections 2 and 5, one turn and its rolls;
- `means`: sections 1, 3 and 8, equation (1);
- `variances`: sections 4 and 6, equations (2) and (3);
- `duels`: sections 7 and 9, equations (4) and (5);
- `figures`: Figures 1 to 15.

>>> [claim.what for claim in PAPER.exhibits[1].check() if claim.verdict == "agrees"][:2]
['best threshold of one turn', 'J̄(20), exactly']
"""

from jeopardice.papers.claims import Exhibit, Paper
from jeopardice.papers.dice_race import duels, means, turns, variances
from jeopardice.papers.dice_race.figures import FIGURES, open_problem_3

_DRAWN = {f"Figure {n}": Exhibit(f"Figure {n}", title, draw=draw) for n, (title, draw) in enumerate(FIGURES, 1)}


def _figures(first: int, last: int) -> tuple[Exhibit, ...]:
    return tuple(_DRAWN[f"Figure {n}"] for n in range(first, last + 1))


PAPER = Paper(
    "dice-race",
    "G. Louchard, Recent studies on the Dice Race Problem and its connections (March 13, 2016)",
    (
        Exhibit("Section 1", "what a single player minimises", means.section_1),
        Exhibit("Section 2.1", "one turn by a threshold", turns.section_2_1),
        Exhibit("Section 2.2", "rolls of a turn", turns.section_2_2),
        Exhibit("Section 2.3", "points and rolls of a turn together", turns.section_2_3),
        Exhibit("Section 2.4", "a fixed number of rolls", turns.section_2_4),
        Exhibit("Equation (1)", "mean number of turns", means.equation_1),
        Exhibit("Section 3", "best thresholds and the constants K₁, K₂", means.section_3),
        *_figures(1, 5),
        Exhibit("Equation (2)", "second moment of the number of turns", variances.equation_2),
        Exhibit("Section 4.1", "averages of two variances", variances.section_4_1),
        *_figures(6, 9),
        Exhibit("Section 4.2", "Markov chain of residues", variances.section_4_2),
        Exhibit("Section 4.3", "Strategy 4 and the constant K₃", variances.section_4_3),
        *_figures(10, 12),
        Exhibit("Section 4.4", "the periodic part of the variance", variances.section_4_4),
        *_figures(13, 13),
        Exhibit("Section 5", "number of rolls", turns.section_5),
        Exhibit("Equation (3)", "first of two independent racers", variances.equation_3),
        Exhibit("Section 6", "chance that the first racer wins", variances.section_6),
        *_figures(14, 14),
        Exhibit("Open problem 3", "Π(1000, j) less the curves of Figure 14", draw=open_problem_3),
        Exhibit("Section 7", "two players near the end", duels.section_7),
        *_figures(15, 15),
        Exhibit("Section 8", "Strategies 6 and 7", means.section_8),
        Exhibit("Section 8, conjecture", "Strategy 6 at every n up to 1000", means.section_8_to_1000, long=True),
        Exhibit("Equations (4), (5)", "Ferguson's recursion for two players", duels.equations_4_and_5),
        Exhibit("Section 9", "Ferguson's payoff", duels.section_9),
    ),
)
"""The paper: exhibits in order of print."""
