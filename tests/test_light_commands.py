"""Commands that follow stored trees, and those that read lists, load neither torch nor numba."""

import subprocess
import sys

import pytest

COMMANDS = [
    "suggest tares:XXXXX --game lingo",
    "suggest --game bulls-and-cows 0123:0,2",
    "words",
    "show 13",
    "prove 13 --tree-only",
    "simulate --help",
]
HEAVY = {"torch", "numba", "numpy"}


@pytest.mark.parametrize("line", COMMANDS)
def test_it_loads_neither(line):
    command = [sys.executable, "-X", "importtime", "-m", "gpulingo", *line.split()]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    loaded = {told.rpartition("|")[2].strip() for told in done.stderr.splitlines()}
    assert "gpulingo" in loaded and not HEAVY & loaded
