"""Runs of the tests: an interrupt reaches what they start, and what they leave out is told."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_an_interrupt_is_heard_by_what_a_test_starts() -> None:
    code = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "True\n"


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash")
def test_tests_in_the_background_hear_interrupts_too() -> None:
    test = "tests/test_runs.py::test_an_interrupt_is_heard_by_what_a_test_starts"
    line = f"trap '' INT; {shlex.quote(sys.executable)} -m pytest -q -p no:cacheprovider {test}"
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_slow_tests_left_out_are_counted_at_the_end_and_how_to_run_them_is_said() -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow",
        "tests/test_packaging.py",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert re.fullmatch(
        r"left out: \d+ slow tests; run them with ./scripts/test --all", done.stdout.splitlines()[-2]
    )
