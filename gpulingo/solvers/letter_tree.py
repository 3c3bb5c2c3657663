"""The tree of the letters that a search or playouts have noted in the table."""

from __future__ import annotations

import numpy as np

from gpulingo.solvers.letter_classes import MISS
from gpulingo.solvers.letter_playout import common_letter
from gpulingo.solvers.letter_sets import count_letters, part_by
from gpulingo.solvers.letter_table import NO_GUESS, entry
from gpulingo.solvers.rows import copy
from gpulingo.solvers.transpositions import NOWHERE, hash_of, row_of
from gpulingo.tensors.cpu.compile import compiled, inner


@inner
def chosen_letter(sets, table, start, n, lives):
    """The letter to guess at a set: what is noted for it, else what most words hold."""
    here = row_of(table, *hash_of(sets.hashes, sets.members, start, start + n, lives))
    guess = entry(table, here)[3] if here != NOWHERE else np.int64(NO_GUESS)
    if guess != NO_GUESS:
        return guess
    count_letters(sets, 0, start, n)
    return np.int64(common_letter(sets, 0))


@compiled
def grow_letters(sets, table, patterns, n, lives, tree, place):
    """Write the tree of the letters that are noted, and else of those that most words hold, level by level.

    Args:
        sets: its first n `members` are the words. patterns: see `letter_classes`.
        tree: guess, pattern, first, hit, as of `trees.Tree` with 2 n nodes at least; here a letter's guess is
            W + its number. place: [2 n, 3] int64: room for what is known of each node.
    Returns:
        Nodes, and what the words are worth together.
    """
    guess, pattern, first, hit = tree
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
        letter = chosen_letter(sets, table, start, size, left)
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
            place[least, 0], place[least, 1], place[least, 2] = starts[c], starts[c + 1] - starts[c], after
            nodes += 1
        node += 1
    first[nodes] = nodes
    return nodes, value
