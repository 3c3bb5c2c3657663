"""A tree and its words in one file, for a page: a header in JSON, then arrays of little-endian numbers."""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Mapping, Sequence
from typing import Any

from gpulingo.trees.tree import Tree
from gpulingo.words.wordlist import WordList

WIDTHS = {4: "I", 2: "H", 1: "B"}  # bytes of a number, and the code of an array of such


def packed(
    tree: Tree, words: WordList, fields: Mapping[str, Any], more: Mapping[str, Sequence[int]]
) -> bytes:
    """Return a tree and its words as the bytes of a file.

    The header has its length in 4 bytes before it; `arrays` in it names each array, the bytes of a number,
    and how many follow, the widest first. Patterns of roots are 0.

    Args:
        tree: of a game that gives no letter. words: that it was made for.
        fields: of the header, beside words and arrays. more: other arrays.
    """
    own = set(words.targets)
    rows: dict[str, Sequence[int]] = {
        "guess": tree.guess, "pattern": [max(0, int(code)) for code in tree.pattern], "first": tree.first,
        "hit": tree.hit, "target": [word in own for word in words.words], **more,
    }  # fmt: skip
    arrays = {name: array(WIDTHS[_width(row)], map(int, row)) for name, row in rows.items()}
    order = sorted(arrays, key=lambda name: -arrays[name].itemsize)
    sizes = [(name, arrays[name].itemsize, len(arrays[name])) for name in order]
    header = json.dumps(
        {**fields, "words": " ".join(words.words), "arrays": sizes}, separators=(",", ":")
    ).encode()
    data = (len(header) + -len(header) % 4).to_bytes(4, "little") + header + b" " * (-len(header) % 4)
    for name in order:
        if sys.byteorder == "big":
            arrays[name].byteswap()
        data += arrays[name].tobytes()
    return data


def _width(row: Sequence[int]) -> int:
    """Bytes that every number of a row fits into."""
    return next(width for width in reversed(WIDTHS) if max(row) < 1 << 8 * width)
