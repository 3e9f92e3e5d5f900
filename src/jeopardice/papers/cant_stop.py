"""Glenn, Fang & Kruskal, "A retrograde approximation algorithm for one-player Can't Stop" (2006), as exhibits.

The paper's words: roll positions u and move positions v are our moments before and after a roll; the anchor is the same.
(n, k) is `CantStop(sides=n, shortest=k)`.
"""

import itertools
import tomllib
from fractions import Fraction
from functools import cache, partial
from importlib.resources import files

import numpy as np

from jeopardice.columns.graph import board_count, cant_stop_graph, moment_bound
from jeopardice.columns.moments import moment_count
from jeopardice.games.cant_stop import CantStop
from jeopardice.graphs.graph import GameGraph, GraphSolution, solve_acyclic, solve_game_graph, solve_naive
from jeopardice.papers import cant_stop_figures as figures
from jeopardice.papers.cant_stop_newton import counted, guesses, secant_counted, solved, turn_worth
from jeopardice.papers.claims import Claim, Exhibit, Paper, compared
from jeopardice.types import JsonObject

LONG = {(4, 3), (5, 1)}
FIGURE_1: JsonObject = {
    "rolls": {"u1": {"v1": 1}, "u2": {"v2": 1, "v3": 1}},
    "moves": {"v1": ["u2"], "v2": ["u1"], "v3": ["u3"]},
    "costs": {"u1": 1},
}


@cache
def printed() -> JsonObject:
    """Return the numbers as printed."""
    return tomllib.loads((files("jeopardice.papers") / "data" / "cant_stop.toml").read_text("utf-8"))


def figure_1() -> list[Claim]:
    """Return the solution of the small graph, by Newton and by naive sweeps."""
    graph = GameGraph.from_dicts(**FIGURE_1)
    newton, naive = solve_game_graph(graph), solve_naive(graph)
    claims = [compared(f"f({name})", text, _worth(newton, name)) for name, text in _FIGURE_1_VALUES.items()]
    gap = max(abs(_worth(newton, name) - _worth(naive, name)) for name in _FIGURE_1_VALUES)
    return [*claims, _holds("the solution is unique: both algorithms reach it", "so", f"within {gap:.0e}", gap < 1e-9)]


_FIGURE_1_VALUES = {"u1": "2", "v2": "2", "u2": "1", "v1": "1", "u3": "0", "v3": "0"}


def _worth(solution: GraphSolution, name: str) -> float:
    return solution.value(name) if name.startswith("u") else solution.move_value(name)


def algorithm_1() -> list[Claim]:
    """Return what children counting gives on the graph of Figure 1 cut at u1, and how many rolls a vertex has."""
    cut = FIGURE_1 | {"rolls": {"u2": {"v2": 1, "v3": 1}}}
    guess = solve_acyclic(GameGraph.from_dicts(**cut))
    rolls = [
        compared(f"outgoing edges: {what}", text, len(CantStop(sides=sides, shortest=1).rolls()))
        for sides, (what, text) in zip((3, 4), printed()["text"].items(), strict=True)
    ]
    return [
        compared("Figure 1 cut at u1, f(u1) = 1: f(v2)", "1", _worth(guess, "v2")),
        compared("the same: f(u2)", "0.5", _worth(guess, "u2")),
        compared("the same: f(v1)", "0.5", _worth(guess, "v1")),
        *rolls,
    ]


def algorithm_2() -> list[Claim]:
    """Return the guesses of the naive algorithm on Figure 1, and its rate there and on a board of (3, 2)."""
    x, guesses_of_u1 = Fraction(1), []
    for _ in range(12):
        x = 1 + x / 2  # f(u1) = 1 + f(v2)/2 + 0/2, f(v2) = f(u1)
        guesses_of_u1.append(x)
    law = all(x == Fraction(2 ** (n + 1) - 1, 2**n) for n, x in enumerate(guesses_of_u1, start=1))
    ratio = {(2 - later) / (2 - before) for before, later in itertools.pairwise(guesses_of_u1)}
    values = solved(3, 2)
    board = values.game.lengths
    last, slope = values.start, turn_worth(values, board, values.start)[1]
    errors = [last - x for x in guesses(values, board, newton=False)][5:15]
    rate = errors[-1] / errors[-2]
    return [
        _holds("Figure 1, second guess f(u1)", "3/2", str(guesses_of_u1[0]), guesses_of_u1[0] == Fraction(3, 2)),
        _holds("Figure 1, third guess f(u1)", "7/4", str(guesses_of_u1[1]), guesses_of_u1[1] == Fraction(7, 4)),
        _holds("Figure 1, guess n + 1", "(2^(n+1) - 1)/2^n", "the same" if law else "another", law),
        _holds("Figure 1, ratio of errors", "1/2", " ".join(map(str, ratio)), ratio == {Fraction(1, 2)}),
        _holds(
            "linear convergence on (3, 2): ratio of errors against the chance to bust at the solution",
            "linear", f"{rate:.6f}, {slope:.6f}", abs(rate - slope) < 1e-4,
        ),
    ]  # fmt: skip


def algorithm_3() -> list[Claim]:
    """Return that Newton's method ends after one step on Figure 1 and after few on every board of (3, 3)."""
    graph = GameGraph.from_dicts(**FIGURE_1)
    sweeps = solve_game_graph(graph).sweeps
    values, counts = counted(3, 3)
    most = int(counts.max())
    path = guesses(solved(4, 1), solved(4, 1).game.lengths, newton=True)
    errors = [abs(x - path[-1]) for x in path[1:-1]]
    falls = all(later < before**1.5 for before, later in itertools.pairwise(errors) if before < 0.1)
    return [
        compared("Figure 1: solution of x/2 + 1 = x", "2", solve_game_graph(graph).value("u1")),
        _holds("Figure 1: iterations, the second one confirming", "1", str(sweeps - 1), sweeps == 2),
        _holds(
            "footnote 5: finitely many steps; most iterations on a board of (3, 3)", "finite",
            f"{most} on {len(values)} boards", most < 20,
        ),
        _holds(
            "faster than linear on (4, 1): errors from the first step on", "quadratic",
            " ".join(f"{error:.0e}" for error in errors), falls,
        ),
    ]  # fmt: skip


def table_1(long: bool) -> list[Claim]:
    """Return the rows of Table 1: the sizes of the graphs and the fewest turns."""
    claims = []
    for n, k, anchors, vertices, _, turns in printed()["table_1"]:
        if ((n, k) in LONG) == long:
            game = CantStop(sides=n, shortest=k)
            claims.append(compared(f"({n},{k}), anchor vertices", anchors, board_count(game)))
            there_are = f"({n},{k}), total vertices (an upper count; there are {moment_count(game):,})"
            claims.append(compared(there_are, vertices, moment_bound(game)))
            claims.append(compared(f"({n},{k}), optimal turns", turns, solved(n, k).start))
    return claims if long else [*claims, *_by_graph()]


def _by_graph() -> list[Claim]:
    """Return (2, 2) again, written out as a graph from the rules."""
    game = CantStop(sides=2, shortest=2)
    written = solve_game_graph(cant_stop_graph(game)).value((game.opening, ()))
    return [compared("(2,2), optimal turns, by Algorithm 3 on the graph written out", "1.347", written)]


def table_2() -> list[Claim]:
    """Return states and mean iterations of (4, 3) by value: the states up to symmetry, Algorithm 3 from 1.0."""
    values, counts = counted(4, 3)
    chords = secant_counted(4, 3)[1]
    place = np.floor(10 * values + 1e-9).astype(int)
    printed_states, printed_mean = printed()["table_2_total"]
    ranges = [("total", printed_states, printed_mean, np.full(len(values), True))]
    for lowest, states, mean in printed()["table_2"]:
        label = f"value from {lowest} up to {float(lowest) + 0.1:.1f}"
        ranges.append((label, states, mean, place == round(10 * float(lowest))))
    claims = []
    for label, states, mean, here in [*ranges[1:], ranges[0]]:
        claims.append(compared(f"{label}: states", states, int(here.sum()), misprint=STATES))
        if mean:
            why = f"{MEANS}; the secant method takes {chords[here].mean():.2f}"
            claims.append(
                compared(f"{label}: mean iterations", mean, float(counts[here].mean()), digits=4, unclear=why)
            )
    return claims


STATES = (
    "the printed total is short by the same 8003; 333069 anchors, 1689 of them symmetric, are 167379 up to symmetry"
)
MEANS = (
    "ours: Algorithm 3 as written, from 1.0, until F(x) = x to 1e-13, the confirming iteration counted; how the print "
    "finds the slope and tests convergence is not said"
)


def _holds(what: str, says: str, ours: str, is_so: bool) -> Claim:
    return Claim(what, says, ours, "agrees" if is_so else "differs")


PAPER = Paper(
    "cant-stop",
    "J. Glenn, H. Fang and C. P. Kruskal, A retrograde approximation algorithm for one-player Can't Stop (2006)",
    (
        Exhibit("Figure 1", "A game graph with one loop", figure_1, figures.figure_1),
        Exhibit("Algorithm 1", "Graphs without loops: count the children", algorithm_1),
        Exhibit("Algorithm 2", "Naive sweeps converge linearly", algorithm_2, figures.naive),
        Exhibit("Algorithm 3", "Newton's method on the anchor", algorithm_3, figures.convergence),
        Exhibit("Table 1", "Small boards", partial(table_1, long=False), figures.sizes),
        Exhibit("Table 1, (4,3) and (5,1)", "The two largest boards", partial(table_1, long=True), long=True),
        Exhibit("Table 2", "Iterations of Algorithm 3 on (4,3), by value", table_2, figures.iterations, long=True),
    ),
)
