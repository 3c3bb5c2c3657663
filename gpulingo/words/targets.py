"""Which words of a list may be the target, as a user names them: one place for every command and the player.

Standard library only and short of imports, for the light path.
"""

from gpulingo.words.levels import LEVELS, level_targets
from gpulingo.words.listing import Listing, read
from gpulingo.words.wordlist import MissingListError, WordList, WordListError

ALL = "all"  # every word of the list
NAMES = ("common", *LEVELS, ALL)  # of targets that are no file


class Targets:
    """What a user named as targets: the words of a file, a level of the embedded list's words, or all words.

    Args:
        name: a level, `common` or `all`; else the path of a file, which is read as a word list is. A file of
            such a name is named as ./small.
    Attributes:
        listing: the words of the file, of all lengths; None for a level and for all.
    Raises:
        MissingListError: no file. WordListError: it cannot be used.

    >>> Targets("common").of(WordList("three words", ["about", "abaft", "abaca"])).targets
    ['about']
    """

    __slots__ = ("listing", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        try:
            self.listing: Listing | None = None if name in NAMES else read(name)
        except MissingListError as error:
            raise MissingListError(f"{error}, or one of {', '.join(NAMES)}") from None

    def has(self, pool: WordList) -> bool:
        """Whether it has any word of a list's length, and a level any word of the list."""
        if self.listing is not None:
            return pool.length in self.listing.lengths()
        try:
            return self.name == ALL or bool(level_targets(self.name, pool))
        except WordListError:
            return False

    def of(self, pool: WordList) -> WordList:
        """The same words as those of a list, of which only the named ones may be the target.

        Raises:
            WordListError: there are none of its length, or one that is no word of it.
        """
        if self.listing is not None:
            return pool.with_targets(self.listing.of_length(pool.length).words, self.listing.source)
        if self.name == ALL:
            return pool
        return pool.with_targets(level_targets(self.name, pool) or (), self.name)
