"""Everything the papers print, computed again: run the exhibits, keep the results, count the verdicts.

A result belongs to the code that computed it: it is kept under a fingerprint of the package's source files, so a second
run is quick, and any change to rules, solvers or kernels computes afresh. Claims are kept as JSON, figures as PNG and SVG.
"""

import io
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import Any

from jeopardice.papers.claims import Claim, Exhibit, Paper
from jeopardice.papers.reproduction_cache import ResultCache, slug
from jeopardice.types import JsonObject

MODULES = {
    "ten-thousand": "jeopardice.papers.ten_thousand.exhibits",
    "cant-stop": "jeopardice.papers.cant_stop",
    "dice-race": "jeopardice.papers.dice_race",
    "minimax-pig": "jeopardice.papers.minimax_pig_exhibits",
}
"""The papers by the name they are called by, and the module whose PAPER each is; loaded when asked for."""

DOTS_PER_INCH = 130
Report = Callable[[str, float, float], None]
"""Called before each exhibit with its name, the seconds behind and the seconds of the whole run, both estimates."""


@dataclass(frozen=True)
class Figure:
    """A picture, twice: pixels and lines."""

    png: bytes
    svg: bytes


@dataclass(frozen=True)
class Reproduced:
    """An exhibit with its claims; `seconds` is what the computation took, now or when it was kept."""

    paper: str
    name: str
    title: str
    claims: tuple[Claim, ...]
    seconds: float
    figure: Figure | None = None
    was_kept: bool = False

    @property
    def counts(self) -> Counter[str]:
        """How often each verdict was given."""
        return Counter(claim.verdict for claim in self.claims)

    @property
    def slug(self) -> str:
        """A name for files, such as ten-thousand-table-5."""
        return slug(self.paper, self.name)


@dataclass(frozen=True)
class Reproduction:
    """The exhibits that were computed, by paper, and those left out because they take long."""

    papers: tuple[Paper, ...]
    exhibits: tuple[Reproduced, ...]
    left_out: tuple[tuple[str, str], ...]

    def of(self, paper: str) -> tuple[Reproduced, ...]:
        """Return the exhibits of a paper, in the order of print."""
        return tuple(exhibit for exhibit in self.exhibits if exhibit.paper == paper)

    @property
    def counts(self) -> Counter[str]:
        """How often each verdict was given."""
        return sum((exhibit.counts for exhibit in self.exhibits), Counter())

    @property
    def printed_numbers(self) -> int:
        """How many of the claims are about a printed number."""
        return sum(any(map(str.isdigit, claim.printed)) for e in self.exhibits for claim in e.claims)

    @property
    def holds(self) -> bool:
        """Whether nothing differs from print without a reason."""
        return not self.counts["differs"]

    def as_dict(self) -> JsonObject:
        """Return everything but the pictures, ready for JSON."""
        return {
            "holds": self.holds,
            "counts": {verdict: self.counts[verdict] for verdict in ("agrees", "misprint", "unclear", "differs")},
            "printed_numbers": self.printed_numbers,
            "seconds": sum(exhibit.seconds for exhibit in self.exhibits),
            "papers": [
                {
                    "name": paper.name,
                    "reference": paper.reference,
                    "exhibits": [
                        {
                            "name": e.name, "title": e.title, "seconds": e.seconds, "counts": dict(e.counts),
                            "claims": [asdict(claim) for claim in e.claims],
                        }
                        for e in self.of(paper.name)
                    ],
                }
                for paper in self.papers
            ],
            "left_out": [{"paper": paper, "exhibit": name} for paper, name in self.left_out],
        }  # fmt: skip


def load_paper(name: str) -> Paper:
    """Return a paper by the name it is called by."""
    if name not in MODULES:
        raise ValueError(f"the papers are {', '.join(MODULES)}; got {name!r}")
    paper: Paper = import_module(MODULES[name]).PAPER
    return paper


def reproduce(
    names: Iterable[str] = (),
    *,
    long: bool = False,
    figures: bool = False,
    cache: ResultCache | None = None,
    report: Report | None = None,
) -> Reproduction:
    """Compute every exhibit of these papers (none named: all), the `long` ones if asked for, and draw the `figures`.

    Without a `cache` everything is computed now and nothing is kept.
    """
    papers = [load_paper(name) for name in (tuple(dict.fromkeys(names)) or MODULES)]
    asked = [(paper.name, e) for paper in papers for e in paper.exhibits if long or not e.long]
    left_out = [(paper.name, e.name) for paper in papers for e in paper.exhibits if e.long and not long]
    expected = [0.0 if cache is None else cache.expected_seconds(slug(paper, e.name)) for paper, e in asked]
    usual = max(0.2, sum(expected) / max(1, len(expected)))
    expected = [seconds or usual for seconds in expected]
    reproduced = []
    for place, (paper, exhibit) in enumerate(asked):
        if report is not None:
            report(f"{paper}: {exhibit.name}", sum(expected[:place]), sum(expected))
        reproduced.append(_reproduced(paper, exhibit, figures, cache))
    return Reproduction(tuple(papers), tuple(reproduced), tuple(left_out))


def _reproduced(paper: str, exhibit: Exhibit, with_figure: bool, cache: ResultCache | None) -> Reproduced:
    name = slug(paper, exhibit.name)
    kept = cache.claims(name) if cache is not None else None
    if kept is not None:
        claims, seconds = kept
    else:
        started = time.perf_counter()
        claims = tuple(exhibit.check()) if exhibit.check is not None else ()
        seconds = time.perf_counter() - started
        if cache is not None:
            cache.keep_claims(name, claims, seconds)
    figure = _figure(name, exhibit, cache) if with_figure and exhibit.draw is not None else None
    return Reproduced(paper, exhibit.name, exhibit.title, claims, seconds, figure, kept is not None)


def _figure(name: str, exhibit: Exhibit, cache: ResultCache | None) -> Figure:
    kept = cache.figure(name) if cache is not None else None
    figure = Figure(*kept) if kept is not None else drawn(exhibit)
    if cache is not None and kept is None:
        cache.keep_figure(name, figure.png, figure.svg)
    return figure


def drawn(exhibit: Exhibit) -> Figure:
    """Draw the figure of an exhibit, without a display, and the same bytes every time."""
    import matplotlib

    files = (io.BytesIO(), io.BytesIO())
    with matplotlib.rc_context({"svg.hashsalt": "jeopardice", "svg.fonttype": "path"}):
        canvas = painted(exhibit)
        canvas.savefig(files[0], format="png", dpi=DOTS_PER_INCH, metadata={"Software": None})
        canvas.savefig(files[1], format="svg", metadata={"Date": None})
    return Figure(files[0].getvalue(), files[1].getvalue())


def painted(exhibit: Exhibit) -> Any:
    """Return a matplotlib figure with the exhibit painted on it, in our style."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    assert exhibit.draw is not None
    with matplotlib.rc_context(STYLE):
        canvas = Canvas(figsize=(8.0, 4.8), layout="constrained")
        FigureCanvasAgg(canvas)
        exhibit.draw(canvas)
    return canvas


STYLE: Any = {
    "figure.facecolor": "white",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "legend.frameon": False,
}
