"""Finished games and drill results, kept in an SQLite file in the user's data directory.

The file carries its schema version; an older one is brought up to date, a newer one is refused rather than guessed at. Each
call opens its own connection in write-ahead mode, so several tabs and several servers can use the file at once. A damaged
file is set aside under another name, with a message, and a new one is begun.
"""

import json
import logging
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import TypeVar

from jeopardice.errors import StaleSolution
from jeopardice.types import JsonObject

VERSION = 2
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
SINCE_2 = (
    "CREATE TABLE link (code TEXT PRIMARY KEY, made REAL NOT NULL, path TEXT NOT NULL)",
    "ALTER TABLE drill ADD COLUMN rating REAL",
)
"""What format 2 added: short links, and the rating of an exercise."""
COLUMNS = {
    "game": "id, finished, game, goal, won, luck, loss, record",
    "drill": "answered, game, goal, position, play, best, loss, right, rating",
    "link": "code, made, path",
}
MOST_ROWS = 100_000

T = TypeVar("T")
_lock = threading.Lock()

DAMAGED = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What SQLite raises over a damaged file: it quotes damaged names in messages that are not UTF-8."""

NOT_DAMAGE = (
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN,
)  # fmt: skip
"""Codes of failures that have other causes than the file."""


class RecordsError(ValueError):
    """The records cannot be read or written now."""


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
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._prepare()
        except DAMAGED as damage:
            if not _is_damage(path, damage):
                raise OSError(f"{path} cannot be used for records ({damage}); set JEOPARDICE_DATA") from None
            self._set_aside(damage)
        except OSError as failure:
            raise type(failure)(
                f"{path.parent} cannot hold records ({failure.strerror}); name another directory with JEOPARDICE_DATA"
            ) from None

    def _prepare(self) -> None:
        """Make the tables where there are none; refuse what is newer or does not fit."""
        path = self.path
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
            for statement in SINCE_2 if version < 2 else ():
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {VERSION}")  # written every time: a damaged header may forbid writing
            db.execute("COMMIT")
            (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise sqlite3.DatabaseError(f"damaged: {verdict}")
            for table, columns in COLUMNS.items():
                db.execute(f"SELECT {columns} FROM {table} LIMIT 1").fetchall()

    def _set_aside(self, damage: Exception) -> None:
        """Give a damaged file another name and begin a new one."""
        with _lock:
            try:  # another thread may have done it already
                self._prepare()
                return
            except DAMAGED:
                pass
            aside = self.path.with_name(f"{self.path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}-{token_hex(2)}")
            for suffix in ("", "-wal", "-shm"):
                with suppress(FileNotFoundError):
                    self.path.with_name(self.path.name + suffix).rename(aside.with_name(aside.name + suffix))
            logging.getLogger("jeopardice.web").warning(
                "%s was damaged (%s): it is now %s, and new records begin", self.path, damage, aside.name
            )
            self._prepare()

    def add_game(
        self, name: str, game: str, goal: str, *, won: bool | None, luck: float, loss: float, record: JsonObject
    ) -> None:
        """Keep a finished game; the same one again (after an undo) replaces what was kept."""
        row = (name, time.time(), game, goal, None if won is None else int(won), luck, loss, json.dumps(record))

        def add(db: sqlite3.Connection) -> None:
            db.execute("INSERT OR REPLACE INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            self._trim(db, "game", "finished")

        self._safely(add)

    def add_drill(
        self,
        game: str,
        goal: str,
        position: JsonObject,
        play: str,
        best: str,
        loss: float,
        right: bool,
        rating: float | None = None,
    ) -> None:
        """Keep an answer to a drill, with the rating of its exercise."""
        row = (time.time(), game, goal, json.dumps(position), play, best, loss, int(right), rating)

        def add(db: sqlite3.Connection) -> None:
            db.execute(f"INSERT INTO drill ({COLUMNS['drill']}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            self._trim(db, "drill", "answered")

        self._safely(add)

    def add_link(self, code: str, path: str) -> None:
        """Keep a short link."""

        def add(db: sqlite3.Connection) -> None:
            db.execute("INSERT OR REPLACE INTO link VALUES (?, ?, ?)", (code, time.time(), path))
            self._trim(db, "link", "made")

        self._safely(add)

    def link(self, code: str) -> str | None:
        """Return the path of a short link, if there is one."""
        row = self._safely(lambda db: db.execute("SELECT path FROM link WHERE code = ?", (code,)).fetchone())
        return None if row is None else str(row[0])

    def games(self, most: int = MOST_ROWS) -> list[JsonObject]:
        """Return the finished games, newest first."""
        return [
            {**row, "won": None if row["won"] is None else bool(row["won"])}
            for row in self._rows("game", "finished", most, "record")
        ]

    def drills(self, most: int = MOST_ROWS) -> list[JsonObject]:
        """Return the answers to drills, newest first."""
        return [{**row, "right": bool(row["right"])} for row in self._rows("drill", "id", most, "position")]

    def _rows(self, table: str, order: str, most: int, plain: str) -> list[JsonObject]:
        """Return rows by column, the column `plain` read as JSON; a row that cannot be read is left out."""
        asked = f"SELECT {COLUMNS[table]} FROM {table} ORDER BY {order} DESC LIMIT ?"
        rows = self._safely(lambda db: db.execute(asked, (most,)).fetchall())
        named = [dict(zip(COLUMNS[table].split(", "), row, strict=True)) for row in rows]
        readable = []
        for row in named:
            with suppress(ValueError, TypeError, RecursionError):
                readable.append({**row, plain: dict(json.loads(row[plain]))})
        return readable

    def export(self) -> JsonObject:
        """Return everything that is kept."""
        return {"format": VERSION, "games": self.games(), "drills": self.drills()}

    def delete(self) -> dict[str, int]:
        """Forget everything; return how much that was."""

        def forget(db: sqlite3.Connection) -> dict[str, int]:
            games = db.execute("DELETE FROM game").rowcount
            return {"games": games, "drills": db.execute("DELETE FROM drill").rowcount}

        return self._safely(forget)

    @staticmethod
    def _trim(db: sqlite3.Connection, table: str, order: str) -> None:
        db.execute(
            f"DELETE FROM {table} WHERE rowid IN (SELECT rowid FROM {table} ORDER BY {order} DESC LIMIT -1 OFFSET {MOST_ROWS})"
        )

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        db = sqlite3.connect(self.path, timeout=10.0, isolation_level=None)
        db.text_factory = lambda text: text.decode(errors="replace")
        try:
            yield db
        finally:
            db.close()

    def _safely(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return work(connection); if the file turns out to be damaged, once more with a new one."""
        try:
            with self._open() as db:
                return work(db)
        except DAMAGED as damage:
            if not _is_damage(self.path, damage):
                raise RecordsError(f"{self.path} cannot be used now ({damage}); try again later") from None
            self._set_aside(damage)
        try:
            with self._open() as db:
                return work(db)
        except DAMAGED as damage:
            raise RecordsError(f"{self.path} cannot be used ({damage}); move it away and try again") from None


def _is_damage(path: Path, error: Exception) -> bool:
    """Whether the file itself is at fault: not a lock, a full disk, missing rights or too little memory."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code == sqlite3.SQLITE_READONLY:  # a damaged header says so too
        return all(os.access(place, os.W_OK) for place in (path, path.parent))
    return code not in NOT_DAMAGE
