"""Rounds as a conversation: the program guesses, the user says what the guess shows; a line in, lines out.

A mistake is reported and asked again; nothing is lost. This has what is the same for words and letters;
how answers are written is the business of `marked` and `revealed`. Terminals are left to `terminal`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpulingo.advice.answer import SHOWN
from gpulingo.advice.paint import Paint
from gpulingo.advice.told import words_line
from gpulingo.words.letters import enter

MOST_LINE = 1000  # characters of a line that are looked at
GUESSED = ("i guessed", "guessed", "i guess", "i played", "played")
UNKNOWN_LENGTH = "How long is the word?"
OVER = "the round is over: undo, again or quit"


class Conversation:
    """Rounds that the program guesses.

    Args:
        paint: how guesses are shown.
    Attributes:
        over: whether the round is. ended: whether the user has had enough.
    """

    noun = "word"  # what the program is to find
    is_over = OVER
    over: bool
    # What `marked` and `revealed` add: the answer to what a guess shows, or None where a text says something
    # else; to a text that is nothing that all rounds have; to another guess than the one proposed.
    _shown: Callable[[str], list[str] | None]
    _other: Callable[[str], list[str]]
    _guessed: Callable[[str], list[str]]
    _help: Callable[[], list[str]]
    _stand: Callable[[], list[str]]  # where the round stands
    _left: Callable[[], list[str] | None]  # words that fit; None: nothing is known of the word
    _expected: Callable[[list[str]], list[str]]  # of the guess, where these are left
    _restore: Callable[[Any], None]  # a state that was kept
    _again: Callable[[], list[str]]  # another round

    def __init__(self, paint: Paint) -> None:
        self.paint, self.ended = paint, False
        self._states: list[Any] = []

    @property
    def prompt(self) -> str:
        """The prompt of the next line."""
        raise NotImplementedError

    def greeting(self) -> list[str]:
        """The first lines."""
        raise NotImplementedError

    def take(self, line: str) -> list[str]:
        """The answer to a line."""
        lines = self._answer(" ".join(line[:MOST_LINE].split()))
        return [*self._notes(), *lines]

    def _answer(self, text: str) -> list[str]:
        """The answer to a text."""
        lines = self._shown(text)
        if lines is not None:
            return lines
        command = {
            "undo": self._undone, "words": self._words, f"{self.noun}s": self._words, "why": self._why,
            "words all": self._all_words, f"{self.noun}s all": self._all_words, "again": self._again,
            "help": self._help, "?": self._help, "quit": self._quit, "exit": self._quit,
        }.get(text.lower())  # fmt: skip
        if command is not None:
            return command()
        phrase, _, guess = self._entered(text).rpartition(" ")
        if phrase in GUESSED:
            return [self.is_over] if self.over else self._guessed(guess)
        return self._other(text)

    def _entered(self, text: str) -> str:
        """A text that names words or letters."""
        return enter(text)

    def _notes(self) -> list[str]:
        """The notes beside the answer."""
        return []

    def _words(self, most: int = SHOWN) -> list[str]:
        """The first of the words left."""
        left = self._left()
        return [UNKNOWN_LENGTH] if left is None else [words_line(left, most, self.noun)]

    def _all_words(self) -> list[str]:
        """All words left."""
        return self._words(len(self._left() or []))

    def _why(self) -> list[str]:
        """The outlook of the guess, while there is one."""
        left = self._left()
        if self.over or left is None:
            return [self.is_over if self.over else UNKNOWN_LENGTH]
        return self._expected(left)

    def _undone(self) -> list[str]:
        """Take the last step back."""
        if not self._states:
            return ["There is nothing to undo."]
        self._restore(self._states.pop())
        return self._stand()

    def _quit(self) -> list[str]:
        """End the conversation."""
        self.ended = True
        return []
