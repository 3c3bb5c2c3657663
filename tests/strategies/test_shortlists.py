"""Short lists: which words stand on them, and that the best of them is the one that brute force finds."""

import random
from collections import Counter

import pytest
import torch

from gpulingo.strategies.objectives import parts
from gpulingo.strategies.shortlists import Shortlists, best_listed
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.objective import Objective
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import encode


def drawn(seed):
    generator = random.Random(seed)
    words = list(dict.fromkeys("".join(generator.choices("aabbcdefg", k=4)) for _ in range(90)))
    sets = [sorted(generator.sample(range(len(words)), size)) for size in (1, 2, 9, 26, 40)]
    return words, sets, frontier([torch.tensor(one, dtype=torch.int32) for one in sets])


@pytest.mark.parametrize("bonus", [0, 2])
@pytest.mark.parametrize("seed", range(5))
def test_the_best_of_a_list_is_the_best_of_a_pool_of_its_words(seed, bonus):
    words, _, front = drawn(seed)
    table, way = encode(words), Objective(parts(40, 4).table, bonus)
    listed = torch.randint(len(words), (front.sets, 7), generator=torch.Generator().manual_seed(seed)).int()
    found = best_listed(table, front, listed, way)
    for place in range(front.sets):
        alone = front.take(torch.tensor([place]))
        assert found.guesses[place] == rank(table, alone, listed[place].unique(), way).guesses[0, 0]
    assert (found.guesses.dtype, found.pairs) == (torch.int32, 7 * front.members.shape[0])


@pytest.mark.parametrize("seed", range(5))
def test_the_richest_words_come_from_the_whole_list_and_the_richest_candidates_from_the_set(seed):
    words, sets, front = drawn(seed)
    table = encode(words)
    for consistent in (False, True):
        lists = Shortlists(torch.Generator(), width=6, consistent=consistent)
        for members, listed in zip(sets, lists._richest(table, front).tolist(), strict=True):
            copies = Counter("".join(words[member] for member in members))
            worth = {place: sum(copies[letter] for letter in set(word)) for place, word in enumerate(words)}
            pool = members if consistent else worth
            best = sorted(pool, key=lambda place: (-worth[place], place))[:6]
            assert listed == best + [members[0]] * (6 - len(best))


def test_blocks_of_sets_have_the_same_lists(monkeypatch):
    words, _, front = drawn(7)
    whole = Shortlists(torch.Generator())._richest(encode(words), front)
    monkeypatch.setattr("gpulingo.strategies.shortlists.BLOCK", 2 * len(words))
    assert torch.equal(Shortlists(torch.Generator())._richest(encode(words), front), whole)
