"""Cheating hangman where one side's rule is known: what a perfect opponent makes of it.

What a host of a known rule keeps depends on the set and the letter alone: a letter that was guessed before is
at the same places of all candidates, or in none.
"""

from __future__ import annotations

from gpulingo.games.catalogue import find_game
from gpulingo.strategies.build import simulate
from gpulingo.tensors.wordtable import WordTable
from gpulingo.words.wordlist import WordList

HOSTS = ("largest", "diversity")
GUESSERS = ("frequency", "entropy")
MEMORY = 1 << 28  # bytes


def against_host(table: WordTable, host: str, limit: int = 1 << 62, memory: int = MEMORY) -> tuple[int, int]:
    """Return the least misses of a guesser who knows the host's rule.

    Args:
        table: the words.
        host: `largest` keeps the largest class, on ties the one that shows fewest letters, then that of the
            smaller pattern; `diversity` the one with most different letters which were not guessed yet, on
            ties the largest, and so on.
        limit: words gone through.
        memory: bytes of its table.
    Returns:
        Misses that are needed, and misses that are enough; the same, unless the limit was reached.
    Raises:
        ValueError: no such host, or more than 64 different letters.
    """
    from gpulingo.solvers.host_misses import HostMisses

    if host not in HOSTS:
        raise ValueError(f"host is {host!r}: use {' or '.join(HOSTS)}")
    return HostMisses(table, memory).least(table.targets.numpy(), host, limit)


def against_guesser(words: WordList, guesser: str) -> int:
    """Return the misses that a perfect host forces on a guesser of a known rule: those of its worst word.

    Args:
        guesser: of the letters that split the candidates `frequency` guesses the one that most of them hold,
            `entropy` the one whose classes have most entropy; on ties, the first of the alphabet.
    Raises:
        ValueError: no such guesser.
    """
    if guesser not in GUESSERS:
        raise ValueError(f"guesser is {guesser!r}: use {' or '.join(GUESSERS)}")
    lives = len(set("".join(words.words)))  # more than letters that a word can lack
    found = simulate(words, guesser, find_game("hangman", lives)).turns
    return max(misses for misses, count in enumerate(found) if count)
