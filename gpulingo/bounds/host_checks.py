"""Proofs of both sides of cheating hangman, checked by the words alone; no kernel and no search takes part.

A node of a host's strategy is a set of words and the misses that the host can still force with them. It holds
if every letter that splits its words is answered: the answer is a node with words from only one class of the
letter, and it forces as many misses, or one fewer where that is the class without the letter. Since it has
fewer words, no node rests on itself. Three kinds of nodes need no answers:
- each letter that splits the words is missed by some word: one miss is forced;
- each letter that splits k words is held by only one of them: k - 1 misses are forced, because the host says
  miss each time and loses one word;
- no k letters that split the words hit every word: k misses are forced, see `covers`.
"""

from __future__ import annotations

from itertools import compress

import numpy as np

from gpulingo.bounds.arrays import CertificateError
from gpulingo.bounds.covers import covered
from gpulingo.bounds.host_proof import REMEDY, HostProof
from gpulingo.bounds.letter_masks import Array, letter_masks, letters_of
from gpulingo.words.listing import WordList

MOST_WORDS = 1 << 24  # compared at once, a limit of memory
STEPS = 1 << 16  # of the search for letters that hit every word of a node


def check_host(proof: HostProof, wordlist: WordList) -> int:
    """Return the misses that a proof shows any guesser to need.

    Raises:
        CertificateError: it does not hold, with the first node that does not.
    """
    masks = letter_masks(wordlist.words)
    count, letters = masks.shape
    ends = [len(proof) + 1, 0, len(proof.words)]
    fits = [len(proof.starts), int(proof.starts[0]), int(proof.starts[-1])] == ends
    if not fits or bool((np.diff(proof.starts) < 1).any()) or bool((proof.misses < 0).any()):
        raise CertificateError(f"the host's strategy has nodes without words, or that owe misses: {REMEDY}")
    if bool((proof.answers < -1).any()) or bool((proof.answers >= len(proof)).any()):
        raise CertificateError(f"the host's strategy answers by nodes that it has not: {REMEDY}")
    if wordlist.target_ids is not None and not np.isin(proof.words, wordlist.target_ids).all():
        raise CertificateError(f"the host's strategy names words that are no targets: {REMEDY}")
    if proof.answers.shape[1] != letters:
        seen = f"{proof.answers.shape[1]} letters, the list has {letters}"
        raise CertificateError(f"the host's strategy answers {seen}: {REMEDY}")
    if proof.words.min() < 0 or proof.words.max() >= count:
        raise CertificateError(f"the host's strategy names words beyond {count}: {REMEDY}")
    nodes = np.repeat(np.arange(len(proof)), np.diff(proof.starts))
    keys = nodes * count + proof.words  # a node and a word of it
    if bool((keys[1:] <= keys[:-1]).any()):
        raise CertificateError(f"the host's strategy has words out of order: {REMEDY}")
    least, most, holders = _classes(proof, masks)
    parts = least != most  # [D, A]
    sizes = np.diff(proof.starts)
    alone = (~parts | (holders == 1)).all(1) & (sizes > proof.misses)
    forced_once = (~parts | (holders < sizes[:, None])).all(1) & (sizes > 1) & (proof.misses <= 1)
    open_nodes = ~(alone | forced_once | (proof.misses == 0))
    for uncovered in np.flatnonzero(open_nodes & (proof.answers < 0).all(1)).tolist():
        open_nodes[uncovered] = not _uncovered(proof, masks, uncovered, parts[uncovered])
    node, letter = np.nonzero(parts & open_nodes[:, None])
    child = proof.answers[node, letter]
    _refuse(child < 0, node, letter, wordlist, "is not answered")
    _refuse(least[child, letter] != most[child, letter], node, letter, wordlist, "keeps words of two classes")
    rest = proof.misses[child] + (least[child, letter] == 0)
    _refuse(rest < proof.misses[node], node, letter, wordlist, "keeps too few misses")
    _check_held(proof, keys, node, child, count)
    if bool((open_nodes & ~parts.any(1)).any()):
        bad = int(np.flatnonzero(open_nodes & ~parts.any(1))[0])
        raise CertificateError(f"node {bad} of the host's strategy forces nothing: {REMEDY}")
    return proof.forced


def _uncovered(proof: HostProof, masks: Array, node: int, parts: Array) -> bool:
    """Return True if no set of splitting letters, one per forced miss, hits all words of a node."""
    held = masks[proof.words[proof.starts[node] : proof.starts[node + 1]]] != 0
    bits = [1 << letter if part else 0 for letter, part in enumerate(parts.tolist())]
    sets = [sum(compress(bits, row)) for row in held.tolist()]
    return min(sets) > 0 and covered(sets, int(proof.misses[node]), STEPS) is False


def _classes(proof: HostProof, masks: Array) -> tuple[Array, Array, Array]:
    """[D, A] of each node and letter the least and the greatest mask, and how many words hold the letter."""
    shape = proof.answers.shape
    least, most, holders = (np.empty(shape, np.int64) for _ in range(3))
    starts = proof.starts[:-1]
    for letter in range(shape[1]):
        column = masks[proof.words, letter]
        least[:, letter] = np.minimum.reduceat(column, starts)
        most[:, letter] = np.maximum.reduceat(column, starts)
        holders[:, letter] = np.add.reduceat((column != 0).astype(np.int64), starts)
    return least, most, holders


def _refuse(wrong: Array, node: Array, letter: Array, wordlist: WordList, reason: str) -> None:
    """Raise CertificateError if anything is wrong, with the first answer that is."""
    if bool(wrong.any()):
        bad = int(wrong.argmax())
        name = letters_of(wordlist.words)[int(letter[bad])]
        raise CertificateError(
            f"node {node[bad]} of the host's strategy, letter {name!r}, {reason}: {REMEDY}"
        )


def _check_held(proof: HostProof, keys: Array, node: Array, child: Array, count: int) -> None:
    """Check that the nodes in the answers have no words except those of the node before.

    Raises:
        CertificateError: one has.
    """
    pairs = np.unique(node.astype(np.int64) * len(proof) + child)
    node, child = pairs // len(proof), pairs % len(proof)
    sizes = np.diff(proof.starts)[child]
    ends = np.cumsum(sizes)
    first = 0
    while first < len(pairs):
        stop = max(
            first + 1, int(np.searchsorted(ends, (ends[first - 1] if first else 0) + MOST_WORDS, "right"))
        )
        part, size = slice(first, stop), sizes[first:stop]
        offsets = np.arange(int(size.sum())) - np.repeat(np.cumsum(size) - size, size)
        words = proof.words[np.repeat(proof.starts[child[part]], size) + offsets]
        wanted = np.repeat(node[part], size) * count + words
        places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        if bool((keys[places] != wanted).any()):
            bad = int(np.repeat(node[part], size)[(keys[places] != wanted).argmax()])
            raise CertificateError(f"node {bad} of the host's strategy keeps words that it has not: {REMEDY}")
        first = stop
