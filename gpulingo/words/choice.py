"""The words that a caller names: a list, the words themselves, or a length.

Standard library only. Command line options, and messages about them, are elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from gpulingo.games import marks
from gpulingo.games.catalogue import COMPUTED, repeats_colours, usual_targets
from gpulingo.games.game import Game
from gpulingo.storage.faults import warned
from gpulingo.words.letters import enter, is_sign_word
from gpulingo.words.listing import Listing, find_listing
from gpulingo.words.wordlist import WordList, WordListError


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
    if targets is not None or weights is not None:
        from gpulingo.words.targets import Targets, Weights  # here: few callers need the levels

        words = words if targets is None else Targets(targets).of(words)
        words = words if weights is None else Weights(weights).of(words)
    return words


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
