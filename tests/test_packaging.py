"""A wheel from the checkout has the embedded list and its trees, no others, and works outside it."""

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from gpulingo.storage.files import BOOK, CERTIFICATE, CHECKPOINT, file_name
from gpulingo.trees.checkpoint import read_checkpoint
from gpulingo.trees.tree import Tree
from gpulingo.words.listing import embedded, find_listing
from gpulingo.words.targets import Targets

ROOT = Path(__file__).parent.parent
PROGRAM = """
import gpulingo, pathlib
from gpulingo.words.targets import words_up_to
from gpulingo.words.listing import embedded, find
print(pathlib.Path(gpulingo.__file__).parent)
print(sum(embedded().lengths().values()), find(5).source, len(find(5).of_length(5)), len(words_up_to(35, 5)))
"""
PLAYER = """
import sys
from gpulingo.__main__ import run
run(["play", "5"])
print("searched:", "torch" in sys.modules)
"""
Run = Callable[..., "subprocess.CompletedProcess[str]"]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built in this environment, without network."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (path,) = folder.glob("gpulingo-*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the installed wheel, without its requirements."""
    target = tmp_path_factory.mktemp("installed")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target"]
    subprocess.run([*install, str(target), str(wheel)], check=True, capture_output=True)
    return target


@pytest.fixture
def python(installed: Path, tmp_path: Path) -> Run:
    """A function that runs python with the wheel's package in an empty folder."""

    def run(*arguments: str, input: str | None = None) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-P", "-W", "error", *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(installed)},
            check=True,
            capture_output=True,
            text=True,
            input=input,
        )

    return run


def shipped_tree(length: int) -> Tree:
    """The tree of the embedded list in the checkout."""
    name = file_name("lingo5", length, embedded().of_length(length).fingerprint)
    return read_checkpoint(ROOT / "checkpoints" / name)


def shipped_files() -> set[str]:
    """Names of the trees of the embedded list and of codes, and of the certificates that are small."""
    lists = [("lingo5", embedded().of_length(length)) for length in range(4, 14)]
    five = Targets("answers").of(embedded().of_length(5))
    lists += [("wordle6", five), ("wordle-hard6", five)]
    codes = [
        ("mastermind", True, pegs, colours) for pegs in (4, 5) for colours in (range(6, 10), (4, 5))[pegs - 4]
    ]
    for name, is_repeated, pegs, colours in [*codes, ("bulls-and-cows", False, 4, 10)]:
        lists.append((f"{name}12", find_listing(pegs, None, is_repeated, colours).of_length(pegs)))
    books = {file_name(game, 5, five.fingerprint, BOOK) for game in ("wordle6", "wordle-hard6")}
    return books | {
        file_name(game, words.length, words.fingerprint, ending)
        for game, words in lists
        for ending in ((CHECKPOINT,) if game == "lingo5" and words.length < 9 else (CHECKPOINT, CERTIFICATE))
    }


def test_the_wheel_holds_the_list_the_notices_and_the_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (entries,) = [archive.read(name).decode() for name in names if name.endswith("entry_points.txt")]
        (metadata,) = [archive.read(name).decode() for name in names if name.endswith(".dist-info/METADATA")]
    data = {"COPYRIGHT.SCOWL", *(f"words-{length}.txt.gz" for length in range(2, 25))}
    folder = "gpulingo/words/data/"
    assert {name.removeprefix(folder) for name in names if name.startswith(folder)} == data
    licences = {name.partition("/licenses/")[2] for name in names}
    assert licences > {"LICENSE", f"{folder}COPYRIGHT.SCOWL"}
    assert "License-Expression: MIT AND LicenseRef-SCOWL" in metadata.splitlines()
    assert {"gpulingo/py.typed", "gpulingo/__init__.pyi"} <= names
    assert {f"gpulingo/report/{name}" for name in ("page.css", "page.html")} <= names
    assert {f"gpulingo/web/static/{name}" for name in ("index.html", "assistant.js", "style.css")} <= names
    assert {"gpulingo/benchmarks/compare.jsonl", "gpulingo/benchmarks/results.csv"} <= names
    assert "gpulingo = gpulingo.__main__:main" in entries
    assert {name.split("/")[0].split("-")[0] for name in names} == {"gpulingo"}
    assert not [name for name in names if name.endswith((".pyc", ".nbi", ".nbc"))]


def test_the_wheel_holds_the_trees_of_the_embedded_list_and_of_codes_and_no_others(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        files = archive.infolist()
    names = {Path(file.filename) for file in files}
    trees = {path.name for path in names if path.parent == Path("gpulingo/checkpoints")}
    assert trees == shipped_files()
    data = sum(file.compress_size for file in files if not file.filename.endswith(".py"))
    assert data < 4_000_000  # bytes; the files of the pit's list would double it


def test_the_installed_wheel_loads_its_list_and_its_trees_in_another_folder(
    installed: Path, python: Run
) -> None:
    done = python("-c", PROGRAM)
    assert done.stdout.splitlines() == [str(installed / "gpulingo"), "255020 embedded list 11506 3466"]
    (line,) = python("-m", "gpulingo", "simulate", "--length", "4", "--json").stdout.splitlines()
    assert json.loads(line)["mean_points"] == shipped_tree(4).mean_points
    played = python("-c", PLAYER, input="XXXXX\nOOOOO\n").stdout.split()
    words, tree = embedded().of_length(5).words, shipped_tree(5)
    second = tree.guess[tree.child(0, 0)]
    assert played == [words[tree.guess[0]], words[second], "searched:", "False"]


def test_the_installed_wheel_reports_its_stored_results_with_bounds_anywhere(
    installed: Path, python: Run, tmp_path: Path
) -> None:
    stored = installed / "gpulingo" / "benchmarks" / "compare.jsonl"
    done = python("-m", "gpulingo", "report")
    assert done.stderr == f"gpulingo: results of {stored}; --results FILE.jsonl for others\n"
    page = (tmp_path / "report.html").read_text()
    assert "caf0ae2cc7e5" in page and ">edc65<" in page
    row = {
        "length": 5, "words": 11506, "list": "embedded list",
        "fingerprint": embedded().of_length(5).fingerprint,
        "strategy": "parts", "device": "cpu", "opening": "tares", "turns": [1, 55, 2568, 6434, 1946],
        "lost": 502, "mean_points": 197.66208934468972, "seconds": 1.0, "kernel_seconds": 1.0, "pairs": 1,
    }  # fmt: skip
    (tmp_path / "mine.jsonl").write_text(json.dumps(row) + "\n")
    assert python("-m", "gpulingo", "report", "--results", "mine.jsonl").stderr == ""
    first = (tmp_path / "report.html").read_text().split("</tbody>")[0]
    assert '<td class="text">best</td><td class="text">tares</td>' in first and ">199.618<" in first
    assert f">{shipped_tree(5).bound:.3f}<" in first
