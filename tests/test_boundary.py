"""Thousands of malformed arguments at the public operations: each ends in an answer or an error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).with_name("malformed.py")


def ends_well(cases: int, seed: int, seconds: float) -> None:
    """Run cases in a process of their own, as one that crashes or hangs would take this one with it."""
    command = [sys.executable, str(FUZZ), str(cases), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr[-2000:]
    answered, refused = map(int, done.stdout.split())
    assert answered + refused == cases and min(answered, refused) > cases // 20


@pytest.mark.slow
def test_malformed_arguments_are_refused_and_nothing_else_happens() -> None:
    ends_well(400, 1, 500)


@pytest.mark.slow
def test_what_the_cases_look_for_is_found() -> None:
    """Without one of the checks the same cases crash, or end in other errors."""
    code = "import gpulingo.tensors.operations as operations, sys, runpy\n"
    code += "operations.check_sets = lambda table, sets: None\n"
    code += f"sys.argv = ['', '1500', '1']; runpy.run_path({str(FUZZ)!r}, run_name='__main__')"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode != 0
