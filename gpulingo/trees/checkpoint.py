"""Checkpoints: decision trees as files, keyed by the fingerprint of their list.

A checkpoint holds indices, no words; arrays and a header, nothing that runs when it is read. Which
strategy made the tree is the search's business.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Protocol

from gpulingo.games.catalogue import KNOWN, fault_of_name, find_game
from gpulingo.games.marks import NARROW
from gpulingo.storage import fields
from gpulingo.storage.files import SHORT, check_replaceable, file_bytes, replace_file
from gpulingo.storage.npz import MOST_FILE, Value, header_text, integers, npy, pack, parsed_header, unpack
from gpulingo.trees.tree import ARRAYS, FIELDS, LIMITS, WEIGHTS, Tree, check_counts, check_nodes
from gpulingo.words.listing import EMBEDDED_NAME, EMBEDDED_VERSION


class Words(Protocol):
    """Attributes of a list that a checkpoint reads."""

    @property
    def length(self) -> int: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def target_count(self) -> int: ...
    @property
    def weights(self) -> Sequence[int] | None: ...
    def weighed(self, weights: Sequence[int] | None, source: str) -> Words: ...
    def __len__(self) -> int: ...


FORMAT = 1
BEGINS = b"PK"  # as all zips
MEMBERS = ("header", *ARRAYS)
HEADER = {
    "format": fields.one_of(FORMAT),
    "game": fault_of_name,
    "nodes": fields.whole(1, 1 << 26),
    **{name: fields.whole(1, most) for name, most in LIMITS.items()},
    "targets": fields.whole(1, LIMITS["words"]),
    "fingerprint": fields.fingerprint,
    "strategy": fields.text,
    "mean_points": fields.decimal(),
    "bound": fields.or_none(fields.decimal()),
}


class CheckpointError(ValueError):
    """A checkpoint of another list, other rules or another format, or a damaged one.

    >>> read_checkpoint("missing.npz")
    Traceback (most recent call last):
    gpulingo.trees.checkpoint.CheckpointError: ...
    """


def kinds(length: int) -> dict[str, str]:
    """Type of every array of a tree of words of `length` letters, under the container's names."""
    return {"guess": "i4", "pattern": "i4" if length <= NARROW else "i8", "first": "i4", "hit": "u1"}


def check_fits(tree: Tree, wordlist: Words) -> None:
    """Check that a tree is for a list; one without weights may be that of a tree with weights.

    Raises:
        CheckpointError: the list has another length, fingerprint or number of words.
    """
    remedy = f"make it again with `gpulingo simulate --length {wordlist.length} --save PATH`"
    if tree.length != wordlist.length:
        raise CheckpointError(
            f"checkpoint is for {tree.length} letters, this list has {wordlist.length}; {remedy}"
        )
    ours = wordlist.fingerprint
    if tree.words == len(wordlist) and (tree.weights is not None or wordlist.weights is not None):
        carried = wordlist.weighed(tree.weights, "the checkpoint").fingerprint
        # The weights of a tree are those of its list, whatever its header says.
        ours = carried if wordlist.weights is None or carried != tree.fingerprint else ours
    if tree.fingerprint != ours:
        theirs, ours = tree.fingerprint[:SHORT], ours[:SHORT]
        which = f"this list is {ours}"
        if getattr(wordlist, "source", "") == EMBEDDED_NAME:
            which = f"the embedded list is {ours} since its version {EMBEDDED_VERSION}"
        raise CheckpointError(f"checkpoint is for list {theirs}, {which}; {remedy}")
    if tree.words != len(wordlist):
        raise CheckpointError(
            f"checkpoint is for {tree.words} words, this list has {len(wordlist)}; {remedy}"
        )
    if tree.targets != wordlist.target_count:
        raise CheckpointError(
            f"checkpoint is for {tree.targets} targets, this list has {wordlist.target_count}; {remedy}"
        )


def write_checkpoint(tree: Tree, path: str | os.PathLike[str], *, form: bytes = BEGINS) -> None:
    """Write a tree under a temporary name in the same folder, then rename it.

    Args:
        tree: the same tree gives the same bytes, whatever buffers hold its arrays.
        path: of the file, replaced when it is there.
        form: how a file begins that may be replaced; an empty one always may.
    Raises:
        CheckpointError: the tree breaks a rule of `Tree`, so that no reader would take it; or what is at the
            path is no file of arrays, and would be lost.
        OSError: the file cannot be written.

    >>> from tempfile import TemporaryDirectory
    >>> from gpulingo import simulate
    >>> with TemporaryDirectory() as folder:
    ...     tree = simulate(["dents", "dozes", "reads"]).tree
    ...     write_checkpoint(tree, f"{folder}/tree.npz")
    ...     read_checkpoint(f"{folder}/tree.npz") == tree
    True
    """
    try:
        data = tree_bytes(tree)
    except (ValueError, OverflowError, TypeError) as broken:
        raise CheckpointError(f"this tree cannot be written: it {broken}; build it again") from None
    try:
        check_replaceable(path, form)
    except ValueError as error:
        raise CheckpointError(str(error)) from None
    replace_file(os.fspath(path), data)


def read_checkpoint(
    path: str | os.PathLike[str],
    *,
    thorough: bool = True,
    remedy: str = "make it again with `gpulingo simulate --save`",
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

    >>> read_checkpoint("missing.npz")
    Traceback (most recent call last):
    gpulingo.trees.checkpoint.CheckpointError: cannot read checkpoint missing.npz: No such file or directory
    """
    name = os.fspath(path)
    try:
        return parsed_tree(file_bytes(name, MOST_FILE), thorough=thorough)
    except OSError as error:
        raise CheckpointError(f"cannot read checkpoint {name}: {error.strerror}") from None
    except ValueError as error:
        raise CheckpointError(f"checkpoint {name} {error}; {remedy}") from None


def tree_bytes(tree: Tree) -> bytes:
    """Return the file of a tree; the twin of `parsed_tree`."""
    header: dict[str, Value] = {name: getattr(tree, name) for name in FIELDS}
    header |= {"format": FORMAT, "game": tree.game.name, "turns": tree.turns, "nodes": len(tree)}
    if tree.targets == tree.words:  # not said, as it was not before other words could be guessed
        del header["targets"]
    members = [("header", npy(header_text(header).encode(), "u1"))]
    for name, kind in kinds(tree.length).items():
        members.append((name, npy(getattr(tree, name), kind)))
    if tree.weights is not None:
        members.append((WEIGHTS, npy(tree.weights, "i4")))
    data = pack(members)
    parsed_tree(data)  # what the reader would refuse is not written
    return data


def parsed_tree(data: bytes, *, thorough: bool = True) -> Tree:
    """Return the tree of a file's bytes.

    Raises:
        ValueError: what is wrong, to be read after the name of the file.
    """
    members = unpack(data, MEMBERS, (WEIGHTS,))
    header = checked_header(parsed_header(bytes(integers(members["header"], "u1")).decode()))
    nodes = header["nodes"]
    arrays: dict[str, Any] = {}
    for name, kind in kinds(header["length"]).items():
        arrays[name] = integers(members[name], kind, nodes + (name == "first"))
    if WEIGHTS in members:
        arrays[WEIGHTS] = integers(members[WEIGHTS], "i4", header["words"])
    header["game"] = find_game(header["game"], header["turns"])
    tree = Tree(**arrays, **{name: header[name] for name in FIELDS})
    check_counts(tree)
    if thorough:
        check_nodes(tree)
    return tree


def checked_header(header: dict[str, Any]) -> dict[str, Any]:
    """Return the header, its keys and the range of every value checked before anything is made of them.

    Raises:
        ValueError: what is wrong, to be read after the name of the file.
    """
    if header.get("format") != FORMAT:
        raise ValueError(f"has format {header.get('format')}, this gpulingo reads format {FORMAT}")
    if fault_of_name(header.get("game")):
        raise ValueError(f"is for the game {header.get('game')}, this gpulingo plays {KNOWN}")
    words = header.get("words")
    if header.get("targets", 0) == words:
        raise ValueError(f"has targets {words}, expected none where all words are")
    return fields.checked(header, HEADER, defaults={"targets": words})
