import random
from itertools import combinations

import pytest

from gpulingo.bounds.host_proof import covered, least_cover


@pytest.mark.parametrize("seed", range(6))
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


def test_a_word_without_letters_is_never_hit() -> None:
    assert covered([0, 1], 3, limit=10) is False
    assert least_cover([0, 1], limit=10) is None


def test_the_limit_is_told_from_an_answer() -> None:
    assert covered([3, 5, 6], 1, limit=0) is None
