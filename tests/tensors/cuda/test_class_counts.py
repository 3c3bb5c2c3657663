"""`class_counts` and `most_classes` on CUDA equal the reference: on a device or under the interpreter."""

from importlib.util import find_spec

import pytest
import torch
from sampled import quick

from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.frontier import Frontier, frontier
from gpulingo.tensors.operations import class_counts, most_classes
from gpulingo.tensors.wordtable import encode

if find_spec("triton") is None:
    pytest.skip("Triton is not installed: the CUDA kernels cannot run", allow_module_level=True)
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
from gpulingo.tensors.cuda import backend as cuda  # noqa: E402
from gpulingo.tensors.cuda import class_counts as cuda_counts  # noqa: E402
from gpulingo.tensors.cuda import launch as cuda_launch  # noqa: E402
from gpulingo.tensors.cuda.launch import Memory  # noqa: E402

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def counted(table, members, progress=None):
    """What the CUDA backend counts, back on the CPU."""
    return class_counts(table.to(DEVICE), members.to(DEVICE), progress, backend=cuda).cpu()


@pytest.mark.parametrize("size", [2, 33])
def test_every_word_makes_so_many_classes(random_words, size):
    table = encode(random_words(4, 300, 4, LETTERS))
    table = table.with_sets(table.targets[:280], table.targets[:290])
    members, told = table.targets[280 - size :], []
    counts = counted(table, members, told.append)
    assert counts.dtype == torch.uint16
    assert counts.tolist() == class_counts(table, members, backend=reference).tolist()
    assert told == [290 * size]


def test_a_list_of_one_word_has_one_class():
    table = encode(["able"])
    assert counted(table, table.targets).tolist() == [1]
    alone = frontier([table.targets])
    row = torch.zeros(1, dtype=torch.int64)
    most, pairs = there(table, alone, torch.ones(1, 1).to(torch.uint16), [row])
    assert (most.tolist(), pairs.tolist()) == ([2], [0])


@pytest.mark.parametrize("ways", [{"TABLE_RATIO": 1000}, {"TABLE_RATIO": 0}], ids=["tables", "elections"])
def test_large_sets_are_counted_in_memory(monkeypatch, random_words, ways):
    for name, number in {"MOST_PLANES": 0, **ways}.items():
        monkeypatch.setattr(cuda_launch, name, number)
    table = encode(random_words(6, 33, 6))
    assert (
        counted(table, table.targets).tolist()
        == class_counts(table, table.targets, backend=reference).tolist()
    )


def test_counts_that_do_not_fit_are_halved_until_they_do(monkeypatch, random_words):
    table = encode(random_words(4, 36, 4, "abcd"))
    expected = class_counts(table, table.targets[:5], backend=reference).tolist()
    monkeypatch.setattr(cuda_counts, "memory_of", lambda device: Memory(device, 1 << 20, 150))
    told = []
    assert counted(table, table.targets[:5], told.append).tolist() == expected
    assert len(told) > 1 and sum(told) == 36 * 5


def drawn(count, size, draw):
    return torch.randperm(count, generator=draw)[:size].sort().values.to(torch.int32)


def asked_of(table, sizes, spare, wide=torch.uint16, backend=reference):
    """Sets, ceilings by sets that hold them, and for each set the rows of 0, 1, 2, 0, .. of these."""
    draw = torch.Generator().manual_seed(table.words)
    sets = [table.targets[drawn(table.targets.shape[0], size, draw).long()] for size in sizes]
    counts, rows = [], []
    for number, members in enumerate(sets):
        rows.append(torch.arange(len(counts), len(counts) + number % 3))
        for _ in range(number % 3):
            more = torch.cat([members, drawn(table.words, spare, draw)]).unique()
            counts.append(class_counts(table, more, backend=backend).to(torch.int64))
    return frontier(sets), torch.stack(counts).to(wide), rows


def there(table, sets, ceilings, rows, progress=None):
    """What the CUDA backend answers, back on the CPU; ceilings stay there, where `bounds` keeps them."""
    moved = Frontier(sets.members.to(DEVICE), sets.offsets.to(DEVICE))
    most, pairs = most_classes(table.to(DEVICE), moved, ceilings, rows, progress, backend=cuda)
    return most.cpu(), pairs.cpu()


def agree(table, sets, ceilings, rows):
    """Whether the most is that of the reference, and it took no more pairs than all; the pairs of both."""
    told = []
    most, pairs = there(table, sets, ceilings, rows, told.append)
    expected, full = reference.most_classes(table, sets)
    assert most.dtype == pairs.dtype == torch.int64
    assert most.tolist() == expected.tolist()
    assert bool((pairs <= full).all())
    return pairs, full


@pytest.mark.slow
@pytest.mark.parametrize("wide", quick([torch.uint16, torch.uint32], [torch.uint16]))
def test_ceilings_change_nothing_but_the_work(random_words, wide):
    table = encode(random_words(5, 40, 5))
    sets, ceilings, rows = asked_of(table, (1, 3, 2, 4, 9, 12), 0, wide)
    pairs, full = agree(table, sets, ceilings, rows)
    assert pairs[0] == pairs[2] == 0
    # A ceiling of the set itself is what its words make: only those of the highest one are tried.
    assert int(pairs[[4, 5]].sum()) * 4 < int(full[[4, 5]].sum())


@pytest.mark.slow
@pytest.mark.parametrize(("length", "spare"), [(4, 3), *([(2, 60), (20, 60)] if DEVICE == "cuda" else [])])
def test_loose_ceilings_are_tried_in_rounds(random_words, length, spare):
    table = encode(random_words(length, 90, length, LETTERS))
    agree(table, *asked_of(table, (3, 31, 33, 2, 32, 64), spare))


def test_words_beside_the_pool_are_not_tried(random_words):
    table = encode(random_words(3, 50, 4))
    table = table.with_sets(table.targets[20:40], table.targets[15:45])
    agree(table, *asked_of(table, (3, 9), 10))


def test_sets_are_taken_in_blocks_that_fit(monkeypatch, random_words):
    table = encode(random_words(5, 40, 5))
    asked = asked_of(table, (1, 3, 1, 1, 4), 0)
    monkeypatch.setattr(cuda_counts, "memory_of", lambda device: Memory(device, 1 << 20, 4 * 40))
    agree(table, *asked)
    monkeypatch.setattr(cuda_counts, "memory_of", lambda device: Memory(device, 1 << 20, 100))
    with pytest.raises(torch.cuda.OutOfMemoryError, match="expected at most 100"):
        there(table, *asked)


@pytest.mark.gpu
@pytest.mark.skipif(DEVICE == "cpu", reason="no CUDA device")
@pytest.mark.parametrize("length", [4, 5, 9, 13, 14, 20])
def test_on_a_device_lists_of_thousands_are_counted_as_on_the_cpu(random_words, length):
    table = encode(random_words(length, 5000, length, LETTERS))
    for size in (1, 2, 33, 257, 5000):
        members = drawn(5000, size, torch.Generator().manual_seed(size))
        assert torch.equal(counted(table, members), class_counts(table, members, backend=cpu))
    sets, ceilings, rows = asked_of(table, (3, 33, 257, 600, 2000, 4500), 100, backend=cpu)
    assert torch.equal(there(table, sets, ceilings, rows)[0], most_classes(table, sets, ceilings, rows)[0])
