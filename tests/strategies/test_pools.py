"""Guess pools against brute force by the plain rule."""

import random

import pytest
import torch

from gpulingo.games.marks import feedback
from gpulingo.strategies.objectives import points
from gpulingo.strategies.pools import RULES, Pool, Pooled
from gpulingo.strategies.registry import Ranking
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.wordtable import encode


def made(seed):
    """Words of four letters a to d, and sets of them."""
    generator = random.Random(seed)
    words = sorted({"".join(generator.choices("abcd", k=4)) for _ in range(70)})
    generator.shuffle(words)
    sets = [sorted(generator.sample(range(len(words)), size)) for size in (2, 5, 17, 30)]
    return words, sets, frontier([torch.tensor(one, dtype=torch.int32) for one in sets])


def ranked(words, guess, members, objective):
    """Rank of a guess by the plain rule; candidates first of equal ones, then list order."""
    sizes = {}
    for member in members:
        marks = feedback(words[guess], words[member])
        sizes[marks] = sizes.get(marks, 0) + 1
    total = sum(int(objective.table[size]) for size in sizes.values())
    return total + objective.bonus * (guess in members), guess in members, -guess


@pytest.mark.parametrize("rule", list(RULES))
@pytest.mark.parametrize("left", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_the_best_of_the_pool_and_the_candidates_is_guessed(rule, left, seed):
    words, sets, front = made(seed)
    table = encode(words)
    strategy = Pooled("x", points, Pool(rule, 9, seed))
    pool = strategy.members(table).tolist()
    assert len(set(pool)) == 9 and pool == sorted(pool)
    guesses = strategy.choose(table, front, left).guesses.tolist()
    objective = points(30, left)
    for members, guess in zip(sets, guesses, strict=True):
        best = max({*pool, *members}, key=lambda word: ranked(words, word, members, objective))
        if left > 2:
            assert guess == best
        else:  # then by number of classes, one more for a candidate
            assert guess in {*pool, *members}


@pytest.mark.parametrize("words", [None, 10**6])
def test_a_pool_of_all_words_is_the_whole_search(words):
    listed, _, front = made(1)
    table = encode(listed)
    for left in (1, 2, 3, 5):
        whole = Ranking("x", points).choose(table, front, left).guesses
        assert torch.equal(
            Pooled("x", points, Pool("random", words)).choose(table, front, left).guesses, whole
        )


def test_the_rule_of_classes_puts_the_most_classes_first():
    words, _, _ = made(2)
    order = RULES["classes"](encode(words), 9, 0).tolist()
    classes = [len({feedback(words[guess], target) for target in words}) for guess in order]
    assert classes == sorted(classes, reverse=True) and sorted(order) == list(range(len(words)))


def test_the_rule_of_letters_counts_the_words_that_hold_each_letter():
    words = ["aabc", "abdd", "cccc", "abcd"]  # a 3, b 3, c 3, d 2
    assert RULES["letters"](encode(words), 9, 0).tolist() == [3, 0, 1, 2]


def test_the_balanced_rule_takes_words_with_other_letters_than_those_taken():
    # Words that hold a: 3, b: 3, c: 1, d: 2, e: 1. After abbb the letters a and b are worth half as much.
    words = ["abbb", "aabb", "bbba", "addc", "ddee"]
    assert RULES["balanced"](encode(words), 3, 0).tolist() == [3, 0, 4]
    assert sorted(RULES["balanced"](encode(words), 99, 0).tolist()) == [0, 1, 2, 3, 4]


def test_lots_are_drawn_by_seed():
    table = encode(made(3)[0])
    first, again, other = (RULES["random"](table, 9, seed).tolist() for seed in (1, 1, 2))
    assert first == again != other


def test_an_opening_is_guessed_while_all_words_are_left_and_only_then():
    words, _, front = made(4)
    table = encode(words)
    everything = frontier([torch.arange(len(words), dtype=torch.int32)])
    strategy = Pooled("x", points, Pool(), 13)
    assert strategy.choose(table, everything, 5).guesses.tolist() == [13]
    later = Pooled("x", points, Pool()).choose(table, front, 4).guesses
    assert torch.equal(strategy.choose(table, front, 4).guesses, later)
