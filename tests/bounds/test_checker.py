"""Certificates that come with the project are proofs: each is checked anew."""

from pathlib import Path

import pytest

from gpulingo.bounds.certificate import read_certificate
from gpulingo.bounds.checker import prove
from gpulingo.tensors.wordtable import encode
from gpulingo.trees.checkpoint import read_checkpoint

FOLDER = Path(__file__).parent.parent.parent / "checkpoints"


@pytest.mark.slow
@pytest.mark.parametrize("length", [11, 12, 13])
def test_the_tree_of_the_pits_list_is_the_best_there_is(length, pit_words):
    wordlist = pit_words(length)
    name = f"lingo5-{length}-{wordlist.fingerprint[:12]}"
    certificate = read_certificate(FOLDER / f"{name}.bounds.npz", wordlist)
    assert list(prove(encode(wordlist.words), certificate))[-1] == len(wordlist)
    assert 100 * certificate.bound / len(wordlist) == read_checkpoint(FOLDER / f"{name}.npz").mean_points


@pytest.mark.parametrize("length", range(4, 14))
def test_a_header_has_the_bound_of_its_certificate(length, pit_words):
    wordlist = pit_words(length)
    name = f"lingo5-{length}-{wordlist.fingerprint[:12]}"
    certificate = read_certificate(FOLDER / f"{name}.bounds.npz", wordlist)
    tree = read_checkpoint(FOLDER / f"{name}.npz")
    assert tree.mean_points <= tree.bound == max(100 * certificate.bound / len(wordlist), tree.mean_points)
