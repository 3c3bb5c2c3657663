"""Strategies that look at letters, on lists of many repeated letters, in plain Python."""

import random
from collections import Counter

import pytest
import torch

from gpulingo.strategies.registry import named
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.wordtable import encode


def drawn(seed, sizes=(1, 2, 3, 10, 80, 5)):
    """Words of few letters, and candidate sets of them."""
    generator = random.Random(seed)
    words = list(dict.fromkeys("".join(generator.choices("aaabbcdefg", k=5)) for _ in range(200)))
    sets = [sorted(generator.sample(range(len(words)), size)) for size in sizes]
    return words, sets, frontier([torch.tensor(one, dtype=torch.int32) for one in sets])


def worths(name, words):
    """What the rule of that name makes of each of these candidates."""
    holders = Counter(letter for word in words for letter in set(word))
    copies = Counter("".join(words))
    summed = [sum(copies[letter] for letter in set(word)) for word in words]
    return {
        "letters": [sum(holders[letter] for letter in set(word)) for word in words],
        "histogram": summed,
        "distinct": [len(set(word)) for word in words],
        "statistician": [len(set(word)) * worth for word, worth in zip(words, summed, strict=True)],
    }[name]


@pytest.mark.parametrize("name", ["letters", "distinct", "statistician"])
@pytest.mark.parametrize("seed", range(8))
def test_the_first_of_the_candidates_worth_most_is_guessed(name, seed):
    words, sets, front = drawn(seed)
    choice = named(name).choose(encode(words), front, 4)
    for members, guess in zip(sets, choice.guesses.tolist(), strict=True):
        worth = worths(name, [words[member] for member in members])
        assert guess == members[worth.index(max(worth))]
    assert (choice.guesses.dtype, choice.pairs) == (torch.int32, 0)


def test_a_letter_that_stands_twice_counts_twice_for_histogram_and_once_for_letters():
    words = ["abc", "aad", "dde", "ddf"]  # a: 2 candidates, 3 copies; d: 3 candidates, 5 copies
    front = frontier([torch.arange(4, dtype=torch.int32)])
    assert worths("letters", words) == [4, 5, 4, 4]
    assert worths("histogram", words) == [5, 8, 6, 6]
    for name in ("letters", "histogram"):
        assert named(name).choose(encode(words), front, 4).guesses.tolist() == [1]


def test_histogram_draws_ties_by_its_seed_each_as_likely():
    words, tied = ["abcd", "aaab", "bcda", "abca", "dcba", "cabd"], [0, 2, 4, 5]
    front = frontier([torch.tensor(tied, dtype=torch.int32)] * 2000)
    table = encode(words)
    guesses = [named("histogram", seed=seed).choose(table, front, 4).guesses.tolist() for seed in (3, 3, 4)]
    assert guesses[0] == guesses[1] != guesses[2]
    counts = Counter(guesses[0])
    assert sorted(counts) == tied
    assert all(400 < count < 600 for count in counts.values())  # 500 each; 100 are five standard deviations
