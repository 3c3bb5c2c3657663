"""The next guess of a conversation: by a strategy, the stored tree, a search, or any word that fits.

It never fails: what goes wrong is noted in a line and the next way of guessing takes over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gpulingo.advice.adviser import Adviser
from gpulingo.advice.outlook import GuessStats
from gpulingo.player.player import one_line
from gpulingo.words.wordlist import WordList

History = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A guess to be made.

    Attributes:
        guess: the word. outlook: what comes of it; None where that is not known. how: it was found.
    """

    guess: str
    outlook: GuessStats | None = None
    how: str = ""


class Proposals:
    """Guesses in words of one length.

    Args:
        adviser: of the game. length: letters.
        load_strategy: gives what chooses, where a strategy was named: it is asked first.
    """

    def __init__(
        self, adviser: Adviser, length: int, load_strategy: Callable[[WordList], Any] | None = None
    ) -> None:
        self.adviser, self.length, self._load_strategy = adviser, length, load_strategy
        self.game, self.letter, self.rule = adviser.game, adviser.letter, adviser.rule
        self.words = adviser.words(length)
        self._strategy: Any = None
        self._notes: list[str] = []
        self._told: set[str] = set()
        adviser.complain = self.note

    def note(self, text: str) -> None:
        """Add a line for the user; each is printed once."""
        if text not in self._told:
            self._notes.append(text)
            self._told.add(text)

    def notes(self) -> list[str]:
        """The notes since the last call."""
        notes, self._notes = self._notes, []
        return notes

    def left(self, history: History) -> list[str]:
        """The words that fit, in list order."""
        return self.adviser.left(self.length, history)[1]

    def contradiction(self, history: History) -> str:
        """The message about a history that no word fits, in one line."""
        return self.adviser.contradiction(self.length, history)

    def after(self, history: History) -> Proposal:
        """The guess after a history that some target fits and that leaves a turn."""
        guessed = {guess for guess, _ in history}
        # It knows the usual targets only.
        if self._load_strategy is not None and self.adviser.left(self.length, history)[0] is self.words:
            try:
                self._strategy = self._strategy or self._load_strategy(self.words)
                word = self._strategy.guess(list(history))
                if word in self.words and word not in guessed:
                    return Proposal(word, how="by the strategy that was named")
                reason = f"it proposes {word!r}"
            except Exception as error:
                reason = one_line(error)
            self.note(f"the strategy failed ({reason}); continuing without it")
            self._load_strategy = None
        try:
            answer = self.adviser.answer(history)
            if answer.fit.every:
                self.note(answer.fit.counted(len(answer.left)))
            own = answer.guesses[0]
            if own.guess in self.words and own.guess not in guessed:
                return Proposal(own.guess, own, answer.how)
            reason = f"it proposes {own.guess!r}"
        except Exception as error:
            reason = one_line(error)
        self.note(f"the search failed ({reason}); guessing any word that fits")
        left = [word for word in self.left(history) if word not in guessed]
        return Proposal((left or self.words.words)[0], how="as a word that fits")
