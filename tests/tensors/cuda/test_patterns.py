"""`paired_patterns` on CUDA equals the reference: on a device, or under Triton's interpreter."""

from importlib.util import find_spec

import pytest
import torch
from sampled import quick

from gpulingo.games.catalogue import hangman
from gpulingo.tensors import reference
from gpulingo.tensors.wordtable import encode, table_of
from gpulingo.words.wordlist import WordList

if find_spec("triton") is None:
    pytest.skip("Triton is not installed: the CUDA kernels cannot run", allow_module_level=True)
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
from gpulingo.tensors.cuda import backend as cuda  # noqa: E402


def agree(table, guesses, targets):
    """Whether patterns and their type are those of the reference."""
    expected = reference.paired_patterns(table, guesses, targets)
    made = cuda.paired_patterns(table.to(DEVICE), guesses.to(DEVICE), targets.to(DEVICE)).cpu()
    assert made.dtype == expected.dtype
    assert made.tolist() == expected.tolist()
    return True


@pytest.mark.parametrize("length", quick([5, 19, 20, 25], [5, 25]))
def test_patterns_are_those_of_the_reference(random_words, length):
    alphabet = "ab" if length % 2 else "abcdefghijklmnopqrstuvwxyzåäö"
    count = min(40, len(alphabet) ** length)
    table = encode(random_words(length, count, length, alphabet))
    draw = torch.Generator().manual_seed(length)
    guesses, targets = torch.randint(0, count, (2, 257), generator=draw, dtype=torch.int32)
    targets[::9] = guesses[::9]
    assert agree(table, guesses, targets)


@pytest.mark.parametrize("count", [0, 1, 128, 129])
def test_any_number_of_pairs_is_marked(random_words, count):
    table = encode(random_words(1, 30, 4))
    rows = torch.arange(2 * count, dtype=torch.int32) % 30
    assert agree(table, rows[::2], rows[1::2])


def test_guesses_that_are_letters_show_places(random_words):
    table = table_of(WordList("a list", random_words(1, 40, 6)), hangman())
    assert agree(table, table.pool[:10], table.targets[:10])


@pytest.mark.gpu
@pytest.mark.skipif(DEVICE == "cpu", reason="no CUDA device")
@pytest.mark.parametrize("length", [4, 5, 9, 13, 20])
def test_on_a_device_a_million_pairs_are_marked(random_words, length):
    table = encode(random_words(length, 5000, length))
    draw = torch.Generator().manual_seed(length)
    guesses, targets = (
        torch.randint(0, 5000, (1 << 20,), generator=draw, dtype=torch.int32) for _ in range(2)
    )
    assert agree(table, guesses, targets)
