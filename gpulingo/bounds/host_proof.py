"""A perfect host's strategy in hangman, as a file, and its check."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np

from gpulingo.bounds.arrays import Arrays, CertificateError, Rows, read_arrays, write_arrays
from gpulingo.games.marks import LONGEST
from gpulingo.storage.faults import FORCE_AGAIN
from gpulingo.tensors.arrays import Array
from gpulingo.words.listing import WordList


def smallest(sets: Sequence[int]) -> list[int]:
    """Return the sets, as bits, that contain no other set; fewest bits first.

    >>> smallest([0b110, 0b10, 0b101])
    [2, 5]
    """
    least: list[int] = []
    for bits in sorted(set(sets), key=lambda bits: (bits.bit_count(), bits)):
        if not any(other & bits == other for other in least):
            least.append(bits)
    return least


def covered(sets: Sequence[int], letters: int, limit: int) -> bool | None:
    """Return True if some `letters` letters hit every set of bits; None: not known after `limit` steps.

    >>> covered([0b011, 0b110, 0b101], 1, limit=100), covered([0b011, 0b110, 0b101], 2, limit=100)
    (False, True)
    """
    stack, steps = [(smallest(sets), letters)], 0
    while stack:
        steps += 1
        if steps > limit:
            return None
        rest, left = stack.pop()
        if not rest:
            return True
        if rest[0] == 0 or _apart(rest) > left:
            continue
        hits = [0] * max(rest).bit_length()
        for bits in rest:
            while bits:
                hits[bits.bit_length() - 1] += 1
                bits ^= 1 << bits.bit_length() - 1
        letter = 1 << hits.index(max(hits))
        # Without the letter; with it, which is searched first.
        stack.append((smallest([bits & ~letter for bits in rest]), left))
        stack.append(([bits for bits in rest if not bits & letter], left - 1))
    return False


def least_cover(sets: Sequence[int], limit: int) -> int | None:
    """Return the fewest letters that hit every set; None: unknown after `limit` steps, or a set is empty.

    >>> least_cover([0b011, 0b110, 0b101], limit=100)
    2
    """
    kept = smallest(sets)
    if kept and kept[0] == 0:
        return None
    letters = _apart(kept)
    while (enough := covered(kept, letters, limit)) is False:
        letters += 1
    return letters if enough else None


def _apart(sets: Sequence[int]) -> int:
    """Return the number of sets in a greedy disjoint family: each needs a separate letter."""
    taken, many = 0, 0
    for bits in sets:
        if not bits & taken:
            taken |= bits
            many += 1
    return many


def letters_of(words: Sequence[str]) -> str:
    """Return the letters that occur in words, in code point order.

    >>> letters_of(["bat", "cat"])
    'abct'
    """
    return "".join(sorted(set("".join(words))))


def letter_masks(words: Sequence[str]) -> Array:
    """Return [W, A] int64: a bit mask of the places where a word has a letter, first place most significant.

    >>> letter_masks(["bat", "tat"]).tolist()
    [[2, 4, 1], [2, 0, 5]]
    """
    rows = np.array([list(word) for word in words])  # [W, N]
    if rows.shape[1] > LONGEST:
        raise CertificateError(f"words of {rows.shape[1]} letters, expected at most {LONGEST}: use others")
    places = 1 << np.arange(rows.shape[1] - 1, -1, -1, dtype=np.int64)
    return np.stack([(rows == letter) @ places for letter in letters_of(words)], axis=1)


GAME, FORMAT = "hangman", 1


@dataclass(frozen=True, eq=False)
class HostProof:
    """A host's strategy that keeps no more words than it needs, as D nodes, the first is the root.
    An answer is the next node after a letter of the list's alphabet; -1: unnecessary, because the letter does
    not split the node's words or any word is as good.
    """

    fingerprint: str  # of the list
    length: int  # of its words
    words: Array  # [X] int32, the words of one node after the other, ascending within a node
    starts: Array  # [D + 1] int64, where the words of each node begin
    misses: Array  # [D] int32, misses that the host can still force at each node
    answers: Array  # [D, A] int32

    @property
    def forced(self) -> int:
        return int(self.misses[0])

    def __len__(self) -> int:
        return len(self.misses)


def write_host_proof(path: str | os.PathLike[str], proof: HostProof) -> None:
    """Write a proof; the inverse of `read_host_proof`."""
    nodes, letters = proof.answers.shape
    arrays: Arrays = {
        "format": np.array([FORMAT, proof.length, nodes, letters], np.int64),
        "game": np.frombuffer(GAME.encode(), np.uint8),
        "fingerprint": np.frombuffer(proof.fingerprint.encode(), np.uint8),
        "words": proof.words.astype(np.int32),
        "starts": proof.starts.astype(np.int64),
        "misses": proof.misses.astype(np.int32),
        "answers": proof.answers.astype(np.int32).ravel(),
    }
    write_arrays(path, arrays)


def read_host_proof(path: str | os.PathLike[str], wordlist: WordList) -> HostProof:
    """Read the proof of a list, without a check that it holds."""
    name, arrays = os.fspath(path), read_arrays(path)
    try:
        proof = parsed_host_proof(arrays)
    except ValueError as error:
        raise CertificateError(f"{name} {error}", FORCE_AGAIN) from None
    if proof.fingerprint != wordlist.fingerprint:
        theirs, ours = proof.fingerprint[:12], wordlist.fingerprint[:12]
        raise CertificateError(f"{name} is for list {theirs}, this list is {ours}: name its list")
    if proof.length != len(wordlist.words[0]):
        what = f"words of {proof.length} letters, its list has {len(wordlist.words[0])}"
        raise CertificateError(f"{name} is for {what}", FORCE_AGAIN)
    return proof


def parsed_host_proof(arrays: Mapping[str, Any]) -> HostProof:
    """Return a proof from its arrays; ValueError if `write_host_proof` cannot have written them."""
    rows = Rows(arrays)
    length, nodes, letters = rows.format(FORMAT, 4)
    if (game := rows.text("game")[:32]) != GAME:
        raise ValueError(f"is for the game {game}, expected {GAME}")
    words = rows.row("words", "i")
    starts = rows.row("starts", "i", nodes + 1)
    misses = rows.row("misses", "i", nodes, (0, letters))
    answers = rows.row("answers", "i", nodes * letters, (-1, nodes - 1))
    if nodes < 1 or starts[0] != 0 or starts[-1] != len(words) or bool((starts[1:] <= starts[:-1]).any()):
        raise ValueError("has nodes whose words do not follow each other")
    grid = answers.reshape(nodes, letters)
    return HostProof(rows.text("fingerprint", 64), length, words, starts, misses, grid)


MOST_WORDS = 1 << 24  # a limit of memory: words compared at once
STEPS = 1 << 16  # of the search for letters that hit every word of a node


def check_host(proof: HostProof, wordlist: WordList) -> int:
    """Return the misses that a proof forces on any guesser; CertificateError if it does not hold."""
    masks = letter_masks(wordlist.words)
    count, letters = masks.shape
    if wordlist.target_ids is not None and not np.isin(proof.words, wordlist.target_ids).all():
        raise CertificateError("the host's strategy names words that are no targets", FORCE_AGAIN)
    if proof.answers.shape[1] != letters:
        what = f"{proof.answers.shape[1]} letters, the list has {letters}"
        raise CertificateError(f"the host's strategy answers {what}", FORCE_AGAIN)
    if proof.words.min() < 0 or proof.words.max() >= count:
        raise CertificateError(f"the host's strategy names words beyond {count}", FORCE_AGAIN)
    nodes = np.repeat(np.arange(len(proof)), np.diff(proof.starts))
    keys = nodes * count + proof.words  # a node and a word of it
    if bool((keys[1:] <= keys[:-1]).any()):
        raise CertificateError("the host's strategy has words out of order", FORCE_AGAIN)
    least, most, holders = _classes(proof, masks)
    parts = least != most  # [D, A]
    sizes = np.diff(proof.starts)
    alone = (~parts | (holders == 1)).all(1) & (sizes > proof.misses)
    forced_once = (~parts | (holders < sizes[:, None])).all(1) & (sizes > 1) & (proof.misses <= 1)
    open_nodes = ~(alone | forced_once | (proof.misses == 0))
    for bare in np.flatnonzero(open_nodes & (proof.answers < 0).all(1)).tolist():
        held = masks[proof.words[proof.starts[bare] : proof.starts[bare + 1]]] != 0
        bits = [1 << letter if part else 0 for letter, part in enumerate(parts[bare].tolist())]
        sets = [sum(compress(bits, row)) for row in held.tolist()]
        # Its misses are forced if no set of splitting letters, one per miss, hits all words.
        open_nodes[bare] = min(sets) == 0 or covered(sets, int(proof.misses[bare]), STEPS) is not False
    node, letter = np.nonzero(parts & open_nodes[:, None])
    child = proof.answers[node, letter]
    _refuse(child < 0, node, letter, wordlist, "is not answered")
    _refuse(least[child, letter] != most[child, letter], node, letter, wordlist, "keeps words of two classes")
    rest = proof.misses[child] + (least[child, letter] == 0)
    _refuse(rest < proof.misses[node], node, letter, wordlist, "keeps too few misses")
    _check_held(proof, keys, node, child, count)
    if bool((open_nodes & ~parts.any(1)).any()):
        bad = int(np.flatnonzero(open_nodes & ~parts.any(1))[0])
        raise CertificateError(f"node {bad} of the host's strategy forces nothing", FORCE_AGAIN)
    return proof.forced


def _classes(proof: HostProof, masks: Array) -> tuple[Array, Array, Array]:
    """[D, A] for each node and letter: the least and greatest mask, and the words with the letter."""
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
    if bool(wrong.any()):
        bad = int(wrong.argmax())
        name = letters_of(wordlist.words)[int(letter[bad])]
        what = f"node {node[bad]} of the host's strategy, letter {name!r}, {reason}"
        raise CertificateError(what, FORCE_AGAIN)


def _check_held(proof: HostProof, keys: Array, node: Array, child: Array, count: int) -> None:
    """Check that the nodes in the answers have only words of their parents."""
    pairs = np.unique(node.astype(np.int64) * len(proof) + child)
    node, child = np.divmod(pairs, len(proof))
    sizes = np.diff(proof.starts)[child]
    blocks = np.flatnonzero(np.diff(np.cumsum(sizes) // MOST_WORDS)) + 1
    for pair in np.split(np.arange(len(pairs)), blocks):
        size = sizes[pair]
        offsets = np.arange(int(size.sum())) - np.repeat(np.cumsum(size) - size, size)
        words = proof.words[np.repeat(proof.starts[child[pair]], size) + offsets]
        parents = np.repeat(node[pair], size)
        wanted = parents * count + words
        wrong = keys[np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)] != wanted
        if bool(wrong.any()):
            what = f"node {parents[wrong.argmax()]} of the host's strategy keeps words that it has not"
            raise CertificateError(what, FORCE_AGAIN)
