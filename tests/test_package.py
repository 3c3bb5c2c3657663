"""The package itself: what importing it loads, and its public names."""

import doctest
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version

import pytest

import gpulingo

FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def test_importing_it_loads_none_of_its_modules():
    code = "import sys, gpulingo; print([name for name in sys.modules if name.startswith('gpulingo')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['gpulingo']\n"


@pytest.mark.parametrize("name", gpulingo.HOMES)
def test_every_public_name_is_there_with_an_example_that_runs(name):
    thing = getattr(gpulingo, name)
    assert thing.__name__ == name and thing.__module__ == gpulingo.HOMES[name]
    assert name in dir(gpulingo) and name in gpulingo.__all__
    assert doctest.DocTestFinder().find(thing, name)[0].examples, f"{name} has no example"


@pytest.mark.parametrize("module", ["", *(f".{module}" for module in gpulingo.PUBLIC)])
def test_examples_of_public_modules_do_what_they_say(module):
    tried = doctest.testmod(import_module(f"gpulingo{module}"), optionflags=FLAGS)
    assert tried.failed == 0 and tried.attempted > 0


def test_the_version_is_that_of_the_package():
    assert gpulingo.__version__ == version("gpulingo")


def test_another_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'gpulingo' has no attribute 'solver'"):
        _ = gpulingo.solver
