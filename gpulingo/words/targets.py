"""The words that a caller names: a list, the words themselves, or a length; their targets and weights.

Targets and weights are a file, or levels of the embedded list, or its answers. The level of a word says how
common it is; unfit words are no answers. Standard library only.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from gpulingo.games import marks
from gpulingo.games.catalogue import ANSWERS, COMPUTED, repeats_colours, usual_targets
from gpulingo.games.game import Game
from gpulingo.storage.faults import warned
from gpulingo.storage.files import text_bytes
from gpulingo.words.letters import enter, is_sign_word, is_turkish
from gpulingo.words.listing import (
    EMBEDDED_LENGTHS,
    EMBEDDED_VERSION,
    Listing,
    damaged,
    embedded,
    embedded_text,
    find_listing,
    list_errors,
    numbers_text,
    of_kind,
    read,
)
from gpulingo.words.wordlist import WordList, WordListError

NUMBERS = (10, 20, 35, 40, 50, 55, 60, 70, 80)  # SCOWL's levels: the smallest of its lists that has the word
LEVELS = {"small": 35, "medium": 50, "large": 70, "huge": 80}  # each includes the levels before it
COMMON = "common"  # another name for ANSWERS, words that a person may have to find
NO_LEVEL = 1 << 10  # for a word without a level: above all levels
# Sign -> level; the signs of the first level are 0 of a plain word, a of an answer, A of an unfit word.
LEVEL_OF = {chr(ord(first) + place): level for first in "0aA" for place, level in enumerate(NUMBERS)}


def levels_of(wordlist: WordList, unknown: int | None = None) -> list[int]:
    """Return the level of each word of a list, one of 10 20 35 40 50 55 60 70 80, in list order.

    `unknown` is the level of a word that the embedded list lacks; None makes it a WordListError.

    >>> levels_of(WordList("three words", ["about", "abaft", "abaca"]))
    [10, 50, 70]
    """
    levels = {word: LEVEL_OF[sign] for word, sign in signs_of_length(wordlist.length).items()}
    if unknown is not None:
        return [levels.get(word, unknown) for word in wordlist.words]
    missing = [word for word in wordlist.words if word not in levels]
    if missing:
        what = f"{len(missing):,} of {len(wordlist):,} words of {wordlist.source} have no level"
        remedy = "only the embedded list's words have one, so take a list of these"
        raise WordListError(f"{what}, {missing[0]!r} first: {remedy}")
    return [levels[word] for word in wordlist.words]


def words_up_to(level: int, length: int) -> list[str]:
    """Return the embedded list's words of a length and of at most a level, SCOWL's number, in list order.

    >>> len(words_up_to(35, 5))
    3466
    """
    if level < NUMBERS[0]:
        raise ValueError(f"level {level}: levels are {NUMBERS[0]} to {NUMBERS[-1]}, SCOWL's numbers")
    return [word for word, sign in signs_of_length(length).items() if LEVEL_OF[sign] <= level]


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
        fault = f"{pool.source} has no {what} of {pool.length} letters"
        raise WordListError(f"{fault}: there are answers of {some} letters; use all, or a file of targets")
    return targets


def signs_of_length(length: int) -> dict[str, str]:
    """Return the embedded list's words of a length with their signs, in list order; empty for other lengths.

    A sign is the index of the level in NUMBERS, counted from `0`; for an answer from `a`, for an unfit word
    from `A`.
    """
    if length not in EMBEDDED_LENGTHS:
        return {}
    words, signs = embedded().of_length(length).words, embedded_text(length, signs=True).rstrip("\n")
    if len(signs) != len(words) or not LEVEL_OF.keys() >= {*signs}:
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


ALL = "all"  # every word of the list
NAMES = (ANSWERS, *LEVELS, ALL)  # of targets that are not a file


class Targets:
    """Targets named by a user: the words of a file, answers or a level of the embedded list, or all.

    Args:
        name: `answers` or its other name `common`, a level or `all`; any other name is the path of a word
            list. Or a listing. Write ./small for a file called small.
    Attributes:
        listing: the words of the file, of all lengths; None for a level and for all.

    >>> Targets("answers").of(WordList("three words", ["about", "aahed", "abaca"])).targets
    ['about']
    """

    def __init__(self, name: str | Listing) -> None:
        self.listing: Listing | None = name if isinstance(name, Listing) else None
        self.name = name.source if isinstance(name, Listing) else ANSWERS if name == COMMON else name
        if self.listing or name in NAMES or name == COMMON:
            return
        self.listing = read(self.name, names=NAMES)

    def has(self, pool: WordList) -> bool:
        """Return True if it has a word of the list's length; a level, if it has a word of the list."""
        if self.listing is not None:
            return pool.length in self.listing.lengths()
        try:
            return self.name == ALL or bool(level_targets(self.name, pool))
        except WordListError:
            return False

    def of(self, pool: WordList) -> WordList:
        if self.listing is not None:
            return pool.with_targets(self.listing.of_length(pool.length).words, self.listing.source)
        if self.name == ALL:
            return pool.with_targets(pool.words) if pool.target_ids else pool
        return pool.with_targets(level_targets(self.name, pool) or (), self.name)


def left_out(words: WordList, name: str | Listing) -> WordList:
    """Return the same words without those of a list of past answers, or of the file at a path, as targets.

    >>> from gpulingo.words.listing import parse
    >>> left_out(WordList("three words", ["dents", "dozes", "reads"]), parse("dozes", "past.txt")).targets
    ['dents', 'reads']
    """
    past = name if isinstance(name, Listing) else read(name)
    gone = set(words.enter("\n".join(past.words)).split("\n"))
    targets = [word for word in words.targets if word not in gone]
    if not targets:
        raise WordListError(f"{past.source} has every target of {words.source}: leave some to be found")
    return words.with_targets(targets, f"{words.targets_source or 'words'} without {past.source}")


def drawn(listing: Listing, length: int, name: str | Listing | None, usual: str | None) -> WordList:
    """Return the words of a length with the named targets, or the embedded list's default ones, for a person.

    Unfit words are not targets, unless a named file has them.
    """
    words = listing.of_length(length)
    name = usual if name is None and not listing.data else name
    targets = Targets(name or ALL)
    words = targets.of(words)
    if listing.data or targets.listing:
        return words
    unfit = unfit_words(length)
    return words.with_targets([word for word in words.targets if word not in unfit], targets.name)


BY_LEVEL = "levels"  # name of the weights that are not a file
# By sign: of 1,000 such words of 5 letters, the approximate number among the 2,315 targets that Wordle had
# first. A word that the embedded list lacks counts as one of the last level.
ANSWER_WEIGHTS = (990, 980, 880, 640, 390)
PLAIN_WEIGHTS = (30, 30, 30, 30, 30, 100, 60, 16, 6)
LINE = "a word, a tab and a whole number"


class Weights:
    """Weights named by a user: a file of words with a weight each, or `levels`.

    Args:
        name: `levels`, or the path of a file with a line for each target: the word, a tab, a whole number
            from 0 on; or of a list with counts, of any kind. Write ./levels for a file called levels.
    Attributes:
        by_word: word -> weight, of all lengths; None for the levels.

    >>> words = WordList("three words", ["about", "abaft", "abaca"])
    >>> Weights("levels").of(words).weights
    [990, 390, 16]
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.by_word = None
        if name != BY_LEVEL:
            with list_errors():
                data = text_bytes(name, "weights", f"give a file with {LINE} a line", [BY_LEVEL])
            self.by_word = _counts(of_kind(name, data))

    def of(self, words: WordList) -> WordList:
        weights = level_weights(words) if self.by_word is None else self.by_word
        weights = {word: weight for word, weight in weights.items() if len(word) == words.length}
        return words.with_weights(weights, self.name)


def level_weights(words: WordList) -> dict[str, int]:
    signs = signs_of_length(words.length)
    if signs.keys().isdisjoint(words.words):
        what = f"no word of {words.source} has a level"
        raise WordListError(f"{what}: only the embedded list's words have one, give a file of weights")
    weights = dict(zip("abcde", ANSWER_WEIGHTS, strict=True))
    for first in "0A":
        weights |= {chr(ord(first) + place): weight for place, weight in enumerate(PLAIN_WEIGHTS)}
    return {word: weights[signs.get(word, "8")] for word in words.words}


def _counts(listing: Listing) -> dict[str, int]:
    """Return word -> weight of a list with counts, of any kind; counts of equal words are added."""
    weights: dict[str, int] = {}
    if not listing.counts and (listing.kind or listing.data.strip()):
        raise WordListError(f"{listing.source} has no count of each word: expected {LINE}")
    text = listing.data.decode()
    lines = enter(text, is_turkish(text)).split("\n") if listing.counts else []
    for word, count in zip(lines, listing.counts, strict=True):
        if (word := word.strip()).isalpha():
            if not (count.removeprefix("-").isdecimal() and count.isascii()):
                fault = f"{listing.source} has weight {count[:40]!r} of {word}, expected {LINE}"
                raise WordListError(f"{fault}: multiply all by one factor and round")
            # More digits than any weight has: Python limits conversions to some thousands.
            weights[word] = weights.get(word, 0) + int(count[:40])
    return weights


def feedback(guess: str, target: str) -> str:
    """Marks of a guess against a target, one of ``X?O`` per letter; see `games.marks.feedback`.

    Raises:
        ValueError: the word lengths differ.

    >>> feedback("CRANE", "crate")
    'OOOXO'
    """
    return marks.feedback(enter(guess), enter(target))


def find_words(
    length: int,
    wordlist: str | os.PathLike[str] | Listing | None = None,
    targets: str | Listing | None = None,
    weights: str | None = None,
    *,
    same: str = "",
) -> WordList:
    """Return the words of a length with targets and weights.

    Args:
        length: letters, 1 or more.
        wordlist: path of a list, or a listing; None: wordlist<length>.txt or wordlist.txt of the
            current folder; otherwise the embedded list.
        targets: possible answers: path of a list, `answers`, `small`, `medium`, `large`, `huge` or `all`;
            None: all words.
        weights: path of a file of weights, or `levels`; None: each target counts 1.
        same: letters that are equal, such as `é=e,è=e`; see `listing.parse`.
    Raises:
        MissingListError: no file at one of the paths.
        WordListError: a file cannot be used, or has no words of the length.

    >>> find_words(5, targets="answers")
    WordList(embedded, 5 letters, 11,506 words, 2,664 targets, 4287a382e328)
    """
    listing = find_listing(length, wordlist, same=same)
    words = listing.of_length(length)
    if listing.remark and listing.skipped.many:
        warned(listing.remark)
    words = words if targets is None else Targets(targets).of(words)
    return words if weights is None else Weights(weights).of(words)


def usual_of(listing: Listing, game: Game, purpose: str | None) -> str | None:
    """Return the targets of a listing if none are named, see `usual_targets`; None: every word."""
    return None if listing.data or purpose is None else usual_targets(game, purpose)


def words_of(words: WordList | Sequence[str] | int, game: Game, purpose: str | None = COMPUTED) -> WordList:
    """Return a list for a list, its words, or a length; a length gives the words of the command line."""
    if type(words) is int:
        listing = find_listing(words, None, repeats_colours(game))
        return find_words(words, listing, usual_of(listing, game, purpose))
    return listed(words)  # type: ignore[arg-type]


def listed(words: WordList | Sequence[str]) -> WordList:
    if isinstance(words, WordList):
        return words
    wordlist = WordList("a list of words", list(words))
    spelled = str.isalpha if any(map(str.isalpha, wordlist.words)) else is_sign_word  # as in files
    if odd := next((word for word in wordlist.words if not spelled(word)), None):
        what = f"{odd!r} is among the words, expected letters only, or digits only"
        raise WordListError(f"{what}: mend the list")
    if (different := len(set(wordlist.words))) < len(wordlist):
        raise WordListError(f"{len(wordlist)} words, {different} different ones: drop what is there twice")
    return wordlist
