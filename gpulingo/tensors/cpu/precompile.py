"""Compile what ranking takes on the CPU before it is needed: `python -m gpulingo.tensors.cpu.precompile`.

What only searches for bounds and proofs take is compiled when it is first used.
"""

from __future__ import annotations

import sys
from itertools import islice, permutations

import torch

from gpulingo.tensors.clock import when_compiling
from gpulingo.tensors.cpu.rank import paired_patterns, program_of
from gpulingo.tensors.cpu.scan import feature_bits
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.objective import Objective
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import encode

LENGTHS = (4, 7, 11)  # with them come the three types of codes that words of up to 20 letters have


def compile_ahead() -> None:
    """Compile the kernels of `rank` for every type of codes that is common, and that of `split`."""
    for length in LENGTHS:
        table = encode(["".join(letters) for letters in islice(permutations("abcdefghijk", length), 2)])
        everything = table.pool
        rank(table, whole(table), everything, Objective(torch.tensor([0, 1, 1])))
        feature_bits(table.letters.numpy(), everything.numpy(), program_of(table)[0])
        paired_patterns(table, everything, everything)


if __name__ == "__main__":
    when_compiling(lambda text: print(f"gpulingo: {text}", file=sys.stderr, flush=True))
    compile_ahead()
