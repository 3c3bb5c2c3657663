"""`split` on the CPU: for many openings the features of the whole list are kept, and coded against."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from gpulingo.tensors import reference
from gpulingo.tensors.cpu.codes import code_targets, room
from gpulingo.tensors.cpu.compile import compiled, digest
from gpulingo.tensors.cpu.lanes import LANES
from gpulingo.tensors.cpu.rank import codes_fit, paired_patterns, program_of
from gpulingo.tensors.cpu.scan import feature_bits, pattern_of
from gpulingo.tensors.feedback import code_dtype
from gpulingo.tensors.frontier import Frontier, joined
from gpulingo.tensors.outcomes import Split
from gpulingo.tensors.paircodes import Array
from gpulingo.tensors.wordtable import WordTable


def split(table: WordTable, frontier: Frontier, guesses: Tensor) -> Split:
    """As `operations.split`. The whole list is split by counting, from the second time on.

    The first time, what that takes is not worth making: a strategy that is played splits it once.
    """
    if codes_fit(table) and 0 < frontier.members.shape[0] == frontier.sets * table.words:
        first = _asked(table).pop() if _asked(table) else False
        if frontier.sets > 1 or not first:
            return _split_whole([whole_classes(table, guess) for guess in guesses.tolist()], table)
    return reference.split(table, frontier, guesses, paired=paired_patterns)


def _split_whole(classes: list[tuple[Array, Array, Array]], table: WordTable) -> Split:
    """What guesses do to the whole list each, from the classes of each as the kernel gives them."""
    fronts = [
        Frontier.unchecked(torch.from_numpy(members), torch.from_numpy(starts), table.words)
        for members, starts, _ in classes
    ]
    counts = torch.tensor([front.sets for front in fronts])
    patterns = torch.cat([torch.from_numpy(codes) for _, _, codes in classes]).to(code_dtype(table.length))
    hits = torch.ones(len(classes), dtype=torch.bool)
    return Split(joined(fronts), torch.arange(len(classes)).repeat_interleave(counts), patterns, hits)


@lru_cache(maxsize=2)
def _asked(table: WordTable) -> list[bool]:
    """[True] until the whole list was split once."""
    return [True]


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
    """The kernels that are called from here; for the digest see `scan`."""

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
