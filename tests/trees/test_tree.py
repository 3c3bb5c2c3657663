"""A tree of six words, written out, and trees of 22."""

import pickle

import pytest

from gpulingo.advice.notation import read_history
from gpulingo.cli.wording import worded
from gpulingo.games import marks
from gpulingo.games.catalogue import find_game, lingo
from gpulingo.games.marks import ContradictionError
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import CheckpointError
from gpulingo.trees.text import found_node, tree_lines, words_below
from gpulingo.trees.tree import Tree, check_counts
from gpulingo.trees.verify import verify
from gpulingo.words.listing import parse

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


def test_a_tree_finds_no_more_words_than_its_list_has():
    check_counts(Tree(**SIX, **HEADER))
    with pytest.raises(ValueError, match="finds 6 words in a list of 5"):
        check_counts(Tree(**SIX, **HEADER | {"words": 5}))


def test_a_round_of_letters_ends_with_the_last_life(words22):
    tree = simulate(words22, "frequency", find_game("hangman", 6)).tree
    last = max(tree.node_turns())
    assert max(tree.replaced(game=find_game("hangman", last)).node_turns()) == last
    with pytest.raises(ValueError, match=f"continues after turn {last - 1}"):
        tree.replaced(game=find_game("hangman", last - 1)).node_turns()


def test_a_child_is_found_by_its_pattern_only():
    tree = Tree(**SIX, **HEADER)
    assert [tree.child(0, code) for code in (8, 12, 13, 14, 24)] == [1, 2, 3, 4, 5]
    assert [tree.child(0, code) for code in (-1, 0, 9, 26)] == [None] * 4
    assert tree.child(3, 0) is None


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


@pytest.mark.parametrize(("name", "value"), [("length", 0), ("words", 1 << 63)])
def test_a_tree_of_numbers_that_no_tree_has_is_refused(name, value):
    with pytest.raises(ValueError, match=f"^tree of {name} {value!r}, expected a whole number of 1 to "):
        Tree(**SIX, **(HEADER | {name: value}))


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
    tree = Tree(**(FOUR | OF_FOUR | {"fingerprint": four.fingerprint} | change))
    with pytest.raises(CheckpointError) as caught:
        verify(tree, four)
    assert worded(caught.value) == f"{said}; make it again with `gpulingo simulate --save`"


@pytest.mark.parametrize(
    ("name", "third", "said"),
    [
        ("wordle", "able", ""),
        ("wordle-hard", "able", "able on turn 2 is not allowed in wordle-hard6 after cart XOXX"),
        ("wordle-hard", "cart", ""),  # it has the a at its place
        ("wordle-from3-hard", "able", ""),  # on turn 2 any word may be guessed
        ("wordle-consistent", "cart", "cart on turn 2 is not allowed in wordle-consistent6 after cart XOXX"),
    ],
)
def test_a_guess_that_the_game_does_not_allow_is_refused(four, name, third, said):
    last = {"able": int("1122", 3), "cart": 18}[third]  # ??OO or XOXX, then bale
    arrays = {"guess": [2, 3, 0, four.index(third), 1], "pattern": [-1, 0, 9, 18, last]}
    arrays |= {"first": [1, 4, 4, 4, 5, 5], "hit": [1, 1, 1, 0, 1]}
    tree = Tree(**arrays, **OF_FOUR, fingerprint=four.fingerprint, game=find_game(name))
    if not said:
        assert verify(tree, four) == [2, 3, 1, 2]
        return
    with pytest.raises(CheckpointError) as caught:
        verify(tree, four)
    assert worded(caught.value) == f"{said}; make it again with `gpulingo simulate --save`"


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
