"""Whole lists by the PTX of the kernels on this CPU, or on a device: minutes, so only when asked for.

GPULINGO_PTX=whole python -m pytest -q tests/tensors/cuda/test_whole_lists.py
"""

import os

import pytest
import torch

from gpulingo.games.catalogue import mastermind
from gpulingo.strategies.objectives import BY_NAME
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.frontier import Frontier, frontier
from gpulingo.tensors.operations import class_counts, rank, refined
from gpulingo.tensors.wordtable import encode, table_of
from gpulingo.words.listing import all_codes, embedded, read
from gpulingo.words.wordlist import WordList

if os.environ.get("GPULINGO_PTX") != "whole":
    pytest.skip("whole lists: only with GPULINGO_PTX=whole", allow_module_level=True)
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
from gpulingo.tensors.cuda import backend as cuda  # noqa: E402

GUESSES = 40
SIZES = (1, 2, 31, 32, 33, 64, 200, 256, 257, 384, 385, 700, 2049)


@pytest.fixture(params=[5, 9, 13, "codes"])
def table(request):
    """The words of a length of the pit's list, or the embedded one; or the codes of 5 pegs and 8 colours."""
    if request.param == "codes":
        return table_of(WordList("codes", all_codes(5, 8)[0]), mastermind())
    path = os.environ.get("GPULINGO_PIT_LIST")
    return encode((read(path) if path else embedded()).of_length(request.param).words)


def moved(front):
    """A frontier on the device."""
    return Frontier(front.members.to(DEVICE), front.offsets.to(DEVICE))


def spread(table, count):
    """Guesses from all over the list."""
    return table.pool[:: table.words // count][:count].contiguous()


@pytest.mark.parametrize("name", ["parts", "entropy", "largest_class"])
def test_ranks_are_those_of_the_cpu(table, name):
    draw = torch.Generator().manual_seed(1)
    parts = [torch.randperm(table.words, generator=draw)[:size].sort().values for size in SIZES]
    front = frontier([table.targets, *(part.to(torch.int32) for part in parts)])
    pool, way = spread(table, GUESSES), BY_NAME[name](table.words, 4)
    expected = rank(table, front, pool, way, GUESSES, backend=cpu)
    made = rank(table.to(DEVICE), moved(front), pool.to(DEVICE), way, GUESSES, backend=cuda)
    assert torch.equal(made.guesses.cpu(), expected.guesses)
    assert torch.equal(made.ranks.cpu(), expected.ranks)


def test_classes_and_their_parts_are_those_of_the_cpu(table):
    guesses, draw = spread(table, 8), torch.Generator().manual_seed(2)
    steps = torch.randint(-(1 << 40), 1 << 40, (table.words,), generator=draw)
    order = torch.randperm(table.words, generator=draw).to(torch.int32)
    sets = frontier([part.sort().values for part in order.split(table.words // 7 + 1)])
    expected = refined(table, guesses, sets, steps, backend=cpu)
    made = refined(table.to(DEVICE), guesses.to(DEVICE), moved(sets), steps.to(DEVICE), backend=cuda)
    for name in ("counts", "sizes", "worth"):
        assert torch.equal(getattr(made, name).cpu(), getattr(expected, name))


def test_counts_of_classes_are_those_of_the_cpu(table):
    members = spread(table, GUESSES)
    expected = class_counts(table, members, backend=cpu)
    assert torch.equal(class_counts(table.to(DEVICE), members.to(DEVICE), backend=cuda).cpu(), expected)
