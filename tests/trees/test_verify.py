"""A tree that does what it says, and trees that do not."""

import pytest

from gpulingo.games.catalogue import find_game
from gpulingo.trees.checkpoint import CheckpointError
from gpulingo.trees.tree import Tree
from gpulingo.trees.verify import verify
from gpulingo.words.listing import parse

HEADER = {"length": 4, "words": 4, "strategy": "by hand"}
# words: 0 able 1 bale 2 cart 3 zone; opening cart; marks XXXX zone, X?XX able, XOXX bale
FOUR = {"guess": [2, 3, 0, 1], "pattern": [-1, 0, 9, 18], "first": [1, 4, 4, 4, 4], "hit": [1, 1, 1, 1]}


@pytest.fixture
def four():
    return parse("able\nbale\ncart\nzone").of_length(4)


def test_every_word_is_found_on_the_turn_the_tree_says(four, words22, grown):
    tree = Tree(**FOUR, **HEADER, fingerprint=four.fingerprint)
    assert verify(tree, four) == [2, 2, 1, 2]
    for turns in (1, 2, 3, 5):
        tree = grown(words22, turns=turns)
        assert verify(tree, words22) == list(tree.found_turns())
    with pytest.raises(CheckpointError, match="is for 5 letters, this list has 4"):
        verify(grown(words22), four)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"guess": [2, 3, 1, 0]}, "able: no guess follows bale ??OO on turn 2"),
        ({"pattern": [-1, 0, 9, 19]}, "bale: no guess follows cart XOXX on turn 1"),
        ({"hit": [1, 1, 0, 1]}, "able is found on turn 2, the tree says lost"),
        ({"hit": [0, 1, 1, 1]}, "cart is found on turn 1, the tree says lost"),
        ({"mean_points": 424.0}, "the rounds played give 425.0 mean points, the header says 424.0"),
    ],
)
def test_the_first_difference_is_told(four, change, said):
    tree = Tree(**(FOUR | HEADER | {"fingerprint": four.fingerprint} | change))
    with pytest.raises(CheckpointError) as caught:
        verify(tree, four)
    assert str(caught.value) == f"{said}; make it again with `gpulingo simulate --save`"


@pytest.mark.parametrize(
    ("name", "third", "said"),
    [
        ("wordle", "able", ""),
        ("wordle-hard", "able", "able on turn 2 is not allowed in wordle-hard6 after cart XOXX"),
        ("wordle-hard", "cart", ""),  # which holds the a where it was placed
        ("wordle-from3-hard", "able", ""),  # on turn 2 any word may be guessed
        ("wordle-consistent", "cart", "cart on turn 2 is not allowed in wordle-consistent6 after cart XOXX"),
    ],
)
def test_a_guess_that_the_game_does_not_allow_is_refused(four, name, third, said):
    last = {"able": int("1122", 3), "cart": 18}[third]  # ??OO or XOXX, then bale
    arrays = {"guess": [2, 3, 0, four.index(third), 1], "pattern": [-1, 0, 9, 18, last]}
    arrays |= {"first": [1, 4, 4, 4, 5, 5], "hit": [1, 1, 1, 0, 1]}
    tree = Tree(**arrays, **HEADER, fingerprint=four.fingerprint, game=find_game(name))
    if not said:
        assert verify(tree, four) == [2, 3, 1, 2]
        return
    with pytest.raises(CheckpointError) as caught:
        verify(tree, four)
    assert str(caught.value) == f"{said}; make it again with `gpulingo simulate --save`"
