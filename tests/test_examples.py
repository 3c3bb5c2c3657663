"""The examples run as their first lines say, and print what they promise."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PRINTED = {  # what each prints among other things
    "own_strategy": "guess",
    "best_guess": "words fit:",
    "rank_a_set": "words left on the mean",
    "read_certificate": "points at most",
    "fixed_openings": "pares-clint",
    "tie_rules": "one_class_more",
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name == "own_strategy" else pytest.mark.slow) for name in PRINTED],
)
def test_an_example_runs(name):
    run = [sys.executable, str(ROOT / "examples" / f"{name}.py")]
    done = subprocess.run(run, capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stderr
    assert PRINTED[name] in done.stdout


def test_every_example_is_tried():
    assert {path.stem for path in (ROOT / "examples").glob("*.py")} == set(PRINTED)


@pytest.mark.slow
def test_an_example_is_a_strategy_of_the_command_line_too():
    run = [sys.executable, "-m", "gpulingo", "simulate", "--length", "13", "--strategy", "own_strategy:guess"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "examples")])}
    done = subprocess.run(run, capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.returncode == 0 and "own_strategy:guess" in done.stdout, done.stderr
