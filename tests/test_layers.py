"""Folders are layers: imports only point down, without cycles, and no game's rules import another's."""

import ast
from pathlib import Path

import pytest
from sources import nodes

PACKAGE = Path(__file__).parent.parent / "gpulingo"
LAYERS = [
    "storage", "games", "words", "trees", "hosts", "player", "advice", "match",
    "tensors", "solvers", "tiles", "strategies", "envs", "bounds", "optimise", "positions", "report",
    "tuning", "machines", "web", "cli",
]  # fmt: skip
LIGHT = LAYERS[:8]  # they import nothing heavy, not even inside functions
HEAVY = ["torch", "numba", "numpy", "typer", "llvmlite", "triton", "ray"]
BACKENDS = ["cpu", "cuda"]  # folders of tensors that nothing outside imports, except kernels of these:
KERNELS = ["solvers", "tiles"]
ABOVE_ALL = ["__init__.py", "__main__.py"]  # the public surface and the entry


def imported(path: Path, package: Path) -> list[str]:
    """Every module that a file may import, in full; names of a `from` count as modules too."""
    names: list[str] = []
    folder = ["gpulingo", *path.relative_to(package).parts[:-1]]
    for node in nodes(path.read_text(encoding="utf-8")):
        match node:
            case ast.Import():
                names += [alias.name for alias in node.names]
            case ast.ImportFrom():
                start = folder[: len(folder) + 1 - node.level] if node.level else []
                base = [*start, *([node.module] if node.module else [])]
                names += [".".join([*base, alias.name]) for alias in node.names]
            case ast.Call(
                func=ast.Name(id=called) | ast.Attribute(attr=called),
                args=[ast.Constant(value=str(name)), *_],
            ):
                if called in ("import_module", "__import__"):
                    names.append(name)
    return names


def inside(names: list[str]) -> list[str]:
    """The modules of the package among these, relative to it."""
    return [name.removeprefix("gpulingo").lstrip(".") for name in names if name.split(".")[0] == "gpulingo"]


def breaches(package: Path) -> list[str]:
    """The forbidden imports of each file, as `words/listing.py imports cli`."""
    found: list[str] = []
    for path in sorted(package.rglob("*.py")):
        place = path.relative_to(package)
        if str(place) in ABOVE_ALL:
            continue
        own = place.parts[0]
        if own not in LAYERS:
            found.append(f"{place} is in no layer: {', '.join(LAYERS)}")
            continue
        names = imported(path, package)
        heavy = [name for name in HEAVY if own in LIGHT and name in [part.split(".")[0] for part in names]]
        found += [f"{place.as_posix()} imports {name}, which is heavy" for name in heavy]
        for name in inside(names):
            layer, module = [*name.split("."), ""][:2]
            if layer not in LAYERS or LAYERS.index(layer) > LAYERS.index(own):
                found.append(f"{place.as_posix()} imports {layer}")
            elif layer == own == "games" and module != "game" and place.stem not in (module, "catalogue"):
                found.append(f"{place.as_posix()} imports games/{module}.py, which is sideways")
            elif (layer, module) == ("cli", "commands"):
                found.append(f"{place.as_posix()} imports a command")
            elif (
                layer == "tensors" != own and module in BACKENDS and not (own in KERNELS and module == "cpu")
            ):
                found.append(f"{place.as_posix()} imports tensors/{module}: ask an operation")
    return found


def circle(package: Path) -> list[str]:
    """Files that import each other in a cycle, the first again at the end; empty without a cycle."""
    files = {
        ".".join(path.relative_to(package).with_suffix("").parts): path for path in package.rglob("*.py")
    }
    files = {name: path for name, path in files.items() if "__" not in name}
    below = {}
    for name, path in files.items():
        parts = [module.split(".") for module in inside(imported(path, package))]
        starts = {".".join(module[:length]) for module in parts for length in range(1, len(module) + 1)}
        below[name] = sorted(starts & (files.keys() - {name}))
    done: set[str] = set()

    def below_again(way: list[str]) -> list[str]:
        for name in below[way[-1]]:
            if name in way:
                return [*way[way.index(name) :], name]
            if name not in done and (ring := below_again([*way, name])):
                return ring
        done.add(way[-1])
        return []

    return next((ring for name in sorted(files) if (ring := below_again([name]))), [])


@pytest.mark.slow
def test_no_files_import_each_other_in_a_circle() -> None:
    assert circle(PACKAGE) == []


def test_a_circle_is_found_at_module_level_and_in_functions(tmp_path: Path) -> None:
    for name, source in {
        "words/a.py": "import gpulingo.words.b",
        "words/b.py": "from gpulingo.words import c",
        "words/c.py": "def f():\n    from gpulingo.words.a import a",
        "words/d.py": "from gpulingo.words.a import a",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(source)
    assert circle(tmp_path) == ["words.a", "words.b", "words.c", "words.a"]
    (tmp_path / "words/c.py").write_text("from . import e")
    assert circle(tmp_path) == []


def test_imports_point_down_and_never_sideways_between_games() -> None:
    assert breaches(PACKAGE) == []


# A file and its source, and what is wrong with it, if anything.
IMPORTS = """
words/listing.py: from gpulingo.cli import app -> imports cli
words/listing.py: from gpulingo import cli -> imports cli
words/listing.py: from ..cli import app -> imports cli
words/listing.py: from .. import cli -> imports cli
words/listing.py: def f(): from gpulingo.trees import tree -> imports trees
words/listing.py: if TYPE_CHECKING: import gpulingo.match.rounds -> imports match
words/listing.py: import_module('gpulingo.report.page') -> imports report
words/listing.py: import numpy as np -> imports numpy, which is heavy
player/player.py: def f(): from torch import Tensor -> imports torch, which is heavy
tensors/cpu/rank.py: import gpulingo.optimise -> imports optimise
games/positions.py: from gpulingo.games.marks import feedback -> imports games/marks.py, which is sideways
bounds/counting.py: from gpulingo.tensors.cpu.rank import rank -> imports tensors/cpu: ask an operation
cli/reviews.py: from gpulingo.cli.commands.pit import play -> imports a command
tensors/device.py: from gpulingo.tensors.cpu import backend ->
extra/odd.py: pass -> is in no layer: {LAYERS}
cli/app.py: import torch; from gpulingo.words import listing; from . import build ->
games/marks.py: from gpulingo.games.game import Game ->
__main__.py: from gpulingo.cli import app ->
"""


@pytest.mark.parametrize("line", IMPORTS.strip().splitlines())
def test_a_wrong_import_is_named(tmp_path: Path, line: str) -> None:
    source, _, breach = line.replace("{LAYERS}", ", ".join(LAYERS)).partition(" ->")
    file, _, source = source.partition(": ")
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    assert breaches(tmp_path) == ([file + breach] if breach else [])


# Files that may read a game's rules.
TAKEN_APART = ("games", "solvers", "tensors/feedback.py", "tensors/wordtable.py")
NAMES = {"marks", "positions", "counts", "placed", "common"}  # kinds of feedback


def asked(path: Path) -> list[str]:
    """Where a file reads a game's costs or compares its feedback, instead of calling the game."""
    found = []
    for node in nodes(path.read_text(encoding="utf-8")):
        costs = isinstance(node, ast.Attribute) and node.attr == "costs"
        sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        compared = any(isinstance(side, ast.Attribute) and side.attr == "feedback" for side in sides)
        named = any(isinstance(side, ast.Constant) and side.value in NAMES for side in sides)
        if costs or compared or named:
            found.append(f"{path.name}:{node.lineno}")
    return found


def test_what_a_guess_costs_and_shows_is_asked_of_the_game() -> None:
    files = sorted(PACKAGE.rglob("*.py"))
    inside = [path.relative_to(PACKAGE).as_posix() for path in files]
    outside = [path for path, name in zip(files, inside, strict=True) if not name.startswith(TAKEN_APART)]
    assert [place for path in outside for place in asked(path)] == []


def test_no_file_is_the_twin_of_another_for_letters() -> None:
    files = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py")}
    twins = {name for name in files if "/letter_" in name and name.replace("/letter_", "/") in files}
    assert twins == set()
