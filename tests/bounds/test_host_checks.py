"""The fewest letters that hit every set, by trying all; the proofs of hosts are rows of calls.tsv."""

import random
from itertools import combinations

import pytest

from gpulingo.bounds.host_proof import covered, least_cover


@pytest.mark.parametrize("seed", range(3))
def test_the_least_cover_is_that_of_trying_all(seed: int) -> None:
    rng = random.Random(seed)
    sets = [rng.randrange(1, 64) for _ in range(rng.randint(1, 12))]
    sizes = range(7)
    best = next(
        size
        for size in sizes
        for letters in combinations(range(6), size)
        if all(any(bits >> letter & 1 for letter in letters) for bits in sets)
    )
    assert least_cover(sets, limit=10_000) == best
    assert [covered(sets, size, limit=10_000) for size in sizes] == [size >= best for size in sizes]
