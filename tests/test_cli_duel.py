"""The commands about duels: compare, simulate, plot."""

import json
import subprocess
import sys

import pytest

from jeopardice.cli import main


def run(capsys, *words):
    code = main([*words])
    out, err = capsys.readouterr()
    return code, out, err


def test_compare_plays_all_against_all(capsys):
    words = ("compare", "pig", "duel", "optimal", "stop-at-20", "--target", "100")
    code, out, _ = run(capsys, *words, "--exploit", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["first"][0][1] == pytest.approx(0.571498, abs=5e-7)
    assert 1 - found["first"][1][0] == pytest.approx(0.508342, abs=5e-7)
    assert found["exploitability"][0] == pytest.approx(0, abs=1e-12)
    code, out, _ = run(capsys, *words)
    assert code == 0 and "0.571498" in out and "coin" in out


def test_compare_with_games_that_differ(capsys):
    words = ("compare", "pig", "duel", "optimal", "fewest-turns", "--target", "30", "--opponent", "pig --sides 8")
    code, out, _ = run(capsys, *words, "--json")
    found = json.loads(out)["first"]
    assert code == 0
    assert found[0][0] <= found[0][1] and found[0][0] >= found[1][0]


def test_simulate_says_what_it_found(capsys):
    code, out, _ = run(capsys, "simulate", "pig", "duel", "optimal", "keep-pace", "--games", "20000", "--json")
    found = json.loads(out)
    assert code == 0
    assert abs(found["value"] - 0.535052) <= 4 * found["standard_error"]
    code, out, _ = run(capsys, "simulate", "pig", "turn", "stop-at-20", "--games", "1000")
    assert code == 0 and "mean score" in out and "seed 0" in out
    code, out, _ = run(capsys, "simulate", "pig", "alone", "--games", "1000")
    assert code == 0 and "mean turns" in out


@pytest.mark.parametrize(
    ("words", "file", "begins"),
    [
        (["--theirs", "0,10,15"], "maps.png", b"\x89PNG"),
        (["--theirs", "0"], "maps.svg", b"<?xml"),
        (["--surface"], "surface.png", b"\x89PNG"),
        (["--surface"], "surface.html", b"<!doctype html>"),
    ],
)
def test_plot_writes_a_figure(capsys, tmp_path, words, file, begins):
    path = tmp_path / file
    code, out, _ = run(capsys, "plot", "pig", "duel", "--target", "20", *words, "--out", str(path))
    assert code == 0 and str(path) in out
    assert path.read_bytes().startswith(begins)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["compare", "pig", "turn", "optimal"], "after the game comes duel"),
        (["compare", "pig", "duel", "hold-at-20"], "a strategy is one of optimal"),
        (["simulate", "pig", "duel", "optimal"], "2 needed, got 1"),
        (["plot", "pig", "duel", "--theirs", "x"], "--theirs takes scores"),
        (["plot", "pig", "duel", "--out", "maps.html"], "HTML is for --surface"),
        (["plot", "pig", "duel", "--mode", "7"], "--mode is one of 0"),
    ],
)
def test_mistakes_are_one_line(capsys, words, said):
    code, _, err = run(capsys, *words)
    assert code == 2
    assert said in err and err.count("\n") == 1


INTERRUPTED = """
import os, signal, threading, time
from jeopardice.cli import main
from jeopardice.kernels import stopping

def interrupt():
    while stopping._noted is None:
        time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
main()
"""


def test_an_interrupt_stops_the_solve_cleanly(tmp_path):
    """One line, exit code 130, and nothing half written."""
    words = ["solve", "pig", "duel", "--target", "3000", "--save", str(tmp_path / "big")]
    running = subprocess.run([sys.executable, "-c", INTERRUPTED, *words], capture_output=True, text=True)
    assert running.returncode == 130
    assert running.stderr.strip() == "jeopardice: stopped"
    assert not list(tmp_path.iterdir())
