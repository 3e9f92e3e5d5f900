import contextlib
import json
import random
import signal
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jeopardice.columns import alone as solver
from jeopardice.columns import rows as row_runs
from jeopardice.columns import work
from jeopardice.columns.alone import certify_cant_stop, error_bound, solve_cant_stop
from jeopardice.columns.checkpoint import Checkpoint
from jeopardice.columns.classes import kernel_board
from jeopardice.columns.graph import WON, board_count, cant_stop_graph, moment_bound, solve_by_graph
from jeopardice.columns.moments import moment_count
from jeopardice.columns.turn import TurnReplay, roll_worth
from jeopardice.columns.values import BoardValues
from jeopardice.columns.work import estimate
from jeopardice.errors import PositionError, StaleSolution, TooLargeError
from jeopardice.games.cant_stop import CantStop
from jeopardice.kernels import kernels

# Table 1 of the cant-stop paper: anchors, total vertices, optimal turns
TABLE_1 = {
    (2, 1): (15, 225, 1.298),
    (2, 2): (44, 1_936, 1.347),
    (2, 3): (95, 9_025, 1.400),
    (3, 1): (308, 64_372, 1.480),
    (3, 2): (1_432, 787_600, 1.722),
    (3, 3): (4_378, 4_934_006, 1.890),
    (4, 1): (12_913, 20_802_843, 2.187),
    (4, 2): (83_456, 289_091_584, 2.454),
    (4, 3): (333_069, 2_104_663_011, 2.700),
    (5, 1): (921_174, 7_105_015_062, 2.791),
}
SLOW = {(4, 3), (5, 1)}


@pytest.fixture(scope="module")
def solved():
    boards = {}

    def get(sides, shortest):
        if (sides, shortest) not in boards:
            boards[sides, shortest] = solve_cant_stop(CantStop(sides, shortest))
        return boards[sides, shortest]

    return get


@pytest.mark.parametrize("board", [pytest.param(b, marks=[pytest.mark.slow] if b in SLOW else []) for b in TABLE_1])
def test_table_1_of_the_paper(board, solved):
    game = CantStop(*board)
    anchors, vertices, turns = TABLE_1[board]
    assert board_count(game) == anchors
    assert moment_bound(game) == vertices
    assert solved(*board)[game.lengths] == pytest.approx(turns, abs=0.0005)


@pytest.mark.parametrize(
    ("board", "turns"),
    [
        ((2, 1), 1.2979481898),
        ((3, 3), 1.8904814558),
        ((4, 1), 2.1873069749),
        pytest.param((4, 3), 2.6998761120, marks=pytest.mark.slow),
    ],
)
def test_ten_digits(board, turns, solved):
    assert solved(*board)[CantStop(*board).lengths] == pytest.approx(turns, abs=0.5e-10)


@pytest.mark.parametrize(
    "game",
    [
        *(CantStop(*board) for board in ((2, 1), (2, 2), (2, 3))),
        CantStop(2, 2, columns_to_win=1),
        CantStop(2, 2, columns_to_win=2, markers=2),
        CantStop(2, 3, markers=1),
        CantStop(2, 1, dice=6, columns_to_win=3),
        CantStop(3, 1, dice=2),
        pytest.param(CantStop(3, 1), marks=pytest.mark.slow),
        pytest.param(CantStop(3, 1, columns_to_win=4, markers=4), marks=pytest.mark.slow),
        pytest.param(CantStop(3, 2), marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_moments_are_counted_as_they_are_written_out(game):
    written = cant_stop_graph(game, (standing for standing in game.standings() if not game.is_won(standing)))
    assert moment_count(game) == sum(moment != WON for moment in written.roll_names) <= moment_bound(game)


def test_a_board_solved_by_hand(solved):
    """(2,1) with only one step left in the middle: 1/8 of the rolls are all alike and bust, any other wins."""
    assert solved(2, 1)[0, 1, 0] == pytest.approx(8 / 7, abs=1e-15)


def test_values_are_not_monotone(solved):
    """(3,2): a first space in the middle column is worse than none, and so is each further one but the last."""
    middle = solved(3, 2).full()[2, 4, :, 4, 2]
    assert middle[5] == pytest.approx(1.7267596432, abs=0.5e-10)
    assert middle[6] == pytest.approx(1.7224007847, abs=0.5e-10)
    assert (np.diff(middle[1:]) < 0).all()
    assert middle[0] == pytest.approx(1.3918623873, abs=0.5e-10)


def test_the_board_and_its_mirror_image_are_worth_the_same(solved):
    values = solved(3, 2).full()
    assert np.array_equal(values, values.transpose(range(values.ndim)[::-1]))
    assert all(values[r] == solved(3, 2)[r] for r in np.ndindex(values.shape))


@pytest.mark.parametrize(
    "game",
    [
        CantStop(2, 1),
        CantStop(2, 2),
        CantStop(2, 3),
        CantStop(2, 2, columns_to_win=2),
        CantStop(2, 3, columns_to_win=1),
        CantStop(3, 1, columns_to_win=2),
        pytest.param(CantStop(3, 1), marks=pytest.mark.slow),
        pytest.param(CantStop(3, 1, columns_to_win=4), marks=pytest.mark.slow),
        pytest.param(CantStop(3, 2), marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_the_kernel_agrees_with_the_graph_written_out_from_the_rules(game):
    assert np.abs(solve_cant_stop(game).full() - solve_by_graph(game)).max() < 1e-13


@given(
    sides=st.integers(2, 3),
    columns_to_win=st.integers(1, 4),
    data=st.data(),
)
@settings(deadline=None, max_examples=15)
def test_the_kernel_agrees_with_the_rules_at_random_moments(sides, columns_to_win, data):
    game = CantStop(sides, 1, columns_to_win=min(columns_to_win, 2 * sides - 1))
    values = solve_cant_stop(game)
    standing = tuple(data.draw(st.integers(0, length)) for length in game.lengths)
    if game.is_won(standing):
        return
    assert 1 + roll_worth(values, standing, (), {}) == pytest.approx(
        values[tuple(np.subtract(game.lengths, standing))], abs=1e-13
    )


@pytest.mark.parametrize(
    "game", [CantStop(2, 2, markers=2), CantStop(2, 1, dice=2, columns_to_win=2), CantStop(2, 1, dice=5)]
)
def test_other_markers_and_dice_satisfy_their_own_equations(game):
    values = solve_cant_stop(game)
    for standing in game.standings():
        value = values[tuple(np.subtract(game.lengths, standing))]
        if game.is_won(standing):
            assert value == 0
        else:
            assert 1 + roll_worth(values, standing, (), {}) == pytest.approx(value, abs=1e-12)


def test_the_same_bits_with_one_thread_and_with_many_and_on_any_processor():
    game = CantStop(3, 3)
    one, two, three = (solve_cant_stop(game, threads=threads).table for threads in (1, 2, 3))
    assert np.array_equal(one, two)
    assert np.array_equal(one, three)
    table = np.zeros_like(one)
    board = kernel_board(game)
    kernels.CantStopWorker(board, table, plain=True).work(list(range(board.rows)))
    assert np.array_equal(table, one)


def test_rows_wait_for_everything_below_them():
    """Whatever is done already, in whatever order, a row is only handed out once all it reads is done."""
    board = kernel_board(CantStop(3, 2))
    steps = dict(enumerate(rows_and_steps(CantStop(3, 2))))
    dice = random.Random(7)
    for _ in range(20):
        done = set(dice.sample(range(board.rows), dice.randrange(board.rows)))
        ready = kernels.CantStopReadyRows(board)
        ready.finish(list(done))
        given = set()
        while rows := ready.take(dice.randrange(1, 4)):
            for row in rows:
                below = {other for other in steps if other != row and is_below(steps[other], steps[row])}
                assert below <= done
            given |= set(rows)
            done |= set(rows)
            ready.finish(rows)
        assert done == set(range(board.rows))
        assert len(given) + len(done - given) == board.rows


def rows_and_steps(game):
    """The steps that remain in the slow columns, of each row."""
    values = BoardValues(game, np.zeros((kernel_board(game).rows + 1, kernel_board(game).row_size)))
    found = {}
    for standing in game.standings():
        remaining = tuple(np.subtract(game.lengths, standing).tolist())
        row, _ = values.layout.cell(list(remaining))
        found.setdefault(row, set()).add((remaining[0], remaining[-1]))
    return [found[row] for row in range(kernel_board(game).rows)]


def is_below(one, other):
    return any(a <= c and b <= d for a, b in one for c, d in other)


@pytest.mark.parametrize("board", [(2, 3), (3, 3), (4, 1)])
def test_the_certificate_proves_more_than_ten_digits(board, solved):
    eta = certify_cant_stop(solved(*board))
    assert eta > 0
    assert error_bound(solved(*board), eta) < 1e-13


@pytest.mark.parametrize("board", [(2, 3), (3, 3), (4, 1)])
def test_a_certificate_in_one_pass_is_no_less_strict(board, solved, monkeypatch):
    both_ways = certify_cant_stop(solved(*board))
    monkeypatch.setattr(solver, "MOST_CERTIFIED_TWICE", 0)
    one_way = certify_cant_stop(solved(*board))
    assert both_ways < one_way < 2e-12


@pytest.mark.parametrize("most", [0, 10**9])
@pytest.mark.parametrize("wrong", [1e-6, -1e-6])
def test_the_certificate_notices_a_wrong_value(most, wrong, solved, monkeypatch):
    monkeypatch.setattr(solver, "MOST_CERTIFIED_TWICE", most)
    game = CantStop(3, 1)
    values = solved(3, 1).full().copy()
    assert np.array_equal(BoardValues.of_array(game, values).table, solved(3, 1).table)
    values[1, 3, 2, 1, 1] += wrong
    values[1, 1, 2, 3, 1] += wrong
    assert certify_cant_stop(BoardValues.of_array(game, values)) > 1e-7


def test_float32_anchors_lie_within_their_certified_bound(solved):
    game = CantStop(3, 3)
    single = solve_cant_stop(game, dtype="float32")
    bound = error_bound(single, certify_cant_stop(single))
    assert single.table.dtype == np.float32
    assert 1e-9 < np.abs(single.table - solved(3, 3).table).max() <= bound < 1e-5


class Interrupted(Exception):
    pass


def test_an_interrupted_run_resumes_to_the_same_bits(tmp_path, solved):
    game = CantStop(4, 1)

    def interrupt(done, total):
        if 0 < done < total:
            raise Interrupted

    resumed = 0
    for _ in range(3):
        try:
            solve_cant_stop(game, checkpoint=tmp_path, progress=interrupt)
        except Interrupted:
            resumed += 1
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert resumed >= 1
    assert manifest["finished"] > 0
    assert np.array_equal(solve_cant_stop(game, checkpoint=tmp_path).table, solved(4, 1).table)
    assert np.array_equal(solve_cant_stop(game, checkpoint=tmp_path).table, solved(4, 1).table)  # all from disk


def test_a_damaged_part_is_solved_again(tmp_path, monkeypatch, solved):
    monkeypatch.setattr(row_runs, "SAVE_SECONDS", 0.0)
    game = CantStop(4, 1)
    solve_cant_stop(game, checkpoint=tmp_path)
    parts = sorted(tmp_path.glob("part-*.npy"))
    assert len(parts) > 4
    parts[-1].write_bytes(parts[-1].read_bytes()[:-8])
    parts[0].write_bytes(parts[0].read_bytes()[:-1] + b"!")
    parts[2].unlink()
    assert np.array_equal(solve_cant_stop(game, checkpoint=tmp_path).table, solved(4, 1).table)


KILLED = """
import os, signal, sys
from jeopardice.games.cant_stop import CantStop
from jeopardice.columns import alone as cant_stop
from jeopardice.columns import checkpoint as cant_stop_checkpoint
from jeopardice.columns import rows

rows.SAVE_SECONDS = 0.0
written = cant_stop_checkpoint._write

def write(path, content):
    if path.name == "part-000004.npy":
        os.kill(os.getpid(), signal.SIGKILL)
    written(path, content)

cant_stop_checkpoint._write = write
cant_stop.solve_cant_stop(CantStop(4, 2), checkpoint=sys.argv[1], threads=1)
"""


INTERRUPTED_TWICE = """
import os, signal, sys, threading, time
from jeopardice.games.cant_stop import CantStop
from jeopardice.columns import alone as cant_stop
from jeopardice.columns import checkpoint as cant_stop_checkpoint

written = cant_stop_checkpoint._write

def write(path, content):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.1)
    written(path, content)

def interrupt(done, total):
    if 0 < done < total:
        raise KeyboardInterrupt

cant_stop_checkpoint._write = write
try:
    cant_stop.solve_cant_stop(CantStop(4, 2), checkpoint=sys.argv[1], threads=1, progress=interrupt)
except KeyboardInterrupt:
    sys.exit(0)
sys.exit(1)
"""


def test_interrupting_again_and_again_loses_nothing(tmp_path, solved):
    with subprocess.Popen([sys.executable, "-c", INTERRUPTED_TWICE, str(tmp_path)], stderr=subprocess.DEVNULL) as child:
        child.wait()
    assert child.returncode == 0
    assert json.loads((tmp_path / "manifest.json").read_text())["finished"] > 0
    assert not list(tmp_path.glob("*.tmp"))
    assert np.array_equal(solve_cant_stop(CantStop(4, 2), checkpoint=tmp_path).table, solved(4, 2).table)


def test_files_that_are_not_ours_stay_where_they_are(tmp_path):
    for name in ("part-two.tex", "lock", "notes"):
        (tmp_path / name).write_text("mine")
    solve_cant_stop(CantStop(3, 1), checkpoint=tmp_path)
    assert all((tmp_path / name).read_text() == "mine" for name in ("part-two.tex", "lock", "notes"))


def test_a_disk_that_cannot_be_read_is_no_reason_to_begin_again(tmp_path, monkeypatch):
    solve_cant_stop(CantStop(3, 1), checkpoint=tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def fails(*_, **__):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(np, "load", fails)
    with pytest.raises(OSError, match="Input/output"):
        solve_cant_stop(CantStop(3, 1), checkpoint=tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_failure_inside_is_raised_and_saves_nothing():
    class Failing:
        missed = 0.0

        def work(self, rows):
            raise MemoryError("no room")

        def stop(self):
            pass

    saved = []
    with pytest.raises(MemoryError, match="no room"):
        row_runs.Run(kernel_board(CantStop(3, 1))).work(row_runs.Threads(2, Failing), save=lambda: saved.append(1))
    assert saved == []


def test_rows_of_a_lost_worker_are_handed_out_again():
    """Every batch is lost once: the table is the same in the end; a batch that is lost again and again is an error."""
    game = CantStop(3, 2)
    board, table = kernel_board(game), np.zeros_like(solve_cant_stop(game).table)

    class Forgetful:
        def __init__(self, times):
            self.times, self.lost, self.worker = times, {}, kernels.CantStopWorker(board, table)
            self.rows, self.batch = None, 3

        idle = property(lambda self: self.rows is None)
        busy = property(lambda self: self.rows is not None)

        def give(self, rows):
            self.rows = rows

        def wait(self, seconds):
            rows, self.rows = self.rows, None
            self.lost[rows[0]] = self.lost.get(rows[0], 0) + 1
            if self.lost[rows[0]] <= self.times:
                return [row_runs.Batch(rows, failure=row_runs.WorkerLost("gone"))]
            self.worker.work(rows)
            return [row_runs.Batch(rows)]

        def stop(self):
            return []

    row_runs.Run(board).work(Forgetful(1))
    assert np.array_equal(table, solve_cant_stop(game).table)
    with pytest.raises(row_runs.WorkerLost):
        row_runs.Run(board).work(Forgetful(99))


def test_a_second_run_is_kept_out(tmp_path):
    with Checkpoint(tmp_path, CantStop(3, 1), np.zeros((2, 2))), pytest.raises(StaleSolution, match="another run"):
        solve_cant_stop(CantStop(3, 1), checkpoint=tmp_path)
    solve_cant_stop(CantStop(3, 1), checkpoint=tmp_path)


def test_a_place_that_cannot_hold_a_checkpoint_is_refused(tmp_path):
    (tmp_path / "file").write_text("x")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(OSError, match="name a directory"):
            solve_cant_stop(CantStop(3, 1), checkpoint=place)
    with pytest.raises(ValueError, match="leave them out"):
        solve_cant_stop(CantStop(2, 1, markers=2), checkpoint=tmp_path / "board")


@pytest.mark.parametrize(
    "remaining", [(3, 0, 0, 0, 0), (2, 4, 6, 4, 3), (1,), (), (2, 4, 6, 4, 2, 9), (-1, 0, 0, 0, 0), (10**9,) * 5]
)
def test_a_board_that_is_not_there_is_refused(remaining, solved):
    with pytest.raises(PositionError, match="steps that remain"):
        solved(3, 2)[remaining]


def test_a_killed_run_resumes_to_the_same_bits(tmp_path, solved):
    child = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)])
    assert len(list(tmp_path.glob("part-*.npy"))) == 3
    assert child.returncode == -signal.SIGKILL
    assert np.array_equal(solve_cant_stop(CantStop(4, 2), checkpoint=tmp_path).table, solved(4, 2).table)


def test_an_interrupted_certificate_goes_on_where_it_was(tmp_path, solved):
    game = CantStop(4, 1)
    values = solve_cant_stop(game, checkpoint=tmp_path)
    begun_at = []

    def interrupt(done, total):
        begun_at.append(done)
        if begun_at[0] < done < total:
            raise Interrupted

    for _ in range(3):
        with contextlib.suppress(Interrupted):
            certify_cant_stop(values, threads=1, checkpoint=tmp_path, progress=interrupt)
        begun_at.clear()
    certified = json.loads((tmp_path / "manifest.json").read_text())["certified"]
    assert certified["rows"]
    eta = certify_cant_stop(values, checkpoint=tmp_path)
    assert eta == certify_cant_stop(solved(4, 1)) >= certified["missed"]
    seen = []
    assert certify_cant_stop(values, checkpoint=tmp_path, progress=lambda done, total: seen.append(done)) == eta
    assert len(seen) == 1  # all from disk


def test_a_certificate_belongs_to_its_table(tmp_path, solved):
    game = CantStop(3, 1)
    certify_cant_stop(solve_cant_stop(game, checkpoint=tmp_path), checkpoint=tmp_path)
    other = BoardValues.of_array(game, solved(3, 1).full() * 1.5)
    with pytest.raises(StaleSolution, match="does not hold this table"):
        certify_cant_stop(other, checkpoint=tmp_path)
    with pytest.raises(StaleSolution, match="does not hold this table"):
        certify_cant_stop(solved(3, 1), checkpoint=tmp_path / "nothing")
    (tmp_path / "part-000001.npy").write_bytes(b"torn")
    solve_cant_stop(game, checkpoint=tmp_path)  # solves again; the old certificate no longer counts
    assert json.loads((tmp_path / "manifest.json").read_text())["certified"]["rows"] == []


@pytest.mark.parametrize(
    "damage",
    [
        lambda manifest: "{torn",
        lambda manifest: "[1, 2]",
        lambda manifest: json.dumps({key: manifest[key] for key in manifest if key != "parts"}),
        lambda manifest: json.dumps(manifest | {"parts": [{"file": "part-000001.npy"}]}),
        lambda manifest: json.dumps(manifest | {"parts": [manifest["parts"][0] | {"rows": [[0, 10**9]]}]}),
        lambda manifest: json.dumps(manifest | {"certified": {"rows": [[10**9, 1]], "missed": 0.0}}),
        lambda manifest: json.dumps(manifest | {"certified": {"rows": [], "missed": float("nan")}}),
    ],
)
def test_a_damaged_manifest_is_refused_in_one_line(tmp_path, damage):
    path = tmp_path / "manifest.json"
    solve_cant_stop(CantStop(3, 1), checkpoint=tmp_path)
    path.write_text(damage(json.loads(path.read_text())))
    before = path.read_bytes()
    with pytest.raises(StaleSolution, match="damaged"):
        solve_cant_stop(CantStop(3, 1), checkpoint=tmp_path)
    assert path.read_bytes() == before


def test_a_checkpoint_of_other_rules_is_refused(tmp_path):
    solve_cant_stop(CantStop(2, 1), checkpoint=tmp_path)
    with pytest.raises(StaleSolution, match="shortest=1"):
        solve_cant_stop(CantStop(2, 2), checkpoint=tmp_path)


def test_progress_ends_with_everything_done():
    seen = []
    solve_cant_stop(CantStop(3, 2), progress=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1] == 762


def test_a_board_that_cannot_fit_is_refused_before_anything_is_allocated(monkeypatch):
    monkeypatch.setattr(work, "free_memory", lambda: 20e9)
    with pytest.raises(TooLargeError, match="float32"):
        solve_cant_stop(CantStop())
    with pytest.raises(TooLargeError, match="too many to write out"):
        solve_cant_stop(CantStop(markers=2))


def test_the_estimate_counts_boards_and_bytes():
    wanted = estimate(CantStop(4, 1), threads=1, sample=20)
    assert wanted.boards == 12_913
    assert wanted.memory_bytes > 8 * 12_913 / 2
    assert 0.01 < wanted.seconds < 60


def test_boards_that_cannot_fit_are_refused_at_once(monkeypatch):
    monkeypatch.setattr(work, "free_memory", lambda: 20e9)
    for game in (CantStop(3, 200), CantStop(6, 200), CantStop(5, 50)):
        with pytest.raises(TooLargeError, match="beyond any estimate"):
            estimate(game)
        with pytest.raises(TooLargeError, match="GB are free"):
            solve_cant_stop(game)
    with pytest.raises(ValueError, match="threads is a whole number from 1"):
        solve_cant_stop(CantStop(2, 1), threads=100_000)


def test_a_turn_replayed_by_the_kernel_is_the_turn_of_the_rules(solved):
    game, values = CantStop(3, 2), solved(3, 2)
    replay, standing = TurnReplay(values), (1, 0, 2, 0, 2)
    for markers in (((3, 1),), ((4, 3), (5, 2)), ((3, 1), (4, 4), (5, 1)), ((3, 4), (4, 4))):
        stop, roll = replay.moment(standing, markers)
        assert roll == pytest.approx(roll_worth(values, standing, markers, {}), abs=1e-13)
        assert stop == values.at(game.bank(standing, markers))


def test_the_best_plays_of_all_rolls_make_up_the_value_of_the_start(solved):
    game = CantStop(3, 2)
    replay = TurnReplay(solved(3, 2))
    total = 0
    for roll, weight in game.rolls().items():
        total += weight * min(min(replay.moment(game.opening, after)) for after in game.plays(game.opening, (), roll))
    assert 1 + total / 81 == pytest.approx(solved(3, 2).start, abs=1e-13)
