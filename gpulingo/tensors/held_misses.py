"""`held_misses`: how few misses a guesser of letters needs against a host who only keeps a set of words.

The value of a set of words: 0 for a single one; else the least, over the letters that part it, of the
greatest of its classes, where the class without the letter counts a miss more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from gpulingo.tensors.checks import check_kind
from gpulingo.tensors.features import Array
from gpulingo.tensors.integers import code_dtype
from gpulingo.tensors.outcomes import Misses
from gpulingo.tensors.wordtable import WordTable

if TYPE_CHECKING:
    from gpulingo.tensors.cpu.host_misses import HostMisses

MEMORY = 1 << 30  # bytes


class HeldSearch(Protocol):
    """A search for the least misses; it keeps what it learned from one set to the next.

    Only `stop` may be called from another thread. A core is a set of words of which it is known how many
    misses can be forced with them alone, and which of them the host keeps after each letter.
    """

    letters: int  # of the alphabet, A
    codes: Array  # [W, A] int16: as of `letter_classes`
    patterns: Array  # [A, K] int64: pattern of each class, ascending; -1 where a letter has no more

    @property
    def positions(self) -> int:
        """Sets whose letters were tried, in all calls so far."""

    @property
    def memory(self) -> int:
        """Bytes of all its arrays; what was not written yet takes none of the machine."""

    def stop(self) -> None:
        """End this search and all later ones as if their limit were reached."""

    def wins(self, members: Array, misses: int, limit: int = ...) -> bool | None:
        """Whether so many misses are enough for a set, [n] int32; None where the search ended before.

        It ends when `limit` words were gone through, when it is stopped, or when its memory is full.
        """

    def least(self, members: Array, limit: int = ...) -> Misses:
        """The least misses that are enough for a set, [n] int32; bounds where the search ended before."""

    def letter(self, members: Array, misses: int) -> int | None:
        """A letter to guess where so many misses are enough for two words or more; None: it ended before."""

    def add_core(self, words: Array, misses: int) -> bool:
        """Take words, [k] int32, with which so many misses can be forced; whether there is room for them."""

    def core_words(self, core: int) -> Array:
        """[k] int32, ascending: the words of a core."""

    def core_misses(self, core: int) -> int:
        """The misses that can be forced with the words of a core alone."""

    def core_answers(self, core: int) -> Array:
        """[A] int32: the core to keep where a letter that parts this one is missed; -1: none is needed."""


def held_misses(table: WordTable, memory: int = MEMORY) -> HeldSearch:
    """A search for the least misses that a guesser of letters needs.

    Args:
        table: the words; what may be guessed are the letters of its alphabet.
        memory: bytes that it may take, at most 3 GiB of them are used.
    Raises:
        ValueError: the memory is below 1, words are of more than 39 letters, or a letter has more than 32,766
            different places. TypeError: an argument is of another kind.

    >>> from gpulingo import encode
    >>> table = encode(["bat", "cat", "hat", "rat"])
    >>> held_misses(table, 1 << 20).least(table.targets.numpy())
    Misses(lower=3, upper=3, core=0)
    """
    from gpulingo.tensors.cpu.held_misses import HeldMisses  # here: it is compiled for the CPU alone

    check_kind("table", table, WordTable)
    check_kind("memory", memory, int)
    if memory < 1:
        raise ValueError(f"memory is {memory} bytes, expected at least 1")
    code_dtype(table.length)
    return HeldMisses(table.to("cpu"), memory)


def host_misses(table: WordTable, memory: int = MEMORY) -> HostMisses:
    """A search for the least misses against a host of a known rule; see `gpulingo.search.fixed_players`.

    Args:
        table: the words. memory: bytes of its table.
    Raises:
        ValueError: more than 64 different letters, or words of more than 39.
    """
    from gpulingo.tensors.cpu.host_misses import HostMisses

    code_dtype(table.length)
    return HostMisses(table.to("cpu"), memory)


def letter_classes(table: WordTable) -> Array:
    """[W, A] int16: the class of each word by each letter, numbered by pattern; 0: it lacks the letter."""
    from gpulingo.tensors.cpu.held_sets import codes_of

    return codes_of(table)[0]
