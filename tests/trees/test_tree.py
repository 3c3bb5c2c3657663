"""A tree of six words, written out, and trees of 22."""

import pickle

import numpy as np
import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.games.marks import feedback, pattern
from gpulingo.strategies.build import simulate
from gpulingo.trees.tree import Tree

# words: 0 aab 1 aba 2 abb 3 bab 4 bba 5 bbb, opening bba
SIX = {
    "guess": [4, 3, 2, 1, 0, 5],
    "pattern": [-1, 8, 12, 13, 14, 24],
    "first": [1, 6, 6, 6, 6, 6, 6],
    "hit": [1, 1, 1, 1, 1, 1],
}
HEADER = {"length": 3, "words": 6, "fingerprint": "0" * 64, "strategy": "by hand"}


def test_a_tree_counts_its_words_and_points():
    tree = Tree(**SIX, **HEADER)
    assert len(tree) == 6
    assert tree.levels() == [range(0, 1), range(1, 6)]
    assert tree.turn_counts() == [1, 5, 0, 0, 0]
    assert tree.lost == 0
    assert tree.mean_points == (500 + 5 * 400) / 6
    assert tree.value == 5 + 5 * 4
    assert list(tree.found_turns()) == [2, 2, 2, 2, 1, 2]


def test_a_child_is_found_by_its_pattern_only():
    tree = Tree(**SIX, **HEADER)
    assert [tree.child(0, code) for code in (8, 12, 13, 14, 24)] == [1, 2, 3, 4, 5]
    assert [tree.child(0, code) for code in (-1, 0, 9, 26)] == [None] * 4
    assert tree.child(3, 0) is None


def test_any_buffers_of_the_same_integers_are_the_same_tree():
    arrays = {name: np.array(values, dtype=np.int32) for name, values in SIX.items()}
    assert Tree(**arrays, **HEADER) == Tree(**SIX, **HEADER)
    assert Tree(**SIX, **HEADER) != Tree(**SIX, **(HEADER | {"strategy": "other"}))
    assert Tree(**SIX, **HEADER) != Tree(**(SIX | {"guess": [4, 3, 2, 1, 5, 0]}), **HEADER)
    assert Tree(**SIX, **HEADER) != "a tree"


def test_a_tree_travels_to_other_processes_whatever_buffers_it_has(words22):
    tree = simulate(words22).tree
    assert isinstance(tree.guess, memoryview)
    there = pickle.loads(pickle.dumps(tree))
    assert there == tree
    assert there.turn_counts() == tree.turn_counts()
    plain = tree.replaced(
        **{name: list(getattr(tree, name)) for name in ("guess", "pattern", "first", "hit")}
    )
    assert pickle.loads(pickle.dumps(plain)) == tree


def test_levels_that_are_no_tree_are_refused():
    for first in (
        [2, 6, 6, 6, 6, 6, 6],
        [1, 5, 5, 5, 5, 5, 5],
        [1, 6, 7, 8, 9, 10, 11],
        [1, 0, 6, 6, 6, 6, 6],
    ):
        with pytest.raises(ValueError, match="build"):
            Tree(**(SIX | {"first": first}), **HEADER)
    with pytest.raises(ValueError, match="level 1 "):
        Tree(**SIX, **HEADER, game=lingo(1))


def test_a_grown_tree_plays_every_word_as_it_says(words22, grown):
    for turns in range(1, 6):
        tree = grown(words22, turns=turns)
        said = list(tree.found_turns())
        for target, turn in zip(words22.words, said, strict=True):
            node, played = 0, 1
            while words22.words[tree.guess[node]] != target and played < turns:
                node = tree.child(node, pattern(feedback(words22.words[tree.guess[node]], target)))
                played += 1
            assert turn == (played if words22.words[tree.guess[node]] == target else 0)
        assert tree.turn_counts() == [said.count(turn) for turn in range(1, turns + 1)]
        assert tree.lost == said.count(0)


def test_a_tree_names_itself_in_a_line(words22, grown):
    assert repr(grown(words22)).startswith("Tree(lingo5 5 letters, middle, 2")


@pytest.mark.parametrize("name", ["length", "words"])
@pytest.mark.parametrize("value", [0, -1, 1 << 63])
def test_a_tree_of_numbers_that_no_tree_has_is_refused(name, value):
    with pytest.raises(ValueError, match=f"^tree of {name} {value!r}, expected a whole number of 1 to "):
        Tree(**SIX, **(HEADER | {name: value}))
