"""Weights of a list's targets as a user names them: a file, or the levels of the embedded list.

Not on the light path. What weights are for is the business of the list and of the game.
"""

from __future__ import annotations

from gpulingo.words.letters import DOTLESS, enter
from gpulingo.words.levels import signs_of_length
from gpulingo.words.listing import given
from gpulingo.words.wordlist import WordList, WordListError

BY_LEVEL = "levels"  # what names the weights that are no file
# By sign: of 1,000 such words of 5 letters about so many are among the 2,315 targets that Wordle had first.
# A word that the embedded list lacks counts as one of its last level.
ANSWER_WEIGHTS = (990, 980, 880, 640, 390)
PLAIN_WEIGHTS = (30, 30, 30, 30, 30, 100, 60, 16, 6)
LINE = "a word, a tab and a whole number"


class Weights:
    """Weights named by a user: a file of words with a weight each, or `levels`.

    Args:
        name: `levels`, or the path of a file with a line for each target: the word, a tab, a whole number
            from 0 on. Blank lines are skipped; write ./levels for a file called levels.
    Attributes:
        by_word: word -> weight, of all lengths; None for the levels.
    Raises:
        MissingListError: no file.
        WordListError: it cannot be used; the message names the first faulty line.

    >>> words = WordList("three words", ["about", "abaft", "abaca"])
    >>> Weights("levels").of(words).weights
    [990, 390, 16]
    """

    __slots__ = ("by_word", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.by_word = None
        if name != BY_LEVEL:
            text = given(name, "weights", f"give a file with {LINE} a line", [BY_LEVEL])
            self.by_word = parsed_weights(text.decode(), name)

    def of(self, words: WordList) -> WordList:
        """The same list with the weights.

        Raises:
            WordListError: a target without one, or what else `WordList.with_weights` refuses.
        """
        if self.by_word is None:
            return words.with_weights(level_weights(words), self.name)
        own = {word: weight for word, weight in self.by_word.items() if len(word) == words.length}
        return words.with_weights(own, self.name)


def level_weights(words: WordList) -> dict[str, int]:
    """Word -> weight by its level.

    Raises:
        WordListError: no word of the list has a level.
    """
    signs = signs_of_length(words.length)
    if signs.keys().isdisjoint(words.words):
        seen = f"no word of {words.source} has a level"
        raise WordListError(f"{seen}: only the embedded list's words have one, give a file of weights")
    weights = dict(zip("abcde", ANSWER_WEIGHTS, strict=True))
    for first in "0A":
        weights |= {chr(ord(first) + place): weight for place, weight in enumerate(PLAIN_WEIGHTS)}
    return {word: weights[signs.get(word, "8")] for word in words.words}


def parsed_weights(text: str, source: str) -> dict[str, int]:
    """Word -> weight, of lines of a word, a tab and a whole number.

    Raises:
        WordListError: a line that is something else, or a word twice; its number is named.

    >>> parsed_weights("dents\\t3\\nReads\\t0\\n", "text")
    {'dents': 3, 'reads': 0}
    """
    weights: dict[str, int] = {}
    turkish = any(sign in text for sign in DOTLESS)
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        word, _, weight = (part.strip() for part in enter(line, turkish).partition("\t"))
        where = f"line {number} of {source}"
        if not weight or not word.isalpha():
            raise WordListError(f"{where} is {line[:40]!r}: expected {LINE}")
        if not (weight.removeprefix("-").isdecimal() and weight.isascii()):
            raise WordListError(f"{where} has weight {weight[:40]!r} of {word}, expected {LINE}")
        if word in weights:
            raise WordListError(f"{where} has {word} again: give each word one weight")
        # More digits than any weight has: Python converts up to some thousands.
        weights[word] = int(weight[:40])
    return weights
