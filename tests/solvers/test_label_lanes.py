"""Labels of 64 guesses counted by vector instructions: what a plain count says."""

import numpy as np
import pytest

from gpulingo.solvers.label_lanes import TOGETHER, count_labels
from gpulingo.tensors.cpu.compile import compiled


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
