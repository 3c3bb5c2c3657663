"""The output of command lines: replies.tsv has sections, whose rows share a folder with files of files.tsv.

A row has an exit code, a command line (after <, its input), its stdout and its stderr, with \\n for ends of
lines; a … matches what differs between runs or machines.
"""

import re
import shlex
from pathlib import Path

import pytest
from sampled import quick
from typer.testing import CliRunner

from gpulingo.cli.app import app_for

from .conftest import write_files

APP = app_for()

SECTIONS = {}
for row in Path(__file__).with_name("replies.tsv").read_text(encoding="utf-8").splitlines():
    if row.startswith("# "):
        rows = SECTIONS.setdefault(row[2:], [])
    elif row:
        rows.append(row.split("\t"))


@pytest.fixture
def replied(middle, capfd, monkeypatch):
    """A function that runs a command line: its exit code, stdout and stderr."""
    for section in ("words", "tables", "texts"):
        write_files(section)
    Path("folder").mkdir()
    for name in ("nothing", "data"):
        Path(name).chmod(0o755)
    monkeypatch.setattr("gpulingo.cli.run.QUIET", float("inf"))  # no progress, also on a busy machine

    def ran(line):
        line, _, typed = line.partition(" < ")
        done = CliRunner().invoke(
            APP, shlex.split(line), input=typed.replace("\\n", "\n"), catch_exceptions=False
        )
        out, err = capfd.readouterr()  # `suggest` and `play` bypass the runner
        return str(done.exit_code), done.stdout + out, done.stderr + err

    return ran


@pytest.mark.parametrize("section", quick(SECTIONS, SECTIONS.keys() - {"eleven", "referee", "resumed"}))
def test_a_command_line_is_answered_as_ever(replied, section):
    for code, line, *told in SECTIONS[section]:
        seen, *texts = replied(line)
        assert seen == code, (line, texts)
        for text, expected in zip(texts, told, strict=True):
            plain = text.replace("\n", "\\n").replace("\t", "\\t")
            assert re.fullmatch(".*?".join(map(re.escape, expected.split("…"))), plain), (
                line,
                plain,
                expected,
            )
