"""Trees of 22 words: replayed, pickled, shown from a history on."""

import pickle

import pytest

from gpulingo.advice.notation import read_history
from gpulingo.games import marks
from gpulingo.games.catalogue import find_game
from gpulingo.strategies.build import simulate
from gpulingo.trees.text import tree_lines
from gpulingo.trees.tree import Tree
from gpulingo.trees.verify import verify
from gpulingo.words.listing import parse


def test_a_round_of_letters_ends_with_the_last_life(words22):
    tree = simulate(words22, "frequency", find_game("hangman", 6)).tree
    last = max(tree.node_turns())
    assert max(tree.replaced(game=find_game("hangman", last)).node_turns()) == last
    with pytest.raises(ValueError, match=f"continues after turn {last - 1}"):
        tree.replaced(game=find_game("hangman", last - 1)).node_turns()


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


OF_FOUR = {"length": 4, "words": 4, "strategy": "by hand"}
# words: 0 able 1 bale 2 cart 3 zone; opening cart; marks XXXX zone, X?XX able, XOXX bale
FOUR = {"guess": [2, 3, 0, 1], "pattern": [-1, 0, 9, 18], "first": [1, 4, 4, 4, 4], "hit": [1, 1, 1, 1]}


@pytest.fixture
def four():
    return parse("able\nbale\ncart\nzone").of_length(4)


def test_every_word_is_found_on_the_turn_the_tree_says(four, words22, grown):
    tree = Tree(**FOUR, **OF_FOUR, fingerprint=four.fingerprint)
    assert verify(tree, four) == [2, 2, 1, 2]
    for turns in (1, 2, 3, 5):
        tree = grown(words22, turns=turns)
        assert verify(tree, words22) == list(tree.found_turns())


def test_a_branch_begins_after_its_history(words22, grown):
    tree = grown(words22)
    lines = tree_lines(tree, words22.words)
    assert len(lines) == len(tree) == 22
    first = [line for line in lines if line.startswith("  ") and line[2] != " "]
    row, guess, count = first[0].split()
    history = read_history([words22.words[tree.guess[0]], row], marks)
    branch = tree_lines(tree, words22.words, history=history)
    assert branch[0] == f"{guess} {count}"
    assert branch == [line[2:] for line in ["  " + branch[0], *lines[2 : 1 + len(branch)]]]
    assert len(branch) == int(count.strip("()"))
