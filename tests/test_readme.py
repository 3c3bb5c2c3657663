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
COMMAND = r"^(?:\./scripts/|PYTHONPATH=examples )?gpulingo (.+)$"  # a line of a block


def test_the_python_example_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert found.attempted >= 8
    assert found.failed == 0


def test_every_command_stands_in_it():
    commands = typer.main.get_command(app).commands
    for name in commands:
        assert re.search(rf"gpulingo {name}\b", README), name


@pytest.mark.parametrize("page", ["README.md", "docs/questions.md"])
def test_every_command_line_of_a_page_is_understood(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands = typer.main.get_command(app).commands
    lines = re.findall(COMMAND, (ROOT / page).read_text(), re.MULTILINE)
    assert len(lines) >= 10
    for line in lines:
        name, *arguments = shlex.split(line, comments=True)
        commands[name].make_context(name, arguments)


def test_the_file_map_names_every_layer():
    layers = {path.parent.name for path in (ROOT / "gpulingo").glob("*/__init__.py")}
    assert layers == set(re.findall(r"`gpulingo/(\w+)/` \|", README))
