"""Packages, found by a Python that was started without looking for them when they are asked for."""

import subprocess
import sys


def test_packages_are_found_when_they_are_asked_for():
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from gpulingo.__main__ import find_packages\n"
        "def found():\n"
        "    try: import numpy\n"
        "    except ImportError: return False\n"
        "    return True\n"
        "before = found(); find_packages(); print(before, found())"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code, "."], capture_output=True, text=True, check=True)
    assert done.stdout == "False True\n"
