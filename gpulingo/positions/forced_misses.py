"""The misses that an adversary can force on a perfect guesser of hangman, and both sides' strategies.

The search is `solvers.adversary_misses`; `bounds.host_proof` checks the strategies.
"""

from __future__ import annotations

from itertools import compress, pairwise
from typing import Any, NamedTuple

import numpy as np

from gpulingo.bounds.host_proof import HostProof, least_cover, smallest
from gpulingo.solvers.adversary_misses import AdversaryMisses
from gpulingo.tensors.outcomes import Misses
from gpulingo.words.listing import WordList

Array = np.ndarray[Any, Any]


FEW = 500  # words of a family whose covers are searched: they tell most where words are short and few
MANY = 3000  # words of which no families are looked at
STEPS = 3000  # of the search for a cover of one family


class TreeArrays(NamedTuple):
    """A guesser's strategy; M nodes, see `gpulingo.trees.tree.Tree`."""

    guess: Array  # [M] int32: W + the number of a letter; the word where it is the only one left
    pattern: Array  # [M] int64: mask that leads to the node; -1 at the root
    first: Array  # [M + 1] int32: `first[i]:first[i + 1]` are the children of node i
    hit: Array  # [M] uint8: 1 where one word is left


def least_misses(search: AdversaryMisses, members: Array, limit: int = 1 << 62) -> Misses:
    """Return the least misses that a perfect guesser needs against a perfect host, or bounds of them.

    Args:
        search: of the table. members: [n] int32, rising: the words that the host may have.
        limit: words gone through.
    """
    for words, misses in family_covers(search.codes, members):
        search.add_nogood(words, misses)
    return search.least(members, limit)


def family_covers(codes: Array, members: Array) -> list[tuple[Array, int]]:
    """Return words that show the same places of one letter, and the misses forced by denying all others.

    Args:
        codes: [W, A] int16, the class of each word by each letter; 0: the word lacks it.
        members: [n] int32, rising.
    Returns:
        Of the family that forces most, and has at most FEW words: [k] int32 words, and misses; or nothing,
            for example of more than MANY words.
    """
    best: list[tuple[Array, int]] = []
    if len(members) > MANY:
        return best
    bits = [1 << letter for letter in range(codes.shape[1])]
    for letter in range(codes.shape[1]):
        column = codes[members, letter]
        for code in np.unique(column[column > 0]).tolist():
            family = members[column == code]
            if not (best[0][1] if best else 0) + 1 < len(family) <= FEW:
                continue
            held = codes[family] != 0
            held[:, (codes[family] == codes[family[0]]).all(0)] = False
            sets = [sum(compress(bits, row)) for row in held.tolist()]
            cover = least_cover(sets, STEPS)
            if cover is not None and cover - 1 > (best[0][1] if best else 0):
                word_of = dict(zip(reversed(sets), reversed(family.tolist()), strict=True))
                words = np.array(sorted(word_of[kept] for kept in smallest(sets)), np.int32)
                best = [(words, cover - 1)]
    return best


def guesser_tree(search: AdversaryMisses, members: Array, misses: int) -> TreeArrays | None:
    """Return a strategy that needs at most `misses` misses against any host.

    Args:
        search: of the table.
        members: [n] int32, rising: the words that the host may have.
        misses: a number that is enough, such as `search.least(members).upper`.
    Returns:
        Its arrays; None where the search was stopped, or the misses are not enough.
    """
    codes, patterns, words = search.codes, search.patterns, len(search.codes)
    guess, pattern, first, hit = [], [-1], [], []
    queue = [(members, misses)]
    for node, left in queue:  # grows as it is gone through
        first.append(len(queue))
        hit.append(len(node) == 1)
        if len(node) == 1:
            guess.append(int(node[0]))
            continue
        letter = search.letter(node, left)
        if letter is None:
            return None
        guess.append(words + letter)
        column = codes[node, letter]
        order = np.argsort(column, kind="stable")
        node, column = node[order], column[order]
        cuts = [0, *(np.flatnonzero(np.diff(column)) + 1).tolist(), len(node)]
        for start, stop in pairwise(cuts):
            code = int(column[start])
            queue.append((node[start:stop], left - (code == 0)))
            pattern.append(int(patterns[letter, code]))
    first.append(len(queue))
    return TreeArrays(
        np.array(guess, np.int32),
        np.array(pattern, np.int64),
        np.array(first, np.int32),
        np.array(hit, np.uint8),
    )


def host_proof(search: AdversaryMisses, nogood: int, wordlist: WordList) -> HostProof:
    """Return a proof that no guesser needs fewer misses than `search.least` gave as the lower bound.

    Args:
        search: of the list's table.
        nogood: that the bound rests on; -1 where it is 0.
        wordlist: the list.
    """
    number, nodes = {nogood: 0}, [nogood]
    rows, words = [], []
    for node in nodes:  # grows as it is gone through
        row = search.nogood_answers(node) if node >= 0 else np.full(search.letters, -1, np.int32)
        for other in np.unique(row[row >= 0]).tolist():
            if other not in number:
                number[other] = len(nodes)
                nodes.append(other)
        rows.append([number[other] if other >= 0 else -1 for other in row.tolist()])
        words.append(search.nogood_words(node) if node >= 0 else np.zeros(1, np.int32))
    return HostProof(
        wordlist.fingerprint,
        len(wordlist.words[0]),
        np.concatenate(words).astype(np.int32),
        np.cumsum([0, *map(len, words)]),
        np.array([search.nogood_misses(node) if node >= 0 else 0 for node in nodes], np.int32),
        np.array(rows, np.int32),
    )
