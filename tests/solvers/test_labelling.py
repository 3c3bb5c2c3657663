"""Guesses left out for a set: a kept guess separates at least the same words."""

import random

import numpy as np
import pytest

from gpulingo.solvers.words.labelling import label_set
from gpulingo.tensors.cpu.compile import compiled
from gpulingo.tensors.cpu.lanes import TOGETHER, count_labels
from gpulingo.tensors.wordtable import encode


def drawn_words(count, length, seed, letters):
    draw = random.Random(seed)
    return sorted({"".join(draw.choices(letters, k=length)) for _ in range(count)})


def is_finer(labels, others):
    """Whether words with equal labels have equal others."""
    return len(set(zip(labels, others, strict=True))) == len(set(labels))


@pytest.mark.parametrize(("length", "letters"), [(3, "abcdefgh"), (5, "abcde")])
def test_a_guess_is_left_out_for_a_finer_one_only(length, letters):
    words = drawn_words(300, length, length, letters)
    draw = random.Random(length)
    # Words that share letters, so that guesses with these letters have fewer features that separate.
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


@compiled
def counted(scores, labels, mine, start, stop, first, wide):
    return count_labels(scores, labels, mine, start, stop, first, wide)


@pytest.mark.parametrize(("kind", "most"), [(np.uint8, 64), (np.uint8, 256), (np.uint16, 130)])
def test_each_guess_counts_the_labels_of_the_rows_it_is_asked_for(kind, most):
    draw = np.random.default_rng(most)
    labels = draw.integers(0, most, (300, 2 * TOGETHER)).astype(kind)
    mine, scores = draw.permutation(300), np.full(2 * TOGETHER, -1, np.int32)
    for start, stop in ((0, 0), (0, 1), (3, 8), (0, 300)):
        greatest = counted(scores, labels, mine, start, stop, TOGETHER, -(-most // 64))
        rows = labels[mine[start:stop], TOGETHER:]
        expected = [len(set(column)) for column in rows.T.tolist()]
        assert scores[TOGETHER:].tolist() == expected and greatest == max(expected)
    assert (scores[:TOGETHER] == -1).all()


def test_labels_beyond_the_words_asked_for_are_left_out():
    labels = np.arange(130, dtype=np.uint8)[:, None].repeat(TOGETHER, 1)
    scores = np.empty(TOGETHER, np.int32)
    counts = [counted(scores, labels, np.arange(130), 0, 130, 0, wide) for wide in (1, 2, 3)]
    assert counts == [64, 128, 130]
