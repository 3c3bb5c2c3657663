"""Thousands of malformed arguments at the public operations: each ends in an answer or an error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).with_name("malformed.py")


def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Python in a process of its own, as a case that crashes or hangs would take this one with it."""
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=500)


@pytest.mark.slow
def test_malformed_arguments_are_refused_and_nothing_else_happens() -> None:
    done = ran(str(FUZZ), "400", "1")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr[-2000:]
    answered, refused = map(int, done.stdout.split())
    assert answered + refused == 400 and min(answered, refused) > 20


@pytest.mark.slow
def test_what_the_cases_look_for_is_found() -> None:
    """Without one of the checks the same cases crash, or end in other errors."""
    code = "import gpulingo.tensors.operations as operations, sys, runpy\n"
    code += "operations.check_sets = lambda table, sets: None\n"
    code += f"sys.argv = ['', '1500', '1']; runpy.run_path({str(FUZZ)!r}, run_name='__main__')"
    assert ran("-c", code).returncode != 0
