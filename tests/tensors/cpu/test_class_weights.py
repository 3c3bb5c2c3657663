"""Ranks by what classes weigh: the kernels say what plain torch says; a bonus counts as often as a word."""

import random

import pytest
import torch

from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.frontier import frontier, whole
from gpulingo.tensors.objective import Objective
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import encode

MOST = 40  # what a word weighs


def table_of(words, seed=1):
    """The table of words that weigh 0 to MOST each, every second a target."""
    draw = random.Random(seed)
    weights = torch.tensor([draw.choice([0, 1, 2, MOST]) for _ in words], dtype=torch.int32)
    weights[0] = 1
    return encode(words).with_sets(torch.arange(0, len(words), 2, dtype=torch.int32), None, weights)


def objectives(largest):
    sizes = torch.arange(largest + 1)
    table = torch.randint(-(1 << 40), 1 << 40, (largest + 1,), generator=torch.Generator().manual_seed(7))
    table[0] = 0
    for worth, bonus in ((-(sizes**2), 0), (table, 1 << 30)):
        for largest_only in (False, True):
            yield Objective(worth, bonus, largest_only)
    yield Objective(sizes * 3, bonus=2, heaviest=True)


# Codes of 8, 16, 32 and 64 bits, the last two of wider range than there is a table for.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("length", "count"),
    [(3, 60), (5, 300), *(pytest.param(*case, marks=pytest.mark.slow) for case in ((9, 200), (16, 90)))],
)
def test_the_kernel_ranks_as_plain_torch(random_words, length, count):
    words = random_words(length, count, length, "abcdefgh")
    table = table_of(words)
    targets = table.targets
    front = frontier([targets, targets[:1], targets[1:3], targets[::3]])
    pools = [table.pool, None, frontier([table.pool[:5], table.pool[2:9], table.pool[:1], table.pool])]
    for objective in objectives(int(table.weights[targets].sum()) + MOST):
        for pool in pools:
            for width in (1, 4):
                plain, fast = (
                    rank(table, front, pool, objective, width, backend=backend)
                    for backend in (reference, cpu)
                )
                assert torch.equal(plain.guesses, fast.guesses)
                assert torch.equal(plain.ranks, fast.ranks)


def test_all_weights_one_rank_as_none(random_words):
    words = random_words(2, 200, 5, "abcdefgh")
    plain = encode(words)
    ones = plain.with_sets(weights=torch.ones(len(words), dtype=torch.int32))
    for objective in objectives(len(words)):
        ranks = [rank(table, whole(table), table.pool, objective, 9) for table in (plain, ones)]
        assert torch.equal(ranks[0].guesses, ranks[1].guesses)
        assert torch.equal(ranks[0].ranks, ranks[1].ranks)


def test_a_class_is_worth_what_its_words_weigh_and_a_candidate_its_bonus_as_often():
    table = encode(["able", "cats", "rats", "bats"])
    table = table.with_sets(weights=torch.tensor([1, 2, 4, 8], dtype=torch.int32))
    squares = Objective(-(torch.arange(16) ** 2), bonus=100)
    # able: itself 1, cats and rats together 6, bats 8; cats: itself 2, able 1, rats and bats together 12.
    ranks = rank(table, whole(table), table.pool, squares, 4)
    assert ranks.guesses.tolist() == [[3, 2, 1, 0]]
    bats, rats, cats, able = 64 + 1 + 36, 16 + 1 + 100, 4 + 1 + 144, 1 + 36 + 64
    assert ranks.ranks.tolist() == [[800 - bats, 400 - rats, 200 - cats, 100 - able]]
    heaviest = rank(table, whole(table), table.pool, Objective(torch.arange(16), heaviest=True), 4)
    assert heaviest.guesses.tolist() == [[0, 2, 3, 1]]
    assert heaviest.ranks.tolist() == [[1 + 4 + 8, 4 + 1 + 8, 8 + 1 + 4, 2 + 1 + 8]]


def test_a_set_that_weighs_nothing_is_worth_nothing():
    table = encode(["able", "bale", "cafe"]).with_sets(weights=torch.tensor([0, 0, 4], dtype=torch.int32))
    front = frontier([torch.tensor([0, 1])])
    for backend in (reference, cpu):
        for largest in (False, True):
            objective = Objective(torch.tensor([0, 5, 5, 5, 5]), 1, largest)
            assert rank(table, front, None, objective, backend=backend).ranks.tolist() == [[0]]


def test_a_table_that_ends_before_the_weights_is_refused():
    table = encode(["able", "bale", "cafe"]).with_sets(weights=torch.tensor([1, 2, 4], dtype=torch.int32))
    with pytest.raises(ValueError, match=r"^a set of 7 weight, the objective's table ends at 3$"):
        rank(table, whole(table), table.pool, Objective(-torch.arange(4)))
    with pytest.raises(ValueError, match=r"^a set of 4 weight, the objective's table ends at 3$"):
        rank(table, whole(table), table.pool, Objective(torch.arange(4), heaviest=True))
    with pytest.raises(ValueError, match="sums pass 62 bits"):
        rank(table, whole(table), table.pool, Objective(-torch.arange(8), bonus=1 << 60))
