"""Folders are layers: imports point down only, and one game's rules import no other's."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "gpulingo"
LAYERS = [
    "storage", "games", "words", "trees", "player", "match",  # the standard library alone
    "tensors", "strategies", "bounds", "search", "report", "tuning", "cli",
]  # fmt: skip
ABOVE_ALL = ["__init__.py", "__main__.py"]  # the public surface and the entry


def imported(path: Path, package: Path) -> list[str]:
    """Every module a file may import, as parts below the package; names of a `from` count as modules too."""
    names: list[str] = []
    folder = ["gpulingo", *path.relative_to(package).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
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
    return [name.removeprefix("gpulingo").lstrip(".") for name in names if name.split(".")[0] == "gpulingo"]


def breaches(package: Path) -> list[str]:
    """What each file imports that it must not, as `words/listing.py imports cli`."""
    found: list[str] = []
    for path in sorted(package.rglob("*.py")):
        place = path.relative_to(package)
        if str(place) in ABOVE_ALL:
            continue
        own = place.parts[0]
        if own not in LAYERS:
            found.append(f"{place} is in no layer: {', '.join(LAYERS)}")
            continue
        for name in imported(path, package):
            layer, module = [*name.split("."), ""][:2]
            if layer not in LAYERS or LAYERS.index(layer) > LAYERS.index(own):
                found.append(f"{place.as_posix()} imports {layer}")
            elif layer == own == "games" and module != "game" and place.stem not in (module, "catalogue"):
                found.append(f"{place.as_posix()} imports games/{module}.py, which is sideways")
    return found


def test_imports_point_down_and_never_sideways_between_games() -> None:
    assert breaches(PACKAGE) == []


@pytest.mark.parametrize(
    ("file", "source", "breach"),
    [
        ("words/listing.py", "from gpulingo.cli import app", "words/listing.py imports cli"),
        ("words/listing.py", "import gpulingo.cli.app", "words/listing.py imports cli"),
        ("words/listing.py", "from gpulingo import cli", "words/listing.py imports cli"),
        ("words/listing.py", "from gpulingo import simulate", "words/listing.py imports simulate"),
        ("words/listing.py", "from ..cli import app", "words/listing.py imports cli"),
        ("words/listing.py", "from .. import cli", "words/listing.py imports cli"),
        (
            "words/listing.py",
            "def f():\n    from gpulingo.trees import tree",
            "words/listing.py imports trees",
        ),
        (
            "words/listing.py",
            "if TYPE_CHECKING:\n    import gpulingo.match.rounds",
            "words/listing.py imports match",
        ),
        ("words/listing.py", "import_module('gpulingo.report.bench')", "words/listing.py imports report"),
        ("tensors/cpu/rank.py", "from gpulingo.search import solver", "tensors/cpu/rank.py imports search"),
        ("bounds/checker.py", "from gpulingo.search import solver", "bounds/checker.py imports search"),
        (
            "games/positions.py",
            "from gpulingo.games.marks import feedback",
            "games/positions.py imports games/marks.py, which is sideways",
        ),
        (
            "games/positions.py",
            "from . import marks",
            "games/positions.py imports games/marks.py, which is sideways",
        ),
        ("extra/odd.py", "", "extra/odd.py is in no layer: " + ", ".join(LAYERS)),
        ("cli/app.py", "import torch\nfrom gpulingo.words import listing\nfrom . import build", None),
        ("games/catalogue.py", "from gpulingo.games.marks import marks", None),
        ("games/marks.py", "from gpulingo.games.game import Game", None),
        ("__main__.py", "from gpulingo.cli import app", None),
    ],
)
def test_a_wrong_import_is_named(tmp_path: Path, file: str, source: str, breach: str | None) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    assert breaches(tmp_path) == ([breach] if breach else [])
