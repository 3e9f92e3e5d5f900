"""Boards solved by a Ray cluster of two worker processes: the same bits as in one process, whatever is lost on the way."""

import json
import subprocess
import sys
import time

import numpy as np
import pytest

from jeopardice import CantStop, Race, load, solve
from jeopardice.cli import main
from jeopardice.columns.alone import solve_cant_stop

WHOLE = """
import sys
from jeopardice import CantStop, Race, solve
for sides, shortest in ((3, 3), (4, 1)):
    solution = solve(Race(CantStop(sides, shortest)), cluster="local", threads=2)
    solution.save(f"{sys.argv[1]}/{sides}-{shortest}")
"""

FRAGILE = """
import os, signal, sys
from pathlib import Path
from jeopardice import CantStop, Race, solve
from jeopardice.columns import cluster

PLACE = sys.argv[1]

class Fragile(cluster.RowSolver):
    def work(self, rows, finished):
        try:
            Path(PLACE, "killed").touch(exist_ok=False)
        except FileExistsError:
            return super().work(rows, finished)
        os.kill(os.getpid(), signal.SIGKILL)

cluster.RowSolver = Fragile
solve(Race(CantStop(4, 1)), cluster="local", threads=2).save(f"{PLACE}/4-1")
"""

KILLED = """
import sys
from jeopardice import CantStop, Race, solve
from jeopardice.columns import rows
rows.SAVE_SECONDS = 0.0
solve(Race(CantStop(4, 1)), cluster="local", threads=2, checkpoint=sys.argv[1])
"""


def run(script, place):
    return subprocess.run([sys.executable, "-c", script, str(place)], capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_two_worker_processes_give_the_bits_of_one_process(tmp_path):
    outcome = run(WHOLE, tmp_path)
    assert outcome.returncode == 0, outcome.stderr
    for sides, shortest in ((3, 3), (4, 1)):
        alone = solve_cant_stop(CantStop(sides, shortest)).table
        assert np.array_equal(load(tmp_path / f"{sides}-{shortest}").boards.table, alone)


@pytest.mark.slow
def test_the_rows_of_a_killed_worker_are_done_by_another(tmp_path):
    outcome = run(FRAGILE, tmp_path)
    assert outcome.returncode == 0, outcome.stderr
    assert (tmp_path / "killed").exists()
    assert np.array_equal(load(tmp_path / "4-1").boards.table, solve_cant_stop(CantStop(4, 1)).table)


@pytest.mark.slow
def test_a_killed_driver_resumes_and_a_flipped_byte_is_found(tmp_path):
    with subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stderr=subprocess.DEVNULL) as driver:
        while len(list(tmp_path.glob("part-*.npy"))) < 4 and driver.poll() is None:
            time.sleep(0.005)
        driver.kill()
    parts = sorted(tmp_path.glob("part-*.npy"))
    damaged = bytearray(parts[1].read_bytes())
    damaged[-3] ^= 1
    parts[1].write_bytes(bytes(damaged))
    assert np.array_equal(
        solve_cant_stop(CantStop(4, 1), checkpoint=tmp_path).table, solve_cant_stop(CantStop(4, 1)).table
    )


def test_boards_that_a_cluster_cannot_solve_are_refused_in_one_line():
    with pytest.raises(ValueError, match="leave them out"):
        solve(Race(CantStop(2, 1), players=2), cluster="local")
    with pytest.raises(ValueError, match="leave them out"):
        solve(Race(CantStop(2, 1, markers=2)), cluster="local")


def test_a_plan_says_what_a_run_takes_before_it_begins(capsys):
    assert main(["solve", "cant-stop", "--sides", "4", "--shortest", "1", "--plan", "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["boards"] == 12_913 and plan["tasks"] > plan["longest_chain"] > 1
    assert plan["memory_bytes"] > 0 and plan["core_hours"] > 0


def test_the_status_of_a_run_is_read_from_another_terminal(tmp_path, capsys):
    solve_cant_stop(CantStop(3, 1), checkpoint=tmp_path)
    assert main(["status", str(tmp_path), "--json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert status["finished"] == status["rows"] and not status["is_running"]
    assert "CantStop(sides=3" in status["game"]
    assert main(["status", str(tmp_path / "nothing")]) == 2
    assert "no checkpoint" in capsys.readouterr().err
