"""Named arrays as npz files, for certificates and saved searches; contents are checked, never trusted."""

from __future__ import annotations

import io
import math
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from gpulingo.storage.faults import PROVE_AGAIN, Fault
from gpulingo.storage.files import file_bytes, replace_file
from gpulingo.storage.npz import ContainerError, members
from gpulingo.tensors.arrays import Array, parts_of

# A limit of memory: bytes that a certificate may unpack to. The largest in checkpoints/ takes 3.2 million.
MOST_BYTES = 1 << 28
Arrays = dict[str, Array]
Limits = tuple[int, int]  # least and greatest number


class CertificateError(Fault):
    """A certificate of another list or game, a damaged one, or one that does not hold.

    >>> from gpulingo import find_words, read_certificate
    >>> read_certificate("missing.bounds.npz", find_words(5))
    Traceback (most recent call last):
    gpulingo.bounds.arrays.CertificateError: ...
    """


def lists_as_arrays(name: str, lists: Mapping[int, Any]) -> Arrays:
    """Numbers by opening as three arrays: openings, how many numbers each has, and the numbers."""
    openings = sorted(lists)
    numbers = np.concatenate([*(lists[opening] for opening in openings), np.empty(0)])
    return {
        name: np.array(openings, dtype=np.int64),
        f"{name}_sizes": np.array([len(lists[opening]) for opening in openings], dtype=np.int64),
        f"{name}_values": numbers.astype(np.int64),
    }


class Rows:
    """Named arrays from a file, each checked as it is taken; ValueError: missing, or of another form."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self._arrays = arrays

    def array(self, name: str) -> Array:
        if name not in self._arrays:
            raise ValueError(f"lacks {name}")
        return np.asarray(self._arrays[name])

    def row(self, name: str, kind: str, size: int | None = None, limits: Limits | None = None) -> Array:
        """Return an array of one dimension, a dtype of this kind, this size and numbers within the limits."""
        row = self.array(name)
        if row.ndim != 1 or row.dtype.kind != kind or size not in (None, len(row)):
            expected = f"one row of {'any number' if size is None else size} of kind {kind}"
            raise ValueError(f"has {name} as {row.dtype} {list(row.shape)}, expected {expected}")
        least, most = limits or (-math.inf, math.inf)
        for number in (row.min(), row.max()) if row.size else ():
            if not least <= number <= most:
                raise ValueError(f"has {name} {number}, expected {least} to {most}")
        return row

    def text(self, name: str, size: int | None = None) -> str:
        return bytes(self.row(name, "u", size).astype(np.uint8)).decode(errors="replace")

    def format(self, ours: int, size: int) -> list[int]:
        """Return the numbers of `format` after the version, which is ours."""
        version, *numbers = self.row("format", "i", size).tolist()
        if version != ours:
            raise ValueError(f"has the format {version}, this gpulingo reads {ours}")
        return numbers

    def lists(self, name: str, words: int, limits: Limits) -> dict[int, Array]:
        """Return numbers by opening, the inverse of `lists_as_arrays`."""
        openings, sizes = (self.row(part, "i") for part in (name, f"{name}_sizes"))
        values = self.row(f"{name}_values", "i", limits=limits)
        # Each size is at most the number of values, so that their sum cannot overflow int64.
        fit = openings.shape == sizes.shape and bool(((sizes >= 0) & (sizes <= len(values))).all())
        rises = bool((openings[1:] > openings[:-1]).all())
        inside = len(openings) == 0 or (openings[0] >= 0 and openings[-1] < words)
        if not fit or sizes.sum() != len(values) or not rises or not inside:
            raise ValueError(f"has arrays {name} that do not fit {words} words")
        return dict(zip(openings.tolist(), parts_of(values.astype(np.int64), sizes.tolist()), strict=True))


def write_arrays(path: str | os.PathLike[str], arrays: Mapping[str, Any]) -> None:
    """Write named arrays as npz, under a temporary name first."""
    replace_file(os.fspath(path), packed_arrays(arrays))


def packed_arrays(arrays: Mapping[str, Any]) -> bytes:
    """Named arrays as the bytes of an npz file: the same for the same arrays."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def read_arrays(path: str | os.PathLike[str], most: int = MOST_BYTES) -> Arrays:
    """Read named arrays; nothing in the file is run. CertificateError: no file, or no npz of plain arrays.

    A file that declares more than `most` bytes for all arrays is refused before any is unpacked.
    """
    try:
        return {name: _array(npy) for name, npy in members(file_bytes(path, most), most)}
    except Exception as error:  # numpy raises many kinds of errors for a damaged header
        reason = " ".join(str(error).split()) or type(error).__name__
        reason = f"it {reason}" if isinstance(error, ContainerError) else reason
        raise CertificateError(f"cannot read {os.fspath(path)} ({reason})", PROVE_AGAIN) from None


def _array(data: bytes) -> Array:
    """Return the array of a .npy file; memory is allocated by the data present, never by the header."""
    file = io.BytesIO(data)
    if np.lib.format.read_magic(file) != (1, 0):
        raise ValueError("an array is of another version of npy")
    shape, by_column, dtype = np.lib.format.read_array_header_1_0(file)
    rest = len(data) - file.tell()
    if dtype.kind not in "biuf" or by_column or math.prod(shape) * dtype.itemsize != rest:
        raise ValueError(f"an array says that it is {dtype} {list(shape)}, it has {rest} bytes")
    return np.frombuffer(data, dtype, offset=file.tell()).reshape(shape).copy()
