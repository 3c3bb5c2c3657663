"""Checks of tensors where they enter an operation: type, shape, device, range.

Operations check once, so that no kernel has to, and fetch the facts to check from a device in one transfer.
Checks of a single operation are next to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpulingo.games.marks import LONGEST, NARROW
from gpulingo.tensors.lazily import torch

if TYPE_CHECKING:
    from torch import Tensor


def check_tensor(
    what: str, value: object, dtypes: tuple[torch.dtype, ...], shape: tuple[int | str, ...]
) -> None:
    """Raise unless a value is a tensor of one of these types and this shape: sizes, or a letter for any."""
    if not isinstance(value, torch.Tensor):
        raise TypeError(f"{what} is of type {type(value).__name__}, expected a tensor")
    fits = value.ndim == len(shape) and all(
        isinstance(expected, str) or expected == size
        for expected, size in zip(shape, value.shape, strict=True)
    )
    if value.dtype not in dtypes or not fits or value.layout != torch.strided or value.is_meta:
        kinds = " or ".join(str(dtype).removeprefix("torch.") for dtype in dtypes)
        sizes = ", ".join(map(str, shape))
        raise ValueError(f"{what} is {value.dtype} {list(value.shape)}, expected [{sizes}] {kinds}")


def check_place(what: str, value: Tensor, device: torch.device) -> None:
    """Raise ValueError unless a tensor lies on a device."""
    if value.device != device:
        raise ValueError(f"{what} lies on {value.device}, expected {device}: move it there with .to")


def check_row(
    what: str, value: Tensor, dtype: torch.dtype, device: torch.device, size: int | str = "n"
) -> Tensor:
    """Return a row of that type, device and size, contiguous in memory."""
    check_tensor(what, value, (dtype,), (size,))
    check_place(what, value, device)
    return value.contiguous()  # kernels are compiled for rows without gaps


def check_within(what: str, row: Tensor, limit: int) -> None:
    """Raise ValueError unless all numbers of a row are 0 to limit - 1."""
    if row.shape[0]:
        least, most = torch.stack(row.aminmax()).tolist()
        _check_ends(what, least, most, limit)


def check_ascending(what: str, row: Tensor, limit: int) -> None:
    """Raise ValueError unless the numbers of a row ascend, each at least 0 and below a limit."""
    if row.shape[0]:
        facts = [(row[1:] > row[:-1]).all(), row[0], row[-1]]
        rises, least, most = torch.stack([fact.to(torch.int64) for fact in facts]).tolist()
        if not rises:
            raise ValueError(
                f"{what} does not rise, expected ascending indices: sort it, take each word once"
            )
        _check_ends(what, least, most, limit)


def _check_ends(what: str, least: int, most: int, limit: int) -> None:
    if least < 0 or most >= limit:
        seen = least if least < 0 else most
        raise ValueError(f"{what} holds {seen}, expected 0 to {limit - 1}")


def narrowest(most: int, *types: torch.dtype) -> torch.dtype:
    """Return the first of some integer types that can hold a number; otherwise the last of them."""
    return next((kind for kind in types if most <= torch.iinfo(kind).max), types[-1])


def code_dtype(length: int) -> torch.dtype:
    """Integer type of the marks of words of this length: int32 up to 19 letters, int64 up to 39.

    Raises:
        ValueError: longer words.
    """
    check_length(length)
    return torch.int32 if length <= NARROW else torch.int64


def check_length(length: int) -> None:
    """Raise ValueError for words of more than 39 letters."""
    if length > LONGEST:
        raise ValueError(
            f"words of {length} letters, expected at most {LONGEST}: patterns would not fit 64 bits"
        )
