"""Solutions on disk: `.npy` blocks beside a JSON manifest, written whole or not at all.

The manifest names the goal, the format, the version, the certified bound and the sha256 of every block, and ends with a
sha256 of all that. A directory is written under a temporary name, flushed to disk and renamed, so a killed run leaves the
old one, the new one, or none if there was none; where it was killed between two renames, the next look at the name puts it
right. Reading checks every digest; nothing but numbers and JSON is ever read, and what belongs to another goal
or format is refused. Only a directory that holds a solution and nothing else is ever written over.
"""

import errno
import hashlib
import json
import os
import re
import shutil
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import is_dataclass
from importlib.metadata import version
from pathlib import Path
from tokenize import TokenError
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np
from platformdirs import user_cache_path

from jeopardice.dice import Dice
from jeopardice.engine.work import size_words
from jeopardice.errors import StaleSolution
from jeopardice.games import GAMES, game_class
from jeopardice.rules.game import fields_of
from jeopardice.rules.goal import Goal, Race, Rate, Simultaneous, Turn
from jeopardice.types import Array, Blocks, JsonObject, Keywords

FORMAT = 2
MANIFEST_BYTES = 100_000
LEFT_SECONDS = 3600.0
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says of a disk, a quota or a file that is full."""


def write_blocks(path: str | Path, about: Keywords, blocks: Blocks) -> Path:
    """Write arrays and a manifest as one directory, all or nothing."""
    path = check_free(path)
    needed = sum(int(block.nbytes) for block in blocks.values()) + MANIFEST_BYTES
    token = uuid.uuid4().hex[:8]
    fresh, old = _beside(path, token, "part"), _beside(path, token, "old")
    try:
        with room_for(path, needed):
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh.mkdir()
            listed = {name: _write_block(fresh / f"{name}.npy", block) for name, block in blocks.items()}
            manifest = {"format": FORMAT, "version": version("jeopardice"), **about, "blocks": listed}
            manifest["digest"] = manifest_digest(manifest)
            write_flushed(fresh / "manifest.json", json.dumps(manifest, indent=1).encode())
            flush_directory(fresh)
        _put_in_place(fresh, path, old)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        if old.exists() and not path.exists():
            old.rename(path)
        raise
    shutil.rmtree(old, ignore_errors=True)
    _clear_up(path)
    return path


def _put_in_place(fresh: Path, path: Path, old: Path) -> None:
    """Rename the old directory away and the new one in. Killed between the two, `recover` finishes it on the next start."""
    if path.exists():
        path.rename(old)
    fresh.rename(path)
    flush_directory(path.parent)


def recover(path: Path) -> None:
    """Put a solution under its name again if a run was killed while it replaced one: the new one if it is whole."""
    if path.exists() or not path.parent.is_dir():
        return
    for old in sorted(path.parent.glob(f".{_escaped(path.name)}.*.old")):
        fresh = old.with_suffix(".part")
        try:
            read_blocks(fresh)
            fresh.rename(path)
        except (OSError, ValueError):
            old.rename(path)
        flush_directory(path.parent)
        for left in (old, fresh):
            shutil.rmtree(left, ignore_errors=True)
        return


def _clear_up(path: Path) -> None:
    """Delete what runs that were killed long ago left of this solution."""
    for name in ("part", "old"):
        for left in path.parent.glob(f".{_escaped(path.name)}.*.{name}"):
            with suppress(OSError):
                if time.time() - left.stat().st_mtime > LEFT_SECONDS:
                    shutil.rmtree(left, ignore_errors=True)


def _beside(path: Path, token: str, kind: str) -> Path:
    return path.with_name(f".{path.name}.{token}.{kind}")


def _escaped(name: str) -> str:
    return re.sub(r"([*?[])", r"[\1]", name)


@contextmanager
def room_for(path: Path, needed: int, saved: str = "nothing under that name has changed") -> Iterator[None]:
    """Say what is missing where a disk is full: which path, how much is needed, what is free, and what is safe."""
    place = next((parent for parent in (path, *path.parents) if parent.is_dir()), Path("/"))
    free = shutil.disk_usage(place).free  # before a part is written
    try:
        yield
    except OSError as failure:
        if failure.errno not in FULL:
            raise
        raise OSError(
            f"{path} could not be written ({failure.strerror}): it needs {size_words(needed)}, {size_words(free)} are free; "
            f"{saved}. Make room or choose another disk, then run the same command again"
        ) from None


def check_free(path: str | Path) -> Path:
    """Return where a solution can be kept under this name, or refuse: nothing but an older solution is written over."""
    if str(path) == "":
        raise ValueError("a solution is saved in a directory, got ''; name one")
    path = Path(path).resolve()  # through a link, to the directory it names
    recover(path)
    if path.exists():
        own = {"manifest.json"} | {file.name for file in path.glob("*.npy")} if path.is_dir() else set()
        if not path.is_dir() or {file.name for file in path.iterdir()} != own or not _is_solution(path):
            raise FileExistsError(
                f"{path} exists and is something other than a saved solution; choose another name (nothing was written)"
            )
    check_writable(path)
    return path


def check_writable(path: Path) -> None:
    """Refuse a name under which nothing can be written, before the work whose result it is for."""
    place = next(parent for parent in path.resolve().parents if parent.exists())
    try:
        tempfile.TemporaryFile(dir=place).close()  # what the rights say is not enough: /proc takes no files
    except OSError:
        raise PermissionError(f"nothing can be written in {place}; choose another directory") from None


def _is_solution(path: Path) -> bool:
    try:
        about = json.loads((path / "manifest.json").read_bytes())
        return "goal" in about and {file.stem for file in path.glob("*.npy")} <= set(about["blocks"])
    except (OSError, ValueError, TypeError, KeyError):
        return False


def manifest_digest(manifest: Keywords) -> str:
    """Return the sha256 of all that a manifest says but its own digest."""
    said = {name: value for name, value in manifest.items() if name != "digest"}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def read_blocks(path: str | Path) -> tuple[JsonObject, dict[str, Array]]:
    """Return the manifest and the memory-mapped arrays of a directory, every digest checked."""
    path = Path(path)
    recover(path)
    try:
        about: JsonObject = json.loads((path / "manifest.json").read_bytes())
        is_checkpoint = "parts" in about
        listed = {} if is_checkpoint else dict(about["blocks"])
    except FileNotFoundError:
        raise FileNotFoundError(f"{path} holds no solution (no manifest.json); save one there first") from None
    except NotADirectoryError:
        raise StaleSolution(f"{path} is a file, not the directory of a solution; name the directory") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise StaleSolution(f"the manifest of {path} is damaged; solve and save again") from None
    if is_checkpoint:
        raise StaleSolution(
            f"{path} is the checkpoint of a run, not a saved solution; go on with solve --checkpoint {path} --save DIR"
        )
    if about.get("format") != FORMAT:
        raise StaleSolution(
            f"{path} has format {about.get('format')!r}, this version reads {FORMAT}; solve and save again"
        )
    if about.get("digest") != manifest_digest(about):
        raise StaleSolution(f"the manifest of {path} is damaged; solve and save again")
    blocks = {}
    for name, digest in listed.items():
        file = path / f"{name}.npy"
        block = None
        if Path(name).name == name and file.is_file() and _digest(file) == digest:
            block = read_npy(file, mmap_mode="c")
        if block is None:
            raise StaleSolution(f"block {name!r} of {path} is missing or damaged; solve and save again")
        blocks[name] = block
    return about, blocks


def read_npy(file: Path, mmap_mode: Literal["c"] | None = None) -> Array | None:
    """Return the array of a file, None if it is missing or damaged in whatever way; a disk that cannot be read is an error."""
    try:
        array: Array = np.load(file, mmap_mode=mmap_mode, allow_pickle=False)
    except (FileNotFoundError, ValueError, EOFError, TypeError, KeyError, IndexError, AttributeError):
        return None
    except (SyntaxError, TokenError, OverflowError, MemoryError, RecursionError):  # from headers that are no Python
        return None
    return array if isinstance(array, np.ndarray) else None


def cache_directory() -> Path:
    """Return where results are kept that can be had again: JEOPARDICE_CACHE, or the place this system has for such files."""
    chosen = os.environ.get("JEOPARDICE_CACHE", "")
    return Path(chosen) if chosen not in ("", "off") else user_cache_path("jeopardice")


def goal_as_json(value: Any) -> Any:
    """Return a goal or game as plain JSON: the class by name, the fields one by one."""
    if is_dataclass(value):
        kept = {name: goal_as_json(part) for name, part in fields_of(value).items()}
        return {"class": type(value).__name__, **kept}
    if isinstance(value, tuple):
        return [goal_as_json(entry) for entry in value]
    return value if isinstance(value, int | str | None) else repr(value)


def goal_words(goal: Goal) -> str:
    """Return a goal's name in full; a game of one's own that has no name but its place in memory goes by its class."""
    return re.sub(r" at 0x[0-9a-fA-F]+>", ">", repr(goal))


def about_goal(goal: Goal) -> JsonObject:
    """Return what the manifest of a solution says of its goal."""
    return {"goal": goal_as_json(goal), "goal_repr": goal_words(goal)}


def goal_from_json(stored: Any, where: str) -> Any:
    """Return the goal that was stored; only goals and games of the package are made, by name."""
    from jeopardice.games.faces import FaceGame

    known = {c.__name__: c for c in (Turn, Race, Rate, Simultaneous, FaceGame, Dice, *map(game_class, GAMES))}
    if isinstance(stored, dict):
        made = known.get(stored.get("class", ""))
        if made is None:
            raise StaleSolution(
                f"{where} holds a game of your own, {stored.get('class')!r}; load it with load(path, goal)"
            )
        try:
            return made(**{name: goal_from_json(value, where) for name, value in stored.items() if name != "class"})
        except (TypeError, RecursionError, OverflowError):
            raise StaleSolution(f"{where} was written by another version of the rules; solve and save again") from None
    return tuple(goal_from_json(entry, where) for entry in stored) if isinstance(stored, list) else stored


def _write_block(file: Path, block: Array) -> str:
    with file.open("wb") as out:
        by_python = SimpleNamespace(write=out.write)  # by itself NumPy does not say why a disk refused it
        np.save(by_python, np.ascontiguousarray(block), allow_pickle=False)
        out.flush()
        os.fsync(out.fileno())
    return _digest(file)


def write_flushed(file: Path, content: bytes) -> None:
    """Write a file and force it to disk."""
    with file.open("wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())


def write_whole(
    path: Path, content: bytes, *, aside: str | None = None, saved: str = "nothing under that name has changed"
) -> None:
    """Write a file under a name beside its own and rename it: it is there whole or not at all."""
    part = path.with_name(aside or f".{path.name}.{os.getpid()}.part")
    try:
        with room_for(path, len(content), saved):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_flushed(part, content)
            part.replace(path)
            flush_directory(path.parent)
    finally:
        part.unlink(missing_ok=True)


def flush_directory(path: Path) -> None:
    """Force to disk which files a directory has, where the system can."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(path, os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
