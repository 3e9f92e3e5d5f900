"""A reproduction as files: one HTML page that needs nothing else, its figures as PNG and SVG, and a JSON file."""

import base64
import json
from html import escape
from pathlib import Path

from jeopardice.papers.claims import Claim, Paper
from jeopardice.papers.reproduction import Reproduced, Reproduction
from jeopardice.papers.reproduction_cache import write_whole

VERDICTS = ("agrees", "misprint", "unclear", "differs")
MEANINGS = {
    "agrees": "to the printed digits",
    "misprint": "the print is wrong; proof in docs/errata.md",
    "unclear": "the print can be read in several ways, or holds roughly; see the note",
    "differs": "a failure of ours",
}


def write_report(reproduction: Reproduction, directory: Path) -> list[Path]:
    """Write index.html, reproduction.json and every figure into a directory; return the files, the page first."""
    contents = {
        "index.html": html(reproduction).encode(),
        "reproduction.json": json.dumps(reproduction.as_dict(), ensure_ascii=False, indent=1).encode(),
    }
    for exhibit in reproduction.exhibits:
        if exhibit.figure is not None:
            contents[f"{exhibit.slug}.png"] = exhibit.figure.png
            contents[f"{exhibit.slug}.svg"] = exhibit.figure.svg
    for name, content in contents.items():
        write_whole(directory / name, content)
    return [directory / name for name in contents]


def html(reproduction: Reproduction) -> str:
    """Return the page: a summary, then paper by paper every exhibit with its figure and its claims."""
    body = [
        "<h1>Printed and computed</h1>",
        f"<p>{sum(reproduction.counts.values()):,} claims of {len(reproduction.papers)} papers, "
        f"{reproduction.printed_numbers:,} of them "
        "printed numbers, computed again.</p>",
        _key(reproduction),
        _contents(reproduction),
        *(_paper(paper, reproduction) for paper in reproduction.papers),
    ]
    if reproduction.left_out:
        names = ", ".join(f"{paper}: {name}" for paper, name in reproduction.left_out)
        body.append(f"<p class=note>Left out because they take long (ask with --long): {escape(names)}.</p>")
    return PAGE.format(style=STYLE, body="\n".join(body))


def _key(reproduction: Reproduction) -> str:
    items = (
        f"<li><span class={verdict}>{reproduction.counts[verdict]:,} {verdict}</span> {MEANINGS[verdict]}</li>"
        for verdict in VERDICTS
    )
    return f"<ul class=key>{''.join(items)}</ul>"


def _contents(reproduction: Reproduction) -> str:
    rows = []
    for paper in reproduction.papers:
        rows.append(f"<tr class=paper><th colspan=7><a href='#{paper.name}'>{escape(paper.name)}</a></th></tr>")
        for e in reproduction.of(paper.name):
            cells = "".join(
                f"<td class='{verdict if e.counts[verdict] else 'none'}'>{e.counts[verdict] or '·'}</td>"
                for verdict in VERDICTS
            )
            rows.append(
                f"<tr><td><a href='#{e.slug}'>{escape(e.name)}</a></td><td>{escape(e.title)}</td>{cells}"
                f"<td>{e.seconds:.1f}</td></tr>"
            )
    heads = "".join(f"<th>{head}</th>" for head in ("exhibit", "", *VERDICTS, "seconds"))
    return f"<div class=scroll><table class=contents><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"


def _paper(paper: Paper, reproduction: Reproduction) -> str:
    exhibits = "\n".join(_exhibit(exhibit) for exhibit in reproduction.of(paper.name))
    return (
        f"<section id='{paper.name}'><h2>{escape(paper.name)}</h2><p>{escape(paper.reference)}</p>{exhibits}</section>"
    )


def _exhibit(exhibit: Reproduced) -> str:
    parts = [f"<article id='{exhibit.slug}'><h3>{escape(exhibit.name)}: {escape(exhibit.title)}</h3>"]
    if exhibit.figure is not None:
        coded = base64.b64encode(exhibit.figure.svg).decode()
        caption = escape(f"{exhibit.name}: {exhibit.title}")
        parts.append(f"<img alt='{caption}' src='data:image/svg+xml;base64,{coded}'>")
    if not exhibit.claims:
        return "".join([*parts, "</article>"])
    others = [claim for claim in exhibit.claims if claim.verdict != "agrees"]
    counts = ", ".join(f"{exhibit.counts[v]:,} {v}" for v in VERDICTS if exhibit.counts[v])
    if others:
        parts.append(_table(others))
    if len(exhibit.claims) > len(others):
        is_open = " open" if len(exhibit.claims) <= 16 and not others else ""
        parts.append(f"<details{is_open}><summary>all {len(exhibit.claims):,} claims ({counts})</summary>")
        parts.append(_table(exhibit.claims) + "</details>")
    return "".join([*parts, "</article>"])


def _table(claims: tuple[Claim, ...] | list[Claim]) -> str:
    rows = "".join(
        f"<tr><td>{escape(c.what)}{f'<br><small>{escape(c.note)}</small>' if c.note else ''}</td>"
        f"<td class=number>{escape(c.printed)}</td><td class=number>{escape(c.ours)}</td>"
        f"<td><span class={c.verdict}>{c.verdict}</span></td></tr>"
        for c in claims
    )
    return (
        "<div class=scroll><table><thead><tr><th>claim</th><th>printed</th><th>ours</th><th>verdict</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


PAGE = """<!doctype html>
<html lang=en>
<head>
<meta charset=utf-8>
<meta name=viewport content="width=device-width, initial-scale=1">
<meta name=color-scheme content="light dark">
<title>jeopardice: printed and computed</title>
<style>{style}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""

STYLE = """
:root { --page: #ffffff; --ink: #1c1c1e; --soft: #5c5c63; --line: #d9d9de; --link: #1f5fa8;
  --good: #1a7f37; --bad: #c0262d; --slip: #9a6700; --open: #6639ba; }
@media (prefers-color-scheme: dark) {
  :root { --page: #16171a; --ink: #e7e7ea; --soft: #a3a3ad; --line: #35363c; --link: #7fb4f0;
    --good: #57c271; --bad: #ff7b76; --slip: #e3b341; --open: #b392f0; }
  img { filter: brightness(0.9); }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
h3 { margin: 2rem 0 0.6rem; font-size: 1.05rem; }
a { color: var(--link); }
img { display: block; width: 100%; max-width: 50rem; background: #ffffff;
  border-radius: 6px; padding: 0.5rem; margin: 0.5rem 0 1rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.88rem; }
th, td { text-align: left; padding: 0.25rem 0.6rem 0.25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--soft); } tr.paper th { padding-top: 1rem; }
.contents td:nth-child(n+3), .contents th:nth-child(n+3) { text-align: right; font-variant-numeric: tabular-nums; }
.number { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; min-width: 6rem; }
.scroll { overflow-x: auto; } small, .note { color: var(--soft); }
summary { cursor: pointer; color: var(--link); margin: 0.5rem 0; }
.key { list-style: none; padding: 0; } .key span { display: inline-block; min-width: 9rem; font-weight: 600; }
.agrees { color: var(--good); } .misprint { color: var(--slip); } .unclear { color: var(--open); }
.differs { color: var(--bad); font-weight: 700; } .none { color: var(--line); }
"""
