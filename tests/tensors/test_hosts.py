"""What a host keeps who keeps the largest class: the plain rule, one pair of words at a time."""

import random

import pytest
import torch

from gpulingo.games.marks import feedback, pattern
from gpulingo.tensors.hosts import kept_members
from gpulingo.tensors.wordtable import encode


def ids(*members):
    return torch.tensor(members, dtype=torch.int32)


def kept(words, guess, members=None):
    """The words that are left of some of them, all unless given."""
    table = encode(words)
    left = kept_members(table, table.targets if members is None else ids(*members), words.index(guess))
    return [words[place] for place in left.tolist()]


@pytest.mark.parametrize(
    ("words", "guess", "left"),
    [
        ("abc xyz xyw", "abc", "xyz xyw"),  # the larger of two
        ("abx acc zzz", "abx", "zzz"),  # of equal ones that of no placed letters
        ("abx xcc axz", "abx", "xcc"),  # misplaced before placed
        ("abx cca ccb", "abx", "ccb"),  # of one misplaced each the smaller pattern: X?X before ?XX
        ("abx xyz", "abx", "xyz"),  # its own class last of all
        ("abx xab", "abx", "xab"),  # even where the other is all misplaced
        ("abx", "abx", "abx"),  # but where it is the only one
    ],
)
def test_the_largest_class_is_kept_and_of_equal_ones_that_of_fewest_marks(words, guess, left):
    assert kept(words.split(), guess) == left.split()


def test_a_guess_that_tells_nothing_leaves_all():
    assert kept(["abc", "xyz", "zyx"], "abc", [1, 2]) == ["xyz", "zyx"]


@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_first_by_size_placed_misplaced_and_pattern(seed):
    draw = random.Random(seed)
    length = draw.choice([1, 3, 5, 9])
    words = sorted({"".join(draw.choices("abcde", k=length)) for _ in range(60)})
    for guess in words:
        classes = {}
        for word in words:
            classes.setdefault(feedback(guess, word), []).append(word)
        order = sorted(
            classes, key=lambda text: (-len(classes[text]), text.count("O"), text.count("?"), pattern(text))
        )
        assert kept(words, guess) == classes[order[0]]
