"""Draws from a bag against those of single tiles; what bags hold and refuse is in calls.tsv."""

from collections import Counter
from itertools import combinations

from gpulingo.tiles.bag import made_bag

SMALL = made_bag("small", {"b": (1, -3), "?": (2, 4), "ж": (3, 0), "a": (2, 1)})


def test_the_ways_of_all_racks_are_the_draws():
    singles = [
        letter for letter, count in zip(SMALL.letters, SMALL.counts, strict=True) for _ in range(count)
    ]
    for tiles in range(1, SMALL.tiles + 1):
        draws = Counter("".join(rack) for rack in combinations(singles, tiles))
        assert {rack: SMALL.ways(rack) for rack in draws} == draws
        assert SMALL.draws(tiles) == draws.total()
    assert SMALL.ways("bb") == 0


def test_draws_are_seeded_sets_of_single_tiles_with_letters_ascending():
    racks = SMALL.drawn(3, 4000, 1)
    assert racks == SMALL.drawn(3, 4000, 1) != SMALL.drawn(3, 4000, 2)
    order = "abж?"
    assert all([*rack] == sorted(rack, key=order.index) and not SMALL.beyond(rack) for rack in racks)
    singles = [letter for letter in order for _ in range(SMALL.counts[SMALL.kinds[letter]])]
    assert {"".join(rack) for rack in combinations(singles, 3)} == set(racks)
    for rack, count in Counter(racks).items():
        expected = 4000 * SMALL.ways(rack) / SMALL.draws(3)
        assert abs(count - expected) < 5 * expected**0.5  # with a fixed seed
    assert SMALL.drawn(8, 1, 0) == ["aabжжж??"]
