"""The documentation shows what the program prints."""

import re
from pathlib import Path

from click.testing import CliRunner

from jeopardice import Pig, Race
from jeopardice.cli import jeopardice
from jeopardice.family import family_of

DOCS = Path(__file__).parent.parent / "docs"


def lines_of(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if line.strip()]


def test_the_commands_of_the_tutorial_print_what_it_shows() -> None:
    blocks = re.findall(r"```console\n\$ jeopardice (.*)\n((?:.*\n)*?)```", (DOCS / "tutorial.md").read_text("utf-8"))
    assert len(blocks) == 3
    for command, shown in blocks:
        printed = CliRunner().invoke(jeopardice, command.split())
        assert printed.exit_code == 0 and lines_of(printed.stdout) == lines_of(shown)


def test_every_strategy_with_a_name_is_listed() -> None:
    table = re.findall(r"^\| `([\w-]+)` \| (.*) \|$", (DOCS / "command-line.md").read_text("utf-8"), re.MULTILINE)
    goal = Race(Pig(), 100, players=2)
    assert dict(table) == family_of(goal.game).strategies(goal)
