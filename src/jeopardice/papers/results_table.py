"""The README's tables of results: values solved now, a few printed numbers beside ours, how many claims were checked."""

from pathlib import Path

from jeopardice.games.pig import Pig
from jeopardice.games.ten_thousand import TenThousand
from jeopardice.papers.claims import Claim
from jeopardice.papers.reproduction import Reproduction
from jeopardice.papers.reproduction_cache import write_whole
from jeopardice.rules.goal import Race, Turn
from jeopardice.solver import solve

BEGIN, END = "<!-- results -->", "<!-- /results -->"
VERDICTS = ("agrees", "misprint", "unclear", "differs")

CHOSEN = (
    ("ten-thousand", "Theorem 4.1", "journal: Theorem 4.1: value of the game", "best mean score of a turn, in chips of 50"),
    ("ten-thousand", "Table 7", "journal Table 7: 3 actions, value", "the same with stop, roll and m5 only"),
    ("ten-thousand", "Section 5.2", "preprint: Section 5.2: growth rate", "growth of another solution of Pig's equation"),
    ("cant-stop", "Table 1", "(3,3), optimal turns", "fewest turns of Can't Stop (3,3)"),
    ("cant-stop", "Table 1", "(4,2), optimal turns", "fewest turns of Can't Stop (4,2)"),
    ("dice-race", "Section 3", "K₂ (Strategy 3)", "turns above n/m near n = 1000 by fixed periods"),
    ("dice-race", "Section 8", "C at n = 75", "Strategy 6: the C that gains at 75 points to go"),
    ("minimax-pig", "Figure 4", "the turn is lost: a 1, 5 or 6", "landing exactly on 200 from 180 + 16: turn lost"),
    ("minimax-pig", "Section 3.2, 52 %", "share won in %, exactly, a coin deciding who begins",
     "best play against fewest turns, % won"),
)  # fmt: skip
"""Paper, exhibit, claim, and what the README calls it: exhibits that take a few seconds at most."""


SOLVED = (
    ("Ten Thousand (five dice)", "one turn", Turn(TenThousand()), "points"),
    ("Ten Thousand", "alone to 10,000", Race(TenThousand(), 10_000), "turns"),
    ("Ten Thousand", "two players to 10,000", Race(TenThousand(), 10_000, players=2), "for the first"),
    ("Pig", "one turn", Turn(Pig()), "points"),
    ("Pig", "alone to 100", Race(Pig(), 100), "turns"),
    ("Pig", "two players to 100", Race(Pig(), 100, players=2), "for the first"),
)
"""Game, goal in words, goal, and what its value counts."""


def solved_rows() -> list[str]:
    """Return the Markdown rows of values, solved now."""
    rows = ["| game | goal | value |", "|---|---|---|"]
    rows += [f"| {game} | {words} | {solve(goal).value:.10f} {counts} |" for game, words, goal, counts in SOLVED]
    return rows


def chosen_rows(claims: dict[tuple[str, str, str], Claim]) -> list[str]:
    """Return the Markdown rows of the chosen numbers, from claims by paper, exhibit and what they are about."""
    rows = ["| paper | | printed | ours | |", "|---|---|---|---|---|"]
    for paper, exhibit, what, called in CHOSEN:
        claim = claims[paper, exhibit, what]
        rows.append(f"| {paper}, {exhibit} | {called} | {claim.printed} | {claim.ours} | {claim.verdict} |")
    return rows


def count_rows(reproduction: Reproduction) -> list[str]:
    """Return the Markdown rows that count the verdicts of each paper."""
    rows = [f"| paper | tables, figures, sections | {' | '.join(VERDICTS)} |", "|---|---|" + "---|" * len(VERDICTS)]
    for paper in reproduction.papers:
        exhibits = reproduction.of(paper.name)
        counts = " | ".join(f"{sum(e.counts[verdict] for e in exhibits):,}" for verdict in VERDICTS)
        rows.append(f"| {paper.name} | {len(exhibits)} | {counts} |")
    return rows


def results(reproduction: Reproduction) -> str:
    """Return the three tables as Markdown."""
    claims = {(e.paper, e.name, claim.what): claim for e in reproduction.exhibits for claim in e.claims}
    return "\n".join([*solved_rows(), "", *chosen_rows(claims), "", *count_rows(reproduction)])


def between_marks(text: str) -> str:
    """Return what stands between the marks of a text."""
    _, begin, rest = text.partition(BEGIN)
    inside, end, _ = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the file needs a line {BEGIN} and a line {END} for the table to stand between")
    return inside.strip()


def write_results(reproduction: Reproduction, path: Path) -> None:
    """Put the tables between the marks of a file."""
    text = path.read_text("utf-8")
    between_marks(text)
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    write_whole(path, f"{before}{BEGIN}\n{results(reproduction)}\n{END}{after}".encode())
