"""The start script sets up its environment once and completely; test runs get interrupts."""

import ast
import ctypes.util
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PYTHON = """#!/usr/bin/env bash
# Stands for python: records what pip is asked for, makes the environment out of itself, and runs nothing.
case $* in
    "-c import pip") ;;
    "-c import sys"*) exit "${TOO_OLD:-0}" ;;
    --version) echo Python 3.9.1 ;;
    "-m venv "*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
    "-m pip "*" --dry-run "*) exit "${NO_CPU_BUILD:-0}" ;;
    "-m pip "*" --target "*)  # installs a uv
        mkdir "${*: -2:1}/bin" && cd "${*: -2:1}/bin"
        printf '#!/bin/sh\necho "uv $*" >>"$LOG"; exit %s' "${UV_STATUS:-0}" >uv && chmod +x uv ;;
    "-m pip "*) echo "$*" >>"$LOG"; echo noise of pip; sleep "${PIP_SECONDS:-0}"; exit "${PIP_STATUS:-0}" ;;
    "-m compileall "*) echo "$*" >>"$LOG.compiled" ;;
    "-m ruff "* | "-m mypy "*) ;;
    "-P -m gpulingo precompile") exit "${PRECOMPILED:-0}" ;;
    "-m mkdocs "*) echo "mkdocs ${*:3} in $PWD, NO_MKDOCS_2_WARNING=$NO_MKDOCS_2_WARNING" ;;
    "-m pytest "*) printf "<%s>" "${@:3}"; echo " pit=$GPULINGO_PIT_LIST wordle=$GPULINGO_WORDLE_LISTS" ;;
    "-S -P -c import _signal"*) echo "in $PWD:" "${@:6}" ;;
    *) echo "unexpected: $*"; exit 99 ;;
esac
"""
Start = Callable[..., "subprocess.Popen[str]"]

NO_LISTS = {"GPULINGO_PIT_LIST": "", "GPULINGO_WORDLE_LISTS": ""}
# What the set-up checks to choose a build of PyTorch.
DRIVER = (
    shutil.which("nvidia-smi") or Path("/proc/driver/nvidia").exists() or ctypes.util.find_library("cuda")
)
without_driver = pytest.mark.skipif(
    bool(DRIVER) or (platform.system(), platform.machine()) != ("Linux", "x86_64"),
    reason="an NVIDIA driver is here, or this is not Linux on x86-64",
)

pytestmark = pytest.mark.skipif(not shutil.which("bash"), reason="no bash")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with only the files that the start script needs; its path has a space."""
    root = tmp_path / "a checkout"
    for name in ("scripts", ".ci"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, root)
    (root / "python").write_text(PYTHON)
    (root / "python").chmod(0o755)
    (root / "elsewhere").mkdir()
    (root / "bin").mkdir()
    (root / "bin" / "apt-get").symlink_to("/bin/true")
    return root


@pytest.fixture
def start(checkout: Path) -> Start:
    """Start scripts/gpulingo from another folder."""

    def started(*arguments: str, script: Path | None = None, **environment: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [str(script or checkout / "scripts" / "gpulingo"), *arguments],
            cwd=checkout / "elsewhere",
            env=os.environ
            | {"PYTHON": f"{checkout / 'python'}", "LOG": f"{checkout / 'log'}"}
            | {"PATH": f"{checkout / 'bin'}:{os.environ['PATH']}"}  # where apt-get installs nothing
            | environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True,
        )  # fmt: skip

    return started


def ended(process: "subprocess.Popen[str]") -> tuple[int, str, str]:
    """Exit status, stdout and stderr."""
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def asked(checkout: Path) -> int:
    """The number of calls of pip."""
    log = checkout / "log"
    return len(log.read_text().splitlines()) if log.exists() else 0


def pinned_torch() -> str:
    """The pinned version of PyTorch, without its build."""
    (version,) = re.findall(r"^torch==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    return str(version)


def test_the_first_start_sets_up_and_later_ones_only_start(checkout: Path, start: Start) -> None:
    said = f"in {checkout / 'elsewhere'}: words --length 5 a  b\n"
    status, out, err = ended(start("words", "--length", "5", "a  b"))
    assert (status, out) == (0, said)
    assert "first use: installing into" in err
    pip = asked(checkout)
    assert pip > 0
    assert (checkout / "log.compiled").read_text() == f"-m compileall -q {checkout / 'gpulingo'}\n"
    assert ended(start("words", "--length", "5", "a  b")) == (0, said, "")
    assert asked(checkout) == pip
    link = checkout / "elsewhere" / "link"
    link.symlink_to("../scripts/gpulingo")
    assert ended(start("words", "--length", "5", "a  b", script=link)) == (0, said, "")


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_a_changed_requirement_is_installed_again(checkout: Path, start: Start, name: str) -> None:
    ended(start())
    pip = asked(checkout)
    later = time.time() + 5
    os.utime(checkout / name, (later, later))
    assert "up to date" in ended(start())[2]
    assert asked(checkout) == 2 * pip


def test_an_unfinished_set_up_is_not_taken_for_done(checkout: Path, start: Start) -> None:
    status, out, err = ended(start(PIP_STATUS="1"))
    assert (status, out) == (1, "")
    assert "pip could not install" in err
    (checkout / ".venv" / "left over").touch()
    assert "first use" in ended(start())[2]
    assert not (checkout / ".venv" / "left over").exists()
    assert ended(start())[2] == ""


@without_driver
@pytest.mark.parametrize(
    ("environment", "said", "asked"),
    [
        (
            {},
            ["0.3 GB to download, 1.1 GB on disk: the CPU build, since there is no NVIDIA driver\n"],
            "{}+cpu",
        ),
        (
            {"NO_CPU_BUILD": "1"},
            ["0.3 GB to download, 1.1 GB on disk: the CPU build by uv, since there is no NVIDIA driver\n"],
            "{} --torch-backend=cpu",
        ),
        (
            {"NO_CPU_BUILD": "1", "UV_STATUS": "2"},
            ["2.8 GB to download, 5.7 GB on disk: uv did not reach PyTorch's index", "PIP_EXTRA_INDEX_URL"],
            "{} --torch-backend=cpu",
        ),
    ],
    ids=["pip", "uv", "neither"],
)
def test_without_an_nvidia_driver_the_cpu_build_is_installed_by_pip_or_by_uv(
    checkout: Path, start: Start, environment: dict[str, str], said: list[str], asked: str
) -> None:
    status, _, err = ended(start(TMPDIR=str(checkout), **environment))
    assert status == 0 and all(text in err for text in said) and not list(checkout.glob("tmp.*"))
    assert ("PIP_EXTRA_INDEX_URL" in err) == ("UV_STATUS" in environment)
    names = re.findall(r"torch==(.*)", (checkout / "log").read_text())
    assert names == [asked.format(pinned_torch())]


@pytest.mark.skipif(not shutil.which("flock"), reason="no flock: starts at the same time are not kept apart")
def test_starts_at_the_same_time_set_up_once(checkout: Path, start: Start) -> None:
    results = [ended(process) for process in [start(PIP_SECONDS="0.2") for _ in range(4)]]
    assert [(status, out) for status, out, _ in results] == [(0, f"in {checkout / 'elsewhere'}:\n")] * 4
    assert sum("first use" in err for _, _, err in results) == 1
    assert asked(checkout) == 2


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"TOO_OLD": "1"}, "Python 3.9.1 is too old; install Python 3.11 or later"),
        ({"PYTHON": "no-such-python"}, "no no-such-python found; install Python 3.11 or later"),
    ],
)
def test_an_old_or_missing_python_is_one_clear_line(
    checkout: Path, start: Start, environment: dict[str, str], message: str
) -> None:
    status, out, err = ended(start(**environment))
    assert (status, out, len(err.splitlines())) == (1, "", 1)
    assert message in err
    assert not (checkout / ".venv").exists()


SIDE_BY_SIDE = "<-n><auto><--dist><worksteal>"  # a process per core


@pytest.mark.parametrize(
    ("script", "given", "asked"),
    [
        ("scripts/test", [], "<-m><not slow>"),
        ("scripts/test", ["tests/words", "-x"], "<-m><not slow><tests/words><-x>"),
        ("scripts/test", ["--all"], ""),
        ("scripts/test", ["--all", "-k", "a b"], "<-k><a b>"),
        (".ci/run", [], ""),
    ],
)
def test_the_test_script_runs_the_quick_tests_and_with_all_every_one(
    checkout: Path, start: Start, script: str, given: list[str], asked: str
) -> None:
    told = {"PRECOMPILED": "1", **NO_LISTS}  # as without a home; the tests run all the same
    status, out, _ = ended(start(*given, script=checkout / script, **told))
    assert (status, out) == (0, f"<-q><-rs><--durations=10>{SIDE_BY_SIDE}{asked} pit= wordle=\n")


@pytest.mark.parametrize(("given", "asked"), [([], "build"), (["serve"], "serve")])
def test_the_docs_script_sets_up_the_extra_of_the_site_and_builds_it(
    checkout: Path, start: Start, given: list[str], asked: str
) -> None:
    status, out, err = ended(start(*given, script=checkout / "scripts" / "docs"))
    assert (status, out) == (0, f"mkdocs {asked} in {checkout}, NO_MKDOCS_2_WARNING=1\n")
    assert "the site's tools add about" in err
    assert (checkout / "log").read_text().splitlines()[-1].endswith(f"-e {checkout}[docs]")
    assert ended(start(script=checkout / "scripts" / "docs"))[2] == ""
    assert ended(start())[2] == ""


def test_an_interrupt_is_heard_by_what_a_test_starts() -> None:
    code = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "True\n"


def test_the_slow_tests_left_out_are_counted_at_the_end_and_how_to_run_them_is_said() -> None:
    options = ["-q", "-p", "no:cacheprovider", "-m", "not slow"]
    command = [sys.executable, "-m", "pytest", *options, "tests/test_packaging.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert re.fullmatch(
        r"left out: \d+ slow tests; run them with ./scripts/test --all", done.stdout.splitlines()[-2]
    )


def test_the_second_checker_imports_numpy_and_numba_alone():
    tree = ast.parse((ROOT / "scripts" / "second_check").read_text())
    names = [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    names += [str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert {name.split(".")[0] for name in names} - sys.stdlib_module_names == {"numba", "numpy"}
