import json

import numpy as np
import pytest

from jeopardice import CantStop, Pig, Play, Race, Simultaneous, StaleSolution, TenThousand, Turn, load, solve
from jeopardice.store import manifest_digest
from tests.conftest import Coin

GOALS = [
    Turn(Pig()),
    Turn(TenThousand(resign=("5", "1"))),
    Race(Pig(), 50),
    Race(Pig(), 30, within=5),
    Race(Pig(), 30, players=2),
    Race(Pig(), 30, players=2, opponent=Pig(sides=8)),
]


@pytest.mark.parametrize("goal", GOALS, ids=repr)
def test_a_solution_comes_back_as_it_was(goal, tmp_path):
    solution = solve(goal)
    solution.save(tmp_path / "kept")
    again = load(tmp_path / "kept")
    assert again.goal == goal
    assert again.value == solution.value
    assert again.error_bound == solution.error_bound
    assert again.advise(at_risk=0).options == solution.advise(at_risk=0).options


def test_a_game_of_ones_own_needs_its_goal_to_load(tmp_path):
    goal = Race(Coin(), 5)
    solve(goal).save(tmp_path / "coin")
    with pytest.raises(StaleSolution, match="load\\(path, goal\\)"):
        load(tmp_path / "coin")
    assert load(tmp_path / "coin", goal).value == solve(goal).value
    with pytest.raises(StaleSolution, match="not for"):
        load(tmp_path / "coin", Race(Coin(), 6))


class Toss:
    """One coin or two, chosen by both at the same time; no dataclass, so its repr is a place in memory."""

    opening = "how many?"

    def rolls(self, mode):
        return {(): 1} if mode == "how many?" else {"heads": 1, "tails": 2**mode - 1}

    def plays(self, mode, roll):
        return [Play(0, 1), Play(0, 2)] if mode == "how many?" else [Play(mode, None)] if roll == "heads" else []


@pytest.mark.parametrize("goal", [lambda: Simultaneous(Toss(), 3), lambda: Race(Toss(), 3)], ids=["same time", "alone"])
def test_a_game_without_a_name_is_known_by_its_class(goal, tmp_path):
    assert repr(goal()) != repr(goal())
    solve(goal()).save(tmp_path / "toss")
    assert load(tmp_path / "toss", goal()).value == solve(goal()).value


def test_damage_is_refused_never_trusted(tmp_path):
    path = solve(Race(Pig(), 50)).save(tmp_path / "race")
    block = bytearray((path / "worth.npy").read_bytes())
    block[-3] ^= 1
    (path / "worth.npy").write_bytes(block)
    with pytest.raises(StaleSolution, match="damaged"):
        load(path)


@pytest.mark.parametrize(
    "manifest", ["", "[]", "{}", '{"format": 99, "blocks": {}}', '{"format": 1, "blocks": {"../x": "0"}}']
)
def test_a_foreign_manifest_is_refused(manifest, tmp_path):
    path = solve(Race(Pig(), 50)).save(tmp_path / "race")
    (path / "manifest.json").write_text(manifest)
    with pytest.raises(StaleSolution):
        load(path)


def test_pickles_are_never_read(tmp_path):
    path = solve(Race(Pig(), 50)).save(tmp_path / "race")
    about = json.loads((path / "manifest.json").read_text())
    np.save(path / "worth.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    import hashlib

    about["blocks"]["worth"] = hashlib.sha256((path / "worth.npy").read_bytes()).hexdigest()
    about["digest"] = manifest_digest(about)
    (path / "manifest.json").write_text(json.dumps(about))
    with pytest.raises(StaleSolution, match="damaged"):
        load(path)


def test_saving_over_something_else_writes_nothing(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary.txt").write_text("dear diary")
    with pytest.raises(FileExistsError, match="nothing was written"):
        solve(Race(Pig(), 20)).save(tmp_path / "mine")
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]


def test_saving_twice_replaces_and_leaves_nothing_behind(tmp_path):
    solve(Race(Pig(), 20)).save(tmp_path / "kept")
    solve(Race(Pig(), 21)).save(tmp_path / "kept")
    assert load(tmp_path / "kept").goal == Race(Pig(), 21)
    assert [p.name for p in tmp_path.iterdir()] == ["kept"]


def test_no_solution_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="save one there first"):
        load(tmp_path / "nothing")


@pytest.mark.parametrize(
    "files",
    [
        {"manifest.json": '{"name": "a web extension"}', "thesis.txt": "x"},
        {"manifest.json": '{"name": "a web extension"}'},
        {"manifest.json": '{"format": 2, "parts": [], "game": "CantStop()"}', "part-000000000.npy": "x"},
    ],
)
def test_only_a_kept_solution_is_written_over(files, tmp_path):
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    with pytest.raises(FileExistsError, match="nothing was written"):
        solve(Race(Pig(), 20)).save(tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == files


def test_a_solution_with_a_stranger_beside_it_is_not_written_over(tmp_path):
    path = solve(Race(Pig(), 20)).save(tmp_path / "kept")
    (path / "notes.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="something other than a saved solution"):
        solve(Race(Pig(), 21)).save(path)
    assert (path / "notes.txt").read_text() == "mine" and load(path).goal == Race(Pig(), 20)


def test_rules_and_bounds_that_were_changed_by_hand_are_refused(tmp_path):
    path = solve(Race(CantStop(3, 1))).save(tmp_path / "board")
    about = json.loads((path / "manifest.json").read_text())
    changed = [about | {"error_bound": 1e-300}, about | {"goal": about["goal"] | {"players": 2}}]
    for each in changed:
        (path / "manifest.json").write_text(json.dumps(each))
        with pytest.raises(StaleSolution, match="damaged"):
            load(path)
    about["goal"]["game"]["sides"] = 4
    about["digest"] = manifest_digest(about)
    (path / "manifest.json").write_text(json.dumps(about))
    with pytest.raises(StaleSolution, match="another board"):
        load(path)


def test_a_checkpoint_is_no_kept_solution(tmp_path):
    solve(Race(CantStop(3, 1)), checkpoint=tmp_path)
    with pytest.raises(StaleSolution, match="checkpoint of a run"):
        load(tmp_path)
