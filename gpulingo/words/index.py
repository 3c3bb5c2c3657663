"""Index of a known list file, so that a player need not read through all of it.

Picking the words of one length out of 351,076 and hashing them costs more CPU time than the rest of a game.
An index is keyed by the sha256 of the whole file and holds the fingerprint of every length and the offset of
every 64th word. It holds no words and no targets, and without it everything works the same. The embedded list
has one file per length and needs no index.
"""

from __future__ import annotations

import io
import os
from _operator import lt
from collections.abc import Iterable, Sequence

from gpulingo.storage.files import file_bytes, file_name, replace_file
from gpulingo.storage.npz import MOST_FILE, Value, header_text, integers, npy, pack, parsed_header, unpack
from gpulingo.words.wordlist import WordList

FORMAT = 1
GAP = 64  # words from one start to the next: 256 bytes of starts for 1,000 words, 30 us to find one
MEMBERS = ("header", "starts")


class IndexedWords:
    """The words of one length of a known file; finds single words without making the others.

    Attributes:
        length: word length.
        fingerprint: see `WordList`.
    """

    __slots__ = ("_data", "_starts", "_words", "fingerprint", "length")

    def __init__(self, data: bytes, starts: memoryview, *, length: int, words: int, fingerprint: str) -> None:
        self._data, self._starts, self._words = data, starts, words
        self.length, self.fingerprint = length, fingerprint

    @property
    def target_count(self) -> int:
        """Number of words that may be the target: all."""
        return self._words

    @property
    def weights(self) -> None:
        """None: each word counts 1."""

    def weighed(self, weights: Sequence[int] | None, source: str) -> WordList:
        """Return a list of the same words, all of them made, with weights."""
        return WordList(source, [self[index] for index in range(len(self))]).weighed(weights, source)

    def __len__(self) -> int:
        return self._words

    def __getitem__(self, index: int) -> str:
        """Return the word at an index 0..len-1.

        Raises:
            IndexError: another index.
        """
        if not 0 <= index < self._words:
            raise IndexError(f"word {index} of {self._words}: indices are 0..{self._words - 1}")
        block, place = divmod(index, GAP)
        return self.block(block)[place][:-1].decode()

    def block(self, number: int) -> list[bytes]:
        """Return the lines of the words from one start to the next."""
        stop = self._starts[number + 1] if number + 1 < len(self._starts) else len(self._data)
        lines = io.BytesIO(self._data[self._starts[number] : stop])
        return list(dict.fromkeys(line for line in lines if len(line) == self.length + 1))


def index_name(length: int, digest: str) -> str:
    """Name of the index of the words of a length in the file with that sha256, without a folder."""
    return file_name("index", length, digest)


def find_index(data: bytes, length: int, folders: Iterable[str]) -> IndexedWords | None:
    """Return the words of a length in a list file, if one of the folders holds an index of it.

    Args:
        data: the whole file; empty for the embedded list.
        length: word length.
        folders: searched in order; an index that is damaged or of another file is skipped.
    """
    if not data:
        return None
    digest = _sha256(data)
    for folder in folders:
        try:
            text = file_bytes(os.path.join(folder, index_name(length, digest)), MOST_FILE)
            return parsed_index(text, data, length, digest)
        except (OSError, ValueError):
            continue
    return None


def parsed_index(text: bytes, data: bytes, length: int, digest: str) -> IndexedWords:
    """Return the words that an index file tells of.

    Raises:
        ValueError: the index is damaged or of another file.
    """
    members = unpack(text, MEMBERS)
    header = parsed_header(bytes(integers(members["header"], "u1")).decode())
    words, fingerprint = header.get("words"), header.get("fingerprint")
    expected = {
        "file": digest,
        "fingerprint": fingerprint,
        "format": FORMAT,
        "length": length,
        "words": words,
    }
    if header != expected or type(words) is not int or type(fingerprint) is not str or words < 1:
        raise ValueError("the index is of another file or format: build it again")
    starts = memoryview(integers(members["starts"], "i4", -(-words // GAP)))
    if not 0 <= starts[0] or starts[-1] >= len(data) or not all(map(lt, starts, starts[1:])):
        raise ValueError("the index has words outside the file or out of order: build it again")
    return IndexedWords(data, starts, length=length, words=words, fingerprint=fingerprint)


def write_index(data: bytes, wordlist: WordList, folder: str) -> str | None:
    """Write the index of one length of a list file.

    Args:
        data: the whole file.
        wordlist: its words of one length; of one with targets the index tells all words, as without them.
        folder: where the index goes; the name comes from the length and the file's sha256.
    Returns:
        The path, or None when the file is not plain enough for an index: words of that length in upper case,
        with CRLF, or repeated far from each other; and for the embedded list, whose data is empty.
    Raises:
        OSError: the file cannot be written.
    """
    starts, offset = [], 0
    seen: set[bytes] = set()
    for line in io.BytesIO(data):
        if len(line) == wordlist.length + 1 and line not in seen:
            if len(seen) % GAP == 0:
                starts.append(offset)
            seen.add(line)
        offset += len(line)
    digest = _sha256(data)
    fingerprint = WordList(wordlist.source, wordlist.words).fingerprint
    header: dict[str, Value] = {"file": digest, "fingerprint": fingerprint, "format": FORMAT}
    header |= {"length": wordlist.length, "words": len(wordlist)}
    text = pack([("header", npy(header_text(header).encode(), "u1")), ("starts", npy(starts, "i4"))])
    try:
        words = parsed_index(text, data, wordlist.length, digest)
        blocks = [words.block(number)[:GAP] for number in range(len(starts))]
        if [line[:-1].decode() for block in blocks for line in block] != wordlist.words:
            return None
    except (ValueError, IndexError):
        return None
    path = os.path.join(folder, index_name(wordlist.length, digest))
    replace_file(path, text)
    return path


def _sha256(data: bytes) -> str:
    """64 hex digits, by OpenSSL: of a whole file that costs less than what `wordlist` takes, or hashlib."""
    try:
        from _hashlib import openssl_sha256 as sha256
    except ImportError:  # a Python without OpenSSL
        from hashlib import sha256

    return sha256(data).hexdigest()
