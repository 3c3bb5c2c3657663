"""`refined` on CUDA equals the reference: on a device, or under Triton's interpreter on small lists."""

from importlib.util import find_spec

import pytest
import torch
from sampled import quick

from gpulingo.games.catalogue import hangman
from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.frontier import Frontier, frontier
from gpulingo.tensors.operations import refined
from gpulingo.tensors.wordtable import encode, table_of
from gpulingo.words.wordlist import WordList

if find_spec("triton") is None:
    pytest.skip("Triton is not installed: the CUDA kernels cannot run", allow_module_level=True)
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
from gpulingo.tensors.cuda import backend as cuda  # noqa: E402
from gpulingo.tensors.cuda import launch as cuda_launch  # noqa: E402
from gpulingo.tensors.cuda import refine as cuda_refine  # noqa: E402
from gpulingo.tensors.cuda.launch import Memory  # noqa: E402

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def parts(words, sizes):
    """Disjoint sets of a list, and a step for each of their words."""
    draw = torch.Generator().manual_seed(words)
    order = torch.randperm(words, generator=draw)[: sum(sizes)].to(torch.int32)
    sets = frontier([part.sort().values for part in order.split(list(sizes))])
    return sets, torch.randint(-(1 << 40), 1 << 40, (sum(sizes),), generator=draw)


def there(table, guesses, sets, steps, progress=None):
    """What the CUDA backend answers, back on the CPU."""
    moved = Frontier(sets.members.to(DEVICE), sets.offsets.to(DEVICE))
    made = refined(table.to(DEVICE), guesses.to(DEVICE), moved, steps.to(DEVICE), progress, backend=cuda)
    return [column.cpu() for column in (made.counts, made.sizes, made.worth)]


def agree(table, guesses, sets, steps, other=reference):
    """Whether all of it is that of another backend."""
    expected = refined(table, guesses, sets, steps, backend=other)
    made = there(table, guesses, sets, steps)
    for one, column in zip(made, (expected.counts, expected.sizes, expected.worth), strict=True):
        assert one.dtype == column.dtype == torch.int64
        assert one.tolist() == column.tolist()
    return True


@pytest.mark.parametrize("sizes", quick([[1], [33, 2], [1, 2, 31, 32, 63]], [[33, 2]]))
def test_classes_are_worth_what_their_parts_are(random_words, sizes):
    table = encode(random_words(1, 300, 5))
    assert agree(table, torch.tensor([7, 299], dtype=torch.int32), *parts(300, sizes))


@pytest.mark.parametrize(
    ("length", "alphabet"),
    quick([(1, LETTERS), (4, LETTERS), (20, "abc"), (39, LETTERS)], [(4, LETTERS)]),
)
def test_words_of_any_length_and_alphabet_are_refined(random_words, length, alphabet):
    count = min(36, len(alphabet) ** length)
    table = encode(random_words(length, count, length, alphabet))
    sets, steps = parts(count, (count // 2, count // 4))
    assert agree(table, torch.arange(0, count, 12, dtype=torch.int32), sets, steps)


@pytest.mark.slow
def test_codes_too_wide_for_places_are_taken_byte_by_byte(monkeypatch, random_words):
    monkeypatch.setattr(cuda_launch, "VOTES", 1)
    monkeypatch.setattr(cuda_launch, "VOTES_RATIO", 1)
    table = encode(random_words(7, 80, 7))
    assert agree(table, torch.tensor([79], dtype=torch.int32), *parts(80, (20, 1, 4)))


@pytest.mark.slow
def test_many_copies_of_a_letter_are_told_apart():
    words = {"a" * at + "b" * (k - at) + "a" * (9 - k) for k in range(10) for at in range(k)}
    table = encode(sorted(words))
    assert agree(table, torch.tensor([20], dtype=torch.int32), *parts(table.words, (20, 11)))


def test_no_guesses_and_no_sets_have_no_classes(random_words):
    table = encode(random_words(1, 20, 5))
    none = torch.empty(0, dtype=torch.int32)
    assert agree(table, none, *parts(20, (20,)))
    empty = Frontier(none, torch.zeros(1, dtype=torch.int64))
    made = there(table, torch.arange(3, dtype=torch.int32), empty, torch.empty(0, dtype=torch.int64))
    assert [column.tolist() for column in made] == [[0, 0, 0], [], []]


def test_a_list_of_one_word_has_no_classes():
    assert agree(encode(["able"]), torch.tensor([0], dtype=torch.int32), *parts(1, (1,)))


def test_one_word_alone_has_no_class_of_its_own():
    table = encode(["able", "bale"])
    assert agree(table, torch.tensor([0, 1], dtype=torch.int32), *parts(2, (1,)))


@pytest.mark.slow
def test_guesses_that_are_letters_are_refined(random_words):
    table = table_of(WordList("a list", random_words(1, 40, 6)), hangman())
    sets, steps = parts(40, (10, 1, 20))
    words = sets.members[:2]  # as guesses they show nothing but themselves
    assert agree(table, torch.cat([words, table.pool]), sets, steps)


def test_work_that_does_not_fit_is_halved_until_it_does(monkeypatch, random_words):
    table = encode(random_words(4, 140, 4, "abcdefghij"))
    guesses, (sets, steps) = torch.arange(16, dtype=torch.int32), parts(140, (129,))
    monkeypatch.setattr(cuda_launch, "VOTES", 1)
    monkeypatch.setattr(cuda_launch, "VOTES_RATIO", 1)
    monkeypatch.setattr(cuda_refine, "memory_of", lambda device: Memory(device, 1 << 20, 20000))
    expected, told = refined(table, guesses, sets, steps, backend=reference), []
    made = there(table, guesses, sets, steps, told.append)
    assert [column.tolist() for column in made] == [
        column.tolist() for column in (expected.counts, expected.sizes, expected.worth)
    ]
    assert len(told) > 1 and sum(told) == 16 * 129
    monkeypatch.setattr(cuda_refine, "memory_of", lambda device: Memory(device, 1 << 20, 100))
    with pytest.raises(torch.cuda.OutOfMemoryError, match="expected at most 100"):
        there(table, guesses, sets, steps)


@pytest.mark.gpu
@pytest.mark.skipif(DEVICE == "cpu", reason="no CUDA device")
@pytest.mark.parametrize("length", [4, 5, 9, 13, 14, 20])
def test_on_a_device_thousands_of_words_are_refined_as_on_the_cpu(random_words, length):
    table = encode(random_words(length, 5000, length, LETTERS))
    sizes = (2500, 1, 2, 31, 32, 33, 64, 65, 257, 700) + (20,) * 30
    assert agree(table, torch.arange(0, 5000, 3, dtype=torch.int32), *parts(5000, sizes), other=cpu)
