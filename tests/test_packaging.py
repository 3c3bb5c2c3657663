"""A wheel built from the checkout carries the embedded list and the checkpoints, and works outside it."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = """
import gpulingo, pathlib
from gpulingo.words.lists import embedded, find
print(pathlib.Path(gpulingo.__file__).parent)
print(sum(embedded().lengths().values()), find(5).source, len(find(5).of_length(5)))
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built in this environment: no network."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (path,) = folder.glob("gpulingo-*.whl")
    return path


def test_the_wheel_holds_the_list_the_notice_the_checkpoints_and_the_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (entries,) = [archive.read(name).decode() for name in names if name.endswith("entry_points.txt")]
    assert "gpulingo/words/data/american-english-huge.txt.gz" in names
    assert "gpulingo/words/data/COPYRIGHT.SCOWL" in names
    assert "gpulingo/py.typed" in names
    assert "gpulingo/lab/page.css" in names
    checkpoints = {f"gpulingo/checkpoints/{path.name}" for path in (ROOT / "checkpoints").glob("*.*")}
    assert checkpoints <= names
    assert "gpulingo = gpulingo.__main__:main" in entries
    assert {name.split("/")[0].split("-")[0] for name in names} == {"gpulingo"}
    assert not [name for name in names if name.endswith((".pyc", ".nbi", ".nbc"))]


def test_the_installed_wheel_loads_its_list_in_another_folder(wheel: Path, tmp_path: Path) -> None:
    target, elsewhere = tmp_path / "installed", tmp_path / "elsewhere"
    elsewhere.mkdir()
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target"]
    subprocess.run([*install, str(target), str(wheel)], check=True, capture_output=True)
    run = subprocess.run(
        [sys.executable, "-P", "-W", "error", "-c", PROGRAM],
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": str(target)},
        check=True,
        capture_output=True,
        text=True,
    )
    assert run.stdout.splitlines() == [str(target / "gpulingo"), "226603 embedded list 11406"]
    assert sorted(path.name for path in (target / "gpulingo" / "checkpoints").glob("*.npz")) == sorted(
        path.name for path in (ROOT / "checkpoints").glob("*.npz")
    )
