"""Values in the unit of their game: the same numbers, as points or as guesses."""

import pytest

from gpulingo.games.catalogue import BY_NAME, wordle
from gpulingo.games.units import LOST, UNITS
from gpulingo.strategies.build import simulate
from gpulingo.trees.values import Values, of_tree


@pytest.mark.parametrize("name", BY_NAME)
def test_every_game_is_shown_somehow(name):
    values = Values(BY_NAME[name](), 1)
    assert next(iter(values.cells(1))) == values.unit.name and values.unit in (LOST, *UNITS.values())


def test_a_total_is_what_is_counted_in_the_tree(words22):
    words = words22.with_targets(words22.words[:7])
    for turns in (1, 6):  # a lost word counts one more guess than a round allows
        tree = simulate(words, "letters", wordle(turns)).tree
        assert of_tree(tree).entry(22, tree.value, None)["total_guesses"] == tree.total_guesses
        assert of_tree(tree).text(tree.value).endswith(f"({tree.total_guesses} in total)")
        assert (tree.lost > 0) == (turns < 6)
