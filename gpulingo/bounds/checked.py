"""Progress of a certificate's check, as a file to resume from; checks nothing itself."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from hashlib import sha256
from typing import Any

import numpy as np
from torch import Tensor

from gpulingo.bounds.arrays import (
    Arrays,
    CertificateError,
    check_range,
    checked_row,
    digest_of,
    keys_as_array,
    keys_from_array,
    lists_as_arrays,
    lists_from_arrays,
    sealed_arrays,
    unsealed_arrays,
)
from gpulingo.bounds.certificate import Certificate, certificate_arrays
from gpulingo.bounds.supersets import Constraints, Key
from gpulingo.storage.files import file_bytes, replace_file
from gpulingo.trees.checkpoint import tree_bytes
from gpulingo.trees.tree import Tree
from gpulingo.words.shown import brief

CHECK = 1  # the number of the check: another one when what was found before is no longer enough
MOST_BYTES = 1 << 30  # a limit of memory: that a work file may unpack to; at 5 letters it takes 9 million
LISTS = ("all_openings", "two", "three", "searched", "three_turns")
REMEDY = "leave --resume out to begin with nothing"


@dataclass(eq=False)
class Checked:
    """Results of a check so far; the checker adds to them as it proceeds.

    Attributes:
        openings: whose bounds follow, of those that need more than the sizes of their classes.
        supersets: key -> what two turns find of the superset.
        all_openings: 0 -> [W] int64, classes that each opening makes; 1 -> [W] int64, its bound by size.
        two, three: opening -> [C] int64, what two and three turns find of each of its classes, by pattern.
        searched, three_turns: opening -> [C] bool: of the values that the certificate has under this name,
            those that hold.

    >>> Checked(openings={1, 2})
    Checked(2 openings, 0 supersets)
    """

    openings: set[int] = field(default_factory=set)
    supersets: dict[Key, int] = field(default_factory=dict)
    all_openings: dict[int, Tensor] = field(default_factory=dict)
    two: dict[int, Tensor] = field(default_factory=dict)
    three: dict[int, Tensor] = field(default_factory=dict)
    searched: dict[int, Tensor] = field(default_factory=dict)
    three_turns: dict[int, Tensor] = field(default_factory=dict)

    def __repr__(self) -> str:
        return brief("Checked", f"{len(self.openings):,} openings, {len(self.supersets):,} supersets")

    def joined(self, other: Checked) -> Checked:
        """Return the joint results of two checks of the same certificate."""
        return Checked(*(getattr(other, each.name) | getattr(self, each.name) for each in fields(self)))


def subject(certificate: Certificate, tree: Tree) -> dict[str, str]:
    """Return the sha256, as 64 hex digits, of each part of a check's subject; the list's fingerprint."""
    digests = (sha256(tree_bytes(tree)).digest(), digest_of(certificate_arrays(certificate)).tobytes())
    named = zip(("tree", "certificate"), (digest.hex() for digest in digests), strict=True)
    return {"list": certificate.fingerprint, **dict(named)}


def write_checked(path: str | os.PathLike[str], checked: Checked, of: Mapping[str, str]) -> None:
    """Write what a check has found; the twin of `read_checked`.

    Args:
        of: see `subject`.
    Raises:
        OSError: the file cannot be written.
    """
    keys = list(checked.supersets)
    arrays: Arrays = {
        "check": np.array([CHECK]),
        "openings": np.array(sorted(checked.openings), dtype=np.int64),
        "larger": keys_as_array(keys),
        "larger_found": np.array([checked.supersets[key] for key in keys], dtype=np.int64),
    }
    for name in LISTS:
        lists = getattr(checked, name).items()
        arrays |= lists_as_arrays(name, {opening: numbers.cpu().numpy() for opening, numbers in lists})
    arrays = {name: _small(array) for name, array in arrays.items()}
    arrays |= {f"of_{name}": np.frombuffer(digest.encode(), dtype=np.uint8) for name, digest in of.items()}
    replace_file(os.fspath(path), sealed_arrays(arrays))


def _small(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Whole numbers of at least -1 in the smallest type that holds them all."""
    return array.astype(np.min_scalar_type(-1 - int(array.max(initial=0))))


def read_checked(path: str | os.PathLike[str], of: Mapping[str, str], words: int) -> Checked:
    """Read the results of an earlier check of the same certificate, tree and list.

    They are believed: the digest detects damage, not who wrote the file.

    Args:
        of: see `subject`.
        words: of the list.
    Raises:
        CertificateError: no such file, damaged, of something else, or of another check.
    """
    try:
        return _parsed(file_bytes(path, MOST_BYTES), of, words)
    except OSError as error:
        reason = f"cannot be read ({error.strerror})"
    except KeyError as error:
        reason = f"lacks {error}, it is no work file of `gpulingo prove`"
    except ValueError as error:
        reason = str(error)
    raise CertificateError(f"{os.fspath(path)} {reason}: {REMEDY}")


def _parsed(data: bytes, of: Mapping[str, str], words: int) -> Checked:
    try:
        arrays = unsealed_arrays(data, MOST_BYTES)
    except ValueError as error:
        raise ValueError(f"is damaged, or no work file of `gpulingo prove` ({error})") from None
    version = int(checked_row("check", arrays["check"], "i", 1)[0])
    if version != CHECK:
        raise ValueError(f"is of check {version}, this gpulingo resumes from check {CHECK}")
    for name, digest in of.items():
        theirs = bytes(checked_row(f"of_{name}", arrays[f"of_{name}"], "u", 64)).decode(errors="replace")
        if theirs != digest:
            raise ValueError(f"is for another {name} ({theirs[:12]}, this one is {digest[:12]})")
    openings = checked_row("openings", arrays["openings"], "i")
    check_range("openings", openings, 0, words - 1)
    keys = keys_from_array(arrays["larger"])
    counts = checked_row("larger_found", arrays["larger_found"], "i", len(keys))
    lists = {name: lists_from_arrays(name, arrays, words) for name in LISTS}
    holds = {name: {key: flags.bool() for key, flags in lists[name].items()} for name in LISTS[3:]}
    supersets = dict(zip(keys, counts.tolist(), strict=True))
    return Checked(set(openings.tolist()), supersets, **(lists | holds))


def check_known(checked: Checked, constraints: Constraints, classes: list[int]) -> None:
    """Check that what was found before is of sets that there are; the numbers are believed.

    Args:
        classes: how many each opening makes of the list, its own left out.
    Raises:
        CertificateError: it is not.
    """
    check_supersets(checked.supersets, constraints, REMEDY)
    for name in ("two", "three"):
        for opening, numbers in getattr(checked, name).items():
            if len(numbers) != classes[opening]:
                seen = f"{len(numbers)} classes of the opening at place {opening}, it has {classes[opening]}"
                raise CertificateError(f"what was checked before has {seen}: {REMEDY}")


def check_supersets(keys: Iterable[Key], constraints: Constraints, remedy: str) -> None:
    """Check that supersets are of constraints that there are, and hold words.

    Raises:
        CertificateError: one does not.
    """
    for key in keys:
        if max(key) >= constraints.count or constraints.size(key) == 0:
            raise CertificateError(f"names constraints {key}, which hold for no word: {remedy}")
