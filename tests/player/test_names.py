"""Names of strategies without the strategies: they are those of the registry."""

from gpulingo.player.arguments import NAMES, OBJECTIVES
from gpulingo.strategies.objectives import BY_NAME
from gpulingo.strategies.registry import FACTORIES


def test_the_names_are_those_of_the_strategies():
    assert list(OBJECTIVES) == list(BY_NAME)
    assert sorted(NAMES) == sorted((*BY_NAME, *FACTORIES))
