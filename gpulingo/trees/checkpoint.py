"""Decision trees as files: checkpoints, and a file for a page.

A checkpoint has indices, not words; arrays and a header, nothing that runs when it is read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from gpulingo.games.catalogue import KNOWN, fault_of_name, find_game
from gpulingo.games.marks import NARROW
from gpulingo.storage import fields
from gpulingo.storage.faults import MAKE_AGAIN, MAKE_FOR_LIST, Fault
from gpulingo.storage.files import SHORT, check_replaceable, file_bytes, replace_file
from gpulingo.storage.npz import MOST_FILE, Value, header_text, integers, npy, pack, parsed_header, unpack
from gpulingo.trees.tree import ARRAYS, FIELDS, LIMITS, WEIGHTS, Tree, check_counts, check_nodes
from gpulingo.words.listing import EMBEDDED_NAME, EMBEDDED_VERSION

T = TypeVar("T")


class Words(Protocol):
    """Attributes of a list that a checkpoint needs."""

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


BEST = "best"  # name, among strategies, of the best stored tree
WIDTHS = {"B": 8, "H": 16, "I": 32}  # codes of whole numbers for `struct` and `array`, and their bits
FORMAT = 1
BEGINS = b"PK"  # as all zip files
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


class CheckpointError(Fault):
    """A checkpoint of another list, other rules or another format, or a damaged one.

    >>> read_checkpoint("missing.npz")
    Traceback (most recent call last):
    gpulingo.trees.checkpoint.CheckpointError: ...
    """


def kinds(length: int) -> dict[str, str]:
    """Return the type of every array of a tree of words of `length` letters, by name in the container."""
    return {"guess": "i4", "pattern": "i4" if length <= NARROW else "i8", "first": "i4", "hit": "u1"}


def check_fits(tree: Any, wordlist: Words) -> None:
    """Check that a tree or a book is for a list; a list without weights may take them from the tree."""
    what, ours = "", wordlist.fingerprint
    if tree.words == len(wordlist) and (tree.weights is not None or wordlist.weights is not None):
        carried = wordlist.weighed(tree.weights, "the checkpoint").fingerprint
        # The weights of a tree must be those of its list, whatever its header says.
        ours = carried if wordlist.weights is None or carried != tree.fingerprint else ours
    if tree.length != wordlist.length:
        what = f"{tree.length} letters, this list has {wordlist.length}"
    elif tree.fingerprint != ours:
        theirs, ours = tree.fingerprint[:SHORT], ours[:SHORT]
        which = f"this list is {ours}"
        if getattr(wordlist, "source", "") == EMBEDDED_NAME:
            which = f"the embedded list is {ours} since its version {EMBEDDED_VERSION}"
        what = f"list {theirs}, {which}"
    elif tree.words != len(wordlist):
        what = f"{tree.words} words, this list has {len(wordlist)}"
    elif tree.targets != wordlist.target_count:
        what = f"{tree.targets} targets, this list has {wordlist.target_count}"
    if what:
        raise CheckpointError(f"checkpoint is for {what}", MAKE_FOR_LIST, length=wordlist.length)


def write_checkpoint(tree: Tree, path: str | os.PathLike[str], *, form: bytes = BEGINS) -> None:
    """Write a tree under a temporary name in the same folder, then rename it.

    Args:
        tree: the same tree gives the same bytes, whatever buffers hold its arrays.
        path: the file, replaced if it exists.
        form: first bytes of a file that may be replaced; an empty file always may.
    Raises:
        CheckpointError: the tree breaks a rule of `Tree`, so that no reader would accept it; or the file at
            the path is not a file of arrays, and would be lost.
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
    write_stored(path, data, form)


def write_stored(path: str | os.PathLike[str], data: bytes, form: bytes = BEGINS) -> None:
    """Write the bytes of a tree or a book; for arguments and errors see `write_checkpoint`."""
    try:
        check_replaceable(path, form)
    except ValueError as error:
        raise CheckpointError(error) from None
    replace_file(os.fspath(path), data)


def read_checkpoint(path: str | os.PathLike[str], *, thorough: bool = True, remedy: str = MAKE_AGAIN) -> Tree:
    """Read a tree.

    Args:
        path: the file. remedy: what to do about a damaged one.
        thorough: check every node. Without it every byte is still checked, and levels and counts against
            the header; the player has no time for more, and checks the few nodes that it uses.
    Returns:
        A tree whose arrays are read-only views of the file's bytes.
    Raises:
        CheckpointError: no such file, or a byte, type, shape or structure that `write_checkpoint` does not
            write; one line that names the file.

    >>> read_checkpoint("missing.npz")
    Traceback (most recent call last):
    gpulingo.trees.checkpoint.CheckpointError: cannot read checkpoint missing.npz: No such file or directory
    """
    return read_stored(path, lambda data: parsed_tree(data, thorough=thorough), remedy)


def read_stored(path: str | os.PathLike[str], parse: Callable[[bytes], T], remedy: str = MAKE_AGAIN) -> T:
    """Return what `parse` makes of the bytes of a file; CheckpointError, in one line, names the file."""
    name = os.fspath(path)
    try:
        return parse(file_bytes(name, MOST_FILE))
    except OSError as error:
        raise CheckpointError(f"cannot read checkpoint {name}: {error.strerror}") from None
    except ValueError as error:
        raise CheckpointError(f"checkpoint {name} {error}", remedy) from None


def tree_bytes(tree: Tree) -> bytes:
    """Return the file of a tree; the inverse of `parsed_tree`."""
    members = [("header", header_bytes(tree, FIELDS, nodes=len(tree)))]
    members += [(name, npy(getattr(tree, name), kind)) for name, kind in kinds(tree.length).items()]
    if tree.weights is not None:
        members.append((WEIGHTS, npy(tree.weights, "i4")))
    data = pack(members)
    parsed_tree(data)  # raises for a file that the reader would refuse
    return data


def parsed_tree(data: bytes, *, thorough: bool = True) -> Tree:
    """Return the tree of a file's bytes; the header is checked before the arrays are used."""
    members = unpack(data, MEMBERS, (WEIGHTS,))
    header = checked_header(members["header"], HEADER)
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


def header_bytes(owner: Any, names: Iterable[str], **more: Value) -> bytes:
    """Return the array of the header of a tree or a book, with these of its fields and more."""
    header: dict[str, Value] = {name: getattr(owner, name) for name in names} | more
    header |= {"format": FORMAT, "game": owner.game.name, "turns": owner.game.turns}
    if owner.targets == owner.words:  # omitted, as in files from before other words could be guessed
        del header["targets"]
    return npy(header_text(header).encode(), "u1")


def checked_header(data: bytes, expected: Mapping[str, fields.Check]) -> dict[str, Any]:
    """Return the fields of a header from the bytes of its array; the inverse of `header_bytes`."""
    header: dict[str, Any] = parsed_header(bytes(integers(data, "u1")).decode())
    if header.get("format") != FORMAT:
        raise ValueError(f"has format {header.get('format')}, this gpulingo reads format {FORMAT}")
    if fault_of_name(header.get("game")):
        raise ValueError(f"is for the game {header.get('game')}, this gpulingo plays {KNOWN}")
    words = header.get("words")
    if header.get("targets", 0) == words:
        raise ValueError(f"has targets {words}, expected none where all words are")
    return fields.checked(header, {**expected, "targets": (expected["targets"], words)})


def packed(tree: Tree, fields: Mapping[str, Any], more: Mapping[str, Sequence[int]]) -> bytes:
    """Return a tree with more fields and arrays as the bytes of a file that browsers read.

    The header comes after its length in 4 bytes; `arrays` in it lists each array's name, bytes per number and
    length, the widest first. Patterns of roots are 0.

    Args:
        tree: of a game without a given letter.
        fields: of the header. more: more arrays, of numbers from 0.
    """
    import json  # here, because the light path writes no such files
    from struct import pack

    rows: dict[str, Sequence[int]] = {
        "guess": tree.guess, "pattern": [max(0, int(code)) for code in tree.pattern], "first": tree.first,
        "hit": tree.hit, **more,
    }  # fmt: skip
    codes = {
        name: next(c for c, bits in WIDTHS.items() if max(row) < 1 << bits) for name, row in rows.items()
    }
    order = sorted(rows, key=lambda name: -WIDTHS[codes[name]])
    sizes = [(name, WIDTHS[codes[name]] // 8, len(rows[name])) for name in order]
    header = json.dumps({**fields, "arrays": sizes}, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 4)
    arrays = [pack(f"<{len(rows[name])}{codes[name]}", *map(int, rows[name])) for name in order]
    return b"".join([len(header).to_bytes(4, "little"), header, *arrays])
