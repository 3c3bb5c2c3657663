"""The quiz's rule for hangman: which letter to guess of a word that is shown in part, by a list of words.

Plain text, one position at a time: what batches choose must equal it. `guesser` decides which list is asked,
    and how often.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from gpulingo.games.positions import SIGNS
from gpulingo.words.shown import UNKNOWN


def quiz_letter(shown: str, missed: Collection[str], words: Sequence[str]) -> str:
    """The letter that the quiz's guesser asks for.

    It is the letter not guessed yet with the greatest sum of count(letter in word)^2 over the words that fit,
    on ties that with the greatest over all words, then the first of the alphabet.

    Args:
        shown: the word as far as it is shown, `_i__`. missed: letters that it does not hold.
        words: all words of its length.
    Returns:
        The letter; nothing where no word fits, or all letters are shown.
    Source: the quiz's hangman.

    >>> quiz_letter("_i__", "e", ["fish", "dish", "wise", "hill", "fill"])
    'l'
    """
    candidates = fitting(shown, missed, words)
    return best_letter(square_sums(candidates), square_sums(words), {*shown, *missed})


def fitting(shown: str, missed: Collection[str], words: Iterable[str]) -> list[str]:
    """The words that fit: a letter that is shown stands nowhere else, and none of the missed ones is there.

    Args:
        shown, missed: see `quiz_letter`. words: of that length.

    >>> fitting("_i__", "e", ["fish", "wise", "iris", "silk"])
    ['fish', 'silk']
    """
    left = list(words)
    for letter in missed:
        left = [word for word in left if letter not in word]
    for letter in sorted({*shown} - {UNKNOWN}):
        left = holding(letter, shown, left)
    return left


def holding(letter: str, shown: str, words: Iterable[str]) -> list[str]:
    """The words that hold a letter at the places where it is shown, and nowhere else."""
    places = [place for place, sign in enumerate(shown) if sign == letter]
    left = [word for word in words if word.count(letter) == len(places)]
    for place in places:
        left = [word for word in left if word[place] == letter]
    return left


def square_sums(words: Collection[str]) -> dict[str, int]:
    """Letter -> the sum over the words of its count^2; letters of no word are left out.

    >>> square_sums(["all", "ale"]) == {"a": 2, "l": 5, "e": 1}
    True
    """
    text = "\n".join(words)
    sums = {}
    for letter in {*text} - {"\n", *SIGNS}:
        holders = [word for word in words if letter in word]
        once = text.count(letter) == len(holders)
        sums[letter] = len(holders) if once else sum([word.count(letter) ** 2 for word in holders])
    return sums


def best_letter(sums: Mapping[str, int], ties: Mapping[str, int], guessed: Collection[str]) -> str:
    """The letter not guessed yet of the greatest sum; on equal sums, of the greatest in `ties`.

    Of letters that are equal in both it is the first of the alphabet; nothing where none has a sum.
    """
    open_ = [letter for letter in sums if letter not in guessed]
    return min(open_, key=lambda letter: (-sums[letter], -ties.get(letter, 0), letter), default="")
