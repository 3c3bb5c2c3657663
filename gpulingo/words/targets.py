"""Targets of a list as a user names them: one place for every command and the player.

Standard library only, for the light path.
"""

from gpulingo.games.catalogue import ANSWERS
from gpulingo.words.levels import COMMON, LEVELS, level_targets, unfit_words
from gpulingo.words.listing import Listing, given, listed, read
from gpulingo.words.wordlist import WordList, WordListError

ALL = "all"  # every word of the list
NAMES = (ANSWERS, *LEVELS, ALL)  # of targets that are no file


class Targets:
    """Targets named by a user: the words of a file, answers or a level of the embedded list, or all.

    Args:
        name: `answers` or its other name `common`, a level or `all`; any other name is the path of a word
            list. Or a listing that was read. Write ./small for a file called small.
    Attributes:
        listing: the words of the file, of all lengths; None for a level and for all.
    Raises:
        MissingListError: no file.
        WordListError: it cannot be used.

    >>> Targets("answers").of(WordList("three words", ["about", "aahed", "abaca"])).targets
    ['about']
    """

    __slots__ = ("listing", "name")

    def __init__(self, name: str | Listing) -> None:
        self.listing: Listing | None = name if isinstance(name, Listing) else None
        self.name = name.source if isinstance(name, Listing) else ANSWERS if name == COMMON else name
        if self.listing or name in NAMES or name == COMMON:
            return
        self.listing = listed(self.name, given(self.name, names=NAMES))

    def has(self, pool: WordList) -> bool:
        """Return True if it has a word of the list's length; for a level, a word of the list."""
        if self.listing is not None:
            return pool.length in self.listing.lengths()
        try:
            return self.name == ALL or bool(level_targets(self.name, pool))
        except WordListError:
            return False

    def of(self, pool: WordList) -> WordList:
        """Return the words of a list with only the named ones as targets.

        Raises:
            WordListError: no target has the list's length, or a target is not in the list.
        """
        if self.listing is not None:
            return pool.with_targets(self.listing.of_length(pool.length).words, self.listing.source)
        if self.name == ALL:
            return pool
        return pool.with_targets(level_targets(self.name, pool) or (), self.name)


def left_out(words: WordList, name: str | Listing) -> WordList:
    """The same words, of which none of a list of past answers may be the target.

    Args:
        name: the path of the list, or a listing that was read; words that are no targets do no harm.
    Raises:
        MissingListError: no file. WordListError: it cannot be used, or has every target.

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
    """Return the words of a length with the targets that a person is to find.

    Args:
        name: of the targets, if any were named.
        usual: targets of the embedded list if no name was given; None: all.
    Returns:
        A list in which no unfit word is a target, unless a file was named that has it.
    Raises:
        WordListError: no target is left; see also `Targets`.
    """
    words = listing.of_length(length)
    name = usual if name is None and not listing.data else name
    targets = Targets(name or ALL)
    words = targets.of(words)
    if listing.data or targets.listing:
        return words
    unfit = unfit_words(length)
    return words.with_targets([word for word in words.targets if word not in unfit], targets.name)
