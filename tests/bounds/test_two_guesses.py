"""Bounds by two more guesses, against the best strategy that begins with each opening."""

import exhaustive
import torch

from gpulingo.bounds.counting import TwoGuesses, bounded_by, evaluate, table_bytes
from gpulingo.bounds.state import bound_state
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.wordtable import encode


def test_two_more_guesses_bound_an_opening(any_game):
    wordlist, table, game, best = any_game
    state = bound_state(table, game)
    state.apply(evaluate(state, list(range(len(wordlist)))))
    before = state.evidence.bounds.clone()
    two_guesses = TwoGuesses(state)
    for opening in range(len(wordlist)):
        state.apply(two_guesses.evaluate(opening))
    exhaustive.check(wordlist, state, best)
    assert bool((state.evidence.bounds <= before).all()) and bool(state.evidence.two_guesses.all())


def test_each_method_says_more_than_the_one_before_where_words_are_alike():
    wordlist = exhaustive.words_alike()
    state = bound_state(encode(wordlist.words), lingo(5))
    bounds = [int(state.evidence.bounds[0])]
    state.apply(evaluate(state, [1]))  # aab, where the first is aaa
    state.apply(bounded_by(state, torch.tensor([0]), 1))
    assert state.evidence.neighbours == {0: [1]}
    bounds.append(int(state.evidence.bounds[0]))
    state.apply(evaluate(state, list(range(len(wordlist)))))
    bounds.append(int(state.evidence.bounds[0]))
    state.apply(TwoGuesses(state).evaluate(0))
    bounds.append(int(state.evidence.bounds[0]))
    assert bounds == sorted(set(bounds), reverse=True)


def test_the_tables_take_what_is_said(game):
    _, table, game, _ = game
    state = bound_state(table, game)
    state.apply(evaluate(state, list(range(table.words))))
    taken = TwoGuesses(state)._capped.classes.nbytes
    taken += sum(counts.partition.ids.nbytes for counts in state.evidence.evaluated.values())
    assert taken <= table_bytes(table.words)
