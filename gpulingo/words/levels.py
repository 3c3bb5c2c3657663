"""Level of each embedded word: how common it is, and whether it may be an answer or is unfit to be one.

`listing` has the words. Not on the light path.
"""

from __future__ import annotations

from gpulingo.games.catalogue import ANSWERS
from gpulingo.words.listing import (
    EMBEDDED_LENGTHS,
    EMBEDDED_VERSION,
    damaged,
    embedded,
    embedded_text,
    numbers_text,
)
from gpulingo.words.wordlist import WordList, WordListError

NUMBERS = (10, 20, 35, 40, 50, 55, 60, 70, 80)  # SCOWL's levels: the smallest of its lists that has the word
LEVELS = {"small": 35, "medium": 50, "large": 70, "huge": 80}  # each includes the levels before it
COMMON = "common"  # another name for ANSWERS, words that a person may have to find
NO_LEVEL = 1 << 10  # for a word without a level: above all levels
FIRST = {sign: ord(sign) for sign in "0aA"}  # signs of the first level: plain word, answer, unfit word


def levels_of(wordlist: WordList, unknown: int | None = None) -> list[int]:
    """Return the level of each word of a list, one of 10 20 35 40 50 55 60 70 80, in list order.

    `unknown` is the level of a word that the embedded list lacks; None makes it a WordListError.

    >>> levels_of(WordList("three words", ["about", "abaft", "abaca"]))
    [10, 50, 70]
    """
    levels = {word: _level(sign) for word, sign in signs_of_length(wordlist.length).items()}
    if unknown is not None:
        return [levels.get(word, unknown) for word in wordlist.words]
    missing = [word for word in wordlist.words if word not in levels]
    if missing:
        raise WordListError(
            f"{len(missing):,} of {len(wordlist):,} words of {wordlist.source} have no level, "
            f"{missing[0]!r} first: only the embedded list's words have one, so take a list of these"
        )
    return [levels[word] for word in wordlist.words]


def words_up_to(level: int, length: int) -> list[str]:
    """Return the embedded list's words of a length and of at most a level, SCOWL's number, in list order.

    >>> len(words_up_to(35, 5))
    3466
    """
    if level < NUMBERS[0]:
        raise ValueError(f"level {level}: levels are {NUMBERS[0]} to {NUMBERS[-1]}, SCOWL's numbers")
    return [word for word, sign in signs_of_length(length).items() if _level(sign) <= level]


def level_counts(wordlist: WordList) -> dict[str, int]:
    """Return the numbers of answers and of words up to each level; words without a level are not counted."""
    wordlist = wordlist.weighed(None, "")  # a copy, so that the strings of all words are freed with it
    levels, chosen = levels_of(wordlist, NO_LEVEL), set(answers(wordlist.length))
    counts = {name: sum(word_level <= level for word_level in levels) for name, level in LEVELS.items()}
    return {ANSWERS: sum(word in chosen for word in wordlist.words), **counts}


def answers(length: int) -> list[str]:
    """Return the embedded list's words of a length that a person may have to find, in list order.

    >>> len(answers(5))
    2664
    """
    return [word for word, sign in signs_of_length(length).items() if sign >= "a"]


def unfit_words(length: int) -> frozenset[str]:
    """Return the embedded list's words of a length that are not drawn, and not suggested first."""
    return frozenset(word for word, sign in signs_of_length(length).items() if "A" <= sign < "a")


def level_targets(name: str, pool: WordList) -> list[str] | None:
    """Return the words of a pool that are answers, or have at most a level, in the pool's order.

    None for any name but `answers`, `common` and the levels; WordListError: there is no such word.

    >>> level_targets("answers", WordList("three words", ["about", "aahed", "abaca"]))
    ['about']
    """
    if name in (ANSWERS, COMMON):
        chosen = set(answers(pool.length))
    elif name in LEVELS:
        chosen = set(words_up_to(LEVELS[name], pool.length))
    else:
        return None
    targets = [word for word in pool.words if word in chosen]
    if not targets:
        some = numbers_text(filter(answers, EMBEDDED_LENGTHS), ", ", " to ")
        what = "answer" if name in (ANSWERS, COMMON) else f"{name} word"
        raise WordListError(
            f"{pool.source} has no {what} of {pool.length} letters: there are answers of {some} letters; "
            "use all, or a file of targets"
        )
    return targets


def signs_of_length(length: int) -> dict[str, str]:
    """Return the embedded list's words of a length with their signs, in list order; empty for other lengths.

    A sign is the index of the level in NUMBERS, counted from `0`; for an answer from `a`, for an unfit word
    from `A`.
    """
    if length not in EMBEDDED_LENGTHS:
        return {}
    words, signs = embedded().of_length(length).words, embedded_text(length, signs=True).rstrip("\n")
    known = {chr(first + place) for first in FIRST.values() for place in range(len(NUMBERS))}
    if len(signs) != len(words) or not known.issuperset(signs):
        raise WordListError(damaged(f"its signs are not those of its words of {length} letters"))
    return dict(zip(words, signs, strict=True))


def embedded_digest() -> str:
    """SHA-256 of all words of the embedded list and their signs, in hexadecimal digits."""
    from hashlib import sha256

    digest = sha256(f"{EMBEDDED_VERSION}\n".encode())
    for length in EMBEDDED_LENGTHS:
        for signs in (False, True):
            digest.update(embedded_text(length, signs).encode())
    return digest.hexdigest()


def _level(sign: str) -> int:
    return NUMBERS[ord(sign) - max(first for first in FIRST.values() if first <= ord(sign))]
