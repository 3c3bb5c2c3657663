"""Whether all words of a set can be found: as every guess says, with nogoods that are kept or forgotten."""

import random
from itertools import combinations

import exhaustive
import numpy as np
import pytest
import torch

from gpulingo.solvers.all_found import AllFound
from gpulingo.solvers.depth_first import LOST
from gpulingo.solvers.payoffs import FOUND
from gpulingo.solvers.transpositions import new_rows
from gpulingo.solvers.value import value_search
from gpulingo.tensors.wordtable import encode

MEMORY = 1 << 20


def families(seed, most=8):
    """Words that differ by a letter in one place, which a guess can tell few of; some guesses besides."""
    draw = random.Random(seed)
    endings = ["".join(draw.choices("xyz", k=2)) for _ in range(draw.randint(1, 3))]
    words = {letter + ending for ending in endings for letter in draw.sample("abcdefgh", draw.randint(3, 7))}
    targets = sorted(draw.sample(sorted(words), min(most, len(words))))
    words |= {"".join(draw.choices("abcdefghxyz", k=3)) for _ in range(draw.randint(0, 4))}
    words = sorted(words)
    ids = torch.tensor([words.index(word) for word in targets], dtype=torch.int32)
    weights = torch.tensor([draw.randint(1, 4) for _ in words], dtype=torch.int32) if seed % 3 == 0 else None
    return encode(words).with_sets(targets=ids, weights=weights), draw


@pytest.mark.parametrize("seed", range(5))
def test_openings_find_all_words_where_their_classes_do(seed):
    table, _ = families(seed)
    plain = exhaustive.Plain(table, "any", 1, 0)
    search = value_search(table, FOUND, MEMORY)
    whole = len(table.targets) if table.weights is None else int(table.weights[table.targets.long()].sum())
    for left in (2, 3, 4):
        for opening in table.pool.tolist():
            expected = plain.after(opening, left)
            opened = search.after(opening, left, whole - 1)
            assert opened.complete and opened.value >= expected
            assert (opened.value == whole) == (expected == whole)


def test_what_is_known_of_all_words_says_nothing_of_most_of_them():
    table, _ = families(1)
    search = value_search(table, FOUND, MEMORY)
    for left in (3, 2):
        search.value(table.targets, left, len(table.targets) - 1)
        expected = exhaustive.Plain(table, "any", 1, 0).value(table.targets, left)
        assert search.value(table.targets, left).value == expected


def test_a_core_is_the_words_that_no_guess_tells_apart():
    words = sorted({*(letter + "x" for letter in "abcdefgh"), "bc", "de", "ab"})
    targets = torch.tensor([i for i, word in enumerate(words) if word[1] == "x"], dtype=torch.int32)
    table = encode(words).with_sets(targets=targets)
    asked = AllFound(table, new_rows(MEMORY), MEMORY)
    count = np.array([0, 1 << 62])
    assert asked.guess(table.targets.numpy(), 2, count) == (LOST, -1)
    kept = asked._nogoods
    nogood = [t for t in range(len(targets)) if kept.words[0, t >> 6] >> np.uint64(t & 63) & np.uint64(1)]
    assert int(kept.size[0]) == 1
    plain = exhaustive.Plain(table, "any", 1, 0)
    assert plain.value(targets[nogood], 2) < len(nogood)
    for fewer in combinations(nogood, len(nogood) - 1):
        assert plain.value(targets[list(fewer)], 2) == len(fewer)
