"""Hangman as the quiz's programs play it: the rule, a guesser of one word after the other, lines in and out.

A line shows the word with revealed letters, the answer is a letter. The guesser never fails: if no word of
its list fits, it takes letters of words that nearly do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from string import ascii_lowercase
from typing import Any

from gpulingo.games.game import Game
from gpulingo.games.positions import SIGNS, feedback, outline
from gpulingo.player.player import Player
from gpulingo.storage.faults import UNLISTED, Complain, Fault
from gpulingo.trees.tree import Tree
from gpulingo.words.letters import enter
from gpulingo.words.shown import UNKNOWN, parsed_shown, shown_line


def fitting(shown: str, missed: Collection[str], words: Iterable[str]) -> list[str]:
    """Return the words that fit: a revealed letter occurs nowhere else, and missed letters do not occur.

    >>> fitting("_i__", "e", ["fish", "wise", "iris", "silk"])
    ['fish', 'silk']
    """
    left = list(words)
    for letter in missed:
        left = after_guess(letter, "", left)
    for letter in sorted({*shown} - {UNKNOWN}):
        left = after_guess(letter, shown, left)
    return left


def after_guess(letter: str, shown: str, words: Iterable[str]) -> list[str]:
    """Return the words that have a letter exactly at the places where it is revealed, if any."""
    if letter not in shown:
        return [word for word in words if letter not in word]
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
    """Return the letter not guessed yet of the greatest sum; on ties, of the greatest in `ties`.

    If both are equal, the first of the alphabet; nothing if no letter has a sum.
    """
    open_ = [letter for letter in sums if letter not in guessed]
    return min(open_, key=lambda letter: (-sums[letter], -ties.get(letter, 0), letter), default="")


Followed = tuple[Tree | None, Any]  # a tree and the names of its guesses

MOST_KEPT = 200_000  # positions whose candidates are cached: a limit of memory for endless input


class QuizRule:
    """The quiz's rule over one list, which caches every position."""

    def __init__(self, words: Sequence[str], others: str = ascii_lowercase) -> None:
        self.words, self._others = words, others
        self._ties = square_sums(words)
        self._left: dict[tuple[str, str], list[str]] = {}
        self._letters: dict[tuple[str, str], str] = {}

    def letter(self, shown: str, missed: str) -> str:
        """The letter not guessed yet of the greatest sum of count(letter in word)^2 over the words that fit,
        on ties that of the greatest over all words, then the first of the alphabet. If no word fits, the most
        frequent in the words that hold what is shown, then in every word, then of all others; nothing where
        all were guessed. Source: the quiz's hangman.

        >>> QuizRule(["fish", "dish", "wise", "hill", "fill"]).letter("_i__", "e")
        'l'
        """
        if (shown, missed) not in self._letters:
            guessed = {*shown, *missed}
            letter = best_letter(square_sums(self.candidates(shown, missed)), self._ties, guessed)
            self._letters[shown, missed] = letter or self._nearly(shown, guessed)
        return self._letters[shown, missed]

    def candidates(self, shown: str, missed: str) -> list[str]:
        """The words that fit, by `letters.fitting`."""
        key = (shown, missed)
        if key not in self._left:
            if len(self._left) > MOST_KEPT:
                self._left.clear()
                self._letters.clear()
            self._left[key] = fitting(shown, missed, self.words)
        return self._left[key]

    def follow(self, before: tuple[str, str], letter: str, after: tuple[str, str]) -> None:
        """Cache the words that fit after a guess, from those before it: faster than from the whole list."""
        left = self._left.get(before)
        if left is not None and after not in self._left and len(self._left) <= MOST_KEPT:
            self._left[after] = after_guess(letter, after[0], left)

    def _nearly(self, shown: str, guessed: set[str]) -> str:
        """Return the most frequent letter of the words with the revealed letters, then of all, then any."""
        places = [(place, sign) for place, sign in enumerate(shown) if sign != UNKNOWN]
        near = [word for word in self.words if all(word[place] == sign for place, sign in places)]
        for words in (near, self.words):
            counts = {letter: "".join(words).count(letter) for letter in {*"".join(words)}}
            if letter := best_letter(counts, {}, guessed):
                return letter
        return next((letter for letter in (*self._others, *ascii_lowercase) if letter not in guessed), "")


FOUND, LOST = "I guessed your word", "I'm out of guesses"
ASK = "Show me your word, as _ _ _ _"  # the answer to a first line without a word
FORM = "show the word again, as _ i _ _"
GREETING = (
    "think of a word and type an underscore for each letter, as _ _ _ _; after each guess type it with the "
    "letter at all its places, or the same again where it has none; Ctrl-D ends"
)


class Guesser(Player):
    """Guesses of letters in one word after the other; in a `loop` a line may begin the next word."""

    hint = GREETING

    def __init__(
        self,
        quiz_of: Callable[[str], QuizRule],
        game: Game,
        complain: Complain,
        tree_of: Callable[[str], Followed | None] | None = None,
        same: str = "",
        loop: bool = False,
    ) -> None:
        super().__init__(complain, game)
        self._quiz_of, self._tree_of, self._loop = cache(quiz_of), tree_of, loop
        self.entered = partial(enter, same=same)  # of a text, with one character for equal letters
        self._trees: dict[str, Followed] = {}
        self.begin()

    def read(self, line: str) -> tuple[str, str]:
        """The word that a line shows, see `parsed_shown`, and its fault in one line; empty if it fits."""
        try:
            shown = parsed_shown(self.entered(line))
        except ValueError as error:
            return "", str(error)
        return shown, self.fault(shown)

    def begin(self) -> None:
        self.shown = self.missed = self.guess = ""

    @property
    def over(self) -> bool:
        return bool(self.shown) and not self.guess

    @property
    def found(self) -> bool:
        return bool(self.shown) and UNKNOWN not in self.shown

    @property
    def quiz(self) -> QuizRule:
        """The quiz's rule over the words of this length, with signs at the same places."""
        return self._quiz_of(outline(self.shown))

    def fault(self, shown: str) -> str:
        """Return how a shown word contradicts the one before, in one line; empty if it fits."""
        if not self.shown:
            return ""
        if len(shown) != len(self.shown):
            return f"{shown_line(shown)} has {len(shown)} places, the word has {len(self.shown)}"
        faults: dict[str, None] = {}
        for before, now in zip(self.shown, shown, strict=True):
            if before != UNKNOWN and now != before:
                faults[f"{before!r} was shown and is gone or changed"] = None
            elif before == UNKNOWN and now not in (UNKNOWN, self.guess):
                reason = "was shown at other places only" if now in self.shown else "was not guessed"
                faults[f"{now!r} {'was denied before' if now in self.missed else reason}"] = None
        return f"{shown_line(shown)} does not fit: {', '.join(faults)}" if faults else ""

    def learn(self, shown: str) -> None:
        """Take the revealed letters and choose the next letter; without a change the last guess missed."""
        before = (self.shown, self.missed)
        if shown == self.shown:
            self.missed = "".join(sorted(self.missed + self.guess))
        self.shown = shown
        if before[0]:
            self.quiz.follow(before, self.guess, (shown, self.missed))
        self.guess = ""
        if not self.found and len(self.missed) < self.game.turns:
            self.guess = self.choose()

    def choose(self) -> str:
        """Return the next letter; of a word that the tree guesses, the first that is not revealed."""
        form, letters = outline(self.shown), {*self.shown, *self.missed} - {UNKNOWN, *SIGNS}
        if form not in self._trees:
            self._trees[form] = (self._tree_of and self._tree_of(form)) or (None, ())
        self.known = {letter: feedback(letter, self.shown) for letter in letters}
        self.follow(*self._trees[form])
        guess = super().choose()
        self._trees[form] = self.tree, self.names  # None if the tree has no such node
        return next((letter for letter in guess if letter not in letters), "") or self._fitting()

    def _fitting(self) -> str:
        return self.quiz.letter(self.shown, self.missed)

    def greeting(self) -> Iterable[str]:
        return ()

    def take(self, line: str) -> Iterator[str]:
        shown, fault = self.read(line)
        if fault and self._loop and shown and shown == outline(shown):  # the next word
            self.complain(f"a word that came to {shown_line(self.shown)} is left: the next has begun")
            self.begin()
            fault = ""
        if fault:
            self.complain(f"{fault}: {FORM}")
        else:
            self.learn(shown)
        end = (FOUND if self.found else LOST) if self.shown else ASK
        yield f"I guess the letter {self.guess!r}." if self.guess else end
        if self.over:
            if unknown := unknown_text(self):
                self.complain(Fault(unknown, UNLISTED))
            self.begin()
            self.ended = not self._loop


def unknown_text(guesser: Guesser) -> str:
    """Return a note if a finished word cannot be one of the list; otherwise empty."""
    quiz, shown = guesser.quiz, guesser.shown
    if guesser.found and shown not in quiz.words:
        what = f"{shown!r} is not"
    elif not guesser.found and not quiz.candidates(shown, guesser.missed):
        what = f"no word that fits {shown_line(shown)} without {', '.join(guesser.missed)} is"
    else:
        return ""
    return f"{what} among the {len(quiz.words):,} words of {len(shown)} letters in the list"
