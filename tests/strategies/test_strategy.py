"""Random candidates: as likely, and the same again by their seed."""

import random
from collections import Counter

import torch

from gpulingo.strategies.strategy import Random
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.wordtable import encode


def drawn(seed, sizes=(1, 2, 3, 10, 80, 5)):
    """Words of few letters, and candidate sets of them."""
    generator = random.Random(seed)
    words = list(dict.fromkeys("".join(generator.choices("aaabbcdefg", k=5)) for _ in range(200)))
    sets = [sorted(generator.sample(range(len(words)), size)) for size in sizes]
    return words, sets, frontier([torch.tensor(one, dtype=torch.int32) for one in sets])


def test_each_candidate_is_as_likely():
    words, sets, front = drawn(0, sizes=(1, 4) * 2000)
    guesses = Random(torch.Generator().manual_seed(3)).choose(encode(words), front, 4).guesses.tolist()
    assert all(guess in members for members, guess in zip(sets, guesses, strict=True))
    places = Counter(
        members.index(guess) for members, guess in zip(sets, guesses, strict=True) if len(members) == 4
    )
    assert sorted(places) == [0, 1, 2, 3]
    assert all(400 < count < 600 for count in places.values())  # 500 each; 100 are five standard deviations


def test_random_is_the_same_again_by_its_seed_and_goes_on():
    words, _, front = drawn(1, sizes=(50,) * 20)
    table = encode(words)

    def guesses(seed, times=1):
        strategy = Random(torch.Generator().manual_seed(seed))
        return [strategy.choose(table, front, 4).guesses.tolist() for _ in range(times)]

    assert guesses(5, 3) == guesses(5, 3)
    assert guesses(5) != guesses(6)
    first, second = guesses(5, 2)
    assert first != second
