"""Automorphisms of a list: permutations of places and of letters that map it onto itself.

They preserve its targets, guesses and weights. Permuting both guess and targets leaves the partition
unchanged, so two openings of one orbit have equal value, and only one of them needs a bound. Lists of all
codes have many automorphisms, lists of words have only the identity.
"""

from __future__ import annotations

from itertools import chain, combinations, islice

import numpy as np

from gpulingo.bounds.arrays import CertificateError
from gpulingo.tensors.arrays import Array, array_of
from gpulingo.tensors.wordtable import WordTable, cached_by_table

MOST_IMAGES = 1 << 24  # a limit of memory: words of all images by swaps


@cached_by_table
def automorphisms(table: WordTable) -> Array:
    """[K, N + A] int64 generators, swaps of two places or letters: the images of all places, then letters."""
    letters, alphabet = array_of(table.letters), len(table.alphabet)
    length = letters.shape[1]
    held = np.stack([np.bincount(column, minlength=alphabet) for column in letters.T])  # [N, A]
    swaps: list[Array] = []
    for first, count, same in ((0, length, held), (length, alphabet, held.T)):
        group = np.arange(count)
        for a, b in combinations(range(count), 2):
            if group[a] != group[b] and np.array_equal(same[a], same[b]):
                swap = np.concatenate([np.arange(length), np.arange(alphabet)])
                swap[first + a], swap[first + b] = b, a
                if _image(table, swap) is not None:
                    swaps.append(swap)
                    group[group == group[b]] = group[a]
    return np.array(swaps, np.int64).reshape(-1, length + alphabet)


def orbits(table: WordTable, generators: Array) -> Array:
    """[W] int64: the first word of each word's orbit; CertificateError if a generator is no automorphism."""
    images = [image for row in generators if (image := _image(table, row)) is not None]
    if len(images) < len(generators):
        fault = "the certificate names a permutation that does not map the list onto itself"
        raise CertificateError(f"{fault}: search again")
    return first_of_orbits(table.words, images)


def first_of_orbits(words: int, images: list[Array] | Array) -> Array:
    """Return [W] int64: the first word of each word's orbit under permutations of the words."""
    first, before = np.arange(words), None
    while before is None or not np.array_equal(before, first):
        before = first.copy()
        for image in images:
            least = np.minimum(first, first[image])
            first[image] = least
            first = np.minimum(first, least)
    return first.astype(np.int64)


@cached_by_table
def swaps(table: WordTable) -> Array:
    """Return [K, W] int64: images of all words by swaps of two places, of two letters, of both."""
    kinds: tuple[list[Array], list[Array]] = [], []  # each swaps one place, or letter, with another
    for row in automorphisms(table):
        if (image := _image(table, row)) is not None:
            kinds[np.array_equal(row[: table.length], np.arange(table.length))].append(image)
    places, letters = [[*some, *(g[h[g]] for g, h in combinations(some, 2))] for some in kinds]
    images = chain(places, letters, (g[h] for g in places for h in letters))
    return np.array(list(islice(images, MOST_IMAGES // table.words)), np.int64).reshape(-1, table.words)


def _image(table: WordTable, row: Array) -> Array | None:
    """Return [W]: the image of each word; None if the row is not an automorphism."""
    letters, length = array_of(table.letters), table.length
    places, signs = row[:length], row[length:]
    if sorted(places) != list(range(length)) or sorted(signs) != list(range(len(table.alphabet))):
        return None
    moved = np.empty_like(letters)
    moved[:, places] = signs.astype(np.uint8)[letters]
    order, keys = _sorted(table)
    wanted = _keys(moved)
    places = np.searchsorted(keys, wanted)
    if places.max() >= len(keys) or not np.array_equal(keys[places], wanted):
        return None
    image = order[places]
    roles = np.zeros((3, table.words), np.int64)
    roles[0, array_of(table.targets)], roles[1, array_of(table.pool)] = 1, 1
    roles[2] = 0 if table.weights is None else array_of(table.weights)
    return image if np.array_equal(roles[:, image], roles) else None


@cached_by_table
def _sorted(table: WordTable) -> tuple[Array, Array]:
    """Return the order of the words by their byte keys, and the sorted keys."""
    keys = _keys(array_of(table.letters))
    order = np.argsort(keys)
    return order, keys[order]


def _keys(letters: Array) -> Array:
    """Return [W] each word as one bytes value, which numpy can sort and compare."""
    rows = np.ascontiguousarray(letters + np.uint8(1))  # numpy strips trailing zero bytes
    return rows.view(f"S{rows.shape[1]}").ravel()
