"""`split`, `refined` and hard mode on the CPU: kernels that put words into classes by their pair codes.

The features of all targets are cached, for splits by many openings.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count, pairwise

import numpy as np

from gpulingo.tensors.arrays import Array, Tensor, array_of, as_type, like, offsets_of
from gpulingo.tensors.cpu.codes import code_targets, row_of
from gpulingo.tensors.cpu.compile import compiled
from gpulingo.tensors.cpu.lanes import LANES
from gpulingo.tensors.cpu.rank import codes_fit, patterns_of, program_of
from gpulingo.tensors.cpu.scan import feature_bits
from gpulingo.tensors.feedback import feedback_of
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.hints import hint_bits
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.outcomes import Refined, Split
from gpulingo.tensors.threads import shared
from gpulingo.tensors.wordtable import WordTable, cached_by_table

ITEM = 16  # guesses per work item


def split(table: WordTable, frontier: Frontier, guesses: Tensor) -> Split:
    """As `operations.split`. All targets are split by counting, from the second time on.

    The first time, the cache would cost more than it saves: a strategy in play splits all targets once.
    """
    by_counting = codes_fit(table) and _all_targets(table, frontier)
    if by_counting and (next(_times_split(table)) > 0 or frontier.sets > 1):
        classes = _split_targets(table, guesses)
    else:
        classes = _split_sets(table, frontier, array_of(guesses))
    members, offsets, parents, patterns, hits = (like(row, table.letters) for row in classes)
    codes = as_type(patterns, feedback_of(table).type(table.length))
    return Split(Frontier.unchecked(members, offsets, frontier.below), parents, codes, hits)


def _all_targets(table: WordTable, frontier: Frontier) -> bool:
    targets = table.targets.shape[0]
    if not 0 < frontier.members.shape[0] == frontier.sets * targets:
        return False
    rows = frontier.members.reshape(frontier.sets, targets)
    return targets == table.words or bool((rows == table.targets).all())


@cached_by_table
def _times_split(table: WordTable) -> Iterator[int]:
    """Yield how often all targets were split before, one more at each call."""
    return count()


def _split_targets(table: WordTable, guesses: Tensor) -> tuple[Array, ...]:
    """Split all targets by each guess: members, offsets, parents, patterns and hits, as in `Split`."""
    classes = [target_classes(table, guess) for guess in guesses.tolist()]
    members, sizes, patterns = (np.concatenate(column) for column in zip(*classes, strict=True))
    parents = np.repeat(np.arange(len(classes)), [len(codes) for *_, codes in classes])
    hits = np.array([len(rest) < table.targets.shape[0] for rest, *_ in classes])
    return members, offsets_of(sizes), parents, patterns, hits


def _split_sets(table: WordTable, frontier: Frontier, guesses: Array) -> tuple[Array, ...]:
    """As `_split_targets`, sets by their guesses, by sorting patterns."""
    members, owners = array_of(frontier.members), array_of(frontier.owners)
    codes = patterns_of(table, guesses[owners], members)
    found = codes == feedback_of(table).solved(table.length)
    hits = np.zeros(frontier.sets, np.bool)
    hits[owners[found]] = True
    rest = np.flatnonzero(~found)
    order = rest[np.lexsort((codes[rest], owners[rest]))]
    members, owners, codes = members[order], owners[order], codes[order]
    starts = np.ones(len(members), np.bool)
    starts[1:] = (owners[1:] != owners[:-1]) | (codes[1:] != codes[:-1])
    first = np.flatnonzero(starts)
    return members, np.append(first, len(members)), owners[first], codes[first], hits


def target_classes(table: WordTable, guess: int) -> tuple[Array, Array, Array]:
    """Return the classes of all targets by one guess, without the solved one.

    [M] int32 members, class after class by pattern; [C] int64 sizes; [C] int64 patterns.
    """
    program, targets = program_of(table), array_of(table.targets)
    row = row_of(program, len(targets))
    places = np.zeros(program.ranges[guess], np.int32)
    kinds, firsts = np.empty(len(targets), np.int64), np.empty(len(targets), np.int64)
    distinct = kinds_of(guess, bits_of(table), program, len(targets), row, places, kinds, firsts)
    patterns = patterns_of(table, np.full(distinct, guess, np.int32), targets[firsts[:distinct]])
    order = patterns.argsort()
    solved = patterns[order] == feedback_of(table).solved(table.length)
    solved_kinds, order = kinds[order[solved]], order[~solved]
    sizes = places[kinds[order]].astype(np.int64)
    members = np.empty(int(sizes.sum()), np.int32)
    sort_words(targets, row, places, kinds[order], solved_kinds, members)
    return members, sizes, patterns[order]


@cached_by_table
def bits_of(table: WordTable) -> Array:
    """Return the features of all targets."""
    return feature_bits(array_of(table.letters), array_of(table.targets), program_of(table))


@compiled
def kinds_of(guess, bits, program, n, row, places, kinds, firsts):
    """Code n targets; count the targets of each code, and list the codes with the first target of each."""
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
    """Sort targets by code, in the given order of codes, without those of a solved code."""
    start = 0
    for code in kinds:
        count = places[code]
        places[code] = start  # from here on: where the next target of the code goes
        start += count
    for code in solved:
        places[code] = -1
    for t in range(targets.shape[0]):
        place = places[row[t]]
        if place >= 0:
            members[place] = targets[t]
            places[row[t]] = place + 1


def refined(
    table: WordTable, guesses: Tensor, sets: Frontier, steps: Tensor, progress: Progress | None = None
) -> Refined:
    """As `operations.refined`; by patterns, one guess at a time, if codes are too wide for a table.

    Also for words where guesses are letters: a word has one code for all targets, even for itself.
    """
    program, members = program_of(table), array_of(sets.members)
    n, solved = len(members), feedback_of(table).solved(table.length)
    words = table.guesses > table.words and bool((guesses < table.words).any())
    by_code = codes_fit(table) and not words
    bits = feature_bits(array_of(table.letters), members if by_code else members[:0], program)
    given = array_of(sets.offsets), array_of(steps), bits, program

    def classes(block: Array) -> tuple[Array, Array, Array]:
        """Return counts of classes of each guess, and sizes and values of the classes of all."""
        rows = row_of(program, n)[None] if by_code else numbered(table, block, members)
        widest = int(program.ranges[block].max(initial=1)) if by_code else n
        tables = np.zeros((2, widest), np.int32), np.zeros(widest, np.int64)
        counts, kinds = np.zeros(len(block), np.int64), np.empty(n, np.int64)
        # Large enough for any guesses; what is not written takes no memory.
        firsts, sizes, worth = (np.empty(n * len(block), np.int64) for _ in range(3))
        refine(block, *given, rows, *tables, kinds, counts, firsts, sizes, worth)
        starts = [0, *counts.cumsum().tolist()]
        patterns = patterns_of(table, block.repeat(counts), members[firsts[: starts[-1]]])
        orders = [lo + patterns[lo:hi].argsort() for lo, hi in pairwise(starts)]
        # The solved class comes last.
        orders = [order[:-1] if len(order) and patterns[order[-1]] == solved else order for order in orders]
        by_pattern = np.concatenate([np.empty(0, np.int64), *orders])
        return np.array([len(order) for order in orders], np.int64), sizes[by_pattern], worth[by_pattern]

    numbers = array_of(guesses)
    items = [partial(classes, numbers[first : first + ITEM]) for first in range(0, len(numbers), ITEM)]
    done = None if progress is None else lambda results: progress(len(members) * len(results[0]))
    results = shared(items, done)
    none = np.empty(0, np.int64)
    columns = zip((none, none, none), *results, strict=True)
    return Refined(*(like(np.concatenate(column), table.letters) for column in columns))


def numbered(table: WordTable, guesses: Array, members: Array) -> Array:
    """Return numbers of the classes of members instead of codes, by pattern."""
    patterns = (patterns_of(table, np.full_like(members, guess), members) for guess in guesses)
    rows = [np.unique(row, return_inverse=True)[1] for row in patterns]
    return np.array(rows, program_of(table).dtype)


@compiled
def refine(
    guesses, offsets, steps, bits, program, rows, words, values, kinds, counts, firsts, sizes, worth
):  # fmt: skip
    """Write the classes of guesses, one guess after the other, with the first word of each class.

    `rows` have the codes by each guess; with `bits` there is one, which they are written to. `words` are
    [2, codes] zeros: sizes of classes over all sets, in the current set; `values` [codes] zeros.
    """
    done = 0
    for g in range(guesses.shape[0]):
        row, first = rows[0], done
        if bits.shape[0] > 0:
            code_targets(row, 0, bits, 0, row.shape[0] // LANES, program, guesses[g])
        else:
            row = rows[g]
        for s in range(offsets.shape[0] - 1):
            start = offsets[s]
            for t in range(start, offsets[s + 1]):
                code = row[t]
                if words[0, code] == 0:
                    kinds[done - first] = code
                    firsts[done] = t
                    done += 1
                words[0, code] += 1
                values[code] += steps[start + words[1, code]]
                words[1, code] += 1
            for t in range(start, offsets[s + 1]):
                words[1, row[t]] = 0
        for k in range(done - first):
            code = kinds[k]
            sizes[first + k], worth[first + k] = words[0, code], values[code]
            words[0, code] = 0
            values[code] = 0
        counts[g] = done - first


def using_hints(
    table: WordTable, legal: Frontier, guesses: Tensor, parents: Tensor, patterns: Tensor
) -> Frontier:
    """As `operations.using_hints`, in two passes: counting first, so that only the result takes memory."""
    placed, copied = (array_of(bits) for bits in hint_bits(table, guesses, parents, patterns))
    sizes, most = np.zeros(parents.shape[0] + 1, np.int64), int(legal.sizes.max()) if legal.sets else 0
    room = np.empty((2, most), np.int64)
    sets = tuple(array_of(row) for row in (table.letters, legal.members, legal.offsets, guesses))
    hints = (array_of(parents), placed, copied)
    keep_hinted(*sets, *hints, room, sizes[1:], np.empty(0, np.int32))
    offsets = sizes.cumsum()
    members = np.empty(offsets[-1], np.int32)
    keep_hinted(*sets, *hints, room, sizes[1:], members)
    return Frontier.unchecked(like(members, guesses), like(offsets, guesses), legal.below)


@compiled
def keep_hinted(letters, members, offsets, guesses, parents, placed, copied, room, sizes, kept):
    """Count the legal guesses of each class that use its hints; write them where `kept` is not empty."""
    before, place = -1, 0
    for c in range(parents.shape[0]):
        s = parents[c]
        legal = members[offsets[s] : offsets[s + 1]]
        if s != before:
            before = s
            guess = letters[guesses[s]]
            for k in range(legal.shape[0]):
                word = letters[legal[k]]
                room[0, k] = room[1, k] = 0
                for i in range(guess.shape[0]):
                    copies = 0
                    for j in range(guess.shape[0]):
                        copies += word[j] == guess[i]
                    for j in range(i):
                        copies -= guess[j] == guess[i]
                    room[0, k] |= np.int64(word[i] == guess[i]) << i
                    room[1, k] |= np.int64(copies > 0) << i
        count = 0
        for k in range(legal.shape[0]):
            if (placed[c] & ~room[0, k]) | (copied[c] & ~room[1, k]) == 0:
                if kept.shape[0] > 0:
                    kept[place + count] = legal[k]
                count += 1
        sizes[c] = count
        place += count
