"""Lists unlike those of a language: words that weigh nothing, very long ones, many lives."""

import random

import numpy as np
import pytest
import torch
from exhaustive import best_of

from gpulingo.bounds.arrays import CertificateError
from gpulingo.bounds.host_proof import HostProof, check_host
from gpulingo.games.catalogue import hangman
from gpulingo.positions.adversary import least_misses
from gpulingo.positions.most_found import MostFound
from gpulingo.solvers.adversary_misses import adversary_misses
from gpulingo.solvers.letters import letter_search
from gpulingo.tensors.wordtable import encode
from gpulingo.words.wordlist import WordList

LISTS = [
    (["ac", "ad", "cb", "cd", "dd", "ed"], [0, 0, 2, 0, 2, 0]),
    (["ab", "ac", "bd"], [0, 0, 1]),
    (["ab", "ac", "ad", "db", "ea", "ee"], [0, 2, 0, 2, 2, 0]),
    (["ab", "ae", "bb", "bc", "ca", "da", "eb"], [0, 0, 1, 1, 0, 0, 2]),
]
for seed in range(6):
    draw = random.Random(seed)
    some = sorted({"".join(draw.choices("abcde", k=3)) for _ in range(9)})
    LISTS.append((some, [draw.choice([0, 0, 1, 3]) for _ in some[1:]] + [1]))


@pytest.mark.parametrize(("words", "weights"), LISTS)
def test_words_may_weigh_nothing(words, weights):
    table = encode(words).with_sets(weights=torch.tensor(weights, dtype=torch.int32))
    for lives in (1, 2, 3):
        wanted = best_of(words, hangman(lives), weights=weights)
        search = MostFound(table, hangman(lives), memory=1 << 16)
        search.run()
        assert (search.value, search.bound, search.tree().value) == (wanted, wanted, wanted)


@pytest.mark.parametrize("length", [33, 39])
def test_long_words_are_searched(length):
    words = [start + "c" * (length - 2) for start in ("ab", "ba")]
    table = encode(words)
    assert least_misses(adversary_misses(table, 1 << 20), table.targets.numpy()).upper == 0


def test_words_that_are_too_long_are_refused():
    words = [start + "c" * 63 for start in ("ab", "ba")]
    for search in (
        lambda: letter_search(encode(words), [0, 1], 1 << 16),
        lambda: adversary_misses(encode(words)),
    ):
        with pytest.raises(ValueError, match="39"):
            search()
    array = np.array([0, 1], np.int32)
    forged = HostProof("0" * 64, 65, array, np.array([0, 2]), np.array([1]), np.full((1, 3), -1))
    with pytest.raises(CertificateError, match="words of 65 letters, expected at most 39"):
        check_host(forged, WordList("a list", words))


def test_playouts_of_other_widths_and_more_lives_are_others():
    draw = random.Random(1)
    words = sorted({"".join(draw.choices("abcdefgh", k=4)) for _ in range(40)})
    table = encode(words)
    search = letter_search(table, [0, 1, 1], 1 << 20)
    search.rollout(table.targets, 2, 2, 1)
    fresh = letter_search(table, [0, 1, 1], 1 << 20)
    assert search.rollout(table.targets, 2, 2, 6) == fresh.rollout(table.targets, 2, 2, 6)
    many = letter_search(table, list(range(258)), 1 << 20)
    many.rollout(table.targets, 1, 1, 1)
    assert many.value(table.targets, 257, 26) > 257 * len(words) // 2


def test_a_host_with_words_that_are_no_targets_is_refused():
    wordlist = WordList("a list", ["xab", "xba", "cxc"])
    answers, words = np.full((1, 4), -1), np.array([0, 1, 2], np.int32)
    some = wordlist.with_targets(["xab", "xba"])
    others = HostProof("0" * 64, 3, words, np.array([0, 3]), np.array([1]), answers)
    with pytest.raises(CertificateError, match="no targets"):
        check_host(others, some)
