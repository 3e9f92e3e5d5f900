"""Results of exhibits kept on disk, under a fingerprint of the code that computed them: JSON, PNG and SVG files.

A file is written under another name and renamed, so that it is whole or not there. A file that cannot be read counts as not
there.
"""

import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from jeopardice.papers.claims import Claim
from jeopardice.store import cache_directory

SOURCES = (".py", ".toml", ".json", ".hpp", ".cpp")
SHOWING = ("cli", "web")
"""Folders that only show results; a change there changes no result."""
VERSIONS_KEPT = 4


def slug(*words: str) -> str:
    """Return words as a file name.

    >>> slug("ten-thousand", "Table 5")
    'ten-thousand-table-5'
    """
    return re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower()).strip("-")


def fingerprint(package: Path | None = None) -> str:
    """Return a hash of the source files that results depend on, the compiled kernels among them."""
    if package is None:
        from jeopardice.kernels import kernels

        package, compiled = Path(__file__).parents[1], [Path(str(kernels.__file__))]
    else:
        compiled = []
    digest = hashlib.sha256(sys.version.encode())
    sources = (path for path in package.rglob("*") if path.suffix in SOURCES)
    for path in [*sorted(sources), *compiled]:
        place = path.relative_to(package).parts if path.is_relative_to(package) else (path.name,)
        if place[0] not in SHOWING:
            contents = path.read_bytes()
            digest.update(f"{'/'.join(place)} {len(contents)}\n".encode())
            digest.update(contents)
    return digest.hexdigest()[:24]


def write_whole(path: Path, contents: bytes) -> None:
    """Write a file so that it is whole or not there: under another name first, then renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(contents)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


class ResultCache:
    """Claims and figures of the exhibits, for one state of the code. `fresh`: forget what is kept, keep what comes."""

    def __init__(self, directory: Path | None = None, *, version: str | None = None, fresh: bool = False) -> None:
        self.directory = (directory or cache_directory()) / "reproduce"
        self.kept = self.directory / (version or fingerprint())
        self._is_fresh = fresh
        self._made_now: set[str] = set()
        self._seconds = self._read_seconds()
        self._drop_old_versions()

    def claims(self, name: str) -> tuple[tuple[Claim, ...], float] | None:
        """Return the claims of an exhibit and the seconds they took, or None if they are not kept."""
        kept = self._read(f"{name}.json")
        try:
            record = json.loads(kept) if kept is not None else None
            return None if record is None else (tuple(Claim(**claim) for claim in record["claims"]), record["seconds"])
        except (ValueError, TypeError, KeyError):
            return None

    def keep_claims(self, name: str, claims: Iterable[Claim], seconds: float) -> None:
        """Keep the claims of an exhibit, and remember how long they took for the next run's estimate."""
        self._seconds[name] = seconds
        self._write(f"{name}.json", _json({"claims": [asdict(claim) for claim in claims], "seconds": seconds}))
        write_whole(self.directory / "seconds.json", _json(self._seconds))

    def figure(self, name: str) -> tuple[bytes, bytes] | None:
        """Return PNG and SVG of an exhibit, or None if they are not kept."""
        png, svg = self._read(f"{name}.png"), self._read(f"{name}.svg")
        return (png, svg) if png and svg else None

    def keep_figure(self, name: str, png: bytes, svg: bytes) -> None:
        """Keep PNG and SVG of an exhibit."""
        self._write(f"{name}.png", png)
        self._write(f"{name}.svg", svg)

    def expected_seconds(self, name: str) -> float:
        """Return how long an exhibit will take: nothing if it is kept, else as long as last time (0 if unknown)."""
        if not self._is_fresh and (self.kept / f"{name}.json").exists():
            return 1e-3
        return self._seconds.get(name, 0.0)

    def _read(self, file: str) -> bytes | None:
        if self._is_fresh and file not in self._made_now:
            return None
        try:
            return (self.kept / file).read_bytes()
        except OSError:
            return None

    def _write(self, file: str, contents: bytes) -> None:
        write_whole(self.kept / file, contents)
        self._made_now.add(file)

    def _read_seconds(self) -> dict[str, float]:
        try:
            timed = json.loads((self.directory / "seconds.json").read_bytes())
            return {str(name): float(seconds) for name, seconds in timed.items()}
        except (OSError, ValueError, AttributeError, TypeError):
            return {}

    def _drop_old_versions(self) -> None:
        with suppress(OSError):
            versions = [path for path in self.directory.iterdir() if path.is_dir() and path != self.kept]
            versions.sort(key=lambda path: path.stat().st_mtime, reverse=True)
            for old in versions[VERSIONS_KEPT - 1 :]:
                shutil.rmtree(old, ignore_errors=True)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode()
