"""The CPU kernel makes the guesses of rounds as the reference does; the CUDA kernel is tested in `cuda`."""

import pytest
import torch

from gpulingo import Rounds, embedded
from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.cpu import marks


@pytest.mark.parametrize(("length", "count"), [(1, 30), (5, 600), (9, 513)])
@pytest.mark.parametrize("many", [1, 2])
def test_guesses_change_rounds_as_in_the_reference(monkeypatch, threads, played_alike, length, count, many):
    threads(many)
    monkeypatch.setattr(marks, "TOGETHER", 256)
    words = embedded().of_length(length).words[:2000] if length > 1 else ["a", "b", "c"]
    assert played_alike(words, count, cpu, "cpu")


def test_games_of_counts_have_no_kernel_and_are_played_alike():
    here, there = Rounds(3, "mastermind", 50, seed=1), Rounds(3, "mastermind", 50, seed=1)
    for turn in range(3):
        row = torch.arange(50, dtype=torch.int32) * (turn + 1)
        reference.play(here.table, here, row)
        there.step(row)
    assert torch.equal(here.marks, there.marks) and torch.equal(here.credits, there.credits)
