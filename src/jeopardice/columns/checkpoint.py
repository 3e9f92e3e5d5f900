"""Long Can't Stop runs on disk: the rows done so far, in parts, so that a run survives Ctrl-C and kill -9.

Each save writes the rows finished since the last one to a file of its own, then the manifest that lists all files, their
rows and their sha256. Both are written under a temporary name, forced to disk and renamed: whatever happens, the manifest
on disk names only whole files. A part that does not match its digest is dropped and its rows are solved again, to the same
bits. A lock keeps a second run out of the directory; it ends with the process that holds it.

The certificate of a whole table takes about as long and is saved in the same way: the rows checked, and the most by which
one of their equations was missed. It counts only for the very table that the parts hold.
"""

import hashlib
import io
import json
import re
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Self

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from jeopardice.errors import StaleSolution
from jeopardice.games.cant_stop import CantStop
from jeopardice.store import manifest_digest, read_npy, write_whole
from jeopardice.types import JsonObject

FORMAT = 3
MANIFEST, LOCK = "manifest.json", ".lock"
PART = r"part-\d{6}\.npy"
NOTHING: JsonObject = {"rows": [], "missed": 0.0}
"""No row certified yet."""

Ranges = list[list[int]]
"""Rows as [first, count], in order."""


def checkpoint_directory(name: str | Path) -> Path:
    """Return the directory of a checkpoint; an empty name, which would be the current one, is refused."""
    if str(name) == "":
        raise ValueError("a checkpoint is saved in a directory, got ''; name one")
    return Path(name)


class Checkpoint:
    """The saved parts of one table, and of its certificate, in one directory."""

    def __init__(self, directory: str | Path, game: CantStop, table: NDArray[np.floating]) -> None:
        self._directory, self._table = checkpoint_directory(directory), table
        alone = replace(game, closed_to_both=True)  # that rule is for several players
        self._identity = {"format": FORMAT, "game": repr(alone), "dtype": str(table.dtype), "rows": len(table) - 1}
        self._parts: list[JsonObject] = []
        self._saved: set[int] = set()
        self._certified: JsonObject = NOTHING
        self._lock = _taken(self._directory)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self._lock.release()

    def restore(self) -> list[int]:
        """Put the saved rows into the table and return which they are."""
        manifest = self._manifest()
        for part in manifest["parts"]:
            rows, stored = from_ranges(part["rows"]), self._read(part)
            if stored is not None:
                self._table[rows] = stored
                self._add(part, rows)
        if len(self._parts) == len(manifest["parts"]):
            self._certified = manifest["certified"]
        return sorted(self._saved)

    def restore_certificate(self) -> tuple[list[int], float]:
        """Return the rows of this table that were checked, and the most by which an equation was missed."""
        manifest = self._manifest()
        for part in manifest["parts"]:
            rows = from_ranges(part["rows"])
            if _digest(self._table[rows]) == part["sha256"]:
                self._add(part, rows)
        if len(self._saved) < len(self._table) - 1:
            raise StaleSolution(f"{self._directory} does not hold this table as solved; choose another directory")
        self._certified = manifest["certified"]
        return from_ranges(self._certified["rows"]), float(self._certified["missed"])

    def save(self, finished: Iterable[int]) -> None:
        """Write the finished rows that were not saved before."""
        rows = sorted(set(finished) - self._saved)
        if not rows:
            return
        stored, buffer = self._table[rows], io.BytesIO()
        np.save(buffer, stored)
        number = 1 + max((int(part["file"][5:11]) for part in self._parts), default=0)
        name = f"part-{number:06d}.npy"
        _write(self._directory / name, buffer.getvalue())
        self._add({"file": name, "rows": as_ranges(rows), "sha256": _digest(stored)}, rows)
        self._certified = NOTHING
        self._write_manifest()

    def save_certificate(self, rows: Iterable[int], missed: float) -> None:
        """Write how far the certificate has come."""
        self._certified = {"rows": as_ranges(sorted(rows)), "missed": missed}
        self._write_manifest()

    def _add(self, part: JsonObject, rows: list[int]) -> None:
        self._parts.append(part)
        self._saved.update(rows)

    def _manifest(self) -> JsonObject:
        manifest = read_manifest(self._directory)
        if manifest is None:
            return {"parts": [], "certified": NOTHING}
        stored = {key: manifest.get(key) for key in self._identity}
        if stored != self._identity:
            raise StaleSolution(
                f"{self._directory} holds a run of {stored['game']} ({stored['dtype']}, format {stored['format']}), "
                f"not of {self._identity['game']} ({self._identity['dtype']}, format {FORMAT}); choose another directory"
            )
        return manifest

    def _write_manifest(self) -> None:
        manifest = self._identity | {"finished": len(self._saved), "saved_at": time.time(), "parts": self._parts}
        manifest["certified"] = self._certified
        manifest["digest"] = manifest_digest(manifest)
        _write(self._directory / MANIFEST, json.dumps(manifest, indent=1).encode())

    def _read(self, part: JsonObject) -> NDArray[np.floating] | None:
        stored = read_npy(self._directory / part["file"])
        if stored is None:
            return None
        fits = stored.shape == (len(from_ranges(part["rows"])), self._table.shape[1])
        return stored if fits and stored.dtype == self._table.dtype and _digest(stored) == part["sha256"] else None


def read_manifest(directory: Path) -> JsonObject | None:
    """Return the manifest of a checkpoint, checked; None if there is none yet."""
    path = directory / MANIFEST
    if not path.exists():
        return None
    damaged = StaleSolution(f"{path} is damaged; choose another directory, or delete this one to start again")
    try:
        manifest: JsonObject = json.loads(path.read_bytes())
        if manifest.get("format") != FORMAT:
            return manifest
        parts, certified, rows = manifest["parts"], manifest["certified"], manifest["rows"]
        whole = all(re.fullmatch(PART, part["file"]) and part["sha256"] for part in parts)
        ranges = sorted(each for part in parts for each in part["rows"])
        whole = (
            whole and _are_ranges(ranges, rows) and _are_ranges(certified["rows"], rows) and certified["missed"] >= 0
        )
    except (ValueError, AttributeError, KeyError, TypeError, RecursionError, OverflowError):
        raise damaged from None
    if not whole or manifest.get("digest") != manifest_digest(manifest):
        raise damaged
    return manifest


def status_of(directory: Path) -> JsonObject:
    """Return how far a run has come, from its manifest; another process may be at work in the directory."""
    manifest = read_manifest(directory)
    if manifest is None or manifest.get("format") != FORMAT:
        raise FileNotFoundError(f"{directory} holds no checkpoint of a run; name the directory given to --checkpoint")
    return {
        **{name: manifest[name] for name in ("game", "dtype", "rows", "finished", "saved_at")},
        "certified": len(from_ranges(manifest["certified"]["rows"])),
        "bytes": sum(path.stat().st_size for path in directory.glob("part-*.npy")),
        "is_running": is_running(directory),
    }


def _are_ranges(ranges: Ranges, rows: int) -> bool:
    """Are these ranges of rows in order, none of them twice?"""
    if not all(isinstance(number, int) for each in ranges for number in each):
        return False
    ends = [0, *(first + count for first, count in ranges)]
    return ends[-1] <= rows and all(
        end <= first and count > 0 for end, (first, count) in zip(ends[:-1], ranges, strict=True)
    )


def is_running(directory: Path) -> bool:
    """Is a run at work in this directory?"""
    try:
        with FileLock(directory / LOCK, timeout=0):
            return False
    except (Timeout, OSError):
        return True


def as_ranges(rows: list[int]) -> Ranges:
    """Return sorted rows as ranges.

    >>> as_ranges([0, 1, 2, 7])
    [[0, 3], [7, 1]]
    """
    starts = np.flatnonzero(np.diff(rows, prepend=-2) != 1)
    ends = np.append(starts[1:], len(rows))
    return [[rows[start], int(end - start)] for start, end in zip(starts.tolist(), ends, strict=True)]


def from_ranges(ranges: Ranges) -> list[int]:
    """Return the rows that ranges name.

    >>> from_ranges([[0, 3], [7, 1]])
    [0, 1, 2, 7]
    """
    return [row for first, count in ranges for row in range(first, first + count)]


def _taken(directory: Path) -> FileLock:
    """Return the lock of a directory, made if it is not there, or refuse a directory that is in use."""
    lock = FileLock(directory / LOCK, timeout=0)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise StaleSolution(
            f"another run is at work in {directory}; wait for it, or choose another directory"
        ) from None
    except OSError as error:
        raise type(error)(
            f"{directory} cannot hold a checkpoint ({error.strerror}); name a directory that can be written"
        ) from None
    return lock


def _digest(rows: NDArray[np.floating]) -> str:
    return hashlib.sha256(np.ascontiguousarray(rows).data).hexdigest()


def _write(path: Path, content: bytes) -> None:
    write_whole(path, content, aside=f"{path.name}.tmp", saved="the rows saved before are safe")
