"""The cache of solutions: a second answer is read from it, damaged entries and those of other rules are solved again, and it
stays small."""

import json
import os
from dataclasses import replace

import numpy as np
import pytest

from jeopardice import CantStop, Farkle, Pig, Race, Rate, Turn, Yahtzee, cache, house_goal, solve
from jeopardice.cache import (
    belongs_in_cache,
    cache_solution,
    cached_solutions,
    clear_cache,
    place_of,
    solve_cached,
    without_cache,
)
from jeopardice.cli import main
from tests.conftest import Coin

GOAL = Race(Farkle.named("greed"), 2000, players=2, open_from=300)


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("JEOPARDICE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "WORTH_CACHING", 0.0)


def solves(monkeypatch):
    """Count how often something is really solved."""
    times = []
    monkeypatch.setattr(cache, "solve", lambda goal, **how: times.append(goal) or solve(goal, **how))
    return times


@pytest.mark.parametrize(
    "goal",
    [GOAL, Race(Pig(), 30), Race(Pig(), 30, players=2, opponent=Pig(sides=8)), Race(Pig(), 12, players=3),
     replace(house_goal("zilch"), target=200), replace(house_goal("big_pig"), target=30), Race(CantStop(sides=3))],
)  # fmt: skip
def test_the_second_time_is_read_and_says_the_same(goal, monkeypatch):
    times = solves(monkeypatch)
    first, second = solve_cached(goal), solve_cached(goal)
    assert len(times) == 1 and second.goal == goal
    assert second.value == first.value and second.values == first.values
    assert second.certificate is None and second.error_bound == first.error_bound
    cache_solution(second)
    assert solve_cached(goal).certificate.bound == first.error_bound and len(times) == 1


def test_what_is_damaged_is_solved_again_and_written_again(monkeypatch):
    times = solves(monkeypatch)
    value = solve_cached(GOAL).value
    path = place_of(GOAL)
    for damage in (
        lambda: (path / "manifest.json").write_text("{}"),
        lambda: (path / "manifest.json").unlink(),
        lambda: next(path.glob("*.npy")).write_bytes(b"not an array"),
        lambda: next(path.glob("*.npy")).unlink(),
        lambda: (path / "stranger.txt").write_text("hello") and (path / "manifest.json").write_bytes(b"\xff"),
        lambda: np.save(next(path.glob("*.npy")), np.zeros(3)),
    ):
        before = len(times)
        damage()
        assert solve_cached(GOAL).value == value and len(times) == before + 1
        assert solve_cached(GOAL).value == value and len(times) == before + 1


def test_other_rules_and_other_versions_have_other_places(monkeypatch):
    places = {place_of(GOAL), place_of(replace(GOAL, open_from=350)), place_of(replace(GOAL, target=2050))}
    monkeypatch.setattr(cache, "version", lambda name: "99")
    places.add(place_of(GOAL))
    monkeypatch.setattr(cache, "FORMAT", 99)
    assert len(places | {place_of(GOAL)}) == 5


def test_only_races_of_the_package_s_games_are_cached(monkeypatch):
    others = (Race(CantStop(), players=2), Turn(Pig()), Rate(Pig()), Race(Coin(), 10, players=2))
    assert belongs_in_cache(GOAL) and belongs_in_cache(Race(Yahtzee())) and not any(map(belongs_in_cache, others))
    with without_cache():
        assert not belongs_in_cache(GOAL)
    monkeypatch.setenv("JEOPARDICE_CACHE", "off")
    assert not belongs_in_cache(GOAL)
    monkeypatch.undo()
    assert not belongs_in_cache(Race(Pig(), 10))  # solved at once


def test_the_cache_keeps_what_was_used_last(monkeypatch):
    goals = [Race(Pig(), target, players=2) for target in (220, 221, 222)]
    for age, goal in enumerate(goals[:2]):
        solve_cached(goal)
        os.utime(place_of(goal), (1000 + age, 1000 + age))
    solve_cached(goals[0])
    size = max(cached_solutions().values())
    monkeypatch.setenv("JEOPARDICE_CACHE_MB", "1")
    assert 2 * size < 1_000_000 < 3 * size
    solve_cached(goals[2])
    assert set(cached_solutions()) == {place_of(goals[0]), place_of(goals[2])}
    monkeypatch.setenv("JEOPARDICE_CACHE_MB", "0")
    solve_cached(Race(Pig(), 30, players=2))
    assert place_of(Race(Pig(), 30, players=2)) not in cached_solutions()
    assert clear_cache() == 2 and not cached_solutions()


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("JEOPARDICE_CACHE", str(tmp_path / "file"))
    assert solve_cached(GOAL).value == solve(GOAL).value


def test_commands_use_the_cache_and_can_do_without(capsys, monkeypatch):
    times = solves(monkeypatch)
    words = ["pig", "duel", "--target", "40", "--json"]
    answers = []
    for command in (["solve", *words], ["solve", *words], ["advise", *words, "--at-risk", "20"]):
        assert main(command) == 0
        answers.append(json.loads(capsys.readouterr().out))
    assert len(times) == 1 and answers[0]["value"] == answers[1]["value"]
    assert answers[0]["error_bound"] == answers[1]["error_bound"] > 0
    assert main(["solve", *words, "--no-cache"]) == 0
    assert len(times) == 2 and json.loads(capsys.readouterr().out)["value"] == answers[0]["value"]
    assert main(["cache", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["solutions"]) == 1
    assert main(["cache", "--clear"]) == 0
    assert capsys.readouterr().out.startswith("1 solution deleted")
    assert main(["cache"]) == 0
    assert capsys.readouterr().out.startswith("0 solutions cached")
