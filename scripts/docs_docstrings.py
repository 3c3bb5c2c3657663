"""Griffe extension: adapts this project's docstrings to what Griffe and Markdown expect."""

import re
from typing import Any

import griffe

SECTION = re.compile(r"(?m)(?<!\n)\n(?=(?:Args|Attributes|Returns|Raises|Source|Yields):(?: |$))")
EXAMPLE = re.compile(r"(?m)^>>> .*(?:\n.+)*")


class Docstrings(griffe.Extension):
    """Insert a blank line above each section, and fence the examples."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Adapt the docstring of one object."""
        if obj.docstring:
            text = SECTION.sub("\n\n", obj.docstring.value)
            obj.docstring.value = EXAMPLE.sub(r"\n```pycon\n\g<0>\n```\n", text)
