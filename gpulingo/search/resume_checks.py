"""Checks of a work file before a search resumes from it: shapes, ranges, and what a list can refute.

Bounds are taken as they are, as long as they are possible: what they rest on is checked by `prove`, which
trusts no search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from gpulingo.bounds.arrays import Arrays, check_range, lists_from_arrays
from gpulingo.bounds.certificate import Certificate
from gpulingo.bounds.formulas import least_credits, most_credits
from gpulingo.bounds.partitions import Evaluated, opening_classes, partition_of
from gpulingo.bounds.supersets import Constraints
from gpulingo.games.game import Game
from gpulingo.search.state import Incumbent
from gpulingo.tensors.operations import class_counts
from gpulingo.tensors.wordtable import WordTable
from gpulingo.trees.checkpoint import parsed_tree
from gpulingo.trees.verify import verify
from gpulingo.words.listing import WordList

MOST_BYTES = 1 << 32  # a limit: that a work file may unpack to, as much as a search remembers by itself
PAIR_BYTES, OTHER_BYTES = 96, 1 << 24  # limits: for each pair of words, and for all else
MOST_STAGES, MOST_WIDTH, MOST_DOUBLED, MOST_SECONDS = 64, 1 << 32, 31, 1e12  # limits of what is believed


@dataclass(frozen=True)
class Steps:
    """Progress of a search.

    Attributes:
        played: stage, opening and value of every one that was rolled out.
        plan: stage, turns left and guesses of every width.
        doubled, exact, by_classes, seconds: see `SolverState`.
    """

    doubled: dict[int, int]
    played: list[tuple[int, int, int]]
    plan: list[tuple[int, int, int]]
    exact: bool | None
    by_classes: bool
    seconds: list[float]


def most_bytes(words: int) -> int:
    """Return the bytes that the work file of a search of `words` words may unpack to."""
    return min(MOST_BYTES, PAIR_BYTES * words * words + OTHER_BYTES)


def shaped(name: str, arrays: Arrays, kinds: str, shape: tuple[int | None, ...]) -> np.ndarray[Any, Any]:
    """Return an array of these kinds of numbers and of that shape, None for any size.

    Raises:
        ValueError: it is another.
        KeyError: the array is missing.
    """
    array = arrays[name]
    fits = len(array.shape) == len(shape) and all(
        expected in (None, size) for expected, size in zip(shape, array.shape, strict=True)
    )
    if array.dtype.kind not in kinds or not fits:
        wanted = f"{list(shape)} of kind {' or '.join(kinds)}".replace("None", "any")
        raise ValueError(f"has {name} as {array.dtype} {list(array.shape)}, expected {wanted}")
    return array


def checked_counts(arrays: Arrays, certificate: Certificate, table: WordTable) -> torch.Tensor:
    """[W] int64: the classes that every word makes of the list, counted again; bounds must be possible.

    Raises:
        ValueError: the file has others, or bounds that no opening can have.
    """
    stored = shaped("of_list", arrays, "i", (table.words,))
    counts = class_counts(table, table.targets).long()
    if not np.array_equal(stored, counts.cpu().numpy()):
        raise ValueError("has other numbers of classes than its list")
    least = least_credits(table, certificate.game, counts).cpu()
    most = most_credits(table, certificate.game)
    if bool((certificate.bounds < least).any()) or bool((certificate.bounds > most).any()):
        raise ValueError("has bounds that no opening of its list can have")
    return counts


def checked_classes(arrays: Arrays, certificate: Certificate, table: WordTable) -> dict[int, Evaluated]:
    """Return the classes of openings that were seen in whole.

    Raises:
        ValueError: it does not fit the classes.
    """
    evaluated = {}
    seen, three = (lists_from_arrays(kind, arrays, table.words) for kind in ("seen", "three"))
    if not three.keys() <= seen.keys():
        raise ValueError("has three turns of openings that were not seen")
    for others in certificate.evidence.neighbours.values():
        if not seen.keys() >= set(others):
            raise ValueError("names openings that were not seen")
    for opening, two in seen.items():
        classes = partition_of(table, opening_classes(table, opening))
        sizes = classes.sizes.cpu()
        _check_classes("seen", two, sizes, 1)
        more = three.get(opening)
        if more is not None:
            _check_classes("three", more, sizes, 2)
        evaluated[opening] = Evaluated(classes, two, more)
    for opening, searched in certificate.evidence.searched.items():
        sizes = opening_classes(table, opening).sizes.cpu()
        _check_classes("searched", searched, sizes, certificate.turns - 2)
    return evaluated


def checked_largest(
    arrays: Arrays, certificate: Certificate, table: WordTable, classes: torch.Tensor
) -> dict[int, torch.Tensor]:
    """Return what two turns find of the largest classes of openings of which some were counted.

    Files of earlier versions lack it: their openings are counted again where their bounds are to be lowered.

    Args:
        classes: [W] int64, that every word makes of the list.
    Raises:
        ValueError: it is of more classes than there are, or were counted, or more than can be found.
    """
    if "counted" not in arrays:
        return {}
    counted, looked = lists_from_arrays("counted", arrays, table.words), certificate.evidence.looked
    targets = set(table.targets.tolist())  # which have a class of their own that is not counted
    for opening, two in counted.items():
        most = min(int(classes[opening]) - (opening in targets), int(looked[opening]))
        check_range(f"numbers of counted classes of opening {opening}", len(two), 0, most)
        check_range("counts of classes", two, 1, int(classes.max()) + 1)
    return {opening: two.to(torch.int32) for opening, two in counted.items()}


def _check_classes(name: str, counts: torch.Tensor, sizes: torch.Tensor, later: int) -> None:
    """Check what is said of classes: a number for each, at most 1 and `later` for each of its words."""
    if counts.shape != sizes.shape or bool(((counts < 1) | (counts > later * sizes + 1)).any()):
        raise ValueError(f"has {name} of {len(counts)} classes that do not fit those of its opening")


def checked_larger(
    arrays: Arrays, certificate: Certificate, constraints: Constraints
) -> dict[tuple[int, ...], int]:
    """Return what two turns find of larger sets.

    Raises:
        ValueError: there are no such sets, or more is found of them than can be.
    """
    keys = list(certificate.evidence.supersets)
    if not keys:
        return {}
    counts = shaped("larger_found", arrays, "i", (len(keys),)).tolist()
    for key, count in zip(keys, counts, strict=True):
        if (
            list(key) != sorted(set(key))
            or key[-1] >= constraints.count
            or not 1 <= count <= constraints.size(key) + 1
        ):
            raise ValueError(f"has a larger set {list(key)[:9]} of which two turns find {count}")
    return dict(zip(keys, counts, strict=True))


def checked_incumbent(arrays: Arrays, certificate: Certificate, wordlist: WordList, game: Game) -> Incumbent:
    """Return the tree, played against every word, and what it has in credits, summed over the words.

    Raises:
        ValueError: it is no tree of this list, has another value, or one above the bound of its opening.
    """
    data, (value,) = shaped("tree", arrays, "u", (None,)), shaped("value", arrays, "i", (1,)).tolist()
    if not len(data):
        if value:
            raise ValueError(f"has the value {value} without a tree")
        return Incumbent()
    try:
        tree = parsed_tree(data.tobytes())
        verify(tree, wordlist)
    except ValueError as error:
        raise ValueError(f"has a tree that does not hold ({error})") from None
    incumbent = Incumbent.of(tree) if tree.game == game else None
    if incumbent is None or incumbent.value != value:
        credits = "" if incumbent is None else f" gives {incumbent.value}"
        raise ValueError(f"has the value {value}, its tree of {tree.turns} turns{credits}")
    if int(certificate.bounds[tree.guess[0]]) < value:
        raise ValueError(f"has a bound of its opening below {value}, which its tree has")
    return incumbent


def checked_steps(arrays: Arrays, words: int, turns: int) -> Steps:
    """Return the progress of the search: limits, rolled-out openings and their stages, its state, seconds.

    Raises:
        ValueError: the numbers are impossible for this number of words and turns.
    """
    arrays = {"doubled": np.empty((0, 2), np.int64)} | arrays  # which files of earlier versions lack
    doubled, played, plan = (shaped(name, arrays, "i", (None, size)) for name, size in
                             (("doubled", 2), ("played", 3), ("plan", 3)))  # fmt: skip
    for name, column, least, most in (
        ("openings that were searched", doubled[:, 0], 0, words - 1),
        ("doubled limits", doubled[:, 1], 1, MOST_DOUBLED),
        ("stages that were played", played[:, 0], 0, MOST_STAGES),
        ("openings that were played", played[:, 1], 0, words - 1),
        ("values that were played", played[:, 2], 0, turns * words),
        ("stages", plan[:, 0], 0, MOST_STAGES),
        ("turns of stages", plan[:, 1], 1, turns),
        ("guesses of stages", plan[:, 2], 1, MOST_WIDTH),
    ):
        check_range(name, column, least, most)
    exact, by_classes = shaped("exact", arrays, "i", (2,)).tolist()
    check_range("exact", exact, -1, 2)  # 2: 1 in files of earlier versions
    check_range("exact", by_classes, 0, 1)
    seconds = shaped("seconds", arrays, "f", (2,)).tolist()
    if not all(0 <= passed < MOST_SECONDS for passed in seconds):
        raise ValueError(f"has seconds {seconds}, expected two times")
    return Steps(
        doubled=dict(doubled.tolist()),
        played=[tuple(row) for row in played.tolist()],
        plan=[tuple(row) for row in plan.tolist()],
        exact=None if exact < 0 else exact > 0,
        by_classes=bool(by_classes),
        seconds=seconds,
    )
