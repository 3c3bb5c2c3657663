"""Which words of a list may be the target, as a user names them: one place for every command and the player.

Standard library only and short of imports, for the light path.
"""

from gpulingo.words.listing import Listing, read
from gpulingo.words.wordlist import WordList


def find_targets(name: str) -> Listing:
    """The words that a user named as targets, of all lengths: a file, read as a word list is.

    Raises:
        MissingListError: no file. WordListError: it cannot be used.
    """
    return read(name)


def with_listed_targets(wordlist: WordList, targets: Listing) -> WordList:
    r"""The same words, of which those of their length in a listing may be the target.

    Raises:
        WordListError: there are none, or one that is no word of the list.

    >>> from gpulingo.words.listing import parse
    >>> with_listed_targets(WordList("two words", ["dents", "dozes"]), parse("able\ndozes")).targets
    ['dozes']
    """
    return wordlist.with_targets(targets.of_length(wordlist.length).words, targets.source)
