"""Every figure printed in the two versions of the Ten Thousand paper beside ours, computed now.

A figure agrees when ours, rounded to the digits printed, is the same; an empty cell when stopping is best there, a dash
when the cell cannot occur (the journal's dash: either). Anything else is a misprint.

>>> [cell.cell for cell in misprints("preprint") if cell.table == "text"]
['Section 5.2: growth rate']
"""

import tomllib
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from jeopardice.types import JsonObject

from .algorithms import algorithm_4_1, threshold
from .pig import growth_rate, pig_threshold, pig_values
from .rules import ACTIONS, EACH, MOVES, STOP, THREE, Action, Configuration, State, moves, states_with, table_2
from .strategy import best_actions, longest_turn, reachable_states, solved

Row = tuple[str, str, str] | tuple[str, str, str, Fraction]
"""Cell, print, ours, and ours exactly where it is a value."""
BLANK, DASHES = "", ("–", "−")


class Cell(NamedTuple):
    """One printed figure: where it stands, what is printed, what comes out (and, for a value, exactly what)."""

    version: str
    table: str
    cell: str
    printed: str
    ours: str
    exact: Fraction | None = None

    @property
    def agrees(self) -> bool:
        """Whether the print is right in every digit."""
        return self.printed == self.ours

    @property
    def verdict(self) -> str:
        """Return "agrees", "padded" (right, but for a last zero that is no digit of the value) or "misprint"."""
        if self.agrees:
            return "agrees"
        shorter = self.printed.removesuffix("0")
        is_padded = self.exact is not None and shorter != self.printed and rounded(self.exact, shorter) == shorter
        return "padded" if is_padded else "misprint"


@cache
def printed() -> JsonObject:
    """Return the figures as printed: version (journal, preprint), then table."""
    return tomllib.loads((files("jeopardice.papers") / "data" / "ten_thousand.toml").read_text(encoding="utf-8"))


def rounded(value: Fraction, like: str) -> str:
    """Return a rational with as many decimals as the figure `like` shows.

    >>> rounded(Fraction(2, 3), like="1.000")
    '0.667'
    """
    decimals = len(like.partition(".")[2])
    units = round(value * 10**decimals)
    return f"{units // 10**decimals}.{units % 10**decimals:0{decimals}d}" if decimals else str(units)


def comparison(version: str) -> tuple[Cell, ...]:
    """Return every printed figure of a version, "journal" or "preprint", beside ours."""
    page = printed()[version]
    rows = [
        *(("Table 1", *row) for row in _combinations(page["combinations"]["rows"])),
        *((page["actions"]["table"], *row) for row in _actions(page["actions"])),
        *((page["configurations"]["table"], *row) for row in _configurations(page["configurations"]["rows"])),
        *((page["few"]["table"], *row) for row in _values(page["few"], dash_may_stop=version == "journal")),
        *((page["few"]["table"], *row) for row in _left_out(page["few"])),
        *((page["five"]["table"], *row) for row in _values(page["five"], dash_may_stop=False)),
        *((page["restricted"]["table"], *row) for row in _restricted(page["restricted"]["rows"])),
        *(("text", *row) for row in _text(page["text"])),
    ]
    return tuple(Cell(version, *row) for row in rows)


def misprints(version: str) -> tuple[Cell, ...]:
    """Return the printed figures of a version that do not agree."""
    return tuple(cell for cell in comparison(version) if not cell.agrees)


def _combinations(rows: list[Any]) -> Iterator[Row]:
    for face, dice, points, chips in rows:
        ours = EACH[face] if dice == 1 else THREE[face]
        yield f"{dice} × {face}, points", points, str(50 * ours)
        yield f"{dice} × {face}, chips", chips, str(ours)


def _actions(table: JsonObject) -> Iterator[Row]:
    offered = {name for n in range(1, 5) for i in states_with(n) for name, _ in moves(State(99, i, n))}
    yield "actions", " ".join(table["names"]), " ".join(name for name in ACTIONS if name in {"s", "r"} | offered)
    used = set(solved().actions.values())
    yield "never optimal", " ".join(table["never_optimal"]), " ".join(name for name in MOVES if name not in used)


def _configurations(rows: list[Any]) -> Iterator[Row]:
    for (numbers, shown, counts), row in zip(rows, table_2(), strict=True):
        i = row.configuration
        yield "configuration", str(numbers), str(list(i))
        for name, figure, ours in zip("dcs", shown, (i.dice, i.combinations, i.score), strict=True):
            yield f"{name}({numbers})", "0" if figure in DASHES else figure, str(ours)
        for n, (figure, count) in enumerate(zip(counts, row.frequency, strict=True), start=1):
            yield f"f({n}, {numbers})", figure or "0", str(count)


def column_states(column: JsonObject, table: JsonObject, tau: int) -> list[State]:
    """Return the states that a cell of the value tables stands for."""
    n, named = column["n"], column["configurations"]
    if isinstance(named, str):
        elsewhere = [c["configurations"] for c in table["columns"] if c["n"] == n and c is not column]
        taken = [] if named == "all" else [Configuration(*i) for group in elsewhere for i in group if group != "other"]
        return [State(tau, i, n) for i in states_with(n) if i not in taken]
    return [State(tau, Configuration(*i), n) for i in named]


def _values(table: JsonObject, dash_may_stop: bool) -> Iterator[Row]:
    """Yield value and action of every cell."""
    for tau, figures in table["rows"]:
        for column, figure in zip(table["columns"], figures, strict=True):
            name = f"τ={tau}, n={column['n']}, {_named(column['configurations'])}"
            states = column_states(column, table, tau)
            if figure in (BLANK, *DASHES):
                yield name, figure, _empty(states, figure, dash_may_stop)
                continue
            (ours,) = {solved().values[x] if tau else solved().start for x in states}
            yield name, figure, rounded(ours, figure), ours
            if tau:
                # Some printed cells cannot occur either (five dice with 1 to 4 chips): then all their states count.
                can_occur = [x for x in states if x in reachable_states()]
                yield f"{name}, action", column["action"], _action(can_occur or states)


def _empty(states: list[State], figure: str, dash_may_stop: bool) -> str:
    """Return what an empty cell ought to show: what it shows if that is right, else a dash or the missing values."""
    can_occur = [x for x in states if x in reachable_states()]
    is_stop = all(best_actions(*x) == (STOP,) for x in can_occur)
    if figure == BLANK or dash_may_stop:
        return figure if is_stop else " ".join(rounded(solved().values[x], "0.000") for x in can_occur)
    return BLANK if can_occur else figure


def _action(states: list[State]) -> Action:
    return " or ".join(sorted({" = ".join(best_actions(*x)) for x in states}))


def _left_out(table: JsonObject) -> Iterator[Row]:
    """Yield the action of every state that the caption says is a stop: omitted columns, omitted rows."""
    shown = max(tau for tau, _ in table["rows"])
    cells = [(column, tau) for column in table["left_out"] for tau in range(1, threshold())]
    cells += [(column, tau) for column in table["columns"] for tau in range(shown + 1, threshold())]
    for column, tau in cells:
        for x in column_states(column, table, tau):
            if x in reachable_states():
                yield f"τ={tau}, n={x.n}, {list(x.configuration)}, action (caption)", STOP, _action([x])


def _named(configurations: Any) -> str:
    return f"{configurations} i" if isinstance(configurations, str) else " ".join(map(str, configurations))


def _restricted(rows: list[Any]) -> Iterator[Row]:
    for number, named, figure in rows:
        allowed = MOVES if named == ["all"] else named
        yield f"{number} actions", number, str(2 + len(allowed))
        ours = algorithm_4_1(allowed).start
        yield f"{number} actions, value", figure, rounded(ours, figure), ours


def _text(figures: dict[str, str]) -> Iterator[Row]:
    ours: dict[str, Fraction] = {
        "Section 4: threshold with five dice": Fraction(threshold()),
        "Theorem 4.1: value of the game": solved().start,
        "Section 5.1: value of stop or roll": algorithm_4_1(()).start,
        "Section 5.2: threshold of Pig": Fraction(pig_threshold()),
        "Section 5.2: value of Pig": pig_values()[0],
    }
    for where, figure in figures.items():
        if where.endswith("growth rate"):
            yield where, figure, str(growth_rate().str(len(figure) - 1, radius=False))
        elif where.endswith("turn has ended"):
            # An upper bound: it holds as long as no turn lasts longer.
            yield where, figure, figure if longest_turn() <= int(figure) else str(longest_turn())
        else:
            yield where, figure, rounded(ours[where], figure), ours[where]
