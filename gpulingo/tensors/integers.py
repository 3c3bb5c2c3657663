"""The integer types that numbers of a known size are kept in."""

from __future__ import annotations

import torch

from gpulingo.games.marks import LONGEST, NARROW


def narrowest(most: int, *types: torch.dtype) -> torch.dtype:
    """Return the first of some integer types that holds a number, otherwise the last of them."""
    return next((kind for kind in types if most <= torch.iinfo(kind).max), types[-1])


def code_dtype(length: int) -> torch.dtype:
    """Integer type of the marks of words of this length: int32 up to 19 letters, int64 up to 39.

    Raises:
        ValueError: longer words.
    """
    if length > LONGEST:
        raise ValueError(
            f"words of {length} letters, expected at most {LONGEST}: patterns would not fit 64 bits"
        )
    return torch.int32 if length <= NARROW else torch.int64
