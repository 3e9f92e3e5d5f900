"""The version stands in three places and is the same in all; `--version`, `python -m` and shell completion answer."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import jeopardice
from jeopardice.cli import COMMANDS

ROOT = Path(__file__).parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT, WHEELS = SETTINGS["project"], SETTINGS["tool"]["cibuildwheel"]


def run(*arguments, **variables):
    command = [sys.executable, "-m", "jeopardice", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | variables)


def test_one_version_everywhere():
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert PROJECT["version"] == jeopardice.__version__
    assert f"\nversion: {jeopardice.__version__}\n" in citation
    assert f"## {jeopardice.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_the_metadata_names_every_game_and_python():
    assert all(game in PROJECT["description"] for game in ("Pig", "Farkle", "Hog", "Can't Stop", "Yahtzee"))
    assert "yahtzee" in PROJECT["keywords"]
    named = {word.rpartition(" ")[2] for word in PROJECT["classifiers"] if "Python :: 3." in word}
    assert named == {"3.11", "3.12", "3.13"}  # another one is named once its package has been built and tested
    assert {f"cp{version.replace('.', '')}-*" for version in named} == set(WHEELS["build"].split())


def test_the_version_tells_compiler_and_vectors():
    told = run("--version")
    assert told.returncode == 0 and told.stderr == ""
    start, _, kernels = told.stdout.strip().partition(" (kernels: ")
    assert start == f"jeopardice {jeopardice.__version__}"
    compiler, _, vectors = kernels.removesuffix(")").rpartition(", ")
    assert compiler.split()[0] in ("GCC", "Clang") and vectors in ("AVX2", "plain")


def test_shell_completion_knows_the_commands():
    """As the page on the command line says it; Click finds the name of the variable from the name of the program."""
    asked = {"COMP_WORDS": "jeopardice ", "COMP_CWORD": "1", "_JEOPARDICE_COMPLETE": "bash_complete"}
    code = "import sys; sys.argv = ['jeopardice']; from jeopardice.cli import main; main()"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | asked)
    assert {line.partition(",")[2] for line in told.stdout.split()} == set(COMMANDS), told.stderr
