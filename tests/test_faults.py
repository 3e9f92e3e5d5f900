"""Files that are damaged, disks that are full and runs that are killed: never a wrong table, never a traceback."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from jeopardice import CantStop, Pig, Race, StaleSolution, load, solve
from jeopardice.columns.alone import solve_cant_stop
from jeopardice.columns.checkpoint import Checkpoint
from jeopardice.store import manifest_digest

BOARD = CantStop(sides=3, shortest=2)


@pytest.fixture(scope="module")
def right() -> np.ndarray:
    return solve_cant_stop(BOARD).table


def _damaged(content: bytes, chance: random.Random) -> bytes:
    kind = chance.randrange(5)
    changed = bytearray(content)
    if kind == 0:
        return bytes(changed[: chance.randrange(len(changed))])
    if kind == 1:
        for _ in range(chance.choice((1, 3, 30))):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
    elif kind == 2:  # the header
        for _ in range(chance.choice((1, 3, 10))):
            changed[chance.randrange(min(128, len(changed)))] = chance.randrange(256)
    elif kind == 3:
        changed[chance.randrange(len(changed)) :] = bytes(chance.randrange(200))
    else:
        changed = bytearray(b"[" * 100_000 + content)
    return bytes(changed)


def test_damaged_checkpoints_give_the_right_table_or_a_refusal(tmp_path, right):
    solve(Race(BOARD), checkpoint=tmp_path / "whole")
    chance = random.Random(2)
    solved = refused = 0
    lines: set[int] = set()
    for number in range(120):
        place = tmp_path / str(number)
        shutil.copytree(tmp_path / "whole", place)
        files = [file for file in sorted(place.iterdir()) if file.suffix in (".json", ".npy")]
        file = chance.choice(files)
        file.write_bytes(_damaged(file.read_bytes(), chance))
        try:
            table = solve_cant_stop(BOARD, checkpoint=place).table
        except StaleSolution as refusal:
            lines.add(len(str(refusal).splitlines()))
            refused += 1
        else:
            assert np.array_equal(table, right)
            solved += 1
        shutil.rmtree(place)
    assert solved > 20 and refused > 20 and lines == {1}


def test_damaged_solutions_are_refused(tmp_path):
    path = solve(Race(Pig(), 40, players=2)).save(tmp_path / "saved")
    value, chance, lines = load(path).value, random.Random(3), set()
    for number in range(120):
        place = tmp_path / str(number)
        shutil.copytree(path, place)
        file = chance.choice(sorted(place.iterdir()))
        file.write_bytes(_damaged(file.read_bytes(), chance))
        try:
            assert load(place).value == value
        except StaleSolution as refusal:
            lines.add(len(str(refusal).splitlines()))
        shutil.rmtree(place)
    assert lines == {1}


@pytest.mark.parametrize(
    "header",
    [
        b"{'descr': (((((",
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (1e9,)}",
        b"[" * 9000,
        b"\xff" * 60,
        b"1/0",
    ],
)
def test_a_part_with_a_damaged_header_is_solved_again(header, tmp_path, right):
    solve(Race(BOARD), checkpoint=tmp_path)
    part = next(tmp_path.glob("part-*.npy"))
    part.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + part.read_bytes()[128:])
    assert np.array_equal(solve_cant_stop(BOARD, checkpoint=tmp_path).table, right)


def test_a_deeply_nested_manifest_is_refused_in_one_line(tmp_path):
    solve(Race(BOARD), checkpoint=tmp_path / "run")
    path = solve(Race(Pig(), 20)).save(tmp_path / "saved")
    for place in (tmp_path / "run", path):
        (place / "manifest.json").write_text("[" * 200_000)
    with pytest.raises(StaleSolution, match="damaged"):
        solve(Race(BOARD), checkpoint=tmp_path / "run")
    with pytest.raises(StaleSolution, match="damaged"):
        load(path)


def test_a_checkpoint_without_a_name_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="name one"):
        solve(Race(BOARD), checkpoint="")
    assert list(tmp_path.iterdir()) == []


# --- saves that were broken off


def _killed_between_renames(path, *, goal, whole=True):
    """Leave what a run leaves that was killed while it replaced a solution, after the first of two renames."""
    fresh, old = path.with_name(f".{path.name}.0badcafe.part"), path.with_name(f".{path.name}.0badcafe.old")
    solve(goal).save(fresh)
    if not whole:
        (fresh / "manifest.json").unlink()
    path.rename(old)


@pytest.mark.parametrize("whole", [True, False])
def test_a_save_killed_between_its_renames_is_put_right(tmp_path, whole):
    path = solve(Race(Pig(), 20)).save(tmp_path / "saved")
    _killed_between_renames(path, goal=Race(Pig(), 21), whole=whole)
    assert not path.exists()
    assert load(path).goal == Race(Pig(), 21 if whole else 20)
    _killed_between_renames(path, goal=Race(Pig(), 23))
    solve(Race(Pig(), 22)).save(path)
    assert load(path).goal == Race(Pig(), 22)


def test_leftovers_of_killed_runs_are_cleared_up_in_time(tmp_path):
    left, recent = tmp_path / ".saved.12345678.part", tmp_path / ".saved.87654321.part"
    for place in (left, recent):
        place.mkdir()
    os.utime(left, (0, 0))
    solve(Race(Pig(), 20)).save(tmp_path / "saved")
    assert not left.exists() and recent.exists()


SAVE = """
import sys
from jeopardice import Pig, Race, solve
goals = [Race(Pig(), target, players=2) for target in (20, 21)]
solutions = [solve(goal) for goal in goals]
solutions[0].save(sys.argv[1])
print("begun", flush=True)
while True:
    for solution in solutions:
        solution.save(sys.argv[1])
"""


def test_a_killed_save_leaves_one_whole_solution(tmp_path):
    path, chance = tmp_path / "saved", random.Random(4)
    values = {solve(Race(Pig(), target, players=2)).value for target in (20, 21)}
    for _ in range(4):
        with subprocess.Popen([sys.executable, "-c", SAVE, path], stdout=subprocess.PIPE) as run:
            assert run.stdout.readline()
            time.sleep(0.05 + 0.2 * chance.random())
            run.kill()
        assert load(path).value in values


def test_a_full_disk_is_named_with_what_is_needed(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    old = solve(Race(Pig(), 20)).save(tmp_path / "saved")
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(
        OSError, match=r"saved could not be written .*needs 0\.1 MB.*free.*nothing under that name"
    ) as told:
        solve(Race(Pig(), 21)).save(old)
    with pytest.raises(OSError, match=r"part-000001\.npy could not be written.*rows saved before are safe"):
        solve(Race(BOARD), checkpoint=tmp_path / "run")
    monkeypatch.undo()
    assert "\n" not in str(told.value) and load(old).goal == Race(Pig(), 20)
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


LIMITED = """
import resource, sys
from jeopardice.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("line", "out"),
    [
        ("solve pig duel --target 60 --save made", "chance that the first player wins"),
        ("solve cant-stop --sides 4 --shortest 2 --checkpoint made", ""),
        ("bound cant-stop --sides 3 --shortest 2 --started 2 --checkpoint made", ""),
        ("export pig duel --target 60 --out made.csv", ""),
        ("export pig duel --target 60 --out made.npy", ""),
        ("plot pig alone --target 20 --out made.png", ""),
    ],
)
def test_a_disk_that_takes_no_more_is_one_line_and_leaves_nothing_half_written(line, out, tmp_path):
    """The system itself refuses to write more than 6,000 bytes into a file."""
    command = [sys.executable, "-c", LIMITED, *line.split()]
    ended = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, env=os.environ | {"JEOPARDICE_CACHE": "off"}
    )
    assert ended.returncode == 2 and out in ended.stdout
    (told,) = [text for text in ended.stderr.splitlines() if "font_manager" not in text]
    assert "made" in told and "could not be written" in told
    left = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert not [name for name in left if name.startswith("made.") or name.endswith((".part", ".tmp", ".aside"))]


# --- signals


RUN = """
import sys
from jeopardice import CantStop, Race, solve
progress = lambda done, total: done and print(done, flush=True)
solve(Race(CantStop(sides=4, shortest=1)), checkpoint=sys.argv[1], threads=2, progress=progress)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signalled_run_saves_and_is_resumed_to_the_same_bits(tmp_path, number):
    with subprocess.Popen([sys.executable, "-c", RUN, tmp_path], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout.readline()
        for _ in range(8):
            run.send_signal(number)
            time.sleep(0.005)
        _, errors = run.communicate(timeout=120)
    assert b"unlocked lock" not in errors
    if number != signal.SIGINT:
        assert run.returncode in (0, -number) and b"Traceback" not in errors
    manifest = json.loads((tmp_path / "manifest.json").read_bytes())
    assert manifest["digest"] == manifest_digest(manifest)
    game = CantStop(sides=4, shortest=1)
    assert np.array_equal(solve_cant_stop(game, checkpoint=tmp_path).table, solve_cant_stop(game).table)


def test_a_locked_checkpoint_is_refused(tmp_path, right):
    with Checkpoint(tmp_path, BOARD, np.zeros_like(right)), pytest.raises(StaleSolution, match="another run"):
        solve(Race(BOARD), checkpoint=tmp_path)
