"""Show the examples in docstrings as code on the reference page; Markdown alone takes `>>>` for a quotation."""

import re

import griffe

EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)


class Examples(griffe.Extension):
    """Put each example of a docstring into a block of code."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Change the docstring of one object."""
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(r"\n```pycon\n\g<0>\n```", obj.docstring.value)
