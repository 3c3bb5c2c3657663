"""The CUDA backend equals the reference: on a CUDA device, or without one in Triton's interpreter.

The interpreter is slow, so sets and pools are as small as the variants of the kernels allow, and the limits
between these variants are lowered for them.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch
from devices import blocks, ptx
from sampled import quick

from gpulingo.games.catalogue import find_game
from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.frontier import Frontier, frontier
from gpulingo.tensors.objective import Objective, stacked
from gpulingo.tensors.operations import class_counts, rank
from gpulingo.tensors.wordtable import encode, table_of
from gpulingo.words.wordlist import WordList

if find_spec("triton") is None:
    pytest.skip("Triton is not installed: the CUDA kernels cannot run", allow_module_level=True)
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
from devices.fake import SmallMemory  # noqa: E402

from gpulingo.tensors.cuda import backend as cuda  # noqa: E402
from gpulingo.tensors.cuda import launch as cuda_launch  # noqa: E402
from gpulingo.tensors.cuda import nvrtc  # noqa: E402
from gpulingo.tensors.cuda import rank as cuda_rank  # noqa: E402

ROOT = Path(__file__).parents[3]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
BY_PTX = pytest.mark.skipif(
    DEVICE == "cpu" and ptx.compiler() is not None and "GPULINGO_PTX" not in os.environ,
    reason="test_ptx.py runs it as PTX",
)


def moved(front):
    """A frontier on the device."""
    return Frontier(front.members.to(DEVICE), front.offsets.to(DEVICE))


def ranked(table, front, pool, way, width, progress=None):
    """The answer of the CUDA backend, on the CPU."""
    there = moved(front)
    asked = moved(pool) if isinstance(pool, Frontier) else None if pool is None else pool.to(DEVICE)
    return rank(table.to(DEVICE), there, asked, way, width, backend=cuda, progress=progress)


def agree(table, front, pool, way, widths=(1, 60)):
    """Whether guesses and ranks equal the reference's for every width."""
    expected = rank(table, front, pool, way, max(widths), backend=reference)
    for width in widths:
        got = ranked(table, front, pool, way, width)
        assert got.guesses.dtype == torch.int32
        assert got.guesses.tolist() == expected.guesses[:, :width].tolist()
        assert got.ranks.tolist() == expected.ranks[:, :width].tolist()
    return True


@pytest.fixture
def limits(monkeypatch):
    """Sets the sizes of sets at which another kernel is used."""

    def limited(MOST_PLANES=256, **numbers):
        if MOST_PLANES < 256 and DEVICE == "cpu":
            if ptx.compiler() is None or "GPULINGO_PTX" in os.environ:
                pytest.skip("there is no C++ compiler, or this is the run of PTX")
            monkeypatch.setattr(nvrtc, "shared_memory", lambda device: blocks.SHARED)
            monkeypatch.setattr(nvrtc.Kernel, "launch", blocks.launch)
        numbers |= {"MOST_PLANES": MOST_PLANES, "MOST_PLANES_OF_SIZES": MOST_PLANES}
        for name, number in numbers.items():
            monkeypatch.setattr(cuda_launch, name, number)

    return limited


@BY_PTX
@pytest.mark.slow
def test_small_sets_are_compared_as_bit_planes(random_words, random_sets, objective):
    table = encode(random_words(4, 90, 4, LETTERS))
    front = random_sets(4, 90, (33, 1, 31, 2, 32))
    assert agree(table, front, torch.arange(0, 90, 3, dtype=torch.int32), objective("parts with bonus", 33))


@pytest.mark.slow
@pytest.mark.parametrize("most", [256, 0], ids=["planes", "shared memory"])
def test_every_kernel_ranks_each_set_by_its_own_row(limits, random_words, random_sets, most):
    limits(most)
    table, sizes = encode(random_words(5, 60, 5, LETTERS)), torch.arange(41)
    front = random_sets(5, 60, (36, 33, 34))
    each = [Objective(sizes**power, bonus) for power, bonus in ((2, 0), (3, 1 << 20))]
    way = stacked(each, torch.tensor([1, 0, 1], device=DEVICE))
    expected = [rank(table, front.take(torch.tensor([s])), table.pool[::20], each[row], 3, backend=reference)
                for s, row in enumerate((1, 0, 1))]  # fmt: skip
    got = ranked(table, front, table.pool[::20], way, 3)
    assert got.guesses.tolist() == [alone.guesses[0].tolist() for alone in expected]
    assert got.ranks.tolist() == [alone.ranks[0].tolist() for alone in expected]


def test_an_anagram_is_told_from_the_word_alone(limits, random_words, random_sets, objective):
    limits(0)
    words = WordList("a list", random_words(5, 90, 5, "abcd"))
    table, front = table_of(words, find_game("jotto")).to(torch.device("cpu")), random_sets(5, 90, (65, 33))
    assert agree(table, front, torch.arange(0, 90, 30, dtype=torch.int32), objective("random", 65), (60,))


def test_classes_of_a_whole_list_are_counted(limits, random_words):
    limits(0)
    table = encode(random_words(6, 33, 6))
    there = table.to(DEVICE)
    counts = class_counts(there, there.targets, backend=cuda).cpu()
    assert counts.tolist() == class_counts(table, table.targets, backend=reference).tolist()


HASHED = {"MARK_RATIO": 0, "COUNT_RATIO": 0, "MOST_SLOTS": 128}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "numbers", "entry", "slots", "largest"),
    [("parts with bonus", {}, 8, 0, 65), ("parts with bonus", {"MARK_BYTES": 0}, 1, 0, 65),
     ("random largest", {}, 32, 0, 65), ("random", {"WIDE_BYTES": 0}, 16, 0, 257),
     ("parts with bonus", HASHED, 1, 7, 257), ("random", HASHED, 16, 7, 257),
     ("random largest", HASHED, 16, 7, 257)],
)  # fmt: skip
def test_classes_are_counted_in_shared_memory(
    limits, monkeypatch, random_words, random_sets, objective, name, numbers, entry, slots, largest
):
    limits(0, **numbers)
    run, seen = cuda_launch.Launch.run, []
    monkeypatch.setattr(cuda_launch.Launch, "run", lambda launch: [seen.append(launch), run(launch)])
    length = 9 if slots else 5  # 9: more classes than slots, so the codes are taken in passes
    table = encode(random_words(length, 300, length, LETTERS[:14]))
    front, pool = random_sets(length, 300, (largest, 1, 33)), torch.arange(0, 300, 150, dtype=torch.int32)
    assert agree(table, front, pool, objective(name, largest), (60,))
    kinds = [(launch.constants.get("ENTRY"), launch.constants.get("SLOT_BITS")) for launch in seen]
    assert (entry, slots) in kinds


@pytest.mark.parametrize(
    ("length", "most"), [(4, 2), (6, 2), *([(1, 256), (13, 2), (20, 256)] if DEVICE == "cuda" else [])]
)
def test_words_of_any_length_are_ranked(limits, random_words, random_sets, objective, length, most):
    limits(most)
    table = encode(random_words(length, 36, length))
    front = random_sets(length, 36, (33,))
    pool = torch.arange(0, 36, 7, dtype=torch.int32)
    assert agree(table, front, pool, objective("random", 33), (60,))


@pytest.mark.parametrize("most", quick([256, 2], [2]))
def test_many_copies_of_a_letter_are_told_apart(limits, random_sets, objective, most):
    limits(most)
    words = {"a" * at + "b" * (k - at) + "a" * (9 - k) for k in range(10) for at in range(k)}
    table = encode(sorted(words))
    front = random_sets(1, table.words, (33,))
    assert agree(table, front, torch.arange(table.words, dtype=torch.int32), objective("random", 33), (60,))


def test_the_search_of_a_set_ends_with_a_candidate_that_splits_it_whole(objective):
    table = encode(["able", "bark", "cast", "dire"])
    front = frontier([torch.arange(4, dtype=torch.int32)])
    told = []
    pool = torch.arange(4, dtype=torch.int32)
    got = ranked(table, front, pool, objective("parts with bonus", 4), 1, told.append)
    full = ranked(table, front, pool, objective("parts with bonus", 4), 2, told.append)
    assert (got.guesses.tolist(), got.ranks.tolist()) == (full.guesses[:, :1].tolist(), [[5]])
    assert told == [16, 16]


@BY_PTX
@pytest.mark.slow
def test_work_that_does_not_fit_is_halved_until_it_does(monkeypatch, random_words, random_sets, objective):
    table = encode(random_words(4, 60, 4))
    front = random_sets(4, 60, (5, 20, 6, 4, 17, 3))
    pool, way = torch.arange(0, 60, 6, dtype=torch.int32), objective("random", 20)
    expected = rank(table, front, pool, way, 3, backend=reference)
    # Report a hundred times as much free memory as the device then has.
    monkeypatch.setattr(cuda_rank, "memory_of", lambda device: SmallMemory(device, 1 << 20, 2500))
    told = []
    got = ranked(table, front, pool, way, 3, told.append)
    assert (got.guesses.tolist(), got.ranks.tolist()) == (expected.guesses.tolist(), expected.ranks.tolist())
    assert len(told) >= 3
    assert sum(told) == got.pairs == expected.pairs
    monkeypatch.setattr(cuda_rank, "memory_of", lambda device: SmallMemory(device, 1 << 20, 100))
    with pytest.raises(torch.cuda.OutOfMemoryError, match="expected at most 100"):
        ranked(table, front, pool, way, 3)


@BY_PTX
@pytest.mark.slow
def test_a_set_too_large_for_one_launch_is_ranked_by_parts_of_its_pool(
    monkeypatch, random_words, random_sets, objective
):
    monkeypatch.setattr(cuda_rank, "MOST_PAIRS", 40)
    table = encode(random_words(4, 20, 4))
    front, legal = random_sets(4, 20, (8, 3)), random_sets(5, 20, (12, 7))
    for pool in (torch.arange(0, 20, 3, dtype=torch.int32), legal, None):
        assert agree(table, front, pool, objective("random", 8), (4,))
    told = []
    ranked(table, random_sets(6, 20, (8,)), table.pool, objective("random", 8), 2, told.append)
    assert told == [40] * 4
    calls, values = [], cuda_rank.values

    def failing(*asked):
        calls.append(1)
        if len(calls) == 3:
            raise torch.cuda.OutOfMemoryError
        return values(*asked)

    monkeypatch.setattr(cuda_rank, "values", failing)
    told.clear()
    ranked(table, random_sets(6, 20, (8,)), table.pool, objective("random", 8), 2, told.append)
    assert told == [40] * 2 + [16] * 5 and len(calls) == 8


def compiled_rows(script, tmp_path, *options):
    """The rows that a benchmark prints for kernels compiled for a GPU that is absent."""
    command = [sys.executable, ROOT / "benchmarks" / script, *options, "--sass", tmp_path]
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    environment |= {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if "nvdisasm" in done.stderr and "No such file" in done.stderr:
        pytest.skip("this Triton brings no nvdisasm")
    assert done.returncode == 0, done.stderr
    return [line.split("\t") for line in done.stdout.splitlines()][1:]


@pytest.mark.slow
def test_kernels_compile_for_a_gpu_that_is_not_here(tmp_path):
    rows = compiled_rows("cuda_code.py", tmp_path, "--letters", "5", "--sizes", "60")
    assert {row[1] for row in rows} == {"60"}
    assert all(10 < float(row[-2]) < 200 for row in rows)


@pytest.mark.gpu
@pytest.mark.skipif(DEVICE == "cpu", reason="no CUDA device")
@pytest.mark.parametrize("name", ["parts with bonus", "entropy", "random largest"])
@pytest.mark.parametrize("length", [4, 5, 9, 13, 14, 20])
def test_on_a_device_sets_of_thousands_are_ranked_as_on_the_cpu(
    random_words, random_sets, objective, length, name
):
    table = encode(random_words(length, 5000, length, LETTERS))
    front = random_sets(
        length, 5000, (4500, 1, 2, 31, 32, 33, 50, 64, 65, 128, 129, 256, 257, 700, 2049) + (20,) * 300
    )
    pool = torch.arange(0, 5000, 11, dtype=torch.int32)
    way = objective(name, 4500)
    for asked in (pool, None):
        for width in (1, 3, 30):
            expected = rank(table, front, asked, way, width, backend=cpu)
            got = ranked(table, front, asked, way, width)
            assert torch.equal(got.guesses.cpu(), expected.guesses)
            assert torch.equal(got.ranks.cpu(), expected.ranks)


@pytest.mark.gpu
@pytest.mark.skipif(DEVICE == "cpu", reason="no CUDA device")
@pytest.mark.parametrize("length", range(4, 14))
def test_on_a_device_whole_lists_are_played_as_on_the_cpu(length):
    from gpulingo import embedded, simulate

    words = embedded().of_length(length)
    here, there = (simulate(words, "parts", device=device).tree for device in ("cpu", DEVICE))
    for field in ("guess", "pattern", "first", "hit"):
        assert bytes(getattr(here, field)) == bytes(getattr(there, field))
