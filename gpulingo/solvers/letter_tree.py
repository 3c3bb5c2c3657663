"""Trees of letters: a search has noted them, or candidates hold them most; no set is searched here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gpulingo.solvers.letter_classes import MISS, NO_LETTER
from gpulingo.solvers.letter_playout import common_letter
from gpulingo.solvers.letter_sets import count_letters, part_by
from gpulingo.solvers.letter_table import NO_GUESS, entry
from gpulingo.solvers.rows import copy, fill
from gpulingo.solvers.transpositions import NOWHERE, hash_of, row_of
from gpulingo.tensors.cpu.compile import compiled, inner


def letter_tree(choose: Callable[..., Any]) -> Any:
    """Return the kernel that grows a tree level by level.

    Args:
        choose: (space, start, n, lives): the letter to guess at the n `members` at start.
    """

    @compiled
    def grow(space, patterns, n, lives, tree, place):
        """Write the tree; return its number of nodes, and the value of all words together.

        Args:
            space: a tuple, first `letter_sets.LetterSets`; its first n `members` are the words.
            patterns: see `letter_classes`.
            tree: guess, pattern, first, hit (see `trees.Tree`) with 2 n nodes at least; here a letter's guess
                is W + its number.
            place: [2 n, 3] int64: room for what is known of each node.
        """
        sets, (guess, pattern, first, hit) = space[0], tree
        words = sets.numbers.shape[0]
        # Of each node where its set begins, how many words it has and lives are left; of the level after it
        # the sets stand in the other half of the room.
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
                place[least, 0], place[least, 1], place[least, 2] = (
                    starts[c],
                    starts[c + 1] - starts[c],
                    after,
                )
                nodes += 1
            node += 1
        first[nodes] = nodes
        return nodes, value

    return grow


@inner
def _noted(space, start, n, lives):
    """Return the letter that the table has for a set, otherwise the one that most words hold."""
    sets, table = space
    here = row_of(table, *hash_of(sets.hashes, sets.members, start, start + n, lives))
    guess = entry(table, here)[3] if here != NOWHERE else np.int64(NO_GUESS)
    if guess != NO_GUESS:
        return guess
    count_letters(sets, 0, start, n)
    return np.int64(common_letter(sets, 0))


@inner
def _most_held(space, start, n, lives):
    """Return the letter of greatest sum that parts a set; see `letters.most_held_tree`."""
    sets, counts, before = space
    sums, first, best = sets.counts[0], sets.members[start], np.int64(NO_GUESS)
    fill(sums, 0)
    for t in range(start, start + n):
        row, k = sets.letters[sets.members[t]], 0
        while row[k] != NO_LETTER:
            sums[row[k]] += counts[sets.members[t], row[k]]
            k += 1
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
