"""Everything the papers print, beside ours: nothing differs, misprints are on record, the report needs nothing else."""

import base64
import json
import os
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from jeopardice.cli import main
from jeopardice.papers import reproduction
from jeopardice.papers.claims import Claim, Exhibit, Paper
from jeopardice.papers.report import html, write_report
from jeopardice.papers.reproduction import MODULES, Reproduced, Reproduction, drawn, load_paper, painted, reproduce
from jeopardice.papers.reproduction_cache import ResultCache, fingerprint, slug, write_whole
from jeopardice.papers.results_table import (
    CHOSEN,
    between_marks,
    chosen_rows,
    count_rows,
    solved_rows,
    write_results,
)
from jeopardice.store import cache_directory

ROOT = Path(__file__).parents[1]
SLOW = {("minimax-pig", "Section 3.2, simulation")}
DRAWN = [
    pytest.param(exhibit, id=slug(name, exhibit.name))
    for name in ("ten-thousand", "cant-stop", "minimax-pig")
    for exhibit in load_paper(name).exhibits
    if exhibit.draw is not None and not exhibit.long
]


@pytest.fixture(scope="module")
def found() -> Reproduction:
    """Every exhibit that takes no more than some seconds."""
    papers = tuple(load_paper(name) for name in MODULES)
    quick = [(p.name, e) for p in papers for e in p.exhibits if not e.long and (p.name, e.name) not in SLOW]
    done = [Reproduced(p, e.name, e.title, tuple(e.check()) if e.check else (), 0.0) for p, e in quick]
    return Reproduction(papers, tuple(done), ())


# What the papers print


def test_nothing_differs_from_print_without_a_reason(found: Reproduction) -> None:
    assert [(e.paper, e.name, c) for e in found.exhibits for c in e.claims if c.verdict == "differs"] == []
    assert found.holds


def test_more_than_a_thousand_printed_numbers_are_checked(found: Reproduction) -> None:
    assert found.printed_numbers > 1200
    assert {
        name: sum(any(map(str.isdigit, c.printed)) for e in found.of(name) for c in e.claims) >= 20 for name in MODULES
    } == (dict.fromkeys(MODULES, True))


def test_whatever_does_not_agree_says_why(found: Reproduction) -> None:
    assert all(claim.note for e in found.exhibits for claim in e.claims if claim.verdict != "agrees")


def test_every_misprint_is_in_the_errata(found: Reproduction) -> None:
    """A line of the paper's part that names the place and shows what is printed."""
    parts = re.split(r"\n## ", (ROOT / "docs" / "errata.md").read_text("utf-8"))
    lines = {part.partition(":")[0]: part.splitlines() for part in parts[1:]}
    for exhibit in found.exhibits:
        place = exhibit.name.removeprefix("Section ").lower()
        for claim in exhibit.claims:
            if claim.verdict == "misprint":
                shown = "" if claim.printed == "so" else claim.printed.rstrip(".")
                assert any(place in line.lower() and shown in line for line in lines[exhibit.paper]), claim


def test_every_part_of_the_papers_is_there() -> None:
    names = {name: {e.name for e in load_paper(name).exhibits} for name in MODULES}
    assert names["ten-thousand"] >= {f"Table {n}" for n in range(1, 8)} | {"Theorem 4.1", "Algorithm 4.1"}
    assert names["ten-thousand"] >= {"Section 5.1", "Section 5.2"}
    assert names["cant-stop"] >= {"Figure 1", "Table 1", "Table 2", "Algorithm 1", "Algorithm 2", "Algorithm 3"}
    assert names["dice-race"] >= {f"Figure {n}" for n in range(1, 16)}
    assert names["minimax-pig"] >= {f"Figure {n}" for n in range(1, 7)} | {"Table 1", "Section 3.2", "Section 4.1"}


def test_exhibits_have_names_of_their_own() -> None:
    names = [slug(name, e.name) for name in MODULES for e in load_paper(name).exhibits]
    assert len(names) == len(set(names))


def test_an_unknown_paper_is_refused_with_the_list() -> None:
    with pytest.raises(ValueError, match="the papers are ten-thousand, cant-stop, dice-race, minimax-pig; got 'poker'"):
        reproduce(["poker"])


@pytest.mark.slow
def test_the_long_exhibits_do_not_differ_either() -> None:
    found = reproduce(["cant-stop"], long=True)
    assert found.holds and not found.left_out
    states = [c for e in found.exhibits if e.name == "Table 2" for c in e.claims if c.what.endswith("states")]
    assert [c.printed for c in states if c.verdict != "agrees"] == ["8842", "159376"]


# Figures and the report


@pytest.mark.parametrize("exhibit", DRAWN)
def test_every_figure_draws_something(exhibit: Exhibit) -> None:
    figure = painted(exhibit)
    figure.set_dpi(40)
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())[:, :, :3]
    dark = (pixels.min(axis=2) < 200).mean()
    assert 0.005 < dark < 0.9
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20
    titles = [axes.title if axes.get_title() else axes._left_title for axes in figure.axes]
    ends = [title.get_window_extent().x1 for title in titles if title.get_text()]
    assert max(ends) <= pixels.shape[1], "a title runs out of the picture"


def _painted(figure: object) -> None:
    figure.subplots().plot([1, 4, 2])  # type: ignore[attr-defined]


CLAIMS = (Claim("the sum of 2 < 3", "5", "5", "agrees"), Claim("<b>", "7", "8", "misprint", "a slip & its proof"))
LITTLE = Paper("little", "A. Uthor, On little", (
    Exhibit("Table 1", "Sums", lambda: list(CLAIMS), _painted),
    Exhibit("Table 2", "Later", lambda: [Claim("late", "1", "1", "agrees")], long=True),
))  # fmt: skip


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> Paper:
    monkeypatch.setattr(reproduction, "load_paper", lambda name: LITTLE)
    return LITTLE


def test_a_figure_is_the_same_bytes_every_time() -> None:
    first, second = drawn(LITTLE.exhibits[0]), drawn(LITTLE.exhibits[0])
    assert first == second
    assert first.png.startswith(b"\x89PNG") and b"<svg" in first.svg


def test_the_report_is_one_page_that_needs_nothing_else(little: Paper, tmp_path: Path) -> None:
    page, *others = write_report(reproduce(["little"], figures=True), tmp_path / "report")
    text = page.read_text("utf-8")
    assert re.findall(r"(?:src|href)=(?!'data:|'#)", text) == []
    assert not re.search(r"https?://|@import|url\(", text)
    assert "prefers-color-scheme: dark" in text
    coded = re.findall(r"data:image/svg\+xml;base64,([^']+)", text)
    assert len(coded) == 1 and b"<svg" in base64.b64decode(coded[0])
    assert sorted(path.name for path in others) == ["little-table-1.png", "little-table-1.svg", "reproduction.json"]
    assert sorted(path.name for path in page.parent.iterdir()) == sorted(path.name for path in (page, *others))
    assert json.loads((page.parent / "reproduction.json").read_text("utf-8"))["counts"]["misprint"] == 1


def test_the_report_escapes_and_shows_what_is_left_out(little: Paper) -> None:
    text = html(reproduce(["little"]))
    assert "&lt;b&gt;" in text and "a slip &amp; its proof" in text and "the sum of 2 &lt; 3" in text
    assert "little: Table 2" in text


def test_long_exhibits_run_only_when_asked(little: Paper) -> None:
    assert reproduce(["little"]).left_out == (("little", "Table 2"),)
    assert [e.name for e in reproduce(["little"], long=True).exhibits] == ["Table 1", "Table 2"]


# What is kept


def test_results_are_kept_and_computed_again_when_the_code_changes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    runs: list[str] = []

    def check() -> list[Claim]:
        runs.append("run")
        return list(CLAIMS)

    counted = Paper("little", "", (Exhibit("Table 1", "Sums", check, _painted),))
    monkeypatch.setattr(reproduction, "load_paper", lambda name: counted)

    def run(version: str, fresh: bool = False) -> Reproduced:
        cache = ResultCache(tmp_path, version=version, fresh=fresh)
        return reproduce(["little"], figures=True, cache=cache).exhibits[0]

    first, second = run("a"), run("a")
    assert (len(runs), first.was_kept, second.was_kept) == (1, False, True)
    assert (second.claims, second.figure, second.seconds) == (first.claims, first.figure, first.seconds)
    assert not run("b").was_kept and len(runs) == 2
    assert not run("b", fresh=True).was_kept and len(runs) == 3
    assert run("a").was_kept and len(runs) == 3
    (tmp_path / "reproduce" / "a" / "little-table-1.json").write_text("{torn")
    assert not run("a").was_kept and len(runs) == 4
    assert not list(tmp_path.rglob("*.pkl")) and not list(tmp_path.rglob(".*"))


def test_the_fingerprint_follows_rules_and_kernels_but_not_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "cli").mkdir()
    rules, shown, numbers = tmp_path / "games" / "pig.py", tmp_path / "cli" / "show.py", tmp_path / "printed.toml"
    for path in (rules, shown, numbers):
        path.write_text("1")
    first = fingerprint(tmp_path)
    shown.write_text("2")
    assert fingerprint(tmp_path) == first
    rules.write_text("2")
    changed = fingerprint(tmp_path)
    numbers.write_text("2")
    assert len({first, changed, fingerprint(tmp_path)}) == 3
    assert len(fingerprint()) == 24


def test_old_versions_are_dropped_and_times_remembered(tmp_path: Path) -> None:
    for number in range(8):
        cache = ResultCache(tmp_path, version=f"v{number}")
        cache.keep_claims("x", CLAIMS, 2.5)
        os.utime(cache.kept, (number, number))
    assert len([path for path in (tmp_path / "reproduce").iterdir() if path.is_dir()]) <= 5
    assert ResultCache(tmp_path, version="new").expected_seconds("x") == 2.5
    assert ResultCache(tmp_path, version="new").expected_seconds("y") == 0


def test_the_cache_directory_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JEOPARDICE_CACHE", str(tmp_path))
    assert cache_directory() == tmp_path


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError, match="taken"):
        write_whole(tmp_path / "taken", b"x")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


# The command


def test_the_command_says_what_holds(
    little: Paper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JEOPARDICE_CACHE", str(tmp_path / "cache"))
    assert main(["reproduce", "little", "--out", str(tmp_path / "out")]) == 0
    shown = capsys.readouterr().out
    assert "misprint" in shown and "a slip & its proof" in shown and "the sum of 2 < 3" not in shown
    assert "1 agrees, 1 misprint, 0 unclear, 0 differs" in shown and "--long" in shown
    assert (tmp_path / "out" / "index.html").exists()
    assert main(["reproduce", "little", "--all"]) == 0
    assert "the sum of 2 < 3" in capsys.readouterr().out


def test_the_command_prints_one_json_object(
    little: Paper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JEOPARDICE_CACHE", str(tmp_path))
    assert main(["reproduce", "little", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["holds"] and found["counts"] == {"agrees": 1, "misprint": 1, "unclear": 0, "differs": 0}
    assert found["papers"][0]["exhibits"][0]["claims"][1]["note"] == "a slip & its proof"


def test_exit_code_1_if_something_differs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Paper("little", "", (Exhibit("Table 1", "", lambda: [Claim("x", "1", "2", "differs")]),))
    monkeypatch.setattr(reproduction, "load_paper", lambda name: wrong)
    monkeypatch.setenv("JEOPARDICE_CACHE", str(tmp_path))
    assert main(["reproduce", "little"]) == 1


def test_exit_code_2_for_a_paper_that_is_not_there(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", "from jeopardice.cli import main; main()", "reproduce", "poker"],
        capture_output=True, text=True, check=False, env={**os.environ, "JEOPARDICE_CACHE": str(tmp_path)},
    )  # fmt: skip
    assert run.returncode == 2
    assert (
        run.stderr.strip() == "jeopardice: the papers are ten-thousand, cant-stop, dice-race, minimax-pig; got 'poker'"
    )


def test_a_missing_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def needs_more(name: str) -> Paper:
        raise ModuleNotFoundError("No module named 'scipy'", name="scipy")

    monkeypatch.setattr(reproduction, "load_paper", needs_more)
    monkeypatch.setenv("JEOPARDICE_CACHE", str(tmp_path))
    assert main(["reproduce"]) == 2
    assert capsys.readouterr().err == "jeopardice: this needs scipy; install it with: pip install 'jeopardice[all]'\n"


# The README


def test_the_readme_shows_what_comes_out() -> None:
    """If not: jeopardice reproduce --readme README.md."""
    shown = between_marks((ROOT / "README.md").read_text("utf-8"))
    claims = {
        (name, exhibit.name, claim.what): claim
        for name in {paper for paper, _, _, _ in CHOSEN}
        for exhibit in load_paper(name).exhibits
        if exhibit.check is not None and any(chosen[:2] == (name, exhibit.name) for chosen in CHOSEN)
        for claim in exhibit.check()
    }
    assert shown.startswith("\n".join([*solved_rows(), "", *chosen_rows(claims)]))


@pytest.mark.slow
def test_the_readme_counts_what_was_checked() -> None:
    """If not: jeopardice reproduce --readme README.md."""
    shown = between_marks((ROOT / "README.md").read_text("utf-8"))
    assert shown.endswith("\n".join(count_rows(reproduce())))


def test_results_are_written_between_the_marks_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from jeopardice.papers import results_table

    monkeypatch.setattr(results_table, "results", lambda found: "| new |")
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- results -->\n| old |\n<!-- /results -->\nafter\n")
    write_results(Reproduction((), (), ()), page)
    assert page.read_text() == "before\n<!-- results -->\n| new |\n<!-- /results -->\nafter\n"
    page.write_text("no marks")
    with pytest.raises(ValueError, match="<!-- results -->"):
        write_results(Reproduction((), (), ()), page)


def test_figures_kept_as_png_can_be_opened() -> None:
    from PIL import Image

    image = Image.open(BytesIO(drawn(LITTLE.exhibits[0]).png))
    assert image.size == (1040, 624)
