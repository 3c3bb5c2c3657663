"""Work in blocks that fit into memory."""

import os

import pytest
import torch
from triton.runtime.errors import PTXASError

from gpulingo.tensors.cuda.launch import Launch, Memory, Out, in_blocks


def spans_of(count, most, fits):
    """The blocks that were done, where only so many things fit."""
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


def test_memory_beyond_the_limit_is_not_taken():
    memory = Memory(torch.device("cpu"), 1 << 20, 64)
    assert memory.taken((4, 2), torch.int64, zero=True).tolist() == [[0, 0]] * 4
    with pytest.raises(Out, match=r"^72 bytes, expected at most 64$"):
        memory.taken((9,), torch.int64)


@pytest.mark.skipif("GPULINGO_PTX" in os.environ, reason="launches are those of the PTX machine")
def test_a_kernel_that_does_not_compile_says_what_to_do():
    class Kernel:
        __name__ = "planes_kernel"

        def __getitem__(self, grid):
            raise PTXASError("ptxas fatal   : Value 'sm_999' is not defined")

    with pytest.raises(
        RuntimeError, match=r"^kernel planes_kernel does not compile .*sm_999.*: use --device cpu"
    ):
        Launch(Kernel(), (1,), (), {}, 4).run()
