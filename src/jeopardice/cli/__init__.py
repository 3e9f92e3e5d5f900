"""The command line: parse, ask one function, show.

Commands are loaded when called, so that `jeopardice --help` answers at once. A user's mistake is one line on stderr and
exit code 2; a result that does not hold is exit code 1.
"""

import sys
from importlib import import_module

import click

COMMANDS = {
    "solve": "Solve a game: its value and the best strategy.",
    "advise": "Say what to do at a moment, with the worth of every option.",
    "analyse": "Give the exact law of scores, rolls and turns under a strategy.",
    "compare": "Play strategies against each other, exactly: all against all.",
    "simulate": "Play many games with random dice under given strategies.",
    "plot": "Draw where to roll and where to stop in a duel.",
    "serve": "Open the web page: play, report, advise, explore, drill, rules.",
    "games": "List the games and their rules.",
    "play": "Play a game against the optimum, a rule of thumb or a friend.",
    "drill": "Practise positions that are close, or that habits get wrong.",
    "reproduce": "Compute again what the papers print, beside the print.",
    "bench": "Time the solvers on this machine, ours beside value iteration.",
    "export": "Write the values of a solved game to a CSV, JSON or NPY file.",
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
        command: click.Command = import_module(f"jeopardice.cli.{name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Refuse an unknown command with the list of those there are."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            raise click.UsageError(f"there is no command {args[0]!r}; the commands are {', '.join(COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="jeopardice", message="jeopardice %(version)s")
def jeopardice() -> None:
    """Exact play for push-your-luck dice games.

    \b
    jeopardice solve ten-thousand turn              one turn for the most points, with its strategy
    jeopardice solve pig duel --target 100          the chance to win, first against second player
    jeopardice advise pig duel --mine 41 --theirs 49 --at-risk 27
    jeopardice solve pig turn --sides 10 --bust 1,2 house rules are options: see jeopardice games
    """


def main(arguments: list[str] | None = None) -> int:
    """Run a command; mistakes of the user become one line and exit code 2."""
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
        click.echo(f"jeopardice: {_one_line(mistake.format_message())}", err=True)
        result = 2
    except BrokenPipeError:
        sys.stderr.close()
        result = 0
    except (ValueError, TypeError, OSError, ModuleNotFoundError) as mistake:
        click.echo(f"jeopardice: {_one_line(str(mistake))}", err=True)
        result = 2
    if arguments is None:
        sys.exit(result)
    return result


def _one_line(message: str) -> str:
    return " ".join(message.split())
