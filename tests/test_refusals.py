"""What would never finish is refused in one line before it begins."""

import time

import pytest

from jeopardice import Farkle, Hog, Pig, TenThousand
from jeopardice.cli import main
from jeopardice.errors import TooLargeError
from jeopardice.points.tables import lay_out


@pytest.mark.parametrize(
    "game",
    [
        Hog(dice_limit=1000),
        Hog(sides=10**6),
        TenThousand(dice=20),
        Pig(sides=10**9),
        Farkle(dice=12),
    ],
    ids=repr,
)
def test_dice_with_too_many_rolls_are_refused_at_once(game):
    begun = time.process_time()
    with pytest.raises(TooLargeError, match="choose fewer dice or sides"):
        lay_out(game)
    assert time.process_time() - begun < 1.0


@pytest.mark.parametrize("game", [Hog(dice_limit=40), TenThousand(dice=8), Pig(sides=1000), Farkle(dice=7)], ids=repr)
def test_dice_that_people_play_with_are_laid_out(game):
    assert lay_out(game).modes


@pytest.mark.parametrize(
    "line",
    [
        "solve hog turn --dice-limit 1000",
        "solve ten-thousand turn --dice 20",
        "solve pig turn --sides 1000000000",
        "solve farkle turn --dice 12",
        "solve hog turn --sides 1000000",
        "advise ten-thousand turn --roll ²",
        "solve pig turn --exact --sides 100",
        "solve pig alone --target 100000000000",
        "solve pig duel --target 1000000",
        "analyse pig --stop-at 1000000000",
        "export pig alone --target 1000000000 --out never.csv",
        "simulate pig --games 1000000000000000000000",
        "analyse yahtzee --stop-at 3",
    ],
)
def test_the_command_line_refuses_in_one_line(line, capsys):
    assert main(line.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1


def test_too_little_memory_is_one_line(monkeypatch, capsys):
    def full(*_, **__):
        raise MemoryError

    monkeypatch.setattr("jeopardice.points.tables._remembered", full)
    assert main(["solve", "pig", "turn", "--sides", "7"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "line", ["plot pig duel --target 20 --out made.json", "advise cant-stop turn", "advise yahtzee turn"]
)
def test_what_there_is_not_is_one_line(line, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(line.split()) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_board_beyond_the_memory_is_one_line(capsys, monkeypatch):
    monkeypatch.setattr("jeopardice.columns.work.free_memory", lambda: 1e9)
    assert main(["solve", "cant-stop"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("points", ["1" + "0" * 400, "3"])
@pytest.mark.parametrize("weight", ["1" + "0" * 320, "5"])
def test_numbers_beyond_floats_are_refused(points, weight, tmp_path, capsys):
    file = tmp_path / "rules.toml"
    file.write_text(
        f'name = "Big"\n[[faces]]\nface = 1\npoints = {points}\nweight = {weight}\n[[faces]]\nface = 2\neffect = "bust"\n'
    )
    code = main(["solve", str(file), "turn"])
    assert (code == 0) == (points == "3" and weight == "5")
    assert code == 0 or (code == 2 and capsys.readouterr().err.count("\n") == 1)
