"""Below the command line no text names an option or a command: errors carry facts, which it words."""

import ast
import pickle
import re
import shlex
from collections import Counter
from pathlib import Path

import typer
from sources import nodes

from gpulingo.cli.app import app_for
from gpulingo.cli.wording import SENTENCES, worded
from gpulingo.storage import faults

PACKAGE = Path(__file__).parent.parent / "gpulingo"
NAMED = re.compile(r"(?<![\w(!-])--[a-z]|`gpulingo [a-z]")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
COMMAND, QUOTED = re.compile(r"`gpulingo ([a-z]+)([^`]*)`"), re.compile(r"`[^`]*`")
TABLES = {"refusals.tsv": (1, 2), "replies.tsv": (1, 3)}  # with the cells of a line and of its message
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


def options_of_commands():
    """The options of each command."""
    return {
        name: {"--help", *(opt for param in command.params for opt in param.opts)}
        for name, command in typer.main.get_command(app_for()).commands.items()
    }


def test_what_the_command_line_says_names_options_that_there_are():
    options, wrong = options_of_commands(), []
    for path in (PACKAGE / "cli").rglob("*.py"):
        for command, rest in COMMAND.findall("\n".join(texts(path))):
            wrong += [
                (path.name, command, one) for one in OPTION.findall(rest) if one not in options[command]
            ]
    for table, cells in TABLES.items():
        for row in (PACKAGE.parent / "tests/cli" / table).read_text(encoding="utf-8").splitlines():
            line, *said = [row.split("\t")[cell] for cell in cells if row[:1].isdecimal()] or [""]
            command = next(iter(shlex.split(line.partition(" < ")[0])), "")
            named = {*OPTION.findall(QUOTED.sub("", " ".join(said)))} - {*OPTION.findall(line)}
            wrong += [(line, one) for one in named if one not in options.get(command, {*named})]
    assert wrong == []


def test_every_remedy_is_used_and_has_its_sentence():
    named = {name for name, own in vars(faults).items() if isinstance(own, faults.Remedy)}
    assert SENTENCES.keys() == {getattr(faults, name) for name in named}
    below = [path.read_text() for path in PACKAGE.rglob("*.py") if "cli" not in path.parts]
    used = Counter(word for text in below for word in WORD.findall(text))
    assert [name for name in named if used[name] < 2] == []  # once where it is made


def test_every_command_that_searches_sets_has_an_option_that_searches_others():
    options, named = options_of_commands(), OPTION.findall(SENTENCES[faults.ANOTHER_SEED])
    searching = "solve", "tune", "openings", "suggest"
    assert [name for name in searching if options[name].isdisjoint(named)] == []


def test_an_error_of_another_process_keeps_its_remedy():
    for fault in (faults.Fault("seen", faults.USE_CPU), faults.FieldError("seen", "targets")):
        assert worded(pickle.loads(pickle.dumps(fault))) == worded(fault) != str(fault)
