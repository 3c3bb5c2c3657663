"""A host's strategy at hangman as a file: a proof that no guesser of letters gets by with fewer misses.

How it is checked is in `host_checks`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpulingo.bounds.arrays import (
    Arrays,
    CertificateError,
    check_range,
    checked_row,
    read_arrays,
    write_arrays,
)
from gpulingo.words.listing import WordList

GAME, FORMAT = "hangman", 1
NAMES = ("format", "game", "fingerprint", "words", "starts", "misses", "answers")
MOST_NODES = 1 << 24
REMEDY = "make it with `gpulingo solve --game hangman --opponent adversary`"


@dataclass(frozen=True, eq=False)
class HostProof:
    """Positions of a host that keeps no more words than it needs; D nodes, the first is the root.

    Attributes:
        fingerprint: of the list.
        length: word length.
        words: [X] int32: the words of the nodes, one node after the other; each node's rise.
        starts: [D + 1] int64: where each node's begin.
        misses: [D] int32: that the host can still force at each node.
        answers: [D, A] int32: the next node after each letter of the list's alphabet; -1: unnecessary,
            because the letter does not split the node's words or any word is as good.
    """

    fingerprint: str
    length: int
    words: np.ndarray[Any, Any]
    starts: np.ndarray[Any, Any]
    misses: np.ndarray[Any, Any]
    answers: np.ndarray[Any, Any]

    @property
    def forced(self) -> int:
        """The misses that are forced from the whole list on."""
        return int(self.misses[0])

    def __len__(self) -> int:
        """Nodes."""
        return len(self.misses)


def write_host_proof(path: str | os.PathLike[str], proof: HostProof) -> None:
    """Write a proof; the twin of `read_host_proof`.

    Raises:
        OSError: the file cannot be written.
    """
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
    """Read the proof of a list; whether it holds is not looked at.

    Raises:
        CertificateError: no such file, damaged, or of another list or game.

    >>> from gpulingo import parse
    >>> read_host_proof("missing.host.npz", parse("dents").of_length(5))
    Traceback (most recent call last):
    gpulingo.bounds.arrays.CertificateError: ...
    """
    name, arrays = os.fspath(path), read_arrays(path)
    try:
        proof = parsed_host_proof(arrays)
    except ValueError as error:
        raise CertificateError(f"{name} {error}: {REMEDY}") from None
    if proof.fingerprint != wordlist.fingerprint:
        theirs, ours = proof.fingerprint[:12], wordlist.fingerprint[:12]
        raise CertificateError(f"{name} is for list {theirs}, this list is {ours}: name its list")
    if proof.length != len(wordlist.words[0]):
        seen = f"words of {proof.length} letters, its list has {len(wordlist.words[0])}"
        raise CertificateError(f"{name} is for {seen}: {REMEDY}")
    return proof


def parsed_host_proof(arrays: Mapping[str, Any]) -> HostProof:
    """Return a proof from its arrays.

    Raises:
        ValueError: they are not what `write_host_proof` writes.
    """
    if missing := [name for name in NAMES if name not in arrays]:
        raise ValueError(f"lacks {', '.join(missing)}")
    version, length, nodes, letters = checked_row("format", arrays["format"], "i", 4).tolist()
    if version != FORMAT:
        raise ValueError(f"has the format {version}, this gpulingo reads {FORMAT}")
    check_range("a number of nodes", nodes, 1, MOST_NODES)
    check_range("a number of letters", letters, 1, 255)
    game = bytes(checked_row("game", arrays["game"], "u")[:32].astype(np.uint8)).decode(errors="replace")
    if game != GAME:
        raise ValueError(f"is for the game {game}, expected {GAME}")
    text = bytes(checked_row("fingerprint", arrays["fingerprint"], "u", 64).astype(np.uint8))
    words = checked_row("words", arrays["words"], "i")
    starts = checked_row("starts", arrays["starts"], "i", nodes + 1)
    misses = checked_row("misses", arrays["misses"], "i", nodes)
    answers = checked_row("answers", arrays["answers"], "i", nodes * letters)
    check_range("misses", misses, 0, letters)
    check_range("answers", answers, -1, nodes - 1)
    if starts[0] != 0 or starts[-1] != len(words) or bool((starts[1:] <= starts[:-1]).any()):
        raise ValueError("has nodes whose words do not follow each other")
    grid = answers.reshape(nodes, letters)
    return HostProof(text.decode(errors="replace"), length, words, starts, misses, grid)
