"""Totals over all draws, against every draw of single tiles, as fractions."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import sqrt

import pytest

from gpulingo.tiles.bag import find_bag
from gpulingo.tiles.rack_table import rack_table
from gpulingo.tiles.summary import MOST_RANGES, Draws, draw_summary


def single_tiles(bag):
    """The letter of each single tile."""
    return [letter for letter, count in zip(bag.letters, bag.counts, strict=True) for _ in range(count)]


def mean(points):
    return Fraction(sum(points), len(points))


@pytest.mark.parametrize("blanks", [False, True], ids=["letters", "blanks"])
@pytest.mark.parametrize("seed", range(6))
def test_all_draws_come_to_what_every_draw_of_single_tiles_does(seed, blanks, random_game, best_on):
    bag, words = random_game(seed, blanks=blanks)
    for tiles in range(1, min(5, bag.tiles) + 1):
        draws = [
            (rack, best_on("".join(rack), words, bag).points)
            for rack in combinations(single_tiles(bag), tiles)
        ]
        points = [worth or 0 for _, worth in draws]
        done = draw_summary(rack_table(words, bag, tiles, device="cpu"))
        assert (done.tiles, done.draws.total) == (tiles, len(draws))
        assert done.racks == len({rack for rack, _ in draws})
        assert done.draws.expected == mean(points)
        variance = mean([worth**2 for worth in points]) - mean(points) ** 2
        assert done.draws.deviation == sqrt(variance)
        assert done.draws.without == sum(worth is None for _, worth in draws)
        assert done.draws.share_without == Fraction(done.draws.without, len(draws))
        by_points = Counter(worth for _, worth in draws if worth is not None)
        assert list(done.draws.by_points.items()) == sorted(by_points.items())
        assert sorted(tile.letter for tile in done.held) == sorted(bag.letters)
        keys = [(tile.gain is None, -(tile.gain or 0), tile.letter) for tile in done.held]
        assert keys == sorted(keys)
        for tile in done.held:
            given = [worth or 0 for rack, worth in draws if tile.letter in rack]
            less = [worth or 0 for rack, worth in draws if tile.letter not in rack]
            assert tile.share == Fraction(len(given), len(draws))
            assert tile.given == mean(given) and tile.less == (mean(less) if less else None)
            assert tile.gain == (mean(given) - mean(less) if less else None)


@pytest.mark.parametrize("seed", range(7))
def test_draws_are_told_by_ranges_of_points_that_are_few_and_hold_each_draw_once(seed):
    draw = random.Random(seed)
    size = draw.choice([0, 1, 59, 60, 61, 62, 500])
    points = sorted(draw.sample(range(-draw.choice([500, 9999]), 900), size))
    by_points = {worth: draw.randint(1, 9) for worth in points}
    told = Draws(by_points, 7).spread()
    assert next(iter(told.items())) == ("none", 7)
    parts = [name.replace(",", "").split(" to ") for name in told][1:]
    spread = [(int(own[0]), int(own[-1]), n) for own, n in zip(parts, [*told.values()][1:], strict=True)]
    assert len(spread) == size if size <= MOST_RANGES else len(spread) <= MOST_RANGES
    for first, last, draws in spread:
        assert draws == sum(count for worth, count in by_points.items() if first <= worth <= last) > 0
    ends = [end for first, last, _ in spread for end in (first, last + 1)]
    assert ends == sorted(ends) and ends[:1] == points[:1]
    assert sum(draws for *_, draws in spread) == sum(by_points.values())
    widths = {last - first for first, last, _ in spread[:-1]}
    assert len(widths) <= 1 and ends[-1:] == [worth + 1 for worth in points[-1:]]


def expected_by_dictionaries(words, bag, tiles):
    """Mean points of draws without blanks: every subset of every rack is looked up by its sorted letters."""
    worth = {
        "".join(sorted(word)): sum(map(bag.value, word)) for word in words if set(word) <= {*bag.letters}
    }
    total = 0
    for rack in combinations_with_replacement(sorted(bag.letters), tiles):
        if not bag.beyond(rack):
            parts = ("".join(part) for size in range(1, tiles + 1) for part in combinations(rack, size))
            total += bag.ways(rack) * max((worth[part] for part in parts if part in worth), default=0)
    return Fraction(total, bag.draws(tiles))


@pytest.mark.slow
def test_the_expectation_of_four_tiles_of_the_challenge_is_that_of_a_plain_pass(embedded_words):
    done = draw_summary(rack_table(embedded_words, "challenge", 4, device="cpu"))
    plain = expected_by_dictionaries(embedded_words, find_bag("challenge"), 4)
    assert done.draws.expected == plain == Fraction(41_393_974, 5_563_251)
    assert (done.racks, done.draws.total) == (23_664, 5_563_251)


def test_the_draws_of_seven_tiles_over_the_embedded_list_are_as_they_were(bag, whole_table):
    done = draw_summary(whole_table)
    assert (done.racks, done.draws.total, done.draws.expected, done.draws.without) == {
        "challenge": (3_263_963, 29_796_772_356, Fraction(407_228_413_651, 29_796_772_356), 442_774_285),
        "scrabble": (3_199_724, 16_007_560_800, Fraction(13_562_674_729, 1_333_963_400), 45_472_455),
    }[bag.name]
