"""Class sizes on the CPU: the sizes of sets and ranges of codes where kernels count in another way."""

import pytest
import torch

from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import encode

LETTERS = "abcdefghijklmnopqrstuvwxyz"
OTHERS = "åäöéèüñçøæ"  # ten letters that no word of LETTERS has


def check_ranks(table, front, pool, way):
    expected = rank(table, front, pool, way, pool.shape[0], backend=reference)
    ranked = rank(table, front, pool, way, pool.shape[0], backend=cpu)
    assert torch.equal(ranked.guesses, expected.guesses)
    assert torch.equal(ranked.ranks, expected.ranks)


@pytest.mark.parametrize("name", ["random", "random largest"])
@pytest.mark.parametrize("length", [3, 9, 13])
def test_sets_of_every_size_up_to_a_row(random_words, random_sets, objective, length, name):
    table = encode(random_words(length, 300, length))
    front = random_sets(length, 300, range(1, 36))
    check_ranks(table, front, torch.arange(0, 300, 3, dtype=torch.int32), objective(name, 35))


# Ranges of 27, 243 and 2,187: 2, 8 and 16 times the range or the set, and one below and above.
@pytest.mark.parametrize("name", ["entropy", "random", "random largest"])
@pytest.mark.parametrize(
    ("length", "sizes"),
    [(3, (53, 54, 55, 215, 216, 217)), (5, (485, 486, 487, 1943, 1944, 1945)), (7, (136, 137, 138, 1000))],
)
def test_ranges_that_fit_a_set_often_once_and_never(
    random_words, random_sets, objective, length, sizes, name
):
    table = encode(random_words(length, 2000, length, LETTERS))
    front = random_sets(length, 2000, sizes)
    check_ranks(table, front, torch.arange(0, 2000, 25, dtype=torch.int32), objective(name, max(sizes)))


@pytest.mark.parametrize("name", ["entropy", "random", "random largest"])
@pytest.mark.parametrize("length", [3, 5, 9, 13, 15])
def test_sets_of_all_widths_leave_nothing_behind_for_each_other(
    random_words, random_sets, objective, length, name
):
    table = encode(random_words(length, 700, length, LETTERS))
    front = random_sets(length, 700, (300, 40, 600, 33, 255, 256, 100, 20, 500, 60))  # one item of work
    check_ranks(table, front, torch.arange(0, 700, 9, dtype=torch.int32), objective(name, 600))


@pytest.mark.parametrize("name", ["random", "random largest"])
@pytest.mark.parametrize(
    "size", [255, 256, 257, *(pytest.param(size, marks=pytest.mark.slow) for size in (65535, 65536, 65537))]
)
def test_a_class_of_all_words_is_not_too_large_for_its_count(random_words, objective, size, name):
    table = encode([*random_words(10, size, 10, LETTERS), OTHERS])
    front = frontier([torch.arange(size, dtype=torch.int32)])
    check_ranks(table, front, torch.tensor([0, size // 2, size], dtype=torch.int32), objective(name, size))
