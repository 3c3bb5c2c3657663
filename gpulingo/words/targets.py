"""Targets and weights of a list as named by a user: a file, answers or the levels of the embedded list.

Standard library only. The list and the game define what weights mean.
"""

from __future__ import annotations

from gpulingo.games.catalogue import ANSWERS
from gpulingo.words.letters import enter, is_turkish
from gpulingo.words.levels import COMMON, LEVELS, level_targets, signs_of_length, unfit_words
from gpulingo.words.listing import Listing, given, of_kind, read
from gpulingo.words.wordlist import WordList, WordListError

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

    __slots__ = ("listing", "name")

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

    __slots__ = ("by_word", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.by_word = None
        if name != BY_LEVEL:
            data = given(name, "weights", f"give a file with {LINE} a line", [BY_LEVEL])
            self.by_word = _counts(of_kind(name, data))

    def of(self, words: WordList) -> WordList:
        if self.by_word is None:
            return words.with_weights(level_weights(words), self.name)
        weights = {word: weight for word, weight in self.by_word.items() if len(word) == words.length}
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
