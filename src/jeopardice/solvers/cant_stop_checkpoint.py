"""Long Can't Stop runs on disk: what is done so far, in parts, so that a run survives Ctrl-C and kill -9.

The rows of the table are solved in order, so a number of rows says how far a run has come. Each save writes
the rows finished since the last one to a file of its own, then the manifest that lists all files with their sha256.
Both are written under a temporary name, forced to disk and renamed: whatever happens, the manifest on disk names only
whole files. A part that does not match its sum is dropped with all after it and solved anew, to the same bits. A lock
keeps a second run out of the directory, where the system has such locks; it ends with the process that holds it.

The certificate of a whole table takes about as long and is kept likewise: how many rows were checked, and the most by
which one of their equations was missed. It counts only for the very table that the parts hold.
"""

import hashlib
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Self

import numpy as np
from numpy.typing import NDArray

from jeopardice.errors import StaleSolution
from jeopardice.games.cant_stop import CantStop
from jeopardice.store import flush_directory, manifest_digest, write_flushed

try:
    import fcntl
except ImportError:  # Windows has no such lock
    fcntl = None  # type: ignore[assignment]

FORMAT = 2
MANIFEST = "manifest.json"
PART = r"part-\d{9}\.npy"
NOTHING = {"rows": 0, "missed": 0.0}
"""No row certified yet."""


class Checkpoint:
    """The saved parts of one table, and of its certificate, in one directory."""

    def __init__(self, directory: str | Path, game: CantStop, table: NDArray[np.floating]) -> None:
        self._directory, self._table = Path(directory), table
        alone = replace(game, closed_to_both=True)  # that rule is for two
        self._identity = {"format": FORMAT, "game": repr(alone), "dtype": str(table.dtype), "rows": len(table) - 1}
        self._parts: list[dict[str, Any]] = []
        self._certified: dict[str, Any] = NOTHING
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            self._lock = (self._directory / "lock").open("a")
        except OSError as error:
            raise type(error)(
                f"{self._directory} cannot hold a checkpoint ({error.strerror}); name a directory that can be written"
            ) from None
        _take(self._lock, self._directory)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self._lock.close()

    @property
    def finished(self) -> int:
        """How many rows the parts hold."""
        return sum(part["count"] for part in self._parts)

    def restore(self) -> int:
        """Put what is saved into the table and return how many rows that are."""
        manifest = self._manifest()
        for part in manifest["parts"]:
            stored = self._read(part)
            if stored is None:
                break
            self._table[self.finished : self.finished + len(stored)] = stored
            self._parts.append(part)
        else:
            self._certified = manifest["certified"]
        return self.finished

    def restore_certificate(self) -> tuple[int, float]:
        """Return how many rows of this table were checked, and the most by which an equation was missed."""
        manifest = self._manifest()
        for part in manifest["parts"]:
            if _digest(self._rows(part["count"])) != part["sha256"]:
                break
            self._parts.append(part)
        if self.finished < len(self._table) - 1:
            raise StaleSolution(f"{self._directory} does not hold this table as solved; choose another directory")
        self._certified = manifest["certified"]
        return int(self._certified["rows"]), float(self._certified["missed"])

    def save(self, finished: int) -> None:
        """Write the rows that were finished since the last save."""
        first, count = self.finished, finished - self.finished
        if count == 0:
            return
        rows, name, buffer = self._rows(count), f"part-{first:09d}.npy", io.BytesIO()
        np.save(buffer, rows)
        _write(self._directory / name, buffer.getvalue())
        self._parts.append({"file": name, "count": count, "sha256": _digest(rows)})
        self._certified = NOTHING
        self._write_manifest()

    def save_certificate(self, rows: int, missed: float) -> None:
        """Write how far the certificate has come."""
        self._certified = {"rows": rows, "missed": missed}
        self._write_manifest()

    def _rows(self, count: int) -> NDArray[np.floating]:
        """The next `count` rows of the table."""
        return self._table[self.finished : self.finished + count]

    def _manifest(self) -> dict[str, Any]:
        path = self._directory / MANIFEST
        if not path.exists():
            return {"parts": [], "certified": NOTHING}
        damaged = StaleSolution(f"{path} is damaged; choose another directory, or delete this one to start anew")
        try:
            manifest: dict[str, Any] = json.loads(path.read_bytes())
            found = {key: manifest.get(key) for key in self._identity}
        except (ValueError, AttributeError):
            raise damaged from None
        if found != self._identity:
            raise StaleSolution(
                f"{self._directory} holds a run of {found['game']} ({found['dtype']}, format {found['format']}), "
                f"not of {self._identity['game']} ({self._identity['dtype']}); choose another directory"
            )
        try:
            parts, certified = manifest["parts"], manifest.setdefault("certified", NOTHING)
            finished = sum(part["count"] for part in parts)
            whole = all(part["count"] > 0 and re.fullmatch(PART, part["file"]) and part["sha256"] for part in parts)
            whole = whole and finished < len(self._table) and certified["rows"] in range(finished + 1)
            whole = whole and certified["missed"] >= 0
        except (KeyError, TypeError):
            raise damaged from None
        if not whole or manifest.get("digest") != manifest_digest(manifest):
            raise damaged
        return manifest

    def _write_manifest(self) -> None:
        manifest = self._identity | {"finished": self.finished, "parts": self._parts, "certified": self._certified}
        manifest["digest"] = manifest_digest(manifest)
        _write(self._directory / MANIFEST, json.dumps(manifest, indent=1).encode())

    def _read(self, part: dict[str, Any]) -> NDArray[np.floating] | None:
        try:
            stored: NDArray[np.floating] = np.load(self._directory / part["file"], allow_pickle=False)
        except (FileNotFoundError, ValueError, EOFError):
            return None
        fits = stored.shape == (part["count"], self._table.shape[1]) and stored.dtype == self._table.dtype
        return stored if fits and _digest(stored) == part["sha256"] else None


def _digest(rows: NDArray[np.floating]) -> str:
    return hashlib.sha256(np.ascontiguousarray(rows).data).hexdigest()


def _take(lock: IO[str], directory: Path) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise StaleSolution(
            f"another run is at work in {directory}; wait for it, or choose another directory"
        ) from None
    except OSError:  # a disk without locks: one run at a time is then the user's care
        return


def _write(path: Path, content: bytes) -> None:
    temporary = path.with_name(path.name + ".tmp")
    write_flushed(temporary, content)
    temporary.replace(path)
    flush_directory(path.parent)
