"""A host's strategy in hangman: what it proves, and invalid ones."""

import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from gpulingo.bounds.arrays import CertificateError
from gpulingo.bounds.host_proof import (
    HostProof,
    check_host,
    covered,
    least_cover,
    read_host_proof,
    write_host_proof,
)
from gpulingo.words.listing import parse

FOUR = parse("bat\ncat\nhat\nrat").of_length(3)


def proof_of(words, kept: list[list[str]], misses: list[int], answers: list[dict[str, int]]) -> HostProof:
    """A proof whose nodes are given as text."""
    letters = sorted(set("".join(words.words)))
    rows = np.full((len(kept), len(letters)), -1, np.int32)
    for row, answer in zip(rows, answers, strict=True):
        for letter, node in answer.items():
            row[letters.index(letter)] = node
    numbers = [sorted(words.words.index(word) for word in node) for node in kept]
    flat = np.array([number for node in numbers for number in node], np.int32)
    starts = np.cumsum([0, *map(len, numbers)])
    return HostProof(words.fingerprint, len(words.words[0]), flat, starts, np.array(misses), rows)


def strangers() -> HostProof:
    return proof_of(FOUR, [["bat", "cat", "hat", "rat"]], [3], [{}])


def test_words_that_share_no_letter_that_parts_them_force_a_miss_each_but_one() -> None:
    assert check_host(strangers(), FOUR) == 3


@pytest.mark.parametrize("misses", [1, 2])
def test_a_single_word_forces_nothing(misses: int) -> None:
    assert check_host(proof_of(FOUR, [["bat"]], [0], [{}]), FOUR) == 0
    with pytest.raises(CertificateError, match="forces nothing"):
        check_host(proof_of(FOUR, [["bat"]], [misses], [{}]), FOUR)


def test_a_miss_more_than_there_are_words_for_is_refused() -> None:
    with pytest.raises(CertificateError, match="node 0 of the host's strategy"):
        check_host(replace(strangers(), misses=np.array([4])), FOUR)


def test_words_that_few_letters_cannot_hit_force_misses() -> None:
    words = parse("\n".join(x + y for x in "abcd" for y in "abcd" if x < y)).of_length(2)
    proof = proof_of(words, [list(words.words)], [2], [{}])
    assert check_host(proof, words) == 2  # three letters hit every pair of four
    with pytest.raises(CertificateError, match="is not answered"):
        check_host(replace(proof, misses=np.array([3])), words)


def test_answers_that_keep_other_words_or_too_few_misses_are_refused() -> None:
    words = parse("\n".join(["abx", "bcx", "cdx", "dax", "acx", "bdx"])).of_length(3)
    kept = [
        list(words.words),
        ["cdx", "bcx", "bdx"],
        ["cdx", "dax", "acx"],
        ["abx", "dax", "bdx"],
        ["abx", "bcx", "acx"],
    ]
    answers = [{"a": 1, "b": 2, "c": 3, "d": 4}, {}, {}, {}, {}]
    proof = proof_of(words, kept, [2, 1, 1, 1, 1], answers)
    with pytest.raises(CertificateError):  # three words of three letters: one letter leaves one word
        check_host(replace(proof, misses=np.array([3, 2, 2, 2, 2])), words)
    low = replace(proof, misses=np.array([3, 1, 1, 1, 1]))
    with pytest.raises(CertificateError, match="letter 'a', keeps too few misses"):
        check_host(low, words)
    wrong = low.answers.copy()
    wrong[0, 0] = 2
    with pytest.raises(CertificateError, match="letter 'a', keeps words of two classes"):
        check_host(replace(low, answers=wrong), words)
    wrong = low.answers.copy()
    wrong[0, 0] = -1
    with pytest.raises(CertificateError, match="letter 'a', is not answered"):
        check_host(replace(low, answers=wrong), words)


def test_words_that_a_node_has_not_are_refused() -> None:
    words = parse("\n".join(["abx", "acx", "bcx", "bdx", "ecx", "cdx", "aex", "dex"])).of_length(3)
    kept = [["abx", "acx", "bcx"], ["bdx", "ecx"], ["cdx", "aex"], ["abx", "dex"]]
    proof = proof_of(words, kept, [2, 1, 1, 1], [{"a": 1, "b": 2, "c": 3}, {}, {}, {}])
    with pytest.raises(CertificateError, match="keeps words that it has not"):
        check_host(proof, words)


def test_a_proof_is_read_as_it_was_written(tmp_path) -> None:
    path = tmp_path / "bat.host.npz"
    write_host_proof(path, strangers())
    again = read_host_proof(path, FOUR)
    assert check_host(again, FOUR) == again.forced == 3 and len(again) == 1


@pytest.mark.parametrize("place", range(2))
def test_a_proof_with_a_word_out_of_place_is_refused(place: int) -> None:
    words = strangers().words.copy()
    words[place] = 99 if place % 2 else -1
    with pytest.raises(CertificateError, match="names words beyond 4"):
        check_host(replace(strangers(), words=words), FOUR)


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
