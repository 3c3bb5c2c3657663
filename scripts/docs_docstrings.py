"""Griffe extension: docstrings as this project writes them, which Griffe and Markdown read otherwise."""

import re
from typing import Any

import griffe

SECTION = re.compile(r"(?m)(?<!\n)\n(?=(?:Args|Attributes|Returns|Raises|Source|Yields):(?: |$))")
EXAMPLE = re.compile(r"(?m)^>>> .*(?:\n.+)*")


class Docstrings(griffe.Extension):
    """Puts a blank line above each section, and examples between fences."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Do so in the docstring of one object."""
        if obj.docstring:
            text = SECTION.sub("\n\n", obj.docstring.value)
            obj.docstring.value = EXAMPLE.sub(r"\n```pycon\n\g<0>\n```\n", text)
