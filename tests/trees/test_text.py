"""Trees as text, a branch after a history, and histories that no tree follows."""

import pytest

from gpulingo.advice.notation import read_history
from gpulingo.games import marks
from gpulingo.games.marks import ContradictionError
from gpulingo.trees.text import found_node, tree_lines, words_below
from gpulingo.words.listing import parse


@pytest.fixture
def four():
    return parse("able\nbale\ncart\nzone").of_length(4)


def test_a_whole_tree_as_text(four, grown):
    tree = grown(four)
    assert tree_lines(tree, four.words) == [
        "cart (4)",
        "  BBBB zone (1)",
        "  BYBB able (1)",
        "  BGBB bale (1)",
    ]


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


def test_turns_and_lines_are_limited(words22, grown):
    tree = grown(words22)
    assert tree_lines(tree, words22.words, turns=1) == [f"{words22.words[tree.guess[0]]} (22)"]
    assert tree_lines(tree, words22.words, limit=3)[3:] == ["... 19 more lines"]
    assert len(tree_lines(tree, words22.words, limit=22)) == 22
    short = grown(words22, turns=2)
    assert words_below(short)[0] == 22 - short.lost


def test_a_history_that_the_tree_does_not_know_is_refused(four, grown):
    tree = grown(four, turns=2)
    assert found_node(tree, four.words, [("cart", "X?XX")]) == 2
    cases = [
        ("able:XXXX", ValueError, "the guess of turn 1 is cart in this tree, the history has able"),
        ("cart:OXXX", ContradictionError, "no word fits the marks GBBB of cart on turn 1"),
        ("cart:OOOO", ValueError, "turn 1 finds cart: no guess follows"),
        ("cart:X?XX able:XXXX", ValueError, "no guess follows turn 2"),
    ]
    for text, kind, said in cases:
        with pytest.raises(kind) as caught:
            found_node(tree, four.words, read_history(text.split(), marks))
        assert type(caught.value) is kind
        assert said in str(caught.value)
    with pytest.raises(ValueError, match="have 5 characters, the word has 4"):
        found_node(tree, four.words, [("cart", "XXXXX")])


def test_nodes_that_lead_to_each_others_children_are_not_shown(words22, grown):
    tree = grown(words22)
    tree = tree.replaced(first=[1, len(tree), 2, *list(tree.first)[3:]], mean_points=None)
    with pytest.raises(ValueError, match=r"has children out of order"):
        tree_lines(tree, words22.words)
