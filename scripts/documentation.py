"""What the documentation site takes from the code: the help of every command, and the examples in docstrings."""

import re

import click
import griffe

from jeopardice.cli import COMMANDS, jeopardice

EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)


class Examples(griffe.Extension):
    """Show each example of a docstring as code; Markdown alone takes `>>>` for a quotation."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Change the docstring of one object."""
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(r"\n```pycon\n\g<0>\n```", obj.docstring.value)


def on_page_markdown(markdown: str, **_: object) -> str:
    """Put the help of all commands into the page that asks for it (a hook of MkDocs)."""
    return markdown.replace(
        "<!-- commands -->", "\n".join(f"### {name}\n\n```text\n{help_of(name)}\n```\n" for name in COMMANDS)
    )


def help_of(name: str) -> str:
    """Return what `jeopardice NAME --help` prints."""
    group = click.Context(jeopardice, info_name="jeopardice", terminal_width=80, **jeopardice.context_settings)
    command = jeopardice.get_command(group, name)
    return command.get_help(click.Context(command, info_name=name, parent=group))
