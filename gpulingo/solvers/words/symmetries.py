"""Guesses that symmetries map to each other: only one of each kind is searched.

Twins are words that no other guess distinguishes and that split all others alike, such as anagrams in jotto.
Swapping two twins maps strategies to strategies. So of the twins in a set it suffices to guess the heaviest,
which is at least as good as a twin outside the set.

An automorphism permutes places and letters and maps the list onto itself. If it also fixes every guess so
far, it fixes the set that their feedback leaves, if feedback does not depend on the order of places; guesses
that it maps to each other, an orbit, have equal value.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

from gpulingo.tensors.arrays import Array, array_of
from gpulingo.tensors.cpu.compile import inner, making_arrays
from gpulingo.tensors.wordtable import WordTable

FEWEST = 32  # words of a set whose guesses are grouped by orbit; smaller ones are quickly searched
MOST_LETTERS = 8  # of a key of 64 bits; guesses of longer words are not grouped
MOST_PLACES = 6  # all orders of so many places are tried, 720; in longer words only letters are permuted
FREE = -1


@making_arrays
def twins_of(by_guess, guess_of):
    """Return [n] int64: the first word that each is a twin of; empty if no two words are twins.

    `by_guess` is [d, n], the class that each guess puts each word in, `guess_of` [n], each word's guess.
    """
    words, several = guess_of.shape[0], False
    first, renamed = np.arange(words), np.empty((2, words + 1), np.int64)
    for t in range(words):
        for s in range(t):
            if first[s] == s and _is_twin(by_guess, guess_of, s, t, renamed):
                first[t], several = s, True
                break
    return first if several else first[:0]


@inner
def _is_twin(by_guess, guess_of, s, t, renamed):
    """Return True if swapping two words maps the classes of every guess to those of some guess."""
    for g in range(by_guess.shape[0]):
        if by_guess[g, s] != by_guess[g, t] and g != guess_of[s] and g != guess_of[t]:
            return False
    labels, others, there, back = by_guess[guess_of[s]], by_guess[guess_of[t]], renamed[0], renamed[1]
    there[:], back[:] = FREE, FREE
    for x in range(labels.shape[0]):
        y = t if x == s else s if x == t else x
        mine, image = labels[x], others[y]
        if there[mine] == FREE and back[image] == FREE:
            there[mine], back[image] = image, mine
        elif there[mine] != image:
            return False
    return True


@inner
def one_of_twins(space, depth, start, stop, many):
    """Keep, among the first guesses in the order of a set, one of each set of twins; return how many."""
    first, order, chosen, left = space.twins, space.order[depth], space.kinds, 0
    chosen[:] = FREE
    for t in range(stop - 1, start - 1, -1):
        chosen[first[space.members[depth, t]]] = space.members[depth, t]
    for k in range(many):
        guess = order[k]
        if guess < first.shape[0]:
            if chosen[first[guess]] == FREE:
                chosen[first[guess]] = guess
            if chosen[first[guess]] != guess:
                continue
        order[left] = guess
        left += 1
    return left


class Orbits(NamedTuple):
    """Permutations of S orders of N places and of A letters, and scratch to compute the orbits of guesses."""

    letters: Array  # [W, N] uint8
    orders: Array  # [S, N] int64: the place that each place's letter comes from; the first is the identity
    kinds: Array  # [A] int64: letters with the same number may be permuted
    begun: Array  # [1] int64: number of guesses before the search, FREE if unknown
    past: Array  # [most turns] int64: these guesses, then those of the search
    images: Array  # [S, A] int64: image of each letter that was guessed, or FREE
    sources: Array  # [A] int64: the letter with each image, or FREE
    kept: Array  # [S] int64: the orders that fix all guesses
    first: Array  # [A] int64: first letter of each kind that was not guessed, or FREE
    following: Array  # [A] int64: the next such letter after each
    next: Array  # [A] int64: next unused new name of each kind
    renamed: Array  # [A] int64: new names of the letters of a word, or FREE
    seen: Array  # [2^k] uint64: keys of orbits, by hash

    def begin(self, past: Sequence[int] | None) -> None:
        """Begin a search after some guesses; None: they are unknown, so all guesses are searched."""
        several = len(self.orders) > 1 or len(np.unique(self.kinds)) < len(self.kinds)
        self.begun[0] = FREE if past is None or not several else len(past)
        if past is not None:
            self.past[: len(past)] = past


def orbits_of(table: WordTable, generators: Array, turns: int) -> Orbits:
    """Return the orbits of a table under swaps of two places or of two letters.

    `generators` are [K, N + A] int64, the swaps: the image of every place, then of every letter;
    `turns` is the most guesses of a search, including those before it.
    """
    length, alphabet = table.length, len(table.alphabet)
    groups = np.arange(length + alphabet)
    for row in generators if length <= MOST_LETTERS else ():
        first, second = np.flatnonzero(row != np.concatenate([np.arange(length), np.arange(alphabet)]))
        groups[groups == groups[second]] = groups[first]
    orders = np.arange(length)[None]
    if length <= MOST_PLACES:
        every = np.array(list(permutations(range(length))))
        orders = every[(groups[every] == groups[:length]).all(1)]
    return Orbits(
        letters=array_of(table.letters),
        orders=orders,
        kinds=groups[length:] - length,
        begun=np.full(1, FREE, np.int64),
        past=np.zeros(turns + 2, np.int64),
        images=np.empty((len(orders), alphabet), np.int64),
        sources=np.empty(alphabet, np.int64),
        kept=np.empty(len(orders), np.int64),
        first=np.empty(alphabet, np.int64),
        following=np.empty(alphabet, np.int64),
        next=np.empty(alphabet, np.int64),
        renamed=np.empty(alphabet, np.int64),
        seen=np.empty(2 << len(table.pool).bit_length(), np.uint64),
    )


@inner
def keep_guesses(orbits, guesses):
    """Write the orders of places that fix the first guesses, and their images of letters; return how many."""
    orders, images, sources, letters = orbits.orders, orbits.images, orbits.sources, orbits.letters
    count = 0
    for s in range(orders.shape[0]):
        image, fits = images[s], True
        image[:] = FREE
        sources[:] = FREE
        for g in range(guesses):
            word = letters[orbits.past[g]]
            for place in range(word.shape[0]):
                letter, to = np.int64(word[orders[s, place]]), np.int64(word[place])
                if image[letter] == FREE and sources[to] == FREE and orbits.kinds[letter] == orbits.kinds[to]:
                    image[letter], sources[to] = to, letter
                elif image[letter] != to:
                    fits = False
        if fits:
            orbits.kept[count] = s
            count += 1
    return count


@inner
def list_free(orbits):
    """Link the letters that no guess has by kind, in order; return whether a kind has two."""
    image, first, following = orbits.images[0], orbits.first, orbits.following
    several = False
    first[:] = FREE
    for letter in range(image.shape[0] - 1, -1, -1):
        if image[letter] == FREE:
            kind = orbits.kinds[letter]
            following[letter] = first[kind]
            several = several or first[kind] != FREE
            first[kind] = letter
    return several


@inner
def key_of(orbits, orders, guess):
    """Return the key of a guess's orbit: its least image, with free letters renamed in their order."""
    word, images, renamed, least = orbits.letters[guess], orbits.images, orbits.renamed, np.uint64(0)
    for k in range(orders):
        s, key = orbits.kept[k], np.uint64(0)
        for letter in range(renamed.shape[0]):
            renamed[letter], orbits.next[letter] = FREE, orbits.first[letter]
        for place in range(word.shape[0]):
            letter = np.int64(word[orbits.orders[s, place]])
            to = images[s, letter] if images[s, letter] != FREE else renamed[letter]
            if to == FREE:
                kind = orbits.kinds[letter]
                to = renamed[letter] = orbits.next[kind]
                orbits.next[kind] = orbits.following[to]
            key = (key << np.uint64(8)) + np.uint64(to + 1)
        if k == 0 or key < least:
            least = key
    return least


@inner
def one_of_each(space, orbits, depth, many):
    """Keep, among the first guesses in the order of a set, the first of each orbit; return how many."""
    begun = orbits.begun[0]
    if begun == FREE:
        return many
    for above in range(depth):
        orbits.past[begun + above] = space.frames[above].guess
    orders = keep_guesses(orbits, begun + depth)
    if not list_free(orbits) and orders == 1:
        return many
    order, seen, left = space.order[depth], orbits.seen, 0
    mask = np.uint64(seen.shape[0] - 1)
    seen[:] = 0
    for k in range(many):
        key = key_of(orbits, orders, space.guesses[order[k]])
        slot = (key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32) & mask
        while seen[slot] != 0 and seen[slot] != key:
            slot = (slot + np.uint64(1)) & mask
        if seen[slot] == 0:
            seen[slot] = key
            order[left] = order[k]
            left += 1
    return left
