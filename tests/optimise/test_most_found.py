"""The guesser of letters that finds most words, against plain recursion on small lists."""

import random
from itertools import pairwise
from threading import Timer

import numpy as np
import pytest
import torch
from exhaustive import best_of

from gpulingo.games.catalogue import hangman, hangman_misses
from gpulingo.optimise.most_found import MostFound
from gpulingo.solvers.letters.value import LetterSearch
from gpulingo.tensors.outcomes import ValuedTree
from gpulingo.tensors.wordtable import WordTable, encode

GAMES = [hangman, hangman_misses]


def random_words(seed: int, alphabet: str = "abcdefg") -> list[str]:
    """A few words of one length; number and length depend on the seed."""
    rng = random.Random(seed)
    length, count = rng.randint(1, 5), rng.randint(1, 14)
    return sorted({"".join(rng.choices(alphabet, k=length)) for _ in range(count)})


def places(word: str, letter: str) -> int:
    """The mask of a letter, by the definition."""
    return sum(1 << (len(word) - 1 - at) for at, there in enumerate(word) if there == letter)


def replayed(tree: ValuedTree, table: WordTable, words: list[str], payoff: tuple[int, ...]) -> int:
    """Credits of a tree, by playing each target through it by the rules alone."""
    guess, pattern, first, hit = (rows.tolist() for rows in (tree.guess, tree.pattern, tree.first, tree.hit))
    credits = 0
    for index in table.targets.tolist():
        node, lives = 0, len(payoff) - 1
        while not hit[node]:
            mask = places(words[index], table.alphabet[guess[node] - len(words)])
            lives -= mask == 0
            after = [child for child in range(first[node], first[node + 1]) if pattern[child] == mask]
            if lives == 0:
                assert not after
                break
            (node,) = after
        else:
            assert guess[node] == index
            credits += payoff[lives] * (1 if table.weights is None else int(table.weights[index]))
    return credits


def check_form(tree: ValuedTree) -> None:
    """Check the order of nodes that `trees.Tree` requires."""
    first, pattern = tree.first.tolist(), tree.pattern.tolist()
    assert first[0] == 1 and first[-1] == len(pattern) == len(tree.guess) == len(tree.hit)
    for start, stop in pairwise(first):
        assert start <= stop and pattern[start:stop] == sorted(set(pattern[start:stop]))
    assert pattern[0] == -1 and min(pattern[1:], default=0) >= 0


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_the_search_ends_with_the_value_of_plain_recursion(game, seed):
    words = random_words(seed)
    table = encode(words)
    for lives in range(1, 6):
        rules = game(lives)
        value = best_of(words, rules)
        search = MostFound(table, rules, memory=1 << 16)
        assert search.value <= value <= search.bound
        search.run(widths=(1, 2))
        assert (search.value, search.bound, search.optimal) == (value, value, True)
        tree, tied = search.tree(), rules.tie_broken(len(words))
        check_form(tree)
        assert tree.value == replayed(tree, table, words, rules.payoff) == value
        assert replayed(tree, table, words, tied.payoff) == best_of(words, tied)  # and its misses are fewest


def many_words(seed: int, count: int) -> list[str]:
    letters = np.random.default_rng(seed).integers(0, 12, (count, 4))
    return sorted({"".join("abcdefghijkl"[letter] for letter in row) for row in letters})


def test_however_few_letters_are_compared_the_value_is_at_most_the_optimum_and_the_bound_at_least():
    words = many_words(0, 150)
    table, rules = encode(words), hangman(3)
    whole = MostFound(table, rules, memory=1 << 22)
    whole.run()
    assert whole.optimal
    search = MostFound(table, rules, memory=1 << 22)
    values: list[int] = []
    search.run(widths=(1, 2, 3), often=lambda width: values.append(search.value))
    assert values == sorted(values) and values[-1] == search.value == whole.value == whole.bound


def test_a_table_that_is_too_small_costs_time_and_no_value():
    table, rules = encode(many_words(1, 80)), hangman(2)
    small, large = MostFound(table, rules, memory=1), MostFound(table, rules, memory=1 << 24)
    small.run()
    large.run()
    assert (small.value, small.optimal) == (large.value, True)
    assert small.tree().value <= small.bound


def test_a_search_that_is_stopped_has_a_tree_and_a_bound():
    words = many_words(2, 3000)
    table, rules = encode(words), hangman(6)
    search = MostFound(table, rules, memory=1 << 24)
    timer = Timer(0.3, search.stop)
    timer.start()
    search.run()
    timer.join()
    tree = search.tree()
    assert not search.optimal
    assert search.value <= tree.value == replayed(tree, table, words, rules.payoff) <= search.bound


@pytest.mark.parametrize("seed", range(2))
def test_the_bound_of_parts_is_the_value_or_above_it(seed):
    rng = random.Random(seed)
    table = encode(sorted({"".join(rng.choices("abcdefgh", k=4)) for _ in range(80)}))
    for lives in (1, 2, 3):
        payoff = hangman(lives).tie_broken(table.words).payoff
        value = LetterSearch(table, payoff, 1 << 20).value(table.targets, lives, width=8)
        assert value is not None
        searches = [MostFound(table, hangman(lives), 1 << 20) for _ in range(3)]
        limits = (1, 200, 1 << 40)
        bounds = [search.revealed_bound(limit) for search, limit in zip(searches, limits, strict=True)]
        assert min(bounds) == bounds[-1] == value
        assert max(bounds) <= table.words * payoff[-1]


LISTS = [
    (["ac", "ad", "cb", "cd", "dd", "ed"], [0, 0, 2, 0, 2, 0]),
    (["ab", "ac", "bd"], [0, 0, 1]),
    (["ab", "ac", "ad", "db", "ea", "ee"], [0, 2, 0, 2, 2, 0]),
    (["ab", "ae", "bb", "bc", "ca", "da", "eb"], [0, 0, 1, 1, 0, 0, 2]),
]


@pytest.mark.parametrize(("words", "weights"), LISTS)
def test_words_may_weigh_nothing(words, weights):
    table = encode(words).with_sets(weights=torch.tensor(weights, dtype=torch.int32))
    for lives in (1, 2, 3):
        wanted = best_of(words, hangman(lives), weights=weights)
        search = MostFound(table, hangman(lives), memory=1 << 16)
        search.run()
        assert (search.value, search.bound, search.tree().value) == (wanted, wanted, wanted)
