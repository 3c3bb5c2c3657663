"""`paired_patterns` on CUDA: marks by a kernel, other feedback and long words as the reference."""

from __future__ import annotations

import torch
from torch import Tensor

from gpulingo.tensors import reference
from gpulingo.tensors.cuda.launch import Launch, blocks_of
from gpulingo.tensors.cuda.marks_of_pairs import marks_kernel
from gpulingo.tensors.cuda.memory import on
from gpulingo.tensors.integers import code_dtype
from gpulingo.tensors.wordtable import WordTable

LANES = 128  # pairs of a program
MOST_LETTERS = 24  # that a lane keeps; the kernel has a line for each two of them


def paired_patterns(table: WordTable, guesses: Tensor, targets: Tensor) -> Tensor:
    """Patterns of [M] guesses against [M] targets, all indices into the table."""
    if not table.shows_marks or table.length > MOST_LETTERS:
        return reference.paired_patterns(table, guesses, targets)
    out = torch.empty(guesses.shape[0], dtype=code_dtype(table.length), device=table.device)
    if out.shape[0]:
        with on(table.device):
            marks_launch(table, guesses.contiguous(), targets.contiguous(), out).run()
    return out


def marks_launch(table: WordTable, guesses: Tensor, targets: Tensor, out: Tensor) -> Launch:
    """The kernel that writes the marks of [M] pairs."""
    count, constants = out.shape[0], {"LENGTH": table.length, "LANES": LANES}
    arguments = (table.letters, guesses, targets, count, out)
    return Launch(marks_kernel, (blocks_of(count, LANES),), arguments, {**constants}, LANES // 32)
