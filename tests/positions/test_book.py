"""Openings of a book: their trees and their best second guesses are those of plain recursion."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from recurrence import Recurrence

from gpulingo.games.catalogue import feedback_of, find_game
from gpulingo.optimise.every_guess import EveryGuess, best_guess
from gpulingo.positions.book import opening_tree
from gpulingo.solvers.solver import solver
from gpulingo.storage.files import BOOK, file_name
from gpulingo.strategies.strategy import first_position
from gpulingo.tensors.operations import split
from gpulingo.tensors.wordtable import table_of
from gpulingo.trees.book import BEST, check_best, read_book
from gpulingo.trees.verify import verify
from gpulingo.words.listing import WordList, embedded
from gpulingo.words.targets import Targets

ROOT = Path(__file__).parents[2]

CODES = ["lingo3", "wordle4", "wordle-hard3", "wordle-from3-hard4", "wordle-hard-lost4", "wordle-consistent3"]


def small(seed: int, count: int = 14) -> WordList:
    """A list of words of four letters out of six."""
    chance = random.Random(seed)
    return WordList("small", sorted({"".join(chance.choices("abcdef", k=4)) for _ in range(200)})[:count])


@pytest.fixture(scope="module", params=list(enumerate(CODES)), ids=lambda param: param[1])
def opened(request):
    """A list, a game, an opening and its tree."""
    seed, code = request.param
    words, game = small(seed), find_game(code)
    words = words if seed % 2 else words.with_targets(words.words[::2])
    table = table_of(words, game)
    search = EveryGuess(solver(table, game, 1 << 20), lambda pairs: None)
    return words, game, opening_tree(words, game, search, words[seed])


def credits(game, found, total):
    return sum(game.credits(turn) * count for turn, count in enumerate(found, 1)) + game.credits(0) * (
        total - sum(found)
    )


def test_the_tree_after_an_opening_is_the_best(opened):
    words, game, tree = opened
    law = Recurrence(words, game)
    assert tree.value == law.value_after(tree.opening)
    assert len(verify(tree, words)) == words.target_count
    assert tree.bound == tree.mean_points
    check_best(tree)


def test_no_other_second_guess_is_better_than_those_of_a_set(opened):
    words, game, tree = opened
    law, rule, opening = Recurrence(words, game), feedback_of(game), words[tree.opening]
    for node in range(1, tree.first[1]):
        marks = rule.marks(tree.pattern[node], words.length)
        left = [word for word in words.targets if rule.feedback(opening, word) == marks]
        members, still = law.bits(left), law.still_legal(tree.opening, marks, law.every_guess)
        legal = still if game.turns - 1 <= game.ruled_left else law.every_guess
        guesses = [guess for guess in range(len(words)) if legal >> guess & 1 and guess != tree.opening]
        values = {guess: law.value_after(guess, members, game.turns - 1, still) for guess in guesses}
        rows = tree.second_guesses(node)
        best = sorted(values.values(), reverse=True)[: len(rows)]
        assert (
            [values[guess] for guess, _ in rows]
            == best
            == [credits(game, found, len(left)) for _, found in rows]
        )
        assert len(rows) == (1 if len(left) == 1 else min(BEST, len(values)))


BOOKS = [("wordle", "4287a382e328"), ("wordle-hard", "4287a382e328")]


@pytest.mark.slow
@pytest.mark.parametrize(("code", "fingerprint"), BOOKS)
def test_the_stored_books_are_right_and_no_other_second_guess_of_a_sample_is_better(code, fingerprint):
    game, words = find_game(code), Targets("answers").of(embedded().of_length(5))
    book = read_book(ROOT / "checkpoints" / file_name(game.code, 5, words.fingerprint, BOOK))
    assert words.fingerprint.startswith(fingerprint) and len(book.openings) >= 28
    table, chance = table_of(words, game), random.Random(7)
    search = EveryGuess(solver(table, game, 1 << 26), lambda pairs: None)
    for tree in book.trees():  # each is checked, its second guesses too
        verify(tree, words)
        start = first_position(table, game)
        row = np.array([tree.opening], np.int32)
        after = start.after(row, split(table, start.frontier, row))
        sizes = after.frontier.sizes.tolist()
        number = chance.choice([number for number, size in enumerate(sizes) if 5 <= size <= 60])
        position = after.take(np.array([number]))
        rows = tree.second_guesses(number + 1)
        values = [credits(game, found, sizes[number]) for _, found in rows]
        assert best_guess(search.searches, position, 0, game.turns - 1).value == values[0]
        legal = table.pool if position.allowed is None else position.allowed.members
        known = {tree.opening, *(guess for guess, _ in rows)}
        others = {*chance.sample(legal.tolist(), min(6, len(legal)))} - known
        better = [own for own in others if search.value_after(position, own, values[-1]) > values[-1]]
        assert better == []
