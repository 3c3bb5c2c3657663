"""Guess pools: the order that each rule puts the words in, and that every word of a pool may be guessed."""

import random

import pytest
import torch

from gpulingo.games.marks import feedback
from gpulingo.strategies.ranking import RULES, Pool
from gpulingo.tensors.wordtable import encode


def made(seed):
    """Words of four letters a to d."""
    generator = random.Random(seed)
    words = sorted({"".join(generator.choices("abcd", k=4)) for _ in range(70)})
    generator.shuffle(words)
    return words


def test_the_rule_of_classes_puts_the_most_classes_first():
    words = made(2)
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


def test_random_words_are_drawn_by_seed():
    table = encode(made(3))
    first, again, other = (RULES["random"](table, 9, seed).tolist() for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("rule", list(RULES))
def test_a_pool_holds_legal_guesses_only(rule):
    words = made(5)
    legal = torch.arange(0, len(words), 2, dtype=torch.int32)
    table = encode(words).with_sets(legal[:9], legal)
    members = Pool(rule, 7, 1).members(table)
    assert set(members.tolist()) <= set(legal.tolist()) and members.dtype == torch.int32
    assert Pool(rule, len(legal)).members(table) is table.pool
