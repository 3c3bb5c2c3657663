"""Host of hangman that cheats perfectly: it keeps the class that costs the guesser most misses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpulingo.games import positions
from gpulingo.games.catalogue import hangman
from gpulingo.hosts.host import tie_key
from gpulingo.positions.forced_misses import least_misses
from gpulingo.solvers.adversary_misses import adversary_misses
from gpulingo.tensors.wordtable import table_of
from gpulingo.words.wordlist import WordList

if TYPE_CHECKING:
    from gpulingo.hosts.host import Classes, History, Keep
MEMORY = 1 << 28  # bytes
LIMIT = 30_000_000  # words gone through for a class: some seconds, then what is known by then counts


def exact_host(words: WordList) -> Keep:
    """Return the host's choice among the classes of a letter; it may mean any target of the list.

    Of classes that cost the guesser equally many misses the host keeps the largest, on ties the one that
    shows fewest letters, then the smaller pattern.

    >>> keep = exact_host(WordList("five words", ["bat", "cat", "eat", "hat", "hoe"]))
    >>> keep({"___": ["bat", "cat"], "O__": ["hat", "hoe"]}, [("h", "")])
    '___'
    """
    search = adversary_misses(table_of(WordList(words.source, words.targets), hangman()), MEMORY)
    numbers = {word: number for number, word in enumerate(words.targets)}

    def forced(marks: str, candidates: list[str]) -> int:
        """Misses that the class costs and that can be forced after it."""
        members = np.array(sorted(numbers[word] for word in candidates), np.int32)
        return (positions.THERE not in marks) + least_misses(search, members, LIMIT).lower

    def keep(classes: Classes, history: History) -> str:
        return min(
            classes,
            key=lambda marks: (-forced(marks, classes[marks]), -len(classes[marks]), tie_key(marks)),
        )

    return keep
