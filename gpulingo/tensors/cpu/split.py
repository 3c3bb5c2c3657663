"""`split` of the whole list on the CPU: its features are written once, and the guesses coded against them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from gpulingo.tensors.cpu.codes import code_targets, room
from gpulingo.tensors.cpu.compile import compiled, digest
from gpulingo.tensors.cpu.lanes import LANES
from gpulingo.tensors.cpu.rank import program_of
from gpulingo.tensors.cpu.scan import feature_bits, pattern_of
from gpulingo.tensors.paircodes import Array
from gpulingo.tensors.wordtable import WordTable


def whole_classes(table: WordTable, guess: int) -> tuple[Array, Array, Array]:
    """The classes of the whole list by one word, without that word.

    Returns:
        [W - 1] int32 members, class after class by pattern; [C + 1] int64 where each begins; [C] int64
        patterns.
    """
    program, codes = program_of(table)
    words = table.words
    row = room((words + LANES - 1) // LANES * LANES, codes.dtype)
    places = np.zeros(program.ranges[guess], np.int32)
    kinds, patterns = np.empty(words, np.int64), np.empty(words, np.int64)
    letters, spare = table.letters.numpy(), np.zeros(256, np.int64)
    held = kinds_of(letters, guess, bits_of(table), program, row, places, kinds, patterns, spare)
    # The guess itself comes last: no pattern is greater than that of all letters in place.
    order = patterns[:held].argsort()[:-1]
    starts, members = np.zeros(held, np.int64), np.empty(words - 1, np.int32)
    sort_words(guess, row, places, kinds[order], starts, members)
    return members, starts, patterns[order]


@lru_cache(maxsize=2)
def bits_of(table: WordTable) -> Array:
    """The features of all words."""
    return feature_bits(table.letters.numpy(), table.pool.numpy(), program_of(table)[0])


def _entry_points(digest: str) -> tuple[Any, Any]:
    """The kernels that are called from here; for the digest see `cpu_scan`."""

    @compiled
    def kinds_of(letters, guess, bits, program, row, places, kinds, patterns, spare):
        """Code all words; count the words of each code, and list the codes with their patterns."""
        _ = digest
        code_targets(row, 0, bits, 0, row.shape[0] // LANES, program, guess)
        held = 0
        for t in range(letters.shape[0]):
            if places[row[t]] == 0:
                kinds[held] = row[t]
                patterns[held] = pattern_of(letters[guess], letters[t], spare)
                held += 1
            places[row[t]] += 1
        return held

    @compiled
    def sort_words(guess, row, places, kinds, starts, members):
        """Sort all words but the guess by code, the codes in the order given."""
        _ = digest
        for k in range(kinds.shape[0]):
            starts[k + 1] = starts[k] + places[kinds[k]]
            places[kinds[k]] = starts[k]  # from here on where the next word of the code goes
        for t in range(members.shape[0] + 1):
            if t != guess:
                members[places[row[t]]] = t
                places[row[t]] += 1

    return kinds_of, sort_words


kinds_of, sort_words = _entry_points(digest())
