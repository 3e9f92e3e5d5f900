"""The command line: parse, ask one function, show.

Commands are loaded when called, so that `jeopardice --help` answers at once. A user's mistake is one line on stderr and
exit code 2; a result that does not hold is exit code 1; a fault of the program is a traceback and exit code 70.
"""

import os
import sys
from importlib import import_module
from types import TracebackType

import click

from jeopardice.errors import NO_MEMORY, one_line

COMMANDS = {
    "solve": "Solve a game: its value and the best strategy.",
    "status": "Show how far a run with a checkpoint has come.",
    "bound": "Bound the value of a board of Can't Stop too large to solve.",
    "advise": "Say what to do at a moment, with the value of every option.",
    "analyse": "Give the exact distribution of scores, rolls and turns under a strategy.",
    "compare": "Play strategies against each other, exactly: all against all.",
    "simulate": "Play many games with random dice under given strategies.",
    "thumb": "Turn best play into a rule with a few numbers, and show what that costs.",
    "dice-choice": "Say which of your loaded dice to play with.",
    "plot": "Draw where to roll and where to stop in a duel.",
    "serve": "Open the web page: play, report, advise, explore, drill, rules.",
    "games": "List the games and their rules.",
    "play": "Play against best play, a rule of thumb or a friend.",
    "drill": "Practise close decisions and common mistakes.",
    "reproduce": "Compute the numbers of the papers again and show both.",
    "cache": "List the cached solutions on disk, or delete them.",
    "bench": "Time the solvers on this machine, ours beside value iteration.",
    "export": "Write the values of a solved game to a file: CSV, JSON, NPY, NPZ, Parquet.",
}


class Commands(click.Group):
    """A group that imports a command only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import the command's module and return its command."""
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"jeopardice.cli.{name.replace('-', '_')}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Refuse an unknown command with the list of all commands."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            raise click.UsageError(f"there is no command {args[0]!r}; the commands are {', '.join(COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _version(ctx: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    """Print the version, and what the kernels were built with and use here."""
    if is_wanted:
        from jeopardice import __version__
        from jeopardice.kernels import kernels

        about = kernels.built_with()
        click.echo(f"jeopardice {__version__} (kernels: {about['compiler'].strip()}, {about['vectors']})")
        ctx.exit()


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
def jeopardice() -> None:
    """Exact play for push-your-luck dice games.

    \b
    jeopardice solve ten-thousand turn        one turn for the most points
    jeopardice solve pig duel --target 100    the chance to win of who plays first
    jeopardice advise pig duel --mine 41 --theirs 49 --at-risk 27
    jeopardice solve pig turn --sides 10      rules are options: jeopardice games
    """


def main(arguments: list[str] | None = None) -> int:
    """Run a command; mistakes of the user become one line and exit code 2."""
    _open_closed_streams()
    try:
        code = jeopardice.main(arguments, standalone_mode=False)
        result = code if isinstance(code, int) else 0
    except click.exceptions.Abort:  # Click has ended the line by now
        click.echo("jeopardice: stopped", err=True)
        result = 130
    except KeyboardInterrupt:
        click.echo("\njeopardice: stopped", err=True)
        result = 130
    except click.exceptions.Exit as leave:
        result = leave.exit_code
    except click.ClickException as mistake:
        click.echo(f"jeopardice: {one_line(mistake.format_message())}", err=True)
        result = 2
    except BrokenPipeError:
        sys.stderr.close()
        result = 0
    except SystemExit:  # what Rich makes of a broken pipe
        result = 0
    except MemoryError:
        click.echo(f"jeopardice: {NO_MEMORY}", err=True)
        result = 2
    except Exception as error:
        result = 2 if is_mistake(error) else 70
        if result == 70:
            import traceback

            traceback.print_exception(error)
            click.echo("jeopardice: this is a fault of the program, not yours; please report the lines above", err=True)
        else:
            click.echo(f"jeopardice: {one_line(_words_of(error))}", err=True)
    if arguments is None:
        sys.exit(result)
    return result


def _open_closed_streams() -> None:
    """Let what a shell has closed (`<&-`, `2>&-`) read nothing and write nowhere; Python itself has None there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            from pathlib import Path  # takes a while, and is hardly ever needed

            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115


def is_mistake(error: Exception) -> bool:
    """Whether an error is the user's: a check of ours refused something, or a file or an optional package is missing.

    Our checks raise built-in errors, as Python's own do, and errors of our own, which are subclasses of them. The same
    built-in error from anywhere else (a wrong shape in NumPy, a failed unpacking) is a fault of the program.
    """
    if isinstance(error, OSError):
        return error.errno is not None or _is_raised_here(error.__traceback__)
    if isinstance(error, ModuleNotFoundError):
        return not (error.name or "").startswith("jeopardice")
    return isinstance(error, ValueError | TypeError) and _is_raised_here(error.__traceback__)


def _is_raised_here(traceback: TracebackType | None) -> bool:
    """Whether the last step of a traceback is a `raise` statement in this package."""
    from dis import opmap

    if traceback is None:
        return False
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    is_raise = traceback.tb_frame.f_code.co_code[traceback.tb_lasti] == opmap["RAISE_VARARGS"]
    return is_raise and str(traceback.tb_frame.f_globals.get("__name__", "")).startswith("jeopardice")


def _words_of(error: Exception) -> str:
    """Return the message of a mistake; for an optional package that is missing, how to get it."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"this needs {error.name}; install it with: pip install 'jeopardice[all]'"
    if isinstance(error, OSError) and error.errno is not None and error.filename is not None:
        return f"{error.filename} cannot be used ({error.strerror}); name another file or directory"
    if isinstance(error, OSError) and error.errno is not None and error.filename is None:
        return f"the output cannot be written ({error.strerror}); send it elsewhere"
    return str(error)
