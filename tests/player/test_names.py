"""Names of strategies without the strategies: they are those of the registry."""

import subprocess
import sys

from gpulingo.player.names import NAMES, OBJECTIVES
from gpulingo.strategies.objectives import BY_NAME
from gpulingo.strategies.registry import FACTORIES


def test_the_names_are_those_of_the_strategies():
    assert list(OBJECTIVES) == list(BY_NAME)
    assert sorted(NAMES) == sorted((*BY_NAME, *FACTORIES))


def test_they_load_nothing():
    code = "import sys; old = {*sys.modules}; import gpulingo.player.names; print(*{*sys.modules} - old)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert all(name.startswith("gpulingo") for name in done.stdout.split())
