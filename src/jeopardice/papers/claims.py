"""What a paper prints, beside what we compute.

A `Paper` is a list of `Exhibit`s named as printed: a table, a figure, a numbered claim. An exhibit's `check` computes our
side live and returns one `Claim` per printed figure; its `draw` paints on the matplotlib figure it is given. Verdicts:
`agrees` to the printed digits; `misprint` where the print is wrong and a proof by computation stands in docs/errata.md;
`unclear` where the print can be read in several ways and the note says which reading gives what; `differs` is a failure
of ours.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Verdict = Literal["agrees", "misprint", "unclear", "differs"]


@dataclass(frozen=True)
class Claim:
    """One printed figure or statement and ours beside it, both as text."""

    what: str
    printed: str
    ours: str
    verdict: Verdict
    note: str = ""


@dataclass(frozen=True)
class Exhibit:
    """A table, figure or section of a paper; `long` ones take more than a few seconds and are asked for."""

    name: str
    title: str
    check: Callable[[], list[Claim]] | None = None
    draw: Callable[["Figure"], None] | None = None
    long: bool = False


@dataclass(frozen=True)
class Paper:
    """A paper: the name it is called by, its reference, and its exhibits in the order of print."""

    name: str
    reference: str
    exhibits: tuple[Exhibit, ...]


def rounds_to(value: Any, printed: str) -> bool:
    """Whether a value, rounded or cut off to the digits printed, is what is printed.

    >>> rounds_to(0.53059272527, "0.5306"), rounds_to(8.14179, "8.1417..."), rounds_to(2.5, "2.4")
    (True, True, False)
    """
    text = printed.strip().rstrip(".…").replace(" ", "").replace(",", "").lstrip("+")
    decimals = len(text.partition(".")[2])
    shown = f"{float(value):.{decimals}f}"
    if shown == text or shown == "0" + text:
        return True
    cut = int(float(value) * 10**decimals) / 10**decimals
    return printed.strip().endswith((".", "…")) and f"{cut:.{decimals}f}" in (text, "0" + text)


def compared(what: str, printed: str, value: Any, *, digits: int = 12, misprint: str = "", unclear: str = "") -> Claim:
    """Return the claim about a printed number; a note on why it may not agree decides how a difference is judged."""
    ours = f"{float(value):.{digits}g}"
    if rounds_to(value, printed):
        return Claim(what, printed, ours, "agrees")
    verdict: Verdict = "misprint" if misprint else "unclear" if unclear else "differs"
    return Claim(what, printed, ours, verdict, misprint or unclear)
