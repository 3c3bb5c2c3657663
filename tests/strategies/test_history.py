"""The search of a player without a checkpoint."""

import pytest
import torch

from gpulingo.games.catalogue import find_game, lingo
from gpulingo.games.marks import ContradictionError, feedback, pattern
from gpulingo.strategies.build import Searcher, build, position_after
from gpulingo.strategies.registry import named
from gpulingo.tensors.wordtable import encode
from gpulingo.words.listing import UnknownWordError


@pytest.mark.parametrize("name", ["points", "letters"])
@pytest.mark.parametrize("turns", [1, 2, 3, 6])
@pytest.mark.parametrize("family", ["lingo", "lingo-hard", "wordle-consistent"])
def test_it_guesses_what_the_tree_guesses(words22, name, turns, family):
    game = find_game(family, turns)
    searcher = Searcher(words22, "cpu", named(name), game)
    tree = build(words22, named(name), game).tree
    for target in words22.words:
        history, node = [], 0
        while len(history) < turns and node is not None:
            guess = searcher.guess(history)
            assert guess == words22[tree.guess[node]]
            history.append((guess, feedback(guess, target)))
            node = tree.child(node, pattern(history[-1][1]))


def test_after_its_last_turn_it_goes_on_guessing_words_that_fit(words22):
    # A referee may ask more often than there are turns.
    assert Searcher(words22, "cpu").guess([("papaw", "XXXXX")] * 7) in words22
    assert Searcher(words22, "cpu").guess([("heron", "OOOOO")] * 5) == "heron"


def test_a_guess_of_another_list_is_told(words22):
    with pytest.raises(UnknownWordError, match="'zebra' is not among the 22 words"):
        Searcher(words22, "cpu").guess([("zebra", "XXXXX")])


@pytest.mark.parametrize("marks", ["XXXX", "XXXXXX", "XXXYX", "", "xxxxx"])
def test_marks_that_are_none_are_refused(words22, marks):
    with pytest.raises(ValueError, match="marks"):
        Searcher(words22, "cpu").guess([("heron", marks)])


def test_marks_that_no_word_fits_are_a_contradiction(words22):
    with pytest.raises(ContradictionError, match="no word fits the marks OOOOX of heron"):
        Searcher(words22, "cpu").guess([("heron", "OOOOX")])


def test_the_position_after_a_history_has_what_fits_and_how_it_came_about(words22):
    table = encode(words22.words)
    history = [("raven", feedback("raven", "apple")), ("stork", feedback("stork", "apple"))]
    position = position_after(history, words22, lingo(), table)
    fit = [word for word in words22.words if all(feedback(guess, word) == said for guess, said in history)]
    assert [words22[member] for member in position.frontier.members.tolist()] == fit
    assert (position.turn, position.turns_left, position.frontier.sets) == (3, 3, 1)
    assert position.history.guesses.tolist() == [[words22.index("raven"), words22.index("stork")]]
    assert position.history.patterns.tolist() == [[pattern(said) for _, said in history]]
    assert position_after([], words22, lingo(), table).frontier.members.tolist() == list(range(22))


def test_only_targets_fit_where_not_every_word_is_one(words22):
    every, even = encode(words22.words), torch.arange(0, 22, 2, dtype=torch.int32)
    history = [("raven", feedback("raven", words22[4]))]
    some, fit = (position_after(history, words22, lingo(), table) for table in (every.with_sets(even), every))
    fitting = fit.frontier.members.tolist()
    assert some.frontier.members.tolist() == [word for word in fitting if word % 2 == 0]
    assert some.pool is some.table.pool


@pytest.mark.parametrize("rule", ["hard", "consistent"])
def test_a_history_that_breaks_the_rule_of_the_game_is_refused(words22, rule):
    game = find_game(f"wordle-{rule}")
    history = [("raven", feedback("raven", "crane")), ("finch", feedback("finch", "crane"))]
    assert position_after(history, words22).frontier.members.shape[0]
    said = f"finch is not allowed in wordle-{rule}6 after the guesses before it: use another history"
    with pytest.raises(ValueError, match=f"^{said}$"):
        position_after(history, words22, game)
    found = [("crane", "OOOOO")]
    assert position_after(found, words22, game).pool.members.tolist() == [words22.index("crane")]
