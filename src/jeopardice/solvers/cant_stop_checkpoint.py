"""Long Can't Stop runs on disk: what is solved so far, in parts, so that a run survives Ctrl-C and kill -9.

The rows of the table are solved in order, so the state of a run is the number of rows that are done. Each save writes
the rows finished since the last one to a file of its own, then the manifest that lists all files with their sha256.
Both are written under a temporary name, forced to disk and renamed: whatever happens, the manifest on disk names only
whole files. A part that does not match its sum is dropped with all after it and solved anew, to the same bits.
"""

import hashlib
import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.errors import StaleSolution
from jeopardice.games.cant_stop import CantStop

FORMAT = 1
MANIFEST = "manifest.json"


class Checkpoint:
    """The saved parts of one run in one directory."""

    def __init__(self, directory: Path, game: CantStop, run: Any, table: NDArray[np.floating]) -> None:
        self._directory, self._run, self._table = directory, run, table
        self._identity = {"format": FORMAT, "game": repr(game), "dtype": str(table.dtype), "rows": run.blocks}
        self._parts: list[dict[str, Any]] = []
        directory.mkdir(parents=True, exist_ok=True)

    @property
    def finished(self) -> int:
        """How many rows the parts hold."""
        return sum(part["count"] for part in self._parts)

    def restore(self) -> int:
        """Put what is saved into the table and return how many rows that are."""
        path = self._directory / MANIFEST
        if not path.exists():
            return 0
        manifest = json.loads(path.read_text())
        if {key: manifest.get(key) for key in self._identity} != self._identity:
            raise StaleSolution(
                f"{self._directory} holds a run of {manifest.get('game')} ({manifest.get('dtype')}, format "
                f"{manifest.get('format')}), not of {self._identity['game']}; choose another directory"
            )
        for part in manifest["parts"]:
            stored = self._read(part)
            if stored is None:
                break
            self._table[self.finished : self.finished + len(stored)] = stored
            self._parts.append(part)
        return self.finished

    def save(self) -> None:
        """Write the rows that were finished since the last save."""
        first, count = self.finished, self._run.finished - self.finished
        if count == 0:
            return
        buffer = io.BytesIO()
        np.save(buffer, self._table[first : first + count])
        content = buffer.getvalue()
        name = f"part-{first:09d}.npy"
        _write(self._directory / name, content)
        self._parts.append({"file": name, "count": count, "sha256": hashlib.sha256(content).hexdigest()})
        manifest = self._identity | {"finished": self.finished, "parts": self._parts}
        _write(self._directory / MANIFEST, json.dumps(manifest, indent=1).encode())

    def _read(self, part: dict[str, Any]) -> NDArray[np.floating] | None:
        try:
            content = (self._directory / part["file"]).read_bytes()
        except OSError:
            return None
        if hashlib.sha256(content).hexdigest() != part["sha256"]:
            return None
        stored: NDArray[np.floating] = np.load(io.BytesIO(content))
        return stored


def _write(path: Path, content: bytes) -> None:
    temporary = path.with_name(path.name + ".tmp")
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
