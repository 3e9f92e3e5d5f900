"""Lines typed and lines written: the keys of a game, and the choice that a key names."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import click

from jeopardice.tutor import Choice, Referee
from jeopardice.tutor.board_picture import PICTURE_WORDS
from jeopardice.tutor.referee import counted
from jeopardice.tutor.words import choice_lines

POINTS_KEYS = """\
  r    roll, taking all points   h  hint: every play, best first
  s    stop, taking all points   u  undo your last choice (same dice again)
  1 2  the play of that number   q  quit, with the report so far"""
BOARD_KEYS = f"""\
  1 2  the play of that number   h  hint: every play, best first
  r s  roll or stop, where only  u  undo your last choice (same dice again)
       one play does that        q  quit, with the report so far
  {PICTURE_WORDS}"""


class Quit(Exception):
    """The player has had enough, or the input has ended."""


@dataclass(frozen=True)
class Keyboard:
    """Reads lines from stdin and writes lines to stdout, or to stderr where stdout is for a result."""

    to_stderr: bool = False

    def say(self, *lines: str) -> None:
        """Write lines."""
        for line in lines:
            click.echo(line, err=self.to_stderr)

    def ask(self, prompt: str) -> str:
        """Return the next line typed, without blanks around it."""
        click.echo(prompt, nl=False, err=self.to_stderr)
        try:
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            line = ""
        if not line:
            self.say("")
            raise Quit
        if not sys.stdin.isatty():
            self.say(line.strip())
        return line.strip()

    def agrees(self, question: str) -> bool:
        """Return whether the answer is yes; whatever else is typed means no."""
        return self.ask(f"{question} y/n > ").lower() in ("y", "yes")


def help_words(referee: Referee) -> str:
    """Return what the keys do."""
    return POINTS_KEYS if referee.counts == "points" else BOARD_KEYS


def show_choices(keyboard: Keyboard, choices: Sequence[Choice], referee: Referee) -> None:
    """Write what can be chosen: keys where there is only roll and stop, numbers where there is more."""
    if all(choice.play in ("roll", "stop") for choice in choices):
        keyboard.say("  " + "   ".join(f"{choice.play[0]}  {choice.play}" for choice in choices))
    else:
        keyboard.say(*choice_lines(choices, columns=len(choices) > 12, counts=referee.counts))


def named_choice(choices: Sequence[Choice], typed: str, referee: Referee) -> Choice | None:
    """Return the choice that a key, a number or the words of a play name; none if a key could mean several."""
    key = typed.lower()
    if not key and len(choices) == 1:
        return choices[0]
    if key.isdecimal():
        return choices[int(key) - 1] if 1 <= int(key) <= len(choices) else None
    named = [choice for choice in choices if choice.play == typed] or meant(choices, key, referee)
    return named[0] if len(named) == 1 else None


def meant(choices: Sequence[Choice], key: str, referee: Referee) -> list[Choice]:
    """Return the choices that r or s may mean: in a points game those that take all points, on a board any."""
    if key not in ("r", "roll", "s", "stop"):
        return []
    alike = [choice for choice in choices if choice.stops == key.startswith("s")]
    if referee.counts == "points":
        most = max((choice.points for choice in alike), default=0)
        alike = [choice for choice in alike if choice.points == most]
        return alike[:1] if key.startswith("s") else alike
    return alike


def keys_of(choices: Sequence[Choice], typed: str, referee: Referee) -> str:
    """Return what one can type here, instead of what was typed."""
    if len(several := meant(choices, typed.lower(), referee)) > 1:
        return f"a number, as {typed} could mean {counted(len(several), 'play')}"
    keys = [key for key in ("r", "s") if len(meant(choices, key, referee)) == 1]
    return " or ".join([*keys, f"a number from 1 to {len(choices)}"] if len(choices) > 1 else keys)
