"""What the terminal shows fits into 80 columns."""

import io

import pytest
from rich.cells import cell_len

from jeopardice.cli import COMMANDS, main


def widest(text: str) -> str:
    """Return the line that needs the most columns."""
    return max(text.splitlines(), key=cell_len)


@pytest.fixture(autouse=True)
def narrow(monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO("s\nq\n"))


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_into_80_columns(command, capsys):
    assert main([*command.split(), "--help"]) == 0
    assert cell_len(line := widest(capsys.readouterr().out)) <= 80, line


@pytest.mark.parametrize(
    "line",
    [
        "games",
        *(f"games {name}" for name in ("pig", "ten-thousand", "farkle", "hog", "yahtzee", "cant-stop")),
        *(f"games {name}" for name in ("zilch", "kingdom_come", "cardgames_io", "big_pig", "berkeley_hog")),
        "solve pig turn",
        "solve pig alone --target 30 --within 4",
        "solve pig duel --target 100",
        "solve pig duel --target 20 --last-round --busts 2 --penalty 5 --bank-from 3 --open-from 5",
        "solve pig duel --target 20 --opponent pig --payoff margin",
        "solve pig race --players 3 --target 20 --table",
        "solve ten-thousand turn",
        "solve farkle duel --named zilch --target 1000",
        "solve farkle duel --piggyback --target 1000",
        "solve hog simultaneous --target 4 --mine 3",
        "solve pig rate --busts 2 --penalty 5",
        "solve yahtzee",
        "solve cant-stop --sides 3 --shortest 2",
        "solve cant-stop --players 2 --sides 2 --shortest 2",
        "advise pig duel --mine 41 --theirs 49 --at-risk 27",
        "advise farkle turn --roll 1,5,5,2,3,3",
        "advise yahtzee --roll 1,2,3,4,5",
        "advise cant-stop --sides 3 --shortest 2 --mine 3:1 --roll 1,2,3,3",
        "advise pig race --players 3 --target 30 --theirs 5,5",
        "analyse pig turn --stop-at 20",
        "analyse pig alone",
        "analyse hog turn",
        "analyse cant-stop --sides 3 --shortest 2",
        "compare pig duel --target 20",
        "compare pig race --players 3 --target 20 optimal stop-at-10 roll-3-times",
        "compare cant-stop duel --games 100 rule-of-28 glenn-aloi",
        "compare yahtzee --games 20",
        "simulate pig duel --games 100 optimal fewest-turns",
        "simulate cant-stop alone --games 100 glenn-aloi",
        "simulate pig race --players 3 --target 20 --games 100 optimal stop-at-10 roll-3-times",
        "thumb pig",
        "dice-choice pig duel --from fair,odd,lucky --against fair --target 30",
        "bound cant-stop --sides 3 --shortest 2 --started 2",
        "drill pig --count 1",
        "drill yahtzee --count 1",
        "drill cant-stop --sides 2 --shortest 2 --count 1",
        "play pig",
        "play yahtzee",
        "play cant-stop",
        "play farkle --target 1000",
        "play hog simultaneous --target 4",
        "play pig race --players 3 --target 20",
        "export pig duel --target 20 --out pig.csv",
        "plot pig alone --target 20",
    ],
)
def test_what_commands_print_fits_into_80_columns(line, capsys):
    assert main(line.split()) in (0, 2) if line.startswith("drill") else main(line.split()) == 0
    printed = capsys.readouterr()
    assert cell_len(line := widest(printed.out)) <= 80, line
