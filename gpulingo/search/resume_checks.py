"""What is asked of a work file before a search goes on from it: shapes, ranges, and what a list can refute.

Bounds are taken as they are, as long as they are possible: what they rest on is checked by `prove`, which
trusts no search.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from gpulingo.bounds.certificate import Arrays, Certificate, check_range, lists_from_arrays
from gpulingo.bounds.constraints import Facts
from gpulingo.bounds.partitions import Seen, parted
from gpulingo.tensors.operations import class_counts
from gpulingo.tensors.wordtable import WordTable
from gpulingo.trees.checkpoint import parsed_tree
from gpulingo.trees.tree import Tree
from gpulingo.trees.verify import verify
from gpulingo.words.listing import WordList

MOST_BYTES = 1 << 32  # that a work file may unpack to, as much as a search remembers by itself
EACH, MORE = 96, 1 << 24  # bytes for each pair of words, and for all else
MOST_STAGES, MOST_WIDTH = 64, 1 << 32


def most_bytes(words: int) -> int:
    """Bytes that the work file of a search of so many words may unpack to."""
    return min(MOST_BYTES, EACH * words * words + MORE)


def shaped(name: str, arrays: Arrays, kinds: str, shape: tuple[int | None, ...]) -> np.ndarray[Any, Any]:
    """An array of these kinds of numbers and of that shape, None for any size.

    Raises:
        ValueError: it is another. KeyError: there is none.
    """
    found = arrays[name]
    fits = len(found.shape) == len(shape) and all(
        size in (None, held) for size, held in zip(shape, found.shape, strict=True)
    )
    if found.dtype.kind not in kinds or not fits:
        expected = f"{list(shape)} of kind {' or '.join(kinds)}".replace("None", "any")
        raise ValueError(f"has {name} as {found.dtype} {list(found.shape)}, expected {expected}")
    return found


def checked_counts(arrays: Arrays, held: Certificate, table: WordTable) -> torch.Tensor:
    """[W] int64: the classes that every word makes of the list, counted again; bounds must be possible.

    Raises:
        ValueError: the file has others, or bounds that no opening can have.
    """
    said = shaped("of_list", arrays, "i", (table.words,))
    counts = class_counts(table, table.pool).long()
    if not np.array_equal(said, counts.cpu().numpy()):
        raise ValueError("has other numbers of classes than its list")
    left = held.turns - 1
    # A guess finds itself, and then at least one word of each other class.
    least = held.turns + (counts.cpu() - 1) * left
    most = held.turns + (table.words - 1) * left
    if bool((held.bounds < least).any()) or bool((held.bounds > most).any()):
        raise ValueError("has bounds that no opening of its list can have")
    return counts


def checked_classes(arrays: Arrays, held: Certificate, table: WordTable) -> dict[int, Seen]:
    """What was found of the classes of openings that were seen in whole.

    Raises:
        ValueError: it does not fit the classes.
    """
    left, made = held.turns - 1, {}
    seen, three = (lists_from_arrays(kind, arrays, table.words) for kind in ("seen", "three"))
    if not three.keys() <= seen.keys():
        raise ValueError("has three turns of openings that were not seen")
    for others in held.near.values():
        if not seen.keys() >= set(others):
            raise ValueError("names openings that were not seen")
    for opening, found in seen.items():
        classes = parted(table, opening)
        sizes = classes.sizes.cpu()
        _check_classes("seen", found, sizes, 1)
        more = three.get(opening)
        if more is not None:
            _check_classes("three", more, sizes, 2)
        made[opening] = Seen(classes, found.to(table.device), None if more is None else more.to(table.device))
    for opening, found in held.searched.items():
        _check_classes("searched", found, parted(table, opening).sizes.cpu(), left - 1)
    return made


def _check_classes(name: str, found: torch.Tensor, sizes: torch.Tensor, later: int) -> None:
    """Check what is said of classes: a number for each, at most 1 and `later` for each of its words."""
    if found.shape != sizes.shape or bool(((found < 1) | (found > later * sizes + 1)).any()):
        raise ValueError(f"has {name} of {len(found)} classes that do not fit those of its opening")


def checked_larger(arrays: Arrays, held: Certificate, facts: Facts) -> dict[tuple[int, ...], int]:
    """What two turns find of larger sets.

    Raises:
        ValueError: there are no such sets, or more is found of them than can be.
    """
    if not held.larger:
        return {}
    found = shaped("larger_found", arrays, "i", (len(held.larger),)).tolist()
    for key, value in zip(held.larger, found, strict=True):
        if list(key) != sorted(set(key)) or key[-1] >= facts.count or not 1 <= value <= facts.size(key) + 1:
            raise ValueError(f"has a larger set {list(key)[:9]} of which two turns find {value}")
    if len(set(held.larger)) < len(held.larger):
        raise ValueError("has a larger set twice")
    return dict(zip(held.larger, found, strict=True))


def checked_tree(arrays: Arrays, held: Certificate, wordlist: WordList) -> tuple[Tree | None, int]:
    """The tree, played against every word, and what it has in turns, summed over the words.

    Raises:
        ValueError: it is no tree of this list, has another value, or one above the bound of its opening.
    """
    data, (value,) = shaped("tree", arrays, "u", (None,)), shaped("value", arrays, "i", (1,)).tolist()
    if not len(data):
        if value:
            raise ValueError(f"has the value {value} without a tree")
        return None, 0
    try:
        tree = parsed_tree(data.tobytes())
        verify(tree, wordlist)
    except ValueError as error:
        raise ValueError(f"has a tree that does not hold ({error})") from None
    points = sum(count * (tree.turns - turn) for turn, count in enumerate(tree.turn_counts()))
    if tree.turns != held.turns or value != points:
        raise ValueError(f"has the value {value}, its tree of {tree.turns} turns gives {points}")
    if int(held.bounds[tree.guess[0]]) < value:
        raise ValueError(f"has a bound of its opening below {value}, which its tree has")
    return tree, value


def checked_steps(arrays: Arrays, words: int, turns: int) -> Mapping[str, Any]:
    """How far the search was: widths, what was played and in which stages, what was found out, seconds.

    Raises:
        ValueError: numbers of no search of so many words and turns.
    """
    widths, played, plan = (shaped(name, arrays, "i", (None, size)) for name, size in
                            (("widths", 2), ("played", 3), ("plan", 3)))  # fmt: skip
    for name, column, least, most in (
        ("widths of openings", widths[:, 0], 0, words - 1),
        ("widths", widths[:, 1], 1, MOST_WIDTH),
        ("stages that were played", played[:, 0], 0, MOST_STAGES),
        ("openings that were played", played[:, 1], 0, words - 1),
        ("values that were played", played[:, 2], 0, turns * words),
        ("stages", plan[:, 0], 0, MOST_STAGES),
        ("turns of stages", plan[:, 1], 1, turns),
        ("guesses of stages", plan[:, 2], 1, MOST_WIDTH),
    ):
        check_range(name, column, least, most)
    exact, by_classes = shaped("exact", arrays, "i", (2,)).tolist()
    check_range("exact", exact, -1, 1)
    check_range("exact", by_classes, 0, 1)
    seconds = shaped("seconds", arrays, "f", (2,)).tolist()
    if not all(0 <= one < 1e12 for one in seconds):
        raise ValueError(f"has seconds {seconds}, expected two times")
    return {"widths": dict(widths.tolist()), "played": played.tolist(), "plan": plan.tolist(),
            "exact": None if exact < 0 else bool(exact), "by_classes": bool(by_classes),
            "seconds": seconds}  # fmt: skip
