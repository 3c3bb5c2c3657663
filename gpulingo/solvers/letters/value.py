"""`LetterSearch`: values of sets of words if letters are guessed and misses cost, as in `hangman`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gpulingo.solvers.depth_first import copy, fill
from gpulingo.solvers.letters.search import (
    EVERY,
    MISS,
    MOST,
    count_letters,
    known_bounds,
    known_value,
    letter_classes,
    letter_sets,
    letters_of,
    part_by,
    seek_letters,
    sort_letters,
    weight_of,
)
from gpulingo.solvers.payoffs import checked_payoff
from gpulingo.solvers.transpositions import (
    NO_GUESS,
    NOWHERE,
    OF_LETTERS,
    entry,
    hash_of,
    new_rows,
    put_set,
    row_of,
)
from gpulingo.tensors.arrays import Array, Tensor, array_of
from gpulingo.tensors.checks import code_type
from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.outcomes import LetterTree, Valued, ValuedTree
from gpulingo.tensors.wordtable import WordTable

# Added to the lives of a set for each level and each letter compared, so that these get separate entries.
LEVEL, WIDTH = 1 << 40, 1 << 20
MOST_VALUE = MOST  # credits of all targets together


@inner
def first_letters(sets, depth, start, n, width):
    """Write the letters to compare to `order[depth]`; return their number."""
    if count_letters(sets, depth, start, n) >= 0 or width == 1:  # a free one is the most common
        sets.order[depth, 0] = sets.counts[depth].argmax()
        return 1
    return min(width, sort_letters(sets, depth, NO_GUESS))


@compiled
def rollout(sets, table, depth, start, n, room, lives, levels, width, noted):
    """Return the value of a set when each of the first `levels` letters is the best of `width`.

    The other letters are the most common ones, on ties the first. The set is the n words at `start`, classes
    are written from `room` on. With `noted` the letter is chosen with all the levels at every set and stored
    in the table; a letter that the search has stored there is used instead.
    """
    value = known_value(sets, start, n, lives, 0)
    if value >= 0:
        return value
    guess, kept = np.int64(NO_GUESS), np.int64(NOWHERE)
    whole, half = hash_of(sets.hashes, sets.members, start, start + n, lives)
    if noted:
        kept = row_of(table, whole, half)
        if kept != NOWHERE:
            guess = entry(table, kept)[3]
    salted = lives + LEVEL * levels + WIDTH * width
    key, check = hash_of(sets.hashes, sets.members, start, start + n, salted)
    if levels and guess < 0:
        here = row_of(table, key, check)
        if here != NOWHERE and not noted:
            return entry(table, here)[0]
        if here != NOWHERE:
            guess = entry(table, here)[3]
    starts, best, after = sets.starts[depth], np.int64(-1), max(levels - 1, np.int64(0))
    if guess < 0:
        many = first_letters(sets, depth, start, n, width if levels else 1)
        if many == 1 and noted:
            guess, many = sets.order[depth, 0], 0
        for k in range(many):
            letter, total = sets.order[depth, k], np.int64(0)
            classes = part_by(sets, depth, start, n, room, letter)
            for c in range(classes):
                left, size = lives - (sets.touched[depth, c] == MISS), starts[c + 1] - starts[c]
                # Argument types as in Python's call: a kernel that calls itself with other types breaks when
                # its machine code is read from disk.
                total += rollout(
                    sets, table, depth + 1, starts[c], size, starts[classes], left, after, width, np.int64(0)
                )
            if total > best:
                best, guess = total, letter
        if levels and many:
            put_set(table, key, check, n, best, best, best, guess, 0)
    if not noted:
        return best
    total = np.int64(0)
    classes = part_by(sets, depth, start, n, room, guess)
    for c in range(classes):
        left, size = lives - (sets.touched[depth, c] == MISS), starts[c + 1] - starts[c]
        total += rollout(
            sets, table, depth + 1, starts[c], size, starts[classes], left, levels, width, np.int64(1)
        )
    if kept == NOWHERE:
        upper = sets.payoff[lives] * weight_of(sets, start, n)
        put_set(table, whole, half, n, total, upper, upper, guess, 0)
    return total


def letter_tree(choose: Callable[..., Any]) -> Any:
    """Return the kernel that builds a tree level by level.

    `choose` (space, start, n, lives) returns the letter to guess at the n `members` at start.
    """

    @compiled
    def grow(space, patterns, n, lives, tree, place):
        """Write the tree of the first n `members`; return its number of nodes, and its total value.

        `tree`: guess, pattern, first, hit (see `trees.Tree`) with at least 2 n nodes; a guessed letter
        is W + its number. `place`: [2 n, 3] int64, scratch, one row per node.
        """
        sets, (guess, pattern, first, hit) = space[0], tree
        words = sets.numbers.shape[0]
        # Per node: where its set begins, its words, and the lives left; the sets of the next level
        # are in the other half of `members`.
        place[0, 0], place[0, 1], place[0, 2], pattern[0] = 0, n, lives, -1
        nodes, value, node, level_end, half, cursor = 1, np.int64(0), 0, 1, 0, words
        while node < nodes:
            if node == level_end:
                level_end, half = nodes, 1 - half
                cursor = (1 - half) * words
            start, size, left = place[node, 0], place[node, 1], place[node, 2]
            first[node] = nodes
            if size == 1:
                word = sets.members[start]
                guess[node], hit[node] = word, 1
                value += sets.payoff[left] * sets.weights[word]
                node += 1
                continue
            letter = choose(space, start, size, left)
            guess[node], hit[node] = words + letter, 0
            classes = part_by(sets, 0, start, size, cursor, letter)
            cursor += size
            numbers, starts = sets.touched[0], sets.starts[0]
            for c in range(classes):
                least = nodes
                after = left - (numbers[c] == MISS)
                if after == 0:
                    continue
                while least > first[node] and pattern[least - 1] > patterns[letter, numbers[c]]:
                    pattern[least] = pattern[least - 1]
                    copy(place[least - 1], place[least])
                    least -= 1
                pattern[least] = patterns[letter, numbers[c]]
                place[least, 0], place[least, 1] = starts[c], starts[c + 1] - starts[c]
                place[least, 2] = after
                nodes += 1
            node += 1
        first[nodes] = nodes
        return nodes, value

    return grow


@inner
def _noted(space, start, n, lives):
    """Return the letter that the table has for a set, otherwise the most common one."""
    sets, table = space
    here = row_of(table, *hash_of(sets.hashes, sets.members, start, start + n, lives))
    guess = entry(table, here)[3] if here != NOWHERE else np.int64(NO_GUESS)
    if guess != NO_GUESS:
        return guess
    count_letters(sets, 0, start, n)
    return np.int64(sets.counts[0].argmax())


@inner
def _most_held(space, start, n, lives):
    """Return the letter of greatest sum that splits a set; see `letters.most_held_tree`."""
    sets, counts, before = space
    sums, first, best = sets.counts[0], sets.members[start], np.int64(NO_GUESS)
    fill(sums, 0)
    for t in range(start, start + n):
        for letter in letters_of(sets, sets.members[t]):
            sums[letter] += counts[sets.members[t], letter]
    for letter in range(sums.shape[0]):
        better = best < 0 or sums[letter] > sums[best]
        if better or (sums[letter] == sums[best] and before[letter] > before[best]):
            t, alike = start + 1, sets.numbers[first, letter]
            while t < start + n and sets.numbers[sets.members[t], letter] == alike:
                t += 1
            if t < start + n:
                best = np.int64(letter)
    return best


grow_noted, grow_most_held = letter_tree(_noted), letter_tree(_most_held)


@compiled
def note_letter(sets, table, n, lives, value, guess):
    """Store a letter for the first n `members` and its value, unless the table has a greater one."""
    key, check = hash_of(sets.hashes, sets.members, 0, n, lives)
    here = row_of(table, key, check)
    if here == NOWHERE or entry(table, here)[0] < value:
        upper = sets.payoff[lives] * weight_of(sets, 0, n)
        put_set(table, key, check, n, value, upper, upper, guess, 0)


class LetterSearch:
    """A search for values of sets of words to a letter guesser, with a random target.

    The value of a set with k lives is the greatest, over the letters, of the sum of its classes' values, with
    k lives if the letter is in the words and k - 1 if not. A set of one word has the value `payoff[k]` times
    its weight; without a life left it is 0. Sets are [n] int32 of ascending word indices on the CPU, n at
    least 1; lives are at most those of the payoff. For one thread at a time, except `stop`.

    Args:
        table: the words, of at most 39 letters.
        payoff: credits of a word found with 0, 1, .. lives left; the first is 0, and it never falls.
        memory: bytes of the table of stored sets; when full, sets of few words are replaced.
    Raises:
        ValueError: the payoff falls, pays for a lost word, or exceeds 2^58 in total; longer words.

    >>> from gpulingo.tensors.wordtable import encode
    >>> table = encode(["dents", "dozes", "reads", "tents"])
    >>> LetterSearch(table, [0, 1, 1], 1 << 20).value(table.targets, lives=1, width=26)
    3
    """

    def __init__(self, table: WordTable, payoff: Sequence[int], memory: int) -> None:
        code_type(table.length)  # raises if the places do not fit
        table, credits = table.to("cpu"), checked_payoff(table, payoff, MOST_VALUE)
        classes, self._patterns = letter_classes(table)
        self._sets = letter_sets(table, classes, self._patterns, credits)
        self._known = new_rows(memory, OF_LETTERS)
        self._count = np.zeros(2, np.int64)  # words of sets opened, and their limit
        self._places, self._letters = table.length, len(table.alphabet)

    def stop(self) -> None:
        """Stop the running search, from another thread."""
        self._count[1] = -1

    def value(
        self, members: Tensor, lives: int, width: int, floor: int = -1, limit: int = 1 << 62
    ) -> int | None:
        """Return the value of a set if at each set only `width` letters are compared, at least 1.

        They are the most common ones, and earlier best ones. With the width of the alphabet it is the exact
        value. If the value is not above the floor, at least -1, the result is an upper bound that is not
        either. None if the words of the sets opened exceed the limit.
        """
        n = self._put(members)
        self._count[:] = 0, limit
        value = seek_letters(self._sets, self._known, n, lives, self._places, floor, width, self._count)
        return int(value) if value >= 0 else None

    def best(
        self, members: Tensor, left: int, legal: Tensor | None = None, past: Sequence[int] | None = None
    ) -> Valued:
        """Return the value of a set and a best letter, both -1 if the search was stopped.

        `legal` and `past` are unused: every letter may be guessed, and any may be best.
        """
        value = self.value(members, left, self._letters)
        guess = -1 if value is None else int(self.tree(members, left, 0, 1).guess[0])
        return Valued(-1 if value is None else value, guess, int(self._count[0]))

    def bracket(self, members: Tensor, lives: int) -> tuple[int, int]:
        """Return lower and upper bounds of a set's value, as far as it was searched."""
        n = self._put(members)
        lower, upper = known_bounds(self._sets, self._known, 0, n, lives, self._places, EVERY)
        return max(0, int(lower)), int(upper)

    def note(self, members: Tensor, lives: int, letter: int, value: int) -> None:
        """Store a letter for a set, and a value of the set that some strategy has after it."""
        note_letter(self._sets, self._known, self._put(members), lives, value, letter)

    def rollout(self, members: Tensor, lives: int, levels: int, width: int) -> int:
        """Return a set's value if the first letters are the best of `width` and the others the most common.

        On every path `levels` letters are compared, at least 0.
        """
        n = self._put(members)
        return int(rollout(self._sets, self._known, 0, 0, n, n, lives, levels, width, 0))

    def tree(self, members: Tensor, lives: int, levels: int, width: int) -> ValuedTree:
        """Return the tree of the search's best letters; without one, of the choices of `rollout`."""
        n = self._put(members)
        rollout(self._sets, self._known, 0, 0, n, n, lives, levels, width, 1)
        rows, value = _grown(grow_noted, (self._sets, self._known), self._patterns, n, lives)
        return ValuedTree(rows[0], rows[1], rows[2], rows[3], value)

    def _put(self, members: Tensor) -> int:
        """Set the members as the set to search; return their number."""
        self._sets.members[: members.shape[0]] = array_of(members)
        return members.shape[0]


def most_held_tree(table: WordTable, lives: int, counts: Tensor, before: Tensor) -> LetterTree:
    """Return the tree that guesses the letter of greatest count among the candidates that splits them.

    Played set by set as any strategy, the same tree of 49,004 words takes 10 CPU seconds instead of 0.4.

    Args:
        table: of feedback `positions`. lives: 1 or more.
        counts: [W, A] int64, at least 0: count of each letter of the alphabet in each word, 0 if the
            word lacks it.
        before: [A] int64: among letters of equal count the one with the greatest number here is guessed, then
            the first.
    """
    table, n = table.to("cpu"), table.targets.shape[0]
    classes, patterns = letter_classes(table)
    sets = letter_sets(table, classes, patterns, np.array([0] + [1] * lives, np.int64))
    sets.members[:n] = array_of(table.targets)
    space = sets, array_of(counts), array_of(before)
    return LetterTree(*_grown(grow_most_held, space, patterns, n, lives)[0])


def _grown(grow: Any, space: tuple[Any, ...], patterns: Array, n: int, lives: int) -> tuple[list[Array], int]:
    """Return the arrays of a tree that `grow` builds, see `LetterTree`, and its value."""
    size = 2 * n + 1
    kinds = np.int32, patterns.dtype, np.int32, np.uint8
    arrays = tuple(np.zeros(size, kind) for kind in kinds)
    nodes, value = grow(space, patterns, n, lives, arrays, np.zeros((size, 3), np.int64))
    ends = nodes, nodes, nodes + 1, nodes
    return [row[:end].copy() for row, end in zip(arrays, ends, strict=True)], int(value)
