"""`split` on the CPU: for many openings the features of all targets are kept, and coded against."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import numpy as np
import torch
from torch import Tensor

from gpulingo.tensors import reference
from gpulingo.tensors.cpu.codes import code_targets, room
from gpulingo.tensors.cpu.compile import compiled
from gpulingo.tensors.cpu.lanes import LANES
from gpulingo.tensors.cpu.rank import codes_fit, paired_patterns, patterns_of, program_of
from gpulingo.tensors.cpu.scan import feature_bits
from gpulingo.tensors.features import Array
from gpulingo.tensors.feedback import feedback_of
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.outcomes import Split
from gpulingo.tensors.wordtable import WordTable, cached_by_table


def split(table: WordTable, frontier: Frontier, guesses: Tensor) -> Split:
    """As `operations.split`. All targets are split by counting, from the second time on.

    The first time, what that takes is not worth making: a strategy that is played splits them once.
    """
    if codes_fit(table) and _all_targets(table, frontier):
        first = next(_times_split(table)) == 0
        if frontier.sets > 1 or not first:
            return _split_targets(table, guesses)
    return reference.split(table, frontier, guesses, paired=paired_patterns)


def _all_targets(table: WordTable, frontier: Frontier) -> bool:
    """Return True if every set is all targets of a table."""
    targets = table.targets.shape[0]
    if not 0 < frontier.members.shape[0] == frontier.sets * targets:
        return False
    rows = frontier.members.view(frontier.sets, targets)
    return targets == table.words or torch.equal(rows, table.targets.expand_as(rows))


@cached_by_table
def _times_split(table: WordTable) -> Iterator[int]:
    """Yield the number of times all targets were split so far, one more each time it is asked."""
    return count()


def _split_targets(table: WordTable, guesses: Tensor) -> Split:
    """Split all targets by each guess; put together in numpy, as each step of torch takes longer."""
    classes = [target_classes(table, guess) for guess in guesses.tolist()]
    members, sizes, patterns = (np.concatenate(column) for column in zip(*classes, strict=True))
    parents = np.repeat(np.arange(len(classes)), [len(codes) for *_, codes in classes])
    hits = np.array([len(rest) < table.targets.shape[0] for rest, *_ in classes])
    offsets = np.concatenate([np.zeros(1, np.int64), sizes.cumsum()])
    open_ = Frontier.unchecked(torch.from_numpy(members), torch.from_numpy(offsets), table.words)
    codes = torch.from_numpy(patterns).to(feedback_of(table).dtype(table.length))
    return Split(open_, torch.from_numpy(parents), codes, torch.from_numpy(hits))


def target_classes(table: WordTable, guess: int) -> tuple[Array, Array, Array]:
    """Return the classes of all targets by one guess, without the solved one.

    Returns:
        [M] int32 members, class after class by pattern; [C] int64 sizes; [C] int64 patterns.
    """
    program, codes = program_of(table)
    targets = table.targets.numpy()
    row = room((len(targets) + LANES - 1) // LANES * LANES, codes.dtype)
    places = np.zeros(program.ranges[guess], np.int32)
    kinds, firsts = np.empty(len(targets), np.int64), np.empty(len(targets), np.int64)
    distinct = kinds_of(guess, bits_of(table), program, len(targets), row, places, kinds, firsts)
    patterns = patterns_of(table, np.full(distinct, guess, np.int32), targets[firsts[:distinct]])
    order = patterns.argsort()
    solved = patterns[order] == feedback_of(table).solved(table.length)
    own, order = kinds[order[solved]], order[~solved]
    sizes = places[kinds[order]].astype(np.int64)
    members = np.empty(int(sizes.sum()), np.int32)
    sort_words(targets, row, places, kinds[order], own, members)
    return members, sizes, patterns[order]


@cached_by_table
def bits_of(table: WordTable) -> Array:
    """Return the features of all targets."""
    return feature_bits(table.letters.numpy(), table.targets.numpy(), program_of(table)[0])


@compiled
def kinds_of(guess, bits, program, n, row, places, kinds, firsts):
    """Code n targets; count those of each code, and list the codes with the first target of each."""
    code_targets(row, 0, bits, 0, row.shape[0] // LANES, program, guess)
    distinct = 0
    for t in range(n):
        if places[row[t]] == 0:
            kinds[distinct] = row[t]
            firsts[distinct] = t
            distinct += 1
        places[row[t]] += 1
    return distinct


@compiled
def sort_words(targets, row, places, kinds, solved, members):
    """Sort targets by code, the codes in the order given, without those of a solved one."""
    start = 0
    for code in kinds:
        count = places[code]
        places[code] = start  # from here on where the next target of the code goes
        start += count
    for code in solved:
        places[code] = -1
    for t in range(targets.shape[0]):
        place = places[row[t]]
        if place >= 0:
            members[place] = targets[t]
            places[row[t]] = place + 1
