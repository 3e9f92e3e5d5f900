"""What people type: lists for tuples, NumPy's numbers, games written in many ways; and what is refused, in one line."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

from jeopardice import (
    Pig,
    Play,
    PositionError,
    Race,
    RulesError,
    StaleSolution,
    TenThousand,
    TooLargeError,
    Turn,
    load,
    solve,
)


@dataclass(frozen=True)
class LoadedPig:
    """A die with a weight per face, kept in a dict: equal to its like, but without a hash."""

    weights: dict[int, int]
    opening: ClassVar[str] = "start"

    def rolls(self, mode: str) -> dict[int, int]:
        return self.weights

    def plays(self, mode: str, roll: int) -> list[Play]:
        return [] if roll == 1 else [Play(roll, "start")]


class Coin:
    """No dataclass, no repr: only the three answers."""

    opening = ()

    def rolls(self, mode: Any) -> dict[str, int]:
        return {"heads": 1, "tails": 1}

    def plays(self, mode: Any, roll: str) -> Any:
        return [Play(1, ())] if roll == "heads" else []


class BustOnOne(NamedTuple):
    sides: int = 6

    @property
    def opening(self) -> int:
        return 0

    def rolls(self, mode: int) -> dict[int, int]:
        return dict.fromkeys(range(1, self.sides + 1), 1)

    def plays(self, mode: int, roll: int) -> list[Play]:
        return [] if roll == 1 else [Play(roll, 0)]


class BustOnSix(NamedTuple):
    sides: int = 6

    @property
    def opening(self) -> int:
        return 0

    def rolls(self, mode: int) -> dict[int, int]:
        return dict.fromkeys(range(1, self.sides + 1), 1)

    def plays(self, mode: int, roll: int) -> list[Play]:
        return [] if roll == 6 else [Play(roll, 0)]


class NumPyDie(Coin):
    opening = np.int64(0)  # type: ignore[assignment]

    def rolls(self, mode: Any) -> Any:
        return {face: np.int64(1) for face in np.arange(1, 7)}

    def plays(self, mode: Any, roll: Any) -> Any:
        return [] if roll == 1 else [Play(roll, np.int64(0))]


def test_positions_and_rolls_of_any_kind() -> None:
    pig = solve(Race(Pig(), 100, players=2))
    plain = pig.advise(mine=41, theirs=49, at_risk=27, roll=(5,))
    assert pig.advise(mine=np.int64(41), theirs=np.int32(49), at_risk=np.uint8(27), roll=[5]).options == plain.options
    turn = solve(Turn(TenThousand()))
    plain = turn.advise(at_risk=350, roll=(1, 1, 2, 3, 5))
    for roll in ([3, 1, 5, 1, 2], (5, 3, 2, 1, 1), np.array([3, 1, 5, 1, 2])):
        assert turn.advise(at_risk=350, roll=roll).options == plain.options
    wrong: list[Any] = [5, "11523", [5, "a"], {5: 1}, [[1]], [1, 1, 1, 1, 9]]
    for roll in wrong:
        with pytest.raises(PositionError):
            turn.advise(at_risk=350, roll=roll)
    with pytest.raises(PositionError, match="one thing"):
        turn.advise(at_risk=350, dice=2, mode=3)


def test_goals_and_games_in_numpy_numbers() -> None:
    goal = Race(Pig(sides=np.int64(8), bust=np.array([1, 2])), np.int64(20), players=np.int64(2))  # type: ignore[arg-type]
    assert goal == Race(Pig(8, (1, 2)), 20, players=2)
    assert repr(goal) == repr(Race(Pig(8, (1, 2)), 20, players=2))
    assert solve(Turn(NumPyDie()), exact=True).value == Fraction(492303203, 60466176)


def test_games_written_in_many_ways() -> None:
    loaded = LoadedPig({1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1})
    assert solve(Turn(loaded), exact=True).value == Fraction(492303203, 60466176)
    assert solve(Race(loaded, 20, players=2)).value == solve(Race(Pig(), 20, players=2)).value
    assert solve(Turn(BustOnOne())).value == solve(Turn(Pig())).value
    assert solve(Turn(BustOnSix())).value == solve(Turn(Pig(bust=(6,)))).value  # equal tuples, other rules


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"opening": None}, "None ends the turn"),
        ({"plays": lambda self, mode, roll: None}, r"\[\] for a bust"),
        ({"plays": lambda self, mode, roll: Play(1, ())}, "list of plays"),
        ({"plays": lambda self, mode, roll: [(1, ())]}, r"Play\(points, mode\)"),
        ({"rolls": lambda self, mode: {"heads": 0.5, "tails": 0.5}}, "whole numbers"),
    ],
)
def test_wrong_answers_of_a_game(answers: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError, match=message):
        solve(Turn(type("Odd", (Coin,), answers)()))


def test_wrong_kinds() -> None:
    for sides in ("6", 6.0, True):
        with pytest.raises(RulesError, match="two sides"):
            Pig(sides=sides)  # type: ignore[arg-type]
    for bust in (1, "1", (1.0,), (7,)):
        with pytest.raises(RulesError, match="the faces that bust"):
            Pig(bust=bust)  # type: ignore[arg-type]
    for game in (Pig, None, "pig"):
        with pytest.raises(TypeError, match="a game answers"):
            solve(Turn(game))
        with pytest.raises(TypeError, match="a game answers"):
            solve(Race(Pig(), 20, players=2, opponent=game or "pig"))
    for threads in (0, -1, "2", 2.0):
        with pytest.raises(ValueError, match="threads"):
            solve(Race(Pig(), 20, players=2), threads=threads)  # type: ignore[arg-type]


def test_turns_that_do_not_fit() -> None:
    with pytest.raises(TooLargeError, match="moments"):
        solve(Turn(LoadedPig({1: 1, 2: 10**9, 6: 10**9})))
    with pytest.raises(TooLargeError, match="moments"):
        solve(Race(LoadedPig({1: 1, 2: 1, 10**9 + 1: 1}), 20))


def test_a_nameless_game_comes_back(tmp_path: Path) -> None:
    solved = solve(Race(Coin(), 3, players=2))
    solved.save(tmp_path / "coin")
    assert load(tmp_path / "coin", Race(Coin(), 3, players=2)).value == solved.value
    with pytest.raises(StaleSolution, match=r"of your own|does not hold"):
        load(tmp_path / "coin")
    other = type("Coin", (Coin,), {"plays": _one_or_two, "__qualname__": "Coin", "__module__": __name__})
    with pytest.raises(StaleSolution, match="other rules"):
        load(tmp_path / "coin", Race(other(), 3, players=2))


def _one_or_two(self: Any, mode: Any, roll: str) -> list[Play]:
    return [Play(2, ()), Play(1, ())] if roll == "heads" else []


def test_saving_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "köln").mkdir()
    solve(Turn(Pig())).save(tmp_path / "köln" / "pig")
    (tmp_path / "link").symlink_to(tmp_path / "köln" / "pig")
    solve(Turn(Pig(8))).save(tmp_path / "link")
    assert load(tmp_path / "köln" / "pig").goal == load(tmp_path / "link").goal == Turn(Pig(8))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["köln", "link"]
    assert [p.name for p in (tmp_path / "köln").iterdir()] == ["pig"]
