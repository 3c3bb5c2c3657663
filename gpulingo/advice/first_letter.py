"""A conversation about a game that gives the first letter: it is asked for before each round."""

from __future__ import annotations

from collections.abc import Callable

from gpulingo.advice.marked import Marked
from gpulingo.games.rules import UsageError
from gpulingo.words.letters import enter

ASKED = "Which letter does it begin with?"
HELP = "Type the letter that the game shows, as s; or quit. Ctrl-D ends too."


class LetterFirst:
    """Rounds that begin with a letter.

    Args:
        begin: makes the conversation about words that begin with a letter; raises UsageError where there is
            no such word. title: of the game.
    Attributes:
        ended: whether the user has had enough.
    """

    def __init__(self, begin: Callable[[str], Marked], title: str) -> None:
        self._begin, self._title, self._ended = begin, title, False
        self._round: Marked | None = None

    @property
    def ended(self) -> bool:
        """Return True if the user has ended the round, with or without a letter."""
        return self._ended if self._round is None else self._round.ended

    @property
    def prompt(self) -> str:
        """The prompt of the next line."""
        return "first letter> " if self._round is None else self._round.prompt

    def greeting(self) -> list[str]:
        """The first lines."""
        return [f"{self._title}: think of a word.", ASKED]

    def take(self, line: str) -> list[str]:
        """The answer to a line."""
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
            return [HELP if text in ("help", "?") else f"{text[:40]!r} is no letter. {HELP}"]
        try:
            self._round = self._begin(text)
        except UsageError as error:
            return [f"{error}."]
        return self._round.greeting()
