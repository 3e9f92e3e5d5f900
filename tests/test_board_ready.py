"""Boards too large to solve are answered from a bracket that is made once and cached."""

import json
from pathlib import Path

import numpy as np
import pytest

from jeopardice import CantStop, Race, load, solve
from jeopardice.cli import main
from jeopardice.columns import bracket_solution, ready
from jeopardice.columns.ready import cached_at, is_bounded, is_ready, ready_bracket
from jeopardice.columns.simulate import simulate_boards
from jeopardice.columns.strategy import BestBoardPlay
from jeopardice.family import How, family_of

SMALL = Race(CantStop(sides=3, shortest=2))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and limits that make a small board a large one and its bracket a wide one."""
    monkeypatch.setenv("JEOPARDICE_CACHE", str(tmp_path / "jeopardice"))
    monkeypatch.setattr(ready, "MOST_SOLVED", 1000)
    monkeypatch.setattr(ready, "STARTED", 0)
    monkeypatch.setattr(ready, "SECONDS", 1e-9)
    monkeypatch.setattr(bracket_solution, "NARROW", 0)
    return tmp_path


def said(words: str, capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, object], str]:
    assert main([*words.split(), "--json"]) in (0, None)
    printed = capsys.readouterr()
    return json.loads(printed.out), printed.err


def test_only_large_boards_alone_are_bounded() -> None:
    assert is_bounded(Race(CantStop()))
    assert not is_bounded(Race(CantStop(), players=2)) and not is_bounded(Race(CantStop(5, 2)))
    assert not is_bounded(Race(CantStop(sides=6, markers=2))), "rules outside the kernel have no brackets"


def test_the_bracket_is_made_once_and_made_again_when_damaged(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_ready(SMALL)
    first = ready_bracket(SMALL)
    assert first.lower < solve(SMALL).value < first.upper and is_ready(SMALL)
    with monkeypatch.context() as patch:
        patch.setattr(ready, "solve_bracket", None)  # nothing is solved again
        again = ready_bracket(SMALL)
    assert np.array_equal(again.bracket.upper_table, first.bracket.upper_table)
    assert (again.lower, again.upper) == (load(cached_at(SMALL)).lower, first.upper)
    block = cached_at(SMALL) / "upper.npy"
    content = bytearray(block.read_bytes())
    content[-3] ^= 16
    block.write_bytes(content)
    assert ready_bracket(SMALL).upper == first.upper, "a flipped byte is found by its digest"


def test_commands_answer_from_the_bracket(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = "cant-stop --sides 3 --shortest 2"
    advice, told = said(f"advise {board} --roll 1,2,3,3", capsys)
    assert "first use of this board" in told and "not solved" in told and float(str(advice["error_bound"])) > 0
    exact = {o.play: o.value for o in solve(SMALL).advise(roll=(1, 2, 3, 3)).options}
    for option in advice["options"]:  # type: ignore[attr-defined]
        assert (
            exact[option["play"]] - 1e-9 <= option["value"] <= exact[option["play"]] + float(str(advice["error_bound"]))
        )
    played, told = said(f"simulate {board} optimal --games 50", capsys)
    assert played["strategies"] == ["near-best"] and "first use" not in told
    law, _ = said(f"analyse {board} --strategy optimal", capsys)
    bracket = ready_bracket(SMALL)
    assert solve(SMALL).value <= float(str(law["value"])) <= bracket.upper, (
        "the strategy keeps its proven number of turns"
    )


def test_the_simulated_strategy_keeps_its_bound(cache: Path) -> None:
    bracket = ready_bracket(SMALL)
    mean = simulate_boards(SMALL, BestBoardPlay(bracket), games=600, seed=3).mean_turns
    assert solve(SMALL).value - 4 * mean.standard_error <= mean.mean <= bracket.upper + 4 * mean.standard_error


def test_a_game_is_judged_by_the_bracket_and_says_so(cache: Path) -> None:
    judge = family_of(SMALL.game).judge_to_play(SMALL, How())
    assert judge.measure.is_estimate and judge.measure.prefers_less
    start = judge.match.start()
    assert judge.values_at(start)[0] == pytest.approx(ready_bracket(SMALL).upper, abs=1e-9)
