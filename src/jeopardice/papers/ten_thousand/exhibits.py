"""The Ten Thousand paper as exhibits: Tables 1 to 7, Theorem 4.1, the algorithms, sections 5.1 and 5.2, in both versions.

Exhibits are named as in the journal; the preprint's figures stand beside them under the preprint's own table numbers.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from flint import arb, fmpq

from jeopardice.papers.claims import Claim, Exhibit, Paper, Verdict

from . import figures
from .algorithms import algorithm_4_1, all_states, appendix_algorithm, iteration, stop_bound, threshold
from .pig import applied, other_solution, pig_iteration, pig_threshold, pig_values
from .rules import (
    DICE,
    MOVES,
    NOTHING,
    Configuration,
    State,
    after_roll,
    configurations,
    frequencies,
    moves,
    states_with,
)
from .strategy import best_actions, solved, value
from .tables import Cell, comparison

PREPRINT_TABLE = {"Table 1": "Table 1", "Table 2": "Table 5", "Table 4": "Table 3", "Table 7": "Table 4"}
"""Where the preprint prints a table of the journal; it prints the journal's Tables 5 and 6 as its Table 6."""

NOTES = {
    "padded": "a zero was appended to three right decimals",
    "text": "the real root of λ² + … + λ⁶ = 6; the journal has it right",
    "Table 7": "a 2 slipped in after 5.801",
    "caption": "the one state that can occur and is not a stop",
    "action": "the printed value is that of giving back a five",
    "Table 6": "the last digit: the value is 5.87201891…, as in Theorem 4.1",
}


def _holds(what: str, printed: str, ours: str, is_so: bool, note: str = "") -> Claim:
    return Claim(what, printed, ours, "agrees" if is_so else "differs", note)


@cache
def _compared(version: str) -> tuple[Cell, ...]:
    return comparison(version)


def _cells(table: str) -> list[Cell]:
    if table in ("Table 5", "Table 6"):
        cells = [cell for cell in _compared("preprint") if cell.table == "Table 6"]
        older = [cell for cell in cells if ("n=5" in cell.cell) == (table == "Table 6")]
    else:
        older = [cell for cell in _compared("preprint") if cell.table == PREPRINT_TABLE[table]]
    return [cell for cell in _compared("journal") if cell.table == table] + older


def _claim(cell: Cell) -> Claim:
    verdict: Verdict = "agrees" if cell.agrees else "misprint"
    place = "" if cell.table == "text" else f" {cell.table}"
    note = "" if cell.agrees else _note(cell)
    return Claim(f"{cell.version}{place}: {cell.cell}", _shown(cell.printed), _shown(cell.ours), verdict, note)


def _shown(text: str) -> str:
    return text or "(blank)"


def _note(cell: Cell) -> str:
    if cell.verdict == "padded" or cell.table == "text":
        return NOTES["padded" if cell.verdict == "padded" else "text"]
    if "action" in cell.cell and "actions" not in cell.cell:
        return NOTES["caption" if "caption" in cell.cell else "action"]
    return NOTES["Table 7" if "actions" in cell.cell else "Table 6"]


def _table(table: str) -> Callable[[], list[Claim]]:
    return lambda: [_claim(cell) for cell in _cells(table)]


def _text(section: str) -> list[Claim]:
    cells = [cell for version in ("journal", "preprint") for cell in _compared(version)]
    return [_claim(cell) for cell in cells if cell.table == "text" and cell.cell.startswith(section)]


def table_3() -> list[Claim]:
    """Return the four kinds of situation after a roll of n dice, each checked at every roll (preprint: Table 2)."""
    kinds: dict[str, set[str]] = {"nothing": set(), "all": set(), "one": set(), "more": set()}
    counts = dict.fromkeys(kinds, 0)
    for n in range(1, DICE + 1):
        for i in frequencies(n):
            kind = "nothing" if i == NOTHING else "all" if i.dice == n else "one" if i.combinations == 1 else "more"
            counts[kind] += 1
            if kind == "nothing":
                kinds[kind].add("stop")
                continue
            state = after_roll(99, n, i)
            smaller = list(moves(state))
            rolls = f"roll {'n - d(i)' if state.n == n - i.dice else state.n} dice"
            is_given_back = all(y.n == n - y.configuration.dice for _, y in smaller)
            kinds[kind].add(f"stop, {rolls}" + (", roll n - d(j)" if smaller and is_given_back else ""))
    printed = {
        "nothing": ("s(i) = 0", "stop"),
        "all": ("d(i) = n", "stop, roll 5 dice"),
        "one": ("d(i) < n, c(i) = 1", "stop, roll n - d(i) dice"),
        "more": ("d(i) < n, c(i) > 1", "stop, roll n - d(i) dice, roll n - d(j)"),
    }
    return [
        _holds(f"{where} ({counts[kind]} rolls)", says, " or ".join(sorted(kinds[kind])), kinds[kind] == {says})
        for kind, (where, says) in printed.items()
    ]


def theorem_4_1() -> list[Claim]:
    """Return the theorem's statements: value, threshold, what the algorithm gives, how long a turn may last."""
    beyond = range(threshold(), threshold() + 40)
    stops = all(best_actions(tau, i, n) == ("s",) for tau in beyond for n in range(1, 6) for i in states_with(n))
    rolls_below = all(solved().values[x] > x.tau for x in all_states() if x.n == DICE)
    return [
        *_text("Theorem 4.1"),
        *_text("Section 4"),
        _holds("τ*(5) before rounding up, equation (4.1)", "56", str(stop_bound(5)), threshold() == 56),
        _holds("from τ = 56 on: V(x) = τ and stop", "all x", f"all x with τ < {beyond.stop}" if stops else "no", stops),
        _holds("below 56 with five dice: V(x) > τ", "all x", "all x" if rolls_below else "no", rolls_below),
    ]


def algorithms() -> list[Claim]:
    """Return how Algorithm 4.1, the preprint's appendix algorithm and the iteration from 0 agree, in rationals."""
    first, limit, grouped = algorithm_4_1(), iteration(), appendix_algorithm()
    states = list(all_states())
    possible = [x for x in states if x.tau >= x.configuration.score]
    same = sum(first.values[x] == limit.solved.values[x] for x in states)
    alike = [x for x in possible if (first.values[x], first.actions[x]) == (grouped.values[x], grouped.actions[x])]
    # Lines 15 and 19 lead from these configurations to one die more and one chip less.
    shapes = (Configuration(2, 1, 0), Configuration(1, 2, 0))
    given = {name for i in shapes for name, y in moves(State(9, i, 1)) if (y.tau, y.n) == (8, 2)}
    equations = sum(
        first.values[x] == max([Fraction(x.tau), *(value(*y) for _, y in moves(x)), _rolled(x)]) for x in states
    )
    everything = f"all {len(states)}"
    return [
        _holds("Algorithm 4.1 and the limit of Wₖ from 0 (3.6): states alike", everything, str(same), same == len(states)),
        _holds("Wₖ never falls (3.6)", "so", "so" if limit.is_monotone else "it falls", limit.is_monotone),
        _holds("Algorithm 4.1 solves (3.9): states", everything, str(equations), equations == len(states)),
        _holds(
            "appendix algorithm and Algorithm 4.1: states with τ ≥ s(i) alike",
            f"all {len(possible)}", str(len(alike)), len(alike) == len(possible),
        ),
        Claim(
            "preprint appendix, lines 15 and 19: the move", "m55, m51", " ".join(sorted(given)),
            "misprint" if given == {"m5"} else "differs", "one five is given back there; values are not affected",
        ),
    ]  # fmt: skip


def _rolled(x: State) -> Fraction:
    total = sum(count * value(*after_roll(x.tau, x.n, i)) for i, count in frequencies(x.n).items() if i != NOTHING)
    return Fraction(total, 6**x.n)


def section_5_1() -> list[Claim]:
    """Return the values of the game of stop or roll, and which moves suffice."""
    full = solved().start
    four = algorithm_4_1(("m5", "m1", "m55", "m51")).start
    return [
        *_text("Section 5.1"),
        _holds(
            "m5, m1, m55, m51 reach the full value",
            "equal",
            "equal" if four == full else f"{float(four)}",
            four == full,
        ),
    ]


def section_5_2() -> list[Claim]:
    """Return what is said of Pig: its threshold, its value, and that other functions solve its equation."""
    steps, values, other = pig_iteration(), pig_values(), other_solution()
    is_limit = steps[-1] == values
    is_above = all(
        other(tau) > arb(fmpq(worth.numerator, worth.denominator)) for tau, worth in enumerate(values) if worth > tau
    )
    gap = max(abs(float(sum(other(tau + pip) for pip in range(2, 7)) / 6 - other(tau))) for tau in range(60))
    return [
        *_text("Section 5.2"),
        _holds("V is the limit from 0, so the smallest solution", "so", "so" if is_limit else "no", is_limit),
        _holds("V(0) λ^τ solves (5.1) too", "so", f"to {gap:.0e} with V(0) = {float(other(0)):.6f}", gap < 1e-12),
        _holds("and lies above V wherever one rolls", "so", "so" if is_above else "no", is_above),
        _holds(
            "V(τ) = τ from τ* on", "τ ≥ 20", f"τ ≥ {pig_threshold()}",
            pig_threshold() == 20 and applied(20, Fraction) == 20 and values[19] > 19,
        ),
    ]  # fmt: skip


PAPER = Paper(
    "ten-thousand",
    "F. Crocce and E. Mordecki, A finite exact algorithm to solve a dice game, J. Appl. Prob. 53 (2016) 91–105; and its "
    "preprint",
    (
        Exhibit("Table 1", "What dice score", _table("Table 1")),
        Exhibit("Table 2", f"The {len(configurations())} configurations and how often they fall", _table("Table 2")),
        Exhibit("Table 3", "What one may do after a roll", table_3),
        Exhibit("Table 4", f"The actions: stop, roll and {len(MOVES)} moves", _table("Table 4")),
        Exhibit("Theorem 4.1", "The value of the game, and stopping from 56 chips on", theorem_4_1, figures.thresholds),
        Exhibit("Algorithm 4.1", "Three ways to the same rational numbers", algorithms, figures.iteration_from_zero),
        Exhibit("Table 5", "Values and actions with two to four dice left", _table("Table 5"), figures.few_dice),
        Exhibit("Table 6", "Values with five dice left", _table("Table 6"), figures.five_dice),
        Exhibit("Table 7", "Games with fewer moves", _table("Table 7"), figures.restricted),
        Exhibit("Section 5.1", "Stop or roll", section_5_1),
        Exhibit("Section 5.2", "Pig: the value is the smallest of many solutions", section_5_2, figures.pig),
    ),
)
