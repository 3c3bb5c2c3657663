"""README.md tells the truth: its Python example runs, its commands exist, its file map is whole."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
import typer

from gpulingo.cli import app

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
COMMAND = r"^(?:\$ )?(?:\./scripts/|PYTHONPATH=examples )?gpulingo (.+)$"  # a line of a block


EXAMPLES = [
    ("README.md", 8),
    ("docs/tiles.md", 4),
    ("docs/protocol.md", 4),
    ("docs/howto/own-strategy.md", 4),
]


@pytest.mark.parametrize(("page", "examples"), EXAMPLES)
def test_the_python_examples_run(page, examples, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(str(ROOT / page), module_relative=False)
    assert found.attempted >= examples
    assert found.failed == 0


def test_every_command_stands_in_it():
    commands = typer.main.get_command(app).commands
    for name in commands:
        assert re.search(rf"gpulingo {name}\b", README), name


PAGES = [
    ("README.md", 10), ("docs/questions.md", 10), ("docs/tiles.md", 7), ("docs/help.md", 7),
    ("docs/index.md", 2), ("docs/tutorial.md", 12), ("docs/protocol.md", 2),
    ("docs/howto/own-strategy.md", 5), ("docs/howto/own-player.md", 3), ("docs/howto/own-language.md", 6),
    ("docs/howto/gpu.md", 4), ("docs/scale.md", 4),
]  # fmt: skip


@pytest.mark.parametrize(("page", "count"), PAGES)
def test_every_command_line_of_a_page_is_understood(page, count, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands = typer.main.get_command(app).commands
    lines = re.findall(COMMAND, (ROOT / page).read_text(), re.MULTILINE)
    assert len(lines) >= count
    for line in lines:
        name, *arguments = shlex.split(line, comments=True)
        commands[name].make_context(name, arguments)


def test_the_file_map_names_every_layer():
    layers = {path.parent.name for path in (ROOT / "gpulingo").glob("*/__init__.py")}
    assert layers == set(re.findall(r"`gpulingo/(\w+)/` \|", README))
