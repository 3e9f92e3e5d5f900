"""The round in progress of a bracket, on disk: its grid, and the pieces of its tables that are finished.

Each piece is a file of its own, written aside, forced to disk and renamed; its name says which cells, and its last bytes
are the sha256 of the rest. A file that does not match is solved again, to the same bits. A grid is known by the digest of
its cuts: pieces of another grid are removed. A lock keeps a second run out of the directory.
"""

import hashlib
import time
from pathlib import Path
from typing import Self

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from jeopardice.columns.cells import Grid
from jeopardice.errors import StaleSolution
from jeopardice.games.cant_stop import CantStop
from jeopardice.store import write_whole
from jeopardice.types import Array

Floats = NDArray[np.floating]


class RoundParts:
    """The pieces of one round, in a directory of their own."""

    def __init__(self, directory: str | Path, game: CantStop) -> None:
        self._directory, self._game = Path(directory), game
        self._digest = b""
        self._begun = time.monotonic()
        self._before = 0.0
        self._directory.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(self._directory / "lock")

    def __enter__(self) -> Self:
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise StaleSolution(
                f"another run is at work in {self._directory.parent}; wait for it, or choose another directory"
            ) from None
        return self

    def __exit__(self, *failure: object) -> None:
        self._lock.release()

    @property
    def seconds(self) -> float:
        """Seconds that earlier runs spent on this round."""
        return self._before

    def grid(self) -> Grid | None:
        """Return the grid of the round in progress, if there is one."""
        cuts = self._read("cuts.piece")
        return None if cuts is None else Grid(self._game, cuts.view(np.uint64).reshape(-1, len(self._game.lengths)))

    def begin(self, grid: Grid) -> None:
        """Save the grid of a round, unless it is the one in progress."""
        digest = hashlib.sha256(grid.cuts.tobytes()).digest()
        stored = self._read("cuts.piece")
        if stored is None or hashlib.sha256(stored.tobytes()).digest() != digest:
            self.clear()
            self._write("cuts.piece", grid.cuts)
        self._digest, self._begun = digest, time.monotonic()
        seconds = self._read("seconds.piece")
        self._before = 0.0 if seconds is None else float(seconds.view(np.float64)[0])

    def clear(self) -> None:
        """Remove all pieces."""
        for file in (*self._directory.glob("*.piece"), *self._directory.glob("*.aside")):
            file.unlink()

    def restore(self, name: str, table: Floats, rows: slice, is_check: bool) -> bool:
        """Put a finished piece into the table; False if it is not there. A check is only noted, for the bits it checked."""
        if is_check:
            noted = self._read(f"{name}-{rows.start}-{rows.stop}.piece")
            return noted is not None and noted.tobytes() == _sum(table[rows])
        piece = self._read(f"{name}-{rows.start}-{rows.stop}.piece")
        if piece is None or piece.nbytes != table[rows].nbytes:
            return False
        table[rows] = piece.view(table.dtype)
        return True

    def save(self, name: str, table: Floats, rows: slice, is_check: bool) -> None:
        """Save a finished piece, or that it was checked."""
        piece = np.frombuffer(_sum(table[rows]), np.uint8) if is_check else table[rows]
        self._write(f"{name}-{rows.start}-{rows.stop}.piece", piece)
        self._write("seconds.piece", np.array([self._before + time.monotonic() - self._begun]))

    def _read(self, name: str) -> NDArray[np.uint8] | None:
        try:
            content = (self._directory / name).read_bytes()
        except FileNotFoundError:
            return None
        body, digest = content[:-32], content[-32:]
        if hashlib.sha256(name.encode() + self._salt(name) + body).digest() != digest:
            return None
        return np.frombuffer(body, np.uint8)

    def _write(self, name: str, piece: Array) -> None:
        body = piece.tobytes()
        content = body + hashlib.sha256(name.encode() + self._salt(name) + body).digest()
        write_whole(self._directory / name, content, aside=f"{name}.aside", saved="the pieces saved before are safe")

    def _salt(self, name: str) -> bytes:
        """What a piece belongs to: the game, and but for the cuts themselves their digest."""
        return repr(self._game).encode() + (b"" if name == "cuts.piece" else self._digest)


def _sum(rows: Floats) -> bytes:
    return hashlib.sha256(rows.tobytes()).digest()
