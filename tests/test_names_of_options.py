"""Below the command line no text names an option or a command: errors carry facts, which it words."""

import ast
import pickle
import re
from collections import Counter
from pathlib import Path

from sources import nodes

from gpulingo.cli.wording import SENTENCES, worded
from gpulingo.storage import faults

PACKAGE = Path(__file__).parent.parent / "gpulingo"
NAMED = re.compile(r"(?<![\w(!-])--[a-z]|`gpulingo [a-z]")
WORD = re.compile(r"\b[A-Z_]+\b")
OTHERS = "machines/ray_tasks.py"  # names those of Ray


def texts(path: Path) -> list[str]:
    """The strings of a file, without docstrings."""
    every = nodes(path.read_text(encoding="utf-8"))
    alone = {id(node.value) for node in every if isinstance(node, ast.Expr)}
    strings = (node for node in every if isinstance(node, ast.Constant) and id(node) not in alone)
    return [node.value for node in strings if isinstance(node.value, str)]


def test_no_text_below_the_command_line_names_an_option_or_a_command():
    below = {}
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(("cli/", "__main__")) and name != OTHERS:
            below[name] = texts(path)
    assert [name for name, own in below.items() if any(map(NAMED.search, own))] == []


def test_every_remedy_is_used_and_has_its_sentence():
    named = {name for name, own in vars(faults).items() if isinstance(own, faults.Remedy)}
    assert SENTENCES.keys() == {getattr(faults, name) for name in named}
    below = [path.read_text() for path in PACKAGE.rglob("*.py") if "cli" not in path.parts]
    used = Counter(word for text in below for word in WORD.findall(text))
    assert [name for name in named if used[name] < 2] == []  # once where it is made


def test_an_error_of_another_process_keeps_its_remedy():
    for fault in (faults.Fault("seen", faults.USE_CPU), faults.FieldError("seen", "targets")):
        assert worded(pickle.loads(pickle.dumps(fault))) == worded(fault) != str(fault)
