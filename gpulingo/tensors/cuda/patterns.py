"""Patterns on CUDA, paired or of all pairs: marks by a kernel, other feedback as the reference."""

from __future__ import annotations

import torch
from torch import Tensor

from gpulingo.tensors import reference
from gpulingo.tensors.checks import code_dtype
from gpulingo.tensors.cuda.kernels import marks_kernel
from gpulingo.tensors.cuda.launch import MOST_ENTRIES, Launch, blocks_of, on
from gpulingo.tensors.wordtable import WordTable

LANES = 128  # pairs of a program
MOST_LETTERS = 24  # that a lane keeps; the kernel has a line for each two of them


def patterns(guesses: Tensor, targets: Tensor) -> Tensor:
    """As `operations.patterns`, in blocks of guesses."""
    (count, length), columns = guesses.shape, targets.shape[0]
    if length > MOST_LETTERS:
        return reference.patterns(guesses, targets)
    out = torch.empty(count, columns, dtype=code_dtype(length), device=guesses.device)
    letters = guesses.contiguous(), targets.contiguous()
    with on(guesses.device):
        for first in range(0, count if columns else 0, max(1, MOST_ENTRIES // max(1, columns))):
            rows = out[first : first + max(1, MOST_ENTRIES // columns)]
            marks_launch((letters[0][first:], letters[1]), None, rows).run()
    return out


def paired_patterns(table: WordTable, guesses: Tensor, targets: Tensor) -> Tensor:
    """Patterns of [M] guesses against [M] targets, all indices into the table."""
    if not table.shows_marks or table.length > MOST_LETTERS:
        return reference.paired_patterns(table, guesses, targets)
    out = torch.empty(guesses.shape[0], dtype=code_dtype(table.length), device=table.device)
    if out.shape[0]:
        with on(table.device):
            pairs = guesses.contiguous(), targets.contiguous()
            marks_launch((table.letters, table.letters), pairs, out).run()
    return out


def marks_launch(letters: tuple[Tensor, Tensor], pairs: tuple[Tensor, Tensor] | None, out: Tensor) -> Launch:
    """The kernel that writes the marks of pairs of guess and target, or of all of them."""
    count, every = out.numel(), pairs is None
    arguments = (*letters, *(letters if pairs is None else pairs), out.shape[-1], count, out)
    constants: dict[str, int | bool] = {"EVERY": every, "LENGTH": letters[0].shape[1], "LANES": LANES}
    return Launch(marks_kernel, (blocks_of(count, LANES),), arguments, constants, LANES // 32)
