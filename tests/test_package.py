"""The package itself: what importing it loads, and its public names."""

import subprocess
import sys

import pytest

import gpulingo


def test_importing_it_loads_none_of_its_modules():
    code = "import sys, gpulingo; print([name for name in sys.modules if name.startswith('gpulingo')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['gpulingo']\n"


def test_every_public_name_is_there():
    for name in gpulingo.PUBLIC:
        assert getattr(gpulingo, name).__name__ == name
        assert name in dir(gpulingo)
    assert gpulingo.feedback("dozes", "dents") == "OXX?O"


def test_another_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'gpulingo' has no attribute 'solve'"):
        _ = gpulingo.solve
