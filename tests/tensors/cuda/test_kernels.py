"""CUDA kernels other than `rank` equal the reference: on a device, or in Triton's interpreter."""

import os
from contextlib import nullcontext
from importlib.util import find_spec
from types import SimpleNamespace

import pytest
import torch

from gpulingo.games.catalogue import find_game, hangman
from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.frontier import Frontier, frontier
from gpulingo.tensors.operations import class_counts, most_classes
from gpulingo.tensors.outcomes import CappedClasses
from gpulingo.tensors.wordtable import encode, table_of
from gpulingo.words.wordlist import WordList

if find_spec("triton") is None:
    pytest.skip("Triton is not installed: the CUDA kernels cannot run", allow_module_level=True)
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
from devices.fake import SmallMemory  # noqa: E402
from triton.runtime.errors import PTXASError  # noqa: E402

from gpulingo.tensors.cuda import backend as cuda  # noqa: E402
from gpulingo.tensors.cuda import launch as cuda_launch  # noqa: E402
from gpulingo.tensors.cuda import nvrtc  # noqa: E402
from gpulingo.tensors.cuda.launch import Launch, Out, in_blocks  # noqa: E402
from gpulingo.tensors.cuda.nvrtc import CompileError  # noqa: E402

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def counted(table, members, progress=None):
    """The class counts of the CUDA backend, on the CPU."""
    return class_counts(table.to(DEVICE), members.to(DEVICE), progress, backend=cuda).cpu()


def test_a_list_of_one_word_has_one_class():
    table = encode(["able"])
    assert counted(table, table.targets).tolist() == [1]
    assert most_there(table, frontier([table.targets])).tolist() == [2]


def drawn(count, size, draw):
    return torch.randperm(count, generator=draw)[:size].sort().values.to(torch.int32)


def most_there(table, sets):
    """The answer of the CUDA backend, on the CPU."""
    moved = Frontier(sets.members.to(DEVICE), sets.offsets.to(DEVICE))
    return cuda.most_classes(table.to(DEVICE), moved).cpu()


def test_words_beside_the_pool_are_not_tried(random_words):
    table = encode(random_words(3, 50, 4))
    table = table.with_sets(table.targets[20:40], table.targets[15:45])
    sets = frontier([table.targets[3:6], table.targets[:9], table.targets[7:9]])
    most = most_there(table, sets)
    assert most.dtype == torch.int64 and most.tolist() == reference.most_classes(table, sets).tolist()


@pytest.mark.gpu
@pytest.mark.skipif(DEVICE == "cpu", reason="no CUDA device")
@pytest.mark.parametrize("length", [4, 5, 9, 13, 14, 20])
def test_on_a_device_lists_of_thousands_are_counted_as_on_the_cpu(random_words, length):
    table = encode(random_words(length, 5000, length, LETTERS))
    for size in (1, 2, 33, 257, 5000):
        members = drawn(5000, size, torch.Generator().manual_seed(size))
        assert torch.equal(counted(table, members), class_counts(table, members, backend=cpu))
    draw = torch.Generator().manual_seed(length)
    sets = frontier([drawn(5000, size, draw) for size in (3, 33, 257, 600, 2000, 4500)])
    assert torch.equal(most_there(table, sets), most_classes(table, sets))


ROWS = [(1, 1, torch.uint8), (7, 3, torch.uint8), (40, 300, torch.int16), (20, 33, torch.int32)]


def capped_case(words, wide, dtype, sizes):
    """Classes and caps of both signs, sets of given sizes, and a most of both signs for each."""
    draw = torch.Generator().manual_seed(words)
    classes = torch.randint(0, wide, (words, words), generator=draw).to(dtype)
    caps = torch.randint(-2, 9, (words, wide), generator=draw).to(torch.int32)
    sets = [torch.randperm(words, generator=draw)[:size].sort().values for size in sizes if size <= words]
    most = torch.tensor([100, 3, 1, -1, 6, 1 << 40])[: len(sets)]
    return CappedClasses(classes, caps), frontier(sets), most


def summed(capped, sets, most, progress=None):
    """The answer of the CUDA backend, on the CPU."""
    moved = Frontier(sets.members.to(DEVICE), sets.offsets.to(DEVICE))
    asked = CappedClasses(capped.classes.to(DEVICE), capped.caps.to(DEVICE))
    return cuda.greatest_capped(asked, moved, most.to(DEVICE), progress).cpu()


@pytest.mark.parametrize(
    ("words", "wide", "dtype"), [ROWS[1], pytest.param(*ROWS[2], marks=pytest.mark.slow)]
)
def test_the_greatest_sum_is_that_of_the_reference(words, wide, dtype):
    asked = capped_case(words, wide, dtype, (words, 1, 2, 31, 32, 33))
    expected, told = reference.greatest_capped(*asked), []
    made = summed(*asked, told.append)
    assert made.dtype == torch.int64
    assert made.tolist() == expected.tolist()
    assert sum(told) == words * asked[1].members.shape[0]


def test_sums_of_the_lowest_caps_do_not_overflow():
    caps = torch.tensor([[-(1 << 31)] * 3, [2, 2, (1 << 31) - 1], [0, -(1 << 31), 1]], dtype=torch.int32)
    classes = torch.tensor([[0, 1, 2]] * 3, dtype=torch.uint8)
    asked = CappedClasses(classes, caps), frontier([torch.arange(3)]), torch.tensor([1 << 33])
    assert summed(*asked).tolist() == reference.greatest_capped(*asked).tolist() == [7]


def test_counters_that_do_not_fit_are_halved_until_they_do(monkeypatch):
    asked = capped_case(7, 3, torch.uint8, (7, 2))
    monkeypatch.setattr(cuda, "memory_of", lambda device: SmallMemory(device, 1 << 20, 12))
    assert summed(*asked).tolist() == reference.greatest_capped(*asked).tolist()
    monkeypatch.setattr(cuda, "memory_of", lambda device: SmallMemory(device, 1 << 20, 11))
    with pytest.raises(torch.cuda.OutOfMemoryError, match="expected at most 11"):
        summed(*asked)


@pytest.mark.gpu
@pytest.mark.skipif(DEVICE == "cpu", reason="no CUDA device")
@pytest.mark.parametrize(("wide", "dtype"), [(200, torch.uint8), (512, torch.int16), (3000, torch.int32)])
def test_on_a_device_thousands_of_words_are_summed_as_on_the_cpu(wide, dtype):
    asked = capped_case(4000, wide, dtype, (4000, 1, 33, 257, 300, 20))
    assert summed(*asked).tolist() == cpu.greatest_capped(*asked).tolist()


def marked_alike(table, guesses, targets):
    """Whether patterns and their type equal the reference's."""
    expected = reference.paired_patterns(table, guesses, targets)
    made = cuda.paired_patterns(table.to(DEVICE), guesses.to(DEVICE), targets.to(DEVICE)).cpu()
    assert made.dtype == expected.dtype
    assert made.tolist() == expected.tolist()
    return True


@pytest.mark.parametrize("length", [5, 25])
def test_patterns_are_those_of_the_reference(random_words, length):
    alphabet = "ab" if length % 2 else "abcdefghijklmnopqrstuvwxyzåäö"
    count = min(40, len(alphabet) ** length)
    table = encode(random_words(length, count, length, alphabet))
    draw = torch.Generator().manual_seed(length)
    guesses, targets = torch.randint(0, count, (2, 257), generator=draw, dtype=torch.int32)
    targets[::9] = guesses[::9]
    assert marked_alike(table, guesses, targets)


@pytest.mark.parametrize("count", [0, 1, 128, 129])
def test_any_number_of_pairs_is_marked(random_words, count):
    table = encode(random_words(1, 30, 4))
    rows = torch.arange(2 * count, dtype=torch.int32) % 30
    assert marked_alike(table, rows[::2], rows[1::2])


def test_guesses_that_are_letters_show_places(random_words):
    table = table_of(WordList("a list", random_words(1, 40, 6)), hangman()).to(torch.device("cpu"))
    assert marked_alike(table, table.pool[:10], table.targets[:10])


@pytest.mark.gpu
@pytest.mark.skipif(DEVICE == "cpu", reason="no CUDA device")
@pytest.mark.parametrize("length", [4, 5, 9, 13, 20])
def test_on_a_device_a_million_pairs_are_marked(random_words, length):
    table = encode(random_words(length, 5000, length))
    draw = torch.Generator().manual_seed(length)
    guesses, targets = (
        torch.randint(0, 5000, (1 << 20,), generator=draw, dtype=torch.int32) for _ in range(2)
    )
    assert marked_alike(table, guesses, targets)


@pytest.mark.parametrize("length", [1, 5, 25])
def test_guesses_change_rounds_as_in_the_reference(random_words, played_alike, length):
    words = random_words(length, min(30, 3**length), length, "abc")
    assert played_alike(words, 129, cuda, DEVICE)


def disjoint(words, sizes):
    """Disjoint sets of a list, and a step for each of their words."""
    draw = torch.Generator().manual_seed(words)
    order = torch.randperm(words, generator=draw)[: sum(sizes)].to(torch.int32)
    sets = frontier([part.sort().values for part in order.split(list(sizes))])
    return sets, torch.randint(-(1 << 40), 1 << 40, (sum(sizes),), generator=draw)


def refined_there(table, guesses, sets, steps, progress=None):
    """The answer of the CUDA backend, on the CPU."""
    moved = Frontier(sets.members.to(DEVICE), sets.offsets.to(DEVICE))
    made = cuda.refined(table.to(DEVICE), guesses.to(DEVICE), moved, steps.to(DEVICE), progress)
    return [column.cpu() for column in (made.counts, made.sizes, made.worth)]


def refined_alike(table, guesses, sets, steps, other=reference):
    """Whether all results equal those of another backend."""
    expected = other.refined(table, guesses, sets, steps)
    made = refined_there(table, guesses, sets, steps)
    for one, column in zip(made, (expected.counts, expected.sizes, expected.worth), strict=True):
        assert one.dtype == column.dtype == torch.int64
        assert one.tolist() == column.tolist()
    return True


@pytest.mark.parametrize("sizes", [[33, 2]])
def test_classes_are_worth_what_their_parts_are(random_words, sizes):
    table = encode(random_words(1, 300, 5))
    assert refined_alike(table, torch.tensor([7, 299], dtype=torch.int32), *disjoint(300, sizes))


@pytest.mark.parametrize(
    ("length", "alphabet"), [(4, LETTERS), pytest.param(20, "abc", marks=pytest.mark.slow)]
)
def test_words_of_any_length_and_alphabet_are_refined(random_words, length, alphabet):
    count = min(36, len(alphabet) ** length)
    table = encode(random_words(length, count, length, alphabet))
    sets, steps = disjoint(count, (count // 2, count // 4))
    assert refined_alike(table, torch.arange(0, count, 12, dtype=torch.int32), sets, steps)


@pytest.mark.parametrize("spread", [0, 1 << 20])
def test_patterns_have_a_place_each_or_are_numbered(monkeypatch, random_words, spread):
    monkeypatch.setattr(cuda, "SPREAD", spread)
    words = WordList("80 words", random_words(5, 80, 5, "abcdef"))
    for name in ("lingo", "hangman", "mastermind", "jotto"):
        table = table_of(words, find_game(name)).to(torch.device("cpu"))
        guesses = torch.tensor([0, 79, table.guesses - 1], dtype=torch.int32)
        assert refined_alike(table, guesses, *disjoint(80, (20, 1, 4, 33)))


def test_no_guesses_and_no_sets_have_no_classes(random_words):
    table = encode(random_words(1, 20, 5))
    none = torch.empty(0, dtype=torch.int32)
    assert refined_alike(table, none, *disjoint(20, (20,)))
    empty = Frontier(none, torch.zeros(1, dtype=torch.int64))
    made = refined_there(table, torch.arange(3, dtype=torch.int32), empty, torch.empty(0, dtype=torch.int64))
    assert [column.tolist() for column in made] == [[0, 0, 0], [], []]


def test_a_list_of_one_word_has_no_classes():
    assert refined_alike(encode(["able"]), torch.tensor([0], dtype=torch.int32), *disjoint(1, (1,)))


@pytest.mark.slow
def test_work_that_does_not_fit_is_halved_until_it_does(monkeypatch, random_words):
    table = encode(random_words(4, 140, 4, "abcdefghij"))
    guesses, (sets, steps) = torch.arange(16, dtype=torch.int32), disjoint(140, (129,))
    monkeypatch.setattr(cuda, "memory_of", lambda device: SmallMemory(device, 1 << 20, 3000))
    expected, told = reference.refined(table, guesses, sets, steps), []
    made = refined_there(table, guesses, sets, steps, told.append)
    assert [column.tolist() for column in made] == [
        column.tolist() for column in (expected.counts, expected.sizes, expected.worth)
    ]
    assert len(told) > 1 and sum(told) == 16 * 129
    monkeypatch.setattr(cuda, "memory_of", lambda device: SmallMemory(device, 1 << 20, 100))
    with pytest.raises(torch.cuda.OutOfMemoryError, match="expected at most 100"):
        refined_there(table, guesses, sets, steps)


@pytest.mark.gpu
@pytest.mark.skipif(DEVICE == "cpu", reason="no CUDA device")
@pytest.mark.parametrize("length", [4, 5, 9, 13, 14, 20])
def test_on_a_device_thousands_of_words_are_refined_as_on_the_cpu(random_words, length):
    table = encode(random_words(length, 5000, length, LETTERS))
    sizes = (2500, 1, 2, 31, 32, 33, 64, 65, 257, 700) + (20,) * 30
    assert refined_alike(
        table, torch.arange(0, 5000, 3, dtype=torch.int32), *disjoint(5000, sizes), other=cpu
    )


def spans_of(count, most, fits):
    """The blocks that are run if only so many things fit."""
    done = []

    def work(first, last):
        if last - first > fits:
            raise Out("too many")
        done.append((first, last))

    in_blocks(count, most, work)
    return done


def test_blocks_follow_each_other_and_stay_as_small_as_they_had_to_become():
    assert spans_of(7, 3, 3) == [(0, 3), (3, 6), (6, 7)]
    assert spans_of(7, 7, 2) == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7)]
    assert spans_of(4, 100, 2) == [(0, 2), (2, 4)]
    assert spans_of(2, 0, 1) == [(0, 1), (1, 2)]
    assert spans_of(0, 5, 1) == []


def test_one_thing_that_does_not_fit_is_told():
    with pytest.raises(Out, match=r"^too many$"):
        spans_of(5, 5, 0)


@pytest.mark.skipif("GPULINGO_PTX" in os.environ, reason="launches are those of the PTX machine")
@pytest.mark.parametrize("kind", [PTXASError, CompileError])
def test_a_kernel_that_does_not_compile_says_what_to_do(kind):
    class Kernel:
        __name__ = "planes_kernel"

        def __getitem__(self, grid):
            raise kind("ptxas fatal   : Value 'sm_999' is not defined")

    with pytest.raises(ValueError, match=r"^kernel planes_kernel does not compile .*sm_999.*: use the CPU"):
        Launch(Kernel(), (1,), (), {}, 4).run()


def test_without_a_compiler_that_works_for_a_device_large_sets_have_no_kernel(monkeypatch):
    def refused(*given):
        raise CompileError("cuModuleLoadData returns error 222")

    there = torch.device("cuda", 1)
    about = SimpleNamespace(shared_memory_per_block_optin=1 << 17, shared_memory_per_multiprocessor=1 << 18)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda device: about)
    monkeypatch.setattr(torch.cuda, "device", lambda device: nullcontext())
    for library, loaded, memory in (
        (None, lambda *given: 0, (0, 0)), (1, refused, (0, 0)), (1, lambda *given: 0, (1 << 17, 1 << 18))
    ):  # fmt: skip
        monkeypatch.setattr(nvrtc, "library", lambda library=library: library)
        monkeypatch.setattr(nvrtc, "_loaded", loaded)
        assert nvrtc.shared_memory.__wrapped__(there) == memory


@pytest.fixture
def found_nvrtc(monkeypatch, tmp_path):
    """NVRTC, also beside a build of torch for the CPU, and an empty folder for what it compiles."""
    monkeypatch.setattr(torch.version, "cuda", torch.version.cuda or "13.0")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    nvrtc.library.cache_clear()
    yield nvrtc.library()
    nvrtc.library.cache_clear()


@pytest.mark.slow
def test_cuda_source_compiles_where_nvrtc_is_and_no_gpu(found_nvrtc):
    if found_nvrtc is None:
        pytest.skip("NVRTC is not installed: pip install nvidia-cuda-nvrtc")
    constants = "GROUPS=2 PERIOD=26 LARGEST=0 ENTRY=16 SLOT_BITS=9 ACROSS=64 PARTS=2 BLOCKS=4".split()
    options = ["-arch=sm_90", *(f"-D{constant}" for constant in constants)]
    code = nvrtc.machine_code(cuda_launch.classes_kernel.source, options)
    assert code.startswith(b"\x7fELF") and b"classes_kernel" in code
    with pytest.raises(CompileError, match="ACROSS"):
        nvrtc.machine_code(cuda_launch.classes_kernel.source, [options[0]])
