"""Cheating hangman where one side's rule is known: what a perfect opponent makes of it.

What a host of a known rule keeps depends on the set and the letter alone: a letter that was guessed before is
at the same places of all candidates, or in none.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from gpulingo.tensors.wordtable import WordTable

Array = np.ndarray[Any, Any]
HOSTS = ("largest", "diversity")
GUESSERS = ("frequency", "entropy")
MEMORY = 1 << 28  # bytes
DIGITS = 9  # after the point, of an entropy: so that equal partitions are equal


def against_host(table: WordTable, host: str, limit: int = 1 << 62, memory: int = MEMORY) -> tuple[int, int]:
    """The least misses that a guesser needs who knows the host's rule.

    Args:
        table: the words.
        host: `largest` keeps the largest class, of equal ones that which shows fewest letters, then that of
            the smaller pattern; `diversity` that with most different letters which were not guessed yet, of
            equal ones the largest, and so on.
        limit: words gone through. memory: bytes of its table.
    Returns:
        Misses that are needed, and misses that are enough; the same, unless the limit was reached.
    Raises:
        ValueError: no such host, or more than 64 different letters.
    """
    from gpulingo.solvers.host_misses import HostMisses

    if host not in HOSTS:
        raise ValueError(f"host is {host!r}: use {' or '.join(HOSTS)}")
    return HostMisses(table, memory).least(table.targets.numpy(), host, limit)


def against_guesser(table: WordTable, guesser: str) -> int:
    """The most misses that a perfect host forces on a guesser of a known rule.

    Args:
        table: the words.
        guesser: of the letters that part the candidates `frequency` guesses the one that most of them hold,
            `entropy` the one whose classes tell most; of equal ones the first of the alphabet.
    Raises:
        ValueError: no such guesser.
    """
    from gpulingo.solvers.letter_classes import letter_classes

    if guesser not in GUESSERS:
        raise ValueError(f"guesser is {guesser!r}: use {' or '.join(GUESSERS)}")
    choice = _most_held if guesser == "frequency" else _most_told
    codes, _ = letter_classes(table)
    most, stack = 0, [(table.targets.numpy(), 0)]
    while stack:
        members, misses = stack.pop()
        most = max(most, misses)
        if len(members) == 1:
            continue
        rows = codes[members]
        column = rows[:, choice(rows, (rows != rows[0]).any(0))]
        order = np.argsort(column, kind="stable")
        cuts = [0, *(np.flatnonzero(np.diff(column[order])) + 1).tolist(), len(order)]
        for start, stop in pairwise(cuts):
            part = order[start:stop]
            stack.append((members[part], misses + int(column[part[0]] == 0)))
    return most


def _most_held(rows: Array, parts: Array) -> int:
    """The letter that most words hold, of those that part them."""
    return int(np.where(parts, (rows != 0).sum(0), -1).argmax())


def _most_told(rows: Array, parts: Array) -> int:
    """The letter whose classes have most entropy: the least sum of sizes times their logarithms."""
    letters = np.flatnonzero(parts)
    ordered = np.sort(rows[:, letters].T, axis=1)  # [A, n]
    begins = np.ones(ordered.shape, bool)
    begins[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    places = np.flatnonzero(begins.ravel())
    sizes = np.diff(np.append(places, begins.size)).astype(float)
    sums = np.add.reduceat(
        sizes * np.log2(sizes), np.searchsorted(places, np.arange(len(letters)) * len(rows))
    )
    return int(letters[(sums / len(rows)).round(DIGITS).argmin()])
