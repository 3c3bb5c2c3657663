"""The bound by letters that are shown without a guess: never below the value, equal where none is."""

import random

import pytest

from gpulingo.positions.most_found import revealed_bound
from gpulingo.solvers.letters import letter_search
from gpulingo.tensors.wordtable import encode


@pytest.mark.parametrize("seed", range(4))
def test_the_bound_is_the_value_or_above_it(seed):
    rng = random.Random(seed)
    table = encode(sorted({"".join(rng.choices("abcdefgh", k=4)) for _ in range(80)}))
    for lives in (1, 2, 3):
        payoff = [0] + [1] * lives
        value = letter_search(table, payoff, 1 << 20).value(table.targets, lives, width=8)
        assert value is not None
        bounds = [
            revealed_bound(letter_search(table, payoff, 1 << 20), table, lives, limit)
            for limit in (1, 200, 1 << 40)
        ]
        assert min(bounds) == bounds[-1] == value
        assert max(bounds) <= table.words
