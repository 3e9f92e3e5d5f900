"""Finished games and drill results, kept in an SQLite file in the user's data directory.

The file carries its schema version; an older one is brought up to date, a newer one is refused rather than guessed at. Each
call opens its own connection in write-ahead mode, so several tabs and several servers can use the file at once.
"""

import json
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jeopardice.errors import StaleSolution

VERSION = 1
SCHEMA = """
CREATE TABLE game (
    id TEXT PRIMARY KEY, finished REAL NOT NULL, game TEXT NOT NULL, goal TEXT NOT NULL, won INTEGER,
    luck REAL NOT NULL, loss REAL NOT NULL, record TEXT NOT NULL
);
CREATE INDEX game_finished ON game (finished);
CREATE TABLE drill (
    id INTEGER PRIMARY KEY, answered REAL NOT NULL, game TEXT NOT NULL, goal TEXT NOT NULL, position TEXT NOT NULL,
    play TEXT NOT NULL, best TEXT NOT NULL, loss REAL NOT NULL, right INTEGER NOT NULL
);
CREATE INDEX drill_answered ON drill (answered);
"""
MOST_ROWS = 100_000


def data_file() -> Path:
    """Return where the records of this user are kept; JEOPARDICE_DATA names another directory."""
    if given := os.environ.get("JEOPARDICE_DATA"):
        return Path(given) / "records.sqlite"
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "jeopardice" / "records.sqlite"


class Records:
    """The records in one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._open() as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("BEGIN IMMEDIATE")
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                raise StaleSolution(
                    f"{path} was written by a newer jeopardice (format {version}, this one reads {VERSION}); "
                    "update jeopardice or move the file away"
                )
            if version == 0:
                for statement in filter(str.strip, SCHEMA.split(";")):
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {VERSION}")
            db.execute("COMMIT")

    def add_game(
        self, name: str, game: str, goal: str, *, won: bool | None, luck: float, loss: float, record: dict[str, Any]
    ) -> None:
        """Keep a finished game; the same one again (after an undo) replaces what was kept."""
        with self._open() as db:
            db.execute(
                "INSERT OR REPLACE INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (name, time.time(), game, goal, None if won is None else int(won), luck, loss, json.dumps(record)),
            )
            self._trim(db, "game", "finished")

    def add_drill(
        self, game: str, goal: str, position: dict[str, Any], play: str, best: str, loss: float, right: bool
    ) -> None:
        """Keep an answer to a drill."""
        with self._open() as db:
            db.execute(
                "INSERT INTO drill (answered, game, goal, position, play, best, loss, right) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (time.time(), game, goal, json.dumps(position), play, best, loss, int(right)),
            )
            self._trim(db, "drill", "answered")

    def games(self, most: int = MOST_ROWS) -> list[dict[str, Any]]:
        """Return the finished games, newest first."""
        with self._open() as db:
            rows = db.execute(
                "SELECT id, finished, game, goal, won, luck, loss, record FROM game ORDER BY finished DESC LIMIT ?",
                (most,),
            ).fetchall()
        names = ("id", "finished", "game", "goal", "won", "luck", "loss", "record")
        return [
            {
                **dict(zip(names, row, strict=True)),
                "won": None if row[4] is None else bool(row[4]),
                "record": json.loads(row[7]),
            }
            for row in rows
        ]

    def drills(self, most: int = MOST_ROWS) -> list[dict[str, Any]]:
        """Return the answers to drills, newest first."""
        with self._open() as db:
            rows = db.execute(
                "SELECT answered, game, goal, position, play, best, loss, right FROM drill ORDER BY id DESC LIMIT ?",
                (most,),
            ).fetchall()
        names = ("answered", "game", "goal", "position", "play", "best", "loss", "right")
        return [
            {**dict(zip(names, row, strict=True)), "position": json.loads(row[3]), "right": bool(row[7])}
            for row in rows
        ]

    def export(self) -> dict[str, Any]:
        """Return everything that is kept."""
        return {"format": VERSION, "games": self.games(), "drills": self.drills()}

    def delete(self) -> dict[str, int]:
        """Forget everything; return how much that was."""
        with self._open() as db:
            games = db.execute("DELETE FROM game").rowcount
            drills = db.execute("DELETE FROM drill").rowcount
        return {"games": games, "drills": drills}

    @staticmethod
    def _trim(db: sqlite3.Connection, table: str, order: str) -> None:
        db.execute(
            f"DELETE FROM {table} WHERE rowid IN (SELECT rowid FROM {table} ORDER BY {order} DESC LIMIT -1 OFFSET {MOST_ROWS})"
        )

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        db = sqlite3.connect(self.path, timeout=10.0, isolation_level=None)
        try:
            yield db
        finally:
            db.close()
