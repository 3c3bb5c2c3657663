"""Rounds as a conversation: the user types a line, lines are printed; no meaning depends on colour alone.

A mistake is reported and the question repeated; nothing is lost. `marked` and `revealed` read feedback where
the program guesses; `hosted` marks the user's guesses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gpulingo.advice.adviser import SHOWN
from gpulingo.games.marks import lettered
from gpulingo.storage.faults import UsageError
from gpulingo.words.letters import enter, joined, leave
from gpulingo.words.shown import counted

BACKGROUNDS = {"O": "30;42", "?": "30;43", "X": "97;100"}  # placed green, misplaced yellow, absent grey
STRONG, FAINT = "1", "2"


class Paint:
    """Styles of text."""

    def __init__(self, colour: bool = False) -> None:
        self.colour = colour

    def tiles(self, guess: str, marks: str) -> str:
        """Return a guess with its marks, or with counts, which are not about single letters.

        >>> Paint().tiles("dozes", "OXX?O")
        'd o z e s  GBBYG'
        """
        if not self.colour or not BACKGROUNDS.keys() >= set(marks):
            return f"{' '.join(joined(leave(guess)))}  {lettered(marks)}"
        letters = zip(guess.upper() if guess.isascii() else joined(leave(guess)), marks, strict=True)
        tiles = "".join(self._sign(f" {letter} ", BACKGROUNDS[mark]) for letter, mark in letters)
        return f"{tiles}  {lettered(marks)}"

    def strong(self, text: str) -> str:
        """Return the most important text."""
        return self._sign(text, STRONG)

    def faint(self, text: str) -> str:
        """Return the least important text."""
        return self._sign(text, FAINT)

    def _sign(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour else text


def paint_for(environment: Mapping[str, str]) -> Paint:
    """Return colours, unless the terminal has none or the user wants none (TERM dumb or unset, NO_COLOR set).

    >>> paint_for({"TERM": "xterm"}).colour, paint_for({"TERM": "xterm", "NO_COLOR": "1"}).colour
    (True, False)
    """
    return Paint(environment.get("TERM", "dumb") not in ("", "dumb") and not environment.get("NO_COLOR"))


def words_line(left: list[str], most: int = SHOWN, noun: str = "word") -> str:
    """Return the number of words left, or of what `noun` names, and the first of them.

    >>> words_line(["dents", "dozes", "reads"], 2)
    '3 words left: dents dozes .. and 1 more (words all)'
    """
    more = f" .. and {len(left) - most:,} more ({noun}s all)" if len(left) > most else ""
    return f"{counted(len(left), noun)} left: {' '.join(left[:most])}{more}"


MOST_LINE = 1000  # characters of a line that are read
GUESSED = ("i guessed", "guessed", "i guess", "i played", "played")
UNKNOWN_LENGTH = "How long is the word?"
OVER = "the round is over: undo, again or quit"


class Conversation:
    """Rounds in which the program guesses.

    Args:
        remedies: how to `teach` a word, and how to allow all as `targets`.
    """

    noun = "word"  # what the program has to find
    is_over = OVER
    over: bool
    # Methods of `marked` and `revealed`: the answer to feedback, or None if a text is something else; to a
    # text that no command of all rounds is; to another guess than the proposed one.
    _shown: Callable[[str], list[str] | None]
    _other: Callable[[str], list[str]]
    _guessed: Callable[[str], list[str]]
    _help: Callable[[], list[str]]
    _stand: Callable[[], list[str]]  # the state of the round
    _left: Callable[[], list[str] | None]  # words that fit; None: nothing is known of the word
    _expected: Callable[[list[str]], list[str]]  # expectation of the guess, with these words left
    _restore: Callable[[Any], None]  # sets a saved state
    _again: Callable[[], list[str]]  # starts another round

    def __init__(self, paint: Paint, remedies: Mapping[str, str]) -> None:
        self.paint, self.remedies, self.ended = paint, remedies, False
        self._states: list[Any] = []

    @property
    def prompt(self) -> str:
        raise NotImplementedError

    def greeting(self) -> list[str]:
        raise NotImplementedError

    def take(self, line: str) -> list[str]:
        lines = self._answer(" ".join(line[:MOST_LINE].split()))
        return [*self._notes(), *lines]

    def _answer(self, text: str) -> list[str]:
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
        return enter(text)

    def _notes(self) -> list[str]:
        return []

    def _words(self, most: int = SHOWN) -> list[str]:
        left = self._left()
        return [UNKNOWN_LENGTH] if left is None else [words_line(left, most, self.noun)]

    def _all_words(self) -> list[str]:
        return self._words(len(self._left() or []))

    def _why(self) -> list[str]:
        left = self._left()
        if self.over or left is None:
            return [self.is_over if self.over else UNKNOWN_LENGTH]
        return self._expected(left)

    def _undone(self) -> list[str]:
        if not self._states:
            return ["There is nothing to undo."]
        self._restore(self._states.pop())
        return self._stand()

    def _quit(self) -> list[str]:
        self.ended = True
        return []


ASKED = "Which letter does it begin with?"
FIRST_HELP = "Type the letter that the game shows, as s; or quit. Ctrl-D ends too."


class LetterFirst:
    """Rounds that begin with a letter; `begin` raises UsageError if no word begins with it."""

    def __init__(self, begin: Callable[[str], Conversation], title: str) -> None:
        self._begin, self._title, self._ended = begin, title, False
        self._round: Conversation | None = None

    @property
    def ended(self) -> bool:
        """Return True if the user has ended the round, with or without a letter."""
        return self._ended if self._round is None else self._round.ended

    @property
    def prompt(self) -> str:
        return "first letter> " if self._round is None else self._round.prompt

    def greeting(self) -> list[str]:
        return [f"{self._title}: think of a word.", ASKED]

    def take(self, line: str) -> list[str]:
        text = " ".join(enter(line).split())
        if self._round is not None and text != "again":
            return self._round.take(line)
        if text == "again":
            self._round = None
            return ["Think of another word.", ASKED]
        if text in ("quit", "exit"):
            self._ended = True
            return []
        if len(text) != 1 or not text.isalpha():
            return [FIRST_HELP if text in ("help", "?") else f"{text[:40]!r} is no letter. {FIRST_HELP}"]
        try:
            self._round = self._begin(text)
        except UsageError as error:
            return [f"{error}."]
        return self._round.greeting()
