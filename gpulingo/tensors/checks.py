"""Checks of arrays where they enter an operation: type, shape, device, range.

Operations check once, so that no kernel has to, and fetch the facts to check from a device in one transfer.
Checks of a single operation are next to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gpulingo.games.marks import LONGEST, NARROW
from gpulingo.tensors.arrays import Device, Tensor, contiguous, facts, is_array


def check_tensor(what: str, value: object, dtypes: tuple[str, ...], shape: tuple[int | str, ...]) -> None:
    """Raise unless a value is an array of one of these types and this shape: sizes, or a letter for any."""
    if not is_array(value):
        raise TypeError(f"{what} is of type {type(value).__name__}, expected a tensor")
    array: Any = value
    fits = array.ndim == len(shape) and all(
        isinstance(expected, str) or expected == size
        for expected, size in zip(shape, array.shape, strict=True)
    )
    if type_of(array) not in dtypes or not fits or not _plain(array):
        kinds, sizes = " or ".join(dtypes), ", ".join(map(str, shape))
        raise ValueError(f"{what} is {array.dtype} {list(array.shape)}, expected [{sizes}] {kinds}")


def type_of(array: Tensor) -> str:
    """Return the name of an array's type: `int32`."""
    return str(array.dtype).removeprefix("torch.")


def _plain(array: Any) -> bool:
    """Return False for a tensor without content, or with another layout than rows."""
    return isinstance(array, np.ndarray) or (str(array.layout) == "torch.strided" and not array.is_meta)


def check_place(what: str, value: Tensor, device: Device) -> None:
    """Raise ValueError unless an array lies on a device."""
    if value.device != device:
        places = value.device, device
        place, expected = (f"{it}" if hasattr(it, "type") else "numpy" for it in places)
        how = "make it a tensor with torch.as_tensor" if place == "numpy" else "move it there with .to"
        raise ValueError(f"{what} lies on {place}, expected {expected}: {how}")


def check_row(what: str, value: Tensor, dtype: str, device: Device, size: int | str = "n") -> Tensor:
    """Return a row of that type, device and size, contiguous in memory."""
    check_tensor(what, value, (dtype,), (size,))
    check_place(what, value, device)
    return contiguous(value)  # kernels are compiled for rows without gaps


def check_within(what: str, row: Tensor, limit: int) -> None:
    """Raise ValueError unless all numbers of a row are 0 to limit - 1."""
    if row.shape[0]:
        least, most = facts(row.min(), row.max())
        _check_ends(what, least, most, limit)


def check_ascending(what: str, row: Tensor, limit: int) -> None:
    """Raise ValueError unless the numbers of a row ascend, each at least 0 and below a limit."""
    if row.shape[0]:
        rises, least, most = facts((row[1:] > row[:-1]).all(), row[0], row[-1])
        if not rises:
            fault = f"{what} does not rise, expected ascending indices"
            raise ValueError(f"{fault}: sort it, take each word once")
        _check_ends(what, least, most, limit)


def _check_ends(what: str, least: int, most: int, limit: int) -> None:
    if least < 0 or most >= limit:
        seen = least if least < 0 else most
        raise ValueError(f"{what} holds {seen}, expected 0 to {limit - 1}")


def narrowest(most: int, *types: str) -> str:
    """Return the first of some integer types that can hold a number; otherwise the last of them."""
    return next((kind for kind in types if most <= np.iinfo(kind).max), types[-1])


def code_type(length: int) -> str:
    """Integer type of the marks of words of this length: int32 up to 19 letters, int64 up to 39.

    Raises:
        ValueError: longer words.
    """
    check_length(length)
    return "int32" if length <= NARROW else "int64"


def check_length(length: int) -> None:
    """Raise ValueError for words of more than 39 letters."""
    if length > LONGEST:
        fault = f"words of {length} letters, expected at most {LONGEST}"
        raise ValueError(f"{fault}: patterns would not fit 64 bits")
