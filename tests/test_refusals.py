"""What would never finish is refused in one line before it begins."""

import runpy
import subprocess
import sys
import time

import pytest

from jeopardice import Farkle, Hog, Pig, Race, TenThousand, solve
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
        "compare ten-thousand duel optimal most-points wrong",
        "compare pig --players 3 --target 20 optimal optimal wrong",
        "simulate pig --players 3 --target 20 optimal wrong stop-at-3",
        "simulate pig duel fewest-turns wrong",
        "compare cant-stop duel --sides 3 optimal wrong",
        "simulate cant-stop duel --sides 3 optimal wrong",
        "compare yahtzee optimal greedy wrong",
    ],
)
def test_a_strategy_that_does_not_exist_is_refused_before_the_work(line, capsys, monkeypatch):
    def never(*given, **named):
        raise AssertionError("work began")

    for place in ("points.named_strategies.solve_points", "cli.boards.solution_for", "cli.cards.played_cards"):
        monkeypatch.setattr(f"jeopardice.{place}", never)
    assert main(line.split()) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and told.startswith("jeopardice: a strategy") and "'wrong'" in told


@pytest.mark.parametrize(
    "line",
    [
        "solve hog turn --dice-limit 1000",
        "solve ten-thousand turn --dice 20",
        "solve pig turn --sides 1000000000",
        "solve farkle turn --dice 12",
        "solve hog turn --sides 1000000",
        "solve hog simultaneous --sides 1000000",
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


@pytest.mark.parametrize(
    ("line", "needed"),
    [
        ("solve pig duel --target 100000000", "choose a smaller target"),
        ("thumb pig duel --target 100000", "choose a smaller target"),
        ("drill pig --target 100000000", "choose a smaller target"),
        ("solve hog simultaneous --target 100000000", "choose a smaller target"),
        ("solve hog simultaneous --target 300 --mine 300", "--mine lies between 0 and 299"),
        ("solve hog simultaneous --target 300 --mine -1", "--mine lies between 0 and 299"),
        ("solve pig duel --bank-from 99999999999", "bank_from is at most 1,000,000,000 points"),
        ("solve pig race --players 3 --target 20 --last-round --open-from 99999999999", "open_from is at most"),
        ("solve pig duel --busts 99999999 --penalty 1 --target 20", "busts in a row are counted up to 1,000"),
        ("solve pig rate --busts 99999999 --penalty 1", "busts in a row are counted up to 1,000"),
        ("solve pig duel --target 20 --checkpoint ", "points games are solved in one go"),
        ("bound cant-stop --sides 3 --checkpoint ", "a checkpoint is saved in a directory, got ''"),
        ("plot pig duel --out ", "--out ends in one of"),
        ("solve pig duel --mine 1", "--mine belongs to simultaneous"),
        ("advise pig duel --mine 99999999999999 --theirs 3", "whole numbers of at most 12 digits"),
        ("compare pig duel --target 20 os:system optimal", "os:system failed at Moment("),
        ("compare pig duel --target 20 table:/dev/zero optimal", "two whole numbers each"),
        ("compare pig duel --target 20 roll-999999999-times optimal", "roll-N-times takes N up to 10,000"),
        ("compare cant-stop duel --games 0 rule-of-28 glenn-aloi", "games lies between 1 and"),
        ("compare yahtzee --games 0", "games lies between 1 and"),
        ("export hog turn --out never.npy", ".npy files hold numbers only"),
        ("solve pig duel --target 20 --save /proc/x", "nothing can be written in /proc"),
        ("export pig turn --out /proc/x.csv", "nothing can be written in /proc"),
        ("plot pig duel --target 20 --out /proc/x.png", "nothing can be written in /proc"),
        ("reproduce --out ", "--out names a directory, got ''"),
        ("reproduce --out /proc/x", "nothing can be written in /proc"),
        ("serve --no-browser --host ", "--host"),
        ("serve --no-browser --host 192.0.2.1", "choose another --host"),
    ],
)
def test_what_cannot_be_done_is_refused_before_the_work(line, needed, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(line.split(" ")) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1
    assert needed in printed.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("play pig --seed 1 <&-", 0),
        ("solve pig turn >&-", 0),
        ("solve pig turn --json 2>&-", 0),
        ("solve pig duel --target 300 --table | head -1", 0),
        ("solve pig turn --json > /dev/full", 2),
    ],
)
def test_streams_that_are_closed_or_full_are_no_traceback(line, code):
    shell = f"set -o pipefail; {sys.executable} -m jeopardice {line}"
    ended = subprocess.run(["bash", "-c", shell], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert ended.returncode == code and ended.stderr.count("\n") == (code == 2), ended.stderr


def test_an_interrupt_while_the_command_is_loaded_is_one_line(monkeypatch, capsys):
    class Interrupted:
        def find_spec(self, name, *_):
            if name == "jeopardice.cli":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "jeopardice.cli")
    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("jeopardice", run_name="__main__")
    assert ended.value.code == 130 and capsys.readouterr().err == "\njeopardice: stopped\n"


@pytest.mark.parametrize("more", ["", "players=3", "last_round=True", "piggyback=True"])
@pytest.mark.parametrize("least", ["bank_from", "open_from"])
def test_a_minimum_beyond_the_target_is_the_target(least, more):
    rules = dict(part.split("=") for part in more.split(",") if part)
    rules = {"players": 2} | {name: int(value) if value.isdigit() else True for name, value in rules.items()}
    high, all_of_it = (solve(Race(Pig(), 12, **rules, **{least: points})).values for points in (10**9, 12))
    assert high == all_of_it
