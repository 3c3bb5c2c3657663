"""Shared by the tests of commands: a list file, and two ways to run a command."""

from __future__ import annotations

import ast
import math
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from gpulingo.cli.app import app_for
from gpulingo.cli.lists import checkpoint_path
from gpulingo.cli.options import PlayOptions
from gpulingo.cli.plays import planned
from gpulingo.games.catalogue import lingo
from gpulingo.strategies.build import simulate
from gpulingo.tensors import clock
from gpulingo.trees.checkpoint import write_checkpoint
from gpulingo.trees.tree import Tree
from gpulingo.words.listing import WordList

APP = app_for()
ESCAPES = re.compile(rb"\\(?:[nt0]|x[0-9a-f]{2})")


def write_files(section: str) -> None:
    """Write the files of a section of files.tsv; words, separated by blanks there, are lines."""
    for part in Path(__file__).with_name("files.tsv").read_bytes().split(b"\n\n"):
        head, *rows = part.splitlines()
        for row in rows if head == f"# {section}".encode() else []:
            name, data = row.split(b"\t")
            data = ESCAPES.sub(lambda own: ast.literal_eval(f"b'{own[0].decode()}'"), data)
            Path(name.decode()).write_bytes(data.replace(b" ", b"\n") + b"\n" if section == "words" else data)


@pytest.fixture(autouse=True)
def silent_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Silence messages about compiling: other processes have compiled, and this one prints nothing."""
    clock.when_compiling(lambda text: None)  # replaces the function of an earlier test
    for module in (sys.modules["gpulingo.cli.app"], clock):
        monkeypatch.setattr(module, "when_compiling", lambda tell: None)


@pytest.fixture
def list22(tmp_path: Path, words22: WordList, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The 22 words in a file of the current folder, which is `tmp_path`."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "list.txt"
    path.write_text("".join(f"{word}\n" for word in words22.words))
    return path


@pytest.fixture
def middle(list22: Path, words22: WordList, grown: Callable[..., Tree]) -> Path:
    """A checkpoint of the 22 words that guesses the middle candidate."""
    path = list22.parent / "middle.npz"
    write_checkpoint(grown(words22), path)
    return path


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """A function that runs a command line in this process: .stdout, .stderr, .exit_code.

    It shows no progress, however long it takes on a busy machine.
    """
    monkeypatch.setattr("gpulingo.cli.run.QUIET", math.inf)

    def ran(line: str, *more: str) -> Any:
        return CliRunner().invoke(APP, [*line.split(), *more], catch_exceptions=False)

    return ran


@pytest.fixture
def refused(run: Callable[..., Any]) -> Callable[..., Any]:
    """A function that runs a command line that prints nothing and fails with one line of this beginning."""

    def ran(line: str, said: str, code: int = 2) -> Any:
        done = run(line)
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (code, "", 1), done.stderr
        assert done.stderr.startswith(f"gpulingo: {said}")
        return done

    return ran


@pytest.fixture
def process(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """A function that runs a command line as a separate process in `tmp_path`."""

    def ran(line: str, **options: Any) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "gpulingo", *line.split()]
        options = {"capture_output": True, "text": True, "cwd": tmp_path} | options
        return subprocess.run(command, timeout=60, **options)

    return ran


@pytest.fixture
def kept(run: Callable[..., Any], list22: Path, random_words: Callable[..., list[str]]) -> Path:
    """A solved list of 200 words, its tree and certificate in the default folder; the name of the tree."""
    list22.write_text("\n".join(random_words(1, 200, 5, "abcd")))
    assert run("solve --length 5 --wordlist list.txt --device cpu --gap 2").exit_code == 0
    (path,) = Path("checkpoints").glob("lingo5-5-????????????.npz")
    return path


@pytest.fixture
def best_stored_tree(list22, words22):
    """The path of the best tree by `parts`, in the default folder."""
    path = checkpoint_path(Path("checkpoints"), words22, lingo())
    path.parent.mkdir()
    write_checkpoint(simulate(words22).tree, path)
    return path


@pytest.fixture
def plan():
    """A function that plans plays of that test's list, by default of 5 letters."""

    def planned_with(lengths="5", strategy=None, opening=None, **given):
        own = PlayOptions(n=lengths, wordlist=Path("list.txt"), device="cpu", **given)
        return planned("simulate", own, strategy, opening)

    return planned_with


PLAYER = """for word in $PLAYS; do
    echo $word
    read marks || exit
    [ $marks = OOOOO ] && exit
done
"""


@pytest.fixture
def folder(list22, words22, monkeypatch):
    """The pit's folder with a list of 22 words; `sh good.sh` finds five of them, `sh bad.sh` one."""
    list22.rename(list22.with_name("wordlist.txt"))
    for name, plays in (("good.sh", words22.words[:5]), ("bad.sh", words22.words[:1])):
        (list22.parent / name).write_text(f"PLAYS='{' '.join(plays)}'\n{PLAYER}")
    return list22.parent


@pytest.fixture
def tile_files(tmp_path, monkeypatch):
    """The current folder, with a bag of tiles in bag.tsv and words of it in list.txt."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bag.tsv").write_text("A\t3\t1\nb\t2\t3\n?\t1\t2\n")
    (tmp_path / "list.txt").write_text("ab\nba\nbaa\n")
    return tmp_path
