"""Lines typed and lines written: the keys of a game, and the option that a key names."""

import sys
from dataclasses import dataclass

import click

from jeopardice.rules.text import counted
from jeopardice.solution import Option
from jeopardice.tutor import Session
from jeopardice.tutor.words import choice_lines

MANY = 12
"""More options than this are listed side by side."""


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


def show_options(keyboard: Keyboard, session: Session) -> None:
    """Write what can be chosen: keys where there is only roll and stop, numbers where there is more."""
    options = session.options
    if all(option.play in ("roll", "stop") for option in options):
        keyboard.say("  " + "   ".join(f"{option.play[0]}  {option.play}" for option in options))
    else:
        keyboard.say(*choice_lines(session, columns=len(options) > MANY))


def named_option(session: Session, typed: str) -> Option | None:
    """Return the option that a key, a number or the words of a play name; none if a key could mean several."""
    options, key = session.options, typed.lower()
    if not key and len(options) == 1:
        return options[0]
    if key.isdecimal():
        return options[int(key) - 1] if 1 <= int(key) <= len(options) else None
    named = [option for option in options if option.play == typed] or meant(session, key)
    return named[0] if len(named) == 1 else None


def meant(session: Session, key: str) -> list[Option]:
    """Return the options that r or s may mean."""
    if key not in ("r", "roll", "s", "stop"):
        return []
    plays = [option.match_play for option in session.options]
    typed = session.words.typed(session.match.game(session.spot), plays, key[0])
    return [option for option in session.options if option.match_play in typed]


def keys_of(session: Session, typed: str) -> str:
    """Return what one can type here, instead of what was typed."""
    if len(several := meant(session, typed.lower())) > 1:
        return f"a number, as {typed} could mean {counted(len(several), 'play')}"
    keys = [key for key in ("r", "s") if len(meant(session, key)) == 1]
    many = len(session.options)
    return " or ".join([*keys, f"a number from 1 to {many}"] if many > 1 else keys)
