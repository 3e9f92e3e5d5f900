"""The documentation site builds without a warning, and nothing in it is loaded from another host."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOADED = re.compile(r"""<(?:script|link|img|iframe|source)\b[^>]*\b(?:src|href)=["']?(https?://[^"'\s>]+)""")


def test_the_site_builds_offline_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr  # not --quiet, which makes --strict deaf to warnings
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > len(list((ROOT / "docs").glob("*.md")))
    foreign = {(page.name, host) for page in pages for host in LOADED.findall(page.read_text("utf-8"))}
    assert not foreign


def test_every_page_is_in_the_menu() -> None:
    menu = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert not [page.name for page in (ROOT / "docs").glob("*.md") if f": {page.name}" not in menu]
