"""What a search knows: what an incumbent is worth in credits."""

import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.optimise.state import Incumbent
from gpulingo.strategies.build import build
from gpulingo.strategies.registry import named


@pytest.mark.parametrize("turns", [2, 5])
def test_an_incumbent_counts_what_its_words_are_worth(words22, turns):
    tree = build(words22, named("parts"), lingo(turns)).tree
    incumbent = Incumbent.of(tree)
    assert incumbent.tree is tree
    assert incumbent.value == sum(turns + 1 - turn for turn in tree.found_turns() if turn)
    assert lingo(turns).points_of(incumbent.value, 22) == tree.mean_points
