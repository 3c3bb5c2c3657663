"""Guesses that are left out for a set: another one that is kept tells apart whatever they do."""

import random

import numpy as np
import pytest

from gpulingo.tensors.cpu.dominance import needless
from gpulingo.tensors.cpu.labelling import label_set
from gpulingo.tensors.wordtable import encode


def drawn_words(count, length, seed, letters):
    draw = random.Random(seed)
    return sorted({"".join(draw.choices(letters, k=length)) for _ in range(count)})


def is_finer(labels, others):
    """Whether words of one label have one of the others."""
    return len(set(zip(labels, others, strict=True))) == len(set(labels))


@pytest.mark.parametrize(("length", "letters"), [(3, "abcdefgh"), (5, "abcdefghijkl"), (9, "abcd")])
def test_a_guess_is_left_out_for_a_finer_one_only(length, letters):
    words = drawn_words(300, length, length, letters)
    draw = random.Random(length)
    # Words that share letters, so that guesses with these have fewer that tell.
    first = draw.choice(letters)
    alike = [index for index, word in enumerate(words) if first not in word]
    members = np.array(sorted(draw.sample(alike, 8)), np.int32)
    others = np.setdiff1d(np.arange(len(words)), members).astype(np.int32)
    every, finest = (label_set(encode(words), members, others, finest) for finest in (False, True))
    kept = dict(zip(finest.guesses.tolist(), finest.by_guess.tolist(), strict=True))
    assert len(finest.guesses) < len(every.guesses)
    assert list(kept)[: len(members)] == members.tolist()
    for guess, labels in zip(every.guesses.tolist(), every.by_guess.tolist(), strict=True):
        assert kept[guess] == labels if guess in kept else any(is_finer(own, labels) for own in kept.values())


def test_letters_alone_make_no_guess_needless():
    words = drawn_words(300, 5, 5, "abcdefghijkl")
    letters = encode(words).letters.numpy()
    alike = [index for index, word in enumerate(words) if not set(word) & set("abc")]
    members, guesses = np.array(alike[:12], np.int32), np.arange(len(words), dtype=np.int32)
    order = np.concatenate([members, np.setdiff1d(guesses, members)]).astype(np.int32)
    labels = np.random.default_rng(5).integers(0, 3, (len(words), len(members))).astype(np.uint8)
    assert not needless(letters, members, order, labels).any()
    labels[:] = 0  # all alike: each has finer ones
    assert needless(letters, members, order, labels)[len(members) :].any()
