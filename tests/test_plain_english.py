"""Readers meet plain words: a word on the list below appears in no page, message, help text or docstring of a public name.

Each entry says what to write instead. Code between backticks is not prose and is not read.
"""

import ast
import inspect
import re
from pathlib import Path

import pytest

import jeopardice
from jeopardice.cli import COMMANDS, main

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "jeopardice"

EVERYWHERE = {
    r"foretold": "estimated beforehand",
    r"\banew\b": "again",
    r"likewise": "in the same way, also",
    r"thereof|hitherto|whence|wherein|herein|hereby|thereby|whilst|amongst": "a common word",
    r"whoever|whomever": "the player who, anybody who",
    r"\bcounts? as such\b|\bis as such\b": "say what it counts as",
    r"\bso many (?!that)(?=\w+ ?\w* ?\w* ?[.,;:)]|bits|numbers|times|rolls|turns|points)": "this many, or the number",
    r"\b(best|those|which|what|moments|cores|player) there (is|are) ?[.,;:)]": "say which ones",
    r"thousand million": "billion",
    r"\bpig(s|ged)? out\b|\bsub-states?\b|\bgame states?\b": "the word of the glossary: bust, moment, position",
}
"""Words that nobody should meet in this project, and what to write instead."""

FOR_READERS = EVERYWHERE | {
    r"\b(the|its|their) worth\b|\bworths\b|\butilit(y|ies)\b": "the value",
    r"\blaws?\b": "the distribution",
    r"\bprobs?\b(?!\.)": "the chance",
    r"\b(analyz|optimiz|maximiz|minimiz|summariz|normaliz|recogniz)|\bbehavior|\bcolor(s|ed)?\b|\bneighbor|\bcenter\b": (
        "British spelling"
    ),
    r"\b(leverag|utiliz|utilis|seamless|delv)": "a common word",
}
"""The same for pages, help texts and docstrings of public names."""


def without_code(text: str) -> str:
    """Return Markdown or a docstring without its code, so that only prose is left."""
    text = re.sub(r"```.*?```|<!--.*?-->", " ", text, flags=re.S)
    text = re.sub(r"(?m)^ *(>>>|\.\.\.).*$|^ {4,}.*$", " ", text)
    return re.sub(r"`[^`]*`|https?://\S+|\]\([^)]*\)", " ", text)


def docstring(name: str) -> str:
    """Return the docstrings of a public name and of all its public methods."""
    value = getattr(jeopardice, name)
    members = vars(value).items() if inspect.isclass(value) else ()
    inside = [inspect.getdoc(member) or "" for key, member in members if not key.startswith("_")]
    return "\n".join([inspect.getdoc(value) or "", *(text for text in inside if "built-in" not in text)])


def strings(path: Path) -> str:
    """Return every text in a module with more than one word: docstrings, messages, help."""
    tree = ast.parse(path.read_text("utf-8"))
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return "\n".join(text for text in texts if " " in text)


def script_texts(path: Path) -> str:
    """Return the texts of a page or a script of the web page: its markup, or its quoted texts."""
    text = path.read_text("utf-8")
    quoted = re.findall(r"\"[^\"\n]* [^\"\n]*\"|'[^'\n]* [^'\n]*'|`[^`]* [^`]*`", text)
    return text if path.suffix == ".html" else "\n".join(quoted)


def unwanted(text: str, words: dict[str, str]) -> list[str]:
    """Return the words of a text that are on the list, each with its neighbours and what to write instead."""
    line = " ".join(text.split())
    return [
        f"...{line[max(0, hit.start() - 40) : hit.end() + 40]}... (write: {better})"
        for pattern, better in words.items()
        for hit in re.finditer(pattern, line, re.IGNORECASE)
    ]


PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages(page):
    assert not unwanted(without_code(page.read_text("utf-8")), FOR_READERS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help(command, capsys):
    assert main([command, "--help"]) == 0
    text = re.sub(r"--what law --out law|variance, law|_law\b", "", capsys.readouterr().out)  # words to type
    assert not unwanted(text, FOR_READERS)


@pytest.mark.parametrize("name", jeopardice.__all__)
def test_docstrings_of_public_names(name):
    assert not unwanted(without_code(docstring(name)), FOR_READERS)


def test_texts_of_every_module():
    found = {path.name: unwanted(without_code(strings(path)), EVERYWHERE) for path in SOURCE.rglob("*.py")}
    assert not {name: words for name, words in found.items() if words}


def test_texts_of_the_web_page():
    files = [path for path in SOURCE.rglob("*") if path.suffix in (".html", ".js") and "plotly" not in path.name]
    assert files
    found = {path.name: unwanted(script_texts(path), EVERYWHERE) for path in files}
    assert not {name: words for name, words in found.items() if words}


def test_the_list_catches_what_it_should():
    text = (
        "It was foretold that the players, whoever they are, roll so many times; see `anew` for the moments there are."
    )
    assert len(unwanted(without_code(text), EVERYWHERE)) == 4
    assert not unwanted(without_code("So many boards are solved that a list is long.\n\n    whoever\n"), EVERYWHERE)


def test_the_glossary_is_sorted_and_used():
    page = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    terms = re.findall(r"^\| \*\*(.+?)\*\*", page, re.M)
    assert terms == sorted(set(terms), key=str.lower)
    others = "\n".join(other.read_text("utf-8") for other in PAGES if other.name != "glossary.md").lower()
    assert not [term for term in terms if term.lower() not in others]
