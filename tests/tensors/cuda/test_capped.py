"""`greatest_capped` on CUDA equals the reference: on a device, or under Triton's interpreter."""

from importlib.util import find_spec

import pytest
import torch
from sampled import quick

from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.frontier import Frontier, frontier
from gpulingo.tensors.operations import greatest_capped
from gpulingo.tensors.outcomes import CappedClasses

if find_spec("triton") is None:
    pytest.skip("Triton is not installed: the CUDA kernels cannot run", allow_module_level=True)
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
from gpulingo.tensors.cuda import backend as cuda  # noqa: E402
from gpulingo.tensors.cuda import capped as cuda_capped  # noqa: E402
from gpulingo.tensors.cuda.launch import Memory  # noqa: E402

ROWS = [(1, 1, torch.uint8), (7, 3, torch.uint8), (40, 300, torch.int16), (20, 33, torch.int32)]


def drawn(words, wide, dtype, sizes):
    """Classes and caps of both signs, sets of so many words, and a most of both signs for each."""
    draw = torch.Generator().manual_seed(words)
    classes = torch.randint(0, wide, (words, words), generator=draw).to(dtype)
    caps = torch.randint(-2, 9, (words, wide), generator=draw).to(torch.int32)
    sets = [torch.randperm(words, generator=draw)[:size].sort().values for size in sizes if size <= words]
    most = torch.tensor([100, 3, 1, -1, 6, 1 << 40])[: len(sets)]
    return CappedClasses(classes, caps), frontier(sets), most


def there(capped, sets, most, progress=None):
    """What the CUDA backend answers, back on the CPU."""
    moved = Frontier(sets.members.to(DEVICE), sets.offsets.to(DEVICE))
    asked = CappedClasses(capped.classes.to(DEVICE), capped.caps.to(DEVICE))
    return greatest_capped(asked, moved, most.to(DEVICE), progress, backend=cuda).cpu()


@pytest.mark.parametrize(
    ("words", "wide", "dtype", "bins"),
    quick([*((*row, 512) for row in ROWS), (*ROWS[1], 0)], [(*ROWS[1], 512), (*ROWS[1], 0)]),
)
def test_the_greatest_sum_is_that_of_the_reference(monkeypatch, words, wide, dtype, bins):
    monkeypatch.setattr(cuda_capped, "MOST_BINS", bins)
    asked = drawn(words, wide, dtype, (words, 1, 2, 31, 32, 33))
    expected, told = greatest_capped(*asked, backend=reference), []
    made = there(*asked, told.append)
    assert made.dtype == torch.int64
    assert made.tolist() == expected.tolist()
    assert sum(told) == words * asked[1].members.shape[0]


@pytest.mark.parametrize("bins", [512, 0], ids=["histogram", "counters"])
def test_sums_of_the_lowest_caps_do_not_overflow(monkeypatch, bins):
    monkeypatch.setattr(cuda_capped, "MOST_BINS", bins)
    caps = torch.tensor([[-(1 << 31)] * 3, [2, 2, (1 << 31) - 1], [0, -(1 << 31), 1]], dtype=torch.int32)
    classes = torch.tensor([[0, 1, 2]] * 3, dtype=torch.uint8)
    asked = CappedClasses(classes, caps), frontier([torch.arange(3)]), torch.tensor([1 << 33])
    assert there(*asked).tolist() == greatest_capped(*asked, backend=reference).tolist() == [7]


def test_no_sets_have_no_sums():
    capped, _, most = drawn(7, 3, torch.uint8, (7,))
    empty = Frontier(torch.empty(0, dtype=torch.int32), torch.zeros(1, dtype=torch.int64))
    assert there(capped, empty, most[:0]).shape == (0,)


def test_classes_are_read_however_they_lie_in_memory():
    capped, sets, most = drawn(7, 3, torch.uint8, (7, 2))
    turned = CappedClasses(capped.classes.T.contiguous().T, capped.caps.T.contiguous().T)
    assert there(turned, sets, most).tolist() == there(capped, sets, most).tolist()


def test_counters_that_do_not_fit_are_halved_until_they_do(monkeypatch):
    monkeypatch.setattr(cuda_capped, "MOST_BINS", 0)
    asked = drawn(7, 3, torch.uint8, (7, 2))
    monkeypatch.setattr(cuda_capped, "memory_of", lambda device: Memory(device, 1 << 20, 12))
    assert there(*asked).tolist() == greatest_capped(*asked, backend=reference).tolist()
    monkeypatch.setattr(cuda_capped, "memory_of", lambda device: Memory(device, 1 << 20, 11))
    with pytest.raises(torch.cuda.OutOfMemoryError, match="expected at most 11"):
        there(*asked)


@pytest.mark.gpu
@pytest.mark.skipif(DEVICE == "cpu", reason="no CUDA device")
@pytest.mark.parametrize(("wide", "dtype"), [(200, torch.uint8), (512, torch.int16), (3000, torch.int32)])
def test_on_a_device_thousands_of_words_are_summed_as_on_the_cpu(wide, dtype):
    asked = drawn(4000, wide, dtype, (4000, 1, 33, 257, 300, 20))
    assert there(*asked).tolist() == greatest_capped(*asked, backend=cpu).tolist()
