"""Class that costs a guesser most guesses: exact where few words are left, otherwise an estimate."""

from __future__ import annotations

import random
from collections.abc import Iterator

from gpulingo.games.catalogue import feedback_of, forbidding
from gpulingo.games.game import Game
from gpulingo.hosts.host import Classes, classes_of, tie_key
from gpulingo.words.wordlist import WordList

History = list[tuple[str, str]]

EXACT = 12  # words of the largest class up to which the guesses that each takes are searched
WORK = 300_000  # marks that the search may compute for one answer: about half a second
ESTIMATED, TRIED = 12, 20  # largest classes that are looked at, and guesses that are tried of each


class _TooMuch(Exception):
    """The search takes too long."""


class WorstCase:
    """Chooses classes.

    Args:
        words: what may be guessed.
        game: its rules.
        seed: of the choice among equally hard classes, and of the guesses that an estimate tries.
        tried: number of these guesses for each class.
    """

    def __init__(self, words: WordList, game: Game, seed: int = 0, *, tried: int = TRIED) -> None:
        self._words, self._game, self._rule = words, game, feedback_of(game)
        self._draw, self._work, self._tried = random.Random(seed), 0, tried

    def hardest(self, classes: Classes, history: History) -> str:
        """Return the marks of the class to be kept.

        Args:
            classes: two or more. history: guesses and marks, the last guess with none.
        """
        solved = self._rule.marks(self._rule.solved(self._words.length), self._words.length)
        open_ = [marks for marks in classes if marks != solved]
        self._draw.shuffle(open_)
        open_.sort(key=lambda marks: -len(classes[marks]))
        if len(classes[open_[0]]) <= EXACT:
            self._work = WORK
            try:
                return self._exactly(open_, classes, history)
            except _TooMuch:
                pass
        return self._estimated(open_[:ESTIMATED], classes)

    def worst_guesses(self, candidates: list[str], history: History) -> int:
        """The fewest guesses that are enough whatever is kept of the candidates; by every legal guess."""
        guesses = 1
        while not self._enough(candidates, history, guesses):
            guesses += 1
        return guesses

    def _exactly(self, open_: list[str], classes: Classes, history: History) -> str:
        """Return the first of the classes that take most guesses; they come by size, the largest first."""
        best, most = open_[0], 0
        for marks in open_:
            before = [*history[:-1], (history[-1][0], marks)]
            # As many guesses as words are always enough.
            while len(classes[marks]) > most and not self._enough(classes[marks], before, most):
                best, most = marks, most + 1
        return best

    def _estimated(self, open_: list[str], classes: Classes) -> str:
        """Return the class that the best of some of its own words splits worst; on ties the largest."""

        def hardness(marks: str) -> tuple[int, int, tuple[int, ...]]:
            words = classes[marks]
            tried = words if len(words) <= self._tried else self._draw.sample(words, self._tried)
            parted = (classes_of(self._rule, guess, words).values() for guess in tried)
            least = min(max(map(len, parts)) for parts in parted)
            return least, len(words), tuple(-number for number in tie_key(marks))

        return max(open_, key=hardness)

    def _enough(self, candidates: list[str], history: History, guesses: int) -> bool:
        """Return True if `guesses` guesses suffice whatever the host keeps.

        Raises:
            _TooMuch: the search takes too long.
        """
        if guesses >= len(candidates):
            return True
        if guesses < 2:
            return False
        for guess in self._legal(candidates, history):
            classes = self._parted(guess, candidates, single=guesses == 2)
            if classes is None or len(classes) == 1:
                continue
            for marks, left in classes.items():
                if left != [guess] and not self._enough(left, [*history, (guess, marks)], guesses - 1):
                    break
            else:
                return True
        return False

    def _parted(self, guess: str, candidates: list[str], *, single: bool) -> Classes | None:
        """Return the classes of a guess; None where they are to be single words and are not."""
        classes: Classes = {}
        for candidate in candidates:
            self._work -= 1
            marks = self._rule.feedback(guess, candidate)
            if single and marks in classes:
                return None
            classes.setdefault(marks, []).append(candidate)
        if self._work < 0:
            raise _TooMuch
        return classes

    def _legal(self, candidates: list[str], history: History) -> Iterator[str]:
        """Yield the legal guesses, candidates first."""
        yield from candidates
        own, shown = set(candidates), [] if self._game.legal == "any" else history
        for word in self._words.words:
            self._work -= len(shown)
            if word not in own and not forbidding(self._game, shown, word):
                yield word
