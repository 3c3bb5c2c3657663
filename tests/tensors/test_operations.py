"""`rank`: the rule by hand, devices that do not fit, the counts of the pit's list."""

from collections import Counter

import pytest
import torch

from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.frontier import Frontier, frontier
from gpulingo.tensors.objective import Objective
from gpulingo.tensors.operations import patterns, rank, split
from gpulingo.tensors.wordtable import encode

BACKENDS = pytest.mark.parametrize("backend", [reference, cpu], ids=["reference", "cpu"])
LOWEST = torch.iinfo(torch.int64).min


def ints(*numbers):
    return torch.tensor(numbers, dtype=torch.int32)


@BACKENDS
def test_ranks_and_ties_are_those_worked_out_by_hand(backend):
    # 0 able 1 bale 2 cart 3 zone 4 pale 5 gale; the set is bale, pale, gale, zone.
    table = encode("able bale cart zone pale gale".split())
    front = frontier([ints(1, 3, 4, 5)])
    # able: bale ??OO, pale and gale ?XOO, zone XXXO. bale, pale, gale: itself, the two others, zone.
    # cart: bale, pale and gale XOXX, zone XXXX. zone: itself, the three others.
    squares = Objective(-(torch.arange(5) ** 2))
    ranked = rank(table, front, torch.arange(6, dtype=torch.int32), squares, 7, backend=backend)
    assert ranked.guesses.tolist() == [[1, 4, 5, 0, 3, 2, -1]]
    assert ranked.ranks.tolist() == [[-6, -6, -6, -6, -10, -10, LOWEST]]
    largest = Objective(-torch.arange(5), largest=True)
    ranked = rank(table, front, torch.arange(6, dtype=torch.int32), largest, 7, backend=backend)
    assert ranked.guesses.tolist() == [[1, 4, 5, 0, 3, 2, -1]]
    assert ranked.ranks.tolist() == [[-2, -2, -2, -2, -3, -3, LOWEST]]
    parts = Objective(torch.tensor([0, 1, 1, 1, 1]), bonus=1)
    ranked = rank(table, front, None, parts, 2, backend=backend)
    assert (ranked.guesses.tolist(), ranked.ranks.tolist()) == ([[1, 4]], [[4, 4]])
    ranked = rank(table, front, ints(0, 2, 3), parts, 3, backend=backend)
    assert (ranked.guesses.tolist(), ranked.ranks.tolist()) == ([[3, 0, 2]], [[3, 3, 2]])
    assert (ranked.guesses.dtype, ranked.ranks.dtype) == (torch.int32, torch.int64)


@BACKENDS
def test_no_sets_have_no_guesses(objective, backend):
    none = Frontier(ints(), torch.zeros(1, dtype=torch.int64))
    ranked = rank(encode(["able", "bale"]), none, None, objective("parts", 2), 3, backend=backend)
    assert (ranked.guesses.shape, ranked.ranks.shape, ranked.pairs) == ((0, 3), (0, 3), 0)
    assert (ranked.guesses.dtype, ranked.ranks.dtype) == (torch.int32, torch.int64)


@BACKENDS
def test_progress_is_told_every_pair_once(random_words, random_sets, objective, backend):
    table = encode(random_words(6, 200, 6))
    front = random_sets(6, 200, (1, 5, 40, 150))
    told = []
    pool = torch.arange(200, dtype=torch.int32)
    # Neither of two guesses is so good that the others can be skipped.
    ranked = rank(table, front, pool, objective("random", 150), 2, backend=backend, progress=told.append)
    assert sum(told) == ranked.pairs == 200 * (1 + 5 + 40 + 150)


@BACKENDS
@pytest.mark.parametrize("length", [9])
def test_the_classes_of_the_pits_list_are_counted(pit_list, pit_words, objective, backend, length):
    wordlist = pit_words(length)
    table = encode(wordlist.words)
    front = frontier([torch.arange(table.words, dtype=torch.int32)])
    rows = [
        row.split("\t") for row in pit_list.with_name("classes.tsv").read_text(encoding="utf-8").splitlines()
    ]
    assert rows[0] == ["N", "guess", "words", "classes", "largest", "sum_of_squares"]
    mine = [row for row in rows[1:] if int(row[0]) == length]
    assert len(mine) == 2
    for _, guess, words, classes, largest, squares in mine:
        pool = ints(wordlist.index(guess))
        ranks = [
            int(rank(table, front, pool, objective(name, table.words), backend=backend).ranks)
            for name in ("parts", "largest_class", "expected_size")
        ]
        assert [table.words, *ranks] == [int(words), int(classes), -int(largest), -int(squares)]


@pytest.mark.parametrize(("length", "targets"), [(1, 30), (5, 2), (20, 30)])
def test_class_sizes_are_counted_by_ascending_code(random_words, length, targets):
    letters = encode(random_words(length, 30, length)).letters
    codes = patterns(letters, letters[:targets])
    sizes = reference.class_sizes(codes)
    assert (sizes.dtype, sizes.shape) == (torch.int64, codes.shape)
    for row, of_row in zip(codes.tolist(), sizes.tolist(), strict=True):
        counted = [size for _, size in sorted(Counter(row).items())]
        assert of_row == counted + [0] * (targets - len(counted))
        assert sum(of_row) == targets


@pytest.mark.parametrize("block", [1, 7])
def test_blocks_change_nothing(monkeypatch, random_words, random_sets, objective, block):
    table = encode(random_words(3, 80, 6))
    front = random_sets(3, 80, (1, 2, 33, 70))
    pool = torch.arange(0, 80, 3, dtype=torch.int32)
    ways = [objective(name, 80) for name in ("parts", "random", "random largest")]
    whole = [rank(table, front, pool, way, 4, backend=reference) for way in ways]
    places = torch.arange(80, dtype=torch.int32)
    pairs = reference.paired_patterns(table, places, places.flip(0))
    monkeypatch.setattr(reference, "BLOCK", block)
    for way, expected in zip(ways, whole, strict=True):
        ranked = rank(table, front, pool, way, 4, backend=reference)
        assert torch.equal(ranked.guesses, expected.guesses)
        assert torch.equal(ranked.ranks, expected.ranks)
    assert torch.equal(reference.paired_patterns(table, places, places.flip(0)), pairs)


class Elsewhere(torch.Tensor):
    """A tensor that claims to be on a GPU."""

    device = torch.device("cuda:0")


def test_tensors_on_two_devices_are_told():
    far, sets = ints(0, 1).as_subclass(Elsewhere), frontier([ints(0, 1, 2), ints(3, 4)])
    table, way = encode(["able", "bale", "cafe", "dare", "earl"]), Objective(torch.tensor([0, 1, 1, 1]))
    front = Frontier.unchecked(far, torch.tensor([0, 2]), 2)
    calls = {
        "pool": (rank, sets, far, way),
        "guesses": (split, sets, far),
        "frontier": (rank, front, None, way),
    }
    for name, (operation, *given) in calls.items():
        said = rf"^{name} lies on cuda:0, expected cpu: move it there with \.to$"
        with pytest.raises(ValueError, match=said):
            operation(table, *given)
