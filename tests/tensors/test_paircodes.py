"""Pair codes separate exactly what patterns separate."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from gpulingo.tensors.operations import patterns
from gpulingo.tensors.paircodes import folded, letter_coefficients, pair_codes
from gpulingo.tensors.wordtable import encode, target_features


@pytest.mark.parametrize(("copies", "expected"), [(1, 3), (3, 21), (5, 135)])
def test_every_combination_of_one_letter_has_its_own_sum(copies, expected):
    contained, placed, size = letter_coefficients(copies)
    sums = [
        sum(contained[:count]) + sum(placed[i] for i in places)
        for count in range(copies + 1)  # copies in the target, of which at most all are placed
        for some in range(count + 1)
        for places in combinations(range(copies), some)
    ]
    assert size == expected
    assert len(set(sums)) == len(sums)
    assert (min(sums), max(sums)) == (0, size - 1)


def copied(copies):
    """Words of 13 letters: 30 with that many copies of a letter in various places, 10 with a few less."""
    generator = np.random.default_rng(copies)
    rows = []
    for i in range(40):
        held = copies - max(0, i - 37)
        rows.append("".join(generator.permutation([*"e" * held, *"abcdfghijklmn"[: 13 - held]])))
    return list(dict.fromkeys(rows))


def codes(program, features, guess):
    """[T] uint64: the pair codes of one guess, straight from the definition; `features` are [T, F] bool."""
    out = np.zeros(len(features), np.uint64)
    for p in range(program.starts[guess], program.starts[guess + 1]):
        inner = features[:, program.features[p]].astype(np.uint64) @ program.coefficients[p].astype(np.uint64)
        out += program.radix[p] * inner
    return folded(out, program.period)


LISTS = [1, 39, "6 copies"]


@pytest.fixture(params=LISTS)
def table(request, random_words):
    """About 40 words of a length, some with a letter repeated often."""
    if isinstance(request.param, str):
        return encode(copied(int(request.param.split()[0])))
    return encode(random_words(request.param, 40, request.param))


def test_codes_tell_apart_what_patterns_tell_apart(table):
    program = pair_codes(table)
    features = target_features(table.letters, program.alphabet, program.copies).numpy()
    matrix = patterns(table.letters, table.letters).numpy()
    for guess in range(table.words):
        coded = codes(program, features, guess)
        pairs = set(zip(coded.tolist(), matrix[guess].tolist(), strict=True))
        assert len(pairs) == len(set(coded.tolist())) == len(set(matrix[guess].tolist()))


def test_codes_stay_below_their_range_and_groups_in_a_byte(table):
    program = pair_codes(table)
    features = target_features(table.letters, program.alphabet, program.copies).numpy()
    assert features.shape == (table.words, program.total) and not features[:, -1].any()
    for guess in range(table.words):
        assert codes(program, features, guess).max() < program.ranges[guess]
        # A guess against itself has every feature that it uses.
        assert codes(program, features[guess : guess + 1], guess)[0] == program.ranges[guess] - 1
    assert program.ranges.max() <= np.iinfo(program.dtype).max
    assert program.coefficients.astype(np.int64).sum(1).max() <= 255
    most = [max(Counter(word).values()) for word in table.letters.tolist()]
    for size, copies in zip(program.ranges.tolist(), most, strict=True):
        assert size <= 3**table.length or copies > 5
