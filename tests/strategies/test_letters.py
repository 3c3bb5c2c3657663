"""Strategies that look at letters, on lists of many repeated letters, in plain Python; and random ones."""

import random
from collections import Counter

import pytest
import torch

from gpulingo.strategies.letters import Random
from gpulingo.strategies.registry import named
from gpulingo.tensors.frontier import frontier


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
def test_the_first_of_the_candidates_worth_most_is_guessed(name, seed, position):
    words, sets, front = drawn(seed)
    choice = named(name).choose(position(words, front, 4))
    for members, guess in zip(sets, choice.guesses.tolist(), strict=True):
        worth = worths(name, [words[member] for member in members])
        assert guess == members[worth.index(max(worth))]
    assert (choice.guesses.dtype, choice.pairs) == (torch.int32, 0)


def test_a_letter_that_stands_twice_counts_twice_for_histogram_and_once_for_letters(position):
    words = ["abc", "aad", "dde", "ddf"]  # a: 2 candidates, 3 copies; d: 3 candidates, 5 copies
    front = frontier([torch.arange(4, dtype=torch.int32)])
    assert worths("letters", words) == [4, 5, 4, 4]
    assert worths("histogram", words) == [5, 8, 6, 6]
    for name in ("letters", "histogram"):
        assert named(name).choose(position(words, front, 4)).guesses.tolist() == [1]


def test_histogram_draws_ties_by_its_seed_each_as_likely(position):
    words, tied = ["abcd", "aaab", "bcda", "abca", "dcba", "cabd"], [0, 2, 4, 5]
    front = frontier([torch.tensor(tied, dtype=torch.int32)] * 2000)
    asked = position(words, front, 4)
    guesses = [named("histogram", seed=seed).choose(asked).guesses.tolist() for seed in (3, 3, 4)]
    assert guesses[0] == guesses[1] != guesses[2]
    counts = Counter(guesses[0])
    assert sorted(counts) == tied
    assert all(400 < count < 600 for count in counts.values())  # 500 each; 100 are five standard deviations


def test_each_random_candidate_is_as_likely(position):
    words, sets, front = drawn(0, sizes=(1, 4) * 2000)
    strategy = Random(torch.Generator().manual_seed(3))
    guesses = strategy.choose(position(words, front, 4)).guesses.tolist()
    assert all(guess in members for members, guess in zip(sets, guesses, strict=True))
    places = Counter(
        members.index(guess) for members, guess in zip(sets, guesses, strict=True) if len(members) == 4
    )
    assert sorted(places) == [0, 1, 2, 3]
    assert all(400 < count < 600 for count in places.values())  # 500 each; 100 are five standard deviations


def test_random_is_the_same_again_by_its_seed_and_goes_on(position):
    words, _, front = drawn(1, sizes=(50,) * 20)
    asked = position(words, front, 4)

    def guesses(seed, times=1):
        strategy = Random(torch.Generator().manual_seed(seed))
        return [strategy.choose(asked).guesses.tolist() for _ in range(times)]

    assert guesses(5, 3) == guesses(5, 3)
    assert guesses(5) != guesses(6)
    first, second = guesses(5, 2)
    assert first != second
