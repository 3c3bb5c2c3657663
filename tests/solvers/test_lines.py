"""`LineSearch`: tables that forget, and more than 256 classes."""

import random

import pytest
import torch

from gpulingo.games import marks
from gpulingo.hosts.host import classes_of, largest
from gpulingo.solvers.hosts.lines import LineSearch
from gpulingo.tensors.wordtable import encode

MEMORY = 1 << 20


def drawn(seed, length, count, letters="abcdefgh"):
    """A table of random words, about two thirds of them targets."""
    draw = random.Random(seed)
    words = sorted({"".join(draw.choices(letters, k=length)) for _ in range(count)})
    targets = sorted(draw.sample(range(len(words)), 2 * len(words) // 3))
    return encode(words).with_sets(targets=torch.tensor(targets, dtype=torch.int32))


def kept_members(table, members, guess):
    """The class that the host keeps, by the plain rule."""
    words = ["".join(table.alphabet[letter] for letter in row) for row in table.letters.tolist()]
    classes = classes_of(marks, words[guess], [words[place] for place in members.tolist()])
    return torch.tensor([words.index(word) for word in classes[largest(classes)]], dtype=torch.int32)


def test_what_a_table_too_small_forgets_is_counted_again():
    table = drawn(5, 5, 300)
    small = LineSearch(table, table.pool.shape[0] * table.targets.shape[0])
    large = LineSearch(table, MEMORY)
    answers = [large.shortest(table.targets, 3) for _ in range(2)]
    assert answers[0] == answers[1] == small.shortest(table.targets, 3)
    assert answers[0].guesses == 3


@pytest.mark.slow
def test_more_than_256_classes_are_told_apart():
    table = drawn(1, 7, 1500, "abcdefghij")
    search = LineSearch(table, 1 << 24)
    kept = search.kept(table.targets)
    for place in (0, 77, 401):
        members = kept_members(table, table.targets, int(table.pool[place]))
        assert members.shape[0] == kept.sizes[place]
    assert max(search._host.labels[0]) > 0 and search._host.labels.dtype.itemsize == 2
