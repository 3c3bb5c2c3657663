"""Below the command line no text names an option or a command: errors carry facts, which it words."""

import ast
import re
from pathlib import Path

from gpulingo.cli.wording import SENTENCES

PACKAGE = Path(__file__).parent.parent / "gpulingo"
NAMED = re.compile(r"(?<![\w(!-])--[a-z]|`gpulingo [a-z]")
OTHERS = "machines/ray_tasks.py"  # names those of Ray


def texts(path: Path) -> list[str]:
    """The strings of a file, without docstrings."""
    tree = ast.parse(path.read_text())
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in alone)
    return [node.value for node in strings if isinstance(node.value, str)]


def test_no_text_below_the_command_line_names_an_option_or_a_command_and_every_kind_has_its_sentence_there():
    below = {}
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(("cli/", "__main__")) and name != OTHERS:
            below[name] = texts(path)
    assert [name for name, own in below.items() if any(map(NAMED.search, own))] == []
    assert SENTENCES.keys() <= {text for own in below.values() for text in own}
