"""Rows of arrays, filled and copied number by number: assignments to slices take numba long to compile."""

from __future__ import annotations

from gpulingo.tensors.cpu.compile import inner


@inner
def fill(row, number):
    """Set all numbers of a row."""
    for k in range(row.shape[0]):
        row[k] = number


@inner
def copy(source, target):
    """Set the first numbers of a row to those of another."""
    for k in range(source.shape[0]):
        target[k] = source[k]
