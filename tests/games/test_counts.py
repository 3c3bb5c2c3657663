"""Counts: published results for codes, and which guesses their searches leave out."""

import numpy as np
import pytest

from gpulingo.bounds.checker import prove
from gpulingo.games.catalogue import COUNTED, find_game
from gpulingo.optimise.solve import solve
from gpulingo.solvers.words import labelling
from gpulingo.strategies.build import build
from gpulingo.strategies.registry import named
from gpulingo.tensors.wordtable import table_of
from gpulingo.words.listing import find_listing

# Mastermind: Knuth, Neuwirth, Irving, Kooi (serkangur.freeservers.com). Bulls and Cows: our result.
PUBLISHED = {
    "mastermind": {"largest_class": 5801, "entropy": 5722, "expected_size": 5696, "parts": 5668},
    "bulls-and-cows": {"entropy": 26424, "expected_size": 26551, "parts": 26751, "largest_class": 27139},
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "strategy"), [(name, way) for name, ways in PUBLISHED.items() for way in ways]
)
def test_strategies_take_as_many_guesses_as_others_found(name, strategy):
    game, codes = find_game(name), find_listing(4, None, COUNTED[name][1]).of_length(4)
    tree = build(codes, named(strategy, game=game), game).tree
    assert (tree.lost, tree.total_guesses) == (0, PUBLISHED[name][strategy])


@pytest.mark.slow
def test_5625_guesses_are_the_least_of_mastermind_and_the_certificate_says_why():
    codes, game = find_listing(4, None, True).of_length(4), find_game("mastermind")
    found = solve(codes, game)
    assert found.reached and found.tree.total_guesses == 5625
    assert len(found.certificate.evidence.automorphisms) == 3 + 5  # neighbours are swapped
    assert list(prove(table_of(codes, game), found.certificate))[-1] == 1296


@pytest.mark.slow
def test_guesses_that_fit_all_counts_before_them_need_the_published_total():
    found = solve(find_listing(4, None, True).of_length(4), find_game("mastermind-consistent"))
    assert found.reached and found.tree.total_guesses == 5660


@pytest.mark.parametrize(("name", "asked"), [("mastermind", 0), ("jotto", 0), ("lingo", 1)])
def test_no_guess_is_left_out_by_its_letters_where_these_are_not_shown_apart(monkeypatch, name, asked):
    table = table_of(find_listing(3, None, True, 4).of_length(3), find_game(name))
    calls, places = list[int](), np.arange(table.words, dtype=np.int32)
    monkeypatch.setattr(
        labelling, "needless", lambda table, words, guesses: calls.append(1) or np.zeros(len(guesses), bool)
    )
    labelling.label_set(table, places[:30], places[30:], finest=True)
    assert len(calls) == asked
