"""Below the command line no text names an option or a command: errors carry facts, which it words."""

import ast
import re
from pathlib import Path

from gpulingo.cli.wording import SENTENCES
from gpulingo.storage import faults

PACKAGE = Path(__file__).parent.parent / "gpulingo"
NAMED = re.compile(r"(?<![\w(!-])--[a-z]|`gpulingo [a-z]")
WORD = re.compile(r"\b[A-Z_]+\b")
OTHERS = "machines/ray_tasks.py"  # names those of Ray


def texts(path: Path) -> list[str]:
    """The strings of a file, without docstrings."""
    tree = ast.parse(path.read_text())
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in alone)
    return [node.value for node in strings if isinstance(node.value, str)]


def test_no_text_below_the_command_line_names_an_option_or_a_command():
    below = {}
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(("cli/", "__main__")) and name != OTHERS:
            below[name] = texts(path)
    assert [name for name, own in below.items() if any(map(NAMED.search, own))] == []
    named = {name for name, own in vars(faults).items() if isinstance(own, faults.Remedy)}
    assert SENTENCES.keys() == {getattr(faults, name) for name in named}
    used = {
        word
        for path in PACKAGE.rglob("*.py")
        for word in WORD.findall(path.read_text())
        if "cli/" not in str(path)
    }
    assert named <= used
