"""The certificate of a bound: for every opening what it is at most, and what that rests on; as a file.

How it is checked is in `prove`.
"""

from __future__ import annotations

import io
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import numpy as np
import torch
from torch import Tensor

from gpulingo.bounds.constraints import Key
from gpulingo.bounds.evidence import OpeningBounds
from gpulingo.storage.files import file_bytes, replace_file
from gpulingo.words.listing import WordList

FORMAT = 3
BEFORE = 2  # without larger sets
MOST_TURNS = 255
# Bytes that a certificate may unpack to; the largest of those in checkpoints/ takes 3.2 million.
MOST_BYTES = 1 << 28
MOST_ARRAYS = 64
MOST_FACT = 1 << 20
Arrays = dict[str, np.ndarray[Any, Any]]


class CertificateError(ValueError):
    """The certificate is of another list or game, damaged, or says what does not hold."""


@dataclass(frozen=True, eq=False)
class Certificate:
    """Bounds of all W openings of a list.

    Attributes:
        fingerprint: of the list. turns: of a round.
        bounds: [W] int64, turns summed over the words: no strategy that begins with this word has more.
        looked: [W] int32: so many classes, from the largest down, are bounded by the most classes that any
            guess makes of them; the others by their size.
        twofold: [W] bool: bounded by what two turns find of the classes of all openings.
        near: opening -> openings whose classes, looked at in whole, bound those of this one.
        searched: opening -> [C] int64, bounds of all its classes in the order of their patterns; these
            openings rest on them instead.
        larger: sets given by facts; what two turns find of them bounds the classes inside them.
    """

    fingerprint: str
    turns: int
    bounds: Tensor
    looked: Tensor
    twofold: Tensor
    near: Mapping[int, list[int]]
    searched: Mapping[int, Tensor]
    larger: Sequence[Key] = ()

    @property
    def bound(self) -> int:
        """No strategy has more, in turns summed over the words."""
        return int(self.bounds.max())


def certificate_of(wordlist: WordList, held: OpeningBounds) -> Certificate:
    """The certificate of bounds as they are now."""
    return parsed_certificate(certificate_arrays(wordlist, held))


def certificate_arrays(wordlist: WordList, held: OpeningBounds | Certificate) -> Arrays:
    """A certificate as named arrays; the twin of `parsed_certificate`."""
    arrays: Arrays = {
        "format": np.array([FORMAT, held.turns, len(wordlist)], dtype=np.int64),
        "fingerprint": np.frombuffer(wordlist.fingerprint.encode(), dtype=np.uint8),
        "bounds": held.bounds.cpu().numpy(),
        "looked": held.looked.cpu().numpy(),
        "twofold": held.twofold.cpu().numpy(),
        "larger": keys_as_array(list(held.larger)),
    }
    searched = {one: found.cpu().numpy() for one, found in held.searched.items()}
    return arrays | lists_as_arrays("near", held.near) | lists_as_arrays("searched", searched)


def keys_as_array(keys: Sequence[Key]) -> np.ndarray[Any, Any]:
    """[P, K] int64: the facts of each key, -1 where it has no more; `keys_from_array` is its twin."""
    made = np.full((len(keys), max(map(len, keys), default=1)), -1, dtype=np.int64)
    for row, key in zip(made, keys, strict=True):
        row[: len(key)] = key
    return made


def keys_from_array(array: np.ndarray[Any, Any]) -> list[Key]:
    """Keys from what `keys_as_array` made.

    Raises:
        ValueError: it is no such array.
    """
    if array.ndim != 2 or array.dtype.kind != "i" or bool((array[:, :1] < 0).any()) or 0 in array.shape[1:]:
        raise ValueError(f"has larger sets as {array.dtype} {list(array.shape)}, expected [P, K] integers")
    if bool((array > MOST_FACT).any()):
        raise ValueError(f"has larger sets of facts up to {array.max()}, expected at most {MOST_FACT}")
    return [tuple(fact for fact in row if fact >= 0) for row in array.tolist()]


def lists_as_arrays(name: str, lists: Mapping[int, Any]) -> Arrays:
    """Numbers by opening as three arrays: openings, how many numbers each has, and the numbers."""
    openings = sorted(lists)
    return {
        name: np.array(openings, dtype=np.int64),
        f"{name}_sizes": np.array([len(lists[one]) for one in openings], dtype=np.int64),
        f"{name}_values": np.concatenate([*(lists[one] for one in openings), np.empty(0)]).astype(np.int64),
    }


def lists_from_arrays(name: str, arrays: Mapping[str, Any], words: int) -> dict[int, Tensor]:
    """Numbers by opening, the twin of `lists_as_arrays`.

    Raises:
        ValueError: they do not fit each other, or the list.
    """
    names = (name, f"{name}_sizes", f"{name}_values")
    openings, sizes, values = (_row(one, arrays[one], "i") for one in names)
    # No size is beyond all of them, so that their sum does not pass 63 bits.
    fit = openings.shape == sizes.shape and bool(((sizes >= 0) & (sizes <= len(values))).all())
    rises = bool((openings[1:] > openings[:-1]).all())
    inside = len(openings) == 0 or (openings[0] >= 0 and openings[-1] < words)
    if not fit or sizes.sum() != len(values) or not rises or not inside:
        raise ValueError(f"has arrays {name} that do not fit {words} words")
    cut = np.split(values.astype(np.int64), np.cumsum(sizes.astype(np.int64))[:-1])
    return {one: torch.from_numpy(some) for one, some in zip(openings.tolist(), cut, strict=False)}


def _row(name: str, array: Any, kinds: str, size: int | None = None) -> np.ndarray[Any, Any]:
    """An array of one dimension, of these kinds of numbers, and of that size.

    Raises:
        ValueError: it is another.
    """
    found = np.asarray(array)
    if found.ndim != 1 or found.dtype.kind not in kinds or size not in (None, len(found)):
        expected = f"one row of {'any number' if size is None else size} of kind {' or '.join(kinds)}"
        raise ValueError(f"has {name} as {found.dtype} {list(found.shape)}, expected {expected}")
    return found


def check_range(name: str, numbers: Any, least: int, most: int) -> None:
    """Raise ValueError unless numbers are `least` to `most`."""
    found = np.asarray(numbers)
    if found.size and (found.min() < least or found.max() > most):
        seen = found.min() if found.min() < least else found.max()
        raise ValueError(f"has {name} {seen}, expected {least} to {most}")


def parsed_certificate(arrays: Mapping[str, Any]) -> Certificate:
    """A certificate from its arrays.

    Raises:
        ValueError: they are not what `certificate_arrays` makes.
    """
    lists = [name + part for name in ("near", "searched") for part in ("", "_sizes", "_values")]
    names = ("format", "fingerprint", "bounds", "looked", "twofold", *lists)
    missing = [name for name in names if name not in arrays]
    of = _row("format", arrays["format"], "i", 3).tolist() if "format" in arrays else None
    if of and of[0] not in (BEFORE, FORMAT):
        raise ValueError(f"has the format {of[0]}, this gpulingo reads {BEFORE} and {FORMAT}")
    if of and of[0] == FORMAT and "larger" not in arrays:
        missing.append("larger")
    if of is None or missing:
        raise ValueError(f"lacks {', '.join(missing)}")
    _, turns, words = of
    check_range("turns", turns, 1, MOST_TURNS)
    bounds, looked = (_row(name, arrays[name], "i", words) for name in ("bounds", "looked"))
    check_range("bounds", bounds, 0, turns * words)
    check_range("looked", looked, 0, words)
    twofold = _row("twofold", arrays["twofold"], "b", words)
    near = lists_from_arrays("near", arrays, words)
    if any(bool(((others < 0) | (others >= words)).any()) for others in near.values()):
        raise ValueError(f"names openings beyond {words} words")
    searched = lists_from_arrays("searched", arrays, words)
    for claims in searched.values():
        check_range("values of classes", claims, 0, turns * words)
    if np.asarray(arrays["fingerprint"]).dtype != np.uint8:
        raise ValueError("has a fingerprint that is no text")
    return Certificate(
        bytes(_row("fingerprint", arrays["fingerprint"], "u", 64)).decode(errors="replace"),
        turns,
        torch.from_numpy(bounds.astype(np.int64)),
        torch.from_numpy(looked.astype(np.int32)),
        torch.from_numpy(twofold),
        {one: others.tolist() for one, others in near.items()},
        searched,
        keys_from_array(np.asarray(arrays["larger"])) if "larger" in arrays else (),
    )


def write_arrays(path: str | os.PathLike[str], arrays: Mapping[str, Any]) -> None:
    """Write named arrays as npz, under a temporary name first.

    Raises:
        OSError: the file cannot be written.
    """
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    replace_file(os.fspath(path), buffer.getvalue())


def read_arrays(path: str | os.PathLike[str], most: int = MOST_BYTES) -> Arrays:
    """Read named arrays; nothing in the file is run.

    Args:
        most: bytes that all arrays may take; a file that declares more is refused before any is unpacked.
    Raises:
        CertificateError: there is no such file, or it is no npz of plain arrays.
    """
    try:
        data = file_bytes(path, most)
        if not data.startswith(b"PK"):
            raise ValueError("it is no npz file")
        # From memory: of a damaged file numpy would leave the handle open.
        with ZipFile(io.BytesIO(data)) as file:
            members = file.infolist()
            declared = sum(member.file_size for member in members)
            if declared > most or len(members) > MOST_ARRAYS:
                seen = f"it declares {declared:,} bytes in {len(members)} arrays"
                raise ValueError(f"{seen}, the most is {most:,} in {MOST_ARRAYS}")
            if any(member.compress_type not in (ZIP_STORED, ZIP_DEFLATED) for member in members):
                raise ValueError("it is not compressed as npz files are")
            return {member.filename.removesuffix(".npy"): _array(file.read(member)) for member in members}
    except Exception as error:  # numpy and zipfile raise many kinds over a damaged file
        reason = " ".join(str(error).split()) or type(error).__name__
        raise CertificateError(
            f"cannot read {os.fspath(path)} ({reason}): make it with `gpulingo solve`"
        ) from None


def _array(data: bytes) -> np.ndarray[Any, Any]:
    """The plain array of a .npy file; memory is taken for what is there, not for what the header says.

    Raises:
        ValueError: it is none.
    """
    file = io.BytesIO(data)
    if np.lib.format.read_magic(file) != (1, 0):
        raise ValueError("an array is of another version of npy")
    shape, by_column, dtype = np.lib.format.read_array_header_1_0(file)
    rest = len(data) - file.tell()
    if dtype.kind not in "biuf" or by_column or math.prod(shape) * dtype.itemsize != rest:
        raise ValueError(f"an array says that it is {dtype} {list(shape)}, it has {rest} bytes")
    return np.frombuffer(data, dtype, offset=file.tell()).reshape(shape).copy()


def read_certificate(path: str | os.PathLike[str], wordlist: WordList) -> Certificate:
    """Read the certificate of a list.

    Raises:
        CertificateError: no such file, damaged, or of another list.
    """
    try:
        found = parsed_certificate(read_arrays(path))
    except CertificateError:
        raise
    except ValueError as error:
        raise CertificateError(f"{os.fspath(path)} {error}: make it with `gpulingo solve`") from None
    if found.fingerprint != wordlist.fingerprint:
        theirs, ours = found.fingerprint[:12], wordlist.fingerprint[:12]
        raise CertificateError(f"{os.fspath(path)} is for list {theirs}, this list is {ours}: name its list")
    if len(found.bounds) != len(wordlist):
        raise CertificateError(
            f"{os.fspath(path)} has {len(found.bounds):,} words, its list {len(wordlist):,}"
        )
    return found
