"""Checkpoints: decision trees as files, keyed by the fingerprint of their list.

A checkpoint holds indices, no words; arrays and a header, nothing that runs when it is read. Which
strategy made the tree is the search's business.
"""

from __future__ import annotations

import os

from gpulingo.games.catalogue import LINGO
from gpulingo.storage.header import header_text, parsed_header
from gpulingo.storage.npz import MOST_FILE, file_bytes, integers, npy, pack, replace_file, unpack
from gpulingo.trees.checks import check_counts, check_nodes
from gpulingo.trees.tree import ARRAYS, FIELDS, LIMITS, NARROW_LENGTH, Tree

TYPE_CHECKING = False  # not typing's: importing it costs the light path more than reading a checkpoint
if TYPE_CHECKING:
    from typing import Any, Protocol

    from gpulingo.storage.header import Value

    class Words(Protocol):
        """What a checkpoint asks of a list."""

        @property
        def length(self) -> int: ...
        @property
        def fingerprint(self) -> str: ...
        def __len__(self) -> int: ...


FORMAT = 1
MEMBERS = ("header", *ARRAYS)
MOST = {**LIMITS, "nodes": 1 << 26}
SHORT = 12  # digits of a fingerprint in names and messages
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Where to look for what is kept for a list: the user's own folders, then those of an installed package, then
# those of a checkout.
FOLDERS = (
    ".",
    "checkpoints",
    os.path.join(PACKAGE, "checkpoints"),
    os.path.join(os.path.dirname(PACKAGE), "checkpoints"),
)


class CheckpointError(ValueError):
    """The checkpoint is of another list, other rules or another format, or damaged."""


def kinds(length: int) -> dict[str, str]:
    """Type of every array of a tree of words of `length` letters, under the container's names."""
    return {"guess": "i4", "pattern": "i4" if length <= NARROW_LENGTH else "i8", "first": "i4", "hit": "u1"}


def file_name(game: str, length: int, fingerprint: str) -> str:
    """Name of the checkpoint of a game and a list, without a folder."""
    return f"{game}-{length}-{fingerprint[:SHORT]}.npz"


def check_fits(tree: Tree, wordlist: Words) -> None:
    """Check that a tree is for a list.

    Raises:
        CheckpointError: the list has another length, fingerprint or number of words.
    """
    remedy = f"rebuild with `gpulingo build --length {wordlist.length}`"
    if tree.length != wordlist.length:
        raise CheckpointError(
            f"checkpoint is for {tree.length} letters, this list has {wordlist.length}; {remedy}"
        )
    if tree.fingerprint != wordlist.fingerprint:
        theirs, ours = tree.fingerprint[:SHORT], wordlist.fingerprint[:SHORT]
        raise CheckpointError(f"checkpoint is for list {theirs}, this list is {ours}; {remedy}")
    if tree.words != len(wordlist):
        raise CheckpointError(
            f"checkpoint is for {tree.words} words, this list has {len(wordlist)}; {remedy}"
        )


def write_checkpoint(tree: Tree, path: str | os.PathLike[str]) -> None:
    """Write a tree under a temporary name in the same folder, then rename it.

    Args:
        tree: the same tree gives the same bytes, whatever buffers hold its arrays.
        path: of the file, replaced when it is there.
    Raises:
        CheckpointError: the tree breaks a rule of `Tree`, so that no reader would take it.
        OSError: the file cannot be written.
    """
    try:
        data = tree_bytes(tree)
    except (ValueError, OverflowError, TypeError) as broken:
        raise CheckpointError(f"this tree cannot be written: it {broken}; build it again") from None
    replace_file(os.fspath(path), data)


def read_checkpoint(
    path: str | os.PathLike[str],
    *,
    thorough: bool = True,
    remedy: str = "build it again with `gpulingo build`",
) -> Tree:
    """Read a tree.

    Args:
        path: of the file. remedy: what to do about a damaged one.
        thorough: look at every node. Without it every byte is still checked, and levels and counts against
            the header; that is what the player can afford, who sees whether the few nodes it needs are sound.
    Returns:
        A tree whose arrays are read-only views of the file's bytes.
    Raises:
        CheckpointError: no such file, or any byte, type, shape or structure that `write_checkpoint` would not
            have written; one line that names the file.
    """
    name = os.fspath(path)
    try:
        return parsed_tree(file_bytes(name, MOST_FILE), thorough=thorough)
    except OSError as error:
        raise CheckpointError(f"cannot read checkpoint {name}: {error.strerror}") from None
    except ValueError as error:
        raise CheckpointError(f"checkpoint {name} {error}; {remedy}") from None


def tree_bytes(tree: Tree) -> bytes:
    """The file of a tree; the twin of `parsed_tree`."""
    header: dict[str, Value] = {name: getattr(tree, name) for name in FIELDS}
    header |= {"format": FORMAT, "nodes": len(tree)}
    members = [("header", npy(header_text(header).encode(), "u1"))]
    for name, kind in kinds(tree.length).items():
        members.append((name, npy(getattr(tree, name), kind)))
    data = pack(members)
    parsed_tree(data)  # what the reader would refuse is not written
    return data


def parsed_tree(data: bytes, *, thorough: bool = True) -> Tree:
    """The tree of a file's bytes.

    Raises:
        ValueError: what is wrong, to be read after the name of the file.
    """
    members = unpack(data, MEMBERS)
    header: dict[str, Any] = parsed_header(bytes(integers(members["header"], "u1")).decode())
    check_header(header)
    nodes = header["nodes"]
    arrays: dict[str, Any] = {}
    for name, kind in kinds(header["length"]).items():
        arrays[name] = integers(members[name], kind, nodes + (name == "first"))
    tree = Tree(**arrays, **{name: header[name] for name in FIELDS})
    check_counts(tree)
    if thorough:
        check_nodes(tree)
    return tree


def check_header(header: dict[str, Any]) -> None:
    """Check the header's keys and the range of every value, before anything is made of them.

    Raises:
        ValueError: what is wrong, to be read after the name of the file.
    """
    if header.get("format") != FORMAT:
        raise ValueError(f"has format {header.get('format')}, this gpulingo reads format {FORMAT}")
    if header.get("game") != LINGO:
        raise ValueError(f"is for the game {header.get('game')}, this gpulingo plays {LINGO}")
    if header.keys() != {*FIELDS, "format", "nodes"}:
        raise ValueError(f"has the header keys {', '.join(header)}")
    for name, most in MOST.items():
        value = header[name]
        if type(value) is not int or not 1 <= value <= most:
            raise ValueError(f"declares {name} {value}, expected 1 to {most}")
    if len(str(header["fingerprint"])) != 64 or str(header["fingerprint"]).strip("0123456789abcdef"):
        raise ValueError(f"has the fingerprint {header['fingerprint']}, expected 64 hex digits")
    if type(header["strategy"]) is not str or type(header["mean_points"]) is not float:
        raise ValueError("has a strategy that is no text or mean points that are no decimal number")
    if header["bound"] is not None and type(header["bound"]) is not float:
        raise ValueError(f"has the bound {header['bound']}, expected a decimal number or null")
